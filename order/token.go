package order

import (
	"encoding/binary"
	"math/bits"
)

// Token proves that the engine of an epoch accepted exactly one order. The
// adapter checks it just before the venue: an order whose token is missing,
// altered, used, expired or of another epoch is refused.
type Token struct {
	Epoch     uint64 // the engine's incarnation
	Seq       uint64 // engine sequence of the accepted request; used once
	OrderHash uint64 // keyed hash of every field the venue will see
	Expiry    int64  // ns since 1970 UTC
	MAC       uint64 // over the four fields above
}

// TokenKey is the secret that engine and adapter share. It never leaves them.
type TokenKey struct{ k0, k1 uint64 }

// TokenKeySize is the length of a key in bytes.
const TokenKeySize = 16

// NewTokenKey takes a key of TokenKeySize random bytes.
func NewTokenKey(b [TokenKeySize]byte) TokenKey {
	return TokenKey{binary.LittleEndian.Uint64(b[:8]), binary.LittleEndian.Uint64(b[8:])}
}

// Sign fills in the token of an accepted order: v.Token must hold Epoch, Seq
// and Expiry, all other fields of v must be final.
func (k TokenKey) Sign(v *Verdict) {
	v.Token.OrderHash = k.orderHash(v)
	v.Token.MAC = k.mac(&v.Token)
}

// Verify returns ReasonNone if token and order are what an engine with this key
// signed, ReasonTokenMissing if there is no token at all, and
// ReasonTokenAltered otherwise. Epoch, expiry and single use are the caller's
// to check: they need state.
func (k TokenKey) Verify(v *Verdict) Reason {
	if v.Token == (Token{}) {
		return ReasonTokenMissing
	}
	if v.Token.MAC != k.mac(&v.Token) || v.Token.OrderHash != k.orderHash(v) {
		return ReasonTokenAltered
	}
	return ReasonNone
}

// orderHash covers everything in v but the token.
func (k TokenKey) orderHash(v *Verdict) uint64 {
	return k.hash(&[...]uint64{
		uint64(v.OrderID),
		uint64(v.ClOrdID),
		uint64(v.OrigClOrdID),
		uint64(v.ValidUntil),
		uint64(v.Price),
		uint64(v.StopPx),
		uint64(v.OrderQty),
		uint64(v.DisplayQty),
		uint64(v.Group)<<32 | uint64(v.Session),
		uint64(v.Account)<<32 | uint64(v.Trader),
		uint64(v.Instrument)<<32 |
			uint64(v.MsgType)<<24 | uint64(v.Side)<<16 | uint64(v.OrdType)<<8 | uint64(v.TimeInForce),
		uint64(v.Strategy),
	}, orderWords)
}

// orderWords and tokenWords are the lengths of what is hashed.
const (
	orderWords = 12
	tokenWords = 4
)

func (k TokenKey) mac(t *Token) uint64 {
	return k.hash(&[orderWords]uint64{t.Epoch, t.Seq, t.OrderHash, uint64(t.Expiry)}, tokenWords)
}

// hash is SipHash-2-4 (Aumasson, Bernstein 2012) over the first n words. The
// state lives in local variables: calls for its rounds would cost more than the
// rounds.
func (k TokenKey) hash(words *[orderWords]uint64, n int) uint64 {
	v0, v1 := k.k0^0x736f6d6570736575, k.k1^0x646f72616e646f6d
	v2, v3 := k.k0^0x6c7967656e657261, k.k1^0x7465646279746573
	for i := 0; i <= n; i++ {
		m := uint64(n*8) << 56
		if i < n {
			m = words[i]
		}
		v3 ^= m
		for range 2 {
			v0, v1, v2, v3 = sipRound(v0, v1, v2, v3)
		}
		v0 ^= m
	}
	v2 ^= 0xff
	for range 4 {
		v0, v1, v2, v3 = sipRound(v0, v1, v2, v3)
	}
	return v0 ^ v1 ^ v2 ^ v3
}

// sipRound is one round of SipHash.
func sipRound(v0, v1, v2, v3 uint64) (uint64, uint64, uint64, uint64) {
	v0 += v1
	v1 = bits.RotateLeft64(v1, 13) ^ v0
	v0 = bits.RotateLeft64(v0, 32)
	v2 += v3
	v3 = bits.RotateLeft64(v3, 16) ^ v2
	v0 += v3
	v3 = bits.RotateLeft64(v3, 21) ^ v0
	v2 += v1
	v1 = bits.RotateLeft64(v1, 17) ^ v2
	return v0, v1, bits.RotateLeft64(v2, 32), v3
}
