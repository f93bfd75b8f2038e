// Package chain starts the processes of a whole chain on one machine, with
// configuration and keys made for it, and looks after them: the demo and the
// tests of real processes stand on it.
package chain

import (
	"bufio"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"go.yaml.in/yaml/v3"

	"tollgate/order"
	"tollgate/services/tollgate/configfile"
	"tollgate/services/tollgate/exchange"
	"tollgate/services/tollgate/gateway"
	"tollgate/services/tollgate/process"
	"tollgate/services/tollgate/riskcheck"
)

// The roles of the processes.
const (
	Exchange  = "exchange"
	Riskcheck = "riskcheck"
	Gateway   = "gateway"
)

// Roles are the processes of a chain, in the order they are started.
var Roles = [...]string{Exchange, Riskcheck, Gateway}

const (
	statsTimeout = 5 * time.Second  // for a process to write its figures
	stopTimeout  = 10 * time.Second // for a process to end after SIGTERM
	logTailBytes = 2048             // of a failed process's log that is shown
)

// Config says what chain to make.
type Config struct {
	Folder     string // for configuration, keys, sockets and logs; absolute, and short with unix links
	Link       string // between all processes: unix or tcp
	Executable string // the tollgate binary
	Reference  []byte // the reference document
	Limits     []byte // the limits document
	Clients    int    // how many client keys to make, for the clients 1 to Clients
	VenueLog   bool   // have the venue log everything it receives, see VenueLogFile
	Operator   bool   // have the venue take commands, see Operate
}

// Chain is the processes and where to reach them.
type Chain struct {
	cfg     Config
	clients configfile.Address
	admin   configfile.Address
	keys    [][]byte
	sha     string

	mu       sync.Mutex // guards children
	children map[string]*child
	ended    chan error  // a process that ended although nobody stopped it
	commands chan func() // run on the thread that starts processes
}

// child is one process of the chain.
type child struct {
	*exec.Cmd
	done    chan struct{} // closed when it has ended
	stopped bool          // it was told to end
}

// New writes the configuration of all processes into the folder and makes
// fresh keys.
func New(cfg Config) (*Chain, error) {
	c := &Chain{
		cfg: cfg, children: map[string]*child{}, ended: make(chan error, len(Roles)), commands: make(chan func()),
	}
	var err error
	var risk, venue configfile.Address
	for _, a := range []struct {
		name string
		to   *configfile.Address
		link string
	}{
		{"clients", &c.clients, cfg.Link}, {"risk", &risk, cfg.Link}, {"venue", &venue, cfg.Link}, {"admin", &c.admin, "tcp"},
	} {
		if *a.to, err = c.address(a.link, a.name); err != nil {
			return nil, err
		}
	}
	if err := c.writeFiles(c.files(risk, venue)); err != nil {
		return nil, err
	}
	return c, c.makeSecrets()
}

// files returns the configuration files by name.
func (c *Chain) files(risk, venue configfile.Address) map[string]any {
	venueFile := exchange.File{
		Common: c.common(Exchange), Listen: []configfile.Address{venue}, Reference: c.path("reference.yaml"),
		TokenKey: c.path("token.key"), Orders: venueOrders,
	}
	if c.cfg.VenueLog {
		venueFile.VenueLog = c.VenueLogFile()
	}
	if c.cfg.Operator {
		venueFile.Operator = c.path(operatorSocket)
	}
	return map[string]any{
		"reference.yaml": c.cfg.Reference,
		"limits.yaml":    c.cfg.Limits,
		"riskcheck.yaml": riskcheck.File{
			Common: c.common(Riskcheck), Listen: risk, Admin: c.admin, Reflection: true,
			Reference: c.path("reference.yaml"), Limits: c.path("limits.yaml"), TokenKey: c.path("token.key"),
			Durability: "none", Audit: c.path("audit.json"),
		},
		"exchange.yaml": venueFile,
		"gateway.yaml": gateway.File{
			Common: c.common(Gateway), Clients: []configfile.Address{c.clients}, Riskcheck: risk, Exchange: venue,
			Keys: c.path("clients.key"),
		},
	}
}

// venueOrders bounds the live orders at the venue.
const venueOrders = 1 << 18

// Clients returns where order entry clients connect.
func (c *Chain) Clients() (network, address string) { return c.clients.Network, c.clients.Path }

