package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/internal/must"
)

// stopped runs the program, which sends itself signals when k-means begins.
func stopped(t *testing.T, out string, signals ...syscall.Signal) (r result, took time.Duration) {
	t.Helper()
	dir := t.TempDir()
	when := filepath.Join(dir, "when")
	var numbers []string
	for _, s := range signals {
		numbers = append(numbers, strconv.Itoa(int(s)))
	}
	_, run := play(t, []string{stageEnv + "=kmeans", whenEnv + "=" + when, sendEnv + "=" + strings.Join(numbers, ",")},
		"cluster", texts(t, dir, 50), "--method", "le", "--quiet", "--out", out)
	r = run()
	end := time.Now()
	sent := must.Get(strconv.ParseInt(readFile(t, when), 10, 64))(t)
	return r, end.Sub(time.Unix(0, sent))
}

// TestSignals: every signal that asks a program to stop ends a run as Ctrl-C does, with its name,
// and what was finished is saved. TestStuckWork shows that it ends soon.
func TestSignals(t *testing.T) {
	for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGXCPU} {
		t.Run(stopping[s], func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "new", "out")
			r, took := stopped(t, out, s)
			checkInterrupted(t, r, out, "kmeans")
			checkSentence(t, r, "interrupted by "+stopping[s]+"; what was finished is saved in "+out)
			t.Logf("stopped after %v", took.Round(time.Millisecond))
		})
	}
}

// TestSignalNamedByCompare: a comparison says which signal ended it, and keeps the runs before.
func TestSignalNamedByCompare(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "out")
	_, run := play(t, []string{stageEnv + "=nmf", whenEnv + "=" + filepath.Join(dir, "when"), sendEnv + "=15"},
		"compare", texts(t, dir, 50), "--methods", "kmeans,nmf", "-k", "2", "--quiet", "--out", out)
	r := run()
	if r.status != exitInterrupted {
		t.Errorf("status %d", r.status)
	}
	checkSentence(t, r, "interrupted by SIGTERM; what was finished is saved in "+out)
}

// TestSecondSignal: the second signal ends the program at once, but SIGXCPU, which the system
// repeats, does not.
func TestSecondSignal(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	r, _ := stopped(t, out, syscall.SIGTERM, syscall.SIGINT)
	if r.status != exitInterrupted || r.stderr != "" {
		t.Errorf("status %d, standard error %q: it did not end at once", r.status, r.stderr)
	}
	out = filepath.Join(t.TempDir(), "new", "out")
	r, _ = stopped(t, out, syscall.SIGXCPU, syscall.SIGXCPU)
	checkInterrupted(t, r, out, "kmeans")
}

// TestNohup: a run whose SIGHUP is ignored goes on after it, and still ends with SIGTERM.
func TestNohup(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no sh here")
	}
	dir := t.TempDir()
	file, out := texts(t, dir, 20), filepath.Join(dir, "out")
	for send, status := range map[string]int{"1": exitDone, "1,15": exitInterrupted} {
		cmd, run := play(t, []string{stageEnv + "=graph", whenEnv + "=" + filepath.Join(dir, "when"), sendEnv + "=" + send})
		cmd.Args = []string{shell, "-c", `trap "" HUP; exec "$0" "$@"`, cmd.Path, "cluster", file, "--method", "le", "--quiet", "--out", out}
		cmd.Path = shell
		if r := run(); r.status != status {
			t.Errorf("signals %s: status %d, want %d\n%s", send, r.status, status, r.stderr)
		}
	}
}

// TestSlurmScript runs the batch scripts as plain scripts and sends what Slurm sends before the
// time is up: the program gets a signal that it knows, and the script ends with the program's
// status.
func TestSlurmScript(t *testing.T) {
	shell, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash here")
	}
	for _, name := range []string{"cluster.slurm", "cluster-mpi.slurm"} {
		t.Run(name, func(t *testing.T) { slurmScript(t, shell, filepath.Join("..", "..", "docker", name)) })
	}
}

// slurmScript tests one of them.
func slurmScript(t *testing.T, shell, script string) {
	t.Helper()
	text := readFile(t, script)
	_, warning, found := strings.Cut(text, "#SBATCH --signal=B:")
	name, _, _ := strings.Cut(warning, "@")
	var sent os.Signal
	for s, n := range stopping {
		if n == "SIG"+name {
			sent = s
		}
	}
	if !found || sent == nil {
		t.Fatalf("the script asks for the signal %q, which does not stop the program", name)
	}
	dir := t.TempDir()
	out := filepath.Join(dir, "out")
	cmd, run := play(t, []string{stageEnv + "=kmeans", whenEnv + "=" + filepath.Join(dir, "when"), upEnv + "=" + fmt.Sprint(int(sent.(syscall.Signal)))})
	cmd.Env = append(cmd.Env, "EIGENMAP="+cmd.Path, "SLURM_CPUS_PER_TASK=1", "LAUNCH=env") // env is what starts the ranks, one
	cmd.Args = []string{shell, script, texts(t, dir, 50), "3", out, "--quiet"}
	cmd.Path = shell
	r := run()
	if r.status != exitInterrupted || !strings.Contains(r.stderr, "what was finished is saved in "+out) {
		t.Errorf("status %d, %s", r.status, r.stderr)
	}
}
