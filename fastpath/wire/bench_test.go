package wire

import (
	"testing"

	"tollgate/order"
)

// BenchmarkEncode writes one whole frame of each message on the order path.
func BenchmarkEncode(b *testing.B) {
	buf := make([]byte, 0, FrameMax)
	trace := sampleTrace
	b.Run("NewOrder", func(b *testing.B) {
		r := sampleOrder
		for b.Loop() {
			buf = AppendNewOrder(buf[:0], &r)
		}
	})
	b.Run("Check", func(b *testing.B) {
		r := sampleOrder
		for b.Loop() {
			buf = AppendCheck(buf[:0], &r, &trace)
		}
	})
	b.Run("Verdict", func(b *testing.B) {
		v := order.Verdict{OrderID: 1}
		for b.Loop() {
			buf = AppendVerdict(buf[:0], &v, &trace)
		}
	})
	b.Run("VenueReport", func(b *testing.B) {
		r := order.Report{OrderID: 1}
		for b.Loop() {
			buf = AppendVenueReport(buf[:0], &r, &trace)
		}
	})
	b.Run("ExecutionReport", func(b *testing.B) {
		a := order.Answer{OrderID: 1, Kind: order.AnswerExecution}
		for b.Loop() {
			buf = AppendAnswer(buf[:0], &a)
		}
	})
}

// BenchmarkDecode takes a frame all the way: split, parse, copy the fields out.
func BenchmarkDecode(b *testing.B) {
	var p Parser
	var r order.Request
	var v order.Verdict
	var report order.Report
	var a order.Answer
	var trace order.Trace
	b.Run("NewOrder", func(b *testing.B) {
		frame := AppendNewOrder(nil, &sampleOrder)
		for b.Loop() {
			must(mustParse(&p, frame).Request(&r))
		}
	})
	b.Run("Check", func(b *testing.B) {
		frame := AppendCheck(nil, &r, &trace)
		for b.Loop() {
			mustParse(&p, frame).Check(&r, &trace)
		}
	})
	b.Run("Verdict", func(b *testing.B) {
		frame := AppendVerdict(nil, &v, &trace)
		for b.Loop() {
			mustParse(&p, frame).Verdict(&v, &trace)
		}
	})
	b.Run("VenueReport", func(b *testing.B) {
		frame := AppendVenueReport(nil, &report, &trace)
		for b.Loop() {
			mustParse(&p, frame).VenueReport(&report, &trace)
		}
	})
	b.Run("ExecutionReport", func(b *testing.B) {
		frame := AppendAnswer(nil, &order.Answer{Kind: order.AnswerExecution})
		for b.Loop() {
			must(mustParse(&p, frame).Answer(&a))
		}
	})
}

// BenchmarkRoute is what the gateway does with an answer: find the session.
func BenchmarkRoute(b *testing.B) {
	var p Parser
	frame := AppendAnswer(nil, &order.Answer{Kind: order.AnswerExecution, Session: 501})
	for b.Loop() {
		if AnswerSession(mustParse(&p, frame)) != 501 {
			b.Fatal("another session")
		}
	}
}
