package riskcheck

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"tollgate/order"
)

// TestSelfBookAgainstList has orders enter and leave the heaps of two books and
// change their prices, in random order, and holds the heaps against plain lists:
// what a price would meet, in which order, and every link.
func TestSelfBookAgainstList(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 22))
		b := newListedBooks(1+r.IntN(70), r)
		for step := range 600 {
			b.step()
			if b.check(t); t.Failed() {
				t.Fatalf("seed %d step %d", seed, step)
			}
		}
	}
}

// TestSelfBookOfManyOrders lets a long list of ever better prices meet one order of
// the other side: what is deep costs no more than what is wide.
func TestSelfBookOfManyOrders(t *testing.T) {
	const orders = 300_000
	b := newListedBooks(orders, rand.New(rand.NewPCG(1, 1)))
	for i := range b.orders() {
		o := &b.orders()[i]
		o.side, o.route, o.acked.price = order.SideBuy, 0, order.Price(i+1)
		b.engine.enterSelf(int32(i))
	}
	b.engine.collectCrossed(b.engine.selfBooks[0].roots[0], -1)
	if n := len(b.engine.crossed); n != orders {
		t.Errorf("%d orders are met, want %d", n, orders)
	}
}

// listedBooks is an engine of two self-match books and as many orders as there is
// room for.
type listedBooks struct {
	engine *Engine
	r      *rand.Rand
}

func newListedBooks(orders int, r *rand.Rand) *listedBooks {
	b := &listedBooks{&Engine{
		orders: newOrderStore(orders), selfBooks: make([]selfBook, 2),
		routes: []route{{selfBook: 0}, {selfBook: 1}, {selfBook: 1}},
	}, r}
	for i := range b.orders() {
		o := &b.orders()[i]
		o.id, o.place, o.requests, o.acked.stopPx = order.OrderID(i+1), int32(i), noIndex, order.Null
		o.side, o.route = order.SideBuy, int32(r.IntN(3))
		if r.IntN(2) == 0 {
			o.side = order.SideSell
		}
	}
	return b
}

func (b *listedBooks) orders() []liveOrder { return b.engine.orders.orders }

// price draws from few prices, so that many are equal.
func (b *listedBooks) price() order.Price {
	if b.r.IntN(12) == 0 {
		return order.Null
	}
	return order.Price(b.r.IntN(15) - 7)
}

func (b *listedBooks) step() {
	i := int32(b.r.IntN(len(b.orders())))
	o := &b.orders()[i]
	switch {
	case !o.self.resting:
		o.acked.price = b.price()
		b.engine.enterSelf(i)
	case b.r.IntN(3) == 0:
		o.acked.price = b.price()
		b.engine.reenterSelf(i)
	default:
		b.engine.leaveSelf(i)
	}
}

func (b *listedBooks) check(t *testing.T) {
	t.Helper()
	for book := range b.engine.selfBooks {
		for side := range 2 {
			var want []int32
			for i := range b.orders() {
				o := &b.orders()[i]
				if o.self.resting && int(b.engine.routes[o.route].selfBook) == book && sideIndex(o.side) == side {
					want = append(want, int32(i))
				}
			}
			b.checkHeap(t, b.engine.selfBooks[book].roots[side], want)
			b.checkCrossed(t, b.engine.selfBooks[book].roots[side], want)
		}
	}
}

// checkHeap checks the links of a heap, and that it holds what it is to hold.
func (b *listedBooks) checkHeap(t *testing.T, root int32, want []int32) {
	t.Helper()
	var got []int32
	if root != 0 {
		if o := &b.orders()[root-1]; o.self.before != 0 || o.self.next != 0 {
			t.Errorf("root %d has a neighbour: %+v", root, o.self)
		}
	}
	for open := []int32{root}; len(open) > 0; open = open[1:] {
		if open[0] == 0 {
			continue
		}
		o := &b.orders()[open[0]-1]
		got = append(got, open[0]-1)
		if o.self.rank != b.engine.rank(o) {
			t.Errorf("order %d stands at rank %d, want %d", o.id, o.self.rank, b.engine.rank(o))
		}
		before := open[0]
		for at := o.self.child; at != 0; at = b.orders()[at-1].self.next {
			child := &b.orders()[at-1]
			if child.self.before != before || child.self.rank > o.self.rank {
				t.Errorf("order %d below %d of rank %d: %+v, want before %d", at, o.id, o.self.rank, child.self, before)
				return
			}
			before = at
			open = append(open, at)
		}
	}
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("the heap holds %v, want %v", got, want)
	}
}

// checkCrossed checks what an order of the other side would meet.
func (b *listedBooks) checkCrossed(t *testing.T, root int32, resting []int32) {
	t.Helper()
	price := b.price()
	var want []int32
	other := order.SideBuy
	for _, i := range resting {
		o := &b.orders()[i]
		if o.side.IsBuy() {
			other = order.SideSell
		}
		bid, offer := o.acked.price, price
		if !o.side.IsBuy() {
			bid, offer = offer, bid
		}
		if bid == order.Null || offer == order.Null || bid >= offer {
			want = append(want, i)
		}
	}
	slices.SortFunc(want, func(a, c int32) int {
		x, y := &b.orders()[a], &b.orders()[c]
		return cmp.Or(cmp.Compare(rankOf(y.side, y.acked.price), rankOf(x.side, x.acked.price)), cmp.Compare(x.id, y.id))
	})
	b.engine.crossed = b.engine.crossed[:0]
	if own := rankOf(other, price); root != 0 && b.engine.meets(root, own) {
		b.engine.collectCrossed(root, own)
	}
	slices.SortFunc(b.engine.crossed, b.engine.moreAggressive)
	if !slices.Equal(b.engine.crossed, want) {
		t.Errorf("price %s meets %v, want %v", price, b.engine.crossed, want)
	}
}
