package wire

import (
	"math"

	"tollgate/order"
)

// NullOutSeq stands for an absent OutSeq in a Heartbeat or Duplicate. Zero does
// not: it is what a client holds before the first answer.
const NullOutSeq = math.MaxUint64

// Hello is the first frame on every connection, from the server.
type Hello struct {
	Nonce      [16]byte // random, new for every connection
	ServerTime int64    // ns since 1970 UTC
	Epoch      uint64   // incarnation of the engine
}

// Append appends a whole Hello frame.
func (h *Hello) Append(dst []byte) []byte {
	dst, view := appendHelloView(dst)
	view.SetNonce(h.Nonce)
	view.SetServerTime(h.ServerTime)
	view.SetEpoch(h.Epoch)
	return dst
}

// Decode takes h from m, whose Template is TemplateHello.
func (h *Hello) Decode(m Message) {
	view := (*helloView)(m.Block)
	*h = Hello{
		Nonce:      view.Nonce(),
		ServerTime: view.ServerTime(),
		Epoch:      view.Epoch(),
	}
}

// Login asks for a session. LoginMAC computes Mac.
type Login struct {
	WantOutSeq           uint64 // first answer still wanted
	Client               uint32 // whose key signs
	Session              order.SessionID
	KeepaliveMs          uint32   // idle time before a heartbeat is due
	CancelOnDisconnectMs uint32   // grace window; 0: off
	Flags                uint32   // LoginFlagsHopTraces
	Nonce                [16]byte // random
	Mac                  [32]byte
}

// Append appends a whole Login frame.
func (l *Login) Append(dst []byte) []byte {
	dst, view := appendLoginView(dst)
	l.encode(view)
	return dst
}

func (l *Login) encode(view *loginView) {
	view.SetWantOutSeq(l.WantOutSeq)
	view.SetClient(l.Client)
	view.SetSession(uint32(l.Session))
	view.SetKeepaliveMs(l.KeepaliveMs)
	view.SetCancelOnDisconnectMs(l.CancelOnDisconnectMs)
	view.SetFlags(l.Flags)
	view.SetNonce(l.Nonce)
	view.SetMac(l.Mac)
}

// Decode takes l from m, whose Template is TemplateLogin.
func (l *Login) Decode(m Message) {
	view := (*loginView)(m.Block)
	*l = Login{
		WantOutSeq:           view.WantOutSeq(),
		Client:               view.Client(),
		Session:              order.SessionID(view.Session()),
		KeepaliveMs:          view.KeepaliveMs(),
		CancelOnDisconnectMs: view.CancelOnDisconnectMs(),
		Flags:                view.Flags(),
		Nonce:                view.Nonce(),
		Mac:                  view.Mac(),
	}
}

// LoginAck grants a session. The answers from WantOutSeq on follow.
type LoginAck struct {
	NextRef      uint64 // expected next
	NextOutSeq   uint64 // of the answer to come
	OldestOutSeq uint64 // that can still be replayed
	Epoch        uint64 // incarnation of the engine
	LoginID      uint64 // the gateway's own
	Session      order.SessionID
	Connection   order.ConnectionID
	KeepaliveMs  uint32 // in force
}

// Append appends a whole LoginAck frame.
func (l *LoginAck) Append(dst []byte) []byte {
	dst, view := appendLoginAckView(dst)
	view.SetNextRef(l.NextRef)
	view.SetNextOutSeq(l.NextOutSeq)
	view.SetOldestOutSeq(l.OldestOutSeq)
	view.SetEpoch(l.Epoch)
	view.SetLoginID(l.LoginID)
	view.SetSession(uint32(l.Session))
	view.SetConnection(uint32(l.Connection))
	view.SetKeepaliveMs(l.KeepaliveMs)
	return dst
}

// Decode takes l from m, whose Template is TemplateLoginAck.
func (l *LoginAck) Decode(m Message) {
	view := (*loginAckView)(m.Block)
	*l = LoginAck{
		NextRef:      view.NextRef(),
		NextOutSeq:   view.NextOutSeq(),
		OldestOutSeq: view.OldestOutSeq(),
		Epoch:        view.Epoch(),
		LoginID:      view.LoginID(),
		Session:      order.SessionID(view.Session()),
		Connection:   order.ConnectionID(view.Connection()),
		KeepaliveMs:  view.KeepaliveMs(),
	}
}

// LoginReject refuses a session; the connection closes.
type LoginReject struct {
	OldestOutSeq uint64 // with LoginRejectOutSeqUnavailable, else 0
	LoginID      uint64 // the gateway's own
	Session      order.SessionID
	Reason       LoginRejectReason
}

// Append appends a whole LoginReject frame.
func (l *LoginReject) Append(dst []byte) []byte {
	dst, view := appendLoginRejectView(dst)
	view.SetOldestOutSeq(l.OldestOutSeq)
	view.SetLoginID(l.LoginID)
	view.SetSession(uint32(l.Session))
	view.SetReason(uint8(l.Reason))
	return dst
}

// Decode takes l from m, whose Template is TemplateLoginReject.
func (l *LoginReject) Decode(m Message) {
	view := (*loginRejectView)(m.Block)
	*l = LoginReject{
		OldestOutSeq: view.OldestOutSeq(),
		LoginID:      view.LoginID(),
		Session:      order.SessionID(view.Session()),
		Reason:       LoginRejectReason(view.Reason()),
	}
}

