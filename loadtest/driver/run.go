package driver

import (
	"context"
	"errors"
	"fmt"

	"tollgate/gateway/client"
	"tollgate/loadtest/latency"
	"tollgate/loadtest/ledger"
	"tollgate/loadtest/pace"
	"tollgate/loadtest/request"
	"tollgate/order"
)

// run is one run in progress. One goroutine owns it.
type run struct {
	cfg      Config
	sessions []*session
	mapper   *request.Mapper
	feed     feed
	asked    *pace.Schedule // of the pace that was asked for
	schedule *pace.Schedule // of the present stage
	recorder *latency.Recorder

	next    outgoing // the request to be sent next
	waiting bool     // next is filled in
	over    bool     // the flow has nothing more

	sent       uint64 // requests after the opening book
	inFlight   int
	receivedNs int64 // the clock of the present poll; 0: not read yet
	dueNs      int64 // when the next request is scheduled, if that does not depend on answers; else 0

	warmUp          uint64
	expected        uint64 // requests after the opening book, about
	measuredFirstNs int64  // sending times of the first and last measured request
	measuredLastNs  int64
	measured        uint64
	startedNs       int64
	progressNs      int64
	disconnects     uint64
	epochs          uint64
}

// Run dials the sessions, runs the flow through them and closes them. The
// outcome is complete but for what only the caller knows. An error means that a
// session could not log in (then there is no outcome) or broke for good (then
// the outcome is what was found until then, and invalid). Cancelling ctx ends
// the sending early, drains, and marks the outcome interrupted.
func Run(ctx context.Context, cfg Config) (*Outcome, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	cfg = cfg.withDefaults()
	if len(cfg.Sessions) > SessionsMax {
		return nil, fmt.Errorf("driver: %d sessions, want at most %d", len(cfg.Sessions), SessionsMax)
	}
	connections, err := dial(ctx, &cfg)
	if err != nil {
		return nil, err
	}
	outcome, err := RunOn(ctx, cfg, connections)
	return outcome, errors.Join(err, hangUp(connections))
}

func dial(ctx context.Context, cfg *Config) ([]Connection, error) {
	connections := make([]Connection, 0, len(cfg.Sessions))
	for i := range cfg.Sessions {
		one := cfg.Sessions[i]
		one.UnansweredMax = cfg.InFlightMax
		connection, err := client.Dial(ctx, one)
		if err != nil {
			err = fmt.Errorf("driver: session %d: %w", one.Session, err)
			return nil, errors.Join(err, hangUp(connections))
		}
		connections = append(connections, connection)
	}
	return connections, nil
}

func hangUp(connections []Connection) error {
	var problems []error
	for _, connection := range connections {
		problems = append(problems, connection.Close())
	}
	return errors.Join(problems...)
}

// RunOn is Run over connections that exist, which stay open. Config.Sessions is
// not looked at.
func RunOn(ctx context.Context, cfg Config, connections []Connection) (*Outcome, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	r, err := newRun(cfg.withDefaults(), connections)
	if err != nil {
		return nil, err
	}
	r.startedNs = r.cfg.clock()
	err = r.stages(ctx)
	return r.outcome(ctx.Err() != nil, err), err
}

func newRun(cfg Config, connections []Connection) (*run, error) {
	mapper, err := request.NewMapper(cfg.Mapping)
	if err != nil {
		return nil, err
	}
	if mapper.Sessions() > len(connections) {
		return nil, fmt.Errorf("driver: Mapping uses %d sessions but there are %d: want a connection for each",
			mapper.Sessions(), len(connections))
	}
	asked, err := pace.NewSchedule(cfg.Pace)
	if err != nil {
		return nil, err
	}
	r := &run{cfg: cfg, mapper: mapper, recorder: latency.NewRecorder(), asked: asked}
	r.expected = cfg.requestsExpected()
	r.warmUp = min(cfg.WarmUp, r.expected/warmUpShareMax)
	r.feed = feed{day: cfg.Day, mapper: mapper, again: cfg.Requests > 0}
	for i, connection := range connections[:mapper.Sessions()] {
		book, err := ledger.New(cfg.InFlightMax, connection.NextRef(), connection.WantOutSeq())
		if err != nil {
			return nil, err
		}
		mapper.StartAt(i, order.ClOrdID(connection.NextRef()))
		r.sessions = append(r.sessions, &session{connection: connection, ledger: book, run: r})
	}
	return r, nil
}

// stages runs the whole flow.
func (r *run) stages(ctx context.Context) error {
	r.fetch()
	opening, err := pace.NewSchedule(pace.Config{Mode: pace.ModeMax, InFlightMax: openingInFlight})
	if err != nil {
		return err
	}
	r.schedule = opening
	if err := r.until(ctx, func() bool { return r.over || !r.next.opening }); err != nil {
		return err
	}
	if err := r.drain(ctx, 0); err != nil {
		return err
	}
	r.schedule = r.asked
	r.schedule.Start(r.cfg.clock(), r.next.eventNs)
	if err := r.until(ctx, r.finished); err != nil {
		return err
	}
	return r.drain(context.Background(), r.cfg.QuietNs)
}

// finished reports whether everything that was asked for has been sent.
func (r *run) finished() bool { return r.over || r.cfg.Requests > 0 && r.sent >= r.cfg.Requests }

