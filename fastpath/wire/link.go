package wire

import "tollgate/order"

// boolTrue is the schema's Boolean True.
const boolTrue = 1

func boolByte(b bool) uint8 {
	if b {
		return boolTrue
	}
	return 0
}

// LinkHello is the first frame on a link, in both directions.
type LinkHello struct {
	Instance      uint64 // incarnation of the sending process
	Epoch         uint64 // of the engine, as far as the sender knows it
	NextReportSeq uint64 // adapter: gives next; engine: wants next; gateway: 0
	Role          Role
}

// Append appends a whole LinkHello frame.
func (l *LinkHello) Append(dst []byte) []byte {
	dst, view := appendLinkHelloView(dst)
	view.SetInstance(l.Instance)
	view.SetEpoch(l.Epoch)
	view.SetNextReportSeq(l.NextReportSeq)
	view.SetRole(uint8(l.Role))
	return dst
}

// Decode takes l from m, whose Template is TemplateLinkHello.
func (l *LinkHello) Decode(m Message) {
	view := (*linkHelloView)(m.Block)
	*l = LinkHello{
		Instance:      view.Instance(),
		Epoch:         view.Epoch(),
		NextReportSeq: view.NextReportSeq(),
		Role:          Role(view.Role()),
	}
}

// LinkHeartbeat is a sign of life on an idle link.
type LinkHeartbeat struct {
	Time int64 // sender's clock, ns since 1970 UTC
}

// Append appends a whole LinkHeartbeat frame.
func (l *LinkHeartbeat) Append(dst []byte) []byte {
	dst, view := appendLinkHeartbeatView(dst)
	view.SetTime(l.Time)
	return dst
}

// Decode takes l from m, whose Template is TemplateLinkHeartbeat.
func (l *LinkHeartbeat) Decode(m Message) {
	view := (*linkHeartbeatView)(m.Block)
	*l = LinkHeartbeat{
		Time: view.Time(),
	}
}

// SessionLogin asks the engine for a session; LoginAck or LoginReject answers.
type SessionLogin struct {
	WantOutSeq           uint64 // first answer still wanted
	LoginID              uint64 // sent back in the answer
	Session              order.SessionID
	Client               uint32
	CancelOnDisconnectMs uint32 // grace window; 0: off
	Flags                uint32 // LoginFlagsHopTraces
	KeepaliveMs          uint32 // asked for
}

// Append appends a whole SessionLogin frame.
func (s *SessionLogin) Append(dst []byte) []byte {
	dst, view := appendSessionLoginView(dst)
	view.SetWantOutSeq(s.WantOutSeq)
	view.SetLoginID(s.LoginID)
	view.SetSession(uint32(s.Session))
	view.SetClient(s.Client)
	view.SetCancelOnDisconnectMs(s.CancelOnDisconnectMs)
	view.SetFlags(s.Flags)
	view.SetKeepaliveMs(s.KeepaliveMs)
	return dst
}

// Decode takes s from m, whose Template is TemplateSessionLogin.
func (s *SessionLogin) Decode(m Message) {
	view := (*sessionLoginView)(m.Block)
	*s = SessionLogin{
		WantOutSeq:           view.WantOutSeq(),
		LoginID:              view.LoginID(),
		Session:              order.SessionID(view.Session()),
		Client:               view.Client(),
		CancelOnDisconnectMs: view.CancelOnDisconnectMs(),
		Flags:                view.Flags(),
		KeepaliveMs:          view.KeepaliveMs(),
	}
}

// SessionClosed tells the engine that a client's connection has ended.
type SessionClosed struct {
	Session    order.SessionID
	Connection order.ConnectionID
	Reason     SessionRejectReason
}

// Append appends a whole SessionClosed frame.
func (s *SessionClosed) Append(dst []byte) []byte {
	dst, view := appendSessionClosedView(dst)
	view.SetSession(uint32(s.Session))
	view.SetConnection(uint32(s.Connection))
	view.SetReason(uint8(s.Reason))
	return dst
}

