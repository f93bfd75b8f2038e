package document

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// reader walks the nodes of one document and collects what is wrong with it.
type reader struct {
	file     string
	problems Problems
	omitted  int
}

// item is a node together with its place in the document.
type item struct {
	node *yaml.Node
	path string
}

// at returns the item of a field of an object.
func (it item) at(field string) string {
	if it.path == "" {
		return field
	}
	return it.path + "." + field
}

// text returns the scalar as it was written.
func (it item) text() string { return it.node.Value }

// given reports whether the document has the item at all.
func (it item) given() bool { return it.node != nil }

// object reports whether the item is a mapping.
func (it item) object() bool { return it.node.Kind == yaml.MappingNode }

// fail records a problem at an item.
func (r *reader) fail(it item, format string, args ...any) {
	if len(r.problems) >= problemsMax {
		r.omitted++
		return
	}
	p := Problem{File: r.file, Path: it.path, Message: fmt.Sprintf(format, args...)}
	if it.node != nil {
		p.Line, p.Column = it.node.Line, it.node.Column
	}
	r.problems = append(r.problems, p)
}

// err returns the problems found, nil if there are none.
func (r *reader) err() error {
	if len(r.problems) == 0 {
		return nil
	}
	if r.omitted > 0 {
		rest := fmt.Sprintf("%d more problems are not shown", r.omitted)
		return append(r.problems.sorted(), Problem{File: r.file, Message: rest})
	}
	return r.problems.sorted()
}

// root parses the text and returns the outermost object. ok is false when there
// is no object to look at; the problem is recorded then.
func (r *reader) root(text []byte) (root item, ok bool) {
	if len(text) > BytesMax {
		r.fail(item{}, "the document has %d bytes, want at most %d", len(text), BytesMax)
		return item{}, false
	}
	decoder := yaml.NewDecoder(bytes.NewReader(text))
	var doc yaml.Node
	if err := decoder.Decode(&doc); err != nil {
		r.failSyntax(err)
		return item{}, false
	}
	if err := decoder.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		r.fail(item{}, "the file holds more than one document, want exactly one")
		return item{}, false
	}
	if len(doc.Content) != 1 {
		r.fail(item{}, "the document is empty")
		return item{}, false
	}
	root = item{node: doc.Content[0]}
	return root, r.plain(root, 0)
}

// yamlLine finds the line number in the messages of the YAML parser.
var yamlLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)

// failSyntax records what the YAML parser says.
func (r *reader) failSyntax(err error) {
	if errors.Is(err, io.EOF) {
		r.fail(item{}, "the document is empty")
		return
	}
	message := err.Error()
	found := yamlLine.FindStringSubmatch(message)
	p := Problem{File: r.file, Message: "not YAML: " + message}
	if found != nil {
		p.Message = "not YAML: " + strings.TrimPrefix(message, found[0])
		if line, err := strconv.Atoi(found[1]); err == nil {
			p.Line, p.Column = line, 1
		}
	}
	r.problems = append(r.problems, p)
}

// plain refuses what makes a document mean something else than its text shows:
// anchors, aliases, merge keys and explicit tags.
func (r *reader) plain(it item, depth int) bool {
	n := it.node
	if depth > depthMax {
		r.fail(it, "nested more than %d deep", depthMax)
		return false
	}
	switch {
	case n.Kind == yaml.AliasNode || n.Anchor != "":
		r.fail(it, "anchors and aliases are not taken; write the value out")
		return false
	case n.Style&yaml.TaggedStyle != 0:
		r.fail(it, "the tag %s is not taken; write the value without it", quoted(n.Tag))
		return false
	}
	ok := true
	for _, child := range n.Content {
		ok = r.plain(item{node: child, path: it.path}, depth+1) && ok
	}
	return ok
}

// object is a mapping whose fields are known.
type object struct {
	item
	fields map[string]item
}

// field returns a field's value, which is not given() if it is absent.
func (o object) field(name string) item { return o.fields[name] }

