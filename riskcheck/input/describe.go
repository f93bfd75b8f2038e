package input

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"tollgate/order"
	"tollgate/riskcheck"
)

// Describe returns one line that tells people what an input says. The error wraps
// ErrMalformed.
func Describe(kind Kind, payload []byte) (string, error) {
	var in Input
	if err := in.Decode(kind, payload); err != nil {
		return "", err
	}
	return in.String(), nil
}

// String returns one line that tells people what the input says. What comes from
// people ends with who asked for it, and why.
func (in *Input) String() string {
	if !in.Kind.Known() {
		return in.Kind.String()
	}
	if !in.Kind.Commanded() {
		return strings.TrimRight(in.Kind.String()+" "+in.event(), " ")
	}
	text := in.Kind.String() + " " + in.command()
	if in.By.Author != "" {
		text += fmt.Sprintf(", by %q", in.By.Author)
	}
	if in.By.Reason != "" {
		text += fmt.Sprintf(", because %q", in.By.Reason)
	}
	return text
}

// event describes what comes with time, over connections and from the venue.
func (in *Input) event() string {
	switch in.Kind {
	case KindRequest:
		return requestText(&in.Request)
	case KindReport:
		return reportText(&in.Report)
	case KindPrice:
		p := &in.Price
		return fmt.Sprintf("%s of instrument %d from source %s, seen %s", p.Price, p.Instrument, p.Source, timeText(p.Time))
	case KindLogin:
		l := &in.Login
		return fmt.Sprintf("S%d client %d wants answers from %d, cancel on disconnect %s", l.Session, l.Client, l.WantOutSeq,
			graceText(l.CancelOnDisconnectNs))
	case KindDisconnected:
		return fmt.Sprintf("S%d connection %d", in.Session, in.Connection)
	case KindAckAnswers:
		return fmt.Sprintf("S%d up to %d", in.Session, in.OutSeq)
	case KindVenueUp:
		return fmt.Sprintf("instance %d next report %d", in.Instance, in.NextReport)
	case KindStart:
		return fmt.Sprintf("epoch %d", in.Epoch)
	}
	return ""
}

// command describes what comes from people.
func (in *Input) command() string {
	switch in.Kind {
	case KindReference:
		return referenceText(&in.Reference)
	case KindLimits:
		return limitsText(&in.Limits)
	case KindKill, KindUnkill:
		return scopeText(in.Scope)
	case KindRelease:
		return fmt.Sprintf("%s from %s", scopeText(in.Scope), in.Latch)
	case KindCash:
		return fmt.Sprintf("%s of account %d", in.Cash, in.Account)
	case KindPosition, KindLocate:
		return fmt.Sprintf("%s of instrument %d for account %d", in.Qty, in.Instrument, in.Account)
	case KindFxRate:
		return fmt.Sprintf("%s at %s, seen %s", currencyText(in.Currency), in.Rate, timeText(in.SeenNs))
	case KindMarketState:
		text := fmt.Sprintf("%s of instrument %d", in.Market, in.Instrument)
		if in.ShortRestricted {
			text += ", short sales restricted"
		}
		return text
	case KindRollDay:
		return fmt.Sprint(in.Day)
	}
	return fmt.Sprintf("%d of calendar %d", in.Day, in.Calendar)
}

// line puts words together, and leaves out those that say nothing.
type line struct{ strings.Builder }

func (l *line) say(format string, values ...any) { fmt.Fprintf(l, format, values...) }

func (l *line) sayIf(said bool, format string, values ...any) {
	if said {
		l.say(format, values...)
	}
}

