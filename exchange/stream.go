package exchange

import (
	"fmt"

	"tollgate/fastpath/wire"
)

// stream is the way of the reports to the engine: one gateway carries them.
type stream struct {
	peer  *peer  // nil: reports wait in the log
	next  uint64 // number of the report to be sent next
	acked uint64 // number of the last report the engine has acknowledged
}

// subscribe makes a gateway carry the reports. The newest one does. An engine
// of an old epoch gets nothing, and one of a newer epoch makes the older ones
// void. An engine that asks for what is not there has
// another history than the adapter: its link ends, and the hello on the next
// one tells it where the adapter stands.
func (s *Server) subscribe(p *peer, m wire.Message) {
	var from wire.ReportsFrom
	from.Decode(m)
	if from.Epoch < s.adapter.Epoch() {
		s.counters.SubscriptionsStale++
		return
	}
	if from.From < s.adapter.OldestReportSeq() || from.From > s.adapter.NextReportSeq() {
		s.counters.SubscriptionsRefused++
		s.logReportGap(from.From)
		p.link.Close(fmt.Errorf("exchange: reports from %d were asked for: those from %d to %d are retained",
			from.From, s.adapter.OldestReportSeq(), s.adapter.NextReportSeq()-1))
		return
	}
	s.counters.Subscriptions++
	s.adapter.RaiseEpoch(from.Epoch)
	s.stream = stream{peer: p, next: from.From, acked: from.From - 1}
	s.adapter.RepeatPrices()
}

// acknowledge forgets reports. Only the gateway that carries them may say so,
// and only of those it was sent.
func (s *Server) acknowledge(p *peer, m wire.Message) {
	if s.stream.peer != p {
		return
	}
	var ack wire.ReportsAck
	ack.Decode(m)
	upTo := min(ack.UpTo, s.stream.next-1)
	s.stream.acked = max(s.stream.acked, upTo)
	s.adapter.Acknowledge(upTo)
}

// sendReports sends what the carrier has not got, as far as acknowledgements
// allow.
func (s *Server) sendReports() {
	st := &s.stream
	end := min(s.adapter.NextReportSeq(), st.acked+uint64(s.cfg.ReportsInFlightMax)+1)
	for ; st.next < end && st.peer.link.Open(); st.next++ {
		r, t := s.adapter.Report(st.next)
		s.commit(st.peer, wire.AppendVenueReport(st.peer.link.Buffer(), r, t))
		s.counters.ReportsSent++
	}
}

// sendPrices sends the reference prices that are due.
func (s *Server) sendPrices() {
	prices := s.adapter.Prices(s.loop.Now())
	for i := range prices {
		p := s.stream.peer
		s.commit(p, wire.AppendReferencePrice(p.link.Buffer(), &prices[i]))
		s.counters.PricesSent++
	}
}
