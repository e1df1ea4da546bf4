package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/race"
	"github.com/eigenmap/eigenmap/progress"
)

// standIn makes a folder with a corpus that stands in for TDT2.mat: 30 classes of 12 documents. Its
// format is reported by its content.
func standIn(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	rng := rand.New(rand.NewPCG(7, 7))
	var b strings.Builder
	for class := 1; class <= 30; class++ {
		for range 12 {
			fmt.Fprintf(&b, "%d", class)
			for term := range 12 {
				own := 20*class + term
				if rng.IntN(2) == 0 {
					fmt.Fprintf(&b, " %d:%d", own, 1+rng.IntN(3))
				}
			}
			fmt.Fprintf(&b, " %d:1 %d:1\n", 700+rng.IntN(5), 710+rng.IntN(5))
		}
	}
	counts := filepath.Join(dir, "counts.npz")
	mustCall(t, "convert", write(t, dir, "counts.svm", b.String()), counts)
	must.Do(t, os.Rename(counts, filepath.Join(dir, "TDT2.mat")))
	return dir
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	text := must.Get(os.ReadFile(path))(t)
	return string(text)
}

// undisturbed returns the CSV of a run that nothing stops.
func undisturbed(t *testing.T, args ...string) string {
	t.Helper()
	out := t.TempDir()
	mustCall(t, append(args, "--out", out)...)
	return readFile(t, filepath.Join(out, "cle-table3.csv"))
}

func TestReproduceLists(t *testing.T) {
	data := standIn(t)
	r := mustCall(t, "reproduce", "--data", data)
	for _, want := range []string{"cle/table3", "cle/table4", "cle/figure1", "TDT2.mat, found", "Reuters21578.mat, not in", "needs two moons (drawn by the program)"} {
		if !strings.Contains(r.stdout, want) {
			t.Errorf("%q is not in\n%s", want, r.stdout)
		}
	}
	list := mustCall(t, "reproduce", "--json").object(t)["tables"].([]any)
	if first := list[0].(map[string]any); first["table"] != "cle/table3" || first["file"] != "TDT2.mat" || first["found"] != nil {
		t.Errorf("%v", first)
	}
}

func TestReproduceRefuses(t *testing.T) {
	data := standIn(t)
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"cle/table9"}, []string{"cle/table9", "cle/table3"}},
		{[]string{"cle/table3"}, []string{"TDT2.mat", "--data"}},
		{[]string{"cle/table4", "--data", data}, []string{"Reuters21578.mat", data, "--data"}},
		{[]string{"all", "--data", data}, []string{"Reuters21578.mat"}},
		{[]string{"cle/table3", "--data", data, "--rows", "7"}, []string{`"7"`, "2, 3, 4, 5, 6"}},
		{[]string{"cle/table3", "--data", data, "--methods", "svm"}, []string{`"svm"`, "kmeans"}},
		{[]string{"lapgmm/table3", "--data", data, "--cases", "9"}, []string{"lapgmm/table3 has no use for --cases", "leave it out"}},
		{[]string{"lapgmm", "--data", data, "--cases", "9"}, []string{"no use for --cases"}},
		{[]string{"all", "--data", data, "--cases", "9"}, []string{"Reuters21578.mat"}}, // some draw labels
		{[]string{"cle/table3", "--data", data, "--tests", "0"}, []string{"--tests"}},
	} {
		r := call(append([]string{"reproduce"}, c.args...)...)
		if r.status != exitRequest {
			t.Errorf("%v: status %d", c.args, r.status)
		}
		for _, want := range c.want {
			checkSentence(t, r, want)
		}
	}
}

// TestReproduceOfSeveral: of a table of several corpora only the corpora of the rows asked for are
// needed, and the list names what is missing.
func TestReproduceOfSeveral(t *testing.T) {
	data := t.TempDir()
	checkSentence(t, call("reproduce", "lecas/table2", "--data", data, "--rows", "CNAE-9"), "there is no CNAE-9.csv in")
	if r := call("reproduce", "lecas/table2", "--data", data, "--rows", "CNAE-9"); r.status != exitRequest || strings.Contains(r.stderr, "USPS.mat") {
		t.Errorf("status %d: %s", r.status, r.stderr)
	}
	write(t, data, "USPS.mat", "")
	checkSentence(t, call("reproduce", "lecas/table2", "--data", data, "--rows", "CNAE-9"), "there is no CNAE-9.csv in")
	list := mustCall(t, "reproduce", "--data", data).stdout
	if !strings.Contains(list, "without ") || !strings.Contains(list, "whose rows would be left out") {
		t.Errorf("the list does not name what is missing:\n%s", list)
	}
	for _, e := range mustCall(t, "reproduce", "--data", data, "--json").object(t)["tables"].([]any) {
		if e := e.(map[string]any); e["table"] == "lecas/table2" && (e["found"] != false || len(e["missing"].([]any)) != 7) {
			t.Errorf("%v", e)
		}
	}
}

