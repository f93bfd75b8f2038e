package admin

import (
	"context"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"tollgate/order"
	adminv1 "tollgate/proto/tollgate/admin/v1"
)

// takenAtOnce is how many events a watcher takes from the feed in one step.
const takenAtOnce = 64

// watcher is one Watch stream.
type watcher struct {
	service     *Service
	stream      grpc.ServerStreamingServer[adminv1.WatchResponse]
	cursor      *cursor
	kinds       map[adminv1.EventKind]bool
	onlyRejects bool
}

// Watch streams events and counters until the client leaves.
func (s *Service) Watch(req *adminv1.WatchRequest, stream grpc.ServerStreamingServer[adminv1.WatchResponse]) error {
	every, err := countersEvery(req.GetCountersEveryMs())
	if err != nil {
		return err
	}
	kinds, err := watchedKinds(req.GetKinds())
	if err != nil {
		return err
	}
	select {
	case s.watchers <- struct{}{}:
		defer func() { <-s.watchers }()
	default:
		return status.Errorf(codes.ResourceExhausted, "%d clients watch already, want at most that many", watchersMax)
	}
	w := &watcher{
		service: s, stream: stream, cursor: s.feed.watch(), kinds: kinds, onlyRejects: req.GetOnlyRejects(),
	}
	return w.run(every)
}

func countersEvery(ms uint32) (time.Duration, error) {
	every := time.Duration(ms) * time.Millisecond
	if ms == 0 {
		every = countersEveryDefault
	}
	if every < countersEveryMin {
		return 0, invalid("counters_every_ms", "%d, want 0 or at least %d", ms, countersEveryMin.Milliseconds())
	}
	return every, nil
}

// watchedKinds returns the kinds asked for, all if none is named.
func watchedKinds(asked []adminv1.EventKind) (map[adminv1.EventKind]bool, error) {
	kinds := map[adminv1.EventKind]bool{}
	for _, kind := range asked {
		if kind <= adminv1.EventKind_EVENT_KIND_UNSPECIFIED || kind > adminv1.EventKind_EVENT_KIND_CHANGE {
			return nil, invalid("kinds", "%d is no kind of event", kind)
		}
		kinds[kind] = true
	}
	if len(asked) == 0 {
		for kind := adminv1.EventKind_EVENT_KIND_DECISION; kind <= adminv1.EventKind_EVENT_KIND_CHANGE; kind++ {
			kinds[kind] = true
		}
	}
	return kinds, nil
}

// run sends until the stream ends.
func (w *watcher) run(every time.Duration) error {
	ctx := w.stream.Context()
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	if err := w.sendCounters(ctx); err != nil {
		return err
	}
	counted := time.Now()
	for {
		more, err := w.drain()
		if err != nil {
			return err
		}
		if err := wait(ctx, more, ticker.C); err != nil {
			return status.FromContextError(err).Err()
		}
		if now := time.Now(); now.Sub(counted) >= every {
			counted = now
			if err := w.sendCounters(ctx); err != nil {
				return err
			}
		}
	}
}

// drain sends the events that wait and returns the channel that tells of more.
func (w *watcher) drain() (<-chan struct{}, error) {
	var events [takenAtOnce]Event
	for {
		n, first, missed, more := w.cursor.take(events[:])
		if missed > 0 {
			lost := &adminv1.WatchResponse_Missed{Missed: &adminv1.MissedEvent{Events: missed}}
			if err := w.stream.Send(&adminv1.WatchResponse{TimeNs: w.service.hooks.NowNs(), Event: lost}); err != nil {
				return nil, err
			}
		}
		for i := range n {
			if err := w.send(first+uint64(i), &events[i]); err != nil {
				return nil, err
			}
		}
		if n < len(events) {
			return more, nil
		}
	}
}