// Decode takes s from m, whose Template is TemplateSessionClosed.
func (s *SessionClosed) Decode(m Message) {
	view := (*sessionClosedView)(m.Block)
	*s = SessionClosed{
		Session:    order.SessionID(view.Session()),
		Connection: order.ConnectionID(view.Connection()),
		Reason:     SessionRejectReason(view.Reason()),
	}
}

// SessionDisconnect tells the gateway to reject and close a client's connection.
type SessionDisconnect struct {
	Session    order.SessionID
	Connection order.ConnectionID
	Reason     SessionRejectReason
}

// Append appends a whole SessionDisconnect frame.
func (s *SessionDisconnect) Append(dst []byte) []byte {
	dst, view := appendSessionDisconnectView(dst)
	view.SetSession(uint32(s.Session))
	view.SetConnection(uint32(s.Connection))
	view.SetReason(uint8(s.Reason))
	return dst
}

// Decode takes s from m, whose Template is TemplateSessionDisconnect.
func (s *SessionDisconnect) Decode(m Message) {
	view := (*sessionDisconnectView)(m.Block)
	*s = SessionDisconnect{
		Session:    order.SessionID(view.Session()),
		Connection: order.ConnectionID(view.Connection()),
		Reason:     SessionRejectReason(view.Reason()),
	}
}

// ReportsFrom asks the adapter for its reports on this link.
type ReportsFrom struct {
	Epoch uint64 // of the asking engine
	From  uint64 // first ReportSeq wanted
}

// Append appends a whole ReportsFrom frame.
func (r *ReportsFrom) Append(dst []byte) []byte {
	dst, view := appendReportsFromView(dst)
	view.SetEpoch(r.Epoch)
	view.SetFrom(r.From)
	return dst
}

// Decode takes r from m, whose Template is TemplateReportsFrom.
func (r *ReportsFrom) Decode(m Message) {
	view := (*reportsFromView)(m.Block)
	*r = ReportsFrom{
		Epoch: view.Epoch(),
		From:  view.From(),
	}
}

// ReportsAck tells the adapter which reports it may forget.
type ReportsAck struct {
	UpTo uint64 // highest ReportSeq that is durable
}

// Append appends a whole ReportsAck frame.
func (r *ReportsAck) Append(dst []byte) []byte {
	dst, view := appendReportsAckView(dst)
	view.SetUpTo(r.UpTo)
	return dst
}

// Decode takes r from m, whose Template is TemplateReportsAck.
func (r *ReportsAck) Decode(m Message) {
	view := (*reportsAckView)(m.Block)
	*r = ReportsAck{
		UpTo: view.UpTo(),
	}
}

// VenueState tells the engine whether the adapter can be reached.
type VenueState struct {
	Instance      uint64 // incarnation of the adapter
	NextReportSeq uint64 // the adapter will give next
	Up            bool
}

// Append appends a whole VenueState frame.
func (v *VenueState) Append(dst []byte) []byte {
	dst, view := appendVenueStateView(dst)
	view.SetInstance(v.Instance)
	view.SetNextReportSeq(v.NextReportSeq)
	view.SetUp(boolByte(v.Up))
	return dst
}

// Decode takes v from m, whose Template is TemplateVenueState.
func (v *VenueState) Decode(m Message) {
	view := (*venueStateView)(m.Block)
	*v = VenueState{
		Instance:      view.Instance(),
		NextReportSeq: view.NextReportSeq(),
		Up:            view.Up() == boolTrue,
	}
}

// KillFence tells the adapter to refuse verdicts that a kill has overtaken.
type KillFence struct {
	FenceID    uint64
	Epoch      uint64             // of the engine
	BelowSeq   uint64             // verdicts with a lower Seq are refused
	ScopeID    uint32             // at the level of ScopeType
	Instrument order.InstrumentID // 0: all
	ScopeClass order.ClassID      // 0: no class
	ScopeType  order.ScopeType
}

