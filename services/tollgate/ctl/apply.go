package ctl

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	adminv1 "tollgate/proto/tollgate/admin/v1"
	"tollgate/riskcheck/admin/document"
)

// limitsFile is a document that a command was given.
type limitsFile struct {
	name string
	text string
}

// readLimits reads a limits document from a file, or from the standard input
// for "-". Whether it is right is for the server to say; that it is about limits
// is judged here.
func readLimits(cmd *cobra.Command, name string) (limitsFile, error) {
	if name == "" {
		return limitsFile{}, usagef("%s needs a file: -f FILE, or -f - for the standard input", cmd.CommandPath())
	}
	in, shown := cmd.InOrStdin(), "stdin"
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return limitsFile{}, usageError(err)
		}
		defer file.Close()
		in, shown = file, name
	}
	text, err := io.ReadAll(io.LimitReader(in, documentBytesMax+1))
	if err != nil {
		return limitsFile{}, usagef("%s: %s", shown, err)
	}
	kind, err := document.KindOf(shown, text)
	if err != nil {
		return limitsFile{}, usageError(err)
	}
	if kind != document.KindLimits {
		return limitsFile{}, usagef("%s is a %s document, want %s; reference data are read when riskcheck starts",
			shown, kind, document.KindLimits)
	}
	return limitsFile{name: shown, text: string(text)}, nil
}

func (op *operator) diffCommand() *cobra.Command {
	var file string
	cmd := &cobra.Command{
		Use:   "diff -f FILE",
		Short: "compare a limits document with the limits in force (exit code 1: they differ)",
		Args:  exactly(0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			limits, err := readLimits(cmd, file)
			if err != nil {
				return err
			}
			request := &adminv1.DiffLimitsRequest{Document: limits.text, DocumentName: limits.name}
			resp, err := ask(cmd.Context(), op, adminv1.AdminServiceClient.DiffLimits, request)
			if err != nil {
				return err
			}
			if op.output != formatTable {
				err = encoded(cmd.OutOrStdout(), op.output, resp)
			} else if len(resp.GetChanges()) > 0 {
				err = changeTable(resp.GetChanges()).print(cmd.OutOrStdout())
			}
			if err == nil && len(resp.GetChanges()) > 0 {
				err = negative()
			}
			return err
		},
	}
	cmd.Flags().StringVarP(&file, "file", "f", "", "the limits document; - for the standard input")
	return cmd
}

// changeTable shows changes with the use they leave.
func changeTable(changes []*adminv1.LimitChange) *table {
	t := &table{titles: []string{"SCOPE", "INSTRUMENT", "LIMIT", ">OLD", "", ">NEW", ">USED", ">SHARE OF NEW", "WARNING"}}
	for _, c := range changes {
		t.addCells(cell{text: scopeName(c.GetScope())}, cell{text: within(c.GetScope())}, cell{text: c.GetKind()},
			cell{text: or(grouped(c.GetOldValue()), "not stated")}, cell{text: "→"},
			cell{text: or(grouped(c.GetNewValue()), "not stated")}, cell{text: grouped(c.GetUsed())}, share(c.UsedBps),
			cell{text: c.GetWarning(), tone: yellow})
	}
	return t
}

func (op *operator) applyCommand() *cobra.Command {
	var file, reason string
	var dryRun bool
	var version uint64
	cmd := &cobra.Command{
		Use:   "apply -f FILE --reason WHY",
		Short: "put a limits document in force",
		Long: "The document replaces all limits in one step. It says in metadata.resourceVersion (or --version does)\n" +
			"which version it was made from; if another one is in force by now nothing is changed (exit code 5).",
		Args: exactly(0, "no arguments"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			limits, err := readLimits(cmd, file)
			if err != nil {
				return err
			}
			request := &adminv1.ApplyLimitsRequest{
				Document: limits.text, DocumentName: limits.name, ExpectedResourceVersion: version,
				DryRun: true, Reason: reason, Actor: op.actor,
			}
			if !dryRun && reason == "" {
				return usagef("%s needs a reason: --reason \"why\"", cmd.CommandPath())
			}
			return op.apply(cmd, request, dryRun)
		},
	}
	flags := cmd.Flags()
	flags.StringVarP(&file, "file", "f", "", "the limits document; - for the standard input")
	flags.StringVar(&reason, "reason", "", "why the limits change")
	flags.BoolVar(&dryRun, "dry-run", false, "show what would change and change nothing")
	flags.Uint64Var(&version, "version", 0, "the version the document is based on (0: the one it states)")
	return cmd
}

// apply shows what will change, asks, and makes exactly that change.
func (op *operator) apply(cmd *cobra.Command, request *adminv1.ApplyLimitsRequest, dryRun bool) error {
	resp, err := ask(cmd.Context(), op, adminv1.AdminServiceClient.ApplyLimits, request)
	if err != nil {
		return err
	}
	if dryRun || len(resp.GetChanges()) == 0 {
		return op.printApplied(cmd, resp)
	}
	if !op.yes {
		if err := changeTable(resp.GetChanges()).print(cmd.ErrOrStderr()); err != nil {
			return err
		}
	}
	question := fmt.Sprintf("Change %s?", plural(uint64(len(resp.GetChanges())), "limit", "limits"))
	if err := op.confirm(cmd, question); err != nil {
		return err
	}
	request.DryRun, request.ExpectedResourceVersion = false, resp.GetResourceVersion()
	if resp, err = ask(cmd.Context(), op, adminv1.AdminServiceClient.ApplyLimits, request); err != nil {
		return err
	}
	return op.printApplied(cmd, resp)
}

// printApplied prints the changes and says what has become of them.
func (op *operator) printApplied(cmd *cobra.Command, resp *adminv1.ApplyLimitsResponse) error {
	var err error
	if op.output != formatTable {
		err = encoded(cmd.OutOrStdout(), op.output, resp)
	} else if len(resp.GetChanges()) > 0 {
		err = changeTable(resp.GetChanges()).print(cmd.OutOrStdout())
	}
	if err != nil {
		return err
	}
	text := fmt.Sprintf("version %d of the limits is in force (audit record %d)",
		resp.GetResourceVersion(), resp.GetAuditId())
	switch {
	case len(resp.GetChanges()) == 0:
		text = fmt.Sprintf("nothing to change: version %d of the limits is the same", resp.GetResourceVersion())
	case !resp.GetApplied():
		text = fmt.Sprintf("dry run: version %d of the limits stays in force", resp.GetResourceVersion())
	}
	_, err = fmt.Fprintln(cmd.ErrOrStderr(), text)
	return err
}
