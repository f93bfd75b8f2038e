package wire

// Bounds of the wire format. Both are checked before a byte of the body is
// looked at and before anything is allocated.
const (
	// HeaderSize is the shortest frame in bytes: the six of the FIX Simple Open
	// Framing Header and the eight of the SBE message header.
	HeaderSize = framingSize + messageHeaderSize

	// FrameMax is the longest frame in bytes, headers included: a peer that
	// announces more is not speaking this protocol, whatever follows.
	FrameMax = 4096
)

const (
	framingSize       = 6
	messageHeaderSize = 8
)

// The longest block of this version fits a frame, with room for later ones.
const _ = uint(FrameMax/2 - HeaderSize - blockLengthMax)
