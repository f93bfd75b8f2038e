package exchange

import (
	"tollgate/asynclog"
	"tollgate/fastpath"
	"tollgate/fastpath/wire"
	"tollgate/order"
)

// BoundReports is the number under which the log names
// AdapterConfig.ReportsRetainedMax.
const BoundReports = 1

// EventName gives the names of the numbers in an exchange's events, for
// asynclog.Config.Name: kinds of links, reasons of malformed frames, bounds. It
// returns "" for what it does not know.
func EventName(f asynclog.Format, value uint64) string {
	switch {
	case f == asynclog.FormatLinkKind && value == uint64(KindGateway):
		return "gateway"
	case f == asynclog.FormatSessionReject && value != 0 && value < 256:
		return wire.SessionRejectReason(value).String()
	case f == asynclog.FormatBound && value == BoundReports:
		return "reports-retained"
	}
	return ""
}

// append adds an event to the log, if there is one. Texts are made elsewhere.
func (s *Server) append(code asynclog.Code, args ...uint64) {
	if s.cfg.Events != nil {
		s.cfg.Events.Append(code, s.loop.Now(), args...)
	}
}

func (s *Server) logLinkUp(l *fastpath.Link) {
	if s.cfg.Events != nil {
		s.cfg.Events.LinkUp(s.loop.Now(), l.ID(), uint64(l.Kind()), l.Remote())
	}
}

func (s *Server) logLinkDown(l *fastpath.Link, cause error) {
	if s.cfg.Events != nil {
		s.cfg.Events.LinkDown(s.loop.Now(), l.ID(), uint64(l.Kind()), l.Remote(), cause)
	}
}

func (s *Server) logMalformed(l *fastpath.Link, err *wire.FrameError) {
	s.append(asynclog.CodeMalformedFrame, l.ID(), uint64(l.Kind()), uint64(err.Reason), err.Value)
}

func (s *Server) logRefusal(v *order.Verdict, reason order.Reason) {
	s.append(asynclog.CodeAdapterRefusal, v.Token.Seq, uint64(v.OrderID), uint64(v.Session), uint64(reason))
}

func (s *Server) logFence(f *wire.KillFence) {
	s.append(asynclog.CodeFenceAcknowledged, f.FenceID, f.Epoch)
}

func (s *Server) logReportGap(from uint64) {
	s.append(asynclog.CodeReportGap, from, s.adapter.OldestReportSeq())
}

func (s *Server) logBacklog() {
	dropped := s.adapter.Counters().BacklogDropped
	s.append(asynclog.CodeCapacityReached, BoundReports, uint64(s.cfg.Adapter.ReportsRetainedMax), dropped)
}
