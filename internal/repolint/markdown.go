package repolint

import (
	"fmt"
	"go/token"
	"path"
	"regexp"
	"strings"
	"unicode"
)

var (
	markdownLink  = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	markdownCode  = regexp.MustCompile("`([^`\n]+)`")
	markdownTitle = regexp.MustCompile(`^#{1,6} (.+)$`)
	pathWords     = regexp.MustCompile(`^\.?[a-z][\w.-]*(/[\w.-]+)*/?$`)
	symbolWords   = regexp.MustCompile(`^([a-z][a-z0-9]*)\.([A-Z]\w*(?:\.[A-Z]\w*)?)$`)
)

// page is one Markdown document, its code blocks apart.
type page struct {
	path   string
	prose  []string // line by line; empty inside code blocks
	blocks []codeBlock
}

// codeBlock is one fenced block.
type codeBlock struct {
	language string
	marker   string // the line before the block
	line     int    // of the opening fence
	lines    []string
}

// parsePage separates prose from code.
func parsePage(name, text string) *page {
	p := &page{path: name}
	var open *codeBlock
	last := ""
	number := 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimRight(line, "\r\n")
		fence, isFence := strings.CutPrefix(strings.TrimSpace(line), "```")
		switch {
		case isFence && open == nil:
			open = &codeBlock{language: fence, marker: last, line: number}
			line = ""
		case isFence:
			p.blocks = append(p.blocks, *open)
			open, line = nil, ""
		case open != nil:
			open.lines = append(open.lines, line)
			line = ""
		}
		if line != "" {
			last = line
		}
		p.prose = append(p.prose, line)
	}
	return p
}

// pages returns the Markdown documents of the tree.
func pages(r *Repository) []*page {
	var all []*page
	for name, text := range r.Files {
		if path.Ext(name) == ".md" {
			all = append(all, parsePage(name, text))
		}
	}
	return all
}

// checkMarkdown wants every link, path and name in the documents to exist.
func checkMarkdown(r *Repository, standard func(importPath string) bool) []Finding {
	names := declaredNames(r)
	var findings []Finding
	for _, p := range pages(r) {
		for i, line := range p.prose {
			for _, match := range markdownLink.FindAllStringSubmatch(line, -1) {
				if !linkResolves(r, p, match[1]) {
					findings = append(findings, p.finding("link", match[1], i+1, "link to %s leads nowhere"))
				}
			}
			for _, match := range markdownCode.FindAllStringSubmatch(line, -1) {
				if !pathResolves(r, match[1], standard) {
					findings = append(findings, p.finding("path", match[1], i+1, "there is no %s"))
				}
				if !symbolResolves(names, match[1]) {
					findings = append(findings, p.finding("name", match[1], i+1, "no package declares %s"))
				}
			}
		}
	}
	return findings
}

func (p *page) finding(rule, subject string, line int, text string) Finding {
	return Finding{Rule: rule, Path: p.path, Subject: subject, Line: line, Text: fmt.Sprintf(text, subject)}
}

// linkResolves reports whether a link leads somewhere. Links to other hosts are
// not followed.
func linkResolves(r *Repository, p *page, link string) bool {
	if strings.Contains(link, "://") || strings.HasPrefix(link, "mailto:") {
		return true
	}
	file, anchor, _ := strings.Cut(link, "#")
	target := p.path
	if file != "" {
		target = path.Join(path.Dir(p.path), file)
	}
	if !r.exists(target) {
		return false
	}
	return anchor == "" || hasAnchor(r.Files[target], anchor)
}

// hasAnchor reports whether a document has a heading of the anchor's name.
func hasAnchor(text, anchor string) bool {
	for line := range strings.Lines(text) {
		if match := markdownTitle.FindStringSubmatch(strings.TrimSpace(line)); match != nil && slug(match[1]) == anchor {
			return true
		}
	}
	return false
}

// slug is the anchor that a heading gets.
func slug(heading string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case unicode.IsLetter(c), unicode.IsDigit(c), c == '-', c == '_':
			return unicode.ToLower(c)
		case c == ' ':
			return '-'
		}
		return -1
	}, heading)
}

// pathResolves reports whether a word in backquotes that looks like a path is
// one: of the tree, or of the standard library. Built folders and import paths
// of other modules are not looked up.
func pathResolves(r *Repository, word string, standard func(importPath string) bool) bool {
	if !strings.Contains(word, "/") || !pathWords.MatchString(word) {
		return true
	}
	first, _, _ := strings.Cut(word, "/")
	if first == "bin" || first == ".tmp" || strings.Contains(strings.TrimPrefix(first, "."), ".") {
		return true
	}
	return r.exists(word) || standard(word)
}

// symbolResolves reports whether a word in backquotes that looks like a name of
// a package of this tree is declared there.
func symbolResolves(names map[string]map[string]bool, word string) bool {
	match := symbolWords.FindStringSubmatch(word)
	if match == nil || names[match[1]] == nil || token.IsKeyword(match[1]) {
		return true
	}
	return names[match[1]][match[2]]
}