// send sends one event if the watcher wants it.
func (w *watcher) send(sequence uint64, e *Event) error {
	m := &adminv1.WatchResponse{Sequence: sequence, TimeNs: e.TimeNs}
	kind := w.service.fill(m, e)
	if !w.kinds[kind] || w.onlyRejects && m.GetDecision().GetAccepted() {
		return nil
	}
	return w.stream.Send(m)
}

func (w *watcher) sendCounters(ctx context.Context) error {
	if !w.kinds[adminv1.EventKind_EVENT_KIND_COUNTERS] {
		return nil
	}
	st, err := w.service.hooks.Status(ctx)
	if err != nil {
		return unavailable(err)
	}
	counters := w.service.counters(&st)
	return w.stream.Send(&adminv1.WatchResponse{
		TimeNs: counters.GetTimeNs(), Event: &adminv1.WatchResponse_Counters{Counters: counters},
	})
}

// fill turns an event into the message and returns its kind.
func (s *Service) fill(m *adminv1.WatchResponse, e *Event) adminv1.EventKind {
	switch e.Kind {
	case EventDecision:
		m.Event = &adminv1.WatchResponse_Decision{Decision: s.decision(&e.Request, &e.Decision)}
		return adminv1.EventKind_EVENT_KIND_DECISION
	case EventSession:
		m.Event = &adminv1.WatchResponse_Session{Session: &adminv1.SessionEvent{
			Session: s.nameOf(order.ScopeSession, uint32(e.Request.Session)), Connected: e.Connected,
			Connection: uint32(e.Request.Connection), Cause: e.Cause,
		}}
		return adminv1.EventKind_EVENT_KIND_SESSION
	case EventVenue:
		m.Event = &adminv1.WatchResponse_Venue{Venue: &adminv1.VenueEvent{State: venueState(e.VenueUp)}}
		return adminv1.EventKind_EVENT_KIND_VENUE
	case EventAlert:
		m.Event = &adminv1.WatchResponse_Alert{Alert: s.alertMessage(e)}
		return adminv1.EventKind_EVENT_KIND_ALERT
	case eventLimits:
		m.Event = &adminv1.WatchResponse_Limits{Limits: &adminv1.LimitsEvent{
			ResourceVersion: e.limits.number, AppliedBy: e.limits.by.message(), Changes: e.limits.changes,
		}}
		return adminv1.EventKind_EVENT_KIND_LIMITS
	case eventKill:
		m.Event = &adminv1.WatchResponse_Kill{Kill: &adminv1.KillEvent{Killed: e.killed, Kill: s.killMessage(e.kill)}}
		return adminv1.EventKind_EVENT_KIND_KILL
	case eventChange:
		m.Event = &adminv1.WatchResponse_Change{Change: changeMessage(e.change)}
		return adminv1.EventKind_EVENT_KIND_CHANGE
	}
	return adminv1.EventKind_EVENT_KIND_UNSPECIFIED
}

// decision turns a sample into the message.
func (s *Service) decision(r *order.Request, d *order.Decision) *adminv1.DecisionEvent {
	m := &adminv1.DecisionEvent{
		Accepted:   d.Reason == order.ReasonNone,
		Reason:     d.Reason.String(),
		Request:    r.MsgType.String(),
		Session:    s.nameOf(order.ScopeSession, uint32(r.Session)),
		Account:    s.nameOf(order.ScopeAccount, uint32(r.Account)),
		Trader:     s.nameOf(order.ScopeTrader, uint32(r.Trader)),
		Instrument: s.names().InstrumentName(r.Instrument),
		ClOrdId:    uint64(r.ClOrdID),
		Scope:      s.scope(d.Scope),
	}
	if r.Side != 0 {
		m.Side = r.Side.String()
	}
	if r.MsgType == order.MsgNewOrder || r.MsgType == order.MsgReplaceOrder {
		m.Qty, m.Price = r.OrderQty.String(), priceText(r.Price)
	}
	if !m.GetAccepted() {
		m.Value, m.Limit = FormatMeasure(d.Reason, d.Value), FormatMeasure(d.Reason, d.Limit)
	}
	return m
}
