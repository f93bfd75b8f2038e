package main

import (
	"fmt"
	"slices"
	"strconv"
)

// schema is what the renderer needs: types resolved, offsets known.
type schema struct {
	id, version uint16
	enums       []enum
	sets        []xmlSet
	composites  []composite // of several members, in the order of their first use
	messages    []message
}

// composite is a composite of several members.
type composite struct {
	name    string
	members []field
}

// length returns the bytes the composite takes on the wire.
func (c *composite) length() int {
	last := &c.members[len(c.members)-1]
	return last.offset + last.size()
}

// enum is an enumeration that becomes a Go type.
type enum struct {
	name   string // of the type
	prefix string // of its constants
	doc    string
	goType string
	values []xmlValue
}

// message is one template.
type message struct {
	name        string
	id          uint16
	blockLength int
	doc         string
	fields      []field
}

// field is one integer or byte array of a root block; composites are taken
// apart into their members.
type field struct {
	name   string
	doc    string
	offset int
	prim   primitive
	length int    // elements; 0: not an array
	null   uint64 // bits of the null value, in every element of an array

	// A member of a composite of several: the field it is a part of, and the
	// composite's name.
	whole, composite string
}

// size returns the bytes the field takes on the wire.
func (f *field) size() int { return f.prim.size * max(f.length, 1) }

// primitive is an SBE primitive type.
type primitive struct {
	goType string
	size   int
	null   uint64 // default null value, as bits
}

// primitives are the types sbegen knows, with SBE's default null values.
var primitives = map[string]primitive{
	"char":   {"uint8", 1, 0},
	"uint8":  {"uint8", 1, 1<<8 - 1},
	"uint16": {"uint16", 2, 1<<16 - 1},
	"uint32": {"uint32", 4, 1<<32 - 1},
	"uint64": {"uint64", 8, 1<<64 - 1},
	"int8":   {"int8", 1, 1 << 7},
	"int16":  {"int16", 2, 1 << 15},
	"int32":  {"int32", 4, 1 << 31},
	"int64":  {"int64", 8, 1 << 63},
}

// exportedEnums are the enumerations package wire gives a Go type of its own,
// with the prefix of their constants. The others are types of package order.
var exportedEnums = map[string]enum{
	"LoginRejectReason":   {prefix: "LoginReject", doc: "says why a login failed"},
	"SessionRejectReason": {prefix: "SessionReject", doc: "says why a connection closes"},
	"Role":                {prefix: "Role", doc: "says what a process of the chain is"},
}

// resolver holds the parts every named type stands for.
type resolver struct {
	parts map[string][]field
}

// resolve looks up all types and places all fields.
func resolve(x *xmlSchema) (*schema, error) {
	r := resolver{parts: map[string][]field{}}
	s := &schema{id: x.ID, version: x.Version}
	for i := range x.Types {
		if err := r.addTypes(&x.Types[i]); err != nil {
			return nil, err
		}
		if err := s.addEnums(x.Types[i].Enums); err != nil {
			return nil, err
		}
		s.sets = append(s.sets, x.Types[i].Sets...)
	}
	for i := range x.Messages {
		m, err := r.message(&x.Messages[i])
		if err == nil {
			err = checkAppended(x.Messages[i].Fields, x.Version)
		}
		if err != nil {
			return nil, fmt.Errorf("message %s: %w", x.Messages[i].Name, err)
		}
		s.messages = append(s.messages, m)
		s.addComposites(&m, r.parts)
	}
	return s, s.checkUnique()
}

// addTypes registers the types of one <types> element.
func (r *resolver) addTypes(types *xmlTypes) error {
	for _, t := range types.Simple {
		part, err := newPart(&t)
		if err != nil {
			return err
		}
		if err := r.add(t.Name, []field{part}); err != nil {
			return err
		}
	}
	for _, c := range types.Composites {
		if err := r.addComposite(&c); err != nil {
			return fmt.Errorf("composite %s: %w", c.Name, err)
		}
	}
	for _, e := range types.Enums {
		if err := r.addCoded(e.Name, e.Encoding, nil); err != nil {
			return err
		}
	}
	for _, s := range types.Sets {
		if err := r.addCoded(s.Name, s.Encoding, new(uint64)); err != nil {
			return err
		}
	}
	return nil
}

// add registers a type under its name.
func (r *resolver) add(name string, parts []field) error {
	if _, ok := r.parts[name]; ok {
		return fmt.Errorf("type %s is defined twice", name)
	}
	r.parts[name] = parts
	return nil
}

// addComposite registers a composite: its members that are on the wire, one
// after the other.
func (r *resolver) addComposite(c *xmlComposite) error {
	var parts []field
	offset := 0
	for i := range c.Members {
		if c.Members[i].Presence == "constant" {
			continue
		}
		part, err := newPart(&c.Members[i])
		if err != nil {
			return err
		}
		part.offset = offset
		offset += part.size()
		parts = append(parts, part)
	}
	return r.add(c.Name, parts)
}

