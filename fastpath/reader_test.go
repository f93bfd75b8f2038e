package fastpath

import (
	"io"
	"net"
	"testing"
	"time"

	"tollgate/fastpath/wire"
)

// silentReader connects and does not read until it is asked to.
type silentReader struct {
	f      *fabric
	conn   net.Conn // sockets
	link   *Link    // memory
	client *recorder
	bytes  int
}

func (f *fabric) silentReader(address string) *silentReader {
	f.tb.Helper()
	r := &silentReader{f: f}
	if f.memory == nil {
		conn, err := net.Dial(f.name, address)
		if err != nil {
			f.tb.Fatal(err)
		}
		f.tb.Cleanup(func() { _ = conn.Close() })
		r.conn = conn
		return r
	}
	r.client = newRecorder()
	r.client.onOpened = func(l *Link) {
		r.link = l
		f.memory.Stall(l, true)
	}
	r.client.onMessage = func(_ *Link, f wire.Frame, _ wire.Message) { r.bytes += len(f) }
	f.dial(Config{Name: "reader"}, r.client, address)
	return r
}

// readAll reads so many bytes.
func (r *silentReader) readAll(t *testing.T, n int) {
	t.Helper()
	if r.conn != nil {
		_ = r.conn.SetReadDeadline(time.Now().Add(patience))
		if _, err := io.CopyN(io.Discard, r.conn, int64(n)); err != nil {
			t.Fatalf("reading %d bytes: %v", n, err)
		}
		return
	}
	r.f.memory.Stall(r.link, false)
	r.f.until("all bytes", r.client, func() bool { return r.bytes == n })
}
