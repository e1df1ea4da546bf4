package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// TestRunOfResults runs quietly, and finds in run.json what was run, by what and how well, and the
// same bytes at another number of threads.
func TestRunOfResults(t *testing.T) {
	dir := t.TempDir()
	file := texts(t, dir, 20)
	runs := map[string]string{"cluster": filepath.Join(dir, "clustered"), "embed": filepath.Join(dir, "embedded"), "graph": filepath.Join(dir, "graph"), "predict": filepath.Join(dir, "placed")}
	mustCall(t, "cluster", file, "-k", "3", "--seed", "7", "--quiet", "--out", runs["cluster"])
	mustCall(t, "embed", file, "--method", "le", "-d", "2", "--seed", "7", "--quiet", "--out", runs["embed"])
	mustCall(t, "graph", file, "--quiet", "--out", runs["graph"])
	mustCall(t, "predict", runs["cluster"], file, "--quiet", "--out", runs["predict"])
	scores := struct{ Metrics json.RawMessage }{}
	must.Do(t, json.Unmarshal([]byte(mustCall(t, "cluster", file, "-k", "3", "--seed", "7", "--json").stdout), &scores))
	again := filepath.Join(dir, "again")
	mustCall(t, "predict", runs["cluster"], file, "--quiet", "--threads", "1", "--out", again)
	if a, b := readFile(t, filepath.Join(again, "run.json")), readFile(t, filepath.Join(runs["predict"], "run.json")); a != b {
		t.Errorf("run.json of two equal runs:\n%s\n%s", a, b)
	}
	for command, out := range runs {
		text := readFile(t, filepath.Join(out, "run.json"))
		var run struct {
			Command, Method, File string
			Documents, Scored     int
			Clusters              int
			Seed                  *uint64
			Metrics               json.RawMessage
			Notes                 []string
			Versions              struct{ Platform, Backend string }
		}
		if err := json.Unmarshal([]byte(text), &run); err != nil {
			t.Fatalf("%s: %v", command, err)
		}
		if run.Command != command || run.File != file || run.Documents != 60 || run.Versions.Backend == "" || run.Versions.Platform == "" {
			t.Errorf("%s: run.json has %+v", command, run)
		}
		if !slices.ContainsFunc(run.Notes, func(note string) bool { return strings.HasPrefix(note, "Text: ") }) {
			t.Errorf("%s: run.json has the notes %q", command, run.Notes)
		}
		if seeded := command == "cluster" || command == "embed"; seeded != (run.Seed != nil) || seeded && *run.Seed != 7 {
			t.Errorf("%s: run.json has the seed %v", command, run.Seed)
		}
		if command == "cluster" && (run.Clusters != 3 || run.Scored != 60 || compact(t, run.Metrics) != compact(t, scores.Metrics)) {
			t.Errorf("run.json has %d clusters and the scores %s of %d documents, and --json %s", run.Clusters, run.Metrics, run.Scored, scores.Metrics)
		}
	}
}

// compact is JSON without blanks between its parts.
func compact(t *testing.T, text []byte) string {
	t.Helper()
	var b bytes.Buffer
	must.Do(t, json.Compact(&b, text))
	return b.String()
}

