package faults

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// bigger writes a corpus whose run needs some tens of megabytes.
func bigger(t *testing.T) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "bigger.jsonl")
	write(t, file, corpusOf(1000))
	return file
}

// TestAddressSpace runs under limits of the address space (ulimit -v) from .2 to 16 GB: below some
// limit the program refuses in one sentence, above it the run succeeds.
func TestAddressSpace(t *testing.T) {
	file := bigger(t)
	text := must.Get(exec.Command(program, "version", "--json").Output())(t)
	native := strings.Contains(string(text), `"openblas"`)
	least := 0
	for _, mb := range some([]int{200, 300, 400, 500, 600, 800, 1000, 1250, 1500, 1750, 2000, 2500, 3000, 4000, 8000, 16000}, 3, 1) {
		if !native && mb < 1400 {
			continue // the Go runtime ends there before any code of the program runs: native/start
		}
		for _, method := range some([]string{"le", "plsa", "lda", "isomap"}, 4, 0) {
			out := filepath.Join(t.TempDir(), "out")
			args := []string{"cluster", file, "--method", method, "-k", "3", "--quiet", "--threads", "2", "--out", out}
			if method == "lda" {
				args = append(args, "--labeled-fraction", "0.3")
			}
			o := trial{fault: "address space", shell: "ulimit -v " + strconv.Itoa(mb*1024), args: args, out: out}.run(t)
			if o.status == done && (least == 0 || mb < least) {
				least = mb
			}
		}
	}
	t.Logf("the least limit under which a run succeeded: %d MB", least)
	if least == 0 {
		t.Error("no limit was wide enough")
	}
}

// TestControlGroup does the same with the memory limit of a control group, beyond which the kernel
// kills without a message.
func TestControlGroup(t *testing.T) {
	root, limitFile := "/sys/fs/cgroup/memory", "memory.limit_in_bytes"
	if _, err := os.Stat(filepath.Join("/sys/fs/cgroup", "cgroup.controllers")); err == nil {
		root, limitFile = "/sys/fs/cgroup", "memory.max"
	}
	group := filepath.Join(root, fmt.Sprintf("eigenmap-faults-%d", os.Getpid()))
	if err := os.Mkdir(group, 0o755); err != nil {
		t.Skipf("no control group can be made here: %v", err)
	}
	defer os.Remove(group)
	if err := os.WriteFile(filepath.Join(group, limitFile), []byte(strconv.Itoa(4<<30)), 0o644); err != nil {
		t.Skipf("no memory limit can be set here: %v", err)
	}
	file := bigger(t)
	for _, mb := range some([]int{20, 30, 40, 60, 80, 100, 150, 200, 300, 500, 1000, 2000}, 4, 1) {
		must.Do(t, os.WriteFile(filepath.Join(group, limitFile), []byte(strconv.Itoa(mb<<20)), 0o644))
		out := filepath.Join(t.TempDir(), "out")
		o := trial{fault: "control group", shell: "echo $$ >" + filepath.Join(group, "cgroup.procs"), out: out,
			args: []string{"cluster", file, "--method", "le", "-k", "3", "--quiet", "--threads", "2", "--out", out}}.run(t)
		t.Logf("%d MB: %s", mb, o.end())
	}
}

// TestDescriptors runs with few file descriptors: with 8 everything works, with fewer it works or
// is refused.
func TestDescriptors(t *testing.T) {
	p := newPlace(t)
	for _, n := range some([]int{3, 4, 5, 6, 7, 8, 12}, 2, 1) {
		for _, c := range p.commands() {
			r := trial{fault: "descriptors", shell: "ulimit -n " + strconv.Itoa(n)}
			if c.out {
				r.out = filepath.Join(t.TempDir(), "out")
				r.args = c.args("--out", r.out)
			} else {
				r.args = c.args()
			}
			if o := r.run(t); n >= 8 && o.status != done {
				t.Errorf("%s with %d descriptors: status %d, %s", c.name, n, o.status, o.stderr)
			}
		}
	}
}

// TestSmallStacks: a limit for stacks is one for threads of C, which the program's libraries start.
func TestSmallStacks(t *testing.T) {
	p := newPlace(t)
	for _, kb := range some([]int{64, 128, 256, 1024}, 3, 1) {
		out := filepath.Join(t.TempDir(), "out")
		trial{fault: "stack", shell: "ulimit -s " + strconv.Itoa(kb), out: out, args: p.commands()[0].args("--out", out)}.run(t)
	}
}

// TestClosedStreams: a program that is started without standard input, output or error does not
// write results into whatever file gets their numbers.
func TestClosedStreams(t *testing.T) {
	p := newPlace(t)
	for _, closed := range []string{"0<&-", "1>&-", "2>&-", "0<&- 1>&- 2>&-"} {
		out := filepath.Join(t.TempDir(), "out")
		r := trial{fault: "closed streams", shell: "exec " + closed, out: out, args: p.commands()[0].args("--out", out)}
		o := r.start(t)
		broken := slices.DeleteFunc(r.broken(o), func(s string) bool { return strings.HasPrefix(s, "0 lines") || strings.HasPrefix(s, "1 lines") })
		tally.add(r.fault, o.end(), broken == nil)
		if broken != nil {
			t.Errorf("%s: %v\nstatus %d\n%s", closed, broken, o.status, o.stderr)
		}
	}
}
