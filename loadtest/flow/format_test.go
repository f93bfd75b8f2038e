package flow_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"tollgate/loadtest/flow"
	"tollgate/order"
)

// The headers of the recognised formats.
const (
	lobsterHeader  = "Time,Type,OrderId,Size,Price,Direction\n"
	databentoRaw   = "ts_event,ts_recv,instrument_id,action,side,price_1e9,size,order_id,flags,channel_id,ts_in_delta,sequence\n"
	databentoPlain = "ts_recv,ts_event,rtype,publisher_id,instrument_id,action,side,price,size,channel_id,order_id,flags," +
		"ts_in_delta,sequence,symbol\n"
	bitstampHeader = "id,timestamp,exchange.timestamp,price,volume,action,direction\n"
)

// read gives all events of a text as one line each.
func read(t *testing.T, text string) ([]string, error) {
	t.Helper()
	r, err := flow.NewReader(strings.NewReader(text), "test_XYZ.csv")
	if err != nil {
		return nil, err
	}
	var lines []string
	var e flow.Event
	for {
		err := r.Next(&e)
		if err == io.EOF {
			return lines, nil
		}
		if err != nil {
			return lines, err
		}
		lines = append(lines, show(&e))
	}
}

func show(e *flow.Event) string {
	side := "-"
	if e.Side != 0 {
		side = e.Side.String()
	}
	text := fmt.Sprintf("%d %s %d %s %s @ %s", e.TimeNs, e.Kind, e.Order, side, e.Qty, e.Price)
	if e.Opening {
		text += " opening"
	}
	return text
}