// addCoded registers an enum or set. A nil null takes the encoding's default.
func (r *resolver) addCoded(name, encoding string, null *uint64) error {
	prim, ok := primitives[encoding]
	if !ok {
		return fmt.Errorf("type %s: encodingType %q is not a primitive type", name, encoding)
	}
	part := field{name: name, prim: prim, null: prim.null}
	if null != nil {
		part.null = *null
	}
	return r.add(name, []field{part})
}

// newPart resolves a <type>.
func newPart(t *xmlType) (field, error) {
	prim, ok := primitives[t.Primitive]
	if !ok {
		return field{}, fmt.Errorf("type %s: primitiveType %q is not known", t.Name, t.Primitive)
	}
	part := field{name: t.Name, prim: prim, null: prim.null}
	if t.Length != nil {
		if prim.size != 1 || *t.Length < 2 {
			return field{}, fmt.Errorf("type %s: an array of %d %s is not known, only two or more bytes",
				t.Name, *t.Length, t.Primitive)
		}
		part.length = *t.Length
	}
	if t.NullValue != nil {
		null, err := parseNull(*t.NullValue, prim)
		if err != nil {
			return field{}, fmt.Errorf("type %s: %w", t.Name, err)
		}
		part.null = null
	}
	return part, nil
}

// parseNull returns the bits of a written null value.
func parseNull(text string, prim primitive) (uint64, error) {
	bits := prim.size * 8
	if prim.goType[0] == 'u' {
		v, err := strconv.ParseUint(text, 10, bits)
		return v, err
	}
	v, err := strconv.ParseInt(text, 10, bits)
	return uint64(v) & (1<<bits - 1), err
}

// message places the fields of a message.
func (r *resolver) message(x *xmlMessage) (message, error) {
	m := message{name: x.Name, id: x.ID, doc: x.Description}
	end := 0
	for i := range x.Fields {
		f := &x.Fields[i]
		parts, ok := r.parts[f.Type]
		if !ok {
			return m, fmt.Errorf("field %s: type %q is not defined", f.Name, f.Type)
		}
		if len(parts) == 0 || f.Presence == "constant" {
			return m, fmt.Errorf("field %s: a constant of type %s takes no bytes", f.Name, f.Type)
		}
		if f.Offset != nil && *f.Offset != end {
			return m, fmt.Errorf("field %s: offset is %d, the field before it ends at %d", f.Name, *f.Offset, end)
		}
		placed := place(f, parts, end)
		m.fields = append(m.fields, placed...)
		last := &placed[len(placed)-1]
		end = last.offset + last.size()
	}
	m.blockLength = end
	if x.BlockLength != nil && *x.BlockLength != end {
		return m, fmt.Errorf("blockLength is %d, the fields take %d", *x.BlockLength, end)
	}
	return m, nil
}

// checkAppended refuses fields that stand before those of earlier versions, so
// that a block of an earlier version is always the beginning of a later one.
func checkAppended(fields []xmlField, version uint16) error {
	since := uint16(0)
	for i := range fields {
		f := &fields[i]
		if f.Since > version {
			return fmt.Errorf("field %s: sinceVersion is %d, the schema's version is %d", f.Name, f.Since, version)
		}
		if f.Since < since {
			return fmt.Errorf("field %s: sinceVersion is %d behind a field of version %d: fields are appended",
				f.Name, f.Since, since)
		}
		since = f.Since
	}
	return nil
}

// place returns the parts of a field at their offsets in the block. A field of
// one part keeps its name, others give theirs as a prefix.
func place(f *xmlField, parts []field, offset int) []field {
	placed := slices.Clone(parts)
	for i := range placed {
		placed[i].offset += offset
		if len(parts) == 1 {
			placed[i].name = f.Name
		} else {
			placed[i].name = f.Name + placed[i].name
			placed[i].whole, placed[i].composite = f.Name, f.Type
		}
		placed[i].doc = f.Description
	}
	return placed
}

// addComposites keeps the composites of several members that a message uses.
func (s *schema) addComposites(m *message, parts map[string][]field) {
	for _, f := range m.fields {
		known := slices.ContainsFunc(s.composites, func(c composite) bool { return c.name == f.composite })
		if f.composite != "" && !known {
			s.composites = append(s.composites, composite{f.composite, parts[f.composite]})
		}
	}
}

// addEnums keeps the enumerations that become Go types.
func (s *schema) addEnums(enums []xmlEnum) error {
	for _, x := range enums {
		e, ok := exportedEnums[x.Name]
		if !ok {
			continue
		}
		if len(x.Values) == 0 {
			return fmt.Errorf("enum %s has no validValue", x.Name)
		}
		e.name, e.goType, e.values = x.Name, primitives[x.Encoding].goType, x.Values
		s.enums = append(s.enums, e)
	}
	return nil
}

// checkUnique refuses templates and fields that cannot be told apart.
func (s *schema) checkUnique() error {
	templates := map[uint16]string{}
	for _, m := range s.messages {
		if other, ok := templates[m.id]; ok {
			return fmt.Errorf("messages %s and %s have the same id %d", other, m.name, m.id)
		}
		templates[m.id] = m.name
		names := map[string]bool{}
		for _, f := range m.fields {
			if names[f.name] {
				return fmt.Errorf("message %s has two fields %s", m.name, f.name)
			}
			names[f.name] = true
		}
	}
	return nil
}
