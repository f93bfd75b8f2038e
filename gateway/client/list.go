package client

import (
	"context"
	"errors"
	"fmt"

	"tollgate/order"
)

// NewOrderList sends new orders that are judged together: either all of them
// pass, or none does (FIX NewOrderList). basket is the program's own name of
// the list (FIX ListID) and not zero; legs are 1 to ListLegsMax new orders.
// NewOrderList fills in MsgType, Basket, BasketLegs and Ref of each, and returns
// the number of the first; those of the others follow without a gap.
//
// Each leg gets its own final answer. If one is refused, it carries that leg's
// reason, and the others are refused with BASKET_LEG. The server takes a list
// only whole: if the connection is lost while it is on its way, its legs are
// refused with BASKET_INCOMPLETE, the last of them when the next request of the
// session comes.
//
// Errors, all of which send nothing: no name, too few or too many legs,
// ErrTooManyUnanswered if Config.UnansweredMax leaves no room for all legs, or
// what ended the session.
func (c *Client) NewOrderList(basket order.BasketID, legs []order.Request) (firstRef uint64, err error) {
	if err := c.refuseList(basket, legs); err != nil {
		return 0, err
	}
	firstRef = c.session.window.next
	for i := range legs {
		legs[i].Basket, legs[i].BasketLegs = basket, uint16(len(legs))
		if _, err := c.NewOrder(&legs[i]); err != nil {
			return firstRef, err
		}
	}
	return firstRef, nil
}

// refuseList says why a list cannot be taken, or nil.
func (c *Client) refuseList(basket order.BasketID, legs []order.Request) error {
	switch s := c.session; {
	case s.failure != nil:
		return s.failure
	case basket == 0:
		return errors.New("client: the list has no name: basket is 0, want any other number")
	case len(legs) < 1 || len(legs) > ListLegsMax:
		return fmt.Errorf("client: list %d has %d legs, want 1 to %d", basket, len(legs), ListLegsMax)
	case s.window.room() < uint64(len(legs)):
		return ErrTooManyUnanswered
	}
	return nil
}

// DoList sends a list as NewOrderList does and returns the final answers of its
// legs, in their order, waiting for them as long as ctx allows. It is for
// programs that send one list at a time and look at final answers alone:
// whatever else comes meanwhile, trades for instance, is passed over.
func (c *Client) DoList(ctx context.Context, basket order.BasketID, legs []order.Request) ([]order.Answer, error) {
	first, err := c.NewOrderList(basket, legs)
	if err != nil {
		return nil, err
	}
	answers := make([]order.Answer, len(legs))
	for missing := len(legs); missing > 0; {
		a, err := c.Recv(ctx)
		if err != nil {
			return nil, err
		}
		if i := a.Ref - first; a.Ref >= first && i < uint64(len(legs)) {
			answers[i] = *a
			missing--
		}
	}
	return answers, nil
}
