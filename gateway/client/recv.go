package client

import (
	"context"

	"tollgate/order"
)

// inbox keeps what was received while nobody looked: answers, traces and
// events in their order.
type inbox struct {
	items []item
	head  int
}

// item is one call of a Handler.
type item struct {
	answer order.Answer
	trace  order.Trace
	event  Event
	kind   itemKind
}

type itemKind uint8

const (
	itemAnswer itemKind = 1
	itemTrace  itemKind = 2
	itemEvent  itemKind = 3
)

// Answer keeps a copy of a.
func (b *inbox) Answer(a *order.Answer) {
	b.items = append(b.items, item{kind: itemAnswer, answer: *a})
}

// Trace keeps a copy of t.
func (b *inbox) Trace(session order.SessionID, outSeq uint64, t *order.Trace) {
	b.items = append(b.items, item{kind: itemTrace, trace: *t, answer: order.Answer{Session: session, OutSeq: outSeq}})
}

// Event keeps e.
func (b *inbox) Event(e Event) { b.items = append(b.items, item{kind: itemEvent, event: e}) }

func (b *inbox) pending() bool { return b.head < len(b.items) }

// next takes the oldest item out. It stays valid until something is added.
func (b *inbox) next() *item {
	if !b.pending() {
		b.items, b.head = b.items[:0], 0
		return nil
	}
	b.head++
	return &b.items[b.head-1]
}

// nextAnswer takes the oldest answer out, and what lies before it.
func (b *inbox) nextAnswer() *order.Answer {
	for i := b.next(); i != nil; i = b.next() {
		if i.kind == itemAnswer {
			return &i.answer
		}
	}
	return nil
}

// firstOutSeq returns the number of the oldest answer in the box, 0 if there is
// none.
func (b *inbox) firstOutSeq() uint64 {
	for i := b.head; i < len(b.items); i++ {
		if b.items[i].kind == itemAnswer {
			return b.items[i].answer.OutSeq
		}
	}
	return 0
}

// deliver hands everything to h and returns how many answers there were.
func (b *inbox) deliver(h Handler) (answers int) {
	for i := b.next(); i != nil; i = b.next() {
		switch i.kind {
		case itemAnswer:
			h.Answer(&i.answer)
			answers++
		case itemTrace:
			h.Trace(i.answer.Session, i.answer.OutSeq, &i.trace)
		case itemEvent:
			h.Event(i.event)
		}
	}
	return answers
}

// Recv returns the session's next answer, waiting for it as long as ctx
// allows. It is for simple programs: traces and events are passed over. The
// answer is valid until the next call of a method of c. Do not mix Recv with
// a Handler that calls it.
func (c *Client) Recv(ctx context.Context) (*order.Answer, error) {
	for {
		if a := c.inbox.nextAnswer(); a != nil {
			return a, nil
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		n, err := c.poll(&c.inbox)
		if err != nil && !c.inbox.pending() {
			return nil, err
		}
		if n == 0 {
			c.Wait(recvSlice)
		}
	}
}

// Do sends r and returns its final answer, waiting for it as long as ctx
// allows. It is for programs that send one request at a time and look at final
// answers alone: whatever else comes meanwhile, trades for instance, is passed
// over. The answer is valid until the next call of a method of c.
func (c *Client) Do(ctx context.Context, r *order.Request) (*order.Answer, error) {
	ref, err := c.Send(r)
	if err != nil {
		return nil, err
	}
	for {
		if a, err := c.Recv(ctx); err != nil || a.Ref == ref {
			return a, err
		}
	}
}
