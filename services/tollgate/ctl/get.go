package ctl

import (
	"io"
	"strconv"

	"github.com/spf13/cobra"

	adminv1 "tollgate/proto/tollgate/admin/v1"
)

func (op *operator) getCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "get",
		Short: "show limits, reference data, exposure, orders, sessions, kills, latches or status",
		Args:  unknownCommand,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(op.getLimitsCommand(), op.getReferenceCommand(), op.getExposureCommand(), op.sessionsCommand(),
		op.getOrdersCommand(), op.getKillsCommand(), op.getLatchesCommand(), op.getStatusCommand())
	return cmd
}

func (op *operator) getLimitsCommand() *cobra.Command {
	var version uint64
	cmd := &cobra.Command{
		Use:   "limits",
		Short: "show the limits in force",
		Long: "With -o yaml the limits are printed as a document that can be edited and applied:\n" +
			"  ctl get limits -o yaml > limits.yaml",
		Args: exactly(0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			request := &adminv1.GetLimitsRequest{ResourceVersion: version}
			resp, err := ask(cmd.Context(), op, adminv1.AdminServiceClient.GetLimits, request)
			if err != nil {
				return err
			}
			return op.printLimits(cmd.OutOrStdout(), resp)
		},
	}
	cmd.Flags().Uint64Var(&version, "version", 0, "an earlier version of the limits (0: those in force)")
	return cmd
}

func (op *operator) printLimits(w io.Writer, resp *adminv1.GetLimitsResponse) error {
	switch op.output {
	case formatYAML:
		_, err := io.WriteString(w, resp.GetDocument())
		return err
	case formatJSON:
		return encoded(w, op.output, resp)
	}
	t := &table{titles: []string{"SCOPE", "INSTRUMENT", "LIMIT", ">VALUE", ">WATCH", ">WARN", "ACT", "UNTIL"}}
	for _, l := range resp.GetLimits() {
		t.add(scopeName(l.GetScope()), within(l.GetScope()), l.GetKind(), grouped(l.GetValue()), percent(l.GetWatch()),
			percent(l.GetWarn()), actName(l.GetAct()), ending(l))
	}
	return t.print(w)
}

// percent writes a threshold; none is left empty.
func percent(n uint32) string {
	if n == 0 {
		return ""
	}
	return number(n) + "%"
}

// actName names what a breach does beside the refusal, as documents do.
func actName(a adminv1.LimitAct) string {
	switch a {
	case adminv1.LimitAct_LIMIT_ACT_REDUCE_ONLY:
		return "reduceOnly"
	case adminv1.LimitAct_LIMIT_ACT_KILL:
		return "kill"
	}
	return ""
}

// ending says when a limit ends and what it is then.
func ending(l *adminv1.Limit) string {
	if l.GetUntilNs() == 0 {
		return ""
	}
	return clock(l.GetUntilNs()) + ", then " + grouped(l.GetThenValue())
}

func (op *operator) getReferenceCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "reference",
		Short: "show the reference data in force",
		Args:  exactly(0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			request := &adminv1.GetReferenceRequest{}
			resp, err := ask(cmd.Context(), op, adminv1.AdminServiceClient.GetReference, request)
			if err != nil {
				return err
			}
			return op.printReference(cmd.OutOrStdout(), resp)
		},
	}
}

