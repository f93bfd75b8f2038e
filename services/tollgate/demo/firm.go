package demo

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"text/template"

	"tollgate/loadtest/flow"
	"tollgate/loadtest/request"
	"tollgate/order"
)

// firm is the invented firm: who exists, and what it may do.
type firm struct {
	meta   *flow.Meta
	Symbol string
}

// The people of the firm, and the programs they run. Numbers of accounts, traders,
// sessions and strategies are their places in these lists, from 1.
var (
	makers     = []string{"A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L"}
	takers     = []string{"X", "Y", "Z"}
	accounts   = append(append([]string{}, makers...), takers...)
	traders    = []string{"ann", "bob", "cho", "dev"}
	strategies = []string{"quote", "sweep"}
)

// strategyOf is the strategy that trades for an account; the others are traded by
// people.
var strategyOf = map[string]order.StrategyID{"K": 1, "L": 1, "Z": 2}

// selfMatch is the group of accounts whose orders must not meet, by account.
var selfMatch = map[string]uint32{"C": 1, "Z": 1}

// sessionCount is how many order entry sessions share the flow; each belongs to
// the client of its own number.
const sessionCount = 4

// instrumentID is the one instrument of the demo.
const instrumentID order.InstrumentID = 1

func newFirm(meta *flow.Meta) *firm {
	symbol := meta.Symbol
	if symbol == "" {
		symbol = "DEMO"
	}
	return &firm{meta: meta, Symbol: symbol}
}

// parties says who sends what: the makers' accounts the orders of the flow, the
// takers' accounts what executes against them.
func (f *firm) parties() request.Config {
	var traderIDs []order.TraderID
	for i := range traders {
		traderIDs = append(traderIDs, order.TraderID(i+1))
	}
	var makerIDs, takerIDs []order.AccountID
	for i := range accounts {
		if i < len(makers) {
			makerIDs = append(makerIDs, order.AccountID(i+1))
		} else {
			takerIDs = append(takerIDs, order.AccountID(i+1))
		}
	}
	cfg := request.Config{
		Instrument: instrumentID,
		Makers:     request.Spread(sessionCount, makerIDs, traderIDs),
		Takers:     request.Spread(sessionCount, takerIDs, traderIDs),
	}
	for _, parties := range [...][]request.Party{cfg.Makers, cfg.Takers} {
		for i := range parties {
			parties[i].Strategy = strategyOf[accounts[parties[i].Account-1]]
		}
	}
	return cfg
}

// isFuture reports whether the flow is that of a future: one of the E-mini S&P
// 500 contracts, whose symbols begin with ES.
func (f *firm) isFuture() bool { return strings.HasPrefix(f.Symbol, "ES") }

// Margin returns what a position takes of an account's cash: a part of a future's
// value, all of everything else.
func (f *firm) Margin() string {
	if f.isFuture() {
		return "10%"
	}
	return "100%"
}

// Multiplier returns the contract multiplier: 50 for the E-mini S&P 500 future,
// else 1.
func (f *firm) Multiplier() order.Multiplier {
	if f.isFuture() {
		return 50 * order.MultiplierOne
	}
	return order.MultiplierOne
}

// rows of the reference document, for the template.
type row struct {
	ID       int
	Name     string
	Group    string
	Accounts string
	Match    uint32 // self-match group of an account
}

func (f *firm) Groups() []row {
	return []row{{ID: 1, Name: "north"}, {ID: 2, Name: "south"}, {ID: 3, Name: "flow"}}
}

func (f *firm) Accounts() []row {
	out := make([]row, len(accounts))
	for i, name := range accounts {
		group := f.Groups()[i%2].Name
		if i >= len(makers) {
			group = "flow"
		}
		out[i] = row{ID: i + 1, Name: name, Group: group, Match: selfMatch[name]}
	}
	return out
}

func (f *firm) Traders() []row {
	out := make([]row, len(traders))
	for i, name := range traders {
		out[i] = row{ID: i + 1, Name: name, Accounts: strings.Join(accounts, ", ")}
	}
	return out
}

func (f *firm) Sessions() []row {
	out := make([]row, sessionCount)
	for i := range out {
		out[i] = row{ID: i + 1, Name: fmt.Sprintf("S%d", i+1), Accounts: strings.Join(accounts, ", ")}
	}
	return out
}

