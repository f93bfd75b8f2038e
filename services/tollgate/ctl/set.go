package ctl

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"google.golang.org/protobuf/proto"

	adminv1 "tollgate/proto/tollgate/admin/v1"
)

// done prints the answer to a change for programs, and says in a sentence what
// was done.
func (op *operator) done(cmd *cobra.Command, resp proto.Message, format string, args ...any) error {
	if op.output != formatTable {
		if err := encoded(cmd.OutOrStdout(), op.output, resp); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintf(cmd.ErrOrStderr(), format+"\n", args...)
	return err
}

// setting is a command that sets one thing.
type setting struct {
	use, short, example string
	args                []names // what the arguments name
	wants               string  // the arguments in words
	flag, flagHelp      string  // the flag of the value; empty: an argument is the value
	// ask makes the request; value is that of the flag.
	ask func(cmd *cobra.Command, args []string, value, reason string) error
	// check judges the arguments before anybody is asked; nil: they are the
	// server's to judge.
	check func(args []string) error
	// question is what is asked before; it has the arguments and the value.
	question func(args []string, value string) string
}

// settingCommand makes the command of a setting.
func (op *operator) settingCommand(s setting) *cobra.Command {
	var value, reason string
	cmd := &cobra.Command{
		Use: s.use, Short: s.short, Example: s.example,
		Args: exactly(len(s.args), s.wants),
		RunE: func(cmd *cobra.Command, args []string) error {
			if s.flag != "" && value == "" {
				return usagef("%s needs --%s", cmd.CommandPath(), s.flag)
			}
			if reason == "" {
				return usagef("%s needs a reason: --reason \"why\"", cmd.CommandPath())
			}
			if s.check != nil {
				if err := s.check(args); err != nil {
					return err
				}
			}
			if err := op.confirm(cmd, s.question(args, value)); err != nil {
				return err
			}
			return s.ask(cmd, args, value, reason)
		},
		ValidArgsFunction: op.completeArguments(s.args...),
	}
	if s.flag != "" {
		cmd.Flags().StringVar(&value, s.flag, "", s.flagHelp)
	}
	cmd.Flags().StringVar(&reason, "reason", "", "why")
	return cmd
}

func (op *operator) setCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "set",
		Short: "set cash, positions, locates, exchange rates or market states",
		Args:  unknownCommand,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(op.setCashCommand(), op.setPositionCommand(), op.setLocateCommand(), op.setFxCommand(),
		op.setMarketStateCommand())
	return cmd
}

func (op *operator) setCashCommand() *cobra.Command {
	return op.settingCommand(setting{
		use: "cash ACCOUNT --amount N --reason WHY", short: "set the cash of an account; profit and loss count from there",
		example: "  ctl set cash A-01 --amount 250000 --reason \"start of day\"",
		args:    []names{accountNames}, wants: "an account",
		flag: "amount", flagHelp: "the cash, in the account's currency",
		question: func(args []string, value string) string {
			return fmt.Sprintf("Set the cash of account/%s to %s?", args[0], grouped(value))
		},
		ask: func(cmd *cobra.Command, args []string, value, reason string) error {
			request := &adminv1.SetCashRequest{Account: args[0], Cash: value, Reason: reason, Actor: op.actor}
			resp, err := ask(cmd.Context(), op, adminv1.AdminServiceClient.SetCash, request)
			if err != nil {
				return err
			}
			return op.done(cmd, resp, "account/%s has %s %s (audit record %d); it had %s with an equity of %s", args[0],
				grouped(value), resp.GetCurrency(), resp.GetAuditId(), grouped(resp.GetCashBefore()),
				grouped(resp.GetEquityBefore()))
		},
	})
}

