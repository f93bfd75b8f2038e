package result

import "tollgate/loadtest/latency"

// chain draws the way of an order with the median of each hop. It is left out
// where hops were not traced.
//
//	client ─ 1.90 ─▶ gateway ─ 2.20 ─▶ ...
//	client ◀ 2.40 ── gateway ◀ 2.10 ── ...
func (w *pageWriter) chain() {
	if _, traced := w.result.LatencyUs[latency.GatewayToRisk.String()]; !traced {
		return
	}
	w.section("The way of an order, median microseconds")
	w.line("  client ─%s▶ gateway ─%s▶ risk ─%s▶ gateway ─%s▶ exchange", w.step(latency.ClientToGateway),
		w.step(latency.GatewayToRisk), w.step(latency.RiskToGateway), w.step(latency.GatewayToVenue))
	w.line("  client ◀%s─ gateway ◀%s─ risk ◀%s─ gateway ◀%s─────┘", w.step(latency.GatewayToClient),
		w.step(latency.RiskToGatewayAnswer), w.step(latency.ReportToRisk), w.step(latency.VenueToGateway))
}

// stepWidth is the length of an arrow's label in columns.
const stepWidth = 7

// step writes a hop's median in the middle of a piece of arrow.
func (w *pageWriter) step(h latency.Hop) string {
	label := "?"
	if s, ok := w.result.LatencyUs[h.String()]; ok {
		label = micros(s.P50)
	}
	text := []rune(" " + label + " ")
	for len(text) < stepWidth {
		text = append(text, '─')
		if len(text) < stepWidth {
			text = append([]rune{'─'}, text...)
		}
	}
	return string(text)
}