// formatCases are small vectors of each format with what each row must become.
var formatCases = []struct {
	name string
	text string
	want []string
}{
	{"lobster with header", lobsterHeader + "34200.5,1,7,21,2238100,1\n34201,3,7,21,2238100,1\n", []string{
		"34200500000000 new 7 buy 21 @ 223.81", "34201000000000 cancel 7 buy 21 @ 223.81",
	}},
	{
		"lobster with byte-order mark and carriage returns, no header",
		"\ufeff34200.00424,1,16,18,5853300,-1\r\n\r\n34200.00425,2,16,8,5853300,-1\r\n",
		[]string{"34200004240000 new 16 sell 18 @ 585.33", "34200004250000 reduce 16 sell 8 @ 585.33"},
	},
	{
		"lobster executions, hidden ones, a cross and halts, seven columns",
		"1,4,7,3,10000,1,null\n2,5,0,1,10050,-1,null\n3,6,0,9,10000,1,null\n4,7,0,0,-1,-1,null\n",
		[]string{
			"1000000000 execute 7 buy 3 @ 1", "2000000000 hidden 0 sell 1 @ 1.005", "3000000000 hidden 0 buy 9 @ 1",
			"4000000000 halt 0 - 0 @ null",
		},
	},
	{"lobster picoseconds are cut and time never falls", "34200.0000000019999,1,1,1,10000,1\n34199,1,2,1,10000,1\n", []string{
		"34200000000001 new 1 buy 1 @ 1", "34200000000001 new 2 buy 1 @ 1",
	}},
	{
		"databento fill and the cancel that only removes it", databentoRaw +
			"0,10,5,A,B,4799000000000,5,77,130,0,0,1\n0,11,5,T,A,4799000000000,5,0,0,0,0,2\n" +
			"0,11,5,F,B,4799000000000,5,77,0,0,0,2\n0,11,5,C,B,4799000000000,5,77,130,0,0,3\n",
		[]string{
			"10 new 77 buy 5 @ 4799", "11 trade 0 sell 5 @ 4799", "11 execute 77 buy 5 @ 4799",
			"11 bookkeeping 77 buy 0 @ 4799",
		},
	},
	{
		"databento partial fill, the modify that repeats it, then a real one", databentoRaw +
			"0,10,5,A,A,1000000000,5,77,130,0,0,1\n0,11,5,F,A,1000000000,2,77,0,0,0,2\n0,11,5,M,A,1000000000,3,77,130,0,0,3\n" +
			"0,12,5,M,A,1000000000,2,77,130,0,0,4\n0,13,5,C,A,1000000000,2,77,130,0,0,5\n",
		[]string{
			"10 new 77 sell 5 @ 1", "11 execute 77 sell 2 @ 1", "11 bookkeeping 77 sell 3 @ 1", "12 modify 77 sell 2 @ 1",
			"13 cancel 77 sell 2 @ 1",
		},
	},
	{
		"databento a cancel that removes a fill and the rest", databentoRaw +
			"0,10,5,A,B,1000000000,12,77,130,0,0,1\n0,11,5,F,B,1000000000,1,77,0,0,0,2\n0,11,5,C,B,1000000000,12,77,130,0,0,3\n",
		[]string{"10 new 77 buy 12 @ 1", "11 execute 77 buy 1 @ 1", "11 cancel 77 buy 11 @ 1"},
	},
	{
		"databento partial cancels", databentoRaw +
			"0,10,5,A,B,1000000000,12,77,130,0,0,1\n0,11,5,C,B,1000000000,5,77,130,0,0,3\n0,11,5,C,B,1000000000,7,77,130,0,0,3\n",
		[]string{"10 new 77 buy 12 @ 1", "11 reduce 77 buy 5 @ 1", "11 cancel 77 buy 7 @ 1"},
	},
	{
		"databento nasdaq style: a cancel of exactly what was filled leaves the rest", databentoPlain +
			"2025-07-17T13:39:39.996Z,0,160,2,9,A,A,13.400000000,24,0,68,130,0,1,ARL\n" +
			"2025-07-17T13:39:40Z,0,160,2,9,F,A,13.400000000,1,0,68,130,0,2,ARL\n" +
			"2025-07-17T13:39:40Z,0,160,2,9,C,A,13.400000000,1,0,68,130,0,2,ARL\n" +
			"2025-07-17T13:39:41Z,0,160,2,9,C,A,13.400000000,23,0,68,130,0,3,ARL\n",
		[]string{
			"1752759579996000000 new 68 sell 24 @ 13.4", "1752759580000000000 execute 68 sell 1 @ 13.4",
			"1752759580000000000 bookkeeping 68 sell 0 @ 13.4", "1752759581000000000 cancel 68 sell 23 @ 13.4",
		},
	},
	{
		"databento the next slice of an iceberg is a new order", databentoRaw +
			"0,10,5,A,B,1000000000,5,77,130,0,0,1\n0,11,5,F,B,1000000000,5,77,0,0,0,2\n0,11,5,M,B,1000000000,5,77,130,0,0,3\n",
		[]string{"10 new 77 buy 5 @ 1", "11 execute 77 buy 5 @ 1", "11 new 77 buy 5 @ 1"},
	},
	{
		"databento opening book and reset", databentoRaw +
			"0,9,5,R,N,9223372036854775807,0,0,40,0,0,0\n0,10,5,A,B,1000000000,5,77,40,0,0,1\n",
		[]string{"9 reset 0 - 0 @ null opening", "10 new 77 buy 5 @ 1 opening"},
	},
	{
		"databento auction: trade without side, fills on the side of the order; unknown order has none", databentoRaw +
			"0,10,5,A,B,2000000000,5,77,0,0,0,1\n0,11,5,T,N,1000000000,5,0,0,0,0,2\n0,11,5,F,N,1000000000,5,77,0,0,0,2\n" +
			"0,11,5,F,N,1000000000,5,78,0,0,0,2\n",
		[]string{
			"10 new 77 buy 5 @ 2", "11 trade 0 - 5 @ 1", "11 execute 77 buy 5 @ 1", "11 unplaced 78 - 5 @ 1",
		},
	},
	{
		"databento trade without side and without fill was hidden, also at the end of the file", databentoRaw +
			"0,10,5,T,N,1000000000,5,0,130,0,0,1\n0,10,5,A,B,1000000000,5,77,40,0,0,1\n0,11,5,T,N,1000000000,5,0,130,0,0,2\n",
		[]string{"10 hidden 0 - 5 @ 1", "10 new 77 buy 5 @ 1 opening", "11 hidden 0 - 5 @ 1"},
	},
	{
		"databento rows of another instrument", databentoRaw +
			"0,10,5,A,B,1000000000,5,77,0,0,0,1\n0,10,6,A,B,1000000000,5,78,0,0,0,1\n",
		[]string{"10 new 77 buy 5 @ 1", "10 foreign 0 - 0 @ null"},
	},
	{
		"databento unknown orders", databentoRaw +
			"0,10,5,C,B,1000000000,5,77,0,0,0,1\n0,10,5,F,A,1000000000,5,78,0,0,0,1\n0,10,5,M,A,1000000000,5,79,0,0,0,1\n",
		[]string{"10 cancel 77 buy 5 @ 1", "10 execute 78 sell 5 @ 1", "10 modify 79 sell 5 @ 1"},
	},
	{"databento negative prices", databentoRaw + "0,10,5,A,B,-37630000000,5,77,0,0,0,1\n", []string{
		"10 new 77 buy 5 @ -37.63",
	}},
	{
		"bitstamp life of an order", bitstampHeader + "1,5,5,236.47,200000000,created,bid\n1,6,5,236.50,200000000,changed,bid\n" +
			"1,7,5,236.50,200000000,deleted,bid\n",
		[]string{"5000000 new 1 buy 2 @ 236.47", "6000000 modify 1 buy 2 @ 236.5", "7000000 cancel 1 buy 2 @ 236.5"},
	},
	{
		"bitstamp match of two known orders, one unit apart", bitstampHeader +
			"1,5,5,10,300000000,created,ask\n2,6,5,10,100000001,created,bid\n1,7,5,10,200000000,changed,ask\n" +
			"2,7,5,10,0,deleted,bid\n",
		[]string{
			"5000000 new 1 sell 3 @ 10", "6000000 new 2 buy 1.00000001 @ 10", "7000000 matched 1 sell 1 @ 10",
			"7000000 matched 2 buy 1.00000001 @ 10",
		},
	},
	{
		"bitstamp execution against an order that rested before", bitstampHeader +
			"2,6,5,10,100000000,created,bid\n1,7,5,10,0,deleted,ask\n2,7,5,10,0,deleted,bid\n",
		[]string{
			"6000000 new 2 buy 1 @ 10", "7000000 execute 1 sell 0 @ 10", "7000000 execute 2 buy 1 @ 10",
		},
	},
	{"bitstamp change of an unknown order", bitstampHeader + "9,6,5,10,5,changed,bid\n9,7,5,10,5,deleted,bid\n", []string{
		"6000000 execute 9 buy 0 @ 10", "7000000 cancel 9 buy 0.00000005 @ 10",
	}},
}

