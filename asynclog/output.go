package asynclog

import (
	"bufio"
	"io"
	"sync"
)

// output collects the text of one turn and writes it in one piece. The Drainer
// and the control plane share it, hence the lock; no loop ever takes it.
type output struct {
	mu     sync.Mutex
	target io.Writer
	buffer *bufio.Writer
}

func newOutput(target io.Writer) *output {
	return &output{target: target, buffer: bufio.NewWriterSize(target, outputBytes)}
}

// Write implements zapcore.WriteSyncer.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.buffer.Write(p)
}

// Sync implements zapcore.WriteSyncer: it hands everything to the target. It
// does not force a disk; the log is not the journal. When the target fails, the
// text in the buffer is lost and the next one starts afresh.
func (o *output) Sync() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	err := o.buffer.Flush()
	if err != nil {
		o.buffer.Reset(o.target)
	}
	return err
}
