package process

import (
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"syscall"
)

// Stats are the figures of a process's life so far.
type Stats struct {
	Role         string  `json:"role"`
	PID          int     `json:"pid"`
	CPUSeconds   float64 `json:"cpu_s"`
	RSSMaxMb     float64 `json:"rss_max_mb"`
	GCCycles     uint32  `json:"gc_cycles"`
	GCMaxPauseUs float64 `json:"gc_max_pause_us"`
	Mallocs      uint64  `json:"mallocs"`
}

// Meter writes a process's figures to a file when it is asked to by SIGUSR1,
// and at the end.
type Meter struct {
	role   string
	path   string
	begin  runtime.MemStats
	asked  chan os.Signal
	failed chan error
}

// NewMeter begins to measure; an empty path measures nothing.
func NewMeter(role, path string) *Meter {
	m := &Meter{role: role, path: path, asked: make(chan os.Signal, 1), failed: make(chan error, 1)}
	if path == "" {
		close(m.failed)
		return m
	}
	runtime.ReadMemStats(&m.begin)
	signal.Notify(m.asked, syscall.SIGUSR1)
	go m.answer()
	return m
}

// answer writes the figures each time they are asked for.
func (m *Meter) answer() {
	var err error
	for range m.asked {
		if writeErr := m.write(); err == nil {
			err = writeErr
		}
	}
	m.failed <- err
}

// Close writes the figures for the last time. It returns the first error of any
// writing.
func (m *Meter) Close() error {
	if m.path == "" {
		return nil
	}
	signal.Stop(m.asked)
	close(m.asked)
	if err := <-m.failed; err != nil {
		return err
	}
	return m.write()
}

// write puts a new file in the place of the old one, so that a reader sees
// either of them whole.
func (m *Meter) write() error {
	stats, err := m.read()
	if err != nil {
		return err
	}
	text, err := json.MarshalIndent(stats, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(m.path+".new", append(text, '\n'), 0o644); err != nil {
		return fmt.Errorf("stats file: %w", err)
	}
	return os.Rename(m.path+".new", m.path)
}

func (m *Meter) read() (Stats, error) {
	var now runtime.MemStats
	runtime.ReadMemStats(&now)
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return Stats{}, fmt.Errorf("stats: %w", err)
	}
	stats := Stats{
		Role: m.role, PID: os.Getpid(),
		CPUSeconds: seconds(usage.Utime) + seconds(usage.Stime),
		RSSMaxMb:   float64(usage.Maxrss) / 1024,
		GCCycles:   now.NumGC - m.begin.NumGC,
		Mallocs:    now.Mallocs - m.begin.Mallocs,
	}
	remembered := uint32(len(now.PauseNs))
	for n := max(m.begin.NumGC, now.NumGC-min(now.NumGC, remembered)); n < now.NumGC; n++ {
		stats.GCMaxPauseUs = max(stats.GCMaxPauseUs, float64(now.PauseNs[n%remembered])/1e3)
	}
	return stats, nil
}

func seconds(t syscall.Timeval) float64 { return float64(t.Sec) + float64(t.Usec)/1e6 }