func requestText(r *order.Request) string {
	var l line
	l.say("S%d ref %d %s", r.Session, r.Ref, r.MsgType)
	l.sayIf(r.ClOrdID != 0, " clordid %d", r.ClOrdID)
	l.sayIf(r.OrigClOrdID != 0, " of clordid %d", r.OrigClOrdID)
	l.sayIf(r.Side != 0, " %s", r.Side)
	l.sayIf(r.OrderQty != 0, " %s", r.OrderQty)
	priced := r.MsgType == order.MsgNewOrder || r.MsgType == order.MsgReplaceOrder
	l.sayIf(priced && r.Price != order.Null, " @ %s", r.Price)
	l.sayIf(priced && r.StopPx != order.Null, " stop %s", r.StopPx)
	l.sayIf(r.Instrument != 0, " of instrument %d", r.Instrument)
	l.sayIf(r.Account != 0, " for account %d", r.Account)
	l.sayIf(r.Trader != 0, " trader %d", r.Trader)
	l.sayIf(r.Strategy != 0, " strategy %d", r.Strategy)
	l.sayIf(r.TimeInForce != 0, " %s", r.TimeInForce)
	l.sayIf(r.OrdType != 0, " %s", r.OrdType)
	l.sayIf(r.DisplayQty != 0, ", shows %s", r.DisplayQty)
	l.sayIf(r.Basket != 0, ", of the %d orders of list %d", r.BasketLegs, r.Basket)
	l.sayIf(r.ValidUntil != 0, ", valid until %s", timeText(r.ValidUntil))
	l.sayIf(r.Connection != 0, ", connection %d", r.Connection)
	return l.String()
}

func reportText(r *order.Report) string {
	var l line
	l.say("%d %s order %d clordid %d S%d", r.ReportSeq, r.Kind, r.OrderID, r.ClOrdID, r.Session)
	l.sayIf(r.Seq != 0, " answers %d", r.Seq)
	l.sayIf(r.ExecID != 0, " execution %d", r.ExecID)
	l.sayIf(r.ExecRefID != 0, " of execution %d", r.ExecRefID)
	l.sayIf(r.Side != 0, " %s", r.Side)
	l.sayIf(r.LastQty != 0, " %s @ %s", r.LastQty, r.LastPx)
	l.sayIf(r.Instrument != 0, " of instrument %d", r.Instrument)
	l.sayIf(r.Account != 0, " for account %d", r.Account)
	l.sayIf(r.Trader != 0, " trader %d", r.Trader)
	l.sayIf(r.Strategy != 0, " strategy %d", r.Strategy)
	l.say(", executed %s of %s, open %s", r.CumQty, r.OrderQty, r.LeavesQty)
	l.sayIf(r.Price != order.Null, " @ %s", r.Price)
	l.sayIf(r.Reason != order.ReasonNone, ", %s", r.Reason)
	return l.String()
}

func referenceText(ref *riskcheck.Reference) string {
	return fmt.Sprintf("firm %d in %s: groups %d, accounts %d, traders %d, sessions %d, strategies %d, classes %d, "+
		"instruments %d", ref.Firm.ID, currencyText(ref.Firm.Currency), len(ref.Groups), len(ref.Accounts),
		len(ref.Traders), len(ref.Sessions), len(ref.Strategies), len(ref.Classes), len(ref.Instruments))
}

// limitsText names the first limits of a set and says how many more there are.
// Values are the integers that the engine counts in.
func limitsText(set *riskcheck.LimitSet) string {
	var l line
	l.say("of %d entries", len(set.Entries))
	for i := range min(len(set.Entries), entriesDescribedMax) {
		e := &set.Entries[i]
		l.say("; %s %s at %s", e.Kind, limitText(e.Value), scopeText(e.Scope))
		l.sayIf(e.Until != 0, " until %s then %s", timeText(e.Until), limitText(e.Then))
		l.sayIf(e.Act != 0, " act %s", e.Act)
	}
	more := len(set.Entries) - entriesDescribedMax
	l.sayIf(more > 0, "; %d more", more)
	return l.String()
}

func limitText(value int64) string {
	if value == order.Unlimited {
		return "unlimited"
	}
	return strconv.FormatInt(value, 10)
}

func scopeText(s order.Scope) string {
	var l line
	l.say("%s %d", s.Type, s.ID)
	l.sayIf(s.Instrument != 0, " instrument %d", s.Instrument)
	l.sayIf(s.Class != 0, " class %d", s.Class)
	return l.String()
}

// currencyText writes a code so that it stays on its line whatever it is made of.
func currencyText(c riskcheck.Currency) string {
	return strings.Trim(fmt.Sprintf("%q", c.String()), `"`)
}

func timeText(ns int64) string { return time.Unix(0, ns).UTC().Format(time.RFC3339Nano) }

func graceText(ns int64) string {
	if ns == 0 {
		return "off"
	}
	return "after " + time.Duration(ns).String()
}
