package flow

import (
	"io"
	"math/rand/v2"

	"tollgate/order"
)

// GeneratorConfig says what day a Generator makes. The zero value of each field
// stands for the default named there.
type GeneratorConfig struct {
	Seed       uint64      // the same seed gives the same day
	EventsMax  uint64      // length of the day; default 100,000
	Symbol     string      // default "DEMO"
	Tick       order.Price // default 0.01
	FirstPrice order.Price // default 200.00; rounded to the tick
	Lot        order.Qty   // default 1
	GapMeanNs  int64       // mean time between events; default 1 ms

	// MistakesPerTenThousand is how many of ten thousand new orders have a
	// price or a quantity nobody meant: what the controls exist for. Default
	// 20, negative for none.
	MistakesPerTenThousand int
}

// withDefaults fills in what is not stated.
func (c GeneratorConfig) withDefaults() GeneratorConfig {
	if c.EventsMax == 0 {
		c.EventsMax = 100_000
	}
	if c.Symbol == "" {
		c.Symbol = "DEMO"
	}
	if c.Tick <= 0 {
		c.Tick = tickDefault
	}
	if c.FirstPrice <= 0 {
		c.FirstPrice = 200 * order.PriceOne
	}
	if c.Lot <= 0 {
		c.Lot = order.QtyOne
	}
	if c.GapMeanNs <= 0 {
		c.GapMeanNs = 1e6
	}
	if c.MistakesPerTenThousand == 0 {
		c.MistakesPerTenThousand = 20
	}
	return c
}

// Generator makes a day of order flow in the mix of a NASDAQ stock: about one
// half new orders, four tenths cancels, one tenth executions, some partial
// cancels, modifications and hidden executions. Like in a recorded day, the
// book does not begin empty: some early cancels name orders that nobody has
// seen.
type Generator struct {
	cfg    GeneratorConfig
	random *rand.Rand
	book   *dayBook
	made   uint64
	nextID uint64
	timeNs int64
	middle int // the level around which new orders come in
}

// NewGenerator returns a generator at the beginning of its day.
func NewGenerator(cfg GeneratorConfig) *Generator {
	cfg = cfg.withDefaults()
	return &Generator{
		cfg:    cfg,
		random: rand.New(rand.NewPCG(cfg.Seed, cfg.Seed^0x9e3779b97f4a7c15)),
		book:   newDayBook(),
		nextID: unseenOrders + 1,
		timeNs: dayOpenNs,
		middle: bookLevels / 2,
	}
}

// Constants of the generated day.
const (
	dayOpenNs    = 34_200 * 1e9 // 09:30 in nanoseconds after midnight
	unseenOrders = 500          // orders that rested before the day begins
	unseenEvents = 20_000       // they are gone after this many events
	restingLow   = 64           // below this many live orders nothing is canceled
	restingHigh  = 20_000       // above this many live orders cancels prevail
)

// Shares of the mix in thousandths; the rest are new orders.
const (
	shareCancel  = 395
	shareExecute = 75
	shareHidden  = 20
	shareReduce  = 12
	shareModify  = 25
)

// Format returns FormatGenerated.
func (g *Generator) Format() Format { return FormatGenerated }

// Symbol returns the configured symbol.
func (g *Generator) Symbol() string { return g.cfg.Symbol }

// Next makes the next event; io.EOF at the end of the day.
func (g *Generator) Next(e *Event) error {
	if g.made == g.cfg.EventsMax {
		return io.EOF
	}
	g.made++
	g.timeNs += int64(g.random.ExpFloat64() * float64(g.cfg.GapMeanNs))
	*e = Event{TimeNs: g.timeNs, Price: nullPrice}
	g.fill(e)
	return nil
}

// fill draws what happens and makes it happen on the generator's own book.
func (g *Generator) fill(e *Event) {
	draw := g.random.IntN(1000)
	live := g.book.live()
	switch {
	case live < restingLow:
		g.enter(e)
	case live > restingHigh && draw < 500:
		g.cancel(e)
	case draw < shareCancel:
		g.cancel(e)
	case draw < shareCancel+shareExecute:
		g.execute(e)
	case draw < shareCancel+shareExecute+shareHidden:
		g.hidden(e)
	case draw < shareCancel+shareExecute+shareHidden+shareReduce:
		g.reduce(e)
	case draw < shareCancel+shareExecute+shareHidden+shareReduce+shareModify:
		g.modify(e)
	default:
		g.enter(e)
	}
}

// price turns a level of the book into a price.
func (g *Generator) price(level int) order.Price {
	first := int64(g.cfg.FirstPrice / g.cfg.Tick)
	return order.Price(max(first+int64(level-bookLevels/2), 1)) * g.cfg.Tick
}

