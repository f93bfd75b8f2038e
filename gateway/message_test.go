package gateway

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"tollgate/fastpath/wire"
	"tollgate/order"
)

// message is any message of the wire, to be written and read by the names of
// its fields.
type message interface {
	Append(dst []byte) []byte
	Decode(m wire.Message)
}

// The messages that are functions in package wire, as values.
type (
	requestMessage struct{ order.Request }
	checkMessage   struct {
		order.Request
		order.Trace
	}
	verdictMessage struct {
		order.Verdict
		order.Trace
	}
	reportMessage struct {
		order.Report
		order.Trace
	}
	answerMessage struct{ order.Answer }
	priceMessage  struct{ order.ReferencePrice }
	traceMessage  struct {
		order.Trace
		Session order.SessionID
		OutSeq  uint64
	}
)

func (x *requestMessage) Append(dst []byte) []byte { return wire.AppendRequest(dst, &x.Request) }
func (x *checkMessage) Append(dst []byte) []byte   { return wire.AppendCheck(dst, &x.Request, &x.Trace) }

func (x *verdictMessage) Append(dst []byte) []byte {
	return wire.AppendVerdict(dst, &x.Verdict, &x.Trace)
}

func (x *reportMessage) Append(dst []byte) []byte {
	return wire.AppendVenueReport(dst, &x.Report, &x.Trace)
}
func (x *answerMessage) Append(dst []byte) []byte { return wire.AppendAnswer(dst, &x.Answer) }
func (x *priceMessage) Append(dst []byte) []byte {
	return wire.AppendReferencePrice(dst, &x.ReferencePrice)
}

func (x *traceMessage) Append(dst []byte) []byte {
	return wire.AppendHopTrace(dst, x.Session, x.OutSeq, &x.Trace)
}

func (x *requestMessage) Decode(m wire.Message) { must(m.Request(&x.Request)) }
func (x *checkMessage) Decode(m wire.Message)   { m.Check(&x.Request, &x.Trace) }
func (x *verdictMessage) Decode(m wire.Message) { m.Verdict(&x.Verdict, &x.Trace) }
func (x *reportMessage) Decode(m wire.Message)  { m.VenueReport(&x.Report, &x.Trace) }
func (x *answerMessage) Decode(m wire.Message)  { must(m.Answer(&x.Answer)) }
func (x *priceMessage) Decode(m wire.Message)   { m.ReferencePrice(&x.ReferencePrice) }
func (x *traceMessage) Decode(m wire.Message)   { x.Session, x.OutSeq = m.HopTrace(&x.Trace) }

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// kind is a message's template, name and maker.
type kind struct {
	template uint16
	name     string
	make     func() message
}

func requestOf(t order.MsgType) func() message {
	return func() message { return &requestMessage{order.Request{MsgType: t}} }
}

func answerOf(k order.AnswerKind) func() message {
	return func() message { return &answerMessage{order.Answer{Kind: k}} }
}

func valueOf[T any, P interface {
	*T
	message
}]() message {
	return P(new(T))
}

// kinds are all messages of the wire.
var kinds = []kind{
	{wire.TemplateHello, "Hello", valueOf[wire.Hello]},
	{wire.TemplateLogin, "Login", valueOf[wire.Login]},
	{wire.TemplateLoginAck, "LoginAck", valueOf[wire.LoginAck]},
	{wire.TemplateLoginReject, "LoginReject", valueOf[wire.LoginReject]},
	{wire.TemplateLogout, "Logout", valueOf[wire.Logout]},
	{wire.TemplateHeartbeat, "Heartbeat", valueOf[wire.Heartbeat]},
	{wire.TemplateGap, "Gap", valueOf[wire.Gap]},
	{wire.TemplateDuplicate, "Duplicate", valueOf[wire.Duplicate]},
	{wire.TemplateBusy, "Busy", valueOf[wire.Busy]},
	{wire.TemplateSessionReject, "SessionReject", valueOf[wire.SessionReject]},
	{wire.TemplateNewOrder, "NewOrder", requestOf(order.MsgNewOrder)},
	{wire.TemplateReplaceOrder, "ReplaceOrder", requestOf(order.MsgReplaceOrder)},
	{wire.TemplateCancelOrder, "CancelOrder", requestOf(order.MsgCancelOrder)},
	{wire.TemplateMassCancel, "MassCancel", requestOf(order.MsgMassCancel)},
	{wire.TemplateExecutionReport, "ExecutionReport", answerOf(order.AnswerExecution)},
	{wire.TemplateOrderCancelReject, "OrderCancelReject", answerOf(order.AnswerCancelReject)},
	{wire.TemplateOrderMassCancelReport, "OrderMassCancelReport", answerOf(order.AnswerMassCancel)},
	{wire.TemplateCancelOnDisconnectReport, "CancelOnDisconnectReport", answerOf(order.AnswerCanceledOnEnd)},
	{wire.TemplateHopTrace, "HopTrace", valueOf[traceMessage]},
	{wire.TemplateLinkHello, "LinkHello", valueOf[wire.LinkHello]},
	{wire.TemplateLinkHeartbeat, "LinkHeartbeat", valueOf[wire.LinkHeartbeat]},
	{wire.TemplateSessionLogin, "SessionLogin", valueOf[wire.SessionLogin]},
	{wire.TemplateSessionClosed, "SessionClosed", valueOf[wire.SessionClosed]},
	{wire.TemplateSessionDisconnect, "SessionDisconnect", valueOf[wire.SessionDisconnect]},
	{wire.TemplateCheck, "Check", valueOf[checkMessage]},
	{wire.TemplateVerdict, "Verdict", valueOf[verdictMessage]},
	{wire.TemplateVenueReport, "VenueReport", valueOf[reportMessage]},
	{wire.TemplateReferencePrice, "ReferencePrice", valueOf[priceMessage]},
	{wire.TemplateReportsFrom, "ReportsFrom", valueOf[wire.ReportsFrom]},
	{wire.TemplateReportsAck, "ReportsAck", valueOf[wire.ReportsAck]},
	{wire.TemplateVenueState, "VenueState", valueOf[wire.VenueState]},
	{wire.TemplateKillFence, "KillFence", valueOf[wire.KillFence]},
	{wire.TemplateKillFenceAck, "KillFenceAck", valueOf[wire.KillFenceAck]},
	{wire.TemplateVenueCancel, "VenueCancel", valueOf[wire.VenueCancel]},
	{wire.TemplateAdapterRefusal, "AdapterRefusal", valueOf[wire.AdapterRefusal]},
}

