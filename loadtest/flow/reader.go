package flow

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Format is a file format this package reads.
type Format uint8

// The formats.
const (
	FormatLobster   Format = 1
	FormatDatabento Format = 2
	FormatBitstamp  Format = 3
	FormatGenerated Format = 4 // made by a Generator
)

// String returns the format's name as reports print it.
func (f Format) String() string {
	switch f {
	case FormatLobster:
		return "LOBSTER"
	case FormatDatabento:
		return "Databento MBO"
	case FormatBitstamp:
		return "Bitstamp"
	case FormatGenerated:
		return "generated"
	}
	return "unknown"
}

// wantFormats is what an unrecognised file is told.
const wantFormats = "a LOBSTER message file (time,type,order,size,price,direction), " +
	"a Databento MBO CSV (header with ts_event, action, side, order_id) or " +
	"a Bitstamp order log (header with id, timestamp, price, volume, action, direction)"

// decoder turns the current row into an event.
type decoder interface {
	decode(r *rows, e *Event) error
	symbol() string // the instrument's name as the file gives it, or ""
}

// Reader gives the events of one file.
type Reader struct {
	rows   *rows
	decode decoder
	format Format
	last   int64
	counts Counts
	ended  error // what Next has ended with
	closer io.Closer
}

// Open recognises the file at path by its content and reads it as a stream. The
// caller closes the reader.
func Open(path string) (*Reader, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("order flow: %w", err)
	}
	r, err := NewReader(file, filepath.Base(path))
	if err != nil {
		return nil, closeAfter(file, err)
	}
	r.closer = file
	return r, nil
}

// closeAfter closes c and returns err, which is the error worth reading.
func closeAfter(c io.Closer, err error) error {
	_ = c.Close()
	return err
}

// NewReader recognises the bytes of in by their content. The name is used in
// errors and to guess the instrument's symbol.
func NewReader(in io.Reader, name string) (*Reader, error) {
	text, err := plain(bufio.NewReaderSize(in, RowBytesMax), name)
	if err != nil {
		return nil, err
	}
	r := &Reader{rows: newRows(text, name)}
	if err := r.recognise(); err != nil {
		return nil, err
	}
	return r, nil
}

// plain decompresses gzip, recognised by its first two bytes, and drops a
// byte-order mark.
func plain(in *bufio.Reader, name string) (*bufio.Reader, error) {
	if magic, _ := in.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		unzipped, err := gzip.NewReader(in)
		if err != nil {
			return nil, fmt.Errorf("%s: not a whole gzip file: %w", name, err)
		}
		in = bufio.NewReaderSize(unzipped, RowBytesMax)
	}
	if mark, _ := in.Peek(3); bytes.Equal(mark, []byte("\ufeff")) {
		_, _ = in.Discard(3)
	}
	return in, nil
}

// recognise looks at the first row and picks the decoder.
func (r *Reader) recognise() error {
	err := r.rows.next()
	if err == io.EOF {
		return &RowError{File: r.rows.file, Line: 1, Want: wantFormats + "; the file is empty"}
	}
	if err != nil {
		return err
	}
	names := header(r.rows)
	switch {
	case isDatabento(names):
		r.format, r.decode = FormatDatabento, newDatabento(names)
	case isBitstamp(names):
		r.format, r.decode = FormatBitstamp, newBitstamp(names)
	case isLobsterHeader(names):
		r.format, r.decode = FormatLobster, lobster{}
	case isLobsterRow(r.rows):
		r.format, r.decode = FormatLobster, lobster{}
		r.rows.unread()
	default:
		return r.rows.rowError(wantFormats)
	}
	return nil
}

// header returns the index of every name of a header row, in lower case.
func header(r *rows) map[string]int {
	names := make(map[string]int, r.count)
	for i := range r.count {
		name := strings.ToLower(strings.Trim(string(r.fields[i]), " \""))
		if _, known := names[name]; !known {
			names[name] = i
		}
	}
	return names
}

func hasAll(names map[string]int, wanted ...string) bool {
	for _, name := range wanted {
		if _, ok := names[name]; !ok {
			return false
		}
	}
	return true
}

// Next gives the next event; io.EOF after the last, *RowError for a row that is
// not what its format says. After an error the reader is at its end.
func (r *Reader) Next(e *Event) error {
	if r.ended == nil {
		r.ended = r.read(e)
	}
	return r.ended
}

// read reads and decodes one row.
func (r *Reader) read(e *Event) error {
	if err := r.rows.next(); err != nil {
		return err
	}
	*e = Event{Price: nullPrice}
	if err := r.decode.decode(r.rows, e); err != nil {
		return err
	}
	r.last = max(r.last, e.TimeNs)
	e.TimeNs = r.last
	r.counts[e.Kind]++
	return nil
}

// Format returns the format the content was recognised as.
func (r *Reader) Format() Format { return r.format }

// Counts returns how many events have been read of each kind.
func (r *Reader) Counts() Counts { return r.counts }

// Symbol returns the instrument's name: what the file says, else what its name
// suggests, else "".
func (r *Reader) Symbol() string {
	if s := r.decode.symbol(); s != "" {
		return s
	}
	return symbolOfName(r.rows.file)
}

// Close closes the file if Open has opened it.
func (r *Reader) Close() error {
	if r.closer == nil {
		return nil
	}
	return r.closer.Close()
}

// symbolOfName returns the first part of a file name that looks like a ticker:
// one to six capital letters between separators.
func symbolOfName(name string) string {
	for part := range strings.FieldsFuncSeq(name, isSeparator) {
		if len(part) <= 6 && strings.Trim(part, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == "" {
			return part
		}
	}
	return ""
}

func isSeparator(c rune) bool { return c == '_' || c == '-' || c == '.' || c == ' ' }