// TestKilledAtEveryRename kills the program before every change of a name in --out, where an
// earlier run's results lie. What is left is the results of one run, or predict and eval refuse
// it and say how to go on; the same command again makes it whole.
func TestKilledAtEveryRename(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program several times for every step")
	}
	dir := t.TempDir()
	file := texts(t, dir, 10)
	first, second := filepath.Join(dir, "first"), filepath.Join(dir, "second")
	plsa := []string{"cluster", file, "--method", "plsa", "-k", "3", "--labeled-fraction", "0.3", "--threads", "1", "--quiet", "--out"}
	le := []string{"cluster", file, "--method", "le", "-k", "2", "--threads", "1", "--quiet", "--out"}
	mustCall(t, append(plsa, first)...)
	mustCall(t, append(le, second)...)
	verdicts := map[string]int{}
	for n := 0; ; n++ {
		out := filepath.Join(t.TempDir(), "out")
		must.Do(t, os.CopyFS(out, os.DirFS(first)))
		cmd, run := play(t, []string{killEnv + "=" + strconv.Itoa(n)}, append(le, out)...)
		r := run()
		if r.status >= 0 && r.status != exitDone || n > 100 {
			t.Fatalf("step %d: status %d, %s", n, r.status, r.stderr)
		}
		predicted := call("predict", filepath.Join(out, modelName), file)
		compared := call("eval", file, filepath.Join(out, "clusters.csv"))
		if predicted.status != compared.status {
			t.Errorf("step %d: predict ends with %d and eval with %d", n, predicted.status, compared.status)
		}
		if predicted.status == exitRequest {
			checkSentence(t, predicted, "do not belong to one run")
			checkSentence(t, compared, "run again")
			verdicts["refused"]++
		} else {
			ofFirst, ofSecond := sameResults(t, out, first), sameResults(t, out, second)
			if !ofFirst && !ofSecond {
				t.Errorf("step %d: the folder holds files of two runs and is not refused", n)
			}
			if verdicts["earlier"]++; ofSecond {
				verdicts["new"]++
				verdicts["earlier"]--
			}
		}
		if cmd.ProcessState.ExitCode() == exitDone {
			break
		}
		mustCall(t, append(le, out)...)
		if !sameResults(t, out, second) || leftovers(t, out) != nil {
			t.Errorf("step %d: the same command again did not make the folder whole", n)
		}
	}
	t.Logf("%v", verdicts)
	if verdicts["earlier"] == 0 || verdicts["new"] == 0 || verdicts["refused"] == 0 {
		t.Errorf("some outcome did not occur: %v", verdicts)
	}
}

// sameResults says whether two folders hold results of the same names, with the same clusters and
// settings but for comments.
func sameResults(t *testing.T, a, b string) bool {
	t.Helper()
	names := func(dir string) (list []string) {
		entries := must.Get(os.ReadDir(dir))(t)
		for _, e := range entries {
			if !strings.HasPrefix(e.Name(), ".") && e.Name() != "run.json" {
				list = append(list, e.Name())
			}
		}
		return list
	}
	if !slices.Equal(names(a), names(b)) {
		return false
	}
	for _, name := range []string{"clusters.csv", "config.yaml"} {
		if readFile(t, filepath.Join(a, name)) != readFile(t, filepath.Join(b, name)) {
			return false
		}
	}
	return true
}

// TestEditedResults: a file of a folder of results that a person has changed is refused with a way
// to go on, which works; results of a version without manifests are read.
func TestEditedResults(t *testing.T) {
	dir := t.TempDir()
	file, out := texts(t, dir, 10), filepath.Join(dir, "out")
	mustCall(t, "cluster", file, "--method", "le", "--out", out)
	clusters, model := filepath.Join(out, "clusters.csv"), filepath.Join(out, modelName)
	mustCall(t, "eval", file, clusters)
	text := readFile(t, clusters)
	write(t, out, "clusters.csv", strings.Replace(text, ",0,", ",1,", 1))
	for _, r := range []result{call("eval", file, clusters), call("eval", clusters, clusters), call("predict", model, file), call("info", model),
		call("cluster", filepath.Join(out, "embedding.npy"), "--method", "kmeans", "-k", "3"),
		call("cluster", file, "--method", "semi-le", "--labels", clusters), call("cluster", file, "--method", "le", "--truth", clusters)} {
		if r.status != exitRequest {
			t.Errorf("status %d, want %d", r.status, exitRequest)
		}
		checkSentence(t, r, "clusters.csv is not the file that run.json lists")
		checkSentence(t, r, "copy the file to another folder")
	}
	mustCall(t, "eval", file, write(t, dir, "copy.csv", readFile(t, clusters)))
	mustCall(t, "eval", file, write(t, out, "mine.csv", readFile(t, clusters))) // no file of the run
	must.Do(t, os.Remove(filepath.Join(out, "run.json")))
	mustCall(t, "eval", file, clusters)
	mustCall(t, "predict", model, file)
}

