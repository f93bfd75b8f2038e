package simulated

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"tollgate/order"
)

var rewrite = flag.Bool("rewrite", false, "write what the venue does into testdata/*.txt")

// TestScripts plays testdata/*.txt. A line is a comment (#), a command, or, if
// indented, what the venue is expected to say. Commands:
//
//	NAME: buy|sell QTY [@ PRICE] [stop PRICE] [market] [ioc|fok|gtc|gtd] [until MS] [display QTY] [instrument N]
//	NAME: replace ORDER QTY [@ PRICE] [stop PRICE] [display QTY] [until MS] [account N]
//	NAME: cancel ORDER
//	do COMMAND   gives the venue a command (ParseCommand)
//	at MS        moves the time and lets the venue know
//	clock MS     moves the time; the venue learns it from the next request
//	book [N]     prints the book of an instrument, 1 if none is named
//	prices       prints the reference prices that are due
//
// NAME names a new order or request; its sequence number counts from 1.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts in testdata: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) { playFile(t, file) })
	}
}

func playFile(t *testing.T, file string) {
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	got := newScript(t).play(string(want))
	if *rewrite {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !bytes.Equal(want, []byte(got)) {
		t.Errorf("%s: the venue says\n%s\nwant\n%s", file, got, want)
	}
}

// script is a venue with names for its orders.
type script struct {
	t     *testing.T
	venue *Venue
	names map[order.OrderID]string
	terms map[string]order.Verdict // by name, as last requested
	seq   uint64
	now   int64
	out   strings.Builder
}

func newScript(t *testing.T) *script {
	cfg := DefaultConfig()
	cfg.OrdersMax, cfg.FinishedRetainedMax = 8, 4
	cfg.Instruments = []Instrument{
		{ID: 1, Tick: order.PriceOne / 100, Lot: 10 * order.QtyOne},
		{ID: 2, Tick: order.PriceOne, Lot: order.QtyOne},
		{ID: 3, Tick: order.PriceOne / 100, Lot: 10 * order.QtyOne, ReplaceOpenQty: true},
	}
	cfg.ExecutionsRetainedMax = 12
	venue, err := New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return &script{t: t, venue: venue, names: map[order.OrderID]string{}, terms: map[string]order.Verdict{}}
}

func (s *script) play(text string) string {
	for _, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		if strings.HasPrefix(line, " ") {
			continue
		}
		fmt.Fprintln(&s.out, line)
		if line != "" && line[0] != '#' {
			s.command(line)
		}
	}
	return s.out.String()
}

func (s *script) command(line string) {
	words := strings.Fields(line)
	switch {
	case words[0] == "book":
		s.printBook(words[1:])
	case words[0] == "do":
		s.do(strings.TrimPrefix(line, "do "))
	case words[0] == "prices":
		for _, p := range s.venue.Prices(s.now) {
			s.say("instrument %d last %v", p.Instrument, p.Price)
		}
	case words[0] == "clock":
		s.now = s.milliseconds(words[1])
	case words[0] == "at":
		s.now = s.milliseconds(words[1])
		s.venue.Advance(s.now)
		s.printReports()
	case strings.HasSuffix(words[0], ":"):
		s.submit(strings.TrimSuffix(words[0], ":"), words[1:])
	default:
		s.t.Fatalf("cannot read %q", line)
	}
	if err := s.venue.Check(); err != nil {
		s.t.Fatalf("after %q: %v", line, err)
	}
}

func (s *script) submit(name string, words []string) {
	s.seq++
	var d order.Verdict
	switch words[0] {
	case "cancel":
		d = s.about(words[1])
		d.MsgType = order.MsgCancelOrder
		words = words[2:]
	case "replace":
		d = s.about(words[1])
		d.MsgType = order.MsgReplaceOrder
		d.ClOrdID = order.ClOrdID(s.seq)
		d.ValidUntil = 0
		d.OrderQty = s.quantity(words[2])
		s.names[d.OrderID] = words[1]
		words = words[3:]
	default:
		d = s.entry(words)
		s.names[d.OrderID] = name
		words = words[2:]
	}
	s.options(&d, words)
	d.Token.Seq = s.seq
	s.terms[name] = d
	s.venue.Submit(s.now, &d)
	s.printReports()
}

// about returns the terms of an earlier order, or of one nobody ever saw.
func (s *script) about(name string) order.Verdict {
	d, known := s.terms[name]
	if !known {
		d = order.Verdict{OrderID: 999}
		s.names[999] = name
	}
	return d
}

func (s *script) entry(words []string) order.Verdict {
	d := order.Verdict{
		OrderID: order.OrderID(s.seq), ClOrdID: order.ClOrdID(s.seq), Price: order.Null, StopPx: order.Null,
		OrderQty: s.quantity(words[1]), Session: 1, Account: 1, Trader: 1, Group: 1, Instrument: 1,
		MsgType: order.MsgNewOrder, Side: order.SideBuy,
		OrdType: order.OrdTypeMarket, TimeInForce: order.TimeInForceDay,
	}
	if words[0] == "sell" {
		d.Side = order.SideSell
	}
	return d
}

