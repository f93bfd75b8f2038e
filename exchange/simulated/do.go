package simulated

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"tollgate/order"
)

// Do carries out a command at time now, ns since 1970 UTC; a time before an
// earlier one counts as the earlier one. What has come of it is in Reports. An
// error says what is wrong with the command, which then has changed nothing; the
// time has passed all the same, and orders may have expired.
func (v *Venue) Do(now int64, c *Command) error {
	v.begin(now)
	err := v.obey(c)
	v.log.reported(v.now, v.reports, v.refusal)
	return err
}

func (v *Venue) obey(c *Command) error {
	switch c.Kind {
	case CommandBust:
		return v.bust(c)
	case CommandCorrect:
		return v.correct(c)
	case CommandRepeat:
		return v.repeat(c)
	case CommandFill:
		return v.fill(c)
	case CommandRestate:
		return v.restate(c)
	case CommandCancel:
		return v.cancelUnasked(c)
	case CommandEndDay:
		v.endDay()
		return nil
	}
	return fmt.Errorf("command kind is %d: want %d to %d", c.Kind, CommandBust, CommandEndDay)
}

// sidesOf returns the execution a command names and, if the trade has another
// side, that one as well, in the order in which they were reported. Both can be
// undone: they are remembered, and so are their orders.
func (v *Venue) sidesOf(id order.ExecID) ([]*execution, error) {
	one, err := v.undoable(id)
	if err != nil {
		return nil, err
	}
	if one.other == 0 {
		return []*execution{one}, nil
	}
	other, err := v.undoable(one.other)
	if err != nil {
		return nil, fmt.Errorf("the other side of execution %d: %w", id, err)
	}
	if other.report.ExecID < one.report.ExecID {
		one, other = other, one
	}
	return []*execution{one, other}, nil
}

func (v *Venue) undoable(id order.ExecID) (*execution, error) {
	e := v.executions.find(id)
	switch {
	case e == nil:
		return nil, fmt.Errorf("execution %d is not one of the last %d that are remembered", id, len(v.executions.ring))
	case e.undone:
		return nil, fmt.Errorf("execution %d was canceled or corrected before", id)
	}
	_, err := v.remembered(e.report.OrderID)
	return e, err
}

// remembered returns the order of that name, live or ended.
func (v *Venue) remembered(id order.OrderID) (slot, error) {
	at := v.orders.find(id)
	if at == none {
		return none, fmt.Errorf("order %d is unknown, or ended so long ago that it is forgotten", id)
	}
	return at, nil
}

// bust undoes a trade.
func (v *Venue) bust(c *Command) error {
	sides, err := v.sidesOf(c.ExecID)
	if err != nil {
		return err
	}
	for _, e := range sides {
		e.undone = true
		v.bustSide(e)
	}
	return nil
}

func (v *Venue) bustSide(e *execution) {
	at := v.orders.find(e.report.OrderID)
	v.orders.slab[at].cumQty -= e.report.LastQty
	r := v.report(at, order.ReportTradeCancel, 0)
	r.ExecRefID, r.LastQty, r.LastPx = e.report.ExecID, e.report.LastQty, e.report.LastPx
	v.executions.add(r, 0)
	v.executions.find(r.ExecID).undone = true // it can be said again, and that is all
}

// correct gives a trade another quantity and price.
func (v *Venue) correct(c *Command) error {
	sides, err := v.sidesOf(c.ExecID)
	if err != nil {
		return err
	}
	if err := judgeExecution(c); err != nil {
		return err
	}
	for _, e := range sides {
		if err := v.judgeAdded(v.orders.find(e.report.OrderID), c.Qty-e.report.LastQty); err != nil {
			return err
		}
	}
	other := order.ExecID(0)
	if len(sides) == 2 {
		other = v.execID + 2
	}
	for _, e := range sides {
		e.undone = true
		added, meant := c.Qty-e.report.LastQty, e.report.ExecID
		v.execute(v.orders.find(e.report.OrderID), added, func(r *order.Report) {
			r.Kind, r.ExecRefID, r.LastQty, r.LastPx = order.ReportTradeCorrect, meant, c.Qty, c.Price
			v.executions.add(r, other)
		})
		other = v.execID
	}
	return nil
}

