package exchange

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"syscall"
	"time"

	"tollgate/exchange"
	"tollgate/exchange/simulated"
)

const (
	// operatorLineMax is the longest command in bytes.
	operatorLineMax = 1 << 10
	// operatorsMax is how many connections are served at a time; others wait.
	operatorsMax = 4
)

// operator takes commands for the simulated venue at a unix socket, one a line,
// and answers each with "ok" or "error: ..." on a line.
type operator struct {
	listener net.Listener
	server   *exchange.Server
	served   sync.WaitGroup
	room     chan struct{}
}

// openOperator listens at path. Only the owner of the process can connect.
func openOperator(path string, server *exchange.Server) (*operator, error) {
	listener, err := net.Listen("unix", path)
	if errors.Is(err, syscall.EADDRINUSE) && removeStale(path) {
		listener, err = net.Listen("unix", path)
	}
	if err == nil {
		err = os.Chmod(path, 0o600)
	}
	if err != nil {
		return nil, fmt.Errorf("operator: %w", err)
	}
	return &operator{listener: listener, server: server, room: make(chan struct{}, operatorsMax)}, nil
}

// removeStale removes the socket of a process that was killed.
func removeStale(path string) bool {
	conn, err := net.DialTimeout("unix", path, time.Second)
	if err == nil {
		conn.Close() //nolint:errcheck // somebody listens, and that is the answer
		return false
	}
	return errors.Is(err, syscall.ECONNREFUSED) && os.Remove(path) == nil
}

// serve takes commands until ctx ends, and returns when all connections are
// closed.
func (o *operator) serve(ctx context.Context) {
	defer o.served.Wait()
	stop := context.AfterFunc(ctx, func() { o.listener.Close() }) //nolint:errcheck // nothing is left to lose
	defer stop()
	for {
		conn, err := o.listener.Accept()
		if err != nil {
			return
		}
		o.room <- struct{}{}
		o.served.Add(1)
		go o.talk(ctx, conn)
	}
}

// talk serves one connection.
func (o *operator) talk(ctx context.Context, conn net.Conn) {
	defer func() {
		conn.Close() //nolint:errcheck // nothing is left to lose
		<-o.room
		o.served.Done()
	}()
	stop := context.AfterFunc(ctx, func() { conn.Close() }) //nolint:errcheck // it ends the Scan below
	defer stop()
	lines := bufio.NewScanner(conn)
	lines.Buffer(nil, operatorLineMax)
	for lines.Scan() {
		if _, err := fmt.Fprintln(conn, o.obey(ctx, lines.Text())); err != nil {
			return
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		fmt.Fprintf(conn, "error: the command is too long: want at most %d bytes\n", operatorLineMax)
	}
}

// obey carries out one command and returns the answer to it.
func (o *operator) obey(ctx context.Context, text string) string {
	c, err := simulated.ParseCommand(text)
	if err == nil {
		err = o.server.Operate(ctx, c)
	}
	if err != nil {
		return "error: " + err.Error()
	}
	return "ok"
}
