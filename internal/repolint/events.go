package repolint

import (
	"fmt"
	"go/ast"
	"go/token"
	"strconv"

	"tollgate/asynclog"
)

// eventsPackage is where the event codes are declared.
const eventsPackage = "asynclog"

// checkEvents compares every call of Append that names an event code with the
// catalogue of asynclog: the compiler cannot count variadic arguments.
func checkEvents(r *Repository) []Finding {
	codes := eventCodes(r)
	var findings []Finding
	for _, s := range r.Sources {
		if s.Dir() == eventsPackage {
			continue
		}
		ast.Inspect(s.Syntax, func(node ast.Node) bool {
			if call, ok := node.(*ast.CallExpr); ok {
				findings = append(findings, checkEventCall(r, s, call, codes)...)
			}
			return true
		})
	}
	return findings
}

// eventCodes reads the numbers of the codes from their declaration.
func eventCodes(r *Repository) map[string]asynclog.Code {
	codes := map[string]asynclog.Code{}
	for _, s := range r.packages()[eventsPackage] {
		ast.Inspect(s.Syntax, func(node ast.Node) bool {
			spec, ok := node.(*ast.ValueSpec)
			if !ok || len(spec.Names) != 1 || len(spec.Values) != 1 {
				return true
			}
			if literal, ok := spec.Values[0].(*ast.BasicLit); ok && literal.Kind == token.INT {
				if number, err := strconv.ParseUint(literal.Value, 10, 16); err == nil {
					codes[spec.Names[0].Name] = asynclog.Code(number)
				}
			}
			return true
		})
	}
	return codes
}

// checkEventCall looks at one call. After the code come the time, where the
// call is one of Append, and the arguments of the event. Packages may wrap
// Append in a function append that knows the time. A variable list of arguments
// cannot be counted and is not judged.
func checkEventCall(r *Repository, s *Source, call *ast.CallExpr, codes map[string]asynclog.Code) []Finding {
	method, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || len(call.Args) == 0 || call.Ellipsis.IsValid() {
		return nil
	}
	args := len(call.Args) - 1
	switch method.Sel.Name {
	case "Append":
		args--
	case "append":
	default:
		return nil
	}
	code, ok := call.Args[0].(*ast.SelectorExpr)
	if !ok || !isSelector(code, eventsPackage, code.Sel.Name) {
		return nil
	}
	definition := asynclog.Define(codes[code.Sel.Name])
	if definition == nil || definition.Args() == args {
		return nil
	}
	return []Finding{{
		Rule: "events", Path: s.Path, Subject: code.Sel.Name, Line: r.line(call.Pos()),
		Text: fmt.Sprintf("%s with %d arguments, want %d: %v", code.Sel.Name, args, definition.Args(), definition.Fields),
	}}
}
