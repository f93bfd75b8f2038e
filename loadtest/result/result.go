package result

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"tollgate/loadtest/latency"
)

// SchemaVersion is the version of the JSON object.
const SchemaVersion = 1

// Result is the JSON object of one run.
type Result struct {
	Schema         int                        `json:"schema"`
	Commit         string                     `json:"commit"`
	Started        string                     `json:"started"` // RFC 3339, UTC
	Host           Host                       `json:"host"`
	ConfigSHA      string                     `json:"config_sha"`
	Seed           uint64                     `json:"seed"`
	Link           string                     `json:"link"`       // shm, unix, tcp or grpc
	Durability     string                     `json:"durability"` // none, process, disk or replicated
	Valid          bool                       `json:"valid"`
	InvalidBecause []string                   `json:"invalid_because"`
	Rate           Rate                       `json:"rate"`
	Orders         Orders                     `json:"orders"`
	Rejects        map[string]uint64          `json:"rejects"` // by reason name
	Reconciled     bool                       `json:"reconciled"`
	LatencyUs      map[string]latency.Summary `json:"latency_us"` // by hop name
	// Utilisation is there if whoever ran it asked the engine: in the order of the
	// controls, the highest share first.
	Utilisation []Utilisation `json:"utilisation,omitempty"`
	Processes   []Process     `json:"processes"`
}

// Rate is in requests per second. Target is 0 where the run had none (as fast
// as answers allow, or as recorded).
type Rate struct {
	Target   float64 `json:"target"`
	Achieved float64 `json:"achieved"`
}

// Orders counts requests (sent to rejected, unanswered) and what became of
// orders (cancelled, filled). Duplicates are second final answers and repeated
// stream entries.
type Orders struct {
	Sent       uint64 `json:"sent"`
	Answered   uint64 `json:"answered"`
	Accepted   uint64 `json:"accepted"`
	Rejected   uint64 `json:"rejected"`
	Cancelled  uint64 `json:"cancelled"`
	Filled     uint64 `json:"filled"`
	Unanswered uint64 `json:"unanswered"`
	Duplicates uint64 `json:"duplicates"`
}

// Utilisation is what a scope used of one of its limits at the end of the run.
type Utilisation struct {
	Control string `json:"control"` // such as OPEN_ORDERS
	Scope   string `json:"scope"`   // such as account/A, with what it is narrowed to
	Kind    string `json:"kind"`    // the key of the limits document
	Limit   string `json:"limit"`   // in the unit of the kind
	Used    string `json:"used"`
	UsedBps int64  `json:"used_bps"` // in hundredths of a percent of the limit, rounded up
	Rung    string `json:"rung"`     // below, watch, warn or act; empty: the kind has none
}

// Process is what one process of the chain used.
type Process struct {
	Role           string  `json:"role"`
	CPUSeconds     float64 `json:"cpu_s"`
	RSSMb          float64 `json:"rss_mb"`
	GCCycles       uint64  `json:"gc_cycles"`
	GCMaxPauseUs   float64 `json:"gc_max_pause_us"`
	AllocsPerOrder float64 `json:"allocs_per_order"`
}

// JSON returns the object, indented, with a newline at its end.
func (r *Result) JSON() ([]byte, error) {
	bytes, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("result: %w", err)
	}
	return append(bytes, '\n'), nil
}

// WriteFile writes the JSON object. An invalid result gets INVALID in its file
// name, so that nobody takes it for one that counts. It returns the name it
// used.
func (r *Result) WriteFile(path string) (string, error) {
	bytes, err := r.JSON()
	if err != nil {
		return "", err
	}
	path = r.fileName(path)
	if err := os.WriteFile(path, bytes, 0o644); err != nil {
		return "", fmt.Errorf("result: %w", err)
	}
	return path, nil
}

func (r *Result) fileName(path string) string {
	if r.Valid || strings.HasPrefix(path, "/dev/") {
		return path
	}
	extension := filepath.Ext(path)
	return strings.TrimSuffix(path, extension) + ".INVALID" + extension
}
