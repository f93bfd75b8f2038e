package ctl

import (
	"fmt"
	"io"

	adminv1 "tollgate/proto/tollgate/admin/v1"
)

func (p *portrait) print(w io.Writer) error {
	facts := &table{titles: []string{scopePhrase(p.exposure.GetScope()), ""}}
	p.addUse(facts)
	p.addCash(facts)
	p.addDay(facts)
	if p.session != nil {
		facts.addCells(cell{text: "connection"}, sessionState(p.session))
		facts.add("gateway", or(p.session.GetGateway(), "none"))
		facts.add("accounts", list(p.session.GetAccounts()))
	}
	by := p.limits.GetAppliedBy()
	facts.add("limits version", fmt.Sprintf("%d, by %s at %s", p.limits.GetResourceVersion(), or(by.GetActor(), "nobody"),
		clock(by.GetTimeNs())))
	if err := facts.print(w); err != nil {
		return err
	}
	m := p.exposure
	err := printDetails(w, killTable(m.GetKills()), latchTable(m.GetLatches()), limitTable(m.GetLimits()),
		instrumentTable(m.GetInstruments(), m.GetCash() != nil || m.GetScope().GetType() == accountType),
		classTable(m.GetClasses()), orderTable(p.orders.GetOrders()))
	if err != nil {
		return err
	}
	return sayMore(w, p.orders)
}

const accountType = adminv1.ScopeType_SCOPE_TYPE_ACCOUNT

// addUse adds what is open and held.
func (p *portrait) addUse(facts *table) {
	m := p.exposure
	facts.add("open orders", count(m.GetOpenOrders()))
	facts.add("open buys", grouped(m.GetOpenBuyNotional()))
	facts.add("open sells", grouped(m.GetOpenSellNotional()))
	facts.add("positions, gross", grouped(m.GetGrossPositionValue()))
	facts.add("positions, net", grouped(m.GetNetPositionValue()))
	facts.add("exposure, gross", grouped(m.GetGrossExposure()))
	facts.add("exposure, net", grouped(m.GetNetExposure()))
	facts.add("currency", m.GetCurrency())
}

// addCash adds what an account has for BUYING_POWER.
func (p *portrait) addCash(facts *table) {
	c := p.exposure.GetCash()
	if c == nil {
		return
	}
	facts.add("cash", grouped(c.GetCash()))
	facts.add("equity", grouped(c.GetEquity()))
	facts.add("margin and fees", grouped(c.GetRequired()))
	if !c.GetValued() {
		facts.addCells(cell{}, cell{text: "a position has no value: only orders that reduce it pass", tone: red})
	}
}

// addDay adds what has come together since the day rolled.
func (p *portrait) addDay(facts *table) {
	d := p.exposure.GetDay()
	facts.add("today", fmt.Sprintf("%s, %s", plural(d.GetOrders(), "order", "orders"),
		plural(d.GetTrades(), "trade", "trades")))
	facts.add("executed today", grouped(d.GetExecuted()))
	facts.add("ordered in a minute", grouped(d.GetMinuteAdded()))
	if scope := p.exposure.GetScope(); scope.GetInstrument() == "" && scope.GetClass() == "" {
		facts.add("messages today", fmt.Sprintf("%s, with cancels %s", count(d.GetMessages()),
			count(d.GetOrdersAndCancels())))
		facts.add("profit today", profitText(d))
		facts.add("rejects in a row", count(d.GetRejects()))
	} else {
		facts.add("quantity today", fmt.Sprintf("%s ordered, %s executed", grouped(d.GetOrderedQty()),
			grouped(d.GetExecutedQty())))
	}
	if p.exposure.GetScope().GetType() == adminv1.ScopeType_SCOPE_TYPE_STRATEGY {
		facts.add("since its release", plural(d.GetExecutions(), "order", "orders"))
	}
}

// profitText writes the profit of the day and its peak.
func profitText(d *adminv1.DayUse) string {
	if !d.GetValued() {
		return "not known: a position has no value"
	}
	return grouped(d.GetProfit()) + ", at most " + grouped(d.GetPeak())
}

// printDetails prints the tables that have rows.
func printDetails(w io.Writer, tables ...*table) error {
	for _, t := range tables {
		if len(t.rows) == 0 {
			continue
		}
		if _, err := io.WriteString(w, "\n"); err != nil {
			return err
		}
		if err := t.print(w); err != nil {
			return err
		}
	}
	return nil
}

func limitTable(limits []*adminv1.LimitUse) *table {
	t := &table{titles: []string{"LIMIT", "INSTRUMENT", ">VALUE", ">USED", ">SHARE", "RUNG", "WORST"}}
	for _, l := range limits {
		t.addCells(cell{text: l.GetLimit().GetKind()}, cell{text: within(l.GetLimit().GetScope())},
			cell{text: grouped(l.GetLimit().GetValue())}, cell{text: grouped(l.GetUsed())}, share(l.UsedBps),
			rungCell(l.GetRung()), cell{text: l.GetInstrument()})
	}
	return t
}

