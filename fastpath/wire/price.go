package wire

import "tollgate/order"

// AppendReferencePrice appends a ReferencePrice frame.
func AppendReferencePrice(dst []byte, p *order.ReferencePrice) []byte {
	dst, v := appendReferencePriceView(dst)
	v.SetTime(p.Time)
	v.SetPrice(int64(p.Price))
	v.SetInstrument(uint32(p.Instrument))
	v.SetSource(uint8(p.Source))
	return dst
}

// ReferencePrice decodes a ReferencePrice. The caller has seen m.Template to be
// TemplateReferencePrice.
func (m Message) ReferencePrice(p *order.ReferencePrice) {
	v := (*referencePriceView)(m.Block)
	*p = order.ReferencePrice{
		Time:       v.Time(),
		Price:      order.Price(v.Price()),
		Instrument: order.InstrumentID(v.Instrument()),
		Source:     order.PriceSource(v.Source()),
	}
}