// Append appends a whole KillFence frame.
func (k *KillFence) Append(dst []byte) []byte {
	dst, view := appendKillFenceView(dst)
	view.SetFenceID(k.FenceID)
	view.SetEpoch(k.Epoch)
	view.SetBelowSeq(k.BelowSeq)
	view.SetScopeID(k.ScopeID)
	view.SetInstrument(uint32(k.Instrument))
	view.SetScopeType(uint8(k.ScopeType))
	view.SetScopeClass(uint32(k.ScopeClass))
	return dst
}

// Decode takes k from m, whose Template is TemplateKillFence.
func (k *KillFence) Decode(m Message) {
	view := (*killFenceView)(m.Block)
	*k = KillFence{
		FenceID:    view.FenceID(),
		Epoch:      view.Epoch(),
		BelowSeq:   view.BelowSeq(),
		ScopeID:    view.ScopeID(),
		Instrument: order.InstrumentID(view.Instrument()),
		ScopeType:  order.ScopeType(view.ScopeType()),
		ScopeClass: order.ClassID(view.ScopeClass()),
	}
}

// KillFenceAck confirms a fence: nothing behind it reaches the venue.
type KillFenceAck struct {
	FenceID uint64
	Epoch   uint64 // of the engine
}

// Append appends a whole KillFenceAck frame.
func (k *KillFenceAck) Append(dst []byte) []byte {
	dst, view := appendKillFenceAckView(dst)
	view.SetFenceID(k.FenceID)
	view.SetEpoch(k.Epoch)
	return dst
}

// Decode takes k from m, whose Template is TemplateKillFenceAck.
func (k *KillFenceAck) Decode(m Message) {
	view := (*killFenceAckView)(m.Block)
	*k = KillFenceAck{
		FenceID: view.FenceID(),
		Epoch:   view.Epoch(),
	}
}

// VenueCancel cancels an order at the adapter while the engine is away.
type VenueCancel struct {
	OrigClOrdID order.ClOrdID
	OrderID     order.OrderID // 0: unknown
	Session     order.SessionID
}

// Append appends a whole VenueCancel frame.
func (v *VenueCancel) Append(dst []byte) []byte {
	dst, view := appendVenueCancelView(dst)
	view.SetOrigClOrdID(uint64(v.OrigClOrdID))
	view.SetOrderID(uint64(v.OrderID))
	view.SetSession(uint32(v.Session))
	return dst
}

// Decode takes v from m, whose Template is TemplateVenueCancel.
func (v *VenueCancel) Decode(m Message) {
	view := (*venueCancelView)(m.Block)
	*v = VenueCancel{
		OrigClOrdID: order.ClOrdID(view.OrigClOrdID()),
		OrderID:     order.OrderID(view.OrderID()),
		Session:     order.SessionID(view.Session()),
	}
}

// AdapterRefusal is the hint that the adapter dropped a verdict.
type AdapterRefusal struct {
	Seq     uint64 // of the verdict
	OrderID order.OrderID
	Session order.SessionID
	Reason  order.Reason
}

// Append appends a whole AdapterRefusal frame.
func (a *AdapterRefusal) Append(dst []byte) []byte {
	dst, view := appendAdapterRefusalView(dst)
	view.SetSeq(a.Seq)
	view.SetOrderID(uint64(a.OrderID))
	view.SetSession(uint32(a.Session))
	view.SetReason(uint16(a.Reason))
	return dst
}

// Decode takes a from m, whose Template is TemplateAdapterRefusal.
func (a *AdapterRefusal) Decode(m Message) {
	view := (*adapterRefusalView)(m.Block)
	*a = AdapterRefusal{
		Seq:     view.Seq(),
		OrderID: order.OrderID(view.OrderID()),
		Session: order.SessionID(view.Session()),
		Reason:  order.Reason(view.Reason()),
	}
}
