package gateway

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"tollgate/fastpath"
	"tollgate/fastpath/wire"
	"tollgate/internal/testseed"
	"tollgate/order"
)

// newer returns a frame as a newer version of the schema would send it: fields
// behind the known ones, and bytes behind the root block.
func newer(frame []byte) []byte {
	f := append(slices.Clone(frame), "fields of a newer version"...)
	binary.LittleEndian.PutUint16(f[6:], uint16(len(f)-wire.HeaderSize-3))
	binary.BigEndian.PutUint32(f, uint32(len(f)))
	return f
}

// stamps are the frames into which the gateway writes a time.
var stamps = map[uint16]func(wire.Frame, int64){
	wire.TemplateVerdict:     wire.StampVerdict,
	wire.TemplateVenueReport: wire.StampReport,
	wire.TemplateHopTrace:    wire.StampHopTrace,
}

// TestRelayIsByteIdentical pins that what passes the gateway is not rewritten,
// not even what it cannot know, but for the time stamp of the station.
func TestRelayIsByteIdentical(t *testing.T) {
	c := newRunningChain(t, 0)
	client := c.logIn("client", testSession, 5)
	routes := []struct {
		from, to *peer
		names    []string
	}{
		{c.risk, c.venue, []string{"Verdict", "ReportsFrom", "ReportsAck", "KillFence"}},
		{c.venue, c.risk, []string{"VenueReport", "ReferencePrice", "KillFenceAck", "AdapterRefusal"}},
		{c.risk, client, []string{
			"ExecutionReport", "OrderCancelReject", "OrderMassCancelReport", "CancelOnDisconnectReport", "HopTrace",
			"Gap", "Duplicate", "Busy",
		}},
	}
	for _, route := range routes {
		for _, name := range route.names {
			k, err := kindNamed(name)
			if err != nil {
				t.Fatal(err)
			}
			plain := k.make()
			_ = setFields(plain, []string{"Session=70"}) // those without a session need none
			_ = setFields(plain, []string{"Connection=5"})
			for _, frame := range [][]byte{plain.Append(nil), newer(plain.Append(nil))} {
				c.send(route.from, frame)
				want := slices.Clone(frame)
				if stamp := stamps[k.template]; stamp != nil {
					stamp(want, c.net.Now())
				}
				got, err := route.to.next()
				if err != nil || !bytes.Equal(got, want) {
					t.Errorf("%s: %v\n got %x\nwant %x", name, err, got, want)
				}
			}
		}
	}
}

// TestTheGatewayStampsItsStation pins which time goes into which frame.
func TestTheGatewayStampsItsStation(t *testing.T) {
	c := newRunningChain(t, 0)
	client := c.logIn("client", testSession, 5)
	c.advance(3_000_000)
	now := c.net.Now()
	c.send(client, wire.AppendRequest(nil, &order.Request{MsgType: order.MsgNewOrder, Ref: 1}))
	c.send(c.risk, wire.AppendVerdict(nil, &order.Verdict{}, &order.Trace{}))
	c.send(c.venue, wire.AppendVenueReport(nil, &order.Report{}, &order.Trace{}))
	c.send(c.risk, wire.AppendHopTrace(nil, testSession, 1, &order.Trace{}))
	var got []order.Trace
	for _, p := range []*peer{c.risk, c.venue, c.risk, client} {
		f, err := p.next()
		if err != nil {
			t.Fatal(err)
		}
		_, x, err := decode(f)
		if err != nil {
			t.Fatal(err)
		}
		v, _ := field(x, "Trace")
		got = append(got, v.Interface().(order.Trace))
	}
	want := []order.Trace{{GatewayIn: now}, {GatewayVerdict: now}, {GatewayReport: now}, {GatewayAnswer: now}}
	if !slices.Equal(got, want) {
		t.Errorf("traces are %+v, want %+v", got, want)
	}
}

