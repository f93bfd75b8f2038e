package riskcheck_test

import (
	"bytes"

	"tollgate/riskcheck"
)

// restoresEvery is after how many inputs, on average, the engine of a duel goes on
// from a snapshot.
const restoresEvery = 150

// restore puts an engine in the place of the one under test that was made from its
// snapshot, with another hash seed. The twin, which never was restored, has written
// the same bytes, and so does the new engine.
func (d *duel) restore() {
	d.note("the engine goes on from its snapshot")
	written := snapshotOf(d.t, d.engine)
	if d.twin != nil && !bytes.Equal(written, snapshotOf(d.t, d.twin)) {
		d.fail("the twins' snapshots differ")
		return
	}
	d.config.HashSeed = d.r.Uint64()
	engine, err := riskcheck.Restore(d.config, bytes.NewReader(written))
	if err != nil {
		d.fail("restore: %v", err)
		return
	}
	if !bytes.Equal(written, snapshotOf(d.t, engine)) {
		d.fail("the restored engine writes another snapshot")
	}
	if engine.StateHash() != d.engine.StateHash() {
		d.fail("the restored engine has another state")
	}
	d.engine = engine
}
