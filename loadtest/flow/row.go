package flow

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// RowError says which value of a file is wrong and what would be right.
type RowError struct {
	File   string
	Line   int    // from 1
	Column int    // from 1; 0: the row as a whole
	Field  string // the column's name
	Value  string // what stands there, shortened
	Want   string // what would be right
}

// Error puts file, line and column in front, as editors expect them.
func (e *RowError) Error() string {
	if e.Column == 0 {
		return fmt.Sprintf("%s:%d: %q: want %s", e.File, e.Line, e.Value, e.Want)
	}
	return fmt.Sprintf("%s:%d: column %d (%s) is %q: want %s", e.File, e.Line, e.Column, e.Field, e.Value, e.Want)
}

// rows splits a file into rows and fields without copying. Fields are valid
// until the next row is read.
type rows struct {
	in     *bufio.Reader
	file   string
	line   int
	raw    []byte
	fields [FieldsMax][]byte
	count  int
	again  bool // the current row is to be given once more
}

func newRows(in *bufio.Reader, file string) *rows { return &rows{in: in, file: file} }

// unread makes next return the current row once more.
func (r *rows) unread() { r.again = true }

// next reads the next row that is not empty; io.EOF after the last.
func (r *rows) next() error {
	if r.again {
		r.again = false
		return nil
	}
	for {
		raw, err := r.in.ReadSlice('\n')
		if len(raw) == 0 && err != nil {
			return r.readError(err)
		}
		r.line++
		if err != nil && !errors.Is(err, io.EOF) {
			r.raw = raw
			return r.lineError(err)
		}
		r.raw = bytes.TrimRight(raw, "\r\n")
		if len(r.raw) > 0 {
			return r.split()
		}
	}
}

// readError explains a failed read; the end of the file is not a failure.
func (r *rows) readError(err error) error {
	if errors.Is(err, io.EOF) {
		return io.EOF
	}
	return fmt.Errorf("%s: after line %d: %w", r.file, r.line, err)
}

// lineError explains why the present line could not be read whole.
func (r *rows) lineError(err error) error {
	if errors.Is(err, bufio.ErrBufferFull) {
		return r.rowError(fmt.Sprintf("a row of at most %d bytes", RowBytesMax))
	}
	return r.readError(err)
}

func (r *rows) split() error {
	rest := r.raw
	r.count = 0
	for {
		if r.count == FieldsMax {
			return r.rowError(fmt.Sprintf("at most %d fields", FieldsMax))
		}
		field, tail, more := bytes.Cut(rest, comma)
		r.fields[r.count] = field
		r.count++
		if !more {
			return nil
		}
		rest = tail
	}
}

var comma = []byte{','}

// rowError blames the row as a whole.
func (r *rows) rowError(want string) error {
	return &RowError{File: r.file, Line: r.line, Value: shorten(r.raw), Want: want}
}

// fieldError blames one field by its index.
func (r *rows) fieldError(index int, name, want string) error {
	return &RowError{
		File: r.file, Line: r.line, Column: index + 1, Field: name, Value: shorten(r.fields[index]), Want: want,
	}
}

func shorten(b []byte) string {
	if len(b) <= valueShownBytesMax {
		return string(b)
	}
	return string(b[:valueShownBytesMax]) + "..."
}
