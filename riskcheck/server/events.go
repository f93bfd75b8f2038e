package server

import (
	"tollgate/asynclog"
	"tollgate/fastpath"
	"tollgate/fastpath/wire"
)

// EventName gives the names of the numbers in a server's events, for
// asynclog.Config.Name: kinds of links, reasons of rejects and what alerts are
// about. It returns "" for what it does not know.
func EventName(f asynclog.Format, value uint64) string {
	switch {
	case f == asynclog.FormatLinkKind && value == uint64(KindGateway):
		return "gateway"
	case f == asynclog.FormatLoginReject && value != 0 && value < 256:
		return wire.LoginRejectReason(value).String()
	case f == asynclog.FormatSessionReject && value != 0 && value < 256:
		return wire.SessionRejectReason(value).String()
	case f == asynclog.FormatAlert && value != 0:
		return alertName(value)
	}
	return ""
}

// log appends an event to the loop's log, if there is one.
func (s *Server) log(code asynclog.Code, args ...uint64) {
	if s.cfg.Log != nil {
		s.cfg.Log.Append(code, s.loop.Now(), args...)
	}
}

func (s *Server) logLinkUp(l *fastpath.Link) {
	if s.cfg.Log != nil {
		s.cfg.Log.LinkUp(s.loop.Now(), l.ID(), uint64(l.Kind()), l.Remote())
	}
}

func (s *Server) logLinkDown(l *fastpath.Link, cause error) {
	if s.cfg.Log != nil {
		s.cfg.Log.LinkDown(s.loop.Now(), l.ID(), uint64(l.Kind()), l.Remote(), cause)
	}
}
