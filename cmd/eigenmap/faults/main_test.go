// Package faults runs the program in bad surroundings: full disks, little memory, few descriptors,
// pipes and devices in place of files, signals at any moment. Every run must end in time, with a
// documented status, one sentence on standard error and no half-written file.
//
// `make faults` sets EIGENMAP_FAULTS=all and runs all of it; without that about a seventh runs, and
// with -short nothing, because the detector of races does not see the processes. EIGENMAP_BIN names
// the program to run; without it the tests build one.
package faults

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// Exit statuses that the program documents.
const (
	done        = 0
	failed      = 1
	refused     = 2
	interrupted = 130
)

// limit is the time that a run may take. A run here takes well under a second on an idle machine.
const limit = 60 * time.Second

// program is the path of the program, set by TestMain.
var program string

// everything says that the long form runs.
var everything = os.Getenv("EIGENMAP_FAULTS") == "all"

func TestMain(m *testing.M) {
	flag.Parse()
	if testing.Short() {
		fmt.Println("faults: skipped with -short")
		return
	}
	os.Exit(runAll(m))
}

func runAll(m *testing.M) int {
	program = os.Getenv("EIGENMAP_BIN")
	if program == "" {
		dir, err := os.MkdirTemp("", "eigenmap-faults")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(dir)
		program = filepath.Join(dir, "eigenmap")
		if text, err := exec.Command("go", "build", "-o", program, "github.com/eigenmap/eigenmap/cmd/eigenmap").CombinedOutput(); err != nil {
			fmt.Fprintf(os.Stderr, "go build: %v\n%s", err, text)
			return 1
		}
	}
	// A process of another user runs the program too.
	for dir := filepath.Dir(program); dir != os.TempDir() && len(dir) > 1 && os.Getenv("EIGENMAP_BIN") == ""; dir = filepath.Dir(dir) {
		os.Chmod(dir, 0o755)
	}
	status := m.Run()
	fmt.Println(tally.String())
	return status
}

// tally counts the runs by fault and by how they ended.
var tally counts

type counts struct {
	mu     sync.Mutex
	ended  map[string]map[string]int
	faulty int // runs that broke a rule
}

func (c *counts) add(fault, end string, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended == nil {
		c.ended = map[string]map[string]int{}
	}
	if c.ended[fault] == nil {
		c.ended[fault] = map[string]int{}
	}
	c.ended[fault][end]++
	if !ok {
		c.faulty++
	}
}

// String is a line per fault and a last line with the sums. `make reliability` reads them.
func (c *counts) String() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var b strings.Builder
	sum := map[string]int{}
	line := func(name string, of map[string]int) {
		total := 0
		for _, n := range of {
			total += n
		}
		fmt.Fprintf(&b, "faults: %s: %d runs", name, total)
		for _, end := range []string{"done", "failed", "refused", "interrupted", "killed", "not started", "other"} {
			if of[end] > 0 {
				fmt.Fprintf(&b, ", %d %s", of[end], end)
			}
		}
	}
	var names []string
	for name, of := range c.ended {
		names = append(names, name)
		for end, n := range of {
			sum[end] += n
		}
	}
	slices.Sort(names)
	for _, name := range names {
		line(name, c.ended[name])
		b.WriteString("\n")
	}
	line("total", sum)
	fmt.Fprintf(&b, "; %d broke a rule", c.faulty)
	return b.String()
}

// trial is one run of the program under a fault.
type trial struct {
	fault    string   // what it counts as
	shell    string   // commands of sh before the program replaces the shell, such as "ulimit -n 8"
	args     []string // of the program
	out      string   // folder of results that the run may make; "" for none
	file     string   // single file that the run may make; "" for none
	attr     *syscall.SysProcAttr
	within   time.Duration   // in place of limit
	mayDie   bool            // the fault itself kills the program
	mayLeave bool            // the fault keeps the program from removing files
	onRun    func(*exec.Cmd) // called in a goroutine of its own once the program runs
	env      []string        // beside the environment
	wrap     []string        // command that runs the program, such as strace and its flags
}

// outcome is how a run ended.
type outcome struct {
	status         int // -1: by a signal
	stdout, stderr string
	took           time.Duration
	timedOut       bool
}

func (o outcome) end() string {
	switch o.status {
	case done:
		return "done"
	case failed:
		return "failed"
	case refused:
		return "refused"
	case interrupted:
		return "interrupted"
	case -1, 128 + int(syscall.SIGKILL):
		return "killed"
	}
	if strings.Contains(o.stderr, "error while loading shared libraries") {
		return "not started" // the words are the system's: no code of the program has run
	}
	return "other"
}

// run starts the program under the fault, waits for its end and checks the rules.
func (r trial) run(t *testing.T) outcome {
	t.Helper()
	o := r.start(t)
	broken := r.broken(o)
	tally.add(r.fault, o.end(), broken == nil)
	for _, b := range broken {
		t.Errorf("%s: eigenmap %q: %s\nstatus %d after %v\n%s", r.fault, r.args, b, o.status, o.took.Round(time.Millisecond), shortened(o.stderr))
	}
	return o
}

func (r trial) start(t *testing.T) outcome {
	t.Helper()
	argv := append(append(slices.Clone(r.wrap), program), r.args...)
	if r.shell != "" {
		argv = append([]string{"/bin/sh", "-c", r.shell + ` && exec "$0" "$@"`}, argv...)
	}
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(e string) bool {
		return strings.HasPrefix(e, "EIGENMAP_") || strings.HasPrefix(e, "GOMEMLIMIT=") || strings.HasPrefix(e, "GODEBUG=")
	}), r.env...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &capped{b: &stdout}, &capped{b: &stderr}
	cmd.SysProcAttr = r.attr
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Setpgid = true
	cmd.WaitDelay = 5 * time.Second
	from := time.Now()
	if err := cmd.Start(); err != nil {
		t.Skipf("%s: this system does not allow it: %v", r.fault, err)
	}
	if r.onRun != nil {
		go r.onRun(cmd)
	}
	within := limit
	if r.within > 0 {
		within = r.within
	}
	var o outcome
	timer := time.AfterFunc(within, func() { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
	cmd.Wait()
	o.timedOut = !timer.Stop()
	o.status, o.stdout, o.stderr, o.took = cmd.ProcessState.ExitCode(), stdout.String(), stderr.String(), time.Since(from)
	return o
}

// capped is a buffer that keeps the first megabyte.
type capped struct{ b *bytes.Buffer }

func (c *capped) Write(p []byte) (int, error) {
	if room := 1<<20 - c.b.Len(); room > 0 {
		c.b.Write(p[:min(room, len(p))])
	}
	return len(p), nil
}

func shortened(text string) string {
	if len(text) > 1500 {
		return text[:1500] + "..."
	}
	return text
}