func TestRowsBecomeEvents(t *testing.T) {
	for _, c := range formatCases {
		t.Run(c.name, func(t *testing.T) {
			got, err := read(t, c.text)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
		})
	}
}

// TestGzipIsRecognisedByContent reads every vector once more, compressed and
// under the same name.
func TestGzipIsRecognisedByContent(t *testing.T) {
	for _, c := range formatCases {
		var zipped bytes.Buffer
		w := gzip.NewWriter(&zipped)
		if _, err := io.WriteString(w, c.text); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		got, err := read(t, zipped.String())
		if err != nil || strings.Join(got, "\n") != strings.Join(c.want, "\n") {
			t.Errorf("%s: got %v, %v", c.name, got, err)
		}
	}
}

// errorCases are wrong files with the complaint each must give.
var errorCases = []struct{ name, text, want string }{
	{"empty", "", `f.csv:1: "": want a LOBSTER`},
	{"something else", "Date,Open,High\n1,2,3\n", `f.csv:1: "Date,Open,High": want a LOBSTER`},
	{"five fields", "34200.1,1,5,10,100\n", `f.csv:1: "34200.1,1,5,10,100": want a LOBSTER`},
	{"time", lobsterHeader + "x,1,5,10,100,1\n", `f.csv:2: column 1 (time) is "x": want seconds after midnight`},
	{"type", lobsterHeader + "1,9,5,10,100,1\n", `f.csv:2: column 2 (type) is "9": want 1 new`},
	{"order", lobsterHeader + "1,1,-5,10,100,1\n", `f.csv:2: column 3 (order) is "-5": want an order number`},
	{"size", lobsterHeader + "1,1,5,1.5,100,1\n", `f.csv:2: column 4 (size) is "1.5": want a number of shares`},
	{"huge size", lobsterHeader + "1,1,5,99999999999,100,1\n", `column 4 (size) is "99999999999"`},
	{"price", lobsterHeader + "1,1,5,10,22.5,1\n", `f.csv:2: column 5 (price) is "22.5": want dollars × 10,000`},
	{"huge price", lobsterHeader + "1,1,5,10,9223372036854775807,1\n", `column 5 (price)`},
	{"direction", lobsterHeader + "\n1,1,5,10,100,0\n", `f.csv:3: column 6 (direction) is "0": want 1 (buy) or -1 (sell)`},
	{"short row", lobsterHeader + "1,1,5\n", `f.csv:2: "1,1,5": want six fields`},
	{"long row", lobsterHeader + strings.Repeat("9", 5000) + "\n", `want a row of at most 4096 bytes`},
	{"many fields", lobsterHeader + strings.Repeat(",", 40) + "\n", `want at most 32 fields`},
	{"databento action", databentoRaw + "0,10,5,X,B,10,5,77,0,0,0,1\n", `column 4 (action) is "X": want A add`},
	{"databento side", databentoRaw + "0,10,5,A,Q,10,5,77,0,0,0,1\n", `column 5 (side) is "Q": want B bid`},
	{"databento no side", databentoRaw + "0,10,5,A,N,10,5,77,0,0,0,1\n", `column 5 (side) is "N": want B bid or A ask`},
	{"databento price", databentoRaw + "0,10,5,A,B,11,5,77,0,0,0,1\n", `column 6 (price) is "11": want a price × 10⁹`},
	{"databento no price", databentoRaw + "0,10,5,A,B,,5,77,0,0,0,1\n", `column 6 (price) is "": want a price`},
	{"databento size", databentoRaw + "0,10,5,A,B,10,a,77,0,0,0,1\n", `column 7 (size) is "a"`},
	{"databento order", databentoRaw + "0,10,5,A,B,10,1,,0,0,0,1\n", `column 8 (order_id) is ""`},
	{"databento flags", databentoRaw + "0,10,5,A,B,10,1,2,999,0,0,1\n", `column 9 (flags) is "999"`},
	{"databento time", databentoRaw + "0,2025-07-17 10:00,5,A,B,10,1,2,0,0,0,1\n", `column 2 (time) is "2025-07-17 10:00"`},
	{"databento instrument", databentoRaw + "0,1,ES,A,B,10,1,2,0,0,0,1\n", `column 3 (instrument_id) is "ES": want a number`},
	{"databento short", databentoRaw + "0,1,5\n", `want as many fields as the header has`},
	{"bitstamp id", bitstampHeader + "x,5,5,1,2,created,bid\n", `column 1 (id) is "x"`},
	{"bitstamp timestamp", bitstampHeader + "1,now,5,1,2,created,bid\n", `column 2 (timestamp) is "now": want milliseconds`},
	{"bitstamp price", bitstampHeader + "1,5,5,1.123456789,2,created,bid\n", `column 4 (price) is "1.123456789"`},
	{"bitstamp volume", bitstampHeader + "1,5,5,1,0.5,created,bid\n", `column 5 (volume) is "0.5": want a quantity in 10⁻⁸`},
	{"bitstamp action", bitstampHeader + "1,5,5,1,2,made,bid\n", `column 6 (action) is "made": want created, changed or`},
	{"bitstamp direction", bitstampHeader + "1,5,5,1,2,created,buy\n", `column 7 (direction) is "buy": want bid or ask`},
	{"bitstamp short", bitstampHeader + "1,5\n", `want as many fields as the header has`},
	{
		"bitstamp error in the row looked ahead at", bitstampHeader + "1,5,5,1,2,created,bid\n1,5,5,1,0,deleted,bid\nx\n",
		`f.csv:4: "x"`,
	},
	{"not whole gzip", "\x1f\x8b\x08", `f.csv: not a whole gzip file`},
}

