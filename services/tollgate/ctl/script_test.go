package ctl_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"tollgate/order"
	"tollgate/riskcheck/admin"
	"tollgate/riskcheck/admin/admintest"
	"tollgate/services/tollgate/ctl"
)

var rewrite = flag.Bool("rewrite", false, "write what the scripts print into them instead of comparing")

// TestScripts runs testdata/*.txt. A line of a script is
//
//	# a remark
//	> a step outside the command, see step
//	$ ctl a command, whose results follow:
//	| a line it must print to the standard output
//	! a line it must print to the standard error
//	= its exit code
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts found: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) { runScript(t, file) })
	}
}

func runScript(t *testing.T, file string) {
	file, err := filepath.Abs(file)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s := newScript(t)
	var got strings.Builder
	for _, line := range strings.Split(strings.TrimRight(string(text), "\n"), "\n") {
		switch {
		case strings.HasPrefix(line, "| "), strings.HasPrefix(line, "! "), strings.HasPrefix(line, "= "),
			line == "|", line == "!":
			continue
		}
		got.WriteString(line + "\n")
		switch {
		case strings.HasPrefix(line, "> "):
			s.step(words(t, line[2:]))
		case strings.HasPrefix(line, "$ ctl"):
			s.command(&got, words(t, line[len("$ ctl"):]))
		}
	}
	if *rewrite {
		if err := os.WriteFile(file, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got.String() != string(text) {
		t.Errorf("the script differs; got:\n%s\nwant:\n%s", got.String(), text)
	}
}

// script is one run against a server of its own, in a directory of its own.
type script struct {
	t       *testing.T
	plant   *admintest.Plant
	service *admin.Service
	denied  bool
	stdin   string
	orders  []admintest.Order
}

func newScript(t *testing.T) *script {
	t.Helper()
	t.Chdir(t.TempDir())
	t.Setenv("TOLLGATE_ADMIN", "unix:admin.sock")
	t.Setenv("TOLLGATE_ACTOR", "jane")
	s := &script{t: t, plant: admintest.New(t)}
	s.service = s.plant.Service()
	listener, err := net.Listen("unix", "admin.sock")
	if err != nil {
		t.Fatal(err)
	}
	refuse := grpc.ChainUnaryInterceptor(s.refuse)
	server := admin.NewServer(s.service, admin.ServerConfig{Options: []grpc.ServerOption{refuse}})
	go func() { _ = server.Serve(listener) }()
	t.Cleanup(server.Stop)
	return s
}

// refuse stands for whoever decides which client may call what.
func (s *script) refuse(ctx context.Context, req any, info *grpc.UnaryServerInfo, next grpc.UnaryHandler) (any, error) {
	if s.denied {
		return nil, status.Errorf(codes.PermissionDenied, "jane may not call %s", filepath.Base(info.FullMethod))
	}
	return next(ctx, req)
}

// step does something that is not a command:
//
//	order buy|sell|sell-short INSTRUMENT QTY PRICE [FILLED]
//	                                                a client's order, taken by the venue
//	cancel N, fill N QTY                            the venue cancels or executes the order of that number
//	price INSTRUMENT PRICE, pass DURATION           a price comes, time passes
//	limits FILE OLD NEW ...                         write the first limits with replacements
//	file FILE TEXT                                  write a file
//	stdin FILE                                      the next command reads it
//	fence confirmed|pending|none                    what the adapter makes of fences
//	counters REQUESTS ACCEPTED REJECTED             as the process counts them
//	deny, stop                                      the server refuses everyone; the engine's loop ends
func (s *script) step(args []string) {
	s.t.Helper()
	switch args[0] {
	case "order":
		s.order(args[1:])
	case "cancel":
		s.plant.Cancel(s.orders[s.number(args[1])-1])
	case "fill":
		s.plant.Fill(s.orders[s.number(args[1])-1], s.number(args[2]))
	case "price":
		s.plant.Price(instruments[args[1]], s.number(args[2]))
	case "pass":
		d, err := time.ParseDuration(args[1])
		if err != nil {
			s.t.Fatal(err)
		}
		s.plant.Pass(int64(d))
	case "limits":
		s.write(args[1], strings.NewReplacer(args[2:]...).Replace(admintest.LimitsText))
	case "file":
		s.write(args[1], strings.ReplaceAll(args[2], `\n`, "\n"))
	case "stdin":
		text, err := os.ReadFile(args[1])
		if err != nil {
			s.t.Fatal(err)
		}
		s.stdin = string(text)
	case "fence":
		s.plant.SetFence(map[string]admin.FenceState{
			"confirmed": admin.FenceConfirmed, "pending": admin.FencePending, "none": admin.FenceNoAdapter,
		}[args[1]])
	case "counters":
		s.plant.SetStatus(func(st *admin.Status) {
			st.Requests, st.Accepted, st.Rejected = s.count(args[1]), s.count(args[2]), s.count(args[3])
			st.Reasons = []admin.ReasonCount{{Reason: order.ReasonPriceCollar, Count: s.count(args[3])}}
			st.Others = []admin.NamedCount{{Name: "gaps", Count: 3}}
		})
	case "deny":
		s.denied = true
	case "stop":
		s.plant.Stop()
	default:
		s.t.Fatalf("unknown step %q", args)
	}
	s.plant.Deliver(s.service)
}

// instruments are those of the plant.
var instruments = map[string]order.InstrumentID{"AMZN": 101, "ESZ6": 102, "SAP": 103}

func (s *script) order(args []string) {
	s.t.Helper()
	o := admintest.Order{
		Side: map[string]order.Side{
			"buy": order.SideBuy, "sell": order.SideSell, "sell-short": order.SideSellShort,
		}[args[0]],
		Instrument: instruments[args[1]],
		Qty:        s.number(args[2]), Price: s.number(args[3]),
	}
	o = s.plant.Send(o)
	s.orders = append(s.orders, o)
	if len(args) > 4 {
		s.plant.Fill(o, s.number(args[4]))
	}
}

func (s *script) number(text string) int64 {
	s.t.Helper()
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		s.t.Fatal(err)
	}
	return n
}

func (s *script) count(text string) uint64 { return uint64(s.number(text)) }

func (s *script) write(file, text string) {
	s.t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

// command runs one command and writes down what it did. "> FILE" at its end
// sends the standard output to a file.
func (s *script) command(got *strings.Builder, args []string) {
	s.t.Helper()
	file := ""
	if n := len(args); n >= 2 && args[n-2] == ">" {
		file, args = args[n-1], args[:n-2]
	}
	var stdout, stderr bytes.Buffer
	code := run(s.t, args, s.stdin, &stdout, &stderr)
	s.stdin = ""
	s.plant.Deliver(s.service)
	if file != "" {
		s.write(file, stdout.String())
		stdout.Reset()
	}
	prefixed(got, "|", stdout.String())
	prefixed(got, "!", stderr.String())
	fmt.Fprintf(got, "= %d\n", code)
}

// run executes the command as the program does and returns the exit code.
func run(t *testing.T, args []string, stdin string, stdout, stderr *bytes.Buffer) int {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	cmd := ctl.New()
	cmd.SetArgs(args)
	cmd.SetIn(strings.NewReader(stdin))
	cmd.SetOut(stdout)
	cmd.SetErr(stderr)
	return ctl.Finish(cmd.ExecuteContext(ctx), stderr)
}

func prefixed(b *strings.Builder, mark, text string) {
	if text == "" {
		return
	}
	for _, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		b.WriteString(strings.TrimRight(mark+" "+line, " ") + "\n")
	}
}

// words splits a line at blanks outside double quotes.
func words(t *testing.T, line string) []string {
	t.Helper()
	parts := strings.Split(line, `"`)
	if len(parts)%2 == 0 {
		t.Fatalf("line %q has an open quote", line)
	}
	var out []string
	for i, part := range parts {
		if i%2 == 1 {
			out = append(out, part)
			continue
		}
		out = append(out, strings.Fields(part)...)
	}
	return out
}