func (f *firm) Strategies() []row {
	out := make([]row, len(strategies))
	for i, name := range strategies {
		out[i] = row{ID: i + 1, Name: name}
	}
	return out
}

func (f *firm) Tick() order.Price  { return max(f.meta.Tick, 1) }
func (f *firm) Lot() order.Qty     { return max(f.meta.Lot, 1) }
func (f *firm) Price() order.Price { return f.meta.FirstPrice }

// Qty returns a multiple of the usual order quantity, in whole lots.
func (f *firm) Qty(multiple int) order.Qty {
	usual := max(f.meta.MedianQty, f.Lot())
	return usual / f.Lot() * f.Lot() * order.Qty(multiple)
}

// LargestQty returns the quantity that one order in a hundred exceeds.
func (f *firm) LargestQty() order.Qty { return max(f.meta.Qty99, f.Lot()) }

// Volume returns what the instrument is taken to trade on a day: twenty of the
// largest usual orders.
func (f *firm) Volume() order.Qty { return 20 * f.LargestQty() }

// Value returns the value of a multiple of the usual order.
func (f *firm) Value(multiple int) order.Money {
	v, ok := order.Notional(f.meta.MedianPrice, f.Qty(multiple), f.Multiplier())
	if !ok {
		return order.Unlimited
	}
	return v
}

// Loss returns a loss that a day's usual moves of the price can make: a two
// hundredth of the usual order.
func (f *firm) Loss() order.Money { return max(f.Value(1)/200, 1) }

// Ratio returns a multiple of the flow's own orders for each execution.
func (f *firm) Ratio(multiple uint64) uint64 {
	c := &f.meta.Counts
	orders := c.Of(flow.KindNew) + c.Of(flow.KindReduce) + c.Of(flow.KindModify)
	return (orders/max(c.Of(flow.KindExecute), 1) + 1) * multiple
}

// Beginning returns a number of orders after the opening book, before which a flow
// may have had no chance to execute any.
func (f *firm) Beginning(orders uint64) uint64 { return f.meta.Opening + orders }

// VolumeRatio returns the same for quantities. Where little is executed there is
// none: what is ordered before the first execution is too much for any ratio.
func (f *firm) VolumeRatio() string {
	const executionsMin = 1000
	if f.meta.Counts.Of(flow.KindExecute) < executionsMin {
		return "unlimited"
	}
	return strconv.FormatUint(f.Ratio(20), 10)
}

var referenceTemplate = template.Must(template.New("reference").Parse(`apiVersion: tollgate/v1
kind: Reference
metadata:
  name: demo
spec:
  firm: {id: 1, name: demo, currency: USD, fxMaxAge: 24h}
  groups:
{{- range .Groups}}
    - {id: {{.ID}}, name: {{.Name}}}
{{- end}}
  accounts:
{{- range .Accounts}}
    - {id: {{.ID}}, name: "{{.Name}}", group: {{.Group}}, currency: USD{{if .Match}}, selfMatch: {{.Match}}{{end}}}
{{- end}}
  traders:
{{- range .Traders}}
    - {id: {{.ID}}, name: {{.Name}}, accounts: [{{.Accounts}}]}
{{- end}}
  sessions:
{{- range .Sessions}}
    - {id: {{.ID}}, name: {{.Name}}, client: {{.ID}}, accounts: [{{.Accounts}}]}
{{- end}}
  strategies:
{{- range .Strategies}}
    - {id: {{.ID}}, name: {{.Name}}}
{{- end}}
  classes:
    - {id: 1, name: traded}
  instruments:
    - id: 1
      name: "{{.Symbol}}"
      class: traded
      currency: USD
      tick: {{.Tick}}
      lot: {{.Lot}}
      minQty: {{.Lot}}
      maxQty: unlimited
      multiplier: {{.Multiplier}}
      settlement: {{.Price}}
      averageDailyVolume: {{.Volume}}
      outstanding: {{.Qty 1000000}}
      margin: {{.Margin}}
      fee: 1bps
      referenceMaxAge: unlimited
      tradable: true
      orderTypes: [limit, market, stop, stop-limit]
      timesInForce: [day, ioc, fok, gtc]
      sides: [buy, sell]
`))

