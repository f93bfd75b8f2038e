// Command sbegen reads a FIX SBE 1.0 message schema and writes the flyweights
// of package wire: for every message its template id, the offsets of its
// fields, a view over its root block with one getter and one setter a field,
// and the null value of every field.
//
// It knows the part of SBE that Tollgate uses: little-endian messages made of
// a fixed root block, integers, byte arrays, composites, enumerations and
// sets. Anything else in a schema (groups, variable data, floats, big-endian)
// is an error, never skipped. So is a field that was not appended: sinceVersion
// may not fall from one field of a message to the next.
//
//	sbegen -schema proto/sbe/tollgate.xml -out fastpath/wire/messages_gen.go
package main
