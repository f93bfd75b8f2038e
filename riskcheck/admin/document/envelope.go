package document

import (
	"math"
	"strings"
)

// APIVersion is the apiVersion of every document of this package.
const APIVersion = "tollgate/v1"

// Kind says what a document is about.
type Kind string

// The kinds of documents.
const (
	KindLimits    Kind = "Limits"
	KindReference Kind = "Reference"
)

// Metadata is what a document says about itself.
type Metadata struct {
	// Name is for people; it must be given.
	Name string
	// ResourceVersion is the version in force that the document was made from;
	// zero when it does not say.
	ResourceVersion uint64
}

// KindOf returns the kind of a document without looking at its contents; the
// error is Problems.
func KindOf(file string, text []byte) (Kind, error) {
	r := &reader{file: file}
	root, ok := r.root(text)
	if !ok {
		return "", r.err()
	}
	o := r.object(root, envelopeFields...)
	r.require(o, "kind")
	kind := o.field("kind")
	if !r.scalar(kind, kindsWanted) {
		return "", r.err()
	}
	if k := Kind(kind.text()); k == KindLimits || k == KindReference {
		return k, nil
	}
	r.fail(kind, "kind is %s, want %s", quoted(kind.text()), kindsWanted)
	return "", r.err()
}

var envelopeFields = []string{"apiVersion", "kind", "metadata", "spec"}

const kindsWanted = string(KindLimits) + " or " + string(KindReference)

// envelope reads the outer parts of a document of the given kind and returns
// its spec, which is not given() when it is missing.
func (r *reader) envelope(text []byte, kind Kind) (meta Metadata, spec item) {
	root, ok := r.root(text)
	if !ok {
		return Metadata{}, item{}
	}
	o := r.object(root, envelopeFields...)
	r.require(o, envelopeFields...)
	r.exactly(o.field("apiVersion"), APIVersion)
	r.exactly(o.field("kind"), string(kind))
	return r.metadata(o.field("metadata")), o.field("spec")
}

// exactly wants one particular text.
func (r *reader) exactly(it item, want string) {
	if r.scalar(it, want) && it.text() != want {
		r.fail(it, "%s is %s, want %s", place(it), quoted(it.text()), want)
	}
}

func (r *reader) metadata(it item) Metadata {
	if !it.given() {
		return Metadata{}
	}
	o := r.object(it, "name", "resourceVersion")
	r.require(o, "name")
	return Metadata{
		Name:            r.name(o.field("name")),
		ResourceVersion: r.number(o.field("resourceVersion"), 0, math.MaxInt64),
	}
}

// header writes the outer parts of a document.
func header(b *strings.Builder, kind Kind, meta Metadata) {
	b.WriteString("apiVersion: " + APIVersion + "\n")
	b.WriteString("kind: " + string(kind) + "\n")
	b.WriteString("metadata:\n  name: " + plainName(meta.Name) + "\n")
	if meta.ResourceVersion != 0 {
		b.WriteString("  resourceVersion: " + itoa(meta.ResourceVersion) + "\n")
	}
	b.WriteString("spec:\n")
}