// limitsTemplate gives each of the accounts A to L a limit of its own to run
// into, and every level some; the takers X and Y trade freely inside the firm's.
var limitsTemplate = template.Must(template.New("limits").Parse(`# What no scope states is blocked.
apiVersion: tollgate/v1
kind: Limits
metadata:
  name: demo
spec:
  limits:
    - scope: firm
      permission: deny
      maxOrderQty: {limit: {{.LargestQty}}, watch: none, warn: none}
      maxOrderNotional: {{.Value 1000}}
      collarBps: 5%
      marketProtectionBps: 1%
      participationBps: 50%
      duplicateOrders: 60
      duplicateWindow: 20ms
      messagesPerDay: 1000000000
      ordersAndCancelsPerDay: 2000000000
      strategyExecutions: 1000000
      openOrders: 100000
      openNotional: {{.Value 1000000}}
      positionLong: {{.Qty 100000}}
      positionShort: {{.Qty 100000}}
      grossExposure: {{.Value 1000000}}
      netExposure: {{.Value 500000}}
      creditLine: {{.Value 1000}}
      shortSelling: free
      turnoverPerDay: {{.Value 100000000}}
      turnoverPerMinute: {{.Value 10000000}}
      dailyLoss: {limit: {{.Value 10000}}, act: kill}
      dailyLossFromPeak: {{.Value 20000}}
      orderToTrade: {{.Ratio 20}}
      orderToTradeMinimum: {{.Beginning 1000}}
      selfMatch: allow
      consecutiveRejects: unlimited
      basketOrders: 100
      basketNotional: {{.Value 2000}}
    - scope: firm
      class: traded
      orderToTradeVolume: {{.VolumeRatio}}
      orderToTradeMinimum: {{.Beginning 5000}}
      grossExposure: {{.Value 900000}}
    - scope: group/north
      openNotional: {{.Value 5000}}
    - scope: group/south
      turnoverPerDay: {{.Value 50000000}}
    - scope: group/flow
      class: traded
      positionLong: {{.Qty 50000}}
      positionShort: {{.Qty 50000}}
    - scope: account/A
      maxOrderNotional: {limit: {{.Value 3}}, watch: none, warn: none}
    - scope: account/B
      messagesPerSecond: 100
      messagesPerDay: 1000
    - scope: account/C
      openOrders: 20
    - scope: account/D
      openNotional: {{.Value 60}}
    - scope: account/E
      positionLong: {{.Qty 40}}
      positionShort: {{.Qty 40}}
    - scope: account/F
      grossExposure: {{.Value 80}}
    - scope: account/G
      netExposure: {{.Value 50}}
    - scope: account/H
      permission: deny
      permitListedSell: ["{{.Symbol}}"]
      consecutiveRejects: 1000
      consecutiveRejectsWindow: 50ms
    - scope: account/I
      shortSelling: forbidden
    - scope: account/J
      creditLine: {{.Value 10}}
    - scope: account/K
      turnoverPerDay: {{.Value 2000}}
    - scope: account/L
      dailyLoss: {{.Loss}}
    - scope: trader/ann
      maxOrderQty: {limit: {{.LargestQty}}, watch: none, warn: none}
      orderToTrade: {{.Ratio 3}}
      orderToTradeMinimum: {{.Beginning 500}}
    - scope: trader/bob
      participationBps: {limit: 4%, watch: none, warn: none}
    - scope: trader/dev
      consecutiveRejects: 1000
      consecutiveRejectsWindow: 10ms
    - scope: session/S1
      turnoverPerMinute: {{.Value 5000000}}
    - scope: session/S2
      duplicateOrders: 10
      ordersAndCancelsPerDay: 1000000000
    - scope: strategy/quote
      openOrders: 20000
      strategyExecutions: 100000
    - scope: strategy/sweep
      selfMatch: reject
      strategyExecutions: 2000
`))

// documents returns reference data and limits as the files operators write.
func (f *firm) documents() (reference, limits []byte, err error) {
	var r, l bytes.Buffer
	if err := referenceTemplate.Execute(&r, f); err != nil {
		return nil, nil, err
	}
	if err := limitsTemplate.Execute(&l, f); err != nil {
		return nil, nil, err
	}
	return r.Bytes(), l.Bytes(), nil
}
