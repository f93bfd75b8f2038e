package simulated

import (
	"math/big"
	"slices"

	"tollgate/order"
)

// do carries out a command by the rules, and reports whether it can be.
func (m *model) do(now int64, c Command) ([]order.Report, bool) {
	m.advance(now)
	done := map[CommandKind]func(Command) bool{
		CommandBust: m.bust, CommandCorrect: m.correct, CommandRepeat: m.repeat, CommandFill: m.fill,
		CommandRestate: m.restate, CommandCancel: m.cancelUnasked, CommandEndDay: m.endDay,
	}[c.Kind](c)
	return m.reports, done
}

func (m *model) execution(id order.ExecID) *modelExecution {
	for i := range m.executions {
		if m.executions[i].ExecID == id {
			return &m.executions[i]
		}
	}
	return nil
}

// sides returns the places of a trade's executions that can be undone, the older
// one first.
func (m *model) sides(id order.ExecID) []int {
	e := m.execution(id)
	if e == nil || e.undone {
		return nil
	}
	ids := []order.ExecID{id}
	if e.other != 0 {
		ids = append(ids, e.other)
	}
	slices.Sort(ids)
	var out []int
	for i := range m.executions {
		if slices.Contains(ids, m.executions[i].ExecID) {
			out = append(out, i)
		}
	}
	return out
}

func (m *model) bust(c Command) bool {
	sides := m.sides(c.ExecID)
	for _, i := range sides {
		e := m.executions[i]
		m.executions[i].undone = true
		o := m.find(e.OrderID)
		o.cumQty -= e.LastQty
		m.say(o, order.Report{
			Kind: order.ReportTradeCancel, ExecRefID: e.ExecID, LastQty: e.LastQty, LastPx: e.LastPx,
		})
		m.remember(0)
		m.executions[len(m.executions)-1].undone = true
		if o.DisplayQty == 0 {
			o.shown = o.shows()
		}
	}
	return len(sides) > 0
}

func (m *model) correct(c Command) bool {
	sides := m.sides(c.ExecID)
	if len(sides) == 0 || c.Qty <= 0 || c.Price == order.Null {
		return false
	}
	for _, i := range sides {
		if !m.canAdd(m.executions[i].OrderID, c.Qty, m.executions[i].LastQty) {
			return false
		}
	}
	for n, i := range sides {
		e := m.executions[i]
		m.executions[i].undone = true
		o := m.find(e.OrderID)
		o.cumQty += c.Qty - e.LastQty
		m.say(o, order.Report{
			Kind: order.ReportTradeCorrect, ExecRefID: e.ExecID, LastQty: c.Qty, LastPx: c.Price,
		})
		other := order.ExecID(0)
		if len(sides) == 2 {
			other = []order.ExecID{m.execID + 1, m.execID - 1}[n]
		}
		m.remember(other)
		o.leftOver()
	}
	return true
}

// canAdd reports whether executed quantity fits after a change.
func (m *model) canAdd(id order.OrderID, added, removed order.Qty) bool {
	sum := big.NewInt(int64(m.find(id).cumQty))
	sum.Add(sum, big.NewInt(int64(added)))
	return sum.Sub(sum, big.NewInt(int64(removed))).IsInt64()
}

// leftOver ends a live order of which nothing is left.
func (o *modelOrder) leftOver() {
	if o.cumQty >= o.OrderQty {
		o.live = false
	} else if o.DisplayQty == 0 {
		o.shown = o.shows()
	} else {
		o.shown = min(o.shown, o.shows())
	}
}

func (m *model) repeat(c Command) bool {
	e := m.execution(c.ExecID)
	if e != nil {
		m.reports = append(m.reports, e.Report)
	}
	return e != nil
}

func (m *model) fill(c Command) bool {
	o := m.find(c.OrderID)
	if o == nil || c.Qty <= 0 || c.Price == order.Null || !m.canAdd(c.OrderID, c.Qty, 0) {
		return false
	}
	o.cumQty += c.Qty
	m.say(o, order.Report{Kind: order.ReportTrade, LastQty: c.Qty, LastPx: c.Price})
	m.remember(0)
	o.leftOver()
	return true
}

func (m *model) restate(c Command) bool {
	o := m.find(c.OrderID)
	if o == nil || c.Qty <= 0 || c.Qty < o.cumQty {
		return false
	}
	filled := !o.ended && c.Qty > o.cumQty && m.liveCount() < m.ordersMax
	if !o.live && !filled {
		return false
	}
	o.live, o.OrderQty = true, c.Qty
	if c.Price != order.Null {
		o.Price = c.Price
	}
	m.say(o, order.Report{Kind: order.ReportRestated})
	m.queueAnew(o)
	m.begin(o)
	return true
}

func (m *model) cancelUnasked(c Command) bool {
	o := m.find(c.OrderID)
	if o == nil || !o.live {
		return false
	}
	m.end(o, order.ReportCanceled, 0)
	return true
}

func (m *model) endDay(Command) bool {
	var ending []*modelOrder
	for i := range m.all {
		o := &m.all[i]
		if o.live && o.TimeInForce != order.TimeInForceGTC && o.TimeInForce != order.TimeInForceGTD {
			ending = append(ending, o)
		}
	}
	slices.SortFunc(ending, func(a, b *modelOrder) int { return int(a.OrderID) - int(b.OrderID) })
	for _, o := range ending {
		m.end(o, order.ReportExpired, 0)
	}
	return true
}
