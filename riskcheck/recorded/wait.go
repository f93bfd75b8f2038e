package recorded

import "time"

// waitNs is how long a loop sleeps between two looks at a journal that holds it back.
const waitNs = 20_000

// waitForRoom holds the loop back while the journal takes nothing: too much is not
// durable yet, or the next segment is not ready. A journal that cannot go on ends the
// process.
func (e *Engine) waitForRoom() {
	for e.journal.Full() {
		e.journal.Flush()
		time.Sleep(waitNs)
	}
}

// Settle returns when every input is as durable as the journal promises, so that
// people may be told of what came of it. The loop calls it before it sends. Inputs
// that come meanwhile share the next wait.
func (e *Engine) Settle() {
	if e.journal == nil {
		return
	}
	last := e.journal.Appended()
	e.journal.Flush()
	for e.journal.Durable() < last {
		time.Sleep(waitNs)
		e.journal.Flush()
	}
}
