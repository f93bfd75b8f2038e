package order

import (
	"encoding/binary"
	"reflect"
	"testing"
)

// sipVectors are outputs of SipHash-2-4 published with the algorithm: key
// 00..0f, message 00, 01, 02, ... of the given length.
var sipVectors = map[int]uint64{
	0:  0x726fdb47dd0e0e31,
	8:  0x93f5f5799a932462,
	16: 0x3f2acc7f57c29bdb,
}

func testKey() TokenKey {
	var b [TokenKeySize]byte
	for i := range b {
		b[i] = byte(i)
	}
	return NewTokenKey(b)
}

func TestSipHashVectors(t *testing.T) {
	for n, want := range sipVectors {
		var bytes [orderWords * 8]byte
		for i := range n {
			bytes[i] = byte(i)
		}
		var words [orderWords]uint64
		for i := range words {
			words[i] = binary.LittleEndian.Uint64(bytes[i*8:])
		}
		if got := testKey().hash(&words, n/8); got != want {
			t.Errorf("message of %d bytes: %#x, want %#x", n, got, want)
		}
	}
}

func signed(k TokenKey) Verdict {
	v := Verdict{
		Token:   Token{Epoch: 3, Seq: 77, Expiry: 1_700_000_000_000_000_000},
		OrderID: 77, ClOrdID: 5, OrigClOrdID: 4, ValidUntil: 9, Price: 100, StopPx: Null, OrderQty: 10, DisplayQty: 1,
		Group: 1, Session: 2, Account: 3, Trader: 4, Instrument: 5, Strategy: 6,
		MsgType: MsgNewOrder, Side: SideBuy, OrdType: OrdTypeLimit, TimeInForce: TimeInForceDay,
	}
	k.Sign(&v)
	return v
}

// TestTokenCoversEveryField changes each field of a signed verdict, one bit at a
// time, and expects the token not to hold any more.
func TestTokenCoversEveryField(t *testing.T) {
	k := testKey()
	good := signed(k)
	if r := k.Verify(&good); r != ReasonNone {
		t.Fatalf("an untouched verdict: %s", r)
	}
	var walk func(path string, v reflect.Value, whole *Verdict)
	walk = func(path string, v reflect.Value, whole *Verdict) {
		switch {
		case v.Kind() == reflect.Struct:
			for i := range v.NumField() {
				walk(path+"."+v.Type().Field(i).Name, v.Field(i), whole)
			}
		case v.CanInt():
			v.SetInt(v.Int() ^ 1)
			expectAltered(t, k, path, whole)
			v.SetInt(v.Int() ^ 1)
		default:
			v.SetUint(v.Uint() ^ 1)
			expectAltered(t, k, path, whole)
			v.SetUint(v.Uint() ^ 1)
		}
	}
	v := good
	walk("Verdict", reflect.ValueOf(&v).Elem(), &v)
	if v != good {
		t.Fatal("the walk did not restore the verdict")
	}
}

func expectAltered(t *testing.T, k TokenKey, path string, v *Verdict) {
	t.Helper()
	if r := k.Verify(v); r != ReasonTokenAltered {
		t.Errorf("%s changed: %s, want %s", path, r, ReasonTokenAltered)
	}
}

func TestTokenOfAnotherKeyAndNoToken(t *testing.T) {
	v := signed(testKey())
	other := NewTokenKey([TokenKeySize]byte{1})
	if r := other.Verify(&v); r != ReasonTokenAltered {
		t.Errorf("another key: %s", r)
	}
	v.Token = Token{}
	if r := testKey().Verify(&v); r != ReasonTokenMissing {
		t.Errorf("no token: %s", r)
	}
}

func TestSigningAllocatesNothing(t *testing.T) {
	k := testKey()
	v := signed(k)
	if n := testing.AllocsPerRun(100, func() { k.Sign(&v); k.Verify(&v) }); n != 0 {
		t.Fatalf("signing allocates %v times", n)
	}
}

func BenchmarkSign(b *testing.B) {
	k := testKey()
	v := signed(k)
	for b.Loop() {
		k.Sign(&v)
	}
}
