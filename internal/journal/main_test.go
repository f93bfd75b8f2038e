package journal_test

import (
	"os"
	"testing"

	"go.uber.org/goleak"
)

// TestMain is also the process that TestKilledProcess kills, and proves that no
// goroutine outlives its journal.
func TestMain(m *testing.M) {
	if directory := os.Getenv(victimVariable); directory != "" {
		os.Exit(beVictim(directory))
	}
	goleak.VerifyTestMain(m)
}
