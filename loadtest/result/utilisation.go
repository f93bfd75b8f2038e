package result

import (
	"fmt"
	"strings"
)

// shownPerControl is how many limits of a control a page shows, those with the
// highest use.
const shownPerControl = 3

// Widths of the table of limits in columns.
const (
	useKindWidth   = 24
	useScopeWidth  = 19
	useNumberWidth = 13
	useShareWidth  = 8
)

// utilisation shows how far limits were used at the end: of each control the few
// that were used most.
func (w *pageWriter) utilisation() {
	if len(w.result.Utilisation) == 0 {
		return
	}
	w.section("How far limits were used at the end, the highest of each control")
	head := left("limit", useKindWidth) + left("scope", useScopeWidth) + right("of", useNumberWidth) +
		right("used", useNumberWidth) + right("%", useShareWidth)
	w.line("  %s", w.style(styleDim, head))
	control, shown := "", 0
	for i := range w.result.Utilisation {
		u := &w.result.Utilisation[i]
		if u.Control != control {
			control, shown = u.Control, 0
		}
		if shown++; shown > shownPerControl {
			continue
		}
		share := right(fmt.Sprintf("%d.%02d", u.UsedBps/100, u.UsedBps%100), useShareWidth)
		w.line("  %s%s%s%s%s", left(u.Kind, useKindWidth), left(fitting(u.Scope), useScopeWidth), number(u.Limit),
			number(u.Used), w.rung(u.Rung, share))
	}
}

// fitting cuts the name of a scope to its column.
func fitting(scope string) string {
	if runes := []rune(scope); len(runes) >= useScopeWidth {
		return string(runes[:useScopeWidth-2]) + "…"
	}
	return scope
}

// rung shows where people should look.
func (w *pageWriter) rung(rung, text string) string {
	switch rung {
	case "act":
		return w.style(styleBad, text)
	case "watch", "warn":
		return w.style(styleWarn, text)
	}
	return text
}

// number writes a decimal number in its column, without its decimals if there is
// no room for them.
func number(text string) string {
	if len(text) >= useNumberWidth {
		text, _, _ = strings.Cut(text, ".")
	}
	return right(text, useNumberWidth)
}