func TestReproduceWritesTables(t *testing.T) {
	data, out := standIn(t), filepath.Join(t.TempDir(), "new", "out")
	args := []string{"reproduce", "cle/table3", "--data", data, "--tests", "2", "--cases", "1", "--rows", "2,3", "--methods", "kmeans,le"}
	r := mustCall(t, append(args, "--out", out)...)
	for _, ending := range []string{".txt", ".csv", ".json", ".png", ".svg"} {
		if path := filepath.Join(out, "cle-table3"+ending); readFile(t, path) == "" || !strings.Contains(r.stdout, path) {
			t.Errorf("%s is empty or not told", path)
		}
	}
	if text := readFile(t, filepath.Join(out, "cle-table3.txt")); !strings.Contains(r.stdout, text) {
		t.Errorf("the table printed is not the one written:\n%s\n%s", r.stdout, text)
	}
	if left := leftovers(t, out); left != nil {
		t.Errorf("left behind: %v", left)
	}
	if csv := undisturbed(t, append(args, "--threads", "1")...); csv != readFile(t, filepath.Join(out, "cle-table3.csv")) {
		t.Error("one thread gave another table")
	}
	v := mustCall(t, append(args, "--json", "--out", out)...).object(t)
	if v["table"] != "cle/table3" || v["cells"] != 8.0 || v["cells_computed"] != 0.0 || v["versions"] == nil || v["seconds_of_one_thread"] == 0.0 {
		t.Errorf("%v", v)
	}
	r = call(append(args, "--seed", "3", "--out", out)...)
	if r.status != exitRequest {
		t.Errorf("another seed: status %d", r.status)
	}
	checkSentence(t, r, "--fresh")
	mustCall(t, append(args, "--seed", "3", "--fresh", "--out", out)...)
}

// A table in --out is not written over by one that lacks some of its rows, methods or draws.
func TestReproduceKeepsTables(t *testing.T) {
	data, out := standIn(t), t.TempDir()
	args := []string{"reproduce", "cle/table3", "--data", data, "--out", out, "--cases", "1"}
	with := func(more ...string) []string { return append(slices.Clone(args), more...) }
	mustCall(t, with("--tests", "2", "--rows", "2,3", "--methods", "kmeans")...)
	csv := readFile(t, filepath.Join(out, "cle-table3.csv"))
	for _, c := range []struct {
		more []string
		want string
	}{
		{[]string{"--tests", "2", "--rows", "3", "--methods", "kmeans"}, "has the row 2, which --rows leaves out"},
		{[]string{"--tests", "2", "--rows", "2,3", "--methods", "le"}, "has the method kmeans, which --methods leaves out"},
		{[]string{"--tests", "1", "--rows", "2,3", "--methods", "kmeans"}, "is of 2 tests, and this would be of 1"},
	} {
		r := call(with(c.more...)...)
		if r.status != exitRequest || readFile(t, filepath.Join(out, "cle-table3.csv")) != csv {
			t.Errorf("%v: status %d, or the table was written over", c.more, r.status)
		}
		checkSentence(t, r, c.want)
		checkSentence(t, r, "--fresh")
	}
	mustCall(t, with("--tests", "2", "--rows", "2,3", "--methods", "kmeans,lsi")...) // more
	mustCall(t, with("--tests", "1", "--rows", "3", "--methods", "kmeans", "--fresh")...)
}

// The program is killed at random moments and started again until it is done.
func TestReproduceSurvivesKill(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program many times")
	}
	data, out := standIn(t), t.TempDir()
	args := []string{"reproduce", "cle/table3", "--data", data, "--tests", "4", "--cases", "2"}
	want := undisturbed(t, args...)
	args = append(args, "--out", out)
	killed := 0
	for delay := 60 * time.Millisecond; ; delay += delay / 8 {
		cmd, _ := play(t, nil, args...)
		must.Do(t, cmd.Start())
		kill := time.AfterFunc(delay/2+rand.N(delay), func() { cmd.Process.Signal(syscall.SIGKILL) })
		err := cmd.Wait()
		kill.Stop()
		if err == nil {
			break
		}
		if cmd.ProcessState.ExitCode() >= 0 {
			t.Fatalf("after %d kills: %v", killed, err)
		}
		killed++
	}
	t.Logf("killed %d times", killed)
	if got := readFile(t, filepath.Join(out, "cle-table3.csv")); got != want {
		t.Errorf("after %d kills:\n%s\nnot\n%s", killed, got, want)
	}
}

