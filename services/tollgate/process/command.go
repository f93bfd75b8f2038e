package process

import (
	"context"

	"github.com/spf13/cobra"

	"tollgate/services/tollgate/configfile"
)

// Command completes the command of a process that is configured by one file: cfg
// holds the defaults, check finds what the values together show, run works until
// its context ends.
func Command(cmd *cobra.Command, cfg any, check func() []string, run func(context.Context) error) *cobra.Command {
	var path string
	cmd.Args = cobra.NoArgs
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if err := configfile.Load(path, cfg, check); err != nil {
			return err
		}
		ctx, stop := Prepare(cmd.Context())
		defer stop()
		return run(ctx)
	}
	cmd.Flags().StringVar(&path, "config", "", "the process's configuration file")
	cobra.CheckErr(cmd.MarkFlagRequired("config"))
	return cmd
}