func TestErrorsNameFileLineColumnValueAndTheRightForm(t *testing.T) {
	for _, c := range errorCases {
		t.Run(c.name, func(t *testing.T) {
			r, err := flow.NewReader(strings.NewReader(c.text), "f.csv")
			var e flow.Event
			for err == nil {
				err = r.Next(&e)
			}
			if r != nil && r.Next(&e) != err {
				t.Error("the reader went on after its error")
			}
			if err == io.EOF || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %s", err, c.want)
			}
			var row *flow.RowError
			if errors.As(err, &row) && (row.File != "f.csv" || row.Line == 0 || row.Want == "") {
				t.Errorf("the error is not whole: %+v", row)
			}
		})
	}
}

func TestCutGzipIsAnError(t *testing.T) {
	var zipped bytes.Buffer
	w := gzip.NewWriter(&zipped)
	for i := range 2000 {
		fmt.Fprintf(w, "%d,1,%d,%d,10000,1\n", i, i, i*7919)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	_, err := read(t, zipped.String()[:zipped.Len()/2])
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("half a gzip file gave %v, want unexpected EOF", err)
	}
}

func TestSymbolOfFileName(t *testing.T) {
	for name, want := range map[string]string{
		"lobster_AMZN_2012-06-21_message_1.csv.gz": "AMZN", "AAPL_2012-06-21.csv": "AAPL", "orders.csv": "",
	} {
		r, err := flow.NewReader(strings.NewReader("1,1,1,1,10000,1\n"), name)
		if err != nil || r.Symbol() != want {
			t.Errorf("%s: symbol %q, %v, want %q", name, r.Symbol(), err, want)
		}
	}
}

