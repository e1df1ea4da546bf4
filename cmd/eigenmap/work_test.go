package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/internal/must"
)

// sameFiles fails the test if files of two folders differ.
func sameFiles(t *testing.T, a, b string, names ...string) {
	t.Helper()
	for _, name := range names {
		x := must.Get(os.ReadFile(filepath.Join(a, name)))(t)
		y := must.Get(os.ReadFile(filepath.Join(b, name)))(t)
		if !bytes.Equal(x, y) {
			t.Errorf("%s differs between %s and %s", name, a, b)
		}
	}
}

// TestBlocks: jobs in any order, in one folder, give the graph of one run, which cluster takes.
func TestBlocks(t *testing.T) {
	dir := t.TempDir()
	file, work := texts(t, dir, 100), filepath.Join(dir, "parts")
	one, merged := filepath.Join(dir, "one"), filepath.Join(dir, "merged")
	flags := []string{"--quiet", "--neighbors", "9", "--edge-weight", "heat"}
	mustCall(t, append([]string{"graph", file, "--out", one}, flags...)...)
	block := func(i int) result {
		return mustCall(t, append([]string{"graph", file, "--block", fmt.Sprintf("%d/3", i), "--work", work}, flags...)...)
	}
	block(3)
	r := call("graph", "--merge", "--work", work, "--out", merged, "--quiet")
	if r.status != exitRequest || !strings.Contains(r.stderr, "tiles are missing: tile ") {
		t.Errorf("status %d, %s", r.status, r.stderr)
	}
	block(1)
	block(2)
	mustCall(t, "graph", "--merge", "--work", work, "--out", merged, "--quiet")
	sameFiles(t, one, merged, "affinity.npz", "config.yaml")

	plain, from := filepath.Join(dir, "plain"), filepath.Join(dir, "from")
	mustCall(t, "cluster", file, "--method", "le", "-k", "3", "--neighbors", "9", "--edge-weight", "heat", "--out", plain, "--quiet")
	mustCall(t, "cluster", file, "--method", "le", "-k", "3", "--graph", filepath.Join(merged, "affinity.npz"), "--out", from, "--quiet")
	sameFiles(t, plain, from, "clusters.csv", "embedding.npy")
}

// TestBlockRequests: requests about blocks that cannot be met say what to do.
func TestBlockRequests(t *testing.T) {
	dir := t.TempDir()
	file := texts(t, dir, 20)
	for want, args := range map[string][]string{
		"such as 2/8":               {file, "--block", "two", "--work", dir + "/w"},
		"counted from 1":            {file, "--block", "3/2", "--work", dir + "/w"},
		"give --work DIR":           {file, "--block", "1/2"},
		"exclude each other":        {file, "--block", "1/2", "--merge", "--work", dir + "/w"},
		"give it with --merge":      {file, "--block", "1/2", "--work", dir + "/w", "--out", dir + "/o"},
		"holds no blocks":           {"--merge", "--work", dir + "/none"},
		"it holds texts.jsonl":      {file, "--block", "1/1", "--work", dir},
		"leave --block out":         {file, "--block", "1/1", "--work", dir + "/w", "--epsilon", "1"},
		"at most 1 block":           {file, "--block", "1/99", "--work", dir + "/w"},
		"give --neighbors-method e": {file, "--block", "1/1", "--work", dir + "/w", "--neighbors-method", "approx"},
	} {
		r := call(append([]string{"graph", "--quiet"}, args...)...)
		if r.status != exitRequest || !strings.Contains(r.stderr, want) {
			t.Errorf("%v: status %d, %q does not say %q", args, r.status, r.stderr, want)
		}
	}
}

// TestWorkOfOtherData: a folder of other documents is refused, and a damaged piece is made again
// and named.
func TestWorkOfOtherData(t *testing.T) {
	dir := t.TempDir()
	file, work, out := texts(t, dir, 40), filepath.Join(dir, "work"), filepath.Join(dir, "out")
	args := []string{"cluster", file, "--method", "le", "-k", "3", "--work", work, "--out"}
	mustCall(t, append(args, out)...)
	r := call(append(args, out, "--weighting", "tf")...)
	if r.status != exitRequest || !strings.Contains(r.stderr, "other documents, or of other weights") {
		t.Errorf("status %d, %s", r.status, r.stderr)
	}
	pieces, err := filepath.Glob(filepath.Join(work, "*.piece"))
	if err != nil || len(pieces) < 3 {
		t.Fatalf("%v, %v", pieces, err)
	}
	for _, p := range pieces {
		must.Do(t, os.Truncate(p, 300))
	}
	again := filepath.Join(dir, "again")
	r = mustCall(t, append(args, again)...)
	sameFiles(t, out, again, "clusters.csv", "embedding.npy", modelName)
	for _, p := range pieces {
		if !strings.Contains(r.stdout, p+": the piece is refused") {
			t.Errorf("%s is not named:\n%s", p, r.stdout)
		}
	}
}

