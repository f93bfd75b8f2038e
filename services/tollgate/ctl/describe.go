package ctl

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"google.golang.org/protobuf/proto"

	adminv1 "tollgate/proto/tollgate/admin/v1"
)

func (op *operator) describeCommand() *cobra.Command {
	var instrument string
	cmd := &cobra.Command{
		Use:   "describe firm | LEVEL NAME",
		Short: "show everything about a firm, group, account, trader, session or instrument",
		Example: "  ctl describe firm\n  ctl describe account A-01\n  ctl describe account A-01 --instrument AMZN\n" +
			"  ctl describe instrument AMZN",
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 2 && args[0] == "instrument" {
				return op.describeInstrument(cmd, args[1])
			}
			scope, err := parseScope(args, instrument)
			if err != nil {
				return err
			}
			return op.describeScope(cmd, scope)
		},
	}
	cmd.Flags().StringVar(&instrument, "instrument", "", "only this instrument")
	return cmd
}

// portrait is everything about one scope.
type portrait struct {
	exposure *adminv1.ScopeExposure
	session  *adminv1.SessionState      // of a session
	limits   *adminv1.GetLimitsResponse // for who changed them last
}

func (op *operator) describeScope(cmd *cobra.Command, scope *adminv1.Scope) error {
	p, err := op.portrait(cmd.Context(), scope)
	if err != nil {
		return err
	}
	if op.output != formatTable {
		return p.printEncoded(cmd.OutOrStdout(), op.output)
	}
	return p.print(cmd.OutOrStdout())
}

// portrait asks for everything about a scope.
func (op *operator) portrait(ctx context.Context, scope *adminv1.Scope) (*portrait, error) {
	request := &adminv1.GetExposureRequest{Scope: scope}
	exposure, err := ask(ctx, op, adminv1.AdminServiceClient.GetExposure, request)
	if err != nil {
		return nil, err
	}
	p := &portrait{exposure: exposure.GetScopes()[0]}
	if p.limits, err = ask(ctx, op, adminv1.AdminServiceClient.GetLimits, &adminv1.GetLimitsRequest{}); err != nil {
		return nil, err
	}
	if scope.GetType() != adminv1.ScopeType_SCOPE_TYPE_SESSION {
		return p, nil
	}
	sessions, err := ask(ctx, op, adminv1.AdminServiceClient.ListSessions, &adminv1.ListSessionsRequest{})
	if err != nil {
		return nil, err
	}
	for _, s := range sessions.GetSessions() {
		if s.GetName() == scope.GetName() {
			p.session = s
		}
	}
	return p, nil
}

// printEncoded prints one object with the parts as fields.
func (p *portrait) printEncoded(w io.Writer, f format) error {
	parts := struct {
		Exposure  json.RawMessage `json:"exposure"`
		Session   json.RawMessage `json:"session,omitempty"`
		Version   uint64          `json:"resource_version,string"`
		AppliedBy json.RawMessage `json:"applied_by"`
	}{Version: p.limits.GetResourceVersion()}
	for _, part := range [...]struct {
		to   *json.RawMessage
		from proto.Message
		is   bool
	}{
		{&parts.Exposure, p.exposure, true},
		{&parts.Session, p.session, p.session != nil},
		{&parts.AppliedBy, p.limits.GetAppliedBy(), true},
	} {
		if !part.is {
			continue
		}
		text, err := marshal(part.from)
		if err != nil {
			return err
		}
		*part.to = text
	}
	text, err := json.Marshal(parts)
	if err != nil {
		return err
	}
	return printJSON(w, f, text)
}

func (p *portrait) print(w io.Writer) error {
	m := p.exposure
	facts := &table{titles: []string{scopePhrase(m.GetScope()), ""}}
	facts.add("open orders", count(m.GetOpenOrders()))
	facts.add("open buys", grouped(m.GetOpenBuyNotional()))
	facts.add("open sells", grouped(m.GetOpenSellNotional()))
	facts.add("positions, gross", grouped(m.GetGrossPositionValue()))
	facts.add("positions, net", grouped(m.GetNetPositionValue()))
	facts.add("exposure, gross", grouped(m.GetGrossExposure()))
	facts.add("exposure, net", grouped(m.GetNetExposure()))
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
	return p.printDetails(w)
}

// printDetails prints the tables that have rows.
func (p *portrait) printDetails(w io.Writer) error {
	for _, t := range []*table{
		killTable(p.exposure.GetKills()), limitTable(p.exposure.GetLimits()), instrumentTable(p.exposure.GetInstruments()),
	} {
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
	t := &table{titles: []string{"LIMIT", "INSTRUMENT", ">VALUE", ">USED", ">SHARE", "WORST"}}
	for _, l := range limits {
		t.addCells(cell{text: l.GetLimit().GetKind()}, cell{text: l.GetLimit().GetScope().GetInstrument()},
			cell{text: grouped(l.GetLimit().GetValue())}, cell{text: grouped(l.GetUsed())}, share(l.UsedBps),
			cell{text: l.GetInstrument()})
	}
	return t
}

func instrumentTable(instruments []*adminv1.InstrumentExposure) *table {
	t := &table{titles: []string{"INSTRUMENT", ">ORDERS", ">BUYING", ">SELLING", ">POSITION", ">WORTH"}}
	for _, i := range instruments {
		t.add(i.GetInstrument(), count(i.GetOpenOrders()), grouped(i.GetOpenBuyQty()), grouped(i.GetOpenSellQty()),
			grouped(i.GetNetPosition()), grouped(i.GetPositionValue()))
	}
	return t
}

func (op *operator) describeInstrument(cmd *cobra.Command, name string) error {
	reference, err := ask(cmd.Context(), op, adminv1.AdminServiceClient.GetReference, &adminv1.GetReferenceRequest{})
	if err != nil {
		return err
	}
	for _, i := range reference.GetInstruments() {
		if i.GetName() != name {
			continue
		}
		if op.output != formatTable {
			return encoded(cmd.OutOrStdout(), op.output, i)
		}
		return printInstrument(cmd.OutOrStdout(), i)
	}
	message := fmt.Sprintf("unknown instrument %q, want one of the reference data", name)
	return &exitError{code: ExitNegative, message: message}
}

func printInstrument(w io.Writer, i *adminv1.Instrument) error {
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
	return t.print(w)
}

func yesNo(is bool) string {
	if is {
		return "yes"
	}
	return "no"
}
