package riskcheck_test

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"tollgate/order"
	"tollgate/riskcheck"
)

// TestCatalogueIsComplete holds the catalogue to its purpose: every control has
// every field, and every limit and every reason belongs to exactly one.
func TestCatalogueIsComplete(t *testing.T) {
	for _, problem := range catalogueProblems(riskcheck.Catalogue()) {
		t.Error(problem)
	}
}

// catalogueProblems returns what a catalogue lacks or says twice.
func catalogueProblems(rules []riskcheck.ControlRule) []string {
	var problems []string
	var controls []order.Control
	for i := range rules {
		controls = append(controls, rules[i].Control)
		problems = append(problems, textProblems(rules[i].Control, &rules[i])...)
		for k := range rules[i].Limits {
			l := &rules[i].Limits[k]
			problems = append(problems, textProblems(l.Kind, l)...)
			if l.Places.String() == "unknown" {
				problems = append(problems, fmt.Sprintf("%v stands nowhere (places %d)", l.Kind, l.Places))
			}
		}
	}
	if !slices.Equal(controls, order.Controls()) {
		problems = append(problems, fmt.Sprintf("rules of %v, want %v", controls, order.Controls()))
	}
	return append(append(problems, limitProblems(rules)...), reasonProblems(rules)...)
}

// sentences is text made of whole sentences.
var sentences = regexp.MustCompile(`^\S.*\.$`)

// textProblems wants every text of a row to be sentences.
func textProblems(name fmt.Stringer, row any) []string {
	var problems []string
	fields := reflect.ValueOf(row).Elem()
	for i := range fields.NumField() {
		text := fields.Field(i)
		if text.Kind() == reflect.String && (!sentences.MatchString(text.String()) || strings.Contains(text.String(), "  ")) {
			problems = append(problems, fmt.Sprintf("%v: %s is %q, want sentences", name, fields.Type().Field(i).Name, text))
		}
	}
	return problems
}

// limitProblems wants every kind of limit at its own control, once.
func limitProblems(rules []riskcheck.ControlRule) []string {
	claims := map[riskcheck.LimitKind][]order.Control{}
	for i := range rules {
		for _, l := range rules[i].Limits {
			claims[l.Kind] = append(claims[l.Kind], rules[i].Control)
		}
	}
	var problems []string
	for _, k := range riskcheck.LimitKinds() {
		if want := []order.Control{k.Control()}; !slices.Equal(claims[k], want) {
			problems = append(problems, fmt.Sprintf("limit %v is claimed by %v, want %v", k, claims[k], want))
		}
		delete(claims, k)
	}
	for k := range claims {
		problems = append(problems, fmt.Sprintf("there is no limit %d", k))
	}
	return problems
}

// reasonProblems wants every reason at its own control, once, and those of the
// adapter and the venue at none.
func reasonProblems(rules []riskcheck.ControlRule) []string {
	claims := map[order.Reason][]order.Control{}
	for i := range rules {
		for _, r := range rules[i].Reasons {
			claims[r] = append(claims[r], rules[i].Control)
		}
	}
	var problems []string
	for _, r := range order.Reasons() {
		var want []order.Control
		if c := r.Control(); c != order.ControlNone {
			want = append(want, c)
		}
		if !slices.Equal(claims[r], want) {
			problems = append(problems, fmt.Sprintf("reason %v is claimed by %v, want %v", r, claims[r], want))
		}
		delete(claims, r)
	}
	for r := range claims {
		problems = append(problems, fmt.Sprintf("there is no reason %d", r))
	}
	return problems
}

// TestCatalogueFaultsAreFound damages a copy of the catalogue in every way that
// the test above is there for.
func TestCatalogueFaultsAreFound(t *testing.T) {
	for name, damage := range map[string]func(rules []riskcheck.ControlRule) []riskcheck.ControlRule{
		"control missing": func(rules []riskcheck.ControlRule) []riskcheck.ControlRule { return rules[1:] },
		"field empty": func(rules []riskcheck.ControlRule) []riskcheck.ControlRule {
			rules[4].Equality = ""
			return rules
		},
		"limit unclaimed": func(rules []riskcheck.ControlRule) []riskcheck.ControlRule {
			rules[4].Limits = nil
			return rules
		},
		"limit claimed twice": func(rules []riskcheck.ControlRule) []riskcheck.ControlRule {
			rules[5].Limits = slices.Concat(rules[5].Limits, rules[4].Limits)
			return rules
		},
		"limit says nothing": func(rules []riskcheck.ControlRule) []riskcheck.ControlRule {
			rules[4].Limits = []riskcheck.LimitRule{{Kind: riskcheck.LimitMaxOrderQty, Places: riskcheck.PlaceWhole}}
			return rules
		},
		"limit stands nowhere": func(rules []riskcheck.ControlRule) []riskcheck.ControlRule {
			rules[4].Limits = []riskcheck.LimitRule{{Kind: riskcheck.LimitMaxOrderQty, Says: "It says something."}}
			return rules
		},
		"reason unclaimed": func(rules []riskcheck.ControlRule) []riskcheck.ControlRule {
			rules[1].Reasons = rules[1].Reasons[1:]
			return rules
		},
		"reason claimed twice": func(rules []riskcheck.ControlRule) []riskcheck.ControlRule {
			rules[2].Reasons = slices.Concat(rules[2].Reasons, rules[1].Reasons[:1])
			return rules
		},
		"reason of the adapter": func(rules []riskcheck.ControlRule) []riskcheck.ControlRule {
			rules[0].Reasons = slices.Concat(rules[0].Reasons, []order.Reason{order.ReasonKillFence})
			return rules
		},
		"reason that is none": func(rules []riskcheck.ControlRule) []riskcheck.ControlRule {
			rules[0].Reasons = slices.Concat(rules[0].Reasons, []order.Reason{199})
			return rules
		},
	} {
		if problems := catalogueProblems(damage(riskcheck.Catalogue())); len(problems) == 0 {
			t.Errorf("%s: nothing was found", name)
		}
	}
	if problems := catalogueProblems(riskcheck.Catalogue()); len(problems) != 0 {
		t.Errorf("the damage reached the catalogue itself: %q", problems)
	}
}
