package main

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"tollgate/fastpath/wire"
	"tollgate/gateway/client"
	"tollgate/internal/testseed"
	"tollgate/order"
	"tollgate/services/tollgate/chain"
)

// malformedDefault is how many malformed frames the test sends unless
// TOLLGATE_MALFORMED says otherwise, malformedTogether of them at a time on each
// connection, which the gateway ends at the first.
const (
	malformedDefault  = 100_000
	malformedTogether = 100
	malformedAtOnce   = 16 // connections open at one time

	// memorySlackKb is what a gateway's memory may swing by between two
	// collections.
	memorySlackKb = 8 << 10
)

// TestMalformedFlood sends malformed frames to a live gateway as fast as it takes
// them. The gateway must live, its memory must stay flat, and another session
// must go on trading; its latency before and during the flood is logged.
func TestMalformedFlood(t *testing.T) {
	frames := malformedDefault
	if text := os.Getenv("TOLLGATE_MALFORMED"); text != "" {
		var err error
		if frames, err = strconv.Atoi(text); err != nil {
			t.Fatalf("TOLLGATE_MALFORMED is %q, want a number", text)
		}
	}
	seed := testseed.New(t)
	t.Logf("%d frames", frames)
	r := startChain(t, "unix", testLimits("unlimited"))
	trading := newPinger(t, r.dial(2))
	for range 500 {
		trading.ping()
	}
	quiet := trading.take()

	_, address := r.Clients()
	during := trading.until(startFlood(t, address, frames/10, seed))
	memory := residentKb(t, r.PID(chain.Gateway))
	during = append(during, trading.until(startFlood(t, address, frames-frames/10, seed+1))...)

	after := residentKb(t, r.PID(chain.Gateway))
	t.Logf("memory of the gateway: %d KiB after a tenth of the frames, %d KiB after all", memory, after)
	if !raceDetector && after > memory+memorySlackKb {
		t.Errorf("the gateway grew by %d KiB, more than its collector accounts for", after-memory)
	}
	slices.Sort(quiet)
	slices.Sort(during)
	t.Logf("round trips of another session: p50 %v before, %v during; p99 %v before, %v during",
		quiet[len(quiet)/2], during[len(during)/2], quiet[len(quiet)*99/100], during[len(during)*99/100])
}

// pinger sends one order after the other and measures until its answer.
type pinger struct {
	*trader
	times []time.Duration
}

func newPinger(t *testing.T, c *client.Client) *pinger { return &pinger{trader: newTrader(t, c, 2)} }

func (p *pinger) ping() {
	p.t.Helper()
	start := time.Now()
	ref := p.send(p.request(order.QtyOne))
	for deadline := start.Add(20 * time.Second); len(p.answers[ref]) == 0; p.poll() {
		p.wait()
		if time.Now().After(deadline) {
			p.t.Fatalf("order %d has no answer", ref)
		}
	}
	p.times = append(p.times, time.Since(start))
	time.Sleep(500 * time.Microsecond)
}

func (p *pinger) take() []time.Duration {
	times := p.times
	p.times = nil
	return times
}

// until pings until the flood is over.
func (p *pinger) until(flood <-chan error) []time.Duration {
	p.t.Helper()
	for {
		select {
		case err := <-flood:
			if err != nil {
				p.t.Fatal(err)
			}
			return p.take()
		default:
			p.ping()
		}
	}
}

// floodArguments, in the environment, makes the test binary send malformed frames
// and nothing else: in a process of its own, so that it does not stand in the
// way of the one that measures.
const floodArguments = "TOLLGATE_TEST_FLOOD"

// startFlood starts a process that sends malformed frames, and tells when it has
// ended.
func startFlood(t *testing.T, address string, frames int, seed uint64) <-chan error {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s %d %d", floodArguments, address, frames, seed))
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	return ended
}

// flood is the work of that process.
func flood(arguments string) error {
	var address string
	var frames int
	var seed uint64
	if _, err := fmt.Sscan(arguments, &address, &frames, &seed); err != nil {
		return err
	}
	return sendMalformed(address, frames, seed)
}

// sendMalformed sends malformed frames, malformedAtOnce at a time.
func sendMalformed(address string, frames int, seed uint64) error {
	ended := make(chan error, malformedAtOnce)
	for i := range uint64(malformedAtOnce) {
		go func() { ended <- sendOneByOne(address, frames/malformedAtOnce, rand.New(rand.NewPCG(seed, i))) }()
	}
	var errs []error
	for range malformedAtOnce {
		errs = append(errs, <-ended)
	}
	return errors.Join(errs...)
}

// sendOneByOne opens connections one after the other and sends malformed frames
// on each; it waits until the gateway has closed it.
func sendOneByOne(address string, frames int, random *rand.Rand) error {
	var together []byte
	for range frames / malformedTogether {
		together = together[:0]
		for range malformedTogether {
			together = append(together, malformed(random)...)
		}
		conn, err := net.Dial("unix", address)
		if err != nil {
			return err
		}
		if _, err = conn.Write(together); err == nil {
			conn.SetReadDeadline(time.Now().Add(20 * time.Second))
			_, err = io.Copy(io.Discard, conn)
		}
		conn.Close()
		if err != nil && !strings.Contains(err.Error(), "reset by peer") && !strings.Contains(err.Error(), "broken pipe") {
			return err
		}
	}
	return nil
}

// malformed returns bytes that the gateway must refuse: wrong lengths, wrong
// encoding, wrong schema, unknown templates, messages that are not for it, and
// orders before any login.
func malformed(random *rand.Rand) []byte {
	frame := wire.AppendNewOrder(nil, &order.Request{MsgType: order.MsgNewOrder, Ref: random.Uint64()})
	switch random.IntN(8) {
	case 0:
		binary.BigEndian.PutUint32(frame, random.Uint32()|1<<13) // far too long
	case 1:
		binary.BigEndian.PutUint32(frame, uint32(random.IntN(wire.HeaderSize))) // too short
	case 2:
		binary.BigEndian.PutUint16(frame[4:], uint16(random.IntN(0xEB50))) // another encoding
	case 3:
		binary.LittleEndian.PutUint16(frame[10:], uint16(random.IntN(7018))) // another schema
	case 4:
		binary.LittleEndian.PutUint16(frame[8:], uint16(200+random.IntN(1000))) // unknown template
	case 5:
		frame = (&wire.LinkHello{Role: wire.RoleGateway}).Append(nil) // not for clients
	case 6: // a login with a wrong code
		login := wire.Login{Client: uint32(1 + random.IntN(3)), Session: 1, WantOutSeq: 1}
		frame = login.Append(nil)
	case 7: // an order before the login
	}
	return frame
}

// residentKb returns the resident memory of a process.
func residentKb(t *testing.T, pid int) int {
	t.Helper()
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			kb, err := strconv.Atoi(strings.Fields(rest)[0])
			if err != nil {
				t.Fatal(err)
			}
			return kb
		}
	}
	t.Fatalf("process %d has no VmRSS", pid)
	return 0
}
