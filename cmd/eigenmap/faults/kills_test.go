package faults

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/internal/must"
)

// examples is a corpus of 5,971 documents, which a run takes seconds for.
const examples = "../../../examples/debian/packages.jsonl.gz"

// long is the corpus of the same texts, each 100 times, which takes seconds to read: it is made by
// the test.
const long = "long.jsonl.gz"

// resumed are runs that are killed and resumed; the first word is the corpus if it is not examples.
// The short form of the test takes the first two.
var resumed = [][]string{
	{"--method", "le"},
	{"--method", "gmm", "--em-restarts", "3"},
	{"--method", "kmeans"},
	{"--method", "nmf"},
	{"--method", "lapgmm"},
	{"--method", "cle", "--labeled-fraction", "0.05"},
	{"--method", "semi-le", "--labeled-fraction", "0.05"},
	{"--method", "le", "--graph-kind", "complete"},
	{"--method", "lsi", "--dims", "200"},
	{"--method", "plsa", "--kind", "aspect"},
	{long, "--method", "kmeans", "--restarts", "2"},
	{"--method", "isomap", "--landmarks", "1500"},
}

// environment is the whole number in a variable, or the standard value.
func environment(t *testing.T, name string, standard uint64) uint64 {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return standard
	}
	v, err := strconv.ParseUint(text, 10, 32)
	if err != nil {
		t.Fatalf("%s is %q: give a whole number", name, text)
	}
	return v
}

// TestKilledAndResumed kills runs with --work at random moments of all stages. The same command
// then gives the bytes of an undisturbed run, whatever the kill left, and whatever happened to the
// pieces since.
//
// EIGENMAP_KILLS is the number of kills of each method and EIGENMAP_SEED the first seed: `make
// test-kills` sets 40.
func TestKilledAndResumed(t *testing.T) {
	kills := int(environment(t, "EIGENMAP_KILLS", 0))
	runs := resumed
	if kills == 0 {
		kills, runs = 3, resumed[:2]
	}
	seed := environment(t, "EIGENMAP_SEED", 19)
	other := stranger(t)
	for i, flags := range runs {
		t.Run(strings.Join(flags, " "), func(t *testing.T) {
			k := &killing{corpus: examples, flags: flags, seed: seed + uint64(i), stranger: other}
			if flags[0] == long {
				k.corpus, k.flags = longer(t), flags[1:]
			}
			k.random = rand.New(rand.NewPCG(k.seed, 40))
			k.undisturbed(t)
			for n := range kills {
				k.kill(t, n, kills)
			}
			k.signal(t, syscall.SIGTERM)
			k.signal(t, syscall.SIGUSR1)
			k.report(t, kills)
		})
	}
}

// killing is a command that is killed again and again.
type killing struct {
	corpus   string
	flags    []string
	seed     uint64
	random   *rand.Rand
	stranger string // pieces of other documents
	want     string // results of an undisturbed run
	files    []string
	first    time.Duration // of an undisturbed run, which the bounds belong to
	whole    time.Duration // of the shortest run so far: the machine may have become faster
	bounds   []bound
	work     string // folder of the last killed run, "" if the run after it is over

	stages           map[string]int // kills by stage
	late             int            // runs that were over before their kill
	hurt             map[string]int // pieces by what was done to them
	refused          int            // pieces that the resumed run refused
	longest, fastest time.Duration  // of the resumed runs
	stop             time.Duration  // longest time from a signal to the end
}

// bound is the end of a stage, counted from the start of the process.
type bound struct {
	stage string
	end   time.Duration
}

// stagesInOrder are the stages of all methods here.
var stagesInOrder = []string{"read", "weights", "svd", "graph", "paths", "mixture", "nmf", "plsa", "eigen", "kmeans", "confidence", "metrics", "write"}

func (k *killing) args(work, out string) []string {
	args := append([]string{"cluster", k.corpus, "-k", "12", "--threads", "2", "--out", out, "--json", "--quiet"}, k.flags...)
	if work != "" {
		args = append(args, "--work", work)
	}
	return args
}

