package input

import (
	"encoding/binary"

	"tollgate/order"
)

// ReportBytes is the size of a report: room for it can be reserved.
const ReportBytes = 136

// AppendReport appends the payload of a KindReport. It does not allocate if b has
// room for ReportBytes.
func AppendReport(b []byte, r *order.Report) []byte {
	b = append(b, make([]byte, ReportBytes)...)
	p, put := (*[ReportBytes]byte)(b[len(b)-ReportBytes:]), binary.LittleEndian
	p[0], p[1], p[2] = version, byte(r.Kind), byte(r.Side)
	put.PutUint16(p[4:], uint16(r.Reason))
	put.PutUint64(p[8:], r.ReportSeq)
	put.PutUint64(p[16:], r.Seq)
	put.PutUint64(p[24:], uint64(r.OrderID))
	put.PutUint64(p[32:], uint64(r.ClOrdID))
	put.PutUint64(p[40:], uint64(r.ExecID))
	put.PutUint64(p[48:], uint64(r.ExecRefID))
	put.PutUint64(p[56:], uint64(r.TransactTime))
	put.PutUint64(p[64:], uint64(r.Price))
	put.PutUint64(p[72:], uint64(r.LastPx))
	put.PutUint64(p[80:], uint64(r.OrderQty))
	put.PutUint64(p[88:], uint64(r.LastQty))
	put.PutUint64(p[96:], uint64(r.CumQty))
	put.PutUint64(p[104:], uint64(r.LeavesQty))
	put.PutUint32(p[112:], uint32(r.Group))
	put.PutUint32(p[116:], uint32(r.Session))
	put.PutUint32(p[120:], uint32(r.Account))
	put.PutUint32(p[124:], uint32(r.Trader))
	put.PutUint32(p[128:], uint32(r.Instrument))
	put.PutUint32(p[132:], uint32(r.Strategy))
	return b
}

// decodeReport reads the payload of a KindReport.
func decodeReport(r *order.Report, payload []byte) error {
	if len(payload) != ReportBytes {
		return wrongLength(KindReport, len(payload), ReportBytes)
	}
	p, get := (*[ReportBytes]byte)(payload), binary.LittleEndian
	switch {
	case p[0] != version:
		return wrongVersion(KindReport, p[0])
	case p[3] != 0:
		return wrongPadding(KindReport, 3)
	case p[6]|p[7] != 0:
		return wrongPadding(KindReport, 6)
	}
	r.Kind, r.Side = order.ReportKind(p[1]), order.Side(p[2])
	r.Reason = order.Reason(get.Uint16(p[4:]))
	r.ReportSeq = get.Uint64(p[8:])
	r.Seq = get.Uint64(p[16:])
	r.OrderID = order.OrderID(get.Uint64(p[24:]))
	r.ClOrdID = order.ClOrdID(get.Uint64(p[32:]))
	r.ExecID = order.ExecID(get.Uint64(p[40:]))
	r.ExecRefID = order.ExecID(get.Uint64(p[48:]))
	r.TransactTime = int64(get.Uint64(p[56:]))
	r.Price = order.Price(get.Uint64(p[64:]))
	r.LastPx = order.Price(get.Uint64(p[72:]))
	r.OrderQty = order.Qty(get.Uint64(p[80:]))
	r.LastQty = order.Qty(get.Uint64(p[88:]))
	r.CumQty = order.Qty(get.Uint64(p[96:]))
	r.LeavesQty = order.Qty(get.Uint64(p[104:]))
	r.Group = order.GroupID(get.Uint32(p[112:]))
	r.Session = order.SessionID(get.Uint32(p[116:]))
	r.Account = order.AccountID(get.Uint32(p[120:]))
	r.Trader = order.TraderID(get.Uint32(p[124:]))
	r.Instrument = order.InstrumentID(get.Uint32(p[128:]))
	r.Strategy = order.StrategyID(get.Uint32(p[132:]))
	return nil
}
