// Package wire is the codec of Tollgate's frames: FIX Simple Binary Encoding
// 1.0 behind the FIX Simple Open Framing Header. The contract is the schema
// proto/sbe/tollgate.xml; messages_gen.go is made from it.
//
// A frame, by byte offset. The framing header is big-endian, everything after
// it little-endian:
//
//	 0         4     6             8          10        12       14             14+blockLength
//	┌─────────┬─────┬─────────────┬──────────┬─────────┬────────┬──────────────┬ ─ ─ ─ ─ ─ ─ ┐
//	│ length  │EB50 │ blockLength │ template │ schema  │version │  root block  │ tail of newer
//	│ u32 BE  │u16BE│     u16     │   u16    │u16 7018 │  u16   │ fixed fields │  versions   │
//	└─────────┴─────┴─────────────┴──────────┴─────────┴────────┴──────────────┴ ─ ─ ─ ─ ─ ─ ┘
//	└─ framing header, 6 bytes ──┘└──── SBE message header, 8 bytes ──┘
//
// length counts the whole frame, from HeaderSize (14) to FrameMax (4096).
//
// The messages and the types that hold their values:
//
//	template                       value                         travels
//	 1 Hello                       Hello                         server → client, first frame
//	 2 Login                       Login, LoginMAC               client → server
//	 3 LoginAck                    LoginAck                      engine → gateway → client
//	 4 LoginReject                 LoginReject                   engine → gateway → client
//	 5 Logout                      Logout                        client → server
//	 6 Heartbeat                   Heartbeat                     both ways
//	 7 Gap                         Gap                           hint to a client
//	 8 Duplicate                   Duplicate                     hint to a client
//	 9 Busy                        Busy                          hint to a client
//	10 SessionReject               SessionReject                 server → client, last frame
//	20 NewOrder                    order.Request                 client → gateway
//	21 ReplaceOrder                order.Request                 client → gateway
//	22 CancelOrder                 order.Request                 client → gateway
//	23 MassCancel                  order.Request                 client → gateway
//	40 ExecutionReport             order.Answer                  engine → gateway → client
//	41 OrderCancelReject           order.Answer                  engine → gateway → client
//	42 OrderMassCancelReport       order.Answer                  engine → gateway → client
//	43 CancelOnDisconnectReport    order.Answer                  engine → gateway → client
//	49 HopTrace                    order.Trace                   engine → gateway → client, hint
//	60 LinkHello                   LinkHello                     both ways, first frame
//	61 LinkHeartbeat               LinkHeartbeat                 both ways
//	62 SessionLogin                SessionLogin                  gateway → engine
//	63 SessionClosed               SessionClosed                 gateway → engine
//	64 SessionDisconnect           SessionDisconnect             engine → gateway
//	70 Check                       order.Request, order.Trace    gateway → engine
//	71 Verdict                     order.Verdict, order.Trace    engine → gateway → adapter
//	72 VenueReport                 order.Report, order.Trace     adapter → gateway → engine
//	73 ReferencePrice              order.ReferencePrice          price source → engine
//	74 ReportsFrom                 ReportsFrom                   engine → gateway → adapter
//	75 ReportsAck                  ReportsAck                    engine → gateway → adapter
//	76 VenueState                  VenueState                    gateway → engine
//	77 KillFence                   KillFence                     engine → gateway → adapter
//	78 KillFenceAck                KillFenceAck                  adapter → gateway → engine
//	79 VenueCancel                 VenueCancel                   gateway → adapter
//	80 AdapterRefusal              AdapterRefusal                adapter → gateway, hint
//
// Fields are only ever appended, and frames of earlier versions of the schema
// are read like those of this one: what they lack is null. testdata holds
// golden frames of this version, testdata/v0 those of version 0.
//
// Reading takes three steps: Split finds the first whole frame in a buffer, a
// Parser reads its headers and sees to it that the root block has the length
// this version knows, and a decoder (Message.Check, Hello.Decode ...) copies
// the fields out at fixed offsets. Writing is one step: an append function puts
// a whole frame behind what a buffer holds.
//
// Nothing here judges a value: a Side of 'x' is decoded as such, and refused by
// the engine. Nothing here allocates but errors, LoginMAC, and appends beyond a
// buffer's capacity. There is no state but a Parser's, so everything may be
// called from any loop that owns its buffers and its Parser. A decoder given a
// message of another template is a mistake of the caller: it panics or decodes
// nonsense.
package wire

//go:generate go run tollgate/internal/sbegen -schema ../../proto/sbe/tollgate.xml -out messages_gen.go
