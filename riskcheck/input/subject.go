package input

import "tollgate/order"

// Subject is what an input is about, as far as its own bytes say. Fields that it
// does not name are zero. Requests name orders by their ClOrdIDs; which OrderID
// that is, the reports of the order say, and the engine that the input was for.
type Subject struct {
	OrderID     order.OrderID
	ClOrdID     order.ClOrdID
	OrigClOrdID order.ClOrdID
	Session     order.SessionID
	Account     order.AccountID
}

// About returns what a payload is about. The error wraps ErrMalformed.
func About(kind Kind, payload []byte) (Subject, error) {
	var in Input
	if err := in.Decode(kind, payload); err != nil {
		return Subject{}, err
	}
	return in.Subject(), nil
}

// Subject returns what the input is about.
func (in *Input) Subject() Subject {
	switch in.Kind {
	case KindRequest:
		r := &in.Request
		return Subject{ClOrdID: r.ClOrdID, OrigClOrdID: r.OrigClOrdID, Session: r.Session, Account: r.Account}
	case KindReport:
		r := &in.Report
		return Subject{OrderID: r.OrderID, ClOrdID: r.ClOrdID, Session: r.Session, Account: r.Account}
	case KindLogin:
		return Subject{Session: in.Login.Session}
	case KindDisconnected, KindAckAnswers:
		return Subject{Session: in.Session}
	case KindCash, KindPosition, KindLocate:
		return Subject{Account: in.Account}
	case KindKill, KindUnkill, KindRelease:
		return subjectOf(in.Scope)
	}
	return Subject{}
}

// subjectOf returns the account or the session that a scope is.
func subjectOf(s order.Scope) Subject {
	switch s.Type {
	case order.ScopeAccount:
		return Subject{Account: order.AccountID(s.ID)}
	case order.ScopeSession:
		return Subject{Session: order.SessionID(s.ID)}
	}
	return Subject{}
}
