package ctl

import (
	"strings"

	"github.com/spf13/cobra"

	adminv1 "tollgate/proto/tollgate/admin/v1"
)

const (
	levelsWanted = "firm, group, account, trader, session or strategy"
	scopeWanted  = "firm, or a level (group, account, trader, session, strategy) and a name, as in: account A-01"
)

// scopeTypes are the levels by the names used in commands.
var scopeTypes = map[string]adminv1.ScopeType{
	"firm":     adminv1.ScopeType_SCOPE_TYPE_FIRM,
	"group":    adminv1.ScopeType_SCOPE_TYPE_GROUP,
	"account":  adminv1.ScopeType_SCOPE_TYPE_ACCOUNT,
	"trader":   adminv1.ScopeType_SCOPE_TYPE_TRADER,
	"session":  adminv1.ScopeType_SCOPE_TYPE_SESSION,
	"strategy": adminv1.ScopeType_SCOPE_TYPE_STRATEGY,
}

// narrowing is what a scope is narrowed to.
type narrowing struct {
	instrument string
	class      string
}

func (n *narrowing) flags(cmd *cobra.Command, op *operator) {
	cmd.Flags().StringVar(&n.instrument, "instrument", "", "only this instrument")
	cmd.Flags().StringVar(&n.class, "class", "", "only this class of instruments")
	op.completeFlag(cmd, "instrument", instrumentNames)
	op.completeFlag(cmd, "class", classNames)
}

// parseScope reads a scope from arguments: firm, firm NAME, account NAME or
// account/NAME.
func parseScope(args []string, n narrowing) (*adminv1.Scope, error) {
	if len(args) == 1 {
		if level, name, slash := strings.Cut(args[0], "/"); slash {
			args = []string{level, name}
		}
	}
	if len(args) == 0 {
		return nil, usagef("no scope is given, want %s", scopeWanted)
	}
	typ, known := scopeTypes[args[0]]
	firm := typ == adminv1.ScopeType_SCOPE_TYPE_FIRM
	named := len(args) == 2 && args[1] != ""
	if !known || !named && (!firm || len(args) > 1) {
		return nil, usagef("scope %q, want %s", strings.Join(args, " "), scopeWanted)
	}
	if n.instrument != "" && n.class != "" {
		return nil, usagef("--instrument and --class exclude each other, want one of them")
	}
	scope := &adminv1.Scope{Type: typ, Instrument: n.instrument, Class: n.class}
	if named {
		scope.Name = args[1]
	}
	return scope, nil
}
