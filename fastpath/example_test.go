package fastpath_test

import (
	"context"
	"fmt"
	"io"
	"time"

	"tollgate/fastpath"
	"tollgate/fastpath/wire"
)

// kindPeer is this example's only kind of link.
const kindPeer fastpath.Kind = 1

// heartbeats is a handler that answers heartbeats.
type heartbeats struct{}

func (heartbeats) Opened(*fastpath.Link) {}

func (heartbeats) Message(l *fastpath.Link, _ wire.Frame, m wire.Message) {
	if m.Template != wire.TemplateLinkHeartbeat {
		l.Close(io.ErrUnexpectedEOF)
		return
	}
	answer := wire.LinkHeartbeat{Time: l.Loop().Now()}
	l.Commit(answer.Append(l.Buffer()))
}

func (heartbeats) Malformed(*fastpath.Link, *wire.FrameError) {}
func (heartbeats) Closed(*fastpath.Link, error)               {}
func (heartbeats) Wake()                                      {}
func (heartbeats) Tick(int64)                                 {}
func (heartbeats) BatchEnd()                                  {}

// A loop with one listener, and a client that polls its own end.
func Example() {
	loop, err := fastpath.New(fastpath.Config{Name: "example"}, heartbeats{})
	if err != nil {
		fmt.Println(err)
		return
	}
	if err := loop.Listen(kindPeer, "tcp", "127.0.0.1:0"); err != nil {
		fmt.Println(err)
		return
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	done := make(chan error, 1)
	go func() { done <- loop.Run(ctx) }()
	<-loop.Ready()

	client, err := fastpath.Dial("tcp", loop.Addr(kindPeer), fastpath.DirectConfig{})
	if err != nil {
		fmt.Println(err)
		return
	}
	question := wire.LinkHeartbeat{Time: time.Now().UnixNano()}
	_ = client.Send(question.Append(nil))
	_ = client.Flush()
	for answered := 0; answered == 0 && err == nil; client.Yield() {
		answered, err = client.Poll(func(_ wire.Frame, m wire.Message) {
			var answer wire.LinkHeartbeat
			answer.Decode(m)
			fmt.Println("answered in order:", answer.Time >= question.Time)
		})
	}
	_ = client.Close()
	stop()
	fmt.Println("stopped:", <-done)
	// Output:
	// answered in order: true
	// stopped: <nil>
}
