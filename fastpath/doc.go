// Package fastpath moves frames between the processes of Tollgate: loops that
// own many links, a client side link without a loop, an in-memory network that
// behaves the same for tests, and the bounded rings that carry work between a
// loop and other goroutines.
//
// # Who may call what
//
// A Loop is one goroutine. It calls every method of its Handler, and only while
// such a call runs may the handler use the loop's links: Send, Buffer, Commit,
// Close, Data and Loop.Now belong to the loop. From any goroutine: Loop.Wake,
// Loop.Ready, Loop.Counters and Loop.Addr. Listen and Dial come before Run or,
// for Dial, also from any goroutine later. A Direct belongs to the one goroutine
// that uses it. Everything inside a Memory belongs to the one goroutine that
// calls Step and Advance.
//
// Callbacks are never nested: a Close or a Send that overruns its bound takes
// effect after the running callback has returned, and Handler.Closed tells.
//
// # How long slices live
//
// The frame and the message given to Handler.Message and to the function of
// Direct.Poll are valid until that call returns; they lie in a read buffer
// that every link of the loop shares. The slice from Link.Buffer is valid until
// the next call of any method of that link.
//
// # How a loop waits
//
// The event loop is gnet's, with exactly one event loop per Loop. gnet parks
// after every batch, and a wake-up across cores costs ten times what the
// message itself does; so after traffic the loop polls. It owns an eventfd that
// gnet watches like a connection: when it is signalled gnet calls back, and in
// that callback the loop runs a hot turn, in which it reads its sockets directly and
// yields the core when there is nothing to read. A turn ends after TurnNs so
// that gnet can take in new links, see closed ones and write what a peer was too
// slow for. While there has been traffic within Idle.SpinNs the loop signals
// itself again; otherwise it sleeps until a socket is readable, a tick is due or
// somebody calls Wake. Heartbeats are no traffic: an idle chain of processes
// stays asleep.
//
// A polling loop keeps one scheduler slot of the Go runtime to itself: a process
// needs GOMAXPROCS of at least its loops plus one.
package fastpath
