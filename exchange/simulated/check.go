package simulated

import (
	"errors"
	"fmt"

	"tollgate/order"
)

// Check verifies the venue's invariants and returns every breach: books
// uncrossed and sorted, queues linked both ways, every live order in exactly
// one queue of its own price with something left to trade and to show, no stop
// waiting whose price is reached, finished orders in no queue, counts and index
// in agreement, the expiry heap in order. It looks at
// everything the venue holds: for tests, not for the loop.
func (v *Venue) Check() error {
	var problems []error
	queued := 0
	for i := range v.books {
		count, err := v.checkBook(int32(i))
		queued += count
		problems = append(problems, err)
	}
	if queued != v.orders.live {
		problems = append(problems, fmt.Errorf("%d orders are queued but %d are live", queued, v.orders.live))
	}
	return errors.Join(append(problems, v.checkSlab(), v.checkFinished(), v.checkExpiries())...)
}

func (v *Venue) checkBook(i int32) (int, error) {
	b := &v.books[i]
	queued := 0
	var problems []error
	for side := range b.sides {
		for _, l := range []*ladder{&b.sides[side], &b.stops[side]} {
			count, err := v.checkLadder(i, l, side)
			queued += count
			problems = append(problems, err)
		}
	}
	if at := v.elected(i); at != none {
		problems = append(problems, fmt.Errorf("order %d waits at %v although the last price is %v",
			v.orders.slab[at].id, v.orders.slab[at].stopPx, b.price.last))
	}
	if bid, offer := &b.sides[bids], &b.sides[offers]; !bid.empty() && !offer.empty() &&
		bid.bestPrice() >= offer.bestPrice() {
		problems = append(problems,
			fmt.Errorf("instrument %d is crossed: bid %v, offer %v", b.ID, bid.bestPrice(), offer.bestPrice()))
	}
	return queued, errors.Join(problems...)
}

func (v *Venue) checkLadder(book int32, l *ladder, side int) (int, error) {
	var problems []error
	queued := 0
	for i, level := range l.levels {
		if i > 0 && l.levels[i-1].key >= level.key {
			problems = append(problems, fmt.Errorf("book %d side %d: level %d is out of order", book, side, i))
		}
		count, err := v.checkLevel(book, l, side, level)
		queued += count
		problems = append(problems, err)
	}
	return queued, errors.Join(problems...)
}

func (v *Venue) checkLevel(book int32, ladder *ladder, side int, l level) (int, error) {
	var problems []error
	queued, prev := 0, none
	price := l.key ^ ladder.flip
	for at := l.head; at != none; at = v.orders.slab[at].next {
		o := &v.orders.slab[at]
		if o.prev != prev || o.rank() != price || o.book != book || sideIndex(o.side) != side || !o.inBook ||
			v.books[book].queue(o) != ladder {
			problems = append(problems, fmt.Errorf("order %d is in a queue it does not belong to", o.id))
		}
		prev = at
		queued++
	}
	if queued == 0 || l.tail != prev {
		problems = append(problems, fmt.Errorf("book %d side %d: the queue at %v has a wrong end", book, side, price))
	}
	return queued, errors.Join(problems...)
}

func (v *Venue) checkSlab() error {
	var problems []error
	live, finished := 0, 0
	for at := slot(0); at < v.orders.used; at++ {
		o := &v.orders.slab[at]
		if o.id == 0 {
			continue
		}
		if o.live {
			live++
		} else {
			finished++
		}
		if v.orders.find(o.id) != at {
			problems = append(problems, fmt.Errorf("order %d is not where the index says", o.id))
		}
		problems = append(problems, checkOrder(o))
	}
	if live != v.orders.live || finished != v.orders.finished {
		problems = append(problems, fmt.Errorf("%d live and %d finished orders, counted %d and %d",
			live, finished, v.orders.live, v.orders.finished))
	}
	return errors.Join(problems...)
}

func checkOrder(o *resting) error {
	switch {
	case o.cumQty < 0 || o.live && o.cumQty > o.orderQty:
		return fmt.Errorf("order %d has executed %v of %v", o.id, o.cumQty, o.orderQty)
	case o.inBook && o.displayQty != 0 && (o.shown <= 0 || o.shown > min(o.displayQty, o.open())):
		return fmt.Errorf("order %d shows %v of %v, at most %v", o.id, o.shown, o.open(), o.displayQty)
	case o.live != o.inBook:
		return fmt.Errorf("order %d: live is %t, in a book is %t", o.id, o.live, o.inBook)
	case o.live && o.open() == 0:
		return fmt.Errorf("order %d is live with nothing left to trade", o.id)
	case (o.live && o.inForce == order.TimeInForceGTD) != (o.expiryAt >= 0):
		return fmt.Errorf("order %d: its place among the expiries is %d", o.id, o.expiryAt)
	}
	return nil
}

func (v *Venue) checkFinished() error {
	count := 0
	for at := v.orders.oldest; at != none; at = v.orders.slab[at].next {
		count++
	}
	if count != v.orders.finished || count > v.orders.finishedMax {
		return fmt.Errorf("%d finished orders are listed, %d counted, at most %d retained",
			count, v.orders.finished, v.orders.finishedMax)
	}
	return nil
}

func (v *Venue) checkExpiries() error {
	heap := &v.expiries
	for i, at := range heap.heap {
		if v.orders.slab[at].expiryAt != int32(i) {
			return fmt.Errorf("order %d does not know its place %d among the expiries", v.orders.slab[at].id, i)
		}
		if i > 0 && heap.less(v.orders.slab, i, (i-1)/2) {
			return fmt.Errorf("place %d among the expiries is out of order", i)
		}
	}
	return nil
}
