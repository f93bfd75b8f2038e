package wire

import (
	"encoding/binary"
	"fmt"
	"slices"
)

// encodingType is the SOFH's name for SBE 1.0, little-endian.
const encodingType = 0xEB50

// Offsets in a frame's headers.
const (
	frameLengthOffset = 0
	encodingOffset    = 4
	blockLengthOffset = framingSize
	templateOffset    = framingSize + 2
	schemaOffset      = framingSize + 4
	versionOffset     = framingSize + 6
)

// Frame is one whole frame: headers, root block, and whatever a newer version
// has put behind it.
type Frame []byte

// Template returns the frame's template id, known or not. The frame must come
// from Split or from one of the append functions.
func (f Frame) Template() uint16 { return binary.LittleEndian.Uint16(f[templateOffset:]) }

// FrameError says why bytes can never become a message. The connection they
// came on cannot be used any more, as the next frame's start is unknown or the
// peer speaks something else.
type FrameError struct {
	Reason   SessionRejectReason
	Template uint16 // of the frame, 0 if it was refused before that was read
	Value    uint64 // the length, encoding type, schema or template seen
}

// Error names what was seen and what would have been right.
func (e *FrameError) Error() string {
	switch e.Reason {
	case SessionRejectFrameLength:
		return fmt.Sprintf("frame length is %d: want %d to %d", e.Value, HeaderSize, FrameMax)
	case SessionRejectEncoding:
		return fmt.Sprintf("encoding type is %#04x: want %#04x (SBE 1.0 little-endian)", e.Value, encodingType)
	case SessionRejectSchema:
		return fmt.Sprintf("schema id is %d: want %d", e.Value, SchemaID)
	case SessionRejectUnknownTemplate:
		return fmt.Sprintf("template id %d is not in schema %d version %d", e.Value, SchemaID, SchemaVersion)
	}
	return fmt.Sprintf("block length %d of template %d does not fit its frame or ends inside a field", e.Value, e.Template)
}

// Split returns the first frame in buf and its length. It returns nil and 0
// while more bytes are needed, and a *FrameError as soon as the bytes seen can
// never start a frame. The frame is a part of buf: nothing is copied, and
// nothing is allocated unless there is an error.
func Split(buf []byte) (Frame, int, error) {
	if len(buf) < encodingOffset {
		return nil, 0, nil
	}
	length := binary.BigEndian.Uint32(buf[frameLengthOffset:])
	if length < HeaderSize || length > FrameMax {
		return nil, 0, &FrameError{Reason: SessionRejectFrameLength, Value: uint64(length)}
	}
	if len(buf) < framingSize {
		return nil, 0, nil
	}
	if encoding := binary.BigEndian.Uint16(buf[encodingOffset:]); encoding != encodingType {
		return nil, 0, &FrameError{Reason: SessionRejectEncoding, Value: uint64(encoding)}
	}
	if uint64(len(buf)) < uint64(length) {
		return nil, 0, nil
	}
	return Frame(buf[:length:length]), int(length), nil
}

// appendFrame appends the headers of a message and room for its root block,
// and returns dst and the new frame. The block's bytes are left as they were in
// memory: the caller sets every field.
func appendFrame(dst []byte, template uint16, blockLength int) ([]byte, []byte) {
	start, size := len(dst), HeaderSize+blockLength
	dst = slices.Grow(dst, size)[:start+size]
	frame := dst[start:]
	binary.BigEndian.PutUint32(frame[frameLengthOffset:], uint32(size))
	binary.BigEndian.PutUint16(frame[encodingOffset:], encodingType)
	binary.LittleEndian.PutUint16(frame[blockLengthOffset:], uint16(blockLength))
	binary.LittleEndian.PutUint16(frame[templateOffset:], template)
	binary.LittleEndian.PutUint16(frame[schemaOffset:], SchemaID)
	binary.LittleEndian.PutUint16(frame[versionOffset:], SchemaVersion)
	return dst, frame
}
