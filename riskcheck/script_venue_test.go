package riskcheck_test

import (
	"tollgate/order"
)

// venueLine: venue: KIND ORDER ... [report N] [exec N] [reason NAME]
func (s *script) venueLine(p *phrase) error {
	r := order.Report{ReportSeq: s.report, ExecID: s.exec + 1}
	number, renumbered := p.value("report")
	if renumbered {
		r.ReportSeq = p.number(number)
	}
	if v, ok := p.value("exec"); ok {
		r.ExecID = order.ExecID(p.number(v))
	}
	if v, ok := p.value("reason"); ok {
		r.Reason = reasonNamed(p, v)
	}
	s.saidByVenue(&r, p)
	if err := p.end(); err != nil {
		return err
	}
	if !renumbered && r.ReportSeq == s.report {
		s.report++
		s.exec++
	}
	s.lastReport = r
	if r.Kind == order.ReportTrade || r.Kind == order.ReportTradeCorrect {
		s.executed[r.ExecID] = executed{r.LastQty, r.LastPx}
	}
	s.duel.report(&r)
	s.tell()
	return nil
}

func reasonNamed(p *phrase, name string) order.Reason {
	for _, r := range order.Reasons() {
		if r.String() == name {
			return r
		}
	}
	p.fail("no reason is named %q", name)
	return order.ReasonNone
}

// saidByVenue reads what kind of report it is.
func (s *script) saidByVenue(r *order.Report, p *phrase) {
	switch kind := p.next("report"); kind {
	case "again":
		*r = s.lastReport
	case "new":
		s.about(r, p, order.ReportNew)
	case "reject":
		s.about(r, p, order.ReportRejected)
		s.because(r, order.ReasonVenueReject)
	case "replaced":
		s.about(r, p, order.ReportReplaced)
		s.madeOf(r, p)
	case "replace-reject":
		s.about(r, p, order.ReportReplaceReject)
		s.because(r, order.ReasonVenueTooLate)
	case "cancel-reject":
		s.about(r, p, order.ReportCancelReject)
		s.because(r, order.ReasonVenueTooLate)
	case "canceled":
		s.about(r, p, order.ReportCanceled)
	case "expired":
		s.about(r, p, order.ReportExpired)
	case "trade":
		s.about(r, p, order.ReportTrade)
		s.execution(r, p)
	case "trade-cancel":
		s.about(r, p, order.ReportTradeCancel)
		s.undone(r, p)
	case "trade-correct":
		s.about(r, p, order.ReportTradeCorrect)
		s.undone(r, p)
	case "restated":
		s.about(r, p, order.ReportRestated)
		s.madeOf(r, p)
	case "trade-unknown":
		s.unknownTrade(r, p)
	default:
		p.fail("the venue cannot say %q", kind)
	}
}

func (s *script) because(r *order.Report, otherwise order.Reason) {
	if r.Reason == order.ReasonNone {
		r.Reason = otherwise
	}
}

// about reads which request a report answers: the ClOrdID of an order or a
// replace, "cancel ID" for what the client's cancel ID asked, "own ID" for the
// cancel the engine itself asked for, "unasked ID" for none.
func (s *script) about(r *order.Report, p *phrase, kind order.ReportKind) {
	r.Kind = kind
	word := p.next("order")
	v, seq := order.Verdict{}, uint64(0)
	switch word {
	case "own":
		v = s.requests[p.next("order")]
		seq = s.own[v.OrderID].Token.Seq
	case "unasked":
		v = s.requests[p.next("order")]
	case "cancel":
		word = p.next("cancel")
		v = s.requests[word]
		seq = v.Token.Seq
	default:
		v = s.requests[word]
		seq = v.Token.Seq
	}
	if v.OrderID == 0 {
		p.fail("the venue has seen nothing of %q", word)
	}
	switch kind {
	case order.ReportTrade, order.ReportTradeCancel, order.ReportTradeCorrect, order.ReportRestated:
		seq = 0 // nobody asked for these
	}
	r.Seq, r.OrderID, r.ClOrdID = seq, v.OrderID, v.ClOrdID
	r.Group, r.Session, r.Account, r.Trader = v.Group, v.Session, v.Account, v.Trader
	r.Instrument, r.Side, r.OrderQty, r.Price = v.Instrument, v.Side, v.OrderQty, v.Price
	r.Strategy = v.Strategy
}

// madeOf reads what the venue made of an order: [to QTY @ PRICE].
func (s *script) madeOf(r *order.Report, p *phrase) {
	if p.flag("to") {
		r.OrderQty = p.qty(p.next("quantity"))
		p.flag("@")
		r.Price = p.price(p.next("price"))
	}
}

// executed is what the venue said of one execution.
type executed struct {
	qty   order.Qty
	price order.Price
}

// undone reads which execution is undone, and what the report says was or is now
// executed: of EXECUTION [[to] QTY @ PRICE]. A venue repeats what it said.
func (s *script) undone(r *order.Report, p *phrase) {
	of, found := p.value("of")
	if !found {
		p.fail("the execution is missing, want of EXECUTION")
		return
	}
	r.ExecRefID = order.ExecID(p.number(of))
	was := s.executed[r.ExecRefID]
	r.LastQty, r.LastPx = was.qty, was.price
	if p.flag("to"); len(p.words) > 0 {
		s.execution(r, p)
	}
}

// execution reads QTY @ PRICE.
func (s *script) execution(r *order.Report, p *phrase) {
	r.LastQty = p.qty(p.next("quantity"))
	p.flag("@")
	r.LastPx = p.price(p.next("price"))
	r.CumQty, r.LeavesQty = r.LastQty, max(0, r.OrderQty-r.LastQty)
}

// unknownTrade: trade-unknown SESSION ACCOUNT TRADER INSTRUMENT SIDE QTY @ PRICE [strategy NAME]
func (s *script) unknownTrade(r *order.Report, p *phrase) {
	r.Kind, r.OrderID = order.ReportTrade, 999_999
	r.Session = s.sessionNamed(p, p.next("session"))
	r.Account = order.AccountID(p.named("account", s.roll.accounts, p.next("account")))
	r.Trader = order.TraderID(p.named("trader", s.roll.traders, p.next("trader")))
	if row := s.world.account(r.Account); row != nil {
		r.Group = row.group
	}
	r.Instrument = s.instrumentNamed(p, p.next("instrument"))
	r.Side = code(p, p.next("side"), sideNames)
	if v, ok := p.value("strategy"); ok {
		r.Strategy = order.StrategyID(p.named("strategy", s.roll.strategies, v))
	}
	s.execution(r, p)
	r.OrderQty, r.CumQty, r.Price = r.LastQty, r.LastQty, r.LastPx
}
