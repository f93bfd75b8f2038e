package wire

import (
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"tollgate/internal/testseed"
	"tollgate/order"
)

// traced pairs an order struct with the trace that travels with it.
type traced[T any] struct {
	Order T
	Trace order.Trace
}

// hop is what a HopTrace carries.
type hop struct {
	OutSeq  uint64
	Trace   order.Trace
	Session order.SessionID
}

// codec is one message: a realistic value, and how to write and read it. lacks
// names the fields of the Go struct that the message does not carry.
type codec struct {
	name     string
	template uint16
	value    any // pointer
	encode   func(dst []byte, v any) []byte
	decode   func(m Message) any
	lacks    []string
}

// plain is a message with a struct of its own.
type plain[T any] interface {
	*T
	Append(dst []byte) []byte
	Decode(m Message)
}

func plainCodec[T any, P plain[T]](template uint16, value T) codec {
	return codec{
		name: reflect.TypeFor[T]().Name(), template: template, value: &value,
		encode: func(dst []byte, v any) []byte { return v.(P).Append(dst) },
		decode: func(m Message) any {
			v := P(dirty[T]())
			v.Decode(m)
			return v
		},
	}
}

func requestCodec(name string, template uint16, value order.Request, lacks ...string) codec {
	return codec{
		name: name, template: template, value: &value,
		encode: func(dst []byte, v any) []byte { return AppendRequest(dst, v.(*order.Request)) },
		decode: func(m Message) any {
			r := dirty[order.Request]()
			must(m.Request(r))
			return r
		},
		lacks: append(lacks, "Session", "Connection"),
	}
}

func answerCodec(name string, template uint16, value order.Answer, lacks ...string) codec {
	return codec{
		name: name, template: template, value: &value,
		encode: func(dst []byte, v any) []byte { return AppendAnswer(dst, v.(*order.Answer)) },
		decode: func(m Message) any {
			a := dirty[order.Answer]()
			must(m.Answer(a))
			return a
		},
		lacks: lacks,
	}
}

func tracedCodec[T any](
	name string, template uint16, value T, encode func([]byte, *T, *order.Trace) []byte,
	decode func(Message, *T, *order.Trace),
) codec {
	return codec{
		name: name, template: template, value: &traced[T]{value, sampleTrace},
		encode: func(dst []byte, v any) []byte {
			pair := v.(*traced[T])
			return encode(dst, &pair.Order, &pair.Trace)
		},
		decode: func(m Message) any {
			pair := dirty[traced[T]]()
			decode(m, &pair.Order, &pair.Trace)
			return pair
		},
	}
}

