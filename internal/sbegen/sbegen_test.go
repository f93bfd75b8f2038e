package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const (
	schemaPath    = "../../proto/sbe/tollgate.xml"
	generatedPath = "../../fastpath/wire/messages_gen.go"
)

// TestGeneratedFileIsCurrent: generating anew gives the committed file.
func TestGeneratedFileIsCurrent(t *testing.T) {
	out := filepath.Join(t.TempDir(), "messages_gen.go")
	if err := run(schemaPath, out); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(generatedPath)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s is not what %s gives: run go generate ./fastpath/wire", generatedPath, schemaPath)
	}
}

func TestRunNeedsBothFiles(t *testing.T) {
	for _, args := range [][2]string{{"", "x"}, {schemaPath, ""}, {filepath.Join(t.TempDir(), "none.xml"), "x"}} {
		if err := run(args[0], args[1]); err == nil {
			t.Errorf("schema %q, out %q: no error", args[0], args[1])
		}
	}
}

// withTypes is a schema with some types and one message.
func withTypes(types, message string) string {
	return fmt.Sprintf(`<s:messageSchema xmlns:s="http://fixprotocol.io/2016/sbe" id="3" version="2" `+
		`byteOrder="littleEndian"><types>%s</types><s:message name="Ping" id="9" %s</s:message></s:messageSchema>`,
		types, message)
}

const someTypes = `
	<type name="Id" primitiveType="uint32" presence="optional" nullValue="0"/>
	<type name="Signed" primitiveType="int16"/>
	<type name="Low" primitiveType="int8" nullValue="-1"/>
	<type name="Bytes" primitiveType="uint8" length="3"/>
	<composite name="Price"><type name="mantissa" primitiveType="int64"/>
		<type name="exponent" primitiveType="int8" presence="constant">-8</type></composite>
	<composite name="Pair"><type name="A" primitiveType="uint64"/><type name="B" primitiveType="uint16"/></composite>
	<enum name="Side" encodingType="char"><validValue name="Buy">1</validValue></enum>
	<enum name="Role" encodingType="uint8"><validValue name="BackOffice" description="Books.">4</validValue></enum>
	<set name="Flags" encodingType="uint8"><choice name="Fast" description="Hurry.">3</choice></set>`

func TestResolve(t *testing.T) {
	parsed, err := parseSchema([]byte(withTypes(someTypes, `blockLength="32" description="Asks.">
		<field name="P" id="1" type="Price" offset="0"/><field name="Q" id="2" type="Pair" offset="8"/>
		<field name="I" id="3" type="Id"/><field name="S" id="4" type="Signed"/><field name="L" id="5" type="Low"/>
		<field name="B" id="6" type="Bytes"/><field name="D" id="7" type="Side"/><field name="F" id="8" type="Flags"/>
		<field name="R" id="9" type="Role" sinceVersion="1"/><field name="Z" id="10" type="Side" sinceVersion="2"/>`)))
	if err != nil {
		t.Fatal(err)
	}
	s, err := resolve(parsed)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range s.messages[0].fields {
		got = append(got, fmt.Sprintf("%s@%d+%d:%x", f.name, f.offset, f.size(), f.null))
	}
	want := "P@0+8:8000000000000000 QA@8+8:ffffffffffffffff QB@16+2:ffff I@18+4:0 S@22+2:8000 L@24+1:ff B@25+3:ff " +
		"D@28+1:0 F@29+1:0 R@30+1:ff Z@31+1:0"
	if strings.Join(got, " ") != want {
		t.Errorf("resolved %s\n   want %s", strings.Join(got, " "), want)
	}
	if s.id != 3 || s.version != 2 || s.messages[0].id != 9 || s.messages[0].blockLength != 32 {
		t.Errorf("resolved schema %d version %d, message %d of %d bytes", s.id, s.version, s.messages[0].id,
			s.messages[0].blockLength)
	}
}

