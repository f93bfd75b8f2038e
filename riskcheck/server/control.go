package server

import (
	"context"
	"errors"
	"sync/atomic"

	"tollgate/asynclog"
	"tollgate/order"
	"tollgate/riskcheck"
)

// ErrStopped says that the loop is not running (any more).
var ErrStopped = errors.New("riskcheck: the engine loop is not running")

// ErrCommandsFull says that too many functions wait for the loop.
var ErrCommandsFull = errors.New("riskcheck: too many commands wait for the engine loop")

// command is a function that waits for the loop.
type command struct {
	fn    func(nowNs int64)
	done  chan struct{}
	taken atomic.Bool // by the loop, to run it, or by the caller, to give up
	ran   bool
}

// Do runs fn on the loop between two batches and returns when it has run. The
// effects fn causes in the engine are carried out before the next batch. fn
// must be short and must not wait. An error means that fn has not run and will
// not: ctx ended, the loop stopped, or too many commands wait. Any goroutine
// but the loop may call it.
func (s *Server) Do(ctx context.Context, fn func(e *riskcheck.Engine, nowNs int64)) error {
	return s.run(ctx, func(nowNs int64) {
		fn(s.engine, nowNs)
		s.carryOut(nil, nil)
	})
}

// run has the loop run fn.
func (s *Server) run(ctx context.Context, fn func(nowNs int64)) error {
	c := &command{fn: fn, done: make(chan struct{})}
	if s.stopped.Load() {
		return ErrStopped
	}
	if !s.commands.Push(c) {
		return ErrCommandsFull
	}
	s.wake()
	if s.stopped.Load() {
		s.refuseCommands()
	}
	select {
	case <-c.done:
	case <-ctx.Done():
		if c.taken.CompareAndSwap(false, true) {
			return ctx.Err()
		}
		<-c.done
	}
	if !c.ran {
		return ErrStopped
	}
	return nil
}

// runCommands runs what waits.
func (s *Server) runCommands() {
	var c *command
	for s.commands.Pop(&c) {
		if c.taken.CompareAndSwap(false, true) {
			c.fn(s.loop.Now())
			c.ran = true
			close(c.done)
		}
	}
}

// refuseCommands ends what waits for a loop that has stopped.
func (s *Server) refuseCommands() {
	s.refusing.Lock()
	defer s.refusing.Unlock()
	var c *command
	for s.commands.Pop(&c) {
		if c.taken.CompareAndSwap(false, true) {
			close(c.done)
		}
	}
}

// Fence says whether verdicts from before a kill can still reach the venue.
type Fence uint8

// The states of a fence.
const (
	FenceConfirmed Fence = 1 // they cannot
	FencePending   Fence = 2 // the adapter is connected and has not confirmed yet
	FenceNoAdapter Fence = 3 // no adapter is connected; it gets the fence before any order
)

// Kill is the outcome of a kill.
type Kill struct {
	FenceID   uint64
	Canceling int // live orders for which a cancel was sent
	Fence     Fence
}

// Kill kills a scope and waits until the adapter has confirmed that nothing
// from before can pass it any more. Without an adapter it does not wait; when
// ctx ends first, the kill is in force and its fence pending. An error means
// that nothing was killed.
func (s *Server) Kill(ctx context.Context, scope order.Scope) (Kill, error) {
	var result riskcheck.KillResult
	var failed error
	confirmed := make(chan struct{})
	err := s.run(ctx, func(nowNs int64) {
		result, failed = s.engine.Kill(nowNs, scope)
		if failed != nil {
			return
		}
		s.log(asynclog.CodeKilled, uint64(scope.Type), uint64(scope.ID), uint64(scope.Instrument), result.FenceID,
			s.engine.Seq(), uint64(result.Canceling))
		s.carryOut(nil, nil)
		if s.wayToVenue(nil, 0) == nil {
			close(confirmed)
			return
		}
		s.waiters = append(s.waiters, fenceWaiter{id: result.FenceID, done: confirmed})
	})
	if err = errors.Join(err, failed); err != nil {
		return Kill{}, err
	}
	select {
	case <-confirmed:
	case <-ctx.Done():
	}
	state, err := s.FenceState(context.WithoutCancel(ctx), result.FenceID)
	return Kill{FenceID: result.FenceID, Canceling: result.Canceling, Fence: state}, err
}

// FenceState tells what has become of a fence. One that is no longer
// remembered was lifted or replaced and counts as confirmed.
func (s *Server) FenceState(ctx context.Context, id uint64) (Fence, error) {
	state := FenceConfirmed
	err := s.run(ctx, func(int64) {
		for i := range s.fences {
			if f := &s.fences[i]; f.id == id && !f.confirmed {
				state = FencePending
				if s.wayToVenue(nil, 0) == nil {
					state = FenceNoAdapter
				}
			}
		}
	})
	return state, err
}

// Unkill lets a scope trade again.
func (s *Server) Unkill(ctx context.Context, scope order.Scope) error {
	var failed error
	err := s.run(ctx, func(nowNs int64) {
		if failed = s.engine.Unkill(nowNs, scope); failed == nil {
			s.dropFence(scope)
			s.log(asynclog.CodeUnkilled, uint64(scope.Type), uint64(scope.ID), uint64(scope.Instrument))
		}
	})
	return errors.Join(err, failed)
}
