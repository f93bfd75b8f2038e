package input

import (
	"encoding/binary"

	"tollgate/order"
	"tollgate/riskcheck"
)

// What comes with time, over connections and from the venue: fixed sizes, no
// allocation if there is room.

// AppendPrice appends the payload of a KindPrice.
func AppendPrice(b []byte, p *order.ReferencePrice) []byte {
	put := binary.LittleEndian
	b = append(b, version, byte(p.Source))
	b = put.AppendUint32(b, uint32(p.Instrument))
	b = put.AppendUint64(b, uint64(p.Price))
	return put.AppendUint64(b, uint64(p.Time))
}

func (in *Input) decodePrice(r *reader) {
	in.Price.Source = order.PriceSource(r.byte())
	in.Price.Instrument = order.InstrumentID(r.uint32())
	in.Price.Price = order.Price(r.uint64())
	in.Price.Time = r.int64()
}

// AppendTick appends the payload of a KindTick.
func AppendTick(b []byte) []byte { return append(b, version) }

// AppendLogin appends the payload of a KindLogin.
func AppendLogin(b []byte, l *riskcheck.Login) []byte {
	put := binary.LittleEndian
	b = append(b, version)
	b = put.AppendUint32(b, uint32(l.Session))
	b = put.AppendUint32(b, l.Client)
	b = put.AppendUint64(b, l.WantOutSeq)
	return put.AppendUint64(b, uint64(l.CancelOnDisconnectNs))
}

func (in *Input) decodeLogin(r *reader) {
	in.Login.Session = order.SessionID(r.uint32())
	in.Login.Client = r.uint32()
	in.Login.WantOutSeq = r.uint64()
	in.Login.CancelOnDisconnectNs = r.int64()
}

// AppendDisconnected appends the payload of a KindDisconnected.
func AppendDisconnected(b []byte, session order.SessionID, connection order.ConnectionID) []byte {
	b = append(b, version)
	b = binary.LittleEndian.AppendUint32(b, uint32(session))
	return binary.LittleEndian.AppendUint32(b, uint32(connection))
}

func (in *Input) decodeDisconnected(r *reader) {
	in.Session = order.SessionID(r.uint32())
	in.Connection = order.ConnectionID(r.uint32())
}

// AppendAckAnswers appends the payload of a KindAckAnswers.
func AppendAckAnswers(b []byte, session order.SessionID, outSeq uint64) []byte {
	b = append(b, version)
	b = binary.LittleEndian.AppendUint32(b, uint32(session))
	return binary.LittleEndian.AppendUint64(b, outSeq)
}

func (in *Input) decodeAckAnswers(r *reader) {
	in.Session = order.SessionID(r.uint32())
	in.OutSeq = r.uint64()
}

// AppendVenueUp appends the payload of a KindVenueUp.
func AppendVenueUp(b []byte, instance, nextReport uint64) []byte {
	b = append(b, version)
	b = binary.LittleEndian.AppendUint64(b, instance)
	return binary.LittleEndian.AppendUint64(b, nextReport)
}

func (in *Input) decodeVenueUp(r *reader) {
	in.Instance = r.uint64()
	in.NextReport = r.uint64()
}

// AppendVenueDown appends the payload of a KindVenueDown.
func AppendVenueDown(b []byte) []byte { return append(b, version) }

// AppendStart appends the payload of a KindStart: the epoch that begins, and the sizes
// of the engine's tables in it.
func AppendStart(b []byte, epoch uint64, sizes *riskcheck.Sizes) []byte {
	b = binary.LittleEndian.AppendUint64(append(b, version), epoch)
	for _, size := range sizes {
		b = binary.LittleEndian.AppendUint64(b, uint64(size))
	}
	return b
}

func (in *Input) decodeStart(r *reader) {
	in.Epoch = r.uint64()
	for i := range in.Sizes {
		in.Sizes[i] = int64(r.uint64())
	}
}
