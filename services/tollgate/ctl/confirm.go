package ctl

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
)

// confirm asks a person on a terminal; --yes answers for scripts. The error
// says that the answer was no, or that there is nobody to ask.
func (op *operator) confirm(cmd *cobra.Command, question string) error {
	if op.yes {
		return nil
	}
	if !isTerminal(cmd.InOrStdin()) {
		return usagef("cannot ask for confirmation without a terminal; --yes makes the change without asking")
	}
	return confirmed(cmd.InOrStdin(), cmd.ErrOrStderr(), question)
}

// confirmed asks and reads one line.
func confirmed(in io.Reader, out io.Writer, question string) error {
	if _, err := fmt.Fprint(out, question+" [y/N] "); err != nil {
		return err
	}
	line, err := bufio.NewReader(in).ReadString('\n')
	if err != nil && line == "" {
		return &exitError{code: ExitNegative, message: "nothing was changed"}
	}
	switch strings.ToLower(strings.TrimSpace(line)) {
	case "y", "yes":
		return nil
	}
	return &exitError{code: ExitNegative, message: "nothing was changed"}
}
