package flow

import (
	"math/rand/v2"

	"tollgate/order"
)

// bookLevels is the number of price levels of a generated day; level one half
// is the first price.
const bookLevels = 8192

// dayOrder is one live order of the generator.
type dayOrder struct {
	id    uint64
	level int
	side  order.Side
	open  order.Qty
	place int // index in dayBook.orders
}

// dayBook is the generator's own small book: queues by price level and one list
// to pick from at random. A level belongs to one side at a time, because the
// book is never crossed.
type dayBook struct {
	orders []*dayOrder
	queues [2][bookLevels][]*dayOrder
	bid    int // highest level that may hold a bid
	ask    int // lowest level that may hold an offer
}

func newDayBook() *dayBook { return &dayBook{bid: -1, ask: bookLevels} }

func queueOf(side order.Side) int {
	if side.IsBuy() {
		return 0
	}
	return 1
}

func (b *dayBook) live() int { return len(b.orders) }

func (b *dayBook) add(o dayOrder) {
	placed := &o
	placed.place = len(b.orders)
	b.orders = append(b.orders, placed)
	queue := &b.queues[queueOf(o.side)][o.level]
	*queue = append(*queue, placed)
	if o.side.IsBuy() {
		b.bid = max(b.bid, o.level)
	} else {
		b.ask = min(b.ask, o.level)
	}
}

// best returns the best level of a side that holds an order.
func (b *dayBook) best(side order.Side) (int, bool) {
	if side.IsBuy() {
		for b.bid >= 0 && len(b.queues[0][b.bid]) == 0 {
			b.bid--
		}
		return b.bid, b.bid >= 0
	}
	for b.ask < bookLevels && len(b.queues[1][b.ask]) == 0 {
		b.ask++
	}
	return b.ask, b.ask < bookLevels
}

// front returns the order that trades first.
func (b *dayBook) front(side order.Side) (*dayOrder, bool) {
	level, ok := b.best(side)
	if !ok {
		return nil, false
	}
	return b.queues[queueOf(side)][level][0], true
}

// pick returns any live order; the book must not be empty.
func (b *dayBook) pick(random *rand.Rand) *dayOrder {
	return b.orders[random.IntN(len(b.orders))]
}

// shrink takes quantity off an order and removes it when nothing is left.
func (b *dayBook) shrink(o *dayOrder, by order.Qty) {
	o.open -= by
	if o.open <= 0 {
		b.remove(o)
	}
}

func (b *dayBook) remove(o *dayOrder) {
	last := b.orders[len(b.orders)-1]
	b.orders[o.place], last.place = last, o.place
	b.orders = b.orders[:len(b.orders)-1]
	queue := &b.queues[queueOf(o.side)][o.level]
	for i, queued := range *queue {
		if queued == o {
			*queue = append((*queue)[:i], (*queue)[i+1:]...)
			return
		}
	}
}