// Ctrl-C keeps what is finished and says how to go on.
func TestReproduceInterrupted(t *testing.T) {
	data, out := standIn(t), t.TempDir()
	args := []string{"reproduce", "cle/table3", "--data", data, "--tests", "2", "--cases", "1"}
	want := ""
	if !race.On { // the interrupt alone has goroutines share memory
		want = undisturbed(t, args...)
	}
	args = append(args, "--out", out)
	for _, at := range []int64{0, 1, 9} {
		if race.On && at != 1 {
			continue
		}
		ctx, cancel := context.WithCancel(context.Background())
		r := callWatched(ctx, func(e progress.Event) {
			if e.Unit == "cells" && e.Done >= at {
				cancel()
			}
		}, args...)
		cancel()
		if r.status != exitInterrupted {
			t.Errorf("status %d\n%s", r.status, r.stderr)
		}
		checkSentence(t, r, "same command")
		checkSentence(t, r, out)
	}
	if left, _ := filepath.Glob(filepath.Join(out, "cle-table3*")); left != nil {
		t.Errorf("an unfinished table was written: %v", left)
	}
	if race.On {
		return
	}
	mustCall(t, args...)
	if got := readFile(t, filepath.Join(out, "cle-table3.csv")); got != want {
		t.Errorf("after interrupts:\n%s\nnot\n%s", got, want)
	}
}

// A real SIGINT while the cells are computed.
func TestReproduceInterruptedProcess(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program")
	}
	data, out := standIn(t), filepath.Join(t.TempDir(), "out")
	when := filepath.Join(t.TempDir(), "when")
	_, run := play(t, []string{stageEnv + "=cle-tdt2", whenEnv + "=" + when}, "reproduce", "cle/table3", "--data", data, "--quiet", "--out", out)
	r := run()
	end := time.Now()
	if r.status != exitInterrupted {
		t.Errorf("status %d\n%s", r.status, r.stderr)
	}
	checkSentence(t, r, "same command")
	var sent int64
	fmt.Sscan(readFile(t, when), &sent)
	t.Logf("stopped %v after SIGINT", end.Sub(time.Unix(0, sent)).Round(time.Millisecond))
}

// A full disk keeps what is finished and says how to go on.
func TestReproduceFullDisk(t *testing.T) {
	small := filepath.Join(t.TempDir(), "small")
	must.Do(t, os.Mkdir(small, 0o755))
	r := playOnSmallDisk(t, small, "reproduce", "cle/table3", "--data", standIn(t), "--tests", "6", "--cases", "1", "--quiet", "--out", small)
	if r.status != exitFailed {
		t.Errorf("status %d, want %d", r.status, exitFailed)
	}
	checkSentence(t, r, "no space left")
	checkSentence(t, r, "same command")
}

func TestTimeLeft(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "", time.Millisecond: ", about 1 s left", 40 * time.Second: ", about 40 s left", 10 * time.Minute: ", about 10 min left", 3 * time.Hour: ", about 3.0 h left",
	} {
		if got := timeLeft(d); got != want {
			t.Errorf("%v: %q", d, got)
		}
	}
}

// TestReproduceBlocks: blocks of a table leave no table, and the command without --block writes the
// one of a single run without computing anything.
func TestReproduceBlocks(t *testing.T) {
	args := []string{"reproduce", "cle/table3", "--data", standIn(t), "--tests", "2", "--cases", "1", "--rows", "2,3", "--methods", "kmeans,le"}
	want := undisturbed(t, args...)
	out := t.TempDir()
	args = slices.Clip(append(args, "--out", out))
	for _, block := range []string{"1/2", "2/2"} {
		r := mustCall(t, append(args, "--block", block, "--json")...).object(t)
		if r["cells"] != 4.0 || r["computed"] != 4.0 || r["blocks"] != 2.0 {
			t.Errorf("block %s: %v", block, r)
		}
		if files, _ := filepath.Glob(filepath.Join(out, "*.csv")); len(files) > 0 {
			t.Errorf("block %s wrote %v", block, files)
		}
	}
	if r := mustCall(t, append(args, "--block", "1/2")...); !strings.Contains(r.stdout, "1 of 2: 4 cells in ") || !strings.Contains(r.stdout, "without --block") {
		t.Errorf("a block that is there:\n%s", r.stdout)
	}
	r := mustCall(t, args...)
	if got := readFile(t, filepath.Join(out, "cle-table3.csv")); got != want || !strings.Contains(r.stdout, "8 of 8 cells were there already") {
		t.Errorf("the table of the blocks is another one, or was computed again:\n%s", r.stdout)
	}
	for _, c := range []struct{ args, want []string }{
		{append(args, "--block", "3/2"), []string{"--block 3/2", "counted from 1"}},
		{append(args, "--block", "2"), []string{"such as 2/8"}},
		{append(args, "--block", "1/2", "--fresh"), []string{"--fresh and --block exclude"}},
		{[]string{"reproduce", "cle/table3", "--data", standIn(t), "--block", "1/2"}, []string{"--out"}},
	} {
		r := call(c.args...)
		if r.status != exitRequest {
			t.Errorf("%v: status %d", c.args, r.status)
		}
		for _, want := range c.want {
			checkSentence(t, r, want)
		}
	}
}
