package document

import (
	"strconv"
	"strings"
	"time"

	"tollgate/order"
	"tollgate/riskcheck"
)

// A limit is a value, or an object where more is said of it:
//
//	openOrders: 100
//	openOrders: {limit: 100, watch: none, warn: 95%, act: reduceOnly}
//	openOrders: {limit: 200, until: 2026-12-01T15:00:00Z, then: 100}

// limitParts are the fields of a limit that is an object.
var limitParts = []string{"limit", "watch", "warn", "act", "until", "then"}

// none is a threshold that is not told.
const none = "none"

// limit reads one limit of a scope.
func (p *limitsParser) limit(it item, scope order.Scope, k *kindInfo) {
	if !it.given() {
		return
	}
	e, ok := k.stated(scope, 0), false
	if it.object() {
		ok = p.parts(it, &e, k)
	} else {
		e.Value, ok = p.value(it, k)
	}
	if ok && p.stands(it, scope, k) {
		p.add(it, e)
	}
}

// value reads the value of a limit, or what it becomes.
func (p *limitsParser) value(it item, k *kindInfo) (int64, bool) {
	if !p.scalar(it, k.unit.want()) {
		return 0, false
	}
	value, err := parseValue(k.unit, it.text())
	if err != nil {
		p.fail(it, "%s is %s, want %s", place(it), quoted(it.text()), k.unit.want())
	}
	return value, err == nil
}

// parts reads a limit that is an object. Everything that is wrong with it is
// recorded; ok is false then.
func (p *limitsParser) parts(it item, e *riskcheck.LimitEntry, k *kindInfo) (ok bool) {
	before := len(p.problems) + p.omitted
	o := p.object(it, limitParts...)
	p.require(o, "limit")
	e.Value, _ = p.value(o.field("limit"), k)
	for _, threshold := range [...]struct {
		field string
		to    *uint8
	}{{"watch", &e.Watch}, {"warn", &e.Warn}} {
		p.threshold(o.field(threshold.field), threshold.to, k)
	}
	if e.Watch > e.Warn && e.Warn != 0 {
		p.fail(o.item, "%s is %d%%, want at most warn, which is %d%%", o.at("watch"), e.Watch, e.Warn)
	}
	p.act(o.field("act"), &e.Act)
	p.temporary(o, e, k)
	return len(p.problems)+p.omitted == before
}

// threshold reads a percentage of the limit.
func (p *limitsParser) threshold(it item, to *uint8, k *kindInfo) {
	const want = "a whole percentage of the limit from 1% to 100%, or none"
	if !p.scalar(it, want) {
		return
	}
	if !k.kind.HasRungs() {
		p.fail(it, "%s is given, but use of %s is not told: want limit and act alone", place(it), k.kind)
		return
	}
	if it.text() == none {
		*to = 0
		return
	}
	digits, percent := strings.CutSuffix(it.text(), "%")
	v, err := strconv.ParseUint(digits, 10, 8)
	if err != nil || !percent || v < 1 || v > 100 {
		p.fail(it, "%s is %s, want %s", place(it), quoted(it.text()), want)
		return
	}
	*to = uint8(v)
}

// acts are what a breach can do.
var acts = [...]riskcheck.LimitAct{riskcheck.ActReject, riskcheck.ActReduceOnly, riskcheck.ActKill}

func (p *limitsParser) act(it item, to *riskcheck.LimitAct) {
	const want = "reject, reduceOnly or kill"
	if !p.scalar(it, want) {
		return
	}
	for _, act := range acts {
		if act.String() == it.text() {
			*to = act
			return
		}
	}
	p.fail(it, "%s is %s, want %s", place(it), quoted(it.text()), want)
}

// temporary reads until when a limit holds and what it is then.
func (p *limitsParser) temporary(o object, e *riskcheck.LimitEntry, k *kindInfo) {
	until, then := o.field("until"), o.field("then")
	if until.given() != then.given() {
		p.fail(o.item, "%s has one of until and then, want both: a limit that ends says what holds afterwards", place(o.item))
	}
	if e.Until = p.time(until); !then.given() {
		return
	}
	var ok bool
	if e.Then, ok = p.value(then, k); ok && e.Then > e.Value {
		p.fail(then, "%s is %s, want at most limit, which is %s: a raise ends by itself, nothing is loosened by itself",
			place(then), formatValue(k.unit, e.Then), formatValue(k.unit, e.Value))
	}
}

// time reads a point in time, ns since 1970 UTC; zero if it is not given.
func (r *reader) time(it item) int64 {
	const want = "a time such as 2026-12-01T15:00:00Z"
	if !r.scalar(it, want) {
		return 0
	}
	t, err := time.Parse(time.RFC3339Nano, it.text())
	if err != nil || t.Before(earliest) || t.After(latest) {
		r.fail(it, "%s is %s, want %s", place(it), quoted(it.text()), want)
		return 0
	}
	return t.UnixNano()
}

// The times that a number of nanoseconds can name, but for zero.
var (
	earliest = time.Unix(0, 1)
	latest   = time.Unix(0, order.Unlimited)
)

// FormatTime writes a time as documents do.
func FormatTime(ns int64) string { return time.Unix(0, ns).UTC().Format(time.RFC3339Nano) }

// FormatLimit writes a limit as documents do: as its value if that says all,
// else as an object.
func FormatLimit(e *riskcheck.LimitEntry) string {
	value := FormatValue(e.Kind, e.Value)
	k := info(e.Kind)
	if k == nil || *e == k.stated(e.Scope, e.Value) {
		return value
	}
	usual := k.stated(e.Scope, e.Value)
	parts := []string{"limit: " + value}
	if e.Watch != usual.Watch {
		parts = append(parts, "watch: "+formatThreshold(e.Watch))
	}
	if e.Warn != usual.Warn {
		parts = append(parts, "warn: "+formatThreshold(e.Warn))
	}
	if e.Act != usual.Act {
		parts = append(parts, "act: "+e.Act.String())
	}
	if e.Until != 0 {
		parts = append(parts, "until: "+FormatTime(e.Until), "then: "+FormatValue(e.Kind, e.Then))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

func formatThreshold(percent uint8) string {
	if percent == 0 {
		return none
	}
	return strconv.Itoa(int(percent)) + "%"
}
