package demo

import (
	"bytes"
	"fmt"
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

// The people of the firm. Numbers of accounts, traders and sessions are their
// places in these lists, from 1.
var (
	makers   = []string{"A", "B", "C", "D", "E", "F", "G", "H", "I", "J", "K", "L"}
	takers   = []string{"X", "Y", "Z"}
	accounts = append(append([]string{}, makers...), takers...)
	traders  = []string{"ann", "bob", "cho", "dev"}
)

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
	return request.Config{
		Instrument: instrumentID,
		Makers:     request.Spread(sessionCount, makerIDs, traderIDs),
		Takers:     request.Spread(sessionCount, takerIDs, traderIDs),
	}
}

// Multiplier returns the contract multiplier: 50 for the E-mini S&P 500 future,
// whose symbols begin with ES, else 1.
func (f *firm) Multiplier() order.Multiplier {
	if strings.HasPrefix(f.Symbol, "ES") {
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
		out[i] = row{ID: i + 1, Name: name, Group: group}
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

// Value returns the value of a multiple of the usual order.
func (f *firm) Value(multiple int) order.Money {
	v, ok := order.Notional(f.meta.MedianPrice, f.Qty(multiple), f.Multiplier())
	if !ok {
		return order.Unlimited
	}
	return v
}

var referenceTemplate = template.Must(template.New("reference").Parse(`apiVersion: tollgate/v1
kind: Reference
metadata:
  name: demo
spec:
  firm: {id: 1, name: demo, currency: USD}
  groups:
{{- range .Groups}}
    - {id: {{.ID}}, name: {{.Name}}}
{{- end}}
  accounts:
{{- range .Accounts}}
    - {id: {{.ID}}, name: "{{.Name}}", group: {{.Group}}, currency: USD}
{{- end}}
  traders:
{{- range .Traders}}
    - {id: {{.ID}}, name: {{.Name}}, accounts: [{{.Accounts}}]}
{{- end}}
  sessions:
{{- range .Sessions}}
    - {id: {{.ID}}, name: {{.Name}}, client: {{.ID}}, accounts: [{{.Accounts}}]}
{{- end}}
  instruments:
    - id: 1
      name: "{{.Symbol}}"
      currency: USD
      tick: {{.Tick}}
      lot: {{.Lot}}
      minQty: {{.Lot}}
      maxQty: unlimited
      multiplier: {{.Multiplier}}
      settlement: {{.Price}}
      referenceMaxAge: unlimited
      tradable: true
      orderTypes: [limit, market]
      timesInForce: [day, ioc, fok, gtc]
      sides: [buy, sell]
`))

// limitsTemplate gives each of the accounts A to H a limit of its own to run
// into; I to L and the takers trade freely inside the firm's limits.
var limitsTemplate = template.Must(template.New("limits").Parse(`# What no scope states is blocked.
apiVersion: tollgate/v1
kind: Limits
metadata:
  name: demo
spec:
  limits:
    - scope: firm
      permission: deny
      maxOrderQty: {{.LargestQty}}
      maxOrderNotional: {{.Value 1000}}
      collarBps: 5%
      messagesPerSecond: unlimited
      openOrders: 100000
      openNotional: unlimited
      positionLong: unlimited
      positionShort: unlimited
      grossExposure: unlimited
      netExposure: unlimited
    - scope: account/A
      maxOrderNotional: {{.Value 3}}
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
    - scope: trader/ann
      maxOrderQty: {{.LargestQty}}
    - scope: group/north
      openNotional: {{.Value 5000}}
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
