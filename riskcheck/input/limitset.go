package input

import (
	"encoding/binary"

	"tollgate/riskcheck"
)

// limitBytes is the size of one limit.
const limitBytes = 41

// AppendLimits appends the payload of a KindLimits: 41 bytes for each limit, and
// at most 2,057 more.
func AppendLimits(b []byte, by By, set *riskcheck.LimitSet) []byte {
	put := binary.LittleEndian
	b = put.AppendUint32(appendBy(b, by), uint32(len(set.Entries)))
	for i := range set.Entries {
		l := &set.Entries[i]
		b = append(b, byte(l.Kind), l.Watch, l.Warn, byte(l.Act))
		b = appendScope(b, l.Scope)
		b = put.AppendUint64(b, uint64(l.Value))
		b = put.AppendUint64(b, uint64(l.Until))
		b = put.AppendUint64(b, uint64(l.Then))
	}
	return b
}

// decodeLimits makes a new set: nothing of the last one is used again.
func (in *Input) decodeLimits(r *reader) {
	in.Limits = riskcheck.LimitSet{}
	n := r.rows(limitBytes)
	if n == 0 {
		return
	}
	in.Limits.Entries = make([]riskcheck.LimitEntry, n)
	for i := range in.Limits.Entries {
		in.Limits.Entries[i] = riskcheck.LimitEntry{
			Kind: riskcheck.LimitKind(r.byte()), Watch: r.byte(), Warn: r.byte(), Act: riskcheck.LimitAct(r.byte()),
			Scope: r.scope(), Value: r.int64(), Until: r.int64(), Then: r.int64(),
		}
	}
}