// until sends and polls until done says so.
func (r *run) until(ctx context.Context, done func() bool) error {
	stop := ctx.Done()
	for turn := uint(0); !done(); turn++ {
		if turn%256 == 0 && ended(stop) {
			return nil
		}
		sent, err := r.send(done)
		if err != nil {
			return err
		}
		if sent > 0 && r.schedule.Paced() {
			r.cfg.idle() // the chain has work now, and this core may be the one it needs
		}
		received, err := r.poll(turn%pollAllTurns == 0)
		if err != nil {
			return err
		}
		if sent+received == 0 {
			r.rest()
		}
	}
	return nil
}

// rest gives the core away, unless the next request is due in a moment and the
// chain has nothing to do: then waiting for the core would make the generator
// late, and keeping it for that moment holds up nobody.
func (r *run) rest() {
	if r.inFlight > 0 || r.dueNs == 0 {
		r.cfg.idle()
		return
	}
	nowNs := r.cfg.clock()
	if r.dueNs-nowNs > spinNs {
		r.cfg.idle()
		return
	}
	for nowNs < r.dueNs {
		nowNs = r.cfg.clock()
	}
}

func ended(stop <-chan struct{}) bool {
	select {
	case <-stop:
		return true
	default:
		return false
	}
}

// fetch fills in the next request.
func (r *run) fetch() {
	r.waiting = r.feed.next(&r.next)
	r.over = !r.waiting
}

// send sends what is due, at most a burst, and returns how many.
func (r *run) send(done func() bool) (int, error) {
	nowNs := r.cfg.clock()
	r.report(nowNs)
	sent := 0
	for sent < burstMax && !done() {
		took, err := r.sendOne(nowNs)
		if err != nil {
			return sent, err
		}
		if !took {
			break
		}
		sent++
	}
	return sent, r.flush()
}

// sendOne sends the next request if it is due and its session can take it. A
// request that has to wait keeps its scheduled time.
func (r *run) sendOne(nowNs int64) (bool, error) {
	scheduledNs, due := r.schedule.Due(nowNs, r.next.eventNs, r.inFlight)
	r.dueNs = 0
	if r.schedule.Paced() {
		r.dueNs = scheduledNs
	}
	s := r.sessions[r.next.Session]
	if !due || s.ledger.Full() {
		return false, nil
	}
	r.next.Request.SendingTime = scheduledNs
	ref, err := s.connection.Send(&r.next.Request)
	if errors.Is(err, client.ErrTooManyUnanswered) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("driver: session %d: %w", r.next.Session, err)
	}
	s.unflushed = true
	r.inFlight++
	s.inFlight++
	if err := s.ledger.Sent(ref, r.enter(scheduledNs, nowNs)); err != nil {
		return false, fmt.Errorf("driver: session %d: %w", r.next.Session, err)
	}
	r.schedule.Take()
	r.fetch()
	return true, nil
}

// enter counts the request that was just sent and returns what the ledger
// remembers of it.
func (r *run) enter(scheduledNs, nowNs int64) ledger.Request {
	entry := ledger.Request{
		ScheduledNs: scheduledNs, SentNs: nowNs, ClOrdID: r.next.Request.ClOrdID, Tag: r.next.Slot.Tag(),
		MsgType: r.next.Request.MsgType,
	}
	if r.next.opening {
		return entry
	}
	r.sent++
	if r.sent <= r.warmUp {
		return entry
	}
	entry.Measured = true
	if r.measured == 0 {
		r.measuredFirstNs = nowNs
	}
	r.measuredLastNs = nowNs
	r.measured++
	if r.schedule.Paced() {
		r.recorder.Sent(scheduledNs, nowNs)
	}
	return entry
}

func (r *run) flush() error {
	for i, s := range r.sessions {
		if !s.unflushed {
			continue
		}
		s.unflushed = false
		if err := s.connection.Flush(); err != nil {
			return fmt.Errorf("driver: session %d: %w", i, err)
		}
	}
	return nil
}

// poll looks for answers on the sessions that wait for one, or on all of them:
// an empty look costs a system call, which the chain would wait for.
func (r *run) poll(all bool) (int, error) {
	received := 0
	for i, s := range r.sessions {
		if s.inFlight == 0 && !all {
			continue
		}
		r.receivedNs = 0
		n, err := s.connection.Poll(s)
		if err != nil {
			return received, fmt.Errorf("driver: session %d: %w", i, err)
		}
		received += n
	}
	return received, nil
}

// received reads the clock once for all answers of one poll.
func (r *run) received() int64 {
	if r.receivedNs == 0 {
		r.receivedNs = r.cfg.clock()
	}
	return r.receivedNs
}

// drain polls until nothing is outstanding and the streams have been silent for
// quietNs, or until the bound.
func (r *run) drain(ctx context.Context, quietNs int64) error {
	nowNs := r.cfg.clock()
	endNs, silentSinceNs := nowNs+r.cfg.DrainNs, nowNs
	for nowNs < endNs && !ended(ctx.Done()) {
		received, err := r.poll(true)
		if err != nil {
			return err
		}
		nowNs = r.cfg.clock()
		if received > 0 {
			silentSinceNs = nowNs
			continue
		}
		if r.inFlight == 0 && nowNs-silentSinceNs >= quietNs {
			return nil
		}
		r.cfg.idle()
	}
	return nil
}

// report calls Progress now and then.
func (r *run) report(nowNs int64) {
	if r.cfg.Progress == nil || nowNs-r.progressNs < progressEveryNs {
		return
	}
	r.progressNs = nowNs
	r.cfg.Progress(r.sent, r.expected, uint64(r.inFlight))
}
