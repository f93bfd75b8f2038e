package riskcheck

import "tollgate/order"

// The records of a snapshot that name nothing else of the engine. A field that is
// added to one of them is added here; a test goes through all fields.

func (t *transcript) scope(s *order.Scope) {
	halves(t, &s.ID)
	halves(t, &s.Instrument)
	halves(t, &s.Class)
	octets(t, &s.Type)
}

func (t *transcript) currency(c *Currency) {
	for i := range c {
		octets(t, &c[i])
	}
}

func (t *transcript) firm(f *Firm) {
	halves(t, &f.ID)
	t.currency(&f.Currency)
	words(t, &f.FxMaxAgeNs)
}

func (t *transcript) rate(r *rateRow) {
	t.currency(&r.currency)
	words(t, &r.rate)
	words(t, &r.seen)
}

func (t *transcript) calendarDay(c *calendarDay) {
	halves(t, &c.calendar)
	halves(t, &c.day)
}

func (t *transcript) venue(v *venueState) {
	words(t, &v.instance, &v.nextReport)
	t.flags(&v.up)
}

func (t *transcript) instrument(in *Instrument) {
	halves(t, &in.ID)
	t.currency(&in.Currency)
	words(t, &in.Tick, &in.Settlement, &in.LowLimit, &in.HighLimit)
	words(t, &in.Lot, &in.MinQty, &in.MaxQty, &in.AverageDailyVolume, &in.Outstanding)
	words(t, &in.Multiplier)
	words(t, &in.ReferenceMaxAgeNs, &in.MarginBps, &in.FeeBps)
	halves(t, &in.Class)
	halves(t, &in.Calendar)
	octets(t, &in.OrdTypes)
	octets(t, &in.TimesInForce)
	octets(t, &in.Sides)
	t.flags(&in.Tradable, &in.AllowZeroPrice, &in.AllowNegativePrice, &in.AllowDisplayQty, &in.ReplaceOpenQty)
}

func (t *transcript) pricePoint(p *pricePoint) {
	words(t, &p.price)
	words(t, &p.time)
}

func (t *transcript) wide(w *wide) {
	words(t, &w.high)
	words(t, &w.low)
}

func (t *transcript) aggregate(a *aggregate) {
	t.wide(&a.gross)
	t.wide(&a.net)
	words(t, &a.unpriced)
}

func (t *transcript) short(s *short) {
	words(t, &s.located, &s.open, &s.executed)
	octets(t, &s.executedHigh)
}

// minute carries what was added within a minute up to now.
func (t *transcript) minute(m *minuteSums) {
	words(t, &m.total)
	t.flags(&m.cut)
	series(t, m.sums[:])
}

func (t *transcript) version(v *version) {
	words(t, &v.clOrdID)
	words(t, &v.qty, &v.displayQty)
	words(t, &v.price, &v.worstPrice, &v.stopPx)
	words(t, &v.validUntil)
	words(t, &v.rates[firmMoney], &v.rates[accountMoney])
}

// pending carries all of a pending request but its place among those of its order.
func (t *transcript) pending(p *pending) {
	t.version(&p.version)
	words(t, &p.origClOrdID)
	words(t, &p.seq, &p.ref, &p.limits)
	words(t, &p.cumAt)
	octets(t, &p.msgType)
	t.flags(&p.openQty)
}

func (t *transcript) amounts(a *amounts) { words(t, &a[firmMoney], &a[accountMoney]) }

func (t *transcript) execution(x *execution) {
	words(t, &x.a, &x.b)
	words(t, &x.qty)
	t.amounts(&x.cash)
	t.amounts(&x.executed)
	words(t, &x.fee)
	halves(t, &x.day, &x.calendar)
}

// recentOrder carries all of a recent order but its place in its chain.
func (t *transcript) recentOrder(o *recentOrder) {
	words(t, &o.price, &o.stopPx)
	words(t, &o.qty)
	words(t, &o.at)
	halves(t, &o.account)
	halves(t, &o.instrument)
	octets(t, &o.side)
	octets(t, &o.ordType)
}

// limit carries a temporary limit. When it ends stands twice in memory.
func (t *transcript) limit(r *revert) {
	words(t, &r.until, &r.entry.Value, &r.entry.Then)
	t.scope(&r.entry.Scope)
	octets(t, &r.entry.Kind)
	octets(t, &r.entry.Watch, &r.entry.Warn)
	octets(t, &r.entry.Act)
	r.entry.Until = r.until
}

func (t *transcript) request(r *order.Request) {
	words(t, &r.Ref)
	words(t, &r.ClOrdID, &r.OrigClOrdID)
	words(t, &r.ValidUntil, &r.SendingTime)
	words(t, &r.Price, &r.StopPx)
	words(t, &r.OrderQty, &r.DisplayQty)
	halves(t, &r.Session)
	halves(t, &r.Connection)
	halves(t, &r.Account)
	halves(t, &r.Trader)
	halves(t, &r.Instrument)
	halves(t, &r.Strategy)
	words(t, &r.Basket)
	quarter(t, &r.BasketLegs)
	octets(t, &r.MsgType)
	octets(t, &r.Side)
	octets(t, &r.OrdType)
	octets(t, &r.TimeInForce)
}

func (t *transcript) decision(d *order.Decision) {
	words(t, &d.Value, &d.Limit)
	t.scope(&d.Scope)
	quarter(t, &d.Reason)
}

// answer carries all of an answer but its number, which its place in the stream
// says.
func (t *transcript) answer(a *order.Answer) {
	words(t, &a.Ref, &a.ConfigVersion)
	words(t, &a.ClOrdID, &a.OrigClOrdID)
	words(t, &a.OrderID)
	words(t, &a.ExecID, &a.ExecRefID)
	words(t, &a.TransactTime)
	words(t, &a.Price, &a.LastPx)
	words(t, &a.OrderQty, &a.LastQty, &a.CumQty, &a.LeavesQty)
	t.decision(&a.Decision)
	halves(t, &a.Affected)
	halves(t, &a.Session)
	halves(t, &a.Account)
	halves(t, &a.Trader)
	halves(t, &a.Instrument)
	octets(t, &a.Kind)
	octets(t, &a.ExecType)
	octets(t, &a.OrdStatus)
	octets(t, &a.Side)
	octets(t, &a.MsgType)
}
