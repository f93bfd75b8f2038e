package ctl

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	adminv1 "tollgate/proto/tollgate/admin/v1"
)

// grouped puts commas between the thousands of a decimal number and leaves all
// other text alone.
func grouped(text string) string {
	digits, sign := text, ""
	if rest, negative := strings.CutPrefix(text, "-"); negative {
		digits, sign = rest, "-"
	}
	whole, fraction, dot := strings.Cut(digits, ".")
	if whole == "" || strings.Trim(whole+fraction, "0123456789") != "" {
		return text
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if dot {
		whole += "." + fraction
	}
	return sign + whole
}

// count writes a count with commas.
func count(n uint64) string { return grouped(strconv.FormatUint(n, 10)) }

// clock writes a time; "never" for zero.
func clock(ns int64) string {
	if ns == 0 {
		return "never"
	}
	return time.Unix(0, ns).UTC().Format("2006-01-02 15:04:05Z")
}

// levelName is the name of a level in commands and tables.
func levelName(t adminv1.ScopeType) string {
	return strings.ToLower(strings.TrimPrefix(t.String(), "SCOPE_TYPE_"))
}

// scopeName writes a scope as documents do.
func scopeName(s *adminv1.Scope) string {
	switch {
	case s == nil:
		return ""
	case s.GetType() == adminv1.ScopeType_SCOPE_TYPE_FIRM:
		return "firm"
	}
	return levelName(s.GetType()) + "/" + s.GetName()
}

// scopePhrase writes a scope and what it is narrowed to in one phrase.
func scopePhrase(s *adminv1.Scope) string {
	switch {
	case s.GetInstrument() != "":
		return scopeName(s) + " × " + s.GetInstrument()
	case s.GetClass() != "":
		return scopeName(s) + " × class " + s.GetClass()
	}
	return scopeName(s)
}

// within writes what a scope is narrowed to.
func within(s *adminv1.Scope) string {
	if s.GetClass() != "" {
		return "class " + s.GetClass()
	}
	return s.GetInstrument()
}

// share writes a use in hundredths of a percent as percent, with a tone from
// where people should look.
func share(bps *int64) cell {
	if bps == nil {
		return cell{}
	}
	c := cell{text: fmt.Sprintf("%d.%02d%%", *bps/100, *bps%100)}
	switch {
	case *bps >= 10_000:
		c.tone = red
	case *bps >= 8_000:
		c.tone = yellow
	}
	return c
}

// or returns the first text unless it is empty.
func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}

// plural writes a count and what is counted.
func plural(n uint64, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return count(n) + " " + many
}