// quantity draws round lots most of the time, as people do.
func (g *Generator) quantity() order.Qty {
	lots := 100
	switch draw := g.random.IntN(10); {
	case draw < 2:
		lots = 1 + g.random.IntN(99)
	case draw < 4:
		lots = 100 * (1 + g.random.IntN(5))
	}
	return order.Qty(lots) * g.cfg.Lot
}

func (g *Generator) side() order.Side {
	if g.random.IntN(2) == 0 {
		return order.SideBuy
	}
	return order.SideSell
}

// level draws where a new order rests: close to the middle most of the time and
// never across the other side's best.
func (g *Generator) level(side order.Side) int {
	g.middle = min(max(g.middle+g.random.IntN(3)-1, bookLevels/4), 3*bookLevels/4)
	away := 1 + int(g.random.ExpFloat64()*8)
	if side == order.SideBuy {
		level := g.middle - away
		if ask, ok := g.book.best(order.SideSell); ok {
			level = min(level, ask-1)
		}
		return max(level, 0)
	}
	level := g.middle + away
	if bid, ok := g.book.best(order.SideBuy); ok {
		level = max(level, bid+1)
	}
	return min(level, bookLevels-1)
}

func (g *Generator) enter(e *Event) {
	e.Kind, e.Order, e.Side, e.Qty = KindNew, g.nextID, g.side(), g.quantity()
	g.nextID++
	if g.random.IntN(10_000) < g.cfg.MistakesPerTenThousand {
		g.mistake(e)
		return
	}
	level := g.level(e.Side)
	e.Price = g.price(level)
	g.book.add(dayOrder{id: e.Order, level: level, side: e.Side, open: e.Qty})
}

// mistake makes an order of a slipped finger. It is not on the generator's
// book: no sane firm would let it rest.
func (g *Generator) mistake(e *Event) {
	level := g.level(e.Side)
	e.Price = g.price(level)
	switch {
	case g.random.IntN(2) == 0:
		e.Qty *= 10_000
	case e.Side == order.SideBuy:
		e.Price *= 10
	default:
		e.Price = max(e.Price/10/g.cfg.Tick, 1) * g.cfg.Tick
	}
}

func (g *Generator) cancel(e *Event) {
	e.Kind = KindCancel
	if g.made < unseenEvents && g.random.IntN(40) == 0 {
		e.Order, e.Side, e.Qty = 1+g.random.Uint64N(unseenOrders), g.side(), 100*g.cfg.Lot
		e.Price = g.price(g.middle)
		return
	}
	o := g.book.pick(g.random)
	e.Order, e.Side, e.Qty, e.Price = o.id, o.side, o.open, g.price(o.level)
	g.book.remove(o)
}

// execute trades the oldest order at the best price of a side, wholly or in
// part, and moves the middle with it.
func (g *Generator) execute(e *Event) {
	side := g.side()
	o, ok := g.book.front(side)
	if !ok {
		g.enter(e)
		return
	}
	e.Kind, e.Order, e.Side, e.Price, e.Qty = KindExecute, o.id, o.side, g.price(o.level), o.open
	if g.random.IntN(3) == 0 && o.open > g.cfg.Lot {
		e.Qty = g.part(o.open)
	}
	g.middle = o.level
	g.book.shrink(o, e.Qty)
}

func (g *Generator) hidden(e *Event) {
	e.Kind, e.Side, e.Qty, e.Price = KindHidden, g.side(), g.quantity(), g.price(g.middle)
}

func (g *Generator) reduce(e *Event) {
	o := g.book.pick(g.random)
	if o.open <= g.cfg.Lot {
		g.enter(e)
		return
	}
	e.Kind, e.Order, e.Side, e.Price, e.Qty = KindReduce, o.id, o.side, g.price(o.level), g.part(o.open)
	g.book.shrink(o, e.Qty)
}

func (g *Generator) modify(e *Event) {
	o := g.book.pick(g.random)
	moved := dayOrder{id: o.id, side: o.side, level: g.level(o.side), open: o.open}
	if g.random.IntN(4) == 0 {
		moved.open = g.quantity()
	}
	g.book.remove(o)
	g.book.add(moved)
	e.Kind, e.Order, e.Side, e.Price, e.Qty = KindModify, o.id, o.side, g.price(moved.level), moved.open
}

// part draws some, but not all, lots of an open quantity above one lot.
func (g *Generator) part(open order.Qty) order.Qty {
	lots := int64(open / g.cfg.Lot)
	return order.Qty(1+g.random.Int64N(lots-1)) * g.cfg.Lot
}
