package riskcheck_test

import (
	"math/big"
	"slices"

	"tollgate/order"
)

// basketLegsMax is the longest list.
const basketLegsMax = 512

// heldLeg is an order of a list that waits for the others.
type heldLeg struct {
	request order.Request
	seq     uint64
}

// basketLeg takes one order of a list. The last of them has all judged.
func (o *oracle) basketLeg(s *sessionState, r *order.Request) {
	malformed := r.BasketLegs < 1 || r.BasketLegs > basketLegsMax
	if len(s.held) > 0 {
		first := &s.held[0].request
		if first.Basket != r.Basket || first.BasketLegs != r.BasketLegs {
			malformed = malformed || first.Basket == r.Basket
			o.breakBasket(s)
		}
	}
	if malformed {
		c := o.caseOf(s, r, o.seq)
		o.refuse(c, because(order.ReasonMalformed))
		return
	}
	s.held = append(s.held, heldLeg{*r, o.seq})
	if len(s.held) == int(r.BasketLegs) {
		legs := s.held
		s.held = nil
		o.judgeBasket(s, legs)
	}
}

// breakBasket refuses the orders of a list that will not be complete.
func (o *oracle) breakBasket(s *sessionState) {
	legs := s.held
	s.held = nil
	for i := range legs {
		o.refuse(o.caseOf(s, &legs[i].request, legs[i].seq), because(order.ReasonBasketIncomplete))
	}
}

// judgeBasket judges a list as a whole and then order by order, each after those
// before it. Nothing remains of a list of which one order is refused.
func (o *oracle) judgeBasket(s *sessionState, legs []heldLeg) {
	cases := make([]*judged, len(legs))
	restore := o.remember()
	at, no := o.basketLimits(s, legs)
	for i := range legs {
		if no != nil {
			break
		}
		o.seq++ // a leg goes by its place in the judgement of the list
		cases[i] = o.caseOf(s, &legs[i].request, o.seq)
		if no = o.judge(cases[i]); no != nil {
			at = i
			break
		}
		o.accept(cases[i])
	}
	if no == nil {
		for _, c := range cases {
			o.tellUse(c)
		}
		return
	}
	restore()
	for i := range legs {
		c := o.caseOf(s, &legs[i].request, legs[i].seq)
		if i == at {
			o.refuse(c, no)
		} else {
			o.refuse(c, because(order.ReasonBasketLeg))
		}
	}
}

// remember returns a function that takes back what accepting orders does. What
// was forgotten to make room stays forgotten.
func (o *oracle) remember() func() {
	then, orders := *o, map[*orderState]orderState{}
	for _, ord := range o.orders {
		orders[ord] = *ord
	}
	return func() {
		o.stamps, o.seq, o.out = then.stamps, then.seq, then.out
		o.orders = slices.DeleteFunc(slices.Clone(o.orders), func(ord *orderState) bool {
			_, before := orders[ord]
			return !before
		})
		for _, ord := range o.orders {
			*ord = orders[ord]
		}
	}
}

// basketLimits is control 24, for every order of the list.
func (o *oracle) basketLimits(s *sessionState, legs []heldLeg) (int, *refusal) {
	sum := new(big.Int)
	for i := range legs {
		c := o.caseOf(s, &legs[i].request, legs[i].seq)
		if sum.Add(sum, o.legValue(c)); !sum.IsInt64() {
			return i, because(order.ReasonArithOverflow)
		}
	}
	for i := range legs {
		c := o.caseOf(s, &legs[i].request, legs[i].seq)
		if !c.permitted(&o.world) {
			continue // a control of its own will refuse it
		}
		for _, l := range []struct {
			kind  limitName
			value *big.Int
		}{{limitBasketOrders, num(int64(len(legs)))}, {limitBasketNotional, sum}} {
			row := o.bound(c, l.kind)
			if row == nil {
				return i, unstatedWith(order.ReasonBasket, l.value)
			}
			if no := tightest(order.ReasonBasket, []candidate{{*row, l.value, row.value}}); no != nil {
				return i, no
			}
		}
	}
	return 0, nil
}

// legValue is what an order of a list is worth in the firm's currency; nothing if
// that cannot be told, because then a control of its own will refuse it.
func (o *oracle) legValue(c *judged) *big.Int {
	price := c.request.Price
	switch c.request.OrdType {
	case order.OrdTypeStop:
		price = c.request.StopPx
	case order.OrdTypeMarket:
		price = 0 // it needs none
	}
	if price == order.Null || !c.permitted(&o.world) || c.request.OrderQty <= 0 {
		return new(big.Int)
	}
	var ok bool
	if c.rates, ok = o.ratesNow(c.instrument.currency, c.account.currency, true); !ok || o.priceOf(c) != nil {
		return new(big.Int)
	}
	value := c.rates.worth(c.worst, num(int64(c.request.OrderQty)), c.instrument.multiplier)
	if !value.fit() {
		return new(big.Int)
	}
	return value.firm
}