// Admin returns the address of the control plane.
func (c *Chain) Admin() string { return c.admin.Path }

// Key returns the key of a client.
func (c *Chain) Key(client int) []byte { return c.keys[client-1] }

// SHA returns the hash of all configuration but keys and addresses' folder.
func (c *Chain) SHA() string { return c.sha }

// VenueLogFile returns the file of the venue's log.
func (c *Chain) VenueLogFile() string { return c.path("venue.json") }

// operatorSocket is where the venue takes commands.
const operatorSocket = "operator.sock"

// Operate gives the simulated venue a command, as simulated.ParseCommand reads it,
// and returns when it is carried out. An error says why it is not.
func (c *Chain) Operate(ctx context.Context, command string) error {
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, "unix", c.path(operatorSocket))
	if err != nil {
		return err
	}
	defer conn.Close() //nolint:errcheck // the answer is there or is not
	if deadline, ok := ctx.Deadline(); ok {
		conn.SetDeadline(deadline) //nolint:errcheck // a unix socket takes one
	}
	if _, err := fmt.Fprintln(conn, command); err != nil {
		return err
	}
	answer, err := bufio.NewReader(conn).ReadString('\n')
	if err != nil {
		return fmt.Errorf("the venue's answer to %q: %w", command, err)
	}
	if answer = strings.TrimSpace(answer); answer != "ok" {
		return errors.New(answer)
	}
	return nil
}

// Ended receives an error when a process ends although nobody stopped it.
func (c *Chain) Ended() <-chan error { return c.ended }

// PID returns the process number of a role.
func (c *Chain) PID(role string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.children[role].Process.Pid
}

func (c *Chain) path(name string) string { return filepath.Join(c.cfg.Folder, name) }

func (c *Chain) common(role string) configfile.Common {
	return configfile.Common{
		Preset: "dev", Log: configfile.LogFile{File: c.path(role + ".log")}, StatsFile: c.path(role + ".stats.json"),
	}
}

// The ports a chain listens on. They lie below those the system gives to outgoing
// connections, so that none of these takes one between its choice and its use.
const (
	portFirst = 10_000
	ports     = 22_000
	portTries = 100
)

// address chooses where something listens: a socket in the folder, or a port
// that is free now.
func (c *Chain) address(link, name string) (configfile.Address, error) {
	if link == "unix" {
		return configfile.Address{Network: "unix", Path: c.path(name + ".sock")}, nil
	}
	var err error
	for range portTries {
		at := net.JoinHostPort("127.0.0.1", strconv.Itoa(portFirst+mathrand.IntN(ports)))
		var l net.Listener
		if l, err = net.Listen("tcp", at); err == nil {
			return configfile.Address{Network: "tcp", Path: at}, l.Close()
		}
	}
	return configfile.Address{}, fmt.Errorf("no free port among %d tried: %w", portTries, err)
}

// writeFiles writes the configuration and takes its hash.
func (c *Chain) writeFiles(files map[string]any) error {
	hash := sha256.New()
	for _, name := range []string{"reference.yaml", "limits.yaml", "riskcheck.yaml", "exchange.yaml", "gateway.yaml"} {
		text, ok := files[name].([]byte)
		if !ok {
			var err error
			if text, err = yaml.Marshal(files[name]); err != nil {
				return err
			}
		}
		hash.Write([]byte(strings.ReplaceAll(string(text), c.cfg.Folder, "")))
		if err := os.WriteFile(c.path(name), text, 0o644); err != nil {
			return err
		}
	}
	c.sha = hex.EncodeToString(hash.Sum(nil))
	return nil
}

// makeSecrets makes fresh keys for this run.
func (c *Chain) makeSecrets() error {
	token := hex.EncodeToString(randomBytes(order.TokenKeySize)) + "\n"
	if err := os.WriteFile(c.path("token.key"), []byte(token), 0o600); err != nil {
		return err
	}
	text := "keys:\n"
	for i := range c.cfg.Clients {
		c.keys = append(c.keys, randomBytes(sha256.Size))
		text += fmt.Sprintf("  %d: %q\n", i+1, hex.EncodeToString(c.keys[i]))
	}
	return os.WriteFile(c.path("clients.key"), []byte(text), 0o600)
}

func randomBytes(n int) []byte {
	b := make([]byte, n)
	rand.Read(b) //nolint:errcheck // never fails, by its contract
	return b
}

