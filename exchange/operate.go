package exchange

import (
	"context"
	"errors"

	"tollgate/exchange/simulated"
)

// ErrStopped says that the loop is not running (any more).
var ErrStopped = errors.New("exchange: the loop is not running")

// ErrCommandsFull says that too many commands wait for the loop.
var ErrCommandsFull = errors.New("exchange: too many commands wait for the loop")

// operation is a command that waits for the loop.
type operation struct {
	command simulated.Command
	result  chan error // has room for the result
}

// Operate has the simulated venue do something of its own accord and returns when
// it has; its reports take the way of all others. An error says why the venue has
// not: what is wrong with the command, ErrStopped or ErrCommandsFull. If ctx ends
// first, the command may still be carried out. Any goroutine but the loop may
// call it, between Ready and the end of Run.
func (s *Server) Operate(ctx context.Context, c simulated.Command) error {
	op := operation{command: c, result: make(chan error, 1)}
	if !s.operations.Push(op) {
		return ErrCommandsFull
	}
	s.loop.Wake()
	select {
	case err := <-op.result:
		return err
	case <-s.ended:
	case <-ctx.Done():
	}
	select {
	case err := <-op.result:
		return err
	default:
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return ErrStopped
}

// Wake carries out the commands that wait.
func (s *Server) Wake() {
	var op operation
	for s.operations.Pop(&op) {
		err := s.venue.Do(s.loop.Now(), &op.command)
		s.adapter.Collect(s.loop.Now())
		op.result <- err
	}
}
