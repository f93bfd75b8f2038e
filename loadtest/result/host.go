package result

import (
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
)

// Host is the machine of a run.
type Host struct {
	CPU      string `json:"cpu"`
	Cores    int    `json:"cores"`
	Kernel   string `json:"kernel"`
	Governor string `json:"governor"` // "none" where the kernel does not govern the frequency
	Virtual  bool   `json:"virtual"`
}

// ThisHost describes the machine it runs on. What cannot be read is "unknown".
func ThisHost() Host { return hostUnder("/") }

// hostUnder reads the proc and sys trees below a root.
func hostUnder(root string) Host {
	read := func(path string) string {
		content, err := os.ReadFile(filepath.Join(root, path))
		if err != nil {
			return ""
		}
		return strings.TrimSpace(string(content))
	}
	info := read("proc/cpuinfo")
	return Host{
		CPU:      orUnknown(firstValue(info, "model name", "Model", "CPU part")),
		Cores:    runtime.NumCPU(),
		Kernel:   orUnknown(read("proc/sys/kernel/osrelease")),
		Governor: orNone(read("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor")),
		Virtual:  isVirtual(info, read("sys/class/dmi/id/product_name")+" "+read("sys/class/dmi/id/sys_vendor")),
	}
}

// firstValue returns the value of the first of the names that /proc/cpuinfo
// has.
func firstValue(info string, names ...string) string {
	for _, name := range names {
		for line := range strings.Lines(info) {
			key, value, ok := strings.Cut(line, ":")
			if ok && strings.TrimSpace(key) == name {
				return strings.TrimSpace(value)
			}
		}
	}
	return ""
}

// isVirtual trusts the CPU's hypervisor flag, and the names hypervisors give
// their machines.
func isVirtual(info, product string) bool {
	for flag := range strings.FieldsSeq(firstValue(info, "flags")) {
		if flag == "hypervisor" {
			return true
		}
	}
	for _, name := range []string{"KVM", "QEMU", "VMware", "VirtualBox", "Xen", "Virtual Machine", "Firecracker"} {
		if strings.Contains(product, name) {
			return true
		}
	}
	return false
}

func orUnknown(s string) string { return orElse(s, "unknown") }

func orNone(s string) string { return orElse(s, "none") }

func orElse(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// Commit returns the revision the running binary was built from, with
// "+changes" if the tree was not clean, or "unknown".
func Commit() string {
	build, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	revision, changes := "unknown", ""
	for _, setting := range build.Settings {
		switch {
		case setting.Key == "vcs.revision":
			revision = setting.Value
		case setting.Key == "vcs.modified" && setting.Value == "true":
			changes = "+changes"
		}
	}
	return revision + changes
}