func TestOpenNamesTheMissingFile(t *testing.T) {
	_, err := flow.LoadFile("testdata/none.csv", 0)
	if err == nil || !strings.Contains(err.Error(), "testdata/none.csv") {
		t.Errorf("got %v", err)
	}
}

func TestMetaOfASmallFlow(t *testing.T) {
	text := "1,1,1,300,100500,1\n2,1,2,200,101000,-1\n3,1,3,500,100000,1\n4,4,2,100,101000,-1\n5,4,1,300,100500,1\n6,5,0,7,100750,1\n"
	r, err := flow.NewReader(strings.NewReader(text), "x")
	if err != nil {
		t.Fatal(err)
	}
	day, err := flow.Load(r, 0)
	if err != nil {
		t.Fatal(err)
	}
	price := func(text string) order.Price { p, _ := order.ParsePrice(text); return p }
	want := flow.Meta{
		Format: flow.FormatLobster, Currency: "USD", Tick: price("0.05"), Lot: 100 * order.QtyOne,
		FirstPrice: price("10.10"), LastPrice: price("10.05"), MedianPrice: price("10.05"), MinPrice: price("10"),
		MaxPrice: price("10.10"), MedianQty: 300 * order.QtyOne, Qty99: 300 * order.QtyOne, MaxQty: 500 * order.QtyOne,
		DurationNs: 5e9,
	}
	want.Counts[flow.KindNew], want.Counts[flow.KindExecute], want.Counts[flow.KindHidden] = 3, 2, 1
	if day.Meta != want {
		t.Errorf("got\n%+v want\n%+v", day.Meta, want)
	}
}

func TestLoadCutsAtItsBound(t *testing.T) {
	for rows, cut := range map[int]bool{3: false, 4: true} {
		r, err := flow.NewReader(strings.NewReader(strings.Repeat("1,1,1,1,10000,1\n", rows)), "x")
		if err != nil {
			t.Fatal(err)
		}
		day, err := flow.Load(r, 3)
		if err != nil || len(day.Events) != 3 || day.Meta.Cut != cut {
			t.Errorf("%d rows: %d events, cut %v, %v", rows, len(day.Events), day.Meta.Cut, err)
		}
	}
}