// object reads a mapping that may have the named fields and no others.
func (r *reader) object(it item, known ...string) object {
	o := object{item: it, fields: make(map[string]item, len(known))}
	if it.node.Kind != yaml.MappingNode {
		r.fail(it, "%s is %s, want an object with the fields %s", place(it), shape(it.node), fieldList(known))
		return o
	}
	for i := 0; i+1 < len(it.node.Content); i += 2 {
		key, value := it.node.Content[i], it.node.Content[i+1]
		r.take(o, key, value, known)
	}
	return o
}

// take adds one field of a mapping to the object, or says why not.
func (r *reader) take(o object, key, value *yaml.Node, known []string) {
	name := key.Value
	at := item{node: key, path: o.at(name)}
	if key.Kind != yaml.ScalarNode || !slices.Contains(known, name) {
		at.path = o.path
		r.fail(at, "unknown field %s, want %s", shape(key), suggestion(name, known))
		return
	}
	if earlier, twice := o.fields[name]; twice {
		r.fail(at, "%s is given twice, first in line %d", name, earlier.node.Line)
		return
	}
	o.fields[name] = item{node: value, path: o.at(name)}
}

// require records a problem for each of the fields that is absent.
func (r *reader) require(o object, names ...string) {
	for _, name := range names {
		if o.node.Kind == yaml.MappingNode && !o.field(name).given() {
			r.fail(o.item, "%s is missing in %s", name, place(o.item))
		}
	}
}

// list returns the elements of a sequence.
func (r *reader) list(it item) []item {
	if !it.given() {
		return nil
	}
	if it.node.Kind != yaml.SequenceNode {
		r.fail(it, "%s is %s, want a list", place(it), shape(it.node))
		return nil
	}
	out := make([]item, len(it.node.Content))
	for i, n := range it.node.Content {
		out[i] = item{node: n, path: fmt.Sprintf("%s[%d]", it.path, i)}
	}
	return out
}

// scalar reports whether the item is given and is a single value; if it is
// given and is not, that is a problem.
func (r *reader) scalar(it item, want string) bool {
	if !it.given() {
		return false
	}
	if it.node.Kind != yaml.ScalarNode || it.node.Value == "" {
		r.fail(it, "%s is %s, want %s", place(it), shape(it.node), want)
		return false
	}
	return true
}

// boolean reads true or false.
func (r *reader) boolean(it item) bool {
	if !r.scalar(it, "true or false") {
		return false
	}
	if it.text() != "true" && it.text() != "false" {
		r.fail(it, "%s is %s, want true or false", place(it), quoted(it.text()))
	}
	return it.text() == "true"
}

// number reads a whole number from least to most.
func (r *reader) number(it item, least, most uint64) uint64 {
	want := fmt.Sprintf("a whole number from %d to %d", least, most)
	if !r.scalar(it, want) {
		return 0
	}
	v, err := strconv.ParseUint(it.text(), 10, 64)
	if err != nil || v < least || v > most {
		r.fail(it, "%s is %s, want %s", place(it), quoted(it.text()), want)
		return 0
	}
	return v
}

// namePattern is what names look like: they appear unquoted in commands, and
// scopes are written level/name.
var namePattern = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._@+-]*$`)

// name reads a name that people give to something.
func (r *reader) name(it item) string {
	if !r.scalar(it, "a name") {
		return ""
	}
	if len(it.text()) > nameBytesMax || !namePattern.MatchString(it.text()) {
		r.fail(it, "%s is %s, want a name of 1 to %d letters, digits and . _ @ + - that begins with a letter or digit",
			place(it), quoted(it.text()), nameBytesMax)
		return ""
	}
	return it.text()
}

// place names an item in a sentence.
func place(it item) string {
	if it.path == "" {
		return "the document"
	}
	return it.path
}

// shape says what a node is, for problems about values of the wrong shape.
func shape(n *yaml.Node) string {
	switch n.Kind {
	case yaml.MappingNode:
		return "an object"
	case yaml.SequenceNode:
		return "a list"
	}
	if n.Value == "" {
		return "empty"
	}
	return quoted(n.Value)
}