func (op *operator) setPositionCommand() *cobra.Command {
	return op.settingCommand(setting{
		use: "position ACCOUNT INSTRUMENT --qty N --reason WHY", short: "set what an account holds of an instrument",
		example: "  ctl set position A-01 AMZN --qty -100 --reason \"from the books\"",
		args:    []names{accountNames, instrumentNames}, wants: "an account and an instrument",
		flag: "qty", flagHelp: "the position, negative for a short one",
		question: func(args []string, value string) string {
			return fmt.Sprintf("Set the position of account/%s in %s to %s?", args[0], args[1], grouped(value))
		},
		ask: func(cmd *cobra.Command, args []string, value, reason string) error {
			request := &adminv1.SetPositionRequest{
				Account: args[0], Instrument: args[1], Qty: value, Reason: reason, Actor: op.actor,
			}
			resp, err := ask(cmd.Context(), op, adminv1.AdminServiceClient.SetPosition, request)
			if err != nil {
				return err
			}
			return op.done(cmd, resp, "account/%s × %s holds %s (audit record %d); it held %s", args[0], args[1],
				grouped(value), resp.GetAuditId(), grouped(resp.GetQtyBefore()))
		},
	})
}

func (op *operator) setLocateCommand() *cobra.Command {
	return op.settingCommand(setting{
		use: "locate ACCOUNT INSTRUMENT --qty N --reason WHY", short: "set how much an account may sell short",
		example: "  ctl set locate A-01 AMZN --qty 5000 --reason \"located at the prime broker\"",
		args:    []names{accountNames, instrumentNames}, wants: "an account and an instrument",
		flag: "qty", flagHelp: "the quantity located for the day",
		question: func(args []string, value string) string {
			return fmt.Sprintf("Let account/%s sell %s of %s short?", args[0], grouped(value), args[1])
		},
		ask: func(cmd *cobra.Command, args []string, value, reason string) error {
			request := &adminv1.SetLocateRequest{
				Account: args[0], Instrument: args[1], Qty: value, Reason: reason, Actor: op.actor,
			}
			resp, err := ask(cmd.Context(), op, adminv1.AdminServiceClient.SetLocate, request)
			if err != nil {
				return err
			}
			return op.done(cmd, resp, "account/%s × %s has %s located (audit record %d), of which %s is taken; it had %s",
				args[0], args[1], grouped(value), resp.GetAuditId(), grouped(resp.GetShorted()), grouped(resp.GetQtyBefore()))
		},
	})
}

func (op *operator) setFxCommand() *cobra.Command {
	var seen string
	var seenNs int64
	cmd := op.settingCommand(setting{
		use: "fx CURRENCY --rate R --reason WHY", short: "set what a currency is worth in the firm's",
		example: "  ctl set fx EUR --rate 1.0825 --reason \"fixing\"",
		args:    []names{currencyNames}, wants: "a currency",
		flag: "rate", flagHelp: "units of the firm's currency for one of this",
		check: func([]string) error {
			if seen == "" {
				return nil
			}
			at, err := time.Parse(time.RFC3339Nano, seen)
			if err != nil || at.UnixNano() <= 0 {
				return usagef("--seen %q, want a time such as 2026-12-01T15:00:00Z", seen)
			}
			seenNs = at.UnixNano()
			return nil
		},
		question: func(args []string, value string) string {
			return fmt.Sprintf("Set the rate of %s to %s?", args[0], value)
		},
		ask: func(cmd *cobra.Command, args []string, value, reason string) error {
			request := &adminv1.SetFxRateRequest{
				Currency: args[0], Rate: value, SeenNs: seenNs, Reason: reason, Actor: op.actor,
			}
			resp, err := ask(cmd.Context(), op, adminv1.AdminServiceClient.SetFxRate, request)
			if err != nil {
				return err
			}
			return op.done(cmd, resp, "the rate of %s is %s (audit record %d)", args[0], value, resp.GetAuditId())
		},
	})
	cmd.Flags().StringVar(&seen, "seen", "", "when the source saw the rate (default now)")
	return cmd
}

