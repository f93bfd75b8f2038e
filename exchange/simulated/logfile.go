package simulated

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"tollgate/order"
)

// logLine is a Record as one line of JSON. Prices, quantities and FIX codes are
// the integers of package order, so that nothing is lost.
type logLine struct {
	Number   uint64         `json:"number"`
	TimeNs   int64          `json:"timeNs"`
	Received *order.Verdict `json:"received,omitempty"`
	Reported *order.Report  `json:"reported,omitempty"`
	Refusal  string         `json:"refusal,omitempty"`
}

// LogWriter writes records as JSON lines. It formats, and therefore belongs
// beside the venue's loop and not on it.
type LogWriter struct {
	buffer  *bufio.Writer
	encoder *json.Encoder
}

// NewLogWriter returns a LogWriter that collects lines and passes them to w.
func NewLogWriter(w io.Writer) *LogWriter {
	buffer := bufio.NewWriterSize(w, 1<<16)
	return &LogWriter{buffer: buffer, encoder: json.NewEncoder(buffer)}
}

// Write appends one record.
func (w *LogWriter) Write(r *Record) error {
	line := logLine{Number: r.Number, TimeNs: r.Time}
	switch r.Kind {
	case RecordReceived:
		line.Received = &r.Verdict
	case RecordReported:
		line.Reported = &r.Report
		if r.Refusal != RefusalNone {
			line.Refusal = r.Refusal.String()
		}
	default:
		return fmt.Errorf("venue log record %d has kind %d: want %d or %d",
			r.Number, r.Kind, RecordReceived, RecordReported)
	}
	return w.encoder.Encode(&line)
}

// Flush passes on everything that was written.
func (w *LogWriter) Flush() error { return w.buffer.Flush() }

// LogReader reads what a LogWriter has written.
type LogReader struct {
	decoder *json.Decoder
	last    uint64
}

// NewLogReader returns a reader of the lines in r. Fields it does not know are
// an error.
func NewLogReader(r io.Reader) *LogReader {
	decoder := json.NewDecoder(r)
	decoder.DisallowUnknownFields()
	return &LogReader{decoder: decoder}
}

// Read fills in the next record. It returns io.EOF after the last one, and an
// error that names the record if a line is damaged or one is missing.
func (r *LogReader) Read(record *Record) error {
	var line logLine
	switch err := r.decoder.Decode(&line); {
	case errors.Is(err, io.EOF):
		return io.EOF
	case err != nil:
		return fmt.Errorf("venue log after record %d: %w", r.last, err)
	case line.Number != r.last+1 && r.last != 0:
		return fmt.Errorf("venue log has record %d after record %d: want %d", line.Number, r.last, r.last+1)
	}
	r.last = line.Number
	return line.record(record)
}

func (l *logLine) record(r *Record) error {
	*r = Record{Number: l.Number, Time: l.TimeNs}
	switch {
	case l.Received != nil && l.Reported == nil:
		r.Kind, r.Verdict = RecordReceived, *l.Received
	case l.Reported != nil && l.Received == nil:
		r.Kind, r.Report = RecordReported, *l.Reported
	default:
		return fmt.Errorf("venue log record %d: want either received or reported", l.Number)
	}
	return r.setRefusal(l.Refusal)
}

func (r *Record) setRefusal(name string) error {
	if name == "" {
		return nil
	}
	for i := range refusalNames {
		if refusalNames[i] == name {
			r.Refusal = Refusal(i)
			return nil
		}
	}
	return fmt.Errorf("venue log record %d: refusal %q is unknown", r.Number, name)
}
