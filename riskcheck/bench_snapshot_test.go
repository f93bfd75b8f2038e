package riskcheck_test

import (
	"bytes"
	"io"
	"testing"

	"tollgate/riskcheck"
)

// benchOpenOrders is how many orders are open in the engine whose snapshots are
// measured, and how many more it has seen the end of.
const benchOpenOrders = 50_000

// busyDesk is a desk of full size in the middle of a day.
func busyDesk(b *testing.B) *desk {
	b.Helper()
	d := newDesk(b, benchAccounts, benchInstruments)
	for i := range benchOpenOrders {
		d.trip(b, i)
		d.enter(b, i)
	}
	return d
}

// BenchmarkWriteSnapshot writes the state of a firm of 10,000 accounts with 50,000
// open orders.
func BenchmarkWriteSnapshot(b *testing.B) {
	d := busyDesk(b)
	b.SetBytes(int64(len(snapshotOf(b, d.engine))))
	for b.Loop() {
		if err := d.engine.WriteSnapshot(io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkRestore makes an engine of such a snapshot; its tables are part of it.
func BenchmarkRestore(b *testing.B) {
	written := snapshotOf(b, busyDesk(b).engine)
	config := riskcheck.DefaultConfig()
	config.Epoch, config.TokenKey, config.ClOrdIDsMax = 2, testKey(), benchClOrdIDs
	b.SetBytes(int64(len(written)))
	for b.Loop() {
		if _, err := riskcheck.Restore(config, bytes.NewReader(written)); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkStateHash takes the hash of the same state.
func BenchmarkStateHash(b *testing.B) {
	d := busyDesk(b)
	b.SetBytes(int64(len(snapshotOf(b, d.engine))))
	for b.Loop() {
		_ = d.engine.StateHash()
	}
}

// snapshotOf returns what an engine writes.
func snapshotOf(tb testing.TB, e *riskcheck.Engine) []byte {
	tb.Helper()
	var out bytes.Buffer
	if err := e.WriteSnapshot(&out); err != nil {
		tb.Fatal(err)
	}
	return out.Bytes()
}