// kindNamed returns the kind of message with this name.
func kindNamed(name string) (kind, error) {
	for _, k := range kinds {
		if k.name == name {
			return k, nil
		}
	}
	return kind{}, fmt.Errorf("there is no message %q", name)
}

// decode returns the kind and the content of a frame.
func decode(f []byte) (kind, message, error) {
	var p wire.Parser
	m, err := p.Parse(wire.Frame(f))
	if err != nil {
		return kind{}, nil, err
	}
	for _, k := range kinds {
		if k.template == m.Template {
			x := k.make()
			x.Decode(m)
			return k, x, nil
		}
	}
	return kind{}, nil, fmt.Errorf("there is no message with template %d", m.Template)
}

// setFields sets the fields of x that are given as Name=value.
func setFields(x message, fields []string) error {
	for _, f := range fields {
		name, text, _ := strings.Cut(f, "=")
		v, err := field(x, name)
		if err != nil {
			return err
		}
		if err := setValue(v, text); err != nil {
			return fmt.Errorf("%s: %w", f, err)
		}
	}
	return nil
}

// checkFields compares the fields of x with those given as Name=value.
func checkFields(x message, fields []string) error {
	for _, f := range fields {
		name, text, _ := strings.Cut(f, "=")
		v, err := field(x, name)
		if err != nil {
			return err
		}
		want := reflect.New(v.Type()).Elem()
		if err := setValue(want, text); err != nil {
			return fmt.Errorf("%s: %w", f, err)
		}
		if v.Interface() != want.Interface() {
			return fmt.Errorf("%s is %v, want %s", name, v.Interface(), text)
		}
	}
	return nil
}

// field finds a field by name, or by names with dots between.
func field(x message, path string) (reflect.Value, error) {
	v := reflect.ValueOf(x).Elem()
	for _, name := range strings.Split(path, ".") {
		if v = v.FieldByName(name); !v.IsValid() {
			return v, fmt.Errorf("%T has no field %s", x, path)
		}
	}
	return v, nil
}

// setValue sets v to what text says: a number, true, a FIX code in quotes, null
// for the null of an OutSeq, or the name of a reason.
func setValue(v reflect.Value, text string) error {
	if v.Kind() == reflect.Bool {
		b, err := strconv.ParseBool(text)
		v.SetBool(b)
		return err
	}
	n, err := number(v, text)
	if err != nil {
		return err
	}
	if v.CanInt() {
		v.SetInt(int64(n))
		return nil
	}
	if !v.CanUint() {
		return fmt.Errorf("a %v cannot be set", v.Type())
	}
	v.SetUint(n)
	return nil
}

func number(v reflect.Value, text string) (uint64, error) {
	switch {
	case text == "null":
		return wire.NullOutSeq, nil
	case len(text) == 3 && text[0] == '\'':
		return uint64(text[1]), nil
	}
	if n, ok := reasonNamed(v.Type(), text); ok {
		return n, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	return uint64(n), err
}

// reasonNamed returns the value of an enumeration whose String is text.
func reasonNamed(t reflect.Type, text string) (uint64, bool) {
	if t.Kind() != reflect.Uint8 {
		return 0, false
	}
	for n := uint64(0); n < 256; n++ {
		v := reflect.New(t).Elem()
		v.SetUint(n)
		if s, ok := v.Interface().(fmt.Stringer); ok && s.String() == text {
			return n, true
		}
	}
	return 0, false
}
