package ctl

import (
	"os"
	"os/user"
	"time"

	"github.com/spf13/cobra"
)

// operator is who uses the command and how: the flags that all subcommands
// share.
type operator struct {
	server  string
	actor   string
	output  format
	timeout time.Duration
	yes     bool
}

// New returns the ctl command. Its errors are for Finish.
func New() *cobra.Command {
	op := &operator{output: formatTable}
	cmd := &cobra.Command{
		Use:   "ctl",
		Short: "see limits, exposure, orders and sessions; change limits; stop trading; simulate an order",
		Long: "ctl talks to the control plane of a running riskcheck process.\n\n" +
			"Exit codes: 0 done, 1 negative answer (differences, nothing found, kill not confirmed, order refused), 2 usage,\n" +
			"3 unreachable, 4 denied, 5 conflict (somebody else changed the limits first).",
		Args: unknownCommand,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	flags := cmd.PersistentFlags()
	flags.StringVar(&op.server, "server", fromEnvironment("TOLLGATE_ADMIN", serverDefault),
		"address of the control plane: host:port or unix:PATH (environment TOLLGATE_ADMIN)")
	flags.VarP(&op.output, "output", "o", "table, json or yaml")
	flags.DurationVar(&op.timeout, "timeout", timeoutDefault, "how long to wait for an answer")
	flags.StringVar(&op.actor, "actor", fromEnvironment("TOLLGATE_ACTOR", userName()),
		"who asks for a change (environment TOLLGATE_ACTOR)")
	flags.BoolVarP(&op.yes, "yes", "y", false, "make the change without asking")
	cmd.AddCommand(
		op.getCommand(), op.describeCommand(), op.applyCommand(), op.diffCommand(), op.killCommand(), op.unkillCommand(),
		op.simulateCommand(), op.releaseCommand(), op.setCommand(), op.rollCommand(), op.sessionsCommand(),
		op.tailCommand(),
	)
	completeWords(cmd, "output", []string{"table", "json", "yaml"})
	quiet(cmd)
	return cmd
}

// quiet leaves errors to Finish, which prints them once and without usage text.
func quiet(cmd *cobra.Command) {
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError(err) })
	for _, sub := range cmd.Commands() {
		quiet(sub)
	}
}

// unknownCommand refuses arguments of a command that only has subcommands.
func unknownCommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return usagef("%s has no command %q; %s --help lists them", cmd.CommandPath(), args[0], cmd.CommandPath())
}

// exactly is cobra's count of arguments with an error of this package.
func exactly(n int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == n {
			return nil
		}
		return usagef("%s takes %s, got %d arguments", cmd.CommandPath(), what, len(args))
	}
}

func fromEnvironment(name, otherwise string) string {
	if value := os.Getenv(name); value != "" {
		return value
	}
	return otherwise
}

func userName() string {
	if u, err := user.Current(); err == nil {
		return u.Username
	}
	return ""
}
