package repolint

import (
	"fmt"
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// binaryName is the command that the documents speak of.
const binaryName = "tollgate"

// commandGroups are the subcommands that have subcommands of their own.
var commandGroups = []string{"ctl", "journal", "loadtest"}

var (
	makeTarget  = regexp.MustCompile(`(?m)^([a-z][a-z-]*):`)
	plainWord   = regexp.MustCompile(`^[a-z][a-z-]*$`)
	exampleMark = regexp.MustCompile(`^<!-- example: (\S+) (\w+) -->$`)
)

// checkCommands wants every make target and every subcommand in the shell
// blocks of the documents to exist.
func checkCommands(r *Repository) []Finding {
	targets := map[string]bool{}
	for _, match := range makeTarget.FindAllStringSubmatch(r.Files["Makefile"], -1) {
		targets[match[1]] = true
	}
	commands := cobraCommands(r)
	var findings []Finding
	for _, p := range pages(r) {
		for _, b := range p.blocks {
			if b.language != "sh" {
				continue
			}
			for i, line := range b.lines {
				if text := commandProblem(line, targets, commands); text != "" {
					findings = append(findings, Finding{
						Rule: "command", Path: p.path, Subject: strings.TrimSpace(line), Line: b.line + i + 1, Text: text,
					})
				}
			}
		}
	}
	return findings
}

// commandProblem judges one line of a shell block; "" is good.
func commandProblem(line string, targets, commands map[string]bool) string {
	words := strings.Fields(line)
	if len(words) < 2 || !plainWord.MatchString(words[1]) {
		return ""
	}
	switch strings.TrimPrefix(words[0], "bin/") {
	case "make":
		if !targets[words[1]] {
			return fmt.Sprintf("the Makefile has no target %q", words[1])
		}
	case binaryName:
		if !commands[words[1]] {
			return fmt.Sprintf("%s has no command %q", binaryName, words[1])
		}
		if slices.Contains(commandGroups, words[1]) && len(words) > 2 && !commands[words[2]] {
			return fmt.Sprintf("%s %s has no command %q", binaryName, words[1], words[2])
		}
	}
	return ""
}

// cobraCommands returns the names of all commands declared below services: the
// first words of the Use fields.
func cobraCommands(r *Repository) map[string]bool {
	commands := map[string]bool{}
	for _, s := range r.Sources {
		if s.Test || !strings.HasPrefix(s.Path, "services/") {
			continue
		}
		ast.Inspect(s.Syntax, func(node ast.Node) bool {
			if use := fieldText(node, "Use"); use != "" {
				commands[strings.Fields(use)[0]] = true
			}
			return true
		})
	}
	return commands
}

// fieldText returns the text of a composite literal's field that is a string
// literal, and "" for anything else.
func fieldText(node ast.Node, field string) string {
	pair, ok := node.(*ast.KeyValueExpr)
	if !ok {
		return ""
	}
	key, ok := pair.Key.(*ast.Ident)
	if !ok || key.Name != field {
		return ""
	}
	value, ok := pair.Value.(*ast.BasicLit)
	if !ok || value.Kind != token.STRING {
		return ""
	}
	text, err := strconv.Unquote(value.Value)
	if err != nil {
		return ""
	}
	return text
}

// checkExamples wants a code block below a line "<!-- example: folder Name -->"
// to be the body of the function Name in the folder's tests.
func checkExamples(r *Repository) []Finding {
	var findings []Finding
	for _, p := range pages(r) {
		for _, b := range p.blocks {
			match := exampleMark.FindStringSubmatch(strings.TrimSpace(b.marker))
			if match == nil {
				continue
			}
			body, found := functionBody(r, match[1], match[2])
			if found && body == strings.Join(b.lines, "\n") {
				continue
			}
			findings = append(findings, Finding{
				Rule: "example", Path: p.path, Subject: match[2], Line: b.line,
				Text: fmt.Sprintf("the block is not the body of %s in the tests of %s", match[2], match[1]),
			})
		}
	}
	return findings
}

// functionBody returns the text between the braces of a test's function, one
// tab less indented.
func functionBody(r *Repository, dir, name string) (string, bool) {
	for _, s := range r.packages()[dir] {
		if !s.Test {
			continue
		}
		for _, declaration := range s.Syntax.Decls {
			f, ok := declaration.(*ast.FuncDecl)
			if !ok || f.Name.Name != name {
				continue
			}
			from, to := r.Fset.Position(f.Body.Lbrace).Offset+1, r.Fset.Position(f.Body.Rbrace).Offset
			body := strings.ReplaceAll(strings.Trim(s.Text[from:to], "\n"), "\n\t", "\n")
			return strings.TrimPrefix(body, "\t"), true
		}
	}
	return "", false
}
