// Package process is what every process of the chain does around its work: it
// ends on a signal, keeps a scheduler slot free beside the polling loop, and
// leaves figures of its life behind.
package process

import (
	"context"
	"os"
	"os/signal"
	"runtime"
	"syscall"
)

// processorsMin is the number of scheduler slots a process needs: one for its
// loop, which keeps it while it polls, and one for everything else.
const processorsMin = 2

// Prepare sets the runtime up for a process with one loop and returns a context
// that ends with SIGINT or SIGTERM.
func Prepare(parent context.Context) (context.Context, context.CancelFunc) {
	if runtime.GOMAXPROCS(0) < processorsMin {
		runtime.GOMAXPROCS(processorsMin)
	}
	return signal.NotifyContext(parent, os.Interrupt, syscall.SIGTERM)
}