// TestRelayAllocatesNothing pins the hot path in both directions, the network
// of the test included.
func TestRelayAllocatesNothing(t *testing.T) {
	c := newRunningChain(t, 0)
	client := c.logIn("client", testSession, 5)
	c.risk.counts, c.venue.counts, client.counts = true, true, true
	request := wire.AppendRequest(nil, &order.Request{MsgType: order.MsgNewOrder, Ref: 1})
	verdict := wire.AppendVerdict(nil, &order.Verdict{}, &order.Trace{})
	report := wire.AppendVenueReport(nil, &order.Report{}, &order.Trace{})
	trace := wire.AppendHopTrace(nil, testSession, 1, &order.Trace{})
	answer := wire.AppendAnswer(nil, &order.Answer{Kind: order.AnswerExecution, Session: testSession})
	before := c.gateway.counters
	allocs := testing.AllocsPerRun(500, func() {
		c.send(client, request)
		c.send(c.risk, verdict)
		c.send(c.venue, report)
		c.send(c.risk, trace)
		c.send(c.risk, answer)
	})
	if allocs != 0 {
		t.Errorf("an order through the gateway allocates %v times, want 0", allocs)
	}
	if n := c.gateway.counters.Answers - before.Answers; n < 500 {
		t.Fatalf("%d answers were relayed: the loop did not run", n)
	}
}

// BenchmarkOrder is the gateway's own work for one order: request, verdict,
// report, trace and answer. The in-memory links are emptied now and then, which
// is part of the figure.
func BenchmarkOrder(b *testing.B) {
	t := &testing.T{}
	c := newRunningChain(t, 0)
	client := c.logIn("client", testSession, 5)
	c.risk.counts, c.venue.counts, client.counts = true, true, true
	g := c.gateway
	steps := []struct {
		link  *fastpath.Link
		frame wire.Frame
	}{
		{g.sessions.find(testSession).link, wire.AppendRequest(nil, &order.Request{MsgType: order.MsgNewOrder, Ref: 1})},
		{g.risk.link, wire.AppendVerdict(nil, &order.Verdict{}, &order.Trace{})},
		{g.venue.link, wire.AppendVenueReport(nil, &order.Report{}, &order.Trace{})},
		{g.risk.link, wire.AppendHopTrace(nil, testSession, 1, &order.Trace{})},
		{g.risk.link, wire.AppendAnswer(nil, &order.Answer{Kind: order.AnswerExecution, Session: testSession})},
	}
	var parser wire.Parser
	b.ReportAllocs()
	for n := 0; b.Loop(); n++ {
		for _, s := range steps {
			m, err := parser.Parse(s.frame)
			if err != nil {
				b.Fatal(err)
			}
			g.Message(s.link, s.frame, m)
		}
		if n%100 == 99 {
			c.loop.Wake()
			c.settle()
		}
	}
}

// TestEveryFieldReachesTheEngine gives every field of every request a random
// value: the Check says the same. So does that of a client of version 0, but
// for the fields its schema did not have.
func TestEveryFieldReachesTheEngine(t *testing.T) {
	c := newRunningChain(t, 0)
	client := c.logIn("client", testSession, 5)
	rng := rand.New(rand.NewPCG(testseed.New(t), 1))
	lengths := map[order.MsgType]int{ // of the root blocks in version 0
		order.MsgNewOrder: 79, order.MsgReplaceOrder: 87, order.MsgCancelOrder: 41, order.MsgMassCancel: 33,
	}
	for kind, length := range lengths {
		r := randomRequest(rng, kind)
		frame := wire.AppendRequest(nil, &r)
		old := slices.Clone(frame[:wire.HeaderSize+length])
		binary.LittleEndian.PutUint16(old[6:], uint16(length))
		binary.LittleEndian.PutUint16(old[12:], 0)
		binary.BigEndian.PutUint32(old, uint32(len(old)))
		for _, sent := range [][]byte{frame, old} {
			var p wire.Parser
			m, err := p.Parse(sent)
			must(err)
			var want order.Request
			must(m.Request(&want))
			want.Session, want.Connection = testSession, 5
			c.send(client, sent)
			got, err := c.risk.next()
			must(err)
			_, x, err := decode(got)
			must(err)
			if check, ok := x.(*checkMessage); !ok || check.Request != want {
				t.Errorf("%v: the engine was told %+v\nwant %+v", kind, x, want)
			}
		}
	}
}

// randomRequest returns a request with something in every field.
func randomRequest(rng *rand.Rand, kind order.MsgType) order.Request {
	var r order.Request
	v := reflect.ValueOf(&r).Elem()
	for i := range v.NumField() {
		if f := v.Field(i); f.CanInt() {
			f.SetInt(rng.Int64() | 1)
		} else {
			f.SetUint(rng.Uint64()>>(64-f.Type().Bits()) | 1)
		}
	}
	r.MsgType = kind
	return r
}
