package riskcheck_test

import (
	"testing"

	"tollgate/order"
	"tollgate/riskcheck"
)

// TestAcknowledgedAnswersAreForgottenNoEarlier holds a stream to what a client
// that has not acknowledged may rely on: every answer after the last one it
// acknowledged can be had again, unchanged, however many follow.
func TestAcknowledgedAnswersAreForgottenNoEarlier(t *testing.T) {
	const answers = 3000
	d := newDesk(t, 100, 4)
	var given []order.Answer
	for i := range answers {
		d.reject(0)
		a := d.engine.Answer(1, uint64(i)+1)
		if a == nil {
			t.Fatalf("answer %d is not in the stream", i+1)
		}
		given = append(given, *a)
	}
	acknowledged := uint64(0)
	for _, upTo := range []uint64{0, 1, 255, 256, 257, 2048, 1000, answers - 1, answers} {
		d.engine.AckAnswers(1, upTo)
		acknowledged = max(acknowledged, upTo)
		for i := acknowledged; i < answers; i++ {
			if a := d.engine.Answer(1, i+1); a == nil || *a != given[i] {
				t.Fatalf("answer %d after %d were acknowledged: %+v, want %+v", i+1, acknowledged, a, given[i])
			}
		}
		got := d.engine.Login(d.now, riskcheck.Login{Session: 1, Client: 1, WantOutSeq: acknowledged + 1})
		if !got.OK || got.OldestOutSeq > acknowledged+1 || got.NextOutSeq != answers+1 || got.NextRef != answers+1 {
			t.Fatalf("login after %d were acknowledged: %+v", acknowledged, got)
		}
	}
}

// TestUnacknowledgedAnswersAreBounded fills a stream far beyond what is
// retained: memory stays bounded, what is left is gap-free up to the newest,
// and a login that asks for more than is there is told so.
func TestUnacknowledgedAnswersAreBounded(t *testing.T) {
	d := newDesk(t, 100, 4)
	retained := uint64(riskcheck.DefaultConfig().AnswersRetained)
	total := 2*retained + 100
	for range total {
		d.reject(0)
	}
	got := d.engine.Login(d.now, riskcheck.Login{Session: 1, Client: 1, WantOutSeq: total + 2})
	if got.OK || got.Denied != riskcheck.LoginOutSeqUnavailable {
		t.Fatalf("a login from beyond the newest answer: %+v", got)
	}
	if kept := total + 1 - got.OldestOutSeq; kept < retained || kept > 2*retained {
		t.Errorf("%d answers are kept, want at least %d", kept, retained)
	}
	for n := got.OldestOutSeq; n <= total; n++ {
		if a := d.engine.Answer(1, n); a == nil || a.OutSeq != n {
			t.Fatalf("answer %d: %+v", n, a)
		}
	}
	if d.engine.Answer(1, got.OldestOutSeq-1) != nil {
		t.Errorf("answer %d is still there, the oldest is %d", got.OldestOutSeq-1, got.OldestOutSeq)
	}
	denied := d.engine.Login(d.now, riskcheck.Login{Session: 1, Client: 1, WantOutSeq: got.OldestOutSeq - 1})
	if denied.OK || denied.Denied != riskcheck.LoginOutSeqUnavailable || denied.OldestOutSeq != got.OldestOutSeq {
		t.Errorf("a login from before the oldest answer: %+v", denied)
	}
}
