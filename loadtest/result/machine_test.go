package result

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// plant writes files below a root.
func plant(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, content := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestHostIsRead(t *testing.T) {
	cases := map[string]struct {
		files map[string]string
		want  Host
	}{
		"virtual by flag": {map[string]string{
			"proc/cpuinfo":              "processor\t: 0\nmodel name\t: Example 9000\nflags\t\t: fpu hypervisor sse\n",
			"proc/sys/kernel/osrelease": "6.18.1\n",
			"sys/devices/system/cpu/cpu0/cpufreq/scaling_governor": "performance\n",
		}, Host{CPU: "Example 9000", Kernel: "6.18.1", Governor: "performance", Virtual: true}},
		"virtual by name": {map[string]string{
			"proc/cpuinfo": "CPU part\t: 0xd0c\n", "sys/class/dmi/id/sys_vendor": "QEMU\n",
		}, Host{CPU: "0xd0c", Kernel: "unknown", Governor: "none", Virtual: true}},
		"nothing to read": {nil, Host{CPU: "unknown", Kernel: "unknown", Governor: "none"}},
	}
	for name, c := range cases {
		c.want.Cores = runtime.NumCPU()
		if got := hostUnder(plant(t, c.files)); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

func TestProcessIsRead(t *testing.T) {
	root := plant(t, map[string]string{
		"42/stat":  "42 (a (strange) name) S 1 2 3 4 5 6 7 8 9 10 150 50 0 0 20 0\n",
		"42/statm": "900 250 30 1 0 5 0\n",
	})
	got, err := processUnder(root, "gateway", 42)
	want := Process{Role: "gateway", CPUSeconds: 2, RSSMb: 250 * float64(os.Getpagesize()) / 1e6}
	if err != nil || got != want {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
	broken := plant(t, map[string]string{"42/stat": "42 (x) S", "42/statm": "1 2"})
	if _, err := processUnder(broken, "gateway", 42); err == nil || !strings.Contains(err.Error(), "process 42 (gateway)") {
		t.Errorf("got %v", err)
	}
	if _, err := processUnder(root, "risk", 43); err == nil {
		t.Error("a process that is not there was no error")
	}
}

func TestOwnUsageCountsAllocations(t *testing.T) {
	before := ReadUsage()
	var kept [][]byte
	for range 1000 {
		kept = append(kept, make([]byte, 64))
	}
	runtime.GC()
	p, err := ReadUsage().Since(before, "client", 1000)
	if err != nil || p.Role != "client" || p.RSSMb <= 0 || p.GCCycles == 0 || p.GCMaxPauseUs <= 0 {
		t.Errorf("got %+v, %v", p, err)
	}
	if p.AllocsPerOrder < 1 || len(kept) != 1000 {
		t.Errorf("%v allocations an order, want at least 1", p.AllocsPerOrder)
	}
}

func TestLongestPauseLooksOnlyAtNewCollections(t *testing.T) {
	stats := &runtime.MemStats{NumGC: 3}
	stats.PauseNs[0], stats.PauseNs[1], stats.PauseNs[2] = 900, 20, 30
	if got := longestPause(stats, 1); got != 30 {
		t.Errorf("longest is %d, want 30", got)
	}
	stats = &runtime.MemStats{NumGC: 300}
	stats.PauseNs[299%256], stats.PauseNs[44] = 7, 9
	if got := longestPause(stats, 0); got != 9 {
		t.Errorf("longest is %d, want 9", got)
	}
}

func TestCommitIsNeverEmpty(t *testing.T) {
	if Commit() == "" {
		t.Error("empty")
	}
}