func TestRender(t *testing.T) {
	code, err := generate([]byte(withTypes(someTypes, `description="Asks for a sign of life.">
		<field name="P" id="1" type="Price"/><field name="I" id="3" type="Id"/><field name="S" id="4" type="Signed"/>
		<field name="B" id="6" type="Bytes"/><field name="D" id="7" type="Side"/><field name="Q" id="8" type="Pair"/>
		<field name="U" id="9" type="Pair"/>`)))
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(code, []byte("type pairView")); n != 1 {
		t.Errorf("the view of a composite used twice is written %d times", n)
	}
	for _, part := range []string{
		"SchemaID      uint16 = 3", "SchemaVersion uint16 = 2",
		"// TemplatePing: Asks for a sign of life.\n\tTemplatePing uint16 = 9",
		"pingBlockLength = 38", "blockLengthMax = 38", "case TemplatePing:\n\t\treturn pingBlockLength",
		"case TemplatePing:\n\t\treturn pingNulls[:]",
		"pingPOffset  = 0\n\tpingIOffset  = 8\n\tpingSOffset  = 12\n\tpingBOffset  = 14\n\tpingDOffset  = 17\n" +
			"\tpingQAOffset = 18\n\tpingQBOffset = 26\n\tpingUAOffset = 28",
		"{pingPOffset, 8, 0x8000000000000000},\n\t{pingIOffset, 4, 0},\n\t{pingSOffset, 2, 0x8000},\n" +
			"\t{pingBOffset, 3, 0xffffffffffffffff},\n\t{pingDOffset, 1, 0},\n\t{pingQAOffset, 8, 0xffffffffffffffff},",
		"func (v *pingView) Q() *pairView {\n\treturn (*pairView)(v[pingQAOffset:])",
		"func (v *pingView) U() *pairView {\n\treturn (*pairView)(v[pingUAOffset:])",
		"pairLength = 10", "type pairView [pairLength]byte", "func (v *pairView) SetB(x uint16) {",
		"func (v *pingView) P() int64 {\n\treturn int64(binary.LittleEndian.Uint64(v[pingPOffset:]))",
		"func (v *pingView) SetS(x int16) {\n\tbinary.LittleEndian.PutUint16(v[pingSOffset:], uint16(x))",
		"func (v *pingView) B() [3]byte {\n\treturn [3]byte(v[pingBOffset:])",
		"func (v *pingView) SetB(x [3]byte) {\n\tcopy(v[pingBOffset:], x[:])",
		"func (v *pingView) SetD(x uint8) {\n\tv[pingDOffset] = x",
		"// RoleBackOffice: Books.\n\tRoleBackOffice Role = 4", "return \"back-office\"",
		"// FlagsFast: Hurry.\n\tFlagsFast uint8 = 1 << 3",
		"func appendPingView(dst []byte) ([]byte, *pingView) {",
	} {
		if !bytes.Contains(code, []byte(part)) {
			t.Errorf("the generated code lacks %q", part)
		}
	}
}

// TestRefusals: what sbegen does not know, and what contradicts itself, is an
// error that names the place.
func TestRefusals(t *testing.T) {
	field := `<field name="F" id="1" type="T"/>`
	for _, row := range []struct{ types, message, want string }{
		{"", `><group name="G" id="1"/>`, "message Ping has a <group>"},
		{"", `><data name="D" id="1"/>`, "message Ping has a <data>"},
		{`<composite name="C"><ref name="R" type="T"/></composite>`, `>`, "composite C has a <ref>"},
		{"", `>` + field, `type "T" is not defined`},
		{`<type name="T" primitiveType="float"/>`, `>` + field, `primitiveType "float" is not known`},
		{`<type name="T" primitiveType="uint16" length="4"/>`, `>` + field, "an array of 4 uint16 is not known"},
		{`<type name="T" primitiveType="uint8" length="0"/>`, `>` + field, "an array of 0 uint8 is not known"},
		{`<type name="T" primitiveType="uint8" nullValue="256"/>`, `>` + field, "256"},
		{`<type name="T" primitiveType="int8" nullValue="128"/>`, `>` + field, "128"},
		{`<enum name="T" encodingType="Other"/>`, `>` + field, `encodingType "Other" is not a primitive type`},
		{`<set name="T" encodingType="Other"/>`, `>` + field, `encodingType "Other" is not a primitive type`},
		{`<composite name="T"><type name="A" primitiveType="x"/></composite>`, `>` + field, "composite T: type A"},
		{`<enum name="Role" encodingType="uint8"/>`, `>`, "enum Role has no validValue"},
		{`<type name="T" primitiveType="uint8"/><type name="T" primitiveType="uint8"/>`, `>`, "type T is defined twice"},
		{`<type name="T" primitiveType="uint8"/>`, `>` + field + field, "two fields F"},
		{
			`<type name="T" primitiveType="uint8"/>`, `><field name="F" id="1" type="T" offset="1"/>`,
			"field F: offset is 1, the field before it ends at 0",
		},
		{`<type name="T" primitiveType="uint8"/>`, `blockLength="2">` + field, "blockLength is 2, the fields take 1"},
		{
			`<composite name="T"><type name="C" primitiveType="int8" presence="constant">1</type></composite>`,
			`>` + field, "field F: a constant of type T takes no bytes",
		},
		{
			`<type name="T" primitiveType="uint8"/>`, `><field name="F" id="1" type="T" presence="constant"/>`,
			"field F: a constant of type T takes no bytes",
		},
		{"", `></s:message><s:message name="Pong" id="9">`, "messages Ping and Pong have the same id 9"},
		{
			`<type name="T" primitiveType="uint8"/>`, `><field name="F" id="1" type="T" sinceVersion="3"/>`,
			"field F: sinceVersion is 3, the schema's version is 2",
		},
		{
			`<type name="T" primitiveType="uint8"/>`,
			`><field name="E" id="1" type="T" sinceVersion="2"/><field name="F" id="2" type="T" sinceVersion="1"/>`,
			"field F: sinceVersion is 1 behind a field of version 2",
		},
	} {
		_, err := generate([]byte(withTypes(row.types, row.message)))
		if err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("types %s, message %s: error is %v, want %q", row.types, row.message, err, row.want)
		}
	}
}

func TestRefusesSchemas(t *testing.T) {
	for text, want := range map[string]string{
		"not XML": "EOF",
		`<messageSchema id="1" byteOrder="bigEndian"/>`:    "only littleEndian is known",
		`<messageSchema id="1" byteOrder="littleEndian"/>`: "no message",
	} {
		if _, err := generate([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error is %v, want %q", text, err, want)
		}
	}
}
