package faults

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestSignalsAtAnyMoment sends signals at random moments to runs over results of another run. The
// run ends with 130 or succeeds; afterwards the folder holds files of one run. A signal that comes
// before the program listens kills it before it has written anything.
func TestSignalsAtAnyMoment(t *testing.T) {
	file := bigger(t)
	rounds := 60
	if !everything {
		rounds = 6
	}
	signals := []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGXCPU}
	random := rand.New(rand.NewPCG(15, 0))
	args := func(method, out string) []string {
		return []string{"cluster", file, "--method", method, "-k", "3", "--quiet", "--threads", "2", "--out", out}
	}
	whole := trial{fault: "signals", args: args("le", filepath.Join(t.TempDir(), "out"))}.run(t).took
	for i := range rounds {
		out := filepath.Join(t.TempDir(), "out")
		trial{fault: "signals", args: args("plsa", out), out: out}.run(t)
		s, after := signals[i%len(signals)], time.Duration(random.Float64()*1.1*float64(whole))
		o := trial{fault: "signals", args: args("le", out), out: out, mayDie: true, onRun: func(cmd *exec.Cmd) {
			time.Sleep(after)
			cmd.Process.Signal(s)
		}}.run(t)
		if o.end() == "failed" || o.end() == "refused" {
			t.Errorf("%v after %v: status %d\n%s", s, after, o.status, o.stderr)
		}
		if o.took-after > 10*time.Second {
			t.Errorf("%v after %v: it went on for %v", s, after, o.took-after)
		}
	}
}

// TestKilledAtAnyMoment kills runs at random moments. The same command again then makes the folder
// whole and leaves nothing of the killed run.
func TestKilledAtAnyMoment(t *testing.T) {
	p := newPlace(t)
	rounds := 60
	if !everything {
		rounds = 5
	}
	random := rand.New(rand.NewPCG(15, 1))
	out := filepath.Join(t.TempDir(), "out")
	args := p.commands()[0].args("--out", out)
	whole := trial{fault: "killed", args: args, out: out}.run(t).took
	for range rounds {
		after := time.Duration(random.Float64() * 1.1 * float64(whole))
		trial{fault: "killed", args: args, out: out, mayDie: true, onRun: func(cmd *exec.Cmd) {
			time.Sleep(after)
			syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
		}}.run(t)
		if o := (trial{fault: "after a kill", args: args, out: out}).run(t); o.status != done {
			t.Errorf("killed after %v: the same command again: status %d\n%s", after, o.status, o.stderr)
		}
	}
}

// TestCallsThatFail lets system calls that change names fail or kill, one after another, by strace:
// fsync, rename, unlink and mkdir that fail, and SIGKILL at each of them.
func TestCallsThatFail(t *testing.T) {
	tracer, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("no strace here")
	}
	p := newPlace(t)
	if text, err := exec.Command(tracer, "-f", "-qq", "-o", "/dev/null", "-e", "inject=renameat:error=EIO:when=9999", program, "version").CombinedOutput(); err != nil {
		t.Skipf("strace does not work here: %v %s", err, text)
	}
	for _, fault := range some([]string{
		"fsync,fdatasync:error=EIO", "rename,renameat,renameat2:error=ENOSPC", "renameat,renameat2:signal=SIGKILL",
		"mkdirat,mkdir:error=ENOSPC", "unlinkat,unlink:error=EIO", "ftruncate,fallocate:error=ENOSPC", "unlinkat:signal=SIGKILL",
		"fsync:signal=SIGTERM", "renameat:signal=SIGINT", "getdents64:error=EIO", "flock:error=ENOLCK",
	}, 6, 1) {
		for n := 1; n <= 12; n++ {
			if !everything && n > 1 {
				n += 3
			}
			out := filepath.Join(t.TempDir(), "out")
			trial{fault: "failing calls", args: p.commands()[1].args("--out", out), out: out}.run(t)
			calls := "inject=" + fault + ":when=" + strconv.Itoa(n)
			r := trial{fault: "failing calls", wrap: []string{tracer, "-f", "-qq", "-o", "/dev/null", "-e", calls},
				args: p.commands()[0].args("--out", out), out: out, mayDie: strings.Contains(fault, "SIG"), mayLeave: strings.HasPrefix(fault, "unlinkat")}
			o := r.run(t)
			if o.end() == "killed" {
				again := trial{fault: "after a kill", args: p.commands()[0].args("--out", out), out: out}.run(t)
				if again.status != done {
					t.Errorf("%s: the same command again: status %d\n%s", calls, again.status, again.stderr)
				}
			}
			if o.status == done {
				break // as many calls as this there are not in any thread
			}
		}
	}
}

// TestClocks: results do not depend on the clock. Inputs and leftovers carry times of 1970 and
// 2200, and the clock of the time since the start is ten years further where the system has name
// spaces for that. (Tools that preload a library do not reach the clock of a Go program, and the
// wall clock has no name space.)
func TestClocks(t *testing.T) {
	p := newPlace(t)
	jump := []string{"unshare", "--user", "--map-root-user", "--time", "--fork", "--monotonic", "315360000", "--boottime", "315360000"}
	if text, err := exec.Command(jump[0], append(jump[1:], program, "version")...).CombinedOutput(); err != nil {
		t.Logf("no name space for clocks here: %v %s", err, text)
		jump = nil
	}
	for _, at := range []time.Time{time.Unix(0, 0), time.Date(2200, 1, 1, 0, 0, 0, 0, time.UTC)} {
		for _, wrap := range [][]string{nil, jump} {
			out := filepath.Join(t.TempDir(), "out")
			args := p.commands()[0].args("--out", out)
			trial{fault: "clocks", args: args, out: out}.run(t)
			write(t, filepath.Join(out, ".clusters.csv.0123abcd.tmp"), "half")
			entries, _ := os.ReadDir(out)
			for _, e := range entries {
				os.Chtimes(filepath.Join(out, e.Name()), at, at)
			}
			os.Chtimes(p.corpus, at, at)
			if o := (trial{fault: "clocks", wrap: wrap, args: args, out: out}).run(t); o.status != done {
				t.Errorf("%v: status %d\n%s", at, o.status, o.stderr)
			}
		}
	}
}
