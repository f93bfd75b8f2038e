package ledger_test

import (
	"math/rand/v2"
	"testing"

	"tollgate/internal/testseed"
	"tollgate/loadtest/ledger"
	"tollgate/order"
)

func open(t *testing.T, inFlightMax int, firstRef, firstOutSeq uint64) *ledger.Ledger {
	t.Helper()
	l, err := ledger.New(inFlightMax, firstRef, firstOutSeq)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func send(t *testing.T, l *ledger.Ledger, refs ...uint64) {
	t.Helper()
	for _, ref := range refs {
		if err := l.Sent(ref, ledger.Request{Tag: ref * 10}); err != nil {
			t.Fatal(err)
		}
	}
}

// ack is a final answer, the outSeq-th of its stream.
func ack(outSeq, ref uint64) *order.Answer {
	return &order.Answer{
		OutSeq: outSeq, Ref: ref, Kind: order.AnswerExecution, ExecType: order.ExecTypeNew, OrdStatus: order.OrdStatusNew,
	}
}

func check(t *testing.T, l *ledger.Ledger, a *order.Answer, want ledger.Kind) *ledger.Request {
	t.Helper()
	r, kind := l.Answer(a)
	if kind != want {
		t.Fatalf("answer %d to %d is of kind %d, want %d", a.OutSeq, a.Ref, kind, want)
	}
	return r
}

func TestEachRequestGetsOneFinalAnswer(t *testing.T) {
	l := open(t, 8, 5, 1)
	send(t, l, 5, 6, 7)
	if r := check(t, l, ack(1, 6), ledger.KindAccepted); r.Tag != 60 {
		t.Errorf("answer to 6 found the request tagged %d", r.Tag)
	}
	check(t, l, ack(2, 6), ledger.KindDuplicate)
	check(t, l, ack(3, 4), ledger.KindDuplicate)
	check(t, l, ack(4, 8), ledger.KindStray)
	reject := ack(5, 5)
	reject.ExecType, reject.Decision.Reason = order.ExecTypeRejected, order.ReasonPriceCollar
	check(t, l, reject, ledger.KindRejected)
	cancelReject := ack(6, 7)
	cancelReject.Kind, cancelReject.Decision.Reason = order.AnswerCancelReject, order.ReasonTooLate
	check(t, l, cancelReject, ledger.KindRejected)
	want := ledger.Counts{Sent: 3, Answered: 3, Accepted: 1, Rejected: 2, Duplicates: 2, Strays: 1}
	if l.Counts() != want || l.InFlight() != 0 {
		t.Errorf("counts are %+v, want %+v", l.Counts(), want)
	}
	if l.Rejects()[order.ReasonPriceCollar] != 1 || l.Rejects()[order.ReasonTooLate] != 1 {
		t.Errorf("rejects are %v", l.Rejects())
	}
}

func TestStreamIsFollowed(t *testing.T) {
	l := open(t, 8, 1, 0)
	send(t, l, 1, 2, 3)
	check(t, l, ack(40, 1), ledger.KindAccepted)
	check(t, l, ack(40, 2), ledger.KindDuplicate)
	check(t, l, ack(42, 2), ledger.KindAccepted)
	check(t, l, ack(41, 3), ledger.KindDuplicate)
	if c := l.Counts(); c.StreamGaps != 1 || c.Duplicates != 2 || c.Unanswered() != 1 {
		t.Errorf("counts are %+v", c)
	}
}

func TestHistoryIsNotCounted(t *testing.T) {
	l := open(t, 8, 50, 1)
	l.SkipHistory(3)
	send(t, l, 50)
	check(t, l, ack(1, 49), ledger.KindHistory)
	check(t, l, &order.Answer{
		OutSeq: 2, Kind: order.AnswerExecution, ExecType: order.ExecTypeTrade, Account: 1, Side: order.SideBuy, LastQty: 9,
	}, ledger.KindHistory)
	check(t, l, ack(3, 50), ledger.KindAccepted)
	if want := (ledger.Counts{Sent: 1, Answered: 1, Accepted: 1}); l.Counts() != want || len(l.Positions()) != 0 {
		t.Errorf("counts are %+v, positions %v", l.Counts(), l.Positions())
	}
}

func TestRingWaitsForTheOldest(t *testing.T) {
	l := open(t, 3, 1, 1)
	send(t, l, 1, 2, 3, 4)
	if !l.Full() {
		t.Fatal("four requests in a ring of four and not full")
	}
	if err := l.Sent(5, ledger.Request{}); err != ledger.ErrFull {
		t.Errorf("got %v", err)
	}
	check(t, l, ack(1, 2), ledger.KindAccepted)
	if !l.Full() {
		t.Error("the oldest is still unanswered")
	}
	check(t, l, ack(2, 1), ledger.KindAccepted)
	send(t, l, 5, 6)
	if !l.Full() || l.InFlight() != 4 {
		t.Errorf("full %v, in flight %d", l.Full(), l.InFlight())
	}
	if err := l.Sent(9, ledger.Request{}); err == nil {
		t.Error("a hole in the refs was taken")
	}
}

func TestTradesMakePositions(t *testing.T) {
	l := open(t, 8, 1, 1)
	trade := func(outSeq uint64, account order.AccountID, side order.Side, qty order.Qty, status order.OrdStatus) {
		check(t, l, &order.Answer{
			OutSeq: outSeq, Kind: order.AnswerExecution, ExecType: order.ExecTypeTrade, Account: account, Instrument: 3,
			Side: side, LastQty: qty, OrdStatus: status,
		}, ledger.KindUnsolicited)
	}
	trade(1, 7, order.SideBuy, 10, order.OrdStatusPartiallyFilled)
	trade(2, 7, order.SideSell, 4, order.OrdStatusFilled)
	trade(3, 7, order.SideSellShort, 8, order.OrdStatusFilled)
	trade(4, 8, order.SideBuy, 1, order.OrdStatusFilled)
	want := ledger.Position{BuyQty: 10, SellQty: 12, Trades: 3}
	if got := l.Positions()[ledger.PositionKey{Account: 7, Instrument: 3}]; got != want || got.Net() != -2 {
		t.Errorf("position is %+v, want %+v", got, want)
	}
	if c := l.Counts(); c.Filled != 3 || c.Trades != 4 {
		t.Errorf("counts are %+v, want 3 filled, 4 trades", c)
	}
}

func TestOrdersThatEndAreCounted(t *testing.T) {
	l := open(t, 8, 1, 1)
	send(t, l, 1)
	canceled := ack(1, 1)
	canceled.ExecType = order.ExecTypeCanceled
	check(t, l, canceled, ledger.KindAccepted)
	expired := ack(2, 0)
	expired.ExecType = order.ExecTypeExpired
	check(t, l, expired, ledger.KindUnsolicited)
	check(t, l, &order.Answer{OutSeq: 3, Kind: order.AnswerCanceledOnEnd}, ledger.KindUnsolicited)
	if c := l.Counts(); c.Cancelled != 2 || c.Accepted != 1 {
		t.Errorf("counts are %+v", c)
	}
}

func TestSumsOfSessions(t *testing.T) {
	a := ledger.Counts{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	b := a
	a.Add(&b)
	if want := (ledger.Counts{2, 4, 6, 8, 10, 12, 14, 16, 18, 20}); a != want {
		t.Errorf("sum is %+v", a)
	}
	key := ledger.PositionKey{Account: 1, Instrument: 1}
	p := ledger.Positions{key: {BuyQty: 1, SellQty: 2, Trades: 3}}
	p.Add(ledger.Positions{key: {BuyQty: 10, SellQty: 20, Trades: 30}})
	if p[key] != (ledger.Position{BuyQty: 11, SellQty: 22, Trades: 33}) {
		t.Errorf("sum is %+v", p[key])
	}
}

// TestAgainstAMap drives random sends and answers, some of them wrong, and
// compares with a map that remembers everything.
func TestAgainstAMap(t *testing.T) {
	random := rand.New(rand.NewPCG(testseed.Or(t, 11), 2))
	l := open(t, 64, 1, 1)
	answered := make(map[uint64]bool)
	sent, outSeq := uint64(0), uint64(0)
	var accepted, duplicates, strays uint64
	for range 100_000 {
		if random.IntN(2) == 0 && !l.Full() {
			sent++
			send(t, l, sent)
			continue
		}
		outSeq++
		ref := 1 + max(sent, 70) - 70 + random.Uint64N(73)
		want := ledger.KindAccepted
		switch {
		case ref > sent:
			want = ledger.KindStray
			strays++
		case answered[ref]:
			want = ledger.KindDuplicate
			duplicates++
		default:
			accepted++
			answered[ref] = true
		}
		check(t, l, ack(outSeq, ref), want)
	}
	want := ledger.Counts{Sent: sent, Answered: accepted, Accepted: accepted, Duplicates: duplicates, Strays: strays}
	if l.Counts() != want {
		t.Errorf("counts are %+v, want %+v", l.Counts(), want)
	}
	if accepted < 10_000 || duplicates < 1_000 || strays < 100 {
		t.Errorf("the run did not meet every case: %+v", want)
	}
}

func TestNewRefuses(t *testing.T) {
	for _, n := range []int{0, -1, ledger.InFlightLimit + 1} {
		if _, err := ledger.New(n, 1, 1); err == nil {
			t.Errorf("a ring of %d was made", n)
		}
	}
}

func TestAccountingDoesNotAllocate(t *testing.T) {
	l := open(t, 64, 1, 1)
	n := uint64(0)
	a := ack(0, 0)
	trade := &order.Answer{Kind: order.AnswerExecution, ExecType: order.ExecTypeTrade, Account: 1, Side: order.SideBuy, LastQty: 1}
	turn := func() {
		n++
		if err := l.Sent(n, ledger.Request{}); err != nil {
			t.Fatal(err)
		}
		a.OutSeq, a.Ref = 2*n-1, n
		l.Answer(a)
		trade.OutSeq = 2 * n
		l.Answer(trade)
	}
	turn()
	if allocations := testing.AllocsPerRun(1000, turn); allocations != 0 {
		t.Errorf("%v allocations", allocations)
	}
}