func (s *script) options(d *order.Verdict, words []string) {
	for len(words) > 0 {
		used := 1
		switch words[0] {
		case "ioc":
			d.TimeInForce = order.TimeInForceIOC
		case "fok":
			d.TimeInForce = order.TimeInForceFOK
		case "gtc":
			d.TimeInForce = order.TimeInForceGTC
		case "gtd":
			d.TimeInForce = order.TimeInForceGTD
		case "market":
			d.OrdType = order.OrdTypeMarket
		case "limit":
			d.OrdType = order.OrdTypeLimit
		default:
			s.setting(d, words[0], words[1])
			used = 2
		}
		words = words[used:]
	}
}

func (s *script) setting(d *order.Verdict, word, value string) {
	switch word {
	case "@":
		price, err := order.ParsePrice(value)
		if err != nil {
			s.t.Fatal(err)
		}
		d.Price = price
		if d.OrdType = order.OrdTypeLimit; d.StopPx != order.Null {
			d.OrdType = order.OrdTypeStopLimit
		}
	case "stop":
		if d.OrdType = order.OrdTypeStop; d.Price != order.Null {
			d.OrdType = order.OrdTypeStopLimit
		}
		if value == "none" {
			break
		}
		price, err := order.ParsePrice(value)
		if err != nil {
			s.t.Fatal(err)
		}
		d.StopPx = price
	case "type":
		d.OrdType = order.OrdType(value[0])
	case "until":
		d.ValidUntil = s.milliseconds(value)
	case "display":
		d.DisplayQty = s.quantity(value)
	case "instrument":
		d.Instrument = order.InstrumentID(s.number(value))
	case "account":
		d.Account = order.AccountID(s.number(value))
	case "side":
		d.Side = order.Side(value[0])
	case "order":
		d.OrderID = order.OrderID(s.number(value))
	default:
		s.t.Fatalf("cannot read %q", word)
	}
}

func (s *script) quantity(text string) order.Qty {
	q, err := order.ParseQty(text)
	if err != nil {
		s.t.Fatal(err)
	}
	return q
}

func (s *script) number(text string) int64 {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		s.t.Fatal(err)
	}
	return n
}

func (s *script) milliseconds(text string) int64 { return s.number(text) * 1_000_000 }

func (s *script) say(format string, args ...any) { fmt.Fprintf(&s.out, "    "+format+"\n", args...) }

func (s *script) do(text string) {
	c, err := ParseCommand(text)
	if err == nil {
		err = s.venue.Do(s.now, &c)
		s.printReports()
	}
	if err != nil {
		s.say("error: %v", err)
	}
}

func (s *script) printReports() {
	for _, r := range s.venue.Reports() {
		text := fmt.Sprintf("%d %s %s", r.ExecID, s.names[r.OrderID], r.Kind)
		if r.Seq != 0 {
			text += fmt.Sprintf(" seq %d", r.Seq)
		}
		if r.ExecRefID != 0 {
			text += fmt.Sprintf(" of %d", r.ExecRefID)
		}
		if r.LastQty != 0 {
			text += fmt.Sprintf(" %v @ %v", r.LastQty, r.LastPx)
		}
		if r.Kind == order.ReportRestated {
			text += fmt.Sprintf(" @ %v", r.Price)
		}
		if r.Reason != order.ReasonNone {
			text += fmt.Sprintf(" %v (%v)", r.Reason, s.venue.refusal)
		}
		s.say("%s: cum %v of %v, leaves %v", text, r.CumQty, r.OrderQty, r.LeavesQty)
	}
}

func (s *script) printBook(words []string) {
	id := int64(1)
	if len(words) > 0 {
		id = s.number(words[0])
	}
	b := &s.venue.books[s.venue.bookIndex(order.InstrumentID(id))]
	s.printSide("stop buy", &b.stops[bids])
	s.printSide("offer", &b.sides[offers])
	s.printSide("bid", &b.sides[bids])
	s.printSide("stop sell", &b.stops[offers])
}

// printSide prints a side's levels, highest price first.
func (s *script) printSide(name string, ladder *ladder) {
	for i := range ladder.levels {
		at := i
		if ladder.flip == 0 {
			at = len(ladder.levels) - 1 - i
		}
		text := fmt.Sprintf("%s %v:", name, ladder.levels[at].key^ladder.flip)
		for o := ladder.levels[at].head; o != none; o = s.venue.orders.slab[o].next {
			r := &s.venue.orders.slab[o]
			text += fmt.Sprintf(" %s %v", s.names[r.id], r.open())
			if r.displayQty != 0 {
				text += fmt.Sprintf(" (shows %v)", r.shown)
			}
		}
		s.say("%s", text)
	}
}
