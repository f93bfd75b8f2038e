//go:build mutation

package riskcheck_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

const (
	// mutationOps is how many inputs of the property test a mutant may survive. Most
	// of them end within the first life or two.
	mutationOps = 30_000
	// mutationWorkers is how many mutants are built and run at a time.
	mutationWorkers = 2
	// mutationCPUSeconds ends a run that hangs, so that it is told and not waited for.
	// It is no time of the clock: a machine may be busy.
	mutationCPUSeconds = 300
)

// mutationNets are the tests that are to catch mutants.
var mutationNets = [...]struct {
	name string
	args []string
}{
	{"property test", []string{"-test.run", "^TestEngineAgainstOracle$", "-ops", strconv.Itoa(mutationOps)}},
	{"script", []string{"-test.run", "^TestScripts$"}},
}

// mutationRun is what became of a mutant.
type mutationRun struct {
	caught  [len(mutationNets)]string // where each net has caught it; "" if it has not
	seconds float64
	err     error // it could not be judged
}

// TestMutants proves that the tests of the engine catch bugs: it plants one after
// the other, by changing the text that the compiler gets, and runs the property test
// and the scripts against the engine that comes of it. Without a bug both pass; with
// any of them at least one fails.
func TestMutants(t *testing.T) {
	dir := t.TempDir()
	if control := judgeMutant(dir, "control", nil); control.err != nil || control.isCaught() {
		t.Fatalf("nothing is planted, and yet: %v, failed at %q", control.err, control.caught)
	}
	runs := make([]mutationRun, len(mutants))
	var workers sync.WaitGroup
	next := make(chan int)
	for range mutationWorkers {
		workers.Go(func() {
			for i := range next {
				runs[i] = judgeMutant(dir, strconv.Itoa(i), &mutants[i])
			}
		})
	}
	for i := range mutants {
		next <- i
	}
	close(next)
	workers.Wait()
	tellMutants(t, runs)
}

func (r *mutationRun) isCaught() bool {
	for _, where := range r.caught {
		if where != "" {
			return true
		}
	}
	return false
}

// tellMutants prints what became of every mutant.
func tellMutants(t *testing.T, runs []mutationRun) {
	var table strings.Builder
	fmt.Fprintf(&table, "\n%-30s %7s  %-44s %s", "planted bug", "seconds", "by the "+mutationNets[0].name,
		"by the "+mutationNets[1].name)
	for i := range runs {
		r := &runs[i]
		switch {
		case r.err != nil:
			t.Errorf("%s: %v", mutants[i].name, r.err)
		case !r.isCaught():
			t.Errorf("%s is not caught, though %s: a script is missing", mutants[i].name, mutants[i].what)
		}
		for at := range r.caught {
			if r.caught[at] == "" {
				r.caught[at] = "-"
			}
		}
		fmt.Fprintf(&table, "\n%-30s %7.1f  %-44.44s %s", mutants[i].name, r.seconds, r.caught[0], r.caught[1])
	}
	t.Log(table.String())
}

// judgeMutant builds the tests with a mutant, or without one, and runs them.
func judgeMutant(dir, id string, m *mutant) (run mutationRun) {
	start := time.Now()
	binary := filepath.Join(dir, id+".test")
	run.err = buildMutant(filepath.Join(dir, id), binary, m)
	for i := range mutationNets {
		if run.err == nil {
			run.caught[i], run.err = runMutant(binary, mutationNets[i].args)
		}
	}
	run.seconds = time.Since(start).Seconds()
	_ = os.Remove(binary) // all of them together would take much room
	return run
}

// buildMutant compiles the tests of this package with the text of one file changed.
func buildMutant(base, binary string, m *mutant) error {
	args := []string{"-n", "10", "go", "test", "-c", "-ldflags=-s -w", "-o", binary}
	if m != nil {
		overlay, err := overlayOf(base, m)
		if err != nil {
			return err
		}
		args = append(args, "-overlay", overlay)
	}
	if out, err := exec.Command("nice", args...).CombinedOutput(); err != nil {
		return fmt.Errorf("it does not compile: %w\n%s", err, out)
	}
	return nil
}

// overlayOf writes the changed file, and the list of what the compiler is to read
// instead of what.
func overlayOf(base string, m *mutant) (string, error) {
	text, err := m.plant()
	if err != nil {
		return "", err
	}
	original, err := filepath.Abs(m.file)
	if err != nil {
		return "", err
	}
	list, err := json.Marshal(map[string]map[string]string{"Replace": {original: base + ".go"}})
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(base+".go", []byte(text), 0o600); err != nil {
		return "", err
	}
	return base + ".json", os.WriteFile(base+".json", list, 0o600)
}

// What a failing run prints of where it failed.
var (
	failedScript = regexp.MustCompile(`--- FAIL: TestScripts/(\S+)`)
	seedAndStep  = regexp.MustCompile(`seed \d+ step \d+: .*`)
	panicked     = regexp.MustCompile(`panic: .*`)
)

// runMutant runs tests of a binary and returns where they fail, "" if they pass.
// One goroutine lives the lives of the property test, so that they are the same in
// every run.
func runMutant(binary string, args []string) (string, error) {
	limited := fmt.Sprintf(`ulimit -t %d && exec nice -n 10 "$0" -test.failfast -test.timeout 0 "$@"`, mutationCPUSeconds)
	command := exec.Command("sh", append([]string{"-c", limited, binary}, args...)...)
	command.Env = append(os.Environ(), "GOMAXPROCS=1", "TOLLGATE_SEED=", "TOLLGATE_OPS=")
	out, err := command.CombinedOutput()
	if err == nil {
		return "", nil
	}
	text := string(out)
	for _, pattern := range []*regexp.Regexp{failedScript, seedAndStep, panicked} {
		if found := pattern.FindStringSubmatch(text); found != nil {
			return found[len(found)-1], nil
		}
	}
	return "", fmt.Errorf("%w, after at most %d s of computing, but no test says that it has failed:\n%s", err,
		mutationCPUSeconds, text)
}
