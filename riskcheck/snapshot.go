package riskcheck

import (
	"errors"
	"fmt"
	"io"
)

// What a snapshot begins and ends with, so that nothing else is taken for one.
const (
	snapshotMagic   uint64 = 0x544f48534c4c4f54 // "TOLLSHOT"
	snapshotVersion uint32 = 1
	snapshotEnd     uint64 = 0x444e454c4c4f5421 // "!TOLLEND"
)

// snapshot is an engine on its way into bytes, or out of them.
//
// What is stored is what inputs have made and nothing else can tell: numbers in the
// order in which they were made, and lists where their order decides. Indexes,
// paths, heaps, terms and what belongs to what are made anew, so that they cannot
// disagree with it. What stands where in a pool is left out, since nothing depends
// on it.
type snapshot struct {
	transcript
	engine *Engine
	least  Config // the least tables that what is stored needs; nothing else of it counts
	listed []bool // places for orders that a list has named

	hashing bool // what is written is for StateHash
}

// WriteSnapshot writes the engine's whole state, between two inputs. It changes
// nothing and is no input. Engines that were given the same inputs write the same
// bytes, whatever their hash seeds; effects of the last input, the epoch and the key
// of tokens are no state and are not written.
//
// Whoever keeps the bytes sees to their integrity, by a checksum and the
// StateHash beside them: Restore recognizes what cannot be, not what has changed.
//
// It takes as long as it takes and allocates: the order path must not wait for it.
// Errors are those of w.
func (e *Engine) WriteSnapshot(w io.Writer) error {
	s := &snapshot{transcript: newTranscript(nil, w), engine: e, least: e.tablesInUse()}
	s.header()
	s.state()
	return s.err
}

// Restore returns an engine with the state that WriteSnapshot has written, which
// decides like the one that wrote it. The configuration is the caller's: it may have
// another epoch, key, hash seed and larger tables. Tables that are too small for the
// state are an error that names each of them and its least size.
//
// r is read to its end. What cannot be a snapshot is an error that says what is wrong
// and where; memory beyond the configured tables is taken only as bytes arrive.
func Restore(config Config, r io.Reader) (*Engine, error) { return restore(config, r, New) }

// restore is Restore with an engine that somebody creates.
func restore(config Config, r io.Reader, create func(Config) (*Engine, error)) (*Engine, error) {
	s := &snapshot{transcript: newTranscript(r, nil)}
	s.header()
	if s.err != nil {
		return nil, s.err
	}
	if err := s.fit(&config); err != nil {
		return nil, err
	}
	e, err := create(config)
	if err != nil {
		return nil, err
	}
	s.engine = e
	s.state()
	if s.err != nil {
		return nil, s.err
	}
	return e, nil
}

// header carries what the rest needs to be read at all.
func (s *snapshot) header() {
	s.part = "header"
	magic, version := snapshotMagic, snapshotVersion
	words(&s.transcript, &magic)
	halves(&s.transcript, &version)
	switch {
	case magic != snapshotMagic:
		s.fail("it begins with %016x, want %016x: this is no snapshot", magic, snapshotMagic)
	case version != snapshotVersion:
		s.fail("format version %d, want %d", version, snapshotVersion)
	}
	for _, table := range s.least.tables() {
		words(&s.transcript, table.size)
		if *table.size < 0 || *table.size > tableMax {
			s.fail("%s %d, want 0 to %d", table.name, *table.size, tableMax)
		}
	}
}

// state carries everything else, part by part; each needs those before it.
func (s *snapshot) state() {
	for _, part := range [...]struct {
		name  string
		carry func()
	}{
		{"clock", s.clock},
		{"currencies", s.currencies},
		{"profiles", s.profiles},
		{"classes and instruments", s.instruments},
		{"nodes", s.nodes},
		{"accounts", s.accounts},
		{"traders, strategies and sessions", s.participants},
		{"membership", s.membership},
		{"class cells", s.classCells},
		{"cells", s.cells},
		{"rings of stamps", s.rings},
		{"routes", s.routes},
		{"orders", s.orders},
		{"ClOrdIDs", s.clOrdIDs},
		{"executions", s.executions},
		{"recent orders", s.recent},
		{"temporary limits", s.reverts},
		{"rungs", s.rungs},
		{"end", s.ending},
	} {
		s.part = part.name
		part.carry()
		if s.err != nil {
			return
		}
	}
}

// ending carries the last word, and holds the header to what has come.
func (s *snapshot) ending() {
	end := snapshotEnd
	words(&s.transcript, &end)
	if end != snapshotEnd {
		s.fail("it ends with %016x, want %016x", end, snapshotEnd)
	}
	s.finish()
	if !s.reading() || s.err != nil {
		return
	}
	inUse := s.engine.tablesInUse()
	for i, table := range s.least.tables() {
		if has := *inUse.tables()[i].size; has != *table.size {
			s.fail("%s of %d in the header, %d are there", table.name, *table.size, has)
		}
	}
}

// sizedTable is one table of a configuration.
type sizedTable struct {
	name string
	size *int
}

// tables lists the tables that a configuration sizes.
func (c *Config) tables() [8]sizedTable {
	return [...]sizedTable{
		{"OrdersMax", &c.OrdersMax},
		{"ClOrdIDsMax", &c.ClOrdIDsMax},
		{"ExecutionsMax", &c.ExecutionsMax},
		{"RoutesMax", &c.RoutesMax},
		{"CellsMax", &c.CellsMax},
		{"StampsMax", &c.StampsMax},
		{"RecentOrdersMax", &c.RecentOrdersMax},
		{"AnswersRetained", &c.AnswersRetained},
	}
}

// tablesInUse returns the least tables that would hold the engine's state.
func (e *Engine) tablesInUse() Config {
	c := Config{
		OrdersMax: e.orders.used, ClOrdIDsMax: e.clOrdIDs.count, ExecutionsMax: e.executed.index.count,
		RoutesMax: len(e.routes), CellsMax: len(e.cells), StampsMax: int(e.stamps.used),
		RecentOrdersMax: e.recentInUse(duplicateWindowMaxNs),
	}
	for i := range e.sessionRows {
		c.AnswersRetained = max(c.AnswersRetained, e.sessionRows[i].stream.answersMin())
	}
	return c
}

// fit returns every table of a configuration that is too small at once.
func (s *snapshot) fit(config *Config) error {
	var errs []error
	has := config.tables()
	for i, table := range s.least.tables() {
		if *has[i].size < *table.size {
			errs = append(errs, fmt.Errorf("riskcheck: %s is %d, want at least %d: the snapshot holds as many", table.name,
				*has[i].size, *table.size))
		}
	}
	return errors.Join(errs...)
}
