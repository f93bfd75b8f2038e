package input

import (
	"encoding/binary"

	"tollgate/order"
	"tollgate/riskcheck"
)

// Sizes of the rows of reference data, without the accounts they list.
const (
	accountBytes    = 16
	traderBytes     = 8
	sessionBytes    = 12
	instrumentBytes = 124
)

// Bits of the properties of an instrument.
const (
	bitTradable = 1 << iota
	bitAllowZeroPrice
	bitAllowNegativePrice
	bitAllowDisplayQty
	bitReplaceOpenQty

	bitsKnown = 1<<iota - 1
)

// AppendReference appends the payload of a KindReference: 16 bytes for each
// account, 124 for each instrument, 4 for each account that a trader or a session
// lists. With very many accounts it is longer than other records by far.
func AppendReference(b []byte, by By, ref *riskcheck.Reference) []byte {
	put := binary.LittleEndian
	b = put.AppendUint32(appendBy(b, by), uint32(ref.Firm.ID))
	b = append(b, ref.Firm.Currency[:]...)
	b = put.AppendUint64(b, uint64(ref.Firm.FxMaxAgeNs))
	b = put.AppendUint32(b, uint32(len(ref.Groups)))
	for _, g := range ref.Groups {
		b = put.AppendUint32(b, uint32(g.ID))
	}
	b = put.AppendUint32(b, uint32(len(ref.Accounts)))
	for i := range ref.Accounts {
		b = appendAccount(b, &ref.Accounts[i])
	}
	b = put.AppendUint32(b, uint32(len(ref.Traders)))
	for _, t := range ref.Traders {
		b = appendList(put.AppendUint32(b, uint32(t.ID)), t.Accounts)
	}
	b = put.AppendUint32(b, uint32(len(ref.Sessions)))
	for _, s := range ref.Sessions {
		b = put.AppendUint32(b, uint32(s.ID))
		b = appendList(put.AppendUint32(b, s.Client), s.Accounts)
	}
	b = put.AppendUint32(b, uint32(len(ref.Strategies)))
	for _, s := range ref.Strategies {
		b = put.AppendUint32(b, uint32(s.ID))
	}
	b = put.AppendUint32(b, uint32(len(ref.Classes)))
	for _, c := range ref.Classes {
		b = put.AppendUint32(b, uint32(c.ID))
	}
	b = put.AppendUint32(b, uint32(len(ref.Instruments)))
	for i := range ref.Instruments {
		b = appendInstrument(b, &ref.Instruments[i])
	}
	return b
}

func appendAccount(b []byte, a *riskcheck.Account) []byte {
	b = binary.LittleEndian.AppendUint32(b, uint32(a.ID))
	b = binary.LittleEndian.AppendUint32(b, uint32(a.Group))
	b = append(b, a.Currency[:]...)
	return binary.LittleEndian.AppendUint32(b, uint32(a.SelfMatch))
}

func appendInstrument(b []byte, in *riskcheck.Instrument) []byte {
	b = binary.LittleEndian.AppendUint32(b, uint32(in.ID))
	b = append(b, in.Currency[:]...)
	b = binary.LittleEndian.AppendUint32(b, uint32(in.Class))
	b = binary.LittleEndian.AppendUint32(b, uint32(in.Calendar))
	for _, v := range [...]int64{
		int64(in.Tick), int64(in.Lot), int64(in.MinQty), int64(in.MaxQty), int64(in.Multiplier), int64(in.Settlement),
		int64(in.LowLimit), int64(in.HighLimit), in.ReferenceMaxAgeNs, int64(in.AverageDailyVolume),
		int64(in.Outstanding), in.MarginBps, in.FeeBps,
	} {
		b = binary.LittleEndian.AppendUint64(b, uint64(v))
	}
	return append(b, byte(in.OrdTypes), byte(in.TimesInForce), byte(in.Sides), propertiesOf(in))
}