// Start starts all processes. They end with this one, however it ends: the
// kernel sends them SIGTERM when the thread that started them is gone, so that
// thread is kept until Stop.
func (c *Chain) Start() error {
	go func() {
		runtime.LockOSThread()
		for command := range c.commands {
			command()
		}
	}()
	for _, role := range Roles {
		if err := c.StartRole(role); err != nil {
			return err
		}
	}
	return nil
}

// StartRole starts one process that is not running.
func (c *Chain) StartRole(role string) error {
	result := make(chan error, 1)
	c.commands <- func() { result <- c.startRole(role) }
	return <-result
}

func (c *Chain) startRole(role string) error {
	log, err := os.OpenFile(c.path(role+".log"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer log.Close()
	cmd := exec.Command(c.cfg.Executable, role, "--config", c.path(role+".yaml"))
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start %s: %w", role, err)
	}
	one := &child{Cmd: cmd, done: make(chan struct{})}
	c.mu.Lock()
	c.children[role] = one
	c.mu.Unlock()
	go c.watch(role, one)
	return nil
}

// watch waits for a process and reports it if it was not told to end.
func (c *Chain) watch(role string, one *child) {
	err := one.Wait()
	close(one.done)
	c.mu.Lock()
	stopped := one.stopped
	c.mu.Unlock()
	if !stopped {
		c.ended <- fmt.Errorf("%s ended (%v); the end of its log:\n%s", role, err, c.tail(role))
	}
}

// tail returns the end of a process's log.
func (c *Chain) tail(role string) string {
	file, err := os.Open(c.path(role + ".log"))
	if err != nil {
		return err.Error()
	}
	defer file.Close()
	if size, err := file.Seek(0, io.SeekEnd); err == nil {
		file.Seek(max(0, size-logTailBytes), io.SeekStart) //nolint:errcheck // reads from where it is
	}
	text, _ := io.ReadAll(file)
	return strings.TrimSpace(string(text))
}

// Kill ends a process at once, by SIGKILL, and waits for its end.
func (c *Chain) Kill(role string) error {
	one := c.stopping(role)
	if one == nil {
		return fmt.Errorf("%s is not running", role)
	}
	err := one.Process.Kill()
	<-one.done
	return err
}

// stopping marks a process as told to end and returns it, nil if there is none.
func (c *Chain) stopping(role string) *child {
	c.mu.Lock()
	defer c.mu.Unlock()
	one := c.children[role]
	if one != nil {
		one.stopped = true
	}
	return one
}

// Stop ends the processes in the reverse order of their start and waits.
func (c *Chain) Stop() error {
	var errs []error
	for i := len(Roles) - 1; i >= 0; i-- {
		one := c.stopping(Roles[i])
		if one == nil {
			continue
		}
		one.Process.Signal(syscall.SIGTERM) //nolint:errcheck // it may have ended
		select {
		case <-one.done:
		case <-time.After(stopTimeout):
			errs = append(errs, fmt.Errorf("%s did not end within %s and was killed", Roles[i], stopTimeout))
			one.Process.Kill() //nolint:errcheck // it may have ended
			<-one.done
		}
	}
	close(c.commands)
	return errors.Join(errs...)
}

// Stats asks every process for its figures.
func (c *Chain) Stats(ctx context.Context) (map[string]process.Stats, error) {
	ctx, cancel := context.WithTimeout(ctx, statsTimeout)
	defer cancel()
	out := map[string]process.Stats{}
	for _, role := range Roles {
		path := c.path(role + ".stats.json")
		os.Remove(path) //nolint:errcheck // there may be none
		if err := syscall.Kill(c.PID(role), syscall.SIGUSR1); err != nil {
			return nil, fmt.Errorf("%s: %w", role, err)
		}
		s, err := awaitStats(ctx, path)
		if err != nil {
			return nil, fmt.Errorf("figures of %s: %w", role, err)
		}
		out[role] = s
	}
	return out, nil
}

// awaitStats reads figures as soon as they are there.
func awaitStats(ctx context.Context, path string) (process.Stats, error) {
	var s process.Stats
	for {
		if text, err := os.ReadFile(path); err == nil {
			return s, json.Unmarshal(text, &s)
		}
		select {
		case <-ctx.Done():
			return s, ctx.Err()
		case <-time.After(time.Millisecond):
		}
	}
}
