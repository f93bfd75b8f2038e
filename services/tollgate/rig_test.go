package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"

	"tollgate/exchange/simulated"
	"tollgate/gateway/client"
	"tollgate/order"
	adminv1 "tollgate/proto/tollgate/admin/v1"
	"tollgate/services/tollgate/chain"
)

// asBinary makes the test binary behave as the tollgate binary, so that the
// processes of a test are built the same way as the test, race detector
// included.
const asBinary = "TOLLGATE_TEST_AS_BINARY"

func TestMain(m *testing.M) {
	if arguments := os.Getenv(floodArguments); arguments != "" {
		if err := flood(arguments); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	if os.Getenv(asBinary) != "" {
		os.Exit(execute(newRoot()))
	}
	os.Setenv(asBinary, "1")
	os.Exit(m.Run())
}

const testReference = `apiVersion: tollgate/v1
kind: Reference
metadata: {name: test}
spec:
  firm: {id: 1, name: test, currency: USD}
  groups:
    - {id: 1, name: G}
  accounts:
    - {id: 1, name: A, group: G, currency: USD}
    - {id: 2, name: B, group: G, currency: USD}
  traders:
    - {id: 1, name: T, accounts: [A, B]}
  strategies:
    - {id: 1, name: S}
  sessions:
    - {id: 1, name: SA, client: 1, accounts: [A]}
    - {id: 2, name: SB, client: 2, accounts: [B]}
  instruments:
    - id: 1
      name: XYZ
      currency: USD
      tick: 0.01
      lot: 1
      minQty: 1
      maxQty: unlimited
      multiplier: 1
      settlement: 100
      referenceMaxAge: unlimited
      tradable: true
      orderTypes: [limit, market, stop, stop-limit]
      timesInForce: [day, ioc, fok, gtc]
      sides: [buy, sell]
      displayQty: true
    - id: 2
      name: OPEN
      currency: USD
      tick: 0.01
      lot: 1
      minQty: 1
      maxQty: unlimited
      multiplier: 1
      settlement: 100
      referenceMaxAge: unlimited
      tradable: true
      orderTypes: [limit]
      timesInForce: [day, gtc]
      sides: [buy, sell]
      replaceQty: open
`

// testLimits lets everything through that is not larger than the quantity.
func testLimits(maxOrderQty string) string {
	return `apiVersion: tollgate/v1
kind: Limits
metadata: {name: test}
spec:
  limits:
    - scope: firm
      permission: deny
      maxOrderQty: ` + maxOrderQty + `
      maxOrderNotional: unlimited
      collarBps: unlimited
      messagesPerSecond: unlimited
      openOrders: unlimited
      openNotional: unlimited
      positionLong: unlimited
      positionShort: unlimited
      grossExposure: unlimited
      netExposure: unlimited
      marketProtectionBps: unlimited
      participationBps: unlimited
      duplicateOrders: unlimited
      strategyExecutions: unlimited
      creditLine: unlimited
      shortSelling: free
      turnoverPerDay: unlimited
      dailyLoss: unlimited
      orderToTrade: unlimited
      selfMatch: allow
      consecutiveRejects: unlimited
      basketOrders: unlimited
      basketNotional: unlimited
`
}

// rig is a running chain under test.
type rig struct {
	*chain.Chain
	t     *testing.T
	admin adminv1.AdminServiceClient
}

// startChain starts a chain that ends with the test.
func startChain(t *testing.T, link, limits string) *rig {
	t.Helper()
	folder, err := os.MkdirTemp("", "tg-") // t.TempDir is too long a path for a socket
	if err != nil {
		t.Fatal(err)
	}
	if os.Getenv("TOLLGATE_KEEP") == "" {
		t.Cleanup(func() { os.RemoveAll(folder) })
	}
	c, err := chain.New(chain.Config{
		Folder: folder, Link: link, Executable: os.Args[0], Clients: 2, VenueLog: true, Operator: true,
		Reference: []byte(testReference), Limits: []byte(limits),
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	r := &rig{Chain: c, t: t}
	t.Cleanup(func() { r.stop() })
	conn, err := grpc.NewClient(c.Admin(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	r.admin = adminv1.NewAdminServiceClient(conn)
	r.await("the venue to be up", func() bool {
		s, err := r.admin.GetStatus(t.Context(), &adminv1.GetStatusRequest{})
		return err == nil && s.GetVenue() == adminv1.VenueState_VENUE_STATE_UP
	})
	return r
}

// stop ends the chain once; later calls do nothing.
func (r *rig) stop() {
	if r.Chain == nil {
		return
	}
	if err := r.Chain.Stop(); err != nil {
		r.t.Error(err)
	}
	r.Chain = nil
}

// await waits for a condition, up to a bound that only a hang reaches.
func (r *rig) await(what string, ok func() bool) {
	r.t.Helper()
	for deadline := time.Now().Add(30 * time.Second); !ok(); time.Sleep(2 * time.Millisecond) {
		select {
		case err := <-r.Ended():
			r.t.Fatalf("waiting for %s: %v", what, err)
		default:
		}
		if time.Now().After(deadline) {
			r.t.Fatalf("waited in vain for %s", what)
		}
	}
}

// dial logs a client in to the session of its own number.
func (r *rig) dial(number int) *client.Client {
	r.t.Helper()
	network, address := r.Clients()
	c, err := client.Dial(r.t.Context(), client.Config{
		Network: network, Address: address, Client: uint32(number), Session: order.SessionID(number), Key: r.Key(number),
	})
	if err != nil {
		r.t.Fatalf("client %d: %v", number, err)
	}
	r.t.Cleanup(func() { c.Close() })
	return c
}

// exposure returns what the engine says of an account.
func (r *rig) exposure(account string) *adminv1.ScopeExposure {
	r.t.Helper()
	e, err := r.admin.GetExposure(r.t.Context(), &adminv1.GetExposureRequest{
		Scope: &adminv1.Scope{Type: adminv1.ScopeType_SCOPE_TYPE_ACCOUNT, Name: account},
	})
	if err != nil || len(e.GetScopes()) != 1 {
		r.t.Fatalf("exposure of %s: %v, %v", account, e, err)
	}
	return e.GetScopes()[0]
}

// operate has the venue do something of its own accord.
func (r *rig) operate(format string, args ...any) error {
	r.t.Helper()
	ctx, cancel := context.WithTimeout(r.t.Context(), 20*time.Second)
	defer cancel()
	return r.Operate(ctx, fmt.Sprintf(format, args...))
}

// ctl runs the ctl command against the chain.
func (r *rig) ctl(args ...string) (stdout, stderr string, exit int) {
	r.t.Helper()
	return tollgate(r.t, append([]string{"ctl", "--server", r.Admin(), "--yes"}, args...)...)
}

// tollgate runs a command of the binary to its end.
func tollgate(t *testing.T, args ...string) (stdout, stderr string, exit int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0], args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		t.Fatalf("tollgate %v: %v", args, err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// venueLog returns what the venue has recorded. The chain must have stopped.
func venueLog(t *testing.T, path string) []simulated.Record {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	reader := simulated.NewLogReader(file)
	var out []simulated.Record
	for {
		var one simulated.Record
		if err := reader.Read(&one); err != nil {
			if len(out) == 0 {
				t.Fatalf("%s: %v", path, err)
			}
			return out
		}
		out = append(out, one)
	}
}

// flowFiles returns the recorded order flow next to the repository, if it is
// there.
func flowFiles(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", "..", "shared", "data", "orderflow", "*.gz"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}
