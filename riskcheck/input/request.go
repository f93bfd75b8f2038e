package input

import (
	"encoding/binary"

	"tollgate/order"
)

// version is the first byte of every payload.
const version = 1

// RequestBytes is the size of a request: room for it can be reserved.
const RequestBytes = 112

// AppendRequest appends the payload of a KindRequest. It does not allocate if b
// has room for RequestBytes.
func AppendRequest(b []byte, r *order.Request) []byte {
	b = append(b, make([]byte, RequestBytes)...)
	p, put := (*[RequestBytes]byte)(b[len(b)-RequestBytes:]), binary.LittleEndian
	p[0] = version
	p[1], p[2], p[3], p[4] = byte(r.MsgType), byte(r.Side), byte(r.OrdType), byte(r.TimeInForce)
	put.PutUint16(p[6:], r.BasketLegs)
	put.PutUint64(p[8:], r.Ref)
	put.PutUint64(p[16:], uint64(r.ClOrdID))
	put.PutUint64(p[24:], uint64(r.OrigClOrdID))
	put.PutUint64(p[32:], uint64(r.ValidUntil))
	put.PutUint64(p[40:], uint64(r.SendingTime))
	put.PutUint64(p[48:], uint64(r.Price))
	put.PutUint64(p[56:], uint64(r.StopPx))
	put.PutUint64(p[64:], uint64(r.OrderQty))
	put.PutUint64(p[72:], uint64(r.DisplayQty))
	put.PutUint64(p[80:], uint64(r.Basket))
	put.PutUint32(p[88:], uint32(r.Session))
	put.PutUint32(p[92:], uint32(r.Connection))
	put.PutUint32(p[96:], uint32(r.Account))
	put.PutUint32(p[100:], uint32(r.Trader))
	put.PutUint32(p[104:], uint32(r.Instrument))
	put.PutUint32(p[108:], uint32(r.Strategy))
	return b
}

// decodeRequest reads the payload of a KindRequest.
func decodeRequest(r *order.Request, payload []byte) error {
	if len(payload) != RequestBytes {
		return wrongLength(KindRequest, len(payload), RequestBytes)
	}
	p, get := (*[RequestBytes]byte)(payload), binary.LittleEndian
	switch {
	case p[0] != version:
		return wrongVersion(KindRequest, p[0])
	case p[5] != 0:
		return wrongPadding(KindRequest, 5)
	}
	r.MsgType, r.Side = order.MsgType(p[1]), order.Side(p[2])
	r.OrdType, r.TimeInForce = order.OrdType(p[3]), order.TimeInForce(p[4])
	r.BasketLegs = get.Uint16(p[6:])
	r.Ref = get.Uint64(p[8:])
	r.ClOrdID = order.ClOrdID(get.Uint64(p[16:]))
	r.OrigClOrdID = order.ClOrdID(get.Uint64(p[24:]))
	r.ValidUntil = int64(get.Uint64(p[32:]))
	r.SendingTime = int64(get.Uint64(p[40:]))
	r.Price = order.Price(get.Uint64(p[48:]))
	r.StopPx = order.Price(get.Uint64(p[56:]))
	r.OrderQty = order.Qty(get.Uint64(p[64:]))
	r.DisplayQty = order.Qty(get.Uint64(p[72:]))
	r.Basket = order.BasketID(get.Uint64(p[80:]))
	r.Session = order.SessionID(get.Uint32(p[88:]))
	r.Connection = order.ConnectionID(get.Uint32(p[92:]))
	r.Account = order.AccountID(get.Uint32(p[96:]))
	r.Trader = order.TraderID(get.Uint32(p[100:]))
	r.Instrument = order.InstrumentID(get.Uint32(p[104:]))
	r.Strategy = order.StrategyID(get.Uint32(p[108:]))
	return nil
}
