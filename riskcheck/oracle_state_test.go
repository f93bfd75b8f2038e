package riskcheck_test

import (
	"math/big"

	"tollgate/order"
	"tollgate/riskcheck"
)

// The inputs that say how things are, from outside.

func (o *oracle) setCash(now int64, a order.AccountID, m order.Money) bool {
	defer o.begin(now)()
	if o.world.account(a) == nil {
		return false
	}
	o.cash = append(o.cash, cashStep{a, num(int64(m)), o.gains(a)})
	return true
}

// setPosition says what an account holds. What it held before and what it holds
// now are worth the same in profit and loss: the difference is taken from cash.
func (o *oracle) setPosition(now int64, a order.AccountID, i order.InstrumentID, qty order.Qty) bool {
	defer o.begin(now)()
	account, row := o.world.account(a), o.world.instrument(i)
	if account == nil || row == nil {
		return false
	}
	own := accountScope(a)
	own.Instrument = i
	if row.outstanding != 0 && magnitude(num(int64(qty))).Cmp(num(int64(row.outstanding))) > 0 {
		o.alert(own, riskcheck.Alert{
			Cause: riskcheck.AlertImplausiblePosition, Value: int64(qty), Limit: int64(row.outstanding),
		})
		o.latch(own, riskcheck.LatchImplausiblePosition)
		return false
	}
	id := identity{group: account.group, account: a, instrument: i, class: row.class}
	whole := []order.Scope{
		{Type: order.ScopeFirm, ID: o.world.firm}, {Type: order.ScopeGroup, ID: uint32(account.group)}, accountScope(a),
	}
	held := o.measure(nil, own).position()
	move := adjustment{id, minus(num(int64(qty)), held), map[order.Scope]*big.Int{}}
	for _, s := range whole {
		narrow := s
		narrow.Instrument = i
		before := o.measure(nil, narrow).position()
		was, known := o.worthOf(before, row, s)
		is, ok := o.worthOf(plus(before, move.qty), row, s)
		move.flow[s] = nil
		if known && ok {
			move.flow[s] = minus(was, is)
		}
	}
	o.moved = append(o.moved, move)
	o.judgeLosses(false)
	return true
}

// worthOf is what a position is worth in the money of a scope; false if it has no
// value.
func (o *oracle) worthOf(position *big.Int, i *instrumentRow, s order.Scope) (*big.Int, bool) {
	if position.Sign() == 0 {
		return new(big.Int), true
	}
	_, worth, ok := o.positionValue(position, i, o.currencyOf(s))
	if !ok {
		return new(big.Int), false
	}
	return worth, true
}

func (o *oracle) setLocate(now int64, a order.AccountID, i order.InstrumentID, q order.Qty) bool {
	defer o.begin(now)()
	if o.world.account(a) == nil || o.world.instrument(i) == nil || q < 0 {
		return false
	}
	o.locates = append(o.locates, locateStep{a, i, q})
	return true
}

func (o *oracle) setFxRate(now int64, currency string, rate order.FxRate, seen int64) bool {
	defer o.begin(now)()
	if rate <= 0 || currency == o.world.currency || !in(currency, o.used) {
		return false
	}
	o.fx = append(o.fx, fxStep{currency, rate, max(1, min(seen, o.now))})
	o.judgeLosses(false)
	return true
}

func (o *oracle) setMarketState(now int64, i order.InstrumentID, s order.MarketState, short bool) bool {
	defer o.begin(now)()
	if o.world.instrument(i) == nil || !s.Valid() {
		return false
	}
	o.markets = append(o.markets, marketStep{i, s, short})
	return true
}

// rollDay begins a day of the firm. Names of orders that have ended can be given
// again.
func (o *oracle) rollDay(now int64, number uint32) bool {
	defer o.begin(now)()
	if number <= o.days[0].number {
		return false
	}
	o.days[0] = day{number, o.next()}
	for _, s := range o.everybody {
		total, _ := o.profitEver(s)
		o.bases[s] = &profitBase{base: total, peak: new(big.Int)}
	}
	o.forgotten = nil
	for _, s := range o.sessions {
		s.used = map[order.ClOrdID]bool{}
	}
	for _, ord := range o.orders {
		if !ord.live() {
			ord.names = nil
			continue
		}
		for _, s := range o.sessions {
			for _, name := range ord.names {
				if s.id == ord.session {
					s.used[name] = true
				}
			}
		}
	}
	o.judgeLosses(true)
	return true
}

// rollCalendar begins a day for the instruments of a calendar.
func (o *oracle) rollCalendar(now int64, c order.CalendarID, number uint32) bool {
	defer o.begin(now)()
	used := false
	for i := range o.world.instruments {
		used = used || o.world.instruments[i].calendar == c
	}
	if c == 0 || !used || number <= o.days[c].number {
		return false
	}
	o.days[c] = day{number, o.next()}
	return true
}
