package client

import (
	"testing"

	"tollgate/fastpath/wire"
	"tollgate/order"
)

// FuzzServerFrames gives a session whatever a server may send, mixed with
// requests and the passing of time, and wants its books to stay in order.
func FuzzServerFrames(f *testing.F) {
	hello := (&wire.Hello{}).Append(nil)
	ack := (&wire.LoginAck{NextRef: 1, NextOutSeq: 1, OldestOutSeq: 1}).Append(nil)
	f.Add(hello, false)
	f.Add(append(hello, ack...), true)
	for _, frame := range [][]byte{
		(&wire.Gap{ExpectedRef: 1}).Append(nil), (&wire.Busy{Ref: 1, RetryAfterMs: 1}).Append(nil),
		(&wire.Duplicate{Ref: 1}).Append(nil), (&wire.SessionReject{}).Append(nil), (&wire.LoginReject{}).Append(nil),
		wire.AppendAnswer(nil, &order.Answer{Kind: order.AnswerExecution, OutSeq: 1, Ref: 1}),
		wire.AppendHopTrace(nil, testSession, 1, &order.Trace{}),
	} {
		f.Add(append(append(append([]byte(nil), hello...), ack...), frame...), true)
	}
	f.Fuzz(func(t *testing.T, b []byte, adopt bool) {
		cfg := testConfig()
		cfg.Adopt = adopt
		s := newSession(cfg.withDefaults())
		s.connected()
		var p wire.Parser
		var out []byte
		var seen record
		for {
			frame, n, err := wire.Split(b)
			if n == 0 || err != nil {
				return
			}
			b = b[n:]
			m, err := p.Parse(frame)
			if err != nil {
				return
			}
			s.receive(m, &seen)
			s.nowNs += nsPerMs
			if out = s.pump(out[:0]); !s.window.full() {
				out = s.send(out, newOrder(1))
			}
			checkSession(t, s, &seen)
		}
	})
}

func checkSession(t *testing.T, s *session, seen *record) {
	t.Helper()
	w := &s.window
	if w.oldest > w.next || w.next-w.oldest > w.span || uint64(w.open) > w.next-w.oldest {
		t.Fatalf("window from %d to %d with %d open", w.oldest, w.next, w.open)
	}
	if s.phase == phaseActive && s.drop == nil && s.cursor > w.next {
		t.Fatalf("request %d is to be written, %d is the next", s.cursor, w.next)
	}
	for i := 1; i < len(seen.answers); i++ {
		if seen.answers[i].OutSeq != seen.answers[i-1].OutSeq+1 {
			t.Fatalf("answer %d was handed over after %d", seen.answers[i].OutSeq, seen.answers[i-1].OutSeq)
		}
	}
}