// judgeExecution judges the numbers of an execution.
func judgeExecution(c *Command) error {
	switch {
	case c.Qty <= 0:
		return fmt.Errorf("the quantity executed is %v: it must be above zero", c.Qty)
	case c.Price == order.Null:
		return errors.New("the price is missing")
	}
	return nil
}

// judgeAdded judges whether an order's executed quantity may change by so much.
func (v *Venue) judgeAdded(at slot, added order.Qty) error {
	o := &v.orders.slab[at]
	if _, fits := order.AddQty(o.cumQty, added); !fits {
		return fmt.Errorf("the executed quantity of order %d is %v and cannot grow by %v", o.id, o.cumQty, added)
	}
	return nil
}

// execute changes what is executed of an order, outside its book, and reports it;
// say completes the report, which names a trade. A live order of which nothing
// is left has ended.
func (v *Venue) execute(at slot, added order.Qty, say func(*order.Report)) {
	o := &v.orders.slab[at]
	o.cumQty += added
	o.shown = min(o.shown, o.open())
	say(v.report(at, order.ReportTrade, 0))
	if o.live && o.open() <= 0 {
		v.withdraw(at)
		v.finish(at)
	}
}

// repeat says a report once more.
func (v *Venue) repeat(c *Command) error {
	e := v.executions.find(c.ExecID)
	if e == nil {
		return fmt.Errorf("execution %d is not one of the last %d that are remembered", c.ExecID, len(v.executions.ring))
	}
	v.reports = append(v.reports, e.report)
	return nil
}

// fill executes an order outside its book.
func (v *Venue) fill(c *Command) error {
	at, err := v.remembered(c.OrderID)
	if err != nil {
		return err
	}
	if err := judgeExecution(c); err != nil {
		return err
	}
	if err := v.judgeAdded(at, c.Qty); err != nil {
		return err
	}
	v.execute(at, c.Qty, func(r *order.Report) {
		r.LastQty, r.LastPx = c.Qty, c.Price
		v.executions.add(r, 0)
	})
	return nil
}

// restate changes an order's quantity and price.
func (v *Venue) restate(c *Command) error {
	at, err := v.remembered(c.OrderID)
	if err != nil {
		return err
	}
	if err := v.judgeRestate(at, c); err != nil {
		return err
	}
	o := &v.orders.slab[at]
	if o.live {
		v.withdraw(at)
	} else {
		v.revive(at)
	}
	o.orderQty = c.Qty
	if c.Price != order.Null {
		o.price = c.Price
	}
	v.anew(at, order.ReportRestated, 0)
	return nil
}

func (v *Venue) judgeRestate(at slot, c *Command) error {
	o := &v.orders.slab[at]
	switch {
	case c.Qty <= 0 || c.Qty < o.cumQty:
		return fmt.Errorf("the quantity is %v: it must be above zero and not below what is executed, %v", c.Qty, o.cumQty)
	case o.live:
		return nil
	case o.canceled || c.Qty == o.cumQty:
		return fmt.Errorf("order %d has ended: only a filled one lives again, with more than the %v executed", o.id, o.cumQty)
	case v.orders.full():
		return fmt.Errorf("order %d cannot live again: there are %d live orders, the most there may be", o.id, v.orders.live)
	}
	return nil
}

// revive makes an ended order a live one that is in no queue.
func (v *Venue) revive(at slot) {
	v.orders.revive(at)
	if v.orders.slab[at].inForce == order.TimeInForceGTD {
		v.expiries.add(v.orders.slab, at)
	}
}

// cancelUnasked cancels a live order.
func (v *Venue) cancelUnasked(c *Command) error {
	at, err := v.remembered(c.OrderID)
	if err != nil {
		return err
	}
	if !v.orders.slab[at].live {
		return fmt.Errorf("order %d has ended", c.OrderID)
	}
	v.withdraw(at)
	v.end(at, order.ReportCanceled, 0)
	return nil
}

// endDay expires the orders that do not outlive the day.
func (v *Venue) endDay() {
	v.ending = v.ending[:0]
	for at := slot(0); at < v.orders.used; at++ {
		o := &v.orders.slab[at]
		if o.live && o.inForce != order.TimeInForceGTC && o.inForce != order.TimeInForceGTD {
			v.ending = append(v.ending, at)
		}
	}
	slices.SortFunc(v.ending, func(a, b slot) int { return cmp.Compare(v.orders.slab[a].id, v.orders.slab[b].id) })
	for _, at := range v.ending {
		v.expire(at)
	}
}
