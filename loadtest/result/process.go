package result

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// ticksPerSecond is the unit of CPU times in /proc: USER_HZ, which Linux fixes
// at 100 for every architecture Go runs on.
const ticksPerSecond = 100

// ProcessOf reads CPU time and memory of a running process. What a process
// alone knows (garbage collections, allocations) is left zero for the caller.
func ProcessOf(role string, pid int) (Process, error) { return processUnder("/proc", role, pid) }

func processUnder(root, role string, pid int) (Process, error) {
	folder := filepath.Join(root, strconv.Itoa(pid))
	stat, err := os.ReadFile(filepath.Join(folder, "stat"))
	if err != nil {
		return Process{}, fmt.Errorf("result: process %d (%s): %w", pid, role, err)
	}
	statm, err := os.ReadFile(filepath.Join(folder, "statm"))
	if err != nil {
		return Process{}, fmt.Errorf("result: process %d (%s): %w", pid, role, err)
	}
	ticks, pages, ok := parseProcess(string(stat), string(statm))
	if !ok {
		return Process{}, fmt.Errorf("result: process %d (%s): /proc shows %q, want a stat line", pid, role, stat)
	}
	return Process{
		Role:       role,
		CPUSeconds: float64(ticks) / ticksPerSecond,
		RSSMb:      float64(pages) * float64(os.Getpagesize()) / 1e6,
	}, nil
}

// Places in the stat line after the command's closing parenthesis, which is
// field 2: user and system time are fields 14 and 15.
const (
	statUserTime   = 14 - 3
	statSystemTime = 15 - 3
)

func parseProcess(stat, statm string) (ticks, pages uint64, ok bool) {
	after := strings.LastIndexByte(stat, ')')
	fields := strings.Fields(stat[after+1:])
	memory := strings.Fields(statm)
	if len(fields) <= statSystemTime || len(memory) < 2 {
		return 0, 0, false
	}
	user, userErr := strconv.ParseUint(fields[statUserTime], 10, 64)
	system, systemErr := strconv.ParseUint(fields[statSystemTime], 10, 64)
	pages, pagesErr := strconv.ParseUint(memory[1], 10, 64)
	return user + system, pages, userErr == nil && systemErr == nil && pagesErr == nil
}

// Usage is a reading of this process's own memory statistics, for the
// difference between two of them.
type Usage struct{ stats runtime.MemStats }

// ReadUsage reads them. It stops the world: never while measuring.
func ReadUsage() *Usage {
	u := &Usage{}
	runtime.ReadMemStats(&u.stats)
	return u
}

// Since describes this process between an earlier reading and this one, per
// order sent in between.
func (u *Usage) Since(before *Usage, role string, orders uint64) (Process, error) {
	p, err := ProcessOf(role, os.Getpid())
	if err != nil {
		return Process{}, err
	}
	p.GCCycles = uint64(u.stats.NumGC - before.stats.NumGC)
	p.GCMaxPauseUs = float64(longestPause(&u.stats, before.stats.NumGC)) / 1e3
	if orders > 0 {
		p.AllocsPerOrder = float64(u.stats.Mallocs-before.stats.Mallocs) / float64(orders)
	}
	return p, nil
}

// longestPause returns the longest stop of the collections after a number, in
// ns, as far as the runtime remembers them.
func longestPause(stats *runtime.MemStats, after uint32) uint64 {
	remembered := uint32(len(stats.PauseNs))
	longest := uint64(0)
	for n := max(after, stats.NumGC-min(stats.NumGC, remembered)); n < stats.NumGC; n++ {
		longest = max(longest, stats.PauseNs[n%remembered])
	}
	return longest
}
