package fastpath

import (
	"runtime"
	"testing"

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