// TestInputIsNotWrittenOver: what a command reads is not replaced by what it writes, under whatever
// name, and results do not go into a folder of documents.
func TestInputIsNotWrittenOver(t *testing.T) {
	dir := t.TempDir()
	file, out := texts(t, dir, 10), filepath.Join(dir, "out")
	mustCall(t, "cluster", file, "--method", "le", "--out", out)
	in := func(name string) string { return filepath.Join(out, name) }
	link, hard := filepath.Join(dir, "link.npy"), filepath.Join(dir, "hard.csv")
	folderLink, modelLink := filepath.Join(dir, "linked"), filepath.Join(dir, "m.npz")
	for from, to := range map[string]string{link: in("embedding.npy"), folderLink: out, modelLink: in(modelName)} {
		if err := os.Symlink(to, from); err != nil {
			t.Skip("no symbolic links here: ", err)
		}
	}
	if err := os.Link(in("clusters.csv"), hard); err != nil {
		t.Skip("no hard links here: ", err)
	}
	folder := filepath.Join(dir, "texts")
	must.Do(t, os.MkdirAll(filepath.Join(folder, "a"), 0o777))
	write(t, folder, "a/1.txt", "some words about boats")
	write(t, folder, "a/2.txt", "some words about cars")
	write(t, dir, "x.labels.csv", "id,label\n1,a\n")
	mine := filepath.Join(dir, "mine")
	must.Do(t, os.Mkdir(mine, 0o777))
	lines := readFile(t, file)
	write(t, mine, "clusters.csv", lines)
	others := strings.ReplaceAll(lines, `"doc-`, `"other-`)
	write(t, mine, "x.npz", others)
	list := write(t, dir, "corpus.list", "mine/clusters.csv\nmine/x.npz\n")
	files := write(t, dir, "files.txt", "# files\nmine/clusters.csv\n")
	before := fingerprint(t, out)
	for _, args := range [][]string{
		{"cluster", list, "--method", "kmeans", "-k", "2", "--out", mine},
		{"cluster", files, "--method", "kmeans", "-k", "2", "--out", mine, "--input-format", "list"},
		{"predict", modelLink, list, "--out", mine},
		{"convert", list, filepath.Join(mine, "x.npz")},
		{"cluster", in("embedding.npy"), "--method", "kmeans", "-k", "2", "--out", out},
		{"cluster", link, "--method", "kmeans", "-k", "2", "--out", out},
		{"cluster", in("embedding.npy"), "--method", "kmeans", "-k", "2", "--out", folderLink},
		{"cluster", file, "--method", "semi-le", "--labels", in("clusters.csv"), "--out", out},
		{"cluster", file, "--method", "le", "--truth", hard, "--out", out},
		{"cluster", file, "--method", "cle", "--constraints", hard, "--out", out},
		{"cluster", "--config", in("config.yaml"), "--out", out},
		{"embed", in("embedding.npy"), "--method", "pca", "-d", "2", "--out", out},
		{"predict", in(modelName), file, "--out", out},
		{"predict", modelLink, file, "--out", out},
		{"cluster", folder, "--method", "kmeans", "-k", "2", "--out", filepath.Join(folder, "new", "out")},
		{"cluster", folder, "--method", "kmeans", "-k", "2", "--out", folder},
		{"graph", folder, "--out", filepath.Join(folder, "out")},
		{"convert", folder, filepath.Join(folder, "counts.npz")},
		{"convert", in("embedding.npy"), filepath.Join(dir, "x.mtx"), "--truth", filepath.Join(dir, "x.labels.csv")},
	} {
		r := call(args...)
		if r.status != exitRequest {
			t.Errorf("%v: status %d, want %d", args, r.status, exitRequest)
		}
		checkSentence(t, r, "choose another")
		if after := fingerprint(t, out); after != before {
			t.Fatalf("%v: the folder changed:\n%s\n%s", args, before, after)
		}
	}
	if readFile(t, filepath.Join(mine, "clusters.csv")) != lines || readFile(t, filepath.Join(mine, "x.npz")) != others {
		t.Error("a file that a list names was written over")
	}
	if _, err := os.Stat(filepath.Join(folder, "new")); err == nil {
		t.Error("a folder was made in the folder of documents")
	}
	mustCall(t, "cluster", in("embedding.npy"), "--method", "kmeans", "-k", "2", "--out", filepath.Join(dir, "other"))
}

// TestForeignFilesAreNamed: what others have put into --out stays, and one note names it.
func TestForeignFilesAreNamed(t *testing.T) {
	dir := t.TempDir()
	file, out := texts(t, dir, 10), filepath.Join(dir, "out")
	mustCall(t, "cluster", file, "--method", "kmeans", "-k", "3", "--out", out)
	write(t, out, "thesis.txt", "of a person")
	r := mustCall(t, "cluster", file, "--method", "le", "-k", "3", "--out", out)
	if strings.Count(r.stdout, "thesis.txt") != 1 || !strings.Contains(r.stdout, "files of others, which stay") {
		t.Errorf("the table does not name the file:\n%s", r.stdout)
	}
	if readFile(t, filepath.Join(out, "thesis.txt")) != "of a person" {
		t.Error("the file is gone")
	}
}
