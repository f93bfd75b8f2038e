package document

import (
	"slices"
	"strings"

	"tollgate/order"
	"tollgate/riskcheck"
)

// Render writes the document in its canonical form. ParseLimits with the same
// names reads it back to the same limits.
func (l *Limits) Render(names *Names) []byte {
	w := &limitsWriter{names: names}
	header(&w.Builder, KindLimits, l.Metadata)
	entries := slices.Clone(l.Set.Entries)
	sortEntries(entries, names)
	blocks := blocksOf(entries)
	if len(blocks) == 0 {
		w.WriteString("  limits: []\n")
		return []byte(w.String())
	}
	w.WriteString("  limits:\n")
	for i := range blocks {
		w.block(&blocks[i])
	}
	return []byte(w.String())
}

// block is what one entry of spec.limits states.
type block struct {
	scope  order.Scope
	limits []riskcheck.LimitEntry
	listed []riskcheck.LimitEntry
}

// blocksOf gathers sorted limits by scope, class and instrument. Lists belong to
// the block of the whole scope.
func blocksOf(entries []riskcheck.LimitEntry) []block {
	var blocks []block
	whole := 0 // index of the block of the present whole scope, plus one
	for _, e := range entries {
		scope := e.Scope
		if e.Kind == riskcheck.LimitPermitListed {
			scope.Instrument, scope.Class = 0, 0
			if whole == 0 || blocks[whole-1].scope != scope {
				blocks = append(blocks, block{scope: scope})
				whole = len(blocks)
			}
			blocks[whole-1].listed = append(blocks[whole-1].listed, e)
			continue
		}
		if len(blocks) == 0 || blocks[len(blocks)-1].scope != scope {
			blocks = append(blocks, block{scope: scope})
		}
		if scope.Instrument == 0 && scope.Class == 0 {
			whole = len(blocks)
		}
		blocks[len(blocks)-1].limits = append(blocks[len(blocks)-1].limits, e)
	}
	return blocks
}

// limitsWriter writes one document.
type limitsWriter struct {
	strings.Builder
	names *Names
}

func (w *limitsWriter) block(b *block) {
	w.WriteString("    - scope: " + w.names.FormatScope(b.scope) + "\n")
	if b.scope.Instrument != 0 {
		w.line("instrument", plainName(w.names.InstrumentName(b.scope.Instrument)))
	}
	if b.scope.Class != 0 {
		w.line("class", plainName(w.names.ClassName(b.scope.Class)))
	}
	for i := range b.limits {
		w.line(b.limits[i].Kind.String(), FormatLimit(&b.limits[i]))
	}
	for i := range permitLists {
		w.list(&permitLists[i], b.listed)
	}
}

// list writes what is listed for exactly these sides.
func (w *limitsWriter) list(list *permitList, listed []riskcheck.LimitEntry) {
	var names []string
	for _, e := range listed {
		if e.Value != list.sides || (e.Scope.Class != 0) != list.classes {
			continue
		}
		if list.classes {
			names = append(names, w.names.ClassName(e.Scope.Class))
		} else {
			names = append(names, w.names.InstrumentName(e.Scope.Instrument))
		}
	}
	if len(names) > 0 {
		w.line(list.field, flowList(names))
	}
}

func (w *limitsWriter) line(field, value string) {
	w.WriteString("      " + field + ": " + value + "\n")
}