// Logout says that the sender will send nothing more.
type Logout struct {
	Session    order.SessionID
	Connection order.ConnectionID
}

// Append appends a whole Logout frame.
func (l *Logout) Append(dst []byte) []byte {
	dst, view := appendLogoutView(dst)
	view.SetSession(uint32(l.Session))
	view.SetConnection(uint32(l.Connection))
	return dst
}

// Decode takes l from m, whose Template is TemplateLogout.
func (l *Logout) Decode(m Message) {
	view := (*logoutView)(m.Block)
	*l = Logout{
		Session:    order.SessionID(view.Session()),
		Connection: order.ConnectionID(view.Connection()),
	}
}

// Heartbeat is a sign of life on an idle connection.
type Heartbeat struct {
	OutSeq     uint64 // highest the client holds; NullOutSeq from the server
	Session    order.SessionID
	Connection order.ConnectionID
}

// Append appends a whole Heartbeat frame.
func (h *Heartbeat) Append(dst []byte) []byte {
	dst, view := appendHeartbeatView(dst)
	view.SetOutSeq(h.OutSeq)
	view.SetSession(uint32(h.Session))
	view.SetConnection(uint32(h.Connection))
	return dst
}

// Decode takes h from m, whose Template is TemplateHeartbeat.
func (h *Heartbeat) Decode(m Message) {
	view := (*heartbeatView)(m.Block)
	*h = Heartbeat{
		OutSeq:     view.OutSeq(),
		Session:    order.SessionID(view.Session()),
		Connection: order.ConnectionID(view.Connection()),
	}
}

// Gap is the hint that a Ref came too early and was not applied.
type Gap struct {
	ExpectedRef uint64
	Session     order.SessionID
	Connection  order.ConnectionID
}

// Append appends a whole Gap frame.
func (g *Gap) Append(dst []byte) []byte {
	dst, view := appendGapView(dst)
	view.SetExpectedRef(g.ExpectedRef)
	view.SetSession(uint32(g.Session))
	view.SetConnection(uint32(g.Connection))
	return dst
}

// Decode takes g from m, whose Template is TemplateGap.
func (g *Gap) Decode(m Message) {
	view := (*gapView)(m.Block)
	*g = Gap{
		ExpectedRef: view.ExpectedRef(),
		Session:     order.SessionID(view.Session()),
		Connection:  order.ConnectionID(view.Connection()),
	}
}

// Duplicate is the hint that a Ref was applied before.
type Duplicate struct {
	Ref        uint64
	OutSeq     uint64 // of the answer given then; NullOutSeq if there is none yet or it is forgotten
	Session    order.SessionID
	Connection order.ConnectionID
}

// Append appends a whole Duplicate frame.
func (d *Duplicate) Append(dst []byte) []byte {
	dst, view := appendDuplicateView(dst)
	view.SetRef(d.Ref)
	view.SetOutSeq(d.OutSeq)
	view.SetSession(uint32(d.Session))
	view.SetConnection(uint32(d.Connection))
	return dst
}

// Decode takes d from m, whose Template is TemplateDuplicate.
func (d *Duplicate) Decode(m Message) {
	view := (*duplicateView)(m.Block)
	*d = Duplicate{
		Ref:        view.Ref(),
		OutSeq:     view.OutSeq(),
		Session:    order.SessionID(view.Session()),
		Connection: order.ConnectionID(view.Connection()),
	}
}

// Busy is the hint that a request was not applied and may be sent again.
type Busy struct {
	Ref          uint64
	RetryAfterMs uint32
	Session      order.SessionID
	Connection   order.ConnectionID
	Reason       order.Reason // what is missing
}

// Append appends a whole Busy frame.
func (b *Busy) Append(dst []byte) []byte {
	dst, view := appendBusyView(dst)
	view.SetRef(b.Ref)
	view.SetRetryAfterMs(b.RetryAfterMs)
	view.SetSession(uint32(b.Session))
	view.SetConnection(uint32(b.Connection))
	view.SetReason(uint16(b.Reason))
	return dst
}

// Decode takes b from m, whose Template is TemplateBusy.
func (b *Busy) Decode(m Message) {
	view := (*busyView)(m.Block)
	*b = Busy{
		Ref:          view.Ref(),
		RetryAfterMs: view.RetryAfterMs(),
		Session:      order.SessionID(view.Session()),
		Connection:   order.ConnectionID(view.Connection()),
		Reason:       order.Reason(view.Reason()),
	}
}

// SessionReject says why the connection closes right after it.
type SessionReject struct {
	Value       uint64 // what was refused: a length, encoding type, schema or template
	RefTemplate uint16 // of the refused frame; 0: not known
	Reason      SessionRejectReason
}

// Append appends a whole SessionReject frame.
func (s *SessionReject) Append(dst []byte) []byte {
	dst, view := appendSessionRejectView(dst)
	view.SetValue(s.Value)
	view.SetRefTemplate(s.RefTemplate)
	view.SetReason(uint8(s.Reason))
	return dst
}

// Decode takes s from m, whose Template is TemplateSessionReject.
func (s *SessionReject) Decode(m Message) {
	view := (*sessionRejectView)(m.Block)
	*s = SessionReject{
		Value:       view.Value(),
		RefTemplate: view.RefTemplate(),
		Reason:      SessionRejectReason(view.Reason()),
	}
}
