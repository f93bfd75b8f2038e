package wire

import "encoding/binary"

// Message is a frame whose headers have been read. Block has at least the
// length this version of the schema gives the template's root block, so that
// every decoder below reads at fixed offsets without another check.
//
// A Message is valid as long as the frame it was parsed from, and until its
// Parser parses the next frame.
type Message struct {
	Template uint16
	Version  uint16 // of the schema, as the sender had it
	Block    []byte
}

// Parser turns frames into messages. It holds the room in which the blocks of
// older versions are completed with null values; each reader of a connection
// or loop has its own. The zero value is ready.
type Parser struct {
	padded [blockLengthMax]byte
}

// Parse reads the headers of a frame that came from Split. A block that is
// longer than this version knows is accepted, its tail ignored; one that is
// shorter gets null values for the fields it lacks. Everything else is a
// *FrameError: wrong encoding type, wrong schema, unknown template, and a block
// that does not fit its frame or ends inside a field.
func (p *Parser) Parse(f Frame) (Message, error) {
	if len(f) < HeaderSize || binary.BigEndian.Uint32(f) != uint32(len(f)) {
		return Message{}, &FrameError{Reason: SessionRejectFrameLength, Value: uint64(len(f))}
	}
	template := binary.LittleEndian.Uint16(f[templateOffset:])
	length := int(binary.LittleEndian.Uint16(f[blockLengthOffset:]))
	known := blockLength(template)
	if known == 0 || !ours(f) || length > len(f)-HeaderSize {
		return Message{}, refusal(f, known)
	}
	m := Message{template, binary.LittleEndian.Uint16(f[versionOffset:]), f[HeaderSize : HeaderSize+length]}
	if length < known && !p.pad(&m, known) {
		return Message{}, &FrameError{Reason: SessionRejectMalformed, Template: template, Value: uint64(length)}
	}
	return m, nil
}

// ours reports whether a frame is SBE and of this schema.
func ours(f Frame) bool {
	return binary.BigEndian.Uint16(f[encodingOffset:]) == encodingType &&
		binary.LittleEndian.Uint16(f[schemaOffset:]) == SchemaID
}

// refusal says why a frame was refused; known is the length of its template's
// block. The outermost thing that is wrong is named.
func refusal(f Frame, known int) *FrameError {
	if encoding := binary.BigEndian.Uint16(f[encodingOffset:]); encoding != encodingType {
		return &FrameError{Reason: SessionRejectEncoding, Value: uint64(encoding)}
	}
	template := f.Template()
	if schema := binary.LittleEndian.Uint16(f[schemaOffset:]); schema != SchemaID {
		return &FrameError{Reason: SessionRejectSchema, Template: template, Value: uint64(schema)}
	}
	if known == 0 {
		return &FrameError{Reason: SessionRejectUnknownTemplate, Template: template, Value: uint64(template)}
	}
	length := binary.LittleEndian.Uint16(f[blockLengthOffset:])
	return &FrameError{Reason: SessionRejectMalformed, Template: template, Value: uint64(length)}
}

// nullField is one field of a root block and the bits of its null value. Those
// of a byte array are longer than eight bytes and repeat.
type nullField struct {
	offset, size int
	bits         uint64
}

// pad completes a short block in the parser's room, and reports false if the
// block ends inside a field.
func (p *Parser) pad(m *Message, known int) bool {
	block := p.padded[:known]
	held := copy(block, m.Block)
	for _, field := range nullsOf(m.Template) {
		if field.offset >= held {
			field.fill(block)
		} else if field.offset+field.size > held {
			return false
		}
	}
	m.Block = block
	return true
}

// fill gives the field its null value.
func (n nullField) fill(block []byte) {
	for i := range n.size {
		block[n.offset+i] = byte(n.bits >> (i % 8 * 8))
	}
}