func (op *operator) printReference(w io.Writer, resp *adminv1.GetReferenceResponse) error {
	switch op.output {
	case formatYAML:
		_, err := io.WriteString(w, resp.GetDocument())
		return err
	case formatJSON:
		return encoded(w, op.output, resp)
	}
	t := &table{titles: []string{"KIND", ">ID", "NAME", "BELONGS TO", "DETAILS"}}
	firm := resp.GetFirm()
	t.add("firm", number(firm.GetId()), firm.GetName(), "", firm.GetCurrency())
	for _, g := range resp.GetGroups() {
		t.add("group", number(g.GetId()), g.GetName(), "firm", "")
	}
	for _, a := range resp.GetAccounts() {
		details := a.GetCurrency()
		if a.GetSelfMatch() != 0 {
			details += ", self-match group " + number(a.GetSelfMatch())
		}
		t.add("account", number(a.GetId()), a.GetName(), "group/"+a.GetGroup(), details)
	}
	for _, x := range resp.GetTraders() {
		t.add("trader", number(x.GetId()), x.GetName(), "", "accounts "+list(x.GetAccounts()))
	}
	for _, s := range resp.GetSessions() {
		t.add("session", number(s.GetId()), s.GetName(), "client "+number(s.GetClient()), "accounts "+list(s.GetAccounts()))
	}
	for _, x := range resp.GetStrategies() {
		t.add("strategy", number(x.GetId()), x.GetName(), "", "")
	}
	for _, c := range resp.GetClasses() {
		t.add("class", number(c.GetId()), c.GetName(), "", "")
	}
	for _, c := range resp.GetCalendars() {
		t.add("calendar", number(c.GetId()), c.GetName(), "", "")
	}
	for _, i := range resp.GetInstruments() {
		class := ""
		if i.GetClass() != "" {
			class = "class/" + i.GetClass()
		}
		t.add("instrument", number(i.GetId()), i.GetName(), class, instrumentText(i))
	}
	return t.print(w)
}

// instrumentText says in one line how an instrument trades.
func instrumentText(i *adminv1.Instrument) string {
	text := i.GetCurrency() + ", tick " + i.GetTick() + ", lot " + grouped(i.GetLot()) +
		", multiplier " + i.GetMultiplier()
	if !i.GetTradable() {
		text += ", not tradable"
	}
	return text
}

func (op *operator) getExposureCommand() *cobra.Command {
	var all bool
	var levels []string
	cmd := &cobra.Command{
		Use:   "exposure",
		Short: "show what scopes use of their limits",
		Args:  exactly(0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			request := &adminv1.GetExposureRequest{OnlyUsed: !all, WithoutInstruments: true}
			for _, level := range levels {
				typ, known := scopeTypes[level]
				if !known {
					return usagef("level %q, want %s", level, levelsWanted)
				}
				request.Types = append(request.Types, typ)
			}
			resp, err := ask(cmd.Context(), op, adminv1.AdminServiceClient.GetExposure, request)
			if err != nil {
				return err
			}
			return op.printExposure(cmd.OutOrStdout(), resp)
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "also scopes without orders, positions and limits")
	cmd.Flags().StringSliceVar(&levels, "level", nil, "levels to show (default firm,group,account)")
	return cmd
}

func (op *operator) printExposure(w io.Writer, resp *adminv1.GetExposureResponse) error {
	if op.output != formatTable {
		return encoded(w, op.output, resp)
	}
	t := &table{titles: []string{
		"SCOPE", ">ORDERS", ">OPEN BUY", ">OPEN SELL", ">POSITIONS", ">GROSS", ">NET", "TIGHTEST LIMIT", ">USED", "STATE",
	}}
	for _, m := range resp.GetScopes() {
		limit, used := tightest(m)
		t.addCells(cell{text: scopeName(m.GetScope())}, cell{text: count(m.GetOpenOrders())},
			cell{text: grouped(m.GetOpenBuyNotional())}, cell{text: grouped(m.GetOpenSellNotional())},
			cell{text: grouped(m.GetNetPositionValue())}, cell{text: grouped(m.GetGrossExposure())},
			cell{text: grouped(m.GetNetExposure())}, cell{text: limit}, used, scopeState(m))
	}
	return t.print(w)
}

// scopeState says what stops a scope, if anything does.
func scopeState(m *adminv1.ScopeExposure) cell {
	switch {
	case len(m.GetKills()) > 0:
		return cell{text: "KILLED", tone: red}
	case len(m.GetLatches()) > 0:
		return cell{text: "LATCHED", tone: red}
	}
	return cell{}
}

// tightest returns the stated limit of a scope with the highest use.
func tightest(m *adminv1.ScopeExposure) (name string, used cell) {
	most := int64(-1)
	for _, l := range m.GetLimits() {
		if l.UsedBps == nil || l.GetUsedBps() <= most {
			continue
		}
		most = l.GetUsedBps()
		name, used = l.GetLimit().GetKind(), share(l.UsedBps)
		if narrowed := within(l.GetLimit().GetScope()); narrowed != "" {
			name += " × " + narrowed
		}
	}
	return name, used
}

func (op *operator) sessionsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "sessions",
		Short: "show sessions and how they are connected",
		Args:  exactly(0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			request := &adminv1.ListSessionsRequest{}
			resp, err := ask(cmd.Context(), op, adminv1.AdminServiceClient.ListSessions, request)
			if err != nil {
				return err
			}
			return op.printSessions(cmd.OutOrStdout(), resp)
		},
	}
}

