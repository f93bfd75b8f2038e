package flow_test

import (
	"io"
	"testing"

	"tollgate/loadtest/flow"
	"tollgate/order"
)

func generate(t *testing.T, cfg flow.GeneratorConfig) *flow.Day {
	t.Helper()
	day, err := flow.Load(flow.NewGenerator(cfg), 0)
	if err != nil {
		t.Fatal(err)
	}
	return day
}

func TestGeneratorRepeatsItselfBySeed(t *testing.T) {
	one, two := generate(t, flow.GeneratorConfig{Seed: 7, EventsMax: 5000}), generate(t, flow.GeneratorConfig{Seed: 7, EventsMax: 5000})
	other := generate(t, flow.GeneratorConfig{Seed: 8, EventsMax: 5000})
	differ := 0
	for i := range one.Events {
		if one.Events[i] != two.Events[i] {
			t.Fatalf("event %d differs: %+v and %+v", i, one.Events[i], two.Events[i])
		}
		if one.Events[i] != other.Events[i] {
			differ++
		}
	}
	if differ < 4000 {
		t.Errorf("another seed changed only %d of 5000 events", differ)
	}
}

// TestGeneratedMixIsThatOfARecordedDay compares shares with those of the
// recorded NASDAQ files: 48 % new, 32 to 45 % cancels, 4 to 16 % executions.
func TestGeneratedMixIsThatOfARecordedDay(t *testing.T) {
	meta := generate(t, flow.GeneratorConfig{Seed: 1, EventsMax: 100_000}).Meta
	for kind, bounds := range map[flow.Kind][2]uint64{
		flow.KindNew: {45_000, 52_000}, flow.KindCancel: {32_000, 45_000}, flow.KindExecute: {4_000, 16_000},
		flow.KindHidden: {500, 5_000}, flow.KindReduce: {100, 2_000}, flow.KindModify: {500, 5_000},
	} {
		if n := meta.Counts.Of(kind); n < bounds[0] || n > bounds[1] {
			t.Errorf("%d %s events of 100,000, want %d to %d", n, kind, bounds[0], bounds[1])
		}
	}
	if meta.Tick != 1e6 || meta.Lot != order.QtyOne || meta.Symbol != "DEMO" || meta.Format != flow.FormatGenerated {
		t.Errorf("meta is %+v", meta)
	}
}

// TestGeneratedDayIsConsistent replays the day on a map: nothing happens to an
// order that is gone, nothing is executed beyond its quantity, and apart from
// mistakes and orders from before, every order is known.
func TestGeneratedDayIsConsistent(t *testing.T) {
	day := generate(t, flow.GeneratorConfig{Seed: 3, EventsMax: 50_000, MistakesPerTenThousand: -1})
	open := make(map[uint64]order.Qty)
	unseen := 0
	for i := range day.Events {
		e := &day.Events[i]
		left, known := open[e.Order]
		switch e.Kind {
		case flow.KindNew:
			if known || e.Qty <= 0 || e.Price <= 0 {
				t.Fatalf("event %d: %+v, known %v", i, *e, known)
			}
			open[e.Order] = e.Qty
			continue
		case flow.KindHidden:
			continue
		case flow.KindCancel:
			if !known {
				unseen++
			}
			delete(open, e.Order)
			continue
		case flow.KindModify:
			left = e.Qty
		default:
			left -= e.Qty
		}
		if !known || left < 0 {
			t.Fatalf("event %d: %+v, known %v, left %d", i, *e, known, left)
		}
		open[e.Order] = left
		if left == 0 {
			delete(open, e.Order)
		}
	}
	if unseen == 0 || unseen > 500 {
		t.Errorf("%d cancels of orders from before, want some", unseen)
	}
}

func TestMistakesAreFarOff(t *testing.T) {
	day := generate(t, flow.GeneratorConfig{Seed: 3, EventsMax: 20_000, MistakesPerTenThousand: 100})
	mistakes := 0
	for i := range day.Events {
		e := &day.Events[i]
		if e.Kind == flow.KindNew && (e.Price > 1000*order.PriceOne || e.Price < 50*order.PriceOne || e.Qty >= 10_000*order.QtyOne) {
			mistakes++
		}
	}
	if mistakes < 50 || mistakes > 200 {
		t.Errorf("%d mistakes in about 9,600 orders, want about 96", mistakes)
	}
}

func TestGeneratorEnds(t *testing.T) {
	g := flow.NewGenerator(flow.GeneratorConfig{EventsMax: 1})
	var e flow.Event
	if err := g.Next(&e); err != nil {
		t.Fatal(err)
	}
	if err := g.Next(&e); err != io.EOF {
		t.Errorf("after the last event: %v, want EOF", err)
	}
}