func (op *operator) setMarketStateCommand() *cobra.Command {
	var restricted bool
	var state adminv1.MarketState
	cmd := op.settingCommand(setting{
		use: "market-state INSTRUMENT STATE --reason WHY", short: "set which state the market of an instrument is in",
		example: "  ctl set market-state AMZN halted --reason \"news\"\n" +
			"  ctl set market-state AMZN open --short-restricted --reason \"rule 201\"",
		args:  []names{instrumentNames, fixed(stateWords)},
		wants: "an instrument and a state (" + strings.Join(stateWords, ", ") + ")",
		check: func(args []string) error {
			at := slices.Index(stateWords, args[1])
			if at < 0 {
				return usagef("state %q, want one of: %s", args[1], strings.Join(stateWords, ", "))
			}
			state = adminv1.MarketState_MARKET_STATE_OPEN + adminv1.MarketState(at)
			return nil
		},
		question: func(args []string, _ string) string {
			return fmt.Sprintf("Set the market of %s to %s?", args[0], args[1])
		},
		ask: func(cmd *cobra.Command, args []string, _, reason string) error {
			request := &adminv1.SetMarketStateRequest{
				Instrument: args[0], State: state, ShortRestricted: restricted, Reason: reason, Actor: op.actor,
			}
			resp, err := ask(cmd.Context(), op, adminv1.AdminServiceClient.SetMarketState, request)
			if err != nil {
				return err
			}
			return op.done(cmd, resp, "the market of %s is %s (audit record %d)", args[0], args[1], resp.GetAuditId())
		},
	})
	cmd.Flags().BoolVar(&restricted, "short-restricted", false, "the short sale restriction is on")
	return cmd
}

func (op *operator) rollCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "roll",
		Short: "begin a new trading day, of the firm or of a calendar",
		Args:  unknownCommand,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(op.rollDayCommand(), op.rollCalendarCommand())
	return cmd
}

// parseDay reads the number of a day.
func parseDay(text string) (uint32, error) {
	day, err := strconv.ParseUint(text, 10, 32)
	if err != nil || day == 0 {
		return 0, usagef("day %q, want a number above that of the last day, such as 20261201", text)
	}
	return uint32(day), nil
}

func (op *operator) rollDayCommand() *cobra.Command {
	var day uint32
	return op.settingCommand(setting{
		use: "day DAY --reason WHY", short: "begin a new trading day of the firm",
		example: "  ctl roll day 20261201 --reason \"start of day\"",
		args:    []names{nil}, wants: "a day such as 20261201",
		check: func(args []string) (err error) {
			day, err = parseDay(args[0])
			return err
		},
		question: func(args []string, _ string) string { return fmt.Sprintf("Begin the day %s?", args[0]) },
		ask: func(cmd *cobra.Command, _ []string, _, reason string) error {
			request := &adminv1.RollDayRequest{Day: day, Reason: reason, Actor: op.actor}
			resp, err := ask(cmd.Context(), op, adminv1.AdminServiceClient.RollDay, request)
			if err != nil {
				return err
			}
			return op.done(cmd, resp, "day %d has begun (audit record %d)", day, resp.GetAuditId())
		},
	})
}

func (op *operator) rollCalendarCommand() *cobra.Command {
	var day uint32
	return op.settingCommand(setting{
		use: "calendar CALENDAR DAY --reason WHY", short: "begin a new trading day of the instruments of a calendar",
		example: "  ctl roll calendar CME 20261201 --reason \"session open\"",
		args:    []names{calendarNames, nil}, wants: "a calendar and a day such as 20261201",
		check: func(args []string) (err error) {
			day, err = parseDay(args[1])
			return err
		},
		question: func(args []string, _ string) string {
			return fmt.Sprintf("Begin the day %s of calendar %s?", args[1], args[0])
		},
		ask: func(cmd *cobra.Command, args []string, _, reason string) error {
			request := &adminv1.RollCalendarRequest{Calendar: args[0], Day: day, Reason: reason, Actor: op.actor}
			resp, err := ask(cmd.Context(), op, adminv1.AdminServiceClient.RollCalendar, request)
			if err != nil {
				return err
			}
			return op.done(cmd, resp, "day %d of calendar %s has begun (audit record %d)", day, args[0], resp.GetAuditId())
		},
	})
}
