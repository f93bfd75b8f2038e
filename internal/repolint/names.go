package repolint

import (
	"go/ast"
	"go/token"
)

// declaredNames returns the names that every package declares, methods as
// Type.Method, by package name. Packages of the same name are put together.
func declaredNames(r *Repository) map[string]map[string]bool {
	byPackage := map[string]map[string]bool{}
	for _, s := range r.Sources {
		if s.Test {
			continue
		}
		names := byPackage[s.Syntax.Name.Name]
		if names == nil {
			names = map[string]bool{}
			byPackage[s.Syntax.Name.Name] = names
		}
		for _, declaration := range s.Syntax.Decls {
			addNames(names, declaration)
		}
	}
	return byPackage
}

func addNames(names map[string]bool, declaration ast.Decl) {
	switch d := declaration.(type) {
	case *ast.FuncDecl:
		names[receiverPrefix(d)+d.Name.Name] = true
	case *ast.GenDecl:
		if d.Tok == token.IMPORT {
			return
		}
		for _, spec := range d.Specs {
			switch sp := spec.(type) {
			case *ast.TypeSpec:
				names[sp.Name.Name] = true
			case *ast.ValueSpec:
				for _, name := range sp.Names {
					names[name.Name] = true
				}
			}
		}
	}
}

// receiverPrefix returns "Type." for a method and "" for a function.
func receiverPrefix(f *ast.FuncDecl) string {
	if f.Recv == nil || len(f.Recv.List) == 0 {
		return ""
	}
	t := f.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	if generic, ok := t.(*ast.IndexExpr); ok {
		t = generic.X
	}
	if ident, ok := t.(*ast.Ident); ok {
		return ident.Name + "."
	}
	return ""
}
