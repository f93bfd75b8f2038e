// Package version prints what build this is.
package version

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// New returns the version command.
func New() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "print the version of this binary",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintln(cmd.OutOrStdout(), Text())
			return err
		},
	}
}

// Text returns the version in one line.
func Text() string {
	revision, modified := "unknown commit", ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				revision = s.Value
			case s.Key == "vcs.modified" && s.Value == "true":
				modified = ", with uncommitted changes"
			}
		}
	}
	return fmt.Sprintf("tollgate %s%s, %s %s/%s", revision, modified, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
