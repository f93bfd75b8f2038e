package fastpath

import (
	"math/rand/v2"
	"testing"
	"time"

	"tollgate/internal/testseed"
)

// TestAcceptPace: whatever the arrivals, no window of a second sees more than the
// rate and the burst, and arrivals slower than the rate never wait.
func TestAcceptPace(t *testing.T) {
	seed := testseed.New(t)
	random := rand.New(rand.NewPCG(seed, 3))
	const perSecond, atMost = 100, 100 + 100/10
	var p acceptPace
	now := int64(5 * time.Second)
	var taken []int64
	for range 20_000 {
		now += random.Int64N(int64(4 * time.Millisecond))
		taken = append(taken, now)
		now += p.wait(now, perSecond)
	}
	for i := range taken[atMost+1:] {
		if taken[i+atMost+1]-taken[i] < int64(time.Second) {
			t.Fatalf("%d connections were taken within a second", atMost+2)
		}
	}
	var slow acceptPace
	for i := range int64(1_000) {
		if wait := slow.wait(i*int64(11*time.Millisecond), perSecond); wait != 0 {
			t.Fatalf("connection %d waited %d ns although they came slower than the rate", i, wait)
		}
	}
}