// TestKilled kills a run at random moments; the same command goes on and gives the same bytes.
func TestKilled(t *testing.T) {
	kills := 40
	if testing.Short() {
		kills = 10
	}
	dir := t.TempDir()
	file, want := texts(t, dir, 300), filepath.Join(dir, "want")
	args := func(work, out string) []string {
		return []string{"cluster", file, "--method", "le", "-k", "3", "--quiet", "--work", work, "--out", out}
	}
	began := time.Now()
	if _, run := play(t, nil, args(filepath.Join(dir, "first"), want)...); run().status != exitDone {
		t.Fatal("the undisturbed run failed")
	}
	whole := time.Since(began)
	plain := filepath.Join(dir, "plain")
	mustCall(t, "cluster", file, "--method", "le", "-k", "3", "--quiet", "--out", plain)
	sameFiles(t, plain, want, "clusters.csv", "embedding.npy", modelName)
	r, early := rand.New(rand.NewPCG(19, 40)), 0
	for k := range kills {
		// Two kills in one folder, then the run that ends.
		work, out := filepath.Join(dir, fmt.Sprint("work", k/2)), filepath.Join(dir, fmt.Sprint("out", k/2))
		cmd, _ := play(t, nil, args(work, out)...)
		must.Do(t, cmd.Start())
		after, began := time.Duration(r.Float64()*float64(whole)), time.Now()
		timer := time.AfterFunc(after, func() { cmd.Process.Signal(syscall.SIGKILL) })
		if cmd.Wait() != nil {
			early++
		} else {
			whole = min(whole, time.Since(began)) // the machine has become faster
		}
		timer.Stop()
		if k%2 == 0 {
			continue
		}
		_, run := play(t, nil, args(work, out)...)
		if end := run(); end.status != exitDone {
			t.Fatalf("after two kills: status %d\n%s", end.status, end.stderr)
		}
		sameFiles(t, want, out, "clusters.csv", "embedding.npy", modelName)
	}
	if early < kills/3 {
		t.Errorf("only %d of %d runs were killed before their end", early, kills)
	}
	t.Logf("%d of %d runs were killed within %v", early, kills, whole.Round(time.Millisecond))
}

// manyLines is a file of n texts of so many words, one a line.
func manyLines(t *testing.T, dir string, n, words int) string {
	t.Helper()
	r, texts := rand.New(rand.NewPCG(3, 5)), new(bytes.Buffer)
	for range n {
		topic := 1000 * r.IntN(3)
		for range words {
			fmt.Fprintf(texts, "word%d ", topic+r.IntN(200))
		}
		texts.WriteByte('\n')
	}
	file := filepath.Join(dir, "texts.txt")
	must.Do(t, os.WriteFile(file, texts.Bytes(), 0o666))
	return file
}

// TestKilledWhilePlacing kills a run over more documents than it holds once a block of them was
// placed; the same command takes that block and gives the same bytes.
func TestKilledWhilePlacing(t *testing.T) {
	if testing.Short() {
		t.Skip("20,000 documents are placed three times")
	}
	dir := t.TempDir()
	want, work, out := filepath.Join(dir, "want"), filepath.Join(dir, "work"), filepath.Join(dir, "out")
	file := manyLines(t, dir, 20000, 12)
	args := []string{"cluster", file, "--input-format", "lines", "--method", "le", "-k", "3", "--fit-on", "300", "--out"}
	mustCall(t, append(args, want)...)
	args = append(args, out, "--work", work)
	cmd, _ := play(t, nil, args...)
	must.Do(t, cmd.Start())
	for began := time.Now(); time.Since(began) < time.Minute; time.Sleep(time.Millisecond) {
		if placed, _ := filepath.Glob(filepath.Join(work, "placed-*.piece")); len(placed) > 0 {
			break
		}
	}
	_ = cmd.Process.Signal(syscall.SIGKILL)
	if cmd.Wait() == nil {
		t.Fatal("the run ended before it was killed")
	}
	if end := mustCall(t, args...); !strings.Contains(end.stdout, "of 20,000 documents were placed before, in "+work) {
		t.Errorf("no block was taken:\n%s", end.stdout)
	}
	sameFiles(t, want, out, "clusters.csv", "embedding.npy", "embedding2d.npy", modelName)
}

