package ctl

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"go.yaml.in/yaml/v3"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
)

// format is how data are printed.
type format string

const (
	formatTable format = "table"
	formatJSON  format = "json"
	formatYAML  format = "yaml"
)

// Set takes the value of the flag.
func (f *format) Set(value string) error {
	switch format(value) {
	case formatTable, formatJSON, formatYAML:
		*f = format(value)
		return nil
	}
	return fmt.Errorf("%q, want table, json or yaml", value)
}

func (f *format) String() string { return string(*f) }

// Type names the kind of value in help texts.
func (f *format) Type() string { return "format" }

// encoded prints a message as JSON or YAML with the field names of the
// contract, every field present and 64-bit integers as text.
func encoded(w io.Writer, f format, m proto.Message) error {
	text, err := marshal(m)
	if err != nil {
		return err
	}
	return printJSON(w, f, text)
}

// marshal writes a message as compact JSON.
func marshal(m proto.Message) ([]byte, error) {
	text, err := protojson.MarshalOptions{UseProtoNames: true, EmitUnpopulated: true}.Marshal(m)
	if err != nil {
		return nil, err
	}
	var compact bytes.Buffer
	err = json.Compact(&compact, text)
	return compact.Bytes(), err
}

// printJSON prints compact JSON in the format.
func printJSON(w io.Writer, f format, text []byte) error {
	if f == formatYAML {
		return printYAML(w, text)
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, text, "", "  "); err != nil {
		return err
	}
	indented.WriteByte('\n')
	_, err := indented.WriteTo(w)
	return err
}

// printYAML prints JSON as YAML with the same order of fields.
func printYAML(w io.Writer, text []byte) error {
	var node yaml.Node
	if err := yaml.Unmarshal(text, &node); err != nil {
		return err
	}
	blockStyle(&node)
	encoder := yaml.NewEncoder(w)
	encoder.SetIndent(2)
	if err := encoder.Encode(&node); err != nil {
		return err
	}
	return encoder.Close()
}

// blockStyle takes the braces out of what was JSON, and the quotes where YAML
// needs none. Empty lists and objects keep their brackets.
func blockStyle(n *yaml.Node) {
	n.Style = 0
	if n.Kind == yaml.ScalarNode && n.Tag == "!!str" {
		n.SetString(n.Value)
	}
	for _, child := range n.Content {
		blockStyle(child)
	}
}
