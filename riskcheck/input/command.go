package input

import (
	"encoding/binary"

	"tollgate/order"
	"tollgate/riskcheck"
)

// By says who asked for an input that comes from people, and why. The engine does
// not look at it. Either may be empty; each is cut at 1,024 bytes.
type By struct {
	Author string
	Reason string
}

// appendBy begins the payload of an input that comes from people.
func appendBy(b []byte, by By) []byte {
	b = append(b, version)
	b = appendText(b, by.Author)
	return appendText(b, by.Reason)
}

func appendText(b []byte, s string) []byte {
	s = s[:min(len(s), textBytesMax)]
	b = binary.LittleEndian.AppendUint16(b, uint16(len(s)))
	return append(b, s...)
}

func appendScope(b []byte, s order.Scope) []byte {
	b = append(b, byte(s.Type))
	b = binary.LittleEndian.AppendUint32(b, s.ID)
	b = binary.LittleEndian.AppendUint32(b, uint32(s.Instrument))
	return binary.LittleEndian.AppendUint32(b, uint32(s.Class))
}

func (r *reader) scope() order.Scope {
	return order.Scope{
		Type: order.ScopeType(r.byte()), ID: r.uint32(), Instrument: order.InstrumentID(r.uint32()),
		Class: order.ClassID(r.uint32()),
	}
}

// AppendKill appends the payload of a KindKill.
func AppendKill(b []byte, by By, scope order.Scope) []byte {
	return appendScope(appendBy(b, by), scope)
}

// AppendUnkill appends the payload of a KindUnkill.
func AppendUnkill(b []byte, by By, scope order.Scope) []byte {
	return appendScope(appendBy(b, by), scope)
}

// AppendRelease appends the payload of a KindRelease.
func AppendRelease(b []byte, by By, scope order.Scope, latch riskcheck.Latch) []byte {
	return append(appendScope(appendBy(b, by), scope), byte(latch))
}

func (in *Input) decodeRelease(r *reader) {
	in.Scope = r.scope()
	in.Latch = riskcheck.Latch(r.byte())
}

// AppendCash appends the payload of a KindCash.
func AppendCash(b []byte, by By, account order.AccountID, cash order.Money) []byte {
	b = binary.LittleEndian.AppendUint32(appendBy(b, by), uint32(account))
	return binary.LittleEndian.AppendUint64(b, uint64(cash))
}

func (in *Input) decodeCash(r *reader) {
	in.Account = order.AccountID(r.uint32())
	in.Cash = order.Money(r.uint64())
}

// AppendPosition appends the payload of a KindPosition.
func AppendPosition(b []byte, by By, account order.AccountID, instrument order.InstrumentID, qty order.Qty) []byte {
	b = binary.LittleEndian.AppendUint32(appendBy(b, by), uint32(account))
	b = binary.LittleEndian.AppendUint32(b, uint32(instrument))
	return binary.LittleEndian.AppendUint64(b, uint64(qty))
}

// AppendLocate appends the payload of a KindLocate.
func AppendLocate(b []byte, by By, account order.AccountID, instrument order.InstrumentID, qty order.Qty) []byte {
	return AppendPosition(b, by, account, instrument, qty)
}

// decodePosition reads a position or a locate.
func (in *Input) decodePosition(r *reader) {
	in.Account = order.AccountID(r.uint32())
	in.Instrument = order.InstrumentID(r.uint32())
	in.Qty = order.Qty(r.uint64())
}

// AppendFxRate appends the payload of a KindFxRate; seenNs is in ns since 1970
// UTC.
func AppendFxRate(b []byte, by By, currency riskcheck.Currency, rate order.FxRate, seenNs int64) []byte {
	b = append(appendBy(b, by), currency[:]...)
	b = binary.LittleEndian.AppendUint64(b, uint64(rate))
	return binary.LittleEndian.AppendUint64(b, uint64(seenNs))
}

func (in *Input) decodeFxRate(r *reader) {
	in.Currency = r.currency()
	in.Rate = order.FxRate(r.uint64())
	in.SeenNs = r.int64()
}

func (r *reader) currency() (c riskcheck.Currency) {
	copy(c[:], r.take(len(c)))
	return c
}

// AppendMarketState appends the payload of a KindMarketState.
func AppendMarketState(b []byte, by By, instrument order.InstrumentID, state order.MarketState, shortRestricted bool,
) []byte {
	b = binary.LittleEndian.AppendUint32(appendBy(b, by), uint32(instrument))
	return appendBool(append(b, byte(state)), shortRestricted)
}

func (in *Input) decodeMarketState(r *reader) {
	in.Instrument = order.InstrumentID(r.uint32())
	in.Market = order.MarketState(r.byte())
	in.ShortRestricted = r.flags(1) != 0
}

// AppendRollDay appends the payload of a KindRollDay.
func AppendRollDay(b []byte, by By, day uint32) []byte {
	return binary.LittleEndian.AppendUint32(appendBy(b, by), day)
}

// AppendRollCalendar appends the payload of a KindRollCalendar.
func AppendRollCalendar(b []byte, by By, calendar order.CalendarID, day uint32) []byte {
	b = binary.LittleEndian.AppendUint32(appendBy(b, by), uint32(calendar))
	return binary.LittleEndian.AppendUint32(b, day)
}

func (in *Input) decodeRollCalendar(r *reader) {
	in.Calendar = order.CalendarID(r.uint32())
	in.Day = r.uint32()
}
