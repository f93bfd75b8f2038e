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
	h := newSip(k)
	h.word(uint64(v.OrderID))
	h.word(uint64(v.ClOrdID))
	h.word(uint64(v.OrigClOrdID))
	h.word(uint64(v.ValidUntil))
	h.word(uint64(v.Price))
	h.word(uint64(v.StopPx))
	h.word(uint64(v.OrderQty))
	h.word(uint64(v.DisplayQty))
	h.word(uint64(v.Group)<<32 | uint64(v.Session))
	h.word(uint64(v.Account)<<32 | uint64(v.Trader))
	h.word(uint64(v.Instrument)<<32 |
		uint64(v.MsgType)<<24 | uint64(v.Side)<<16 | uint64(v.OrdType)<<8 | uint64(v.TimeInForce))
	return h.sum(11 * 8)
}

func (k TokenKey) mac(t *Token) uint64 {
	h := newSip(k)
	h.word(t.Epoch)
	h.word(t.Seq)
	h.word(t.OrderHash)
	h.word(uint64(t.Expiry))
	return h.sum(4 * 8)
}

// sip is SipHash-2-4 (Aumasson, Bernstein 2012) over whole 64-bit words.
type sip struct{ v0, v1, v2, v3 uint64 }

func newSip(k TokenKey) sip {
	return sip{
		v0: k.k0 ^ 0x736f6d6570736575,
		v1: k.k1 ^ 0x646f72616e646f6d,
		v2: k.k0 ^ 0x6c7967656e657261,
		v3: k.k1 ^ 0x7465646279746573,
	}
}

func (s *sip) word(m uint64) {
	s.v3 ^= m
	s.round()
	s.round()
	s.v0 ^= m
}

// sum ends a message of n bytes, n a multiple of eight.
func (s *sip) sum(n uint64) uint64 {
	s.word(n << 56)
	s.v2 ^= 0xff
	s.round()
	s.round()
	s.round()
	s.round()
	return s.v0 ^ s.v1 ^ s.v2 ^ s.v3
}

func (s *sip) round() {
	s.v0 += s.v1
	s.v1 = bits.RotateLeft64(s.v1, 13)
	s.v1 ^= s.v0
	s.v0 = bits.RotateLeft64(s.v0, 32)
	s.v2 += s.v3
	s.v3 = bits.RotateLeft64(s.v3, 16)
	s.v3 ^= s.v2
	s.v0 += s.v3
	s.v3 = bits.RotateLeft64(s.v3, 21)
	s.v3 ^= s.v0
	s.v2 += s.v1
	s.v1 = bits.RotateLeft64(s.v1, 17)
	s.v1 ^= s.v2
	s.v2 = bits.RotateLeft64(s.v2, 32)
}