// dirty returns a value with something in every field, as a decoder finds it
// when a loop uses the same one again and again.
func dirty[T any]() *T {
	v, rng := new(T), rand.New(rand.NewPCG(1, 2))
	for _, l := range leaves(reflect.ValueOf(v).Elem(), "") {
		l.randomize(rng)
	}
	return v
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

const sampleTime = 1_790_000_000_000_000_000

var sampleTrace = order.Trace{
	GatewayIn: sampleTime + 1000, RiskIn: sampleTime + 2000, GatewayVerdict: sampleTime + 3000,
	VenueIn: sampleTime + 4000, GatewayReport: sampleTime + 5000, RiskReport: sampleTime + 6000,
	GatewayAnswer: sampleTime + 7000,
}

var sampleOrder = order.Request{
	Ref: 7, ClOrdID: 1007, ValidUntil: sampleTime + 1_000_000_000, SendingTime: sampleTime,
	Price: 4512_25000000, StopPx: order.Null, OrderQty: 3_00000000, DisplayQty: 1_00000000,
	Account: 301, Trader: 401, Instrument: 601, Strategy: 701, Basket: 9001, BasketLegs: 4, MsgType: order.MsgNewOrder,
	Side: order.SideBuy, OrdType: order.OrdTypeLimit, TimeInForce: order.TimeInForceDay,
}

// bytesFrom returns n bytes counting up from first.
func bytesFrom(first byte, dst []byte) {
	for i := range dst {
		dst[i] = first + byte(i)
	}
}

// codecs lists every message of the schema with its sample value.
func codecs() []codec {
	all := sessionCodecs()
	all = append(all, requestCodecs()...)
	all = append(all, answerCodecs()...)
	all = append(all, linkCodecs()...)
	return append(all, chainCodecs()...)
}

func sessionCodecs() []codec {
	hello := Hello{ServerTime: sampleTime, Epoch: 12}
	bytesFrom(0x10, hello.Nonce[:])
	login := Login{
		WantOutSeq: 41, Client: 11, Session: 501, KeepaliveMs: 15000, CancelOnDisconnectMs: 2500,
		Flags: LoginFlagsHopTraces,
	}
	bytesFrom(0x20, login.Nonce[:])
	login.Mac = LoginMAC([]byte("the key of the golden login"), hello.Nonce, &login)
	return []codec{
		plainCodec(TemplateHello, hello),
		plainCodec(TemplateLogin, login),
		plainCodec(TemplateLoginAck, LoginAck{
			NextRef: 8, NextOutSeq: 43, OldestOutSeq: 1, Epoch: 12, LoginID: 77, Session: 501, Connection: 5,
			KeepaliveMs: 15000,
		}),
		plainCodec(TemplateLoginReject, LoginReject{
			OldestOutSeq: 20, LoginID: 78, Session: 501, Reason: LoginRejectOutSeqUnavailable,
		}),
		plainCodec(TemplateLogout, Logout{Session: 501, Connection: 5}),
		plainCodec(TemplateHeartbeat, Heartbeat{OutSeq: NullOutSeq, Session: 501, Connection: 5}),
		plainCodec(TemplateGap, Gap{ExpectedRef: 8, Session: 501, Connection: 5}),
		plainCodec(TemplateDuplicate, Duplicate{Ref: 3, OutSeq: 9, Session: 501, Connection: 5}),
		plainCodec(TemplateBusy, Busy{
			Ref: 8, RetryAfterMs: 50, Session: 501, Connection: 5, Reason: order.ReasonVenueUnavailable,
		}),
		plainCodec(TemplateSessionReject, SessionReject{
			Value: 7019, RefTemplate: TemplateNewOrder, Reason: SessionRejectSchema,
		}),
	}
}

func requestCodecs() []codec {
	replace := sampleOrder
	replace.Ref, replace.ClOrdID, replace.OrigClOrdID, replace.MsgType = 8, 1008, 1007, order.MsgReplaceOrder
	replace.OrdType, replace.StopPx, replace.Basket, replace.BasketLegs = order.OrdTypeStopLimit, 4511_50000000, 0, 0
	cancel := order.Request{
		Ref: 9, ClOrdID: 1009, OrigClOrdID: 1008, SendingTime: sampleTime, Account: 301, Instrument: 601,
		MsgType: order.MsgCancelOrder, Side: order.SideBuy,
	}
	mass := order.Request{Ref: 10, ClOrdID: 1010, SendingTime: sampleTime, Account: 301, MsgType: order.MsgMassCancel}
	terms := []string{
		"ValidUntil", "Price", "StopPx", "OrderQty", "DisplayQty", "Trader", "OrdType", "TimeInForce", "Strategy", "Basket",
		"BasketLegs",
	}
	return []codec{
		requestCodec("NewOrder", TemplateNewOrder, sampleOrder, "OrigClOrdID"),
		requestCodec("ReplaceOrder", TemplateReplaceOrder, replace, "Basket", "BasketLegs"),
		requestCodec("CancelOrder", TemplateCancelOrder, cancel, terms...),
		requestCodec("MassCancel", TemplateMassCancel, mass, append(terms, "OrigClOrdID")...),
	}
}

var sampleDecision = order.Decision{
	Value: 12_500_0000, Limit: 10_000_0000, Reason: order.ReasonOpenNotional,
	Scope: order.Scope{ID: 301, Class: 801, Type: order.ScopeAccount},
}

func answerCodecs() []codec {
	correct := order.Answer{
		OutSeq: 42, Ref: 7, ClOrdID: 1007, OrigClOrdID: 1006, OrderID: 90001, ExecID: 31, ExecRefID: 29,
		ConfigVersion: 4, TransactTime: sampleTime + 5500, Price: 4512_25000000, LastPx: 4512_00000000,
		OrderQty: 3_00000000, LastQty: 1_00000000, CumQty: 2_00000000, LeavesQty: 1_00000000, Session: 501,
		Account: 301, Trader: 401,
		Instrument: 601, Kind: order.AnswerExecution, ExecType: order.ExecTypeTradeCorrect,
		OrdStatus: order.OrdStatusPartiallyFilled, Side: order.SideBuy, MsgType: order.MsgNewOrder,
	}
	reject := order.Answer{
		OutSeq: 43, Ref: 8, ClOrdID: 1008, OrigClOrdID: 1007, OrderID: 90001, ConfigVersion: 4,
		TransactTime: sampleTime + 6500, Decision: sampleDecision, Session: 501, Account: 301, Trader: 401,
		Instrument: 601, Kind: order.AnswerCancelReject, OrdStatus: order.OrdStatusPartiallyFilled,
		Side: order.SideBuy, MsgType: order.MsgReplaceOrder,
	}
	mass := order.Answer{
		OutSeq: 44, Ref: 10, ClOrdID: 1010, ConfigVersion: 4, TransactTime: sampleTime + 7500, Affected: 17,
		Session: 501, Account: 301, Kind: order.AnswerMassCancel,
	}
	end := order.Answer{
		OutSeq: 45, ConfigVersion: 4, TransactTime: sampleTime + 8500, Affected: 3, Session: 501,
		Kind: order.AnswerCanceledOnEnd,
	}
	prices := []string{"ExecID", "ExecRefID", "Price", "LastPx", "OrderQty", "LastQty", "CumQty", "LeavesQty", "ExecType"}
	massLacks := append([]string{"OrigClOrdID", "OrderID", "Trader", "OrdStatus", "MsgType"}, prices...)
	endLacks := append([]string{
		"Ref", "ClOrdID", "Account", "Instrument", "Side", "Value", "ValueLimit", "Reason", "ScopeID", "ScopeInstrument",
		"ScopeClass", "ScopeType",
	}, massLacks...)
	return []codec{
		answerCodec("ExecutionReport", TemplateExecutionReport, correct),
		answerCodec("OrderCancelReject", TemplateOrderCancelReject, reject, append(prices, "Affected")...),
		answerCodec("OrderMassCancelReport", TemplateOrderMassCancelReport, mass, massLacks...),
		answerCodec("CancelOnDisconnectReport", TemplateCancelOnDisconnectReport, end, endLacks...),
		{
			name: "HopTrace", template: TemplateHopTrace, value: &hop{42, sampleTrace, 501},
			encode: func(dst []byte, v any) []byte {
				h := v.(*hop)
				return AppendHopTrace(dst, h.Session, h.OutSeq, &h.Trace)
			},
			decode: func(m Message) any {
				h := dirty[hop]()
				h.Session, h.OutSeq = m.HopTrace(&h.Trace)
				return h
			},
		},
	}
}

func linkCodecs() []codec {
	return []codec{
		plainCodec(TemplateLinkHello, LinkHello{Instance: 0xA1, Epoch: 12, NextReportSeq: 100, Role: RoleExchange}),
		plainCodec(TemplateLinkHeartbeat, LinkHeartbeat{Time: sampleTime}),
		plainCodec(TemplateSessionLogin, SessionLogin{
			WantOutSeq: 41, LoginID: 77, Session: 501, Client: 11, CancelOnDisconnectMs: 2500,
			Flags: LoginFlagsHopTraces, KeepaliveMs: 15000,
		}),
		plainCodec(TemplateSessionClosed, SessionClosed{Session: 501, Connection: 5, Reason: SessionRejectSilence}),
		plainCodec(TemplateSessionDisconnect,
			SessionDisconnect{Session: 501, Connection: 5, Reason: SessionRejectReplaced}),
		plainCodec(TemplateReportsFrom, ReportsFrom{Epoch: 12, From: 100}),
		plainCodec(TemplateReportsAck, ReportsAck{UpTo: 1024}),
		plainCodec(TemplateVenueState, VenueState{Instance: 0xA1, NextReportSeq: 100, Up: true}),
		plainCodec(TemplateKillFence, KillFence{
			FenceID: 2, Epoch: 12, BelowSeq: 90002, ScopeID: 701, ScopeClass: 801, ScopeType: order.ScopeStrategy,
		}),
		plainCodec(TemplateKillFenceAck, KillFenceAck{FenceID: 2, Epoch: 12}),
		plainCodec(TemplateVenueCancel, VenueCancel{OrigClOrdID: 1007, OrderID: 90001, Session: 501}),
		plainCodec(TemplateAdapterRefusal,
			AdapterRefusal{Seq: 90001, OrderID: 90001, Session: 501, Reason: order.ReasonTokenUsed}),
	}
}

func chainCodecs() []codec {
	check := sampleOrder
	check.Session, check.Connection = 501, 5
	verdict := order.Verdict{
		OrderID: 90001, ClOrdID: 1008, OrigClOrdID: 1007, ValidUntil: sampleTime + 1_000_000_000,
		Price: 4512_25000000, StopPx: order.Null, OrderQty: 3_00000000, DisplayQty: 1_00000000, Group: 201,
		Session: 501, Account: 301, Trader: 401, Instrument: 601, Strategy: 701, MsgType: order.MsgReplaceOrder,
		Side: order.SideSellShort, OrdType: order.OrdTypeLimit, TimeInForce: order.TimeInForceGTC,
		Token: order.Token{Epoch: 12, Seq: 90002, Expiry: sampleTime + 500_000_000},
	}
	order.NewTokenKey([order.TokenKeySize]byte{1, 2, 3}).Sign(&verdict)
	report := order.Report{
		ReportSeq: 101, Seq: 90001, OrderID: 90001, ClOrdID: 1007, ExecID: 31, ExecRefID: 29,
		TransactTime: sampleTime + 4500,
		Price:        4512_25000000, LastPx: 4512_00000000, OrderQty: 3_00000000, LastQty: 1_00000000,
		CumQty: 2_00000000, LeavesQty: 1_00000000, Group: 201, Session: 501, Account: 301, Trader: 401,
		Instrument: 601, Strategy: 701, Reason: order.ReasonVenueTooLate, Kind: order.ReportTradeCancel,
		Side: order.SideBuy,
	}
	price := order.ReferencePrice{
		Time: sampleTime, Price: -37_63000000, Instrument: 601, Source: order.PriceSourceSettlement,
	}
	return []codec{
		tracedCodec("Check", TemplateCheck, check, AppendCheck, Message.Check),
		tracedCodec("Verdict", TemplateVerdict, verdict, AppendVerdict, Message.Verdict),
		tracedCodec("VenueReport", TemplateVenueReport, report, AppendVenueReport, Message.VenueReport),
		{
			name: "ReferencePrice", template: TemplateReferencePrice, value: &price,
			encode: func(dst []byte, v any) []byte { return AppendReferencePrice(dst, v.(*order.ReferencePrice)) },
			decode: func(m Message) any {
				p := dirty[order.ReferencePrice]()
				m.ReferencePrice(p)
				return p
			},
		},
	}
}

// prefixed names the nested structs whose fields carry their struct's name on
// the wire; the fields of all others stand there under their own.
var prefixed = map[string]bool{"Token": true, "Trace": true, "Scope": true}

// renamed names the fields that have another name on the wire. Limit has one
// because decoders for Java have a method limit already.
var renamed = map[string]string{"Limit": "ValueLimit"}

// leaf is one field of a value: its name on the wire and the place it is in.
type leaf struct {
	name  string
	value reflect.Value
}

// leaves returns the fields of a struct, nested ones taken apart.
func leaves(v reflect.Value, prefix string) []leaf {
	var out []leaf
	for i := range v.NumField() {
		name := v.Type().Field(i).Name
		switch {
		case v.Field(i).Kind() != reflect.Struct:
			if other, ok := renamed[name]; ok {
				name = other
			}
			out = append(out, leaf{prefix + name, v.Field(i)})
		case prefixed[name]:
			out = append(out, leaves(v.Field(i), prefix+name)...)
		default:
			out = append(out, leaves(v.Field(i), prefix)...)
		}
	}
	return out
}

// text writes a field's value as both decoders print it: numbers in decimal
// (unsigned 64-bit ones as signed), byte arrays in hexadecimal.
func (l leaf) text() string {
	switch l.value.Kind() {
	case reflect.Array:
		b := make([]byte, l.value.Len())
		reflect.Copy(reflect.ValueOf(b), l.value)
		return hex.EncodeToString(b)
	case reflect.Bool:
		if l.value.Bool() {
			return "1"
		}
		return "0"
	case reflect.Int64:
		return strconv.FormatInt(l.value.Int(), 10)
	}
	return strconv.FormatInt(int64(l.value.Uint()), 10)
}

// dump maps the wire names of a value's fields to their text.
func dump(v any) map[string]string {
	out := map[string]string{}
	for _, l := range leaves(reflect.ValueOf(v).Elem(), "") {
		out[l.name] = l.text()
	}
	return out
}

// randomize gives every field of a value a random one, never its zero value,
// except those that say which message it is and those the message lacks, which
// become zero.
func (c *codec) randomize(rng *rand.Rand) any {
	v := reflect.New(reflect.TypeOf(c.value).Elem())
	v.Elem().Set(reflect.ValueOf(c.value).Elem())
	for _, l := range leaves(v.Elem(), "") {
		if l.name != "Kind" && (l.name != "MsgType" || !strings.HasSuffix(v.Type().String(), "order.Request")) {
			l.randomize(rng)
		}
		for _, name := range c.lacks {
			if l.name == name {
				l.value.SetZero()
			}
		}
	}
	return v.Interface()
}

func (l leaf) randomize(rng *rand.Rand) {
	x := rng.Uint64() | 1
	switch l.value.Kind() {
	case reflect.Array:
		for i := range l.value.Len() {
			l.value.Index(i).SetUint(rng.Uint64N(256))
		}
	case reflect.Bool:
		l.value.SetBool(true)
	case reflect.Int64:
		l.value.SetInt(int64(x))
	default:
		l.value.SetUint(x & (1<<l.value.Type().Bits() - 1))
	}
}

// newRandom returns a generator with a seed of its own.
func newRandom(t *testing.T) *rand.Rand {
	t.Helper()
	return rand.New(rand.NewPCG(testseed.New(t), 0))
}

// parseWhole parses the one frame a buffer must hold.
func parseWhole(p *Parser, buf []byte) (Message, error) {
	f, n, err := Split(buf)
	if err != nil {
		return Message{}, err
	}
	if n != len(buf) {
		return Message{}, fmt.Errorf("Split took %d of %d bytes", n, len(buf))
	}
	return p.Parse(f)
}