func (op *operator) printSessions(w io.Writer, resp *adminv1.ListSessionsResponse) error {
	if op.output != formatTable {
		return encoded(w, op.output, resp)
	}
	t := &table{titles: []string{
		"SESSION", ">CLIENT", "STATE", "GATEWAY", ">ORDERS", ">NEXT REF", ">NEXT ANSWER", ">CANCEL ON DISCONNECT", "ACCOUNTS",
	}}
	for _, s := range resp.GetSessions() {
		t.addCells(cell{text: s.GetName()}, cell{text: number(s.GetClient())}, sessionState(s), cell{text: s.GetGateway()},
			cell{text: count(s.GetLiveOrders())}, cell{text: count(s.GetNextRef())}, cell{text: count(s.GetNextOutSeq())},
			cell{text: window(s.GetCancelOnDisconnectMs())}, cell{text: list(s.GetAccounts())})
	}
	return t.print(w)
}

func sessionState(s *adminv1.SessionState) cell {
	switch {
	case s.GetKill() != nil:
		return cell{text: "KILLED", tone: red}
	case s.GetConnected():
		return cell{text: "connected"}
	case s.GetConnection() == 0:
		return cell{text: "never seen", tone: faint}
	}
	return cell{text: "away", tone: yellow}
}

// window writes the time to cancel on disconnect.
func window(ms uint32) string {
	if ms == 0 {
		return "off"
	}
	return number(ms) + " ms"
}

func (op *operator) getKillsCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "kills",
		Short: "show killed scopes and what is still live in them",
		Args:  exactly(0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			request := &adminv1.ListKillsRequest{}
			resp, err := ask(cmd.Context(), op, adminv1.AdminServiceClient.ListKills, request)
			if err != nil {
				return err
			}
			if op.output != formatTable {
				return encoded(cmd.OutOrStdout(), op.output, resp)
			}
			return killTable(resp.GetKills()).print(cmd.OutOrStdout())
		},
	}
}

func killTable(kills []*adminv1.KillEntry) *table {
	t := &table{titles: []string{"SCOPE", "INSTRUMENT", "STATE", "ADAPTER", ">LIVE ORDERS", "SINCE", "BY", "REASON"}}
	for _, k := range kills {
		t.addCells(cell{text: scopeName(k.GetScope())}, cell{text: within(k.GetScope())}, killState(k),
			cell{text: fenceText(k.GetFence())}, cell{text: count(k.GetLiveOrders())}, cell{text: clock(k.GetTimeNs())},
			cell{text: k.GetActor()}, cell{text: k.GetReason()})
	}
	return t
}

// killState says how far a kill has come.
func killState(k *adminv1.KillEntry) cell {
	switch {
	case k.GetFlat():
		return cell{text: "flat"}
	case k.GetLiveOrders() > 0:
		return cell{text: "canceling", tone: yellow}
	}
	return cell{text: "unconfirmed", tone: yellow}
}

// fenceText says what the adapter has made of a kill.
func fenceText(f adminv1.FenceState) string {
	switch f {
	case adminv1.FenceState_FENCE_STATE_CONFIRMED:
		return "confirmed"
	case adminv1.FenceState_FENCE_STATE_NO_ADAPTER:
		return "not connected"
	}
	return "not confirmed"
}

// number writes an identifier.
func number(n uint32) string { return strconv.FormatUint(uint64(n), 10) }

// list writes names in one cell.
func list(names []string) string {
	const shown = 4
	text := ""
	for i, name := range names {
		if i == shown {
			return text + " and " + strconv.Itoa(len(names)-shown) + " more"
		}
		if i > 0 {
			text += ", "
		}
		text += name
	}
	return text
}