// TestInterruptedWork: a run that a signal stops keeps what is finished, ends with 130, and goes
// on.
func TestInterruptedWork(t *testing.T) {
	dir := t.TempDir()
	file, work := texts(t, dir, 100), filepath.Join(dir, "work")
	out, want := filepath.Join(dir, "out"), filepath.Join(dir, "want")
	args := []string{"cluster", file, "--method", "le", "-k", "3", "--work", work, "--out", out}
	_, run := play(t, []string{stageEnv + "=eigen", whenEnv + "=" + filepath.Join(dir, "when"), sendEnv + "=15"}, args...)
	if r := run(); r.status != exitInterrupted {
		t.Fatalf("status %d, %s", r.status, r.stderr)
	}
	r := mustCall(t, args...)
	if !strings.Contains(r.stdout, "The graph is the finished one in "+work) {
		t.Errorf("the graph was made again:\n%s", r.stdout)
	}
	mustCall(t, "cluster", file, "--method", "le", "-k", "3", "--quiet", "--out", want)
	sameFiles(t, want, out, "clusters.csv", "embedding.npy")
}

// TestInterruptedKeeps: the sentence of an interrupt names what --work keeps, of ranks too, and of
// a folder without anything says that nothing was saved. The same command goes on.
func TestInterruptedKeeps(t *testing.T) {
	dir := t.TempDir()
	file := texts(t, dir, 100)
	for _, ranks := range []string{"1", "2"} {
		work, out := filepath.Join(dir, "work"+ranks), filepath.Join(dir, "out"+ranks)
		args := []string{"cluster", file, "--method", "le", "-k", "3", "--ranks", ranks, "--work", work, "--out", out}
		at := func(stage string) string {
			_, run := play(t, []string{stageEnv + "=" + stage, whenEnv + "=" + filepath.Join(dir, "when"), sendEnv + "=15"}, args...)
			r := run()
			if r.status != exitInterrupted {
				t.Fatalf("%s ranks, %s: status %d, %s", ranks, stage, r.status, r.stderr)
			}
			return r.stderr
		}
		if said := at("read"); !strings.Contains(said, "nothing was saved") || strings.Contains(said, work) {
			t.Errorf("%s ranks, before anything was finished: %s", ranks, said)
		}
		if said := at("kmeans"); strings.Contains(said, "nothing was saved") || !strings.Contains(said, "is kept in "+work+": the same command goes on from there") {
			t.Errorf("%s ranks, with pieces: %s", ranks, said)
		}
		_, again := play(t, nil, args...)
		if r := again(); r.status != exitDone || !strings.Contains(r.stdout, "The graph is the finished one in "+work) {
			t.Errorf("%s ranks: status %d, the graph was made again:\n%s%s", ranks, r.status, r.stdout, r.stderr)
		}
	}
}

// TestArrayScript runs the script of the job array as plain scripts, one for each block: the last
// one merges and clusters.
func TestArrayScript(t *testing.T) {
	shell, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash here")
	}
	if _, err := exec.LookPath("flock"); err != nil {
		t.Skip("no flock here")
	}
	dir := t.TempDir()
	file, out, want := texts(t, dir, 100), filepath.Join(dir, "array"), filepath.Join(dir, "want")
	for _, block := range []string{"2", "3", "1"} {
		cmd, run := play(t, nil)
		cmd.Env = append(cmd.Env, "EIGENMAP="+cmd.Path, "SLURM_CPUS_PER_TASK=1", "SLURM_ARRAY_TASK_ID="+block, "SLURM_ARRAY_TASK_COUNT=3")
		cmd.Args = []string{shell, filepath.Join("..", "..", "docker", "cluster-array.slurm"), file, "3", out, "--neighbors", "9"}
		cmd.Path = shell
		if r := run(); r.status != exitDone {
			t.Fatalf("block %s: status %d\n%s", block, r.status, r.stderr)
		}
	}
	mustCall(t, "cluster", file, "--method", "le", "-k", "3", "--neighbors", "9", "--out", want, "--quiet")
	sameFiles(t, want, filepath.Join(out, "result"), "clusters.csv", "embedding.npy")
}