// propertiesOf returns the properties of an instrument that it has or has not.
func propertiesOf(in *riskcheck.Instrument) (bits byte) {
	for i, has := range [...]bool{
		in.Tradable, in.AllowZeroPrice, in.AllowNegativePrice, in.AllowDisplayQty, in.ReplaceOpenQty,
	} {
		if has {
			bits |= 1 << i
		}
	}
	return bits
}

// decodeReference makes new reference data: nothing of the last is used again,
// since an engine keeps what it is given.
func (in *Input) decodeReference(r *reader) {
	ref := riskcheck.Reference{Firm: riskcheck.Firm{
		ID: order.FirmID(r.uint32()), Currency: r.currency(), FxMaxAgeNs: r.int64(),
	}}
	ref.Groups = rowsOf(r, 4, func() riskcheck.Group { return riskcheck.Group{ID: order.GroupID(r.uint32())} })
	ref.Accounts = rowsOf(r, accountBytes, r.account)
	ref.Traders = rowsOf(r, traderBytes, func() riskcheck.Trader {
		return riskcheck.Trader{ID: order.TraderID(r.uint32()), Accounts: list[order.AccountID](r)}
	})
	ref.Sessions = rowsOf(r, sessionBytes, func() riskcheck.Session {
		return riskcheck.Session{
			ID: order.SessionID(r.uint32()), Client: r.uint32(), Accounts: list[order.AccountID](r),
		}
	})
	ref.Strategies = rowsOf(r, 4, func() riskcheck.Strategy {
		return riskcheck.Strategy{ID: order.StrategyID(r.uint32())}
	})
	ref.Classes = rowsOf(r, 4, func() riskcheck.Class { return riskcheck.Class{ID: order.ClassID(r.uint32())} })
	ref.Instruments = rowsOf(r, instrumentBytes, r.instrument)
	in.Reference = ref
}

// rowsOf reads rows of at least rowBytes, nil for none.
func rowsOf[T any](r *reader, rowBytes int, row func() T) []T {
	n := r.rows(rowBytes)
	if n == 0 {
		return nil
	}
	out := make([]T, n)
	for i := range out {
		out[i] = row()
	}
	return out
}

func (r *reader) account() riskcheck.Account {
	return riskcheck.Account{
		ID: order.AccountID(r.uint32()), Group: order.GroupID(r.uint32()), Currency: r.currency(),
		SelfMatch: order.SelfMatchID(r.uint32()),
	}
}

func (r *reader) instrument() riskcheck.Instrument {
	in := riskcheck.Instrument{
		ID: order.InstrumentID(r.uint32()), Currency: r.currency(), Class: order.ClassID(r.uint32()),
		Calendar: order.CalendarID(r.uint32()), Tick: order.Price(r.int64()), Lot: order.Qty(r.int64()),
		MinQty: order.Qty(r.int64()), MaxQty: order.Qty(r.int64()), Multiplier: order.Multiplier(r.int64()),
		Settlement: order.Price(r.int64()), LowLimit: order.Price(r.int64()), HighLimit: order.Price(r.int64()),
		ReferenceMaxAgeNs: r.int64(), AverageDailyVolume: order.Qty(r.int64()), Outstanding: order.Qty(r.int64()),
		MarginBps: r.int64(), FeeBps: r.int64(), OrdTypes: riskcheck.OrdTypes(r.byte()),
		TimesInForce: riskcheck.TimesInForce(r.byte()), Sides: riskcheck.Sides(r.byte()),
	}
	bits := r.flags(bitsKnown)
	in.Tradable, in.AllowZeroPrice = bits&bitTradable != 0, bits&bitAllowZeroPrice != 0
	in.AllowNegativePrice, in.AllowDisplayQty = bits&bitAllowNegativePrice != 0, bits&bitAllowDisplayQty != 0
	in.ReplaceOpenQty = bits&bitReplaceOpenQty != 0
	return in
}
