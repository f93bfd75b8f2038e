package ctl

import (
	"strings"

	adminv1 "tollgate/proto/tollgate/admin/v1"
)

const scopeWanted = "firm, or a level (group, account, trader, session) and a name, as in: account A-01"

// scopeTypes are the levels by the names used in commands.
var scopeTypes = map[string]adminv1.ScopeType{
	"firm":    adminv1.ScopeType_SCOPE_TYPE_FIRM,
	"group":   adminv1.ScopeType_SCOPE_TYPE_GROUP,
	"account": adminv1.ScopeType_SCOPE_TYPE_ACCOUNT,
	"trader":  adminv1.ScopeType_SCOPE_TYPE_TRADER,
	"session": adminv1.ScopeType_SCOPE_TYPE_SESSION,
}

// parseScope reads a scope from arguments: firm, firm NAME, account NAME or
// account/NAME.
func parseScope(args []string, instrument string) (*adminv1.Scope, error) {
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
	scope := &adminv1.Scope{Type: typ, Instrument: instrument}
	if named {
		scope.Name = args[1]
	}
	return scope, nil
}
