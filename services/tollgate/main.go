// Command tollgate is the one binary of the system: every process of the chain,
// and the tools around it, are its subcommands.
package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"tollgate/services/tollgate/configfile"
	"tollgate/services/tollgate/ctl"
	"tollgate/services/tollgate/demo"
	"tollgate/services/tollgate/exchange"
	"tollgate/services/tollgate/gateway"
	"tollgate/services/tollgate/riskcheck"
	"tollgate/services/tollgate/version"
)

// Exit codes, the same for every subcommand.
const (
	exitDone     = 0
	exitNegative = 1 // a negative answer: differences, an invalid result, a failed run
	exitUsage    = 2 // flags or configuration that cannot work
)

func main() { os.Exit(execute(newRoot())) }

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:           "tollgate",
		Short:         "Tollgate is a pre-trade risk gateway",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.AddCommand(demo.New(), gateway.New(), riskcheck.New(), exchange.New(), ctl.New(), version.New())
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return demo.UsageError{Text: err.Error()} })
	return root
}

// execute runs the command and returns its exit code. An error is one or more
// lines on standard error that name the thing, the value and what would be
// right.
func execute(root *cobra.Command) int {
	cmd, err := root.ExecuteC()
	switch {
	case err == nil:
		return exitDone
	case strings.HasPrefix(cmd.CommandPath(), "tollgate ctl"):
		return ctl.Finish(err, os.Stderr)
	}
	fmt.Fprintln(os.Stderr, err)
	var usage demo.UsageError
	var problems configfile.Problems
	if errors.As(err, &usage) || errors.As(err, &problems) {
		return exitUsage
	}
	return exitNegative
}