// rungCell says how far the use of a limit has come.
func rungCell(r adminv1.Rung) cell {
	switch r {
	case adminv1.Rung_RUNG_WATCH:
		return cell{text: "watch", tone: yellow}
	case adminv1.Rung_RUNG_WARN:
		return cell{text: "warn", tone: yellow}
	case adminv1.Rung_RUNG_ACT:
		return cell{text: "above", tone: red}
	}
	return cell{}
}

// instrumentTable shows what a scope has in instruments; what is located is an
// account's.
func instrumentTable(instruments []*adminv1.InstrumentExposure, located bool) *table {
	t := &table{titles: []string{"INSTRUMENT", ">ORDERS", ">BUYING", ">SELLING", ">POSITION", ">WORTH"}}
	if located {
		t.titles = append(t.titles, ">LOCATED", ">SHORTED")
	}
	for _, i := range instruments {
		row := []string{
			i.GetInstrument(), count(i.GetOpenOrders()), grouped(i.GetOpenBuyQty()), grouped(i.GetOpenSellQty()),
			grouped(i.GetNetPosition()), grouped(i.GetPositionValue()),
		}
		if located {
			row = append(row, grouped(i.GetLocated()), grouped(i.GetShorted()))
		}
		t.add(row...)
	}
	return t
}

func classTable(classes []*adminv1.ClassExposure) *table {
	t := &table{titles: []string{"CLASS", ">ORDERS", ">BUYING", ">SELLING", ">POSITION", ">WORTH"}}
	for _, c := range classes {
		t.add(c.GetClass(), count(c.GetOpenOrders()), grouped(c.GetOpenBuyQty()), grouped(c.GetOpenSellQty()),
			grouped(c.GetNetPosition()), grouped(c.GetGrossPositionValue()))
	}
	return t
}

// holderTable shows who has an instrument.
func holderTable(scopes []*adminv1.ScopeExposure) *table {
	t := &table{titles: []string{
		"SCOPE", ">ORDERS", ">BUYING", ">SELLING", ">POSITION", ">WORTH", "", ">LOCATED", "TIGHTEST LIMIT", ">USED", "STATE",
	}}
	for _, m := range scopes {
		held := &adminv1.InstrumentExposure{}
		if all := m.GetInstruments(); len(all) > 0 {
			held = all[0]
		}
		limit, used := tightest(m)
		t.addCells(cell{text: scopeName(m.GetScope())}, cell{text: count(m.GetOpenOrders())},
			cell{text: grouped(held.GetOpenBuyQty())}, cell{text: grouped(held.GetOpenSellQty())},
			cell{text: grouped(held.GetNetPosition())}, cell{text: grouped(held.GetPositionValue())},
			cell{text: m.GetCurrency()}, cell{text: grouped(held.GetLocated())}, cell{text: limit}, used, scopeState(m))
	}
	return t
}

func instrumentFacts(i *adminv1.Instrument) *table {
	t := &table{titles: []string{"instrument " + i.GetName(), ""}}
	t.add("id", number(i.GetId()))
	t.add("currency", i.GetCurrency())
	t.add("tradable", yesNo(i.GetTradable()))
	t.add("tick", i.GetTick())
	t.add("lot", grouped(i.GetLot()))
	t.add("quantity", grouped(i.GetMinQty())+" to "+grouped(i.GetMaxQty()))
	t.add("multiplier", grouped(i.GetMultiplier()))
	t.add("settlement", grouped(or(i.GetSettlement(), "none")))
	t.add("limits of the day", grouped(or(i.GetLowLimit(), "none"))+" to "+grouped(or(i.GetHighLimit(), "none")))
	t.add("reference age", "at most "+i.GetReferenceMaxAge())
	t.add("zero price", yesNo(i.GetAllowZeroPrice()))
	t.add("negative price", yesNo(i.GetAllowNegativePrice()))
	t.add("order types", list(i.GetOrderTypes()))
	t.add("times in force", list(i.GetTimesInForce()))
	t.add("sides", list(i.GetSides()))
	t.add("class", or(i.GetClass(), "none"))
	t.add("calendar", or(i.GetCalendar(), "the firm's"))
	t.add("daily volume", unless(i.GetAverageDailyVolume(), "0", "not known"))
	t.add("outstanding", unless(i.GetOutstanding(), "0", "no bound"))
	t.add("margin", i.GetMargin())
	t.add("fee", i.GetFee())
	t.add("display quantity", yesNo(i.GetDisplayQty()))
	t.add("replace quantity", i.GetReplaceQty())
	return t
}

// unless writes a number, or what it means when it has the value.
func unless(text, value, meaning string) string {
	if text == value {
		return meaning
	}
	return grouped(text)
}

func yesNo(is bool) string {
	if is {
		return "yes"
	}
	return "no"
}
