package document

import (
	"fmt"
	"slices"
	"strings"
)

// Problem is one thing that is wrong with a document.
type Problem struct {
	File    string // as the caller named it
	Line    int    // from 1; 0 when the document as a whole is meant
	Column  int    // from 1
	Path    string // such as spec.limits[3].positionLong; empty for the document
	Message string // names the value and what would be right
}

// Error returns file:line:column and the message.
func (p Problem) Error() string {
	if p.Line == 0 {
		return fmt.Sprintf("%s: %s", p.File, p.Message)
	}
	return fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Column, p.Message)
}

// Problems is everything that is wrong with a document, in the order of its
// lines. It is the error that the parsers of this package return.
type Problems []Problem

// Error returns one line for each problem.
func (p Problems) Error() string {
	lines := make([]string, len(p))
	for i := range p {
		lines[i] = p[i].Error()
	}
	return strings.Join(lines, "\n")
}

// sorted returns the problems in the order of lines and columns, problems of
// the whole document first.
func (p Problems) sorted() Problems {
	slices.SortStableFunc(p, func(a, b Problem) int {
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return a.Column - b.Column
	})
	return p
}

// quoted returns a value in quotes, cut to a readable length.
func quoted(value string) string {
	if len(value) > quotedBytesMax {
		value = strings.ToValidUTF8(value[:quotedBytesMax], "") + "..."
	}
	return fmt.Sprintf("%q", value)
}
