package simulated

import (
	"slices"

	"tollgate/order"
)

// The two sides of a book.
const (
	bids   = 0
	offers = 1
)

// sideIndex returns where an order of side s rests.
func sideIndex(s order.Side) int {
	if s.IsBuy() {
		return bids
	}
	return offers
}

// book is the order book of one instrument.
type book struct {
	Instrument
	sides [2]ladder
	stops [2]ladder // orders that wait for their StopPx, by their own side; the next to be elected is the best
	price priceState
}

func newBook(i Instrument) book {
	return book{
		Instrument: i,
		sides: [2]ladder{
			bids:   {levels: make([]level, 0, levelsReserved)},
			offers: {levels: make([]level, 0, levelsReserved), flip: -1},
		},
		stops: [2]ladder{bids: {flip: -1}, offers: {}},
	}
}

// queue returns the ladder that the order is in or belongs in.
func (b *book) queue(o *resting) *ladder {
	if o.waiting {
		return &b.stops[sideIndex(o.side)]
	}
	return &b.sides[sideIndex(o.side)]
}

// ladder is one side of a book, or its stops of one side: price levels in a sorted slice with the
// best level last. Orders come and go near the best price, so an insertion or
// a removal moves few of the 16-byte levels; at the far end of a side with ten
// thousand levels it moves 160 kB, which still is a matter of microseconds.
type ladder struct {
	levels []level
	flip   order.Price // xor turns a price into a key that is higher the better
}

// level is one price with its orders, first come first.
type level struct {
	key        order.Price
	head, tail slot
}

func (l *ladder) empty() bool { return len(l.levels) == 0 }

// best returns the best level; the ladder must not be empty.
func (l *ladder) best() *level { return &l.levels[len(l.levels)-1] }

func (l *ladder) bestPrice() order.Price { return l.best().key ^ l.flip }

// find returns where the level of key is, or where it would have to be put.
func (l *ladder) find(key order.Price) (int, bool) {
	high := len(l.levels)
	for near := 0; near < nearLevels && high > 0; near++ {
		if l.levels[high-1].key <= key {
			return l.foundAt(high-1, key)
		}
		high--
	}
	low := 0
	for low < high {
		middle := int(uint(low+high) / 2)
		if l.levels[middle].key < key {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low, low < len(l.levels) && l.levels[low].key == key
}

// foundAt ends a search whose last key not above the one wanted is at i.
func (l *ladder) foundAt(i int, key order.Price) (int, bool) {
	if l.levels[i].key == key {
		return i, true
	}
	return i + 1, false
}

// push puts an order behind all others of its price.
func (l *ladder) push(slab []resting, at slot) {
	o := &slab[at]
	o.inBook, o.next, o.prev = true, none, none
	key := o.rank() ^ l.flip
	i, found := l.find(key)
	if !found {
		l.levels = slices.Insert(l.levels, i, level{key, at, at})
		return
	}
	tail := l.levels[i].tail
	slab[tail].next, o.prev = at, tail
	l.levels[i].tail = at
}

// remove takes an order out of its level, and the level away with its last
// order. Only the ends of a queue need the level.
func (l *ladder) remove(slab []resting, at slot) {
	o := &slab[at]
	o.inBook = false
	if o.prev != none && o.next != none {
		slab[o.prev].next, slab[o.next].prev = o.next, o.prev
		return
	}
	i, _ := l.find(o.rank() ^ l.flip)
	switch {
	case o.prev == none && o.next == none:
		l.levels = slices.Delete(l.levels, i, i+1)
	case o.prev == none:
		l.levels[i].head = o.next
		slab[o.next].prev = none
	default:
		l.levels[i].tail = o.prev
		slab[o.prev].next = none
	}
}

// holds reports whether quantity could be traded against this side by an order
// that accepts prices up to the given one, or any price if anyPrice.
func (l *ladder) holds(slab []resting, quantity order.Qty, price order.Price, anyPrice bool) bool {
	for i := len(l.levels) - 1; i >= 0; i-- {
		if !anyPrice && l.levels[i].key < price^l.flip {
			return false
		}
		for at := l.levels[i].head; at != none; at = slab[at].next {
			quantity -= slab[at].open()
			if quantity <= 0 {
				return true
			}
		}
	}
	return false
}
