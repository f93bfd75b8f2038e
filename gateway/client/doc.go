// Package client is the Go client of Tollgate's order entry.
//
// A Client is one session. It connects, proves who it is, numbers requests,
// keeps each request until its final answer has come, and when the connection
// breaks it logs in again by itself, asks for the answers it has missed and
// repeats the requests the server has not seen. So a program sends a request
// once and gets exactly one final answer for it: the answer whose Ref is the
// number that Send returned.
//
// # Use
//
// One goroutine owns a Client; nothing in it may be called from two goroutines
// at a time. A fast program calls Send as it likes, Flush when it has nothing
// more to say for the moment, and Poll in a loop; Poll never blocks and does
// the session's housekeeping, so it must be called more often than the
// keepalive. A simple program calls Send and Recv and thinks about nothing
// else. Send and Poll allocate nothing once a session is logged in.
//
// # Orders
//
// A request is an order.Request: what FIX has and Tollgate carries is a field of
// it. StopPx and Price that an order does not have are order.Null. Strategy
// names the program that trades, DisplayQty makes an iceberg of the order, a
// stop has a StopPx. NewOrderList sends orders that pass or fail together.
//
// What becomes of an order comes as answers. One with a Ref is the final answer
// to a request; others tell what the venue has done. An execution has ExecType
// Trade, LastQty and LastPx. The venue may take it back: TradeCancel names the
// execution meant in ExecRefID, with its LastQty and LastPx; TradeCorrect gives
// it other ones; Restated says that the venue has changed the order by itself.
// All of them may come after the order has ended, and CumQty, LeavesQty and
// OrderQty always say how the order stands after the event.
//
// # Memory of a session
//
// The server remembers the session: the next request number it expects and
// every answer it gave. A program that keeps its own record starts with
// NextRef and WantOutSeq from that record. A program that does not sets Adopt:
// then the Client continues with the number the server expects and the handler
// first sees the answers the server still holds, from WantOutSeq on. Without
// Adopt, a server that expects a higher number than this program would use
// is a RefsAheadError, since requests exist that the program knows nothing of.
package client