// undisturbed makes the results of runs without and with --work. What they have in common is what
// a resumed run must give.
func (k *killing) undisturbed(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	k.want, k.stages, k.hurt = filepath.Join(dir, "want"), map[string]int{}, map[string]int{}
	plain := filepath.Join(dir, "plain")
	if o := (trial{fault: "kills: undisturbed", args: k.args("", plain), out: plain}).run(t); o.status != done {
		t.Fatalf("status %d\n%s", o.status, o.stderr)
	}
	o := trial{fault: "kills: undisturbed", args: k.args(filepath.Join(dir, "work"), k.want), out: k.want}.run(t)
	if o.status != done {
		t.Fatalf("status %d\n%s", o.status, o.stderr)
	}
	var said struct {
		Timings map[string]float64 `json:"timings"`
	}
	if err := json.Unmarshal([]byte(o.stdout), &said); err != nil {
		t.Fatalf("%v in %s", err, shortened(o.stdout))
	}
	k.first, k.whole = o.took, o.took
	at := o.took - seconds(said.Timings["total"])
	k.bounds = []bound{{"start", at}}
	for _, s := range stagesInOrder {
		at += seconds(said.Timings[s])
		k.bounds = append(k.bounds, bound{s, at})
	}
	for _, name := range []string{"clusters.csv", "embedding.npy", "model.npz", "scatter.png"} {
		if _, err := os.Stat(filepath.Join(k.want, name)); err == nil {
			k.files = append(k.files, name)
		}
	}
	if !slices.Contains(k.files, "clusters.csv") || !slices.Contains(k.files, "model.npz") {
		t.Fatalf("the run wrote %v", k.files)
	}
	k.same(t, plain)
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// same fails the test if the results differ from the undisturbed ones.
func (k *killing) same(t *testing.T, out string) {
	t.Helper()
	for _, name := range k.files {
		x := must.Get(os.ReadFile(filepath.Join(k.want, name)))(t)
		if y, err := os.ReadFile(filepath.Join(out, name)); err != nil || !bytes.Equal(x, y) {
			t.Errorf("%s of the resumed run has %d bytes that are not the %d of the undisturbed one (%v)", name, len(y), len(x), err)
		}
	}
}

// kill kills a run in the n-th of as many parts of its time, and lets another one end the work. The
// run after every fourth kill is killed too.
func (k *killing) kill(t *testing.T, n, of int) {
	t.Helper()
	if k.work == "" {
		k.work = filepath.Join(t.TempDir(), "work")
	}
	out := filepath.Join(t.TempDir(), "out")
	share := (float64(n) + k.random.Float64()) / float64(of)
	after, stage := time.Duration(share*float64(k.whole)), k.stageAt(time.Duration(share*float64(k.first)))
	o := trial{fault: "kills", args: k.args(k.work, out), out: out, mayDie: true, onRun: func(cmd *exec.Cmd) {
		time.Sleep(after)
		syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}}.run(t)
	if o.end() != "killed" {
		k.late++
		k.whole = min(k.whole, o.took)
	} else {
		k.stages[stage]++
	}
	if n%4 == 1 && n+1 < of {
		return
	}
	changed := ""
	if n%3 == 2 {
		changed = k.damage(t)
	}
	o = trial{fault: "kills: resumed", args: k.args(k.work, out), out: out}.run(t)
	if o.status != done {
		t.Errorf("killed after %v, %s: status %d\n%s", after, changed, o.status, o.stderr)
	}
	k.refused += strings.Count(o.stdout, "the piece is refused")
	k.longest = max(k.longest, o.took)
	if k.fastest == 0 || o.took < k.fastest {
		k.fastest = o.took
	}
	k.same(t, out)
	if left, _ := filepath.Glob(filepath.Join(k.work, ".*.tmp")); len(left) > 0 {
		t.Errorf("left behind in the folder of pieces: %v", left)
	}
	if t.Failed() {
		t.Fatalf("seed %d, kill %d after %v in stage %s; pieces: %s", k.seed, n, after, stage, changed)
	}
	os.RemoveAll(k.work)
	k.work = ""
}

// signal stops a run by a signal at a random moment: status 130, and the same command ends the
// work.
func (k *killing) signal(t *testing.T, s syscall.Signal) {
	t.Helper()
	work, out := filepath.Join(t.TempDir(), "work"), filepath.Join(t.TempDir(), "out")
	after := time.Duration((0.2 + 0.7*k.random.Float64()) * float64(k.whole))
	o := trial{fault: "kills: signals", args: k.args(work, out), out: out, onRun: func(cmd *exec.Cmd) {
		time.Sleep(after)
		cmd.Process.Signal(s)
	}}.run(t)
	if o.status != interrupted && o.status != done {
		t.Errorf("%v after %v: status %d\n%s", s, after, o.status, o.stderr)
	}
	if o.status == interrupted {
		k.stop = max(k.stop, o.took-after)
	}
	if k.stop > 10*time.Second {
		t.Errorf("%v after %v: it went on for %v", s, after, k.stop)
	}
	if o = (trial{fault: "kills: resumed", args: k.args(work, out), out: out}).run(t); o.status != done {
		t.Errorf("%v after %v, then status %d\n%s", s, after, o.status, o.stderr)
	}
	k.same(t, out)
}

func (k *killing) stageAt(after time.Duration) string {
	for _, b := range k.bounds {
		if after < b.end {
			return b.stage
		}
	}
	return "write"
}

// damage changes a piece: a byte of it, its end, or all of it for one of other documents.
func (k *killing) damage(t *testing.T) string {
	t.Helper()
	pieces := piecesIn(t, k.work)
	if len(pieces) == 0 {
		return ""
	}
	// The newest is the one that the resumed run wants.
	slices.SortFunc(pieces, func(a, b string) int { return modified(t, a).Compare(modified(t, b)) })
	path := pieces[len(pieces)-1]
	if k.random.IntN(3) == 0 {
		path = pieces[k.random.IntN(len(pieces))]
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	what := [...]string{"a byte", "cut", "foreign", "empty"}[k.random.IntN(4)]
	switch what {
	case "a byte":
		text[k.random.IntN(len(text))] ^= 1 << k.random.IntN(8)
	case "cut":
		text = text[:k.random.IntN(len(text))]
	case "empty":
		text = nil
	default:
		if text, err = os.ReadFile(k.stranger); err != nil {
			t.Fatal(err)
		}
	}
	must.Do(t, os.WriteFile(path, text, 0o644))
	k.hurt[what]++
	return what + " of " + filepath.Base(path)
}

func modified(t *testing.T, path string) time.Time {
	t.Helper()
	info := must.Get(os.Stat(path))(t)
	return info.ModTime()
}

// piecesIn lists the files of a folder of pieces but its header.
func piecesIn(t *testing.T, work string) (list []string) {
	t.Helper()
	entries, err := os.ReadDir(work)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	for _, e := range entries {
		if name := e.Name(); !strings.HasPrefix(name, ".") && name != "work.json" {
			list = append(list, filepath.Join(work, name))
		}
	}
	return list
}

func (k *killing) report(t *testing.T, kills int) {
	t.Helper()
	var stages []string
	for _, b := range k.bounds {
		if n := k.stages[b.stage]; n > 0 {
			stages = append(stages, fmt.Sprintf("%s %d", b.stage, n))
		}
	}
	t.Logf("kills: %s: seed %d, %d kills in %v (%s), %d too late; all results equal; damaged pieces %v, %d refused; resumed runs %v to %v; %v from a signal to the end",
		strings.Join(k.flags[1:], " "), k.seed, kills, k.first.Round(time.Millisecond), strings.Join(stages, ", "), k.late,
		k.hurt, k.refused, k.fastest.Round(time.Millisecond), k.longest.Round(time.Millisecond), k.stop.Round(time.Millisecond))
	if k.late == kills {
		t.Errorf("all %d runs were over before their kill", kills)
	}
}

// longer makes the long corpus.
func longer(t *testing.T) string {
	t.Helper()
	f := must.Get(os.Open(examples))(t)
	defer f.Close()
	unpacked := must.Get(gzip.NewReader(f))(t)
	var text bytes.Buffer
	packed := gzip.NewWriter(&text)
	from, to := json.NewDecoder(unpacked), json.NewEncoder(packed)
	for {
		var document map[string]any
		if err := from.Decode(&document); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		document["text"] = strings.Repeat(document["text"].(string)+"\n", 100)
		must.Do(t, to.Encode(document))
	}
	must.Do(t, packed.Close())
	path := filepath.Join(t.TempDir(), long)
	write(t, path, text.String())
	return path
}

// stranger makes a piece of other documents, and checks that a whole folder of them is refused.
func stranger(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	file, work := filepath.Join(dir, "texts.jsonl"), filepath.Join(dir, "work")
	write(t, file, corpusOf(30))
	if o := (trial{fault: "kills: other documents", args: []string{"cluster", file, "--method", "le", "-k", "3", "--quiet", "--work", work}}).run(t); o.status != done {
		t.Fatalf("status %d\n%s", o.status, o.stderr)
	}
	pieces := piecesIn(t, work)
	if len(pieces) == 0 {
		t.Fatal("there are no pieces")
	}
	o := trial{fault: "kills: other documents", args: []string{"cluster", examples, "--method", "le", "-k", "12", "--quiet", "--work", work}}.run(t)
	if o.status != refused || !strings.Contains(o.stderr, "other documents") {
		t.Errorf("a folder of other documents: status %d, %s", o.status, o.stderr)
	}
	if left := piecesIn(t, work); !slices.Equal(left, pieces) {
		t.Errorf("the folder that was refused has %v and had %v", left, pieces)
	}
	return pieces[0]
}
