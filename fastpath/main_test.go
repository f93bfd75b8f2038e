package fastpath

import (
	"os"
	"runtime"
	"strconv"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// TestMain gives every polling loop of a test a scheduler slot of its own, as
// processes have, and looks for goroutines that outlive the tests.
func TestMain(m *testing.M) {
	runtime.GOMAXPROCS(8)
	goleak.VerifyTestMain(m,
		goleak.IgnoreAnyFunction("github.com/panjf2000/ants/v2.(*poolCommon).purgeStaleWorkers"),
		goleak.IgnoreAnyFunction("github.com/panjf2000/ants/v2.(*poolCommon).ticktock"))
}

// testSeed returns the seed of a randomised test: from the environment, or the
// time. It is printed, so that a failure can be repeated.
func testSeed(t testing.TB) uint64 {
	t.Helper()
	seed := uint64(time.Now().UnixNano())
	if text := os.Getenv("TOLLGATE_SEED"); text != "" {
		given, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			t.Fatalf("TOLLGATE_SEED is %q, want a number", text)
		}
		seed = given
	}
	t.Logf("TOLLGATE_SEED=%d", seed)
	return seed
}
