package server

import (
	"tollgate/asynclog"
	"tollgate/fastpath"
	"tollgate/order"
	"tollgate/riskcheck"
)

// Alert is something the engine wants people to know.
type Alert struct {
	riskcheck.Alert
	Scope   order.Scope // whose it is
	TimeNs  int64
	FenceID uint64 // of a kill that the engine has made by itself; 0: not known
}

// Alerts returns the ring of alerts. One goroutine may take from it. What finds
// no room in it is in the log alone, and counted in AlertsLost.
func (s *Server) Alerts() *fastpath.Ring[Alert] { return s.alerts }

// Alerted is sent to when there are new alerts.
func (s *Server) Alerted() <-chan struct{} { return s.alerted }

// alert takes an alert to the log and to people. The engine says each thing
// once, so this is not part of every order's life.
func (s *Server) alert(f *riskcheck.Effect) {
	s.counters.Alerts++
	a := Alert{Alert: f.Alert, Scope: f.Scope, TimeNs: s.loop.Now()}
	if a.Cause == riskcheck.AlertKilled {
		a.FenceID = s.fenceOf(f.Scope)
	}
	s.logAlert(&a)
	if !s.alerts.Push(a) {
		s.counters.AlertsLost++
	}
	select {
	case s.alerted <- struct{}{}:
	default: // whoever takes them has been told already
	}
}

// fenceOf returns the fence of a killed scope, 0 if there is none.
func (s *Server) fenceOf(scope order.Scope) uint64 {
	for i := range s.fences {
		if s.fences[i].scope == scope {
			return s.fences[i].id
		}
	}
	return 0
}

// logAlert writes an alert to the log: with its order if it is about one.
func (s *Server) logAlert(a *Alert) {
	if s.cfg.Log == nil {
		return
	}
	what, within := packAlert(&a.Alert), asynclog.PackWithin(a.Scope.Instrument, a.Scope.Class)
	if a.Cause >= riskcheck.AlertLateFill && a.Cause <= riskcheck.AlertRestated {
		s.cfg.Log.Append(asynclog.CodeOrderAlert, a.TimeNs, what, uint64(a.Scope.Type), uint64(a.Scope.ID), within,
			uint64(a.OrderID), uint64(a.Value))
		return
	}
	s.cfg.Log.Append(asynclog.CodeAlert, a.TimeNs, what, uint64(a.Scope.Type), uint64(a.Scope.ID), within,
		uint64(a.Value), uint64(a.Limit))
}

// packAlert packs what an alert is about into one argument of an event.
func packAlert(a *riskcheck.Alert) uint64 {
	return uint64(a.Cause) | uint64(a.Kind)<<8 | uint64(a.Latch)<<16
}

// alertName names what packAlert has packed, such as "warn openOrders".
func alertName(packed uint64) string {
	text := riskcheck.AlertCause(packed).String()
	if kind := riskcheck.LimitKind(packed >> 8); kind != 0 {
		text += " " + kind.String()
	}
	if latch := riskcheck.Latch(packed >> 16); latch != 0 {
		text += " latch " + latch.String()
	}
	return text
}
