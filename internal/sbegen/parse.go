package main

import (
	"encoding/xml"
	"fmt"
)

// xmlSchema mirrors the schema's XML, as far as sbegen knows SBE.
type xmlSchema struct {
	ID        uint16       `xml:"id,attr"`
	Version   uint16       `xml:"version,attr"`
	ByteOrder string       `xml:"byteOrder,attr"`
	Types     []xmlTypes   `xml:"types"`
	Messages  []xmlMessage `xml:"message"`
}

// xmlTypes is one <types> element.
type xmlTypes struct {
	Simple     []xmlType      `xml:"type"`
	Composites []xmlComposite `xml:"composite"`
	Enums      []xmlEnum      `xml:"enum"`
	Sets       []xmlSet       `xml:"set"`
}

// xmlType is a <type>: an integer, a character, or an array of them.
type xmlType struct {
	Name      string  `xml:"name,attr"`
	Primitive string  `xml:"primitiveType,attr"`
	Presence  string  `xml:"presence,attr"`
	NullValue *string `xml:"nullValue,attr"`
	Length    *int    `xml:"length,attr"`
}

// xmlComposite is a <composite> whose members are plain types.
type xmlComposite struct {
	Name    string       `xml:"name,attr"`
	Members []xmlType    `xml:"type"`
	Others  []xmlElement `xml:",any"`
}

// xmlEnum is an <enum>.
type xmlEnum struct {
	Name     string     `xml:"name,attr"`
	Encoding string     `xml:"encodingType,attr"`
	Values   []xmlValue `xml:"validValue"`
}

// xmlValue is one <validValue> of an enum.
type xmlValue struct {
	Name        string `xml:"name,attr"`
	Description string `xml:"description,attr"`
	Text        string `xml:",chardata"`
}

// xmlSet is a <set> of bits.
type xmlSet struct {
	Name     string      `xml:"name,attr"`
	Encoding string      `xml:"encodingType,attr"`
	Choices  []xmlChoice `xml:"choice"`
}

// xmlChoice is one bit of a set.
type xmlChoice struct {
	Name        string `xml:"name,attr"`
	Description string `xml:"description,attr"`
	Bit         uint   `xml:",chardata"`
}

// xmlMessage is a <message>.
type xmlMessage struct {
	Name        string       `xml:"name,attr"`
	ID          uint16       `xml:"id,attr"`
	BlockLength *int         `xml:"blockLength,attr"`
	Description string       `xml:"description,attr"`
	Fields      []xmlField   `xml:"field"`
	Others      []xmlElement `xml:",any"`
}

// xmlField is a <field> of a root block.
type xmlField struct {
	Name        string `xml:"name,attr"`
	ID          uint16 `xml:"id,attr"`
	Type        string `xml:"type,attr"`
	Offset      *int   `xml:"offset,attr"`
	Presence    string `xml:"presence,attr"`
	Since       uint16 `xml:"sinceVersion,attr"`
	Description string `xml:"description,attr"`
}

// xmlElement is an element sbegen does not know.
type xmlElement struct {
	XMLName xml.Name
}

// parseSchema reads the XML and refuses what sbegen does not know.
func parseSchema(text []byte) (*xmlSchema, error) {
	var schema xmlSchema
	if err := xml.Unmarshal(text, &schema); err != nil {
		return nil, err
	}
	if schema.ByteOrder != "" && schema.ByteOrder != "littleEndian" {
		return nil, fmt.Errorf("byteOrder is %q: only littleEndian is known", schema.ByteOrder)
	}
	if len(schema.Messages) == 0 {
		return nil, fmt.Errorf("the schema has no message")
	}
	for i := range schema.Messages {
		if m := &schema.Messages[i]; len(m.Others) > 0 {
			return nil, fmt.Errorf("message %s has a <%s>: only fields are known", m.Name, m.Others[0].XMLName.Local)
		}
	}
	for _, types := range schema.Types {
		for _, c := range types.Composites {
			if len(c.Others) > 0 {
				return nil, fmt.Errorf("composite %s has a <%s>: only types are known", c.Name, c.Others[0].XMLName.Local)
			}
		}
	}
	return &schema, nil
}
