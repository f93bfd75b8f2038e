package simulated

// expiries is a binary heap of the orders that expire, the earliest first;
// equal times in the order of the orders' names. Orders know their place in it,
// so that one can be taken out without a search.
type expiries struct {
	heap []slot
}

func (h *expiries) less(slab []resting, i, j int) bool {
	a, b := &slab[h.heap[i]], &slab[h.heap[j]]
	if a.expiry != b.expiry {
		return a.expiry < b.expiry
	}
	return a.id < b.id
}

func (h *expiries) swap(slab []resting, i, j int) {
	h.heap[i], h.heap[j] = h.heap[j], h.heap[i]
	slab[h.heap[i]].expiryAt = int32(i)
	slab[h.heap[j]].expiryAt = int32(j)
}

func (h *expiries) add(slab []resting, at slot) {
	h.heap = append(h.heap, at)
	slab[at].expiryAt = int32(len(h.heap) - 1)
	h.up(slab, len(h.heap)-1)
}

// remove takes an order out; one that is not in the heap is left alone.
func (h *expiries) remove(slab []resting, at slot) {
	i := int(slab[at].expiryAt)
	if i < 0 {
		return
	}
	last := len(h.heap) - 1
	h.swap(slab, i, last)
	h.heap = h.heap[:last]
	slab[at].expiryAt = -1
	if i < last {
		h.down(slab, i)
		h.up(slab, i)
	}
}

func (h *expiries) up(slab []resting, i int) {
	for i > 0 && h.less(slab, i, (i-1)/2) {
		h.swap(slab, i, (i-1)/2)
		i = (i - 1) / 2
	}
}

func (h *expiries) down(slab []resting, i int) {
	for {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(h.heap); child++ {
			if h.less(slab, child, least) {
				least = child
			}
		}
		if least == i {
			return
		}
		h.swap(slab, i, least)
		i = least
	}
}
