package ctl

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	adminv1 "tollgate/proto/tollgate/admin/v1"
)

func (op *operator) simulateCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "simulate",
		Short: "see what would become of an order, and change nothing",
		Args:  unknownCommand,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(op.simulateOrderCommand())
	return cmd
}

// Words of FIX codes, as in documents.
var (
	sideWords  = []string{"buy", "sell", "sell-short", "sell-short-exempt"}
	typeWords  = []string{"market", "limit", "stop", "stop-limit"}
	timeWords  = []string{"day", "gtc", "ioc", "fok", "gtd"}
	stateWords = []string{"open", "pre-open", "auction", "halted", "closed"}
)

func (op *operator) simulateOrderCommand() *cobra.Command {
	request := &adminv1.SimulateRequest{}
	cmd := &cobra.Command{
		Use:   "order --session S --account A --trader T --instrument X --side SIDE --qty N [--price P]",
		Short: "judge an order as if it came now (exit code 1: it would be refused)",
		Long: "Every control that applies is shown, with the scope whose limit it is, what the measure would become, the\n" +
			"limit and what would be left. Nothing is reserved, counted or sent.",
		Example: "  ctl simulate order --session S1 --account A-01 --trader T1 --instrument AMZN --side buy --qty 100 \\\n" +
			"    --price 200\n" +
			"  ctl simulate order --session S1 --account A-01 --trader T1 --instrument AMZN --side sell --qty 100 -o json",
		Args: exactly(0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			for _, flag := range []string{"session", "account", "trader", "instrument", "side", "qty"} {
				if !cmd.Flags().Changed(flag) {
					return usagef("%s needs --%s", cmd.CommandPath(), flag)
				}
			}
			return op.simulate(cmd, request)
		},
	}
	f := cmd.Flags()
	f.StringVar(&request.Session, "session", "", "the order entry session")
	f.StringVar(&request.Account, "account", "", "the account the order is booked to")
	f.StringVar(&request.Trader, "trader", "", "who is responsible")
	f.StringVar(&request.Strategy, "strategy", "", "the program that sends it (default none)")
	f.StringVar(&request.Instrument, "instrument", "", "what is traded")
	f.StringVar(&request.Side, "side", "", "buy, sell, sell-short or sell-short-exempt")
	f.StringVar(&request.Qty, "qty", "", "the whole quantity")
	f.StringVar(&request.Price, "price", "", "the limit price (default none: a market order)")
	f.StringVar(&request.OrderType, "type", "",
		"market, limit, stop or stop-limit (default limit with a price, market without)")
	f.StringVar(&request.StopPx, "stop-px", "", "the price at which a stop becomes active")
	f.StringVar(&request.TimeInForce, "tif", "", "day, gtc, ioc, fok or gtd (default day)")
	f.StringVar(&request.DisplayQty, "display", "", "the part of the quantity that is shown (default all)")
	f.Uint64Var(&request.ReplacesClOrdId, "replaces", 0, "the ClOrdID of a live order of the session that it replaces")
	for flag, pick := range map[string]names{
		"session": sessionNames, "account": accountNames, "trader": traderNames, "strategy": strategyNames,
		"instrument": instrumentNames,
	} {
		op.completeFlag(cmd, flag, pick)
	}
	completeWords(cmd, "side", sideWords)
	completeWords(cmd, "type", typeWords)
	completeWords(cmd, "tif", timeWords)
	return cmd
}

// simulate asks and prints; a refusal is a negative answer.
func (op *operator) simulate(cmd *cobra.Command, request *adminv1.SimulateRequest) error {
	resp, err := ask(cmd.Context(), op, adminv1.AdminServiceClient.Simulate, request)
	if err != nil {
		return err
	}
	if op.output != formatTable {
		err = encoded(cmd.OutOrStdout(), op.output, resp)
	} else {
		err = printSimulation(cmd.OutOrStdout(), resp)
	}
	if err == nil && !resp.GetAccepted() {
		err = negative()
	}
	return err
}

func printSimulation(w io.Writer, resp *adminv1.SimulateResponse) error {
	if err := checkTable(resp.GetChecks()).print(w); err != nil {
		return err
	}
	if _, err := io.WriteString(w, "\n"); err != nil {
		return err
	}
	facts := &table{titles: []string{"VERDICT", ""}}
	facts.addCells(cell{text: "would be"}, verdict(resp))
	if !resp.GetAccepted() {
		facts.add("because", resp.GetText())
	}
	valued := resp.GetAccepted() || resp.GetNotional() != "0" // else it was refused before it had a value
	if valued {
		facts.add("sent to the venue at", grouped(or(resp.GetPrice(), "market")))
		facts.add("reference price", grouped(or(resp.GetReferencePrice(), "none")))
		facts.add("worth", grouped(resp.GetNotional())+" "+resp.GetFirmCurrency())
	}
	if valued && resp.GetAccountCurrency() != resp.GetFirmCurrency() {
		facts.add("in the account", grouped(resp.GetNotionalAccount())+" "+resp.GetAccountCurrency())
	}
	facts.add("limits version", count(resp.GetResourceVersion()))
	return facts.print(w)
}

// verdict says what would become of the order.
func verdict(resp *adminv1.SimulateResponse) cell {
	if resp.GetAccepted() {
		return cell{text: "accepted"}
	}
	text := "REFUSED: " + resp.GetReason()
	if resp.GetScope() != nil {
		text += fmt.Sprintf(" at %s: %s, limit %s", scopePhrase(resp.GetScope()), grouped(resp.GetValue()),
			grouped(resp.GetLimit()))
	}
	return cell{text: text, tone: red}
}

// checkTable shows every step of the evaluation; an arrow marks the one that
// decides.
func checkTable(checks []*adminv1.Check) *table {
	t := &table{titles: []string{"", "CONTROL", "SCOPE", "LIMIT", ">VALUE", ">LIMIT", ">HEADROOM", "RESULT"}}
	for _, c := range checks {
		mark := ""
		if c.GetDecides() {
			mark = "→"
		}
		t.addCells(cell{text: mark}, cell{text: c.GetControl()}, cell{text: scopePhrase(c.GetScope())},
			cell{text: c.GetKind()}, cell{text: grouped(c.GetValue())}, cell{text: grouped(c.GetLimit())},
			cell{text: grouped(c.GetHeadroom())}, checkResult(c))
	}
	return t
}

func checkResult(c *adminv1.Check) cell {
	switch c.GetResult() {
	case adminv1.CheckResult_CHECK_RESULT_REFUSED:
		return cell{text: "REFUSED " + c.GetReason(), tone: red}
	case adminv1.CheckResult_CHECK_RESULT_EXEMPT:
		return cell{text: "passes: it only reduces", tone: yellow}
	}
	return cell{text: "passes"}
}
