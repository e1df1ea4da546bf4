package eigenmap_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/graph"
)

// A folder holds the files of one run: the second run removes all files of the first.
func TestSecondRunLeavesNothingOfTheFirst(t *testing.T) {
	dir := t.TempDir()
	saved := save(t, cluster(t, train, options(t, "plsa", "labeled-fraction", "0.2")), dir)
	for _, name := range []string{"posterior.npy", "topics.csv", "uncertain.csv", "config.yaml", "report.html"} {
		if !slices.Contains(saved, filepath.Join(dir, name)) {
			t.Errorf("plsa did not write %s: %v", name, saved)
		}
	}
	write(t, dir, "notes.txt", "of a person")
	saved = save(t, cluster(t, train, options(t, "kmeans")), dir)
	want := []string{"notes.txt"}
	for _, path := range saved {
		want = append(want, filepath.Base(path))
	}
	slices.Sort(want)
	if got := names(t, dir); !slices.Equal(got, want) {
		t.Errorf("the folder holds %v, want %v", got, want)
	}
}

// Folders that say where a text was kept are told from classes: a note names them, and the option
// that finds the number of clusters where they gave it.
func TestFoldersThatAreNoSubjects(t *testing.T) {
	boxes, subjects := t.TempDir(), t.TempDir()
	for i := range 60 {
		name := fmt.Sprintf("%d.txt", i)
		text := []string{"ship sea harbour sailor captain", "compiler code program function bug", "oven bread flour dough yeast"}[i%3] + fmt.Sprintf(" w%d", i%7)
		for dir, folder := range map[string]string{boxes: fmt.Sprintf("box%d", i/3%2), subjects: fmt.Sprintf("subject%d", i%3)} {
			if err := os.MkdirAll(filepath.Join(dir, folder), 0o700); err != nil {
				t.Fatal(err)
			}
			write(t, filepath.Join(dir, folder), name, text)
		}
	}
	const chance = "no better than chance"
	for _, c := range []struct {
		dir         string
		pairs       []string
		told, count bool
	}{
		{boxes, nil, true, true},
		{boxes, []string{"clusters", "3"}, true, false},
		{boxes, []string{"clusters", "3", "class-folder", "first"}, false, false},
		{subjects, nil, false, false},
	} {
		opt := eigenmap.Options{Method: "kmeans"}
		for i := 0; i < len(c.pairs); i += 2 {
			set(t, &opt, c.pairs[i], c.pairs[i+1])
		}
		notes := strings.Join(cluster(t, c.dir, opt).NotesAs(func(name string) string { return name }), "\n")
		if strings.Contains(notes, chance) != c.told || strings.Contains(notes, "class-folder none") != c.told {
			t.Errorf("%s %q: %s", c.dir, c.pairs, notes)
		}
		if strings.Contains(notes, "which gave their number") != c.count {
			t.Errorf("%s %q, number: %s", c.dir, c.pairs, notes)
		}
	}
	opt := eigenmap.Options{Method: "kmeans"}
	set(t, &opt, "label-column", "none")
	_, err := eigenmap.Cluster(context.Background(), boxes, opt)
	refused(t, err, "class-folder which folder is the class, or none")
}

// Whatever a method writes, the run of another one removes: each file has its place in the list.
func TestEveryFileIsRemoved(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		method, file string
		pairs        []string
	}{
		{"semi-ldc", "soft_labels.npy", []string{"labeled-fraction", "0.2"}},
		{"spca", "directions.csv", nil},
		{"le", "embedding.npy", nil},
		{"gmm", "posterior.npy", []string{"pca", "5"}},
	} {
		saved := save(t, cluster(t, train, options(t, c.method, c.pairs...)), dir)
		if !slices.Contains(saved, filepath.Join(dir, c.file)) {
			t.Errorf("%s did not write %s: %v", c.method, c.file, saved)
		}
		if got := names(t, dir); len(got) != len(saved) {
			t.Errorf("after %s the folder holds %v, want %v", c.method, got, saved)
		}
	}
	_, err := eigenmap.Embed(context.Background(), train, options(t, "le"))
	refused(t, err, "clusters has no effect on an embedding")
	opt := eigenmap.Options{Method: "le"}
	set(t, &opt, "dims", "2")
	run := must.Get(eigenmap.Embed(context.Background(), train, opt))(t)
	run.EmbeddingAsCSV()
	save(t, run, dir)
	if got, want := names(t, dir), []string{"config.yaml", "embedding.csv", "model.npz", "run.json"}; !slices.Equal(got, want) {
		t.Errorf("the folder holds %v, want %v", got, want)
	}
	g := must.Get(eigenmap.Graph(context.Background(), train, eigenmap.Options{}, graph.Options{Neighbors: 3}))(t)
	out := must.Get(eigenmap.OpenFolder(dir))(t)
	defer out.Discard()
	if !out.Earlier {
		t.Error("results of an earlier run are not seen")
	}
	if _, err := g.SaveIn(context.Background(), out, "npz"); err != nil {
		t.Fatal(err)
	}
	if got, want := names(t, dir), []string{"affinity.npz", "config.yaml", "run.json"}; !slices.Equal(got, want) {
		t.Errorf("the folder holds %v, want %v", got, want)
	}
}

// Temporary files of killed runs go, whatever file they were to become; temporary files of others
// stay.
func TestTemporaryFilesOfKilledRunsGo(t *testing.T) {
	dir := t.TempDir()
	past := time.Now().Add(-time.Hour)
	for _, name := range []string{"topics.csv", "soft_labels.npy", "clusters.csv", "posterior.npy", "uncertain.csv", "embedding.npy",
		"embedding.csv", "directions.csv", "model.npz", "config.yaml", "scatter.png", "report.html", "affinity.npz", "affinity.mtx", "run.json", "other.csv"} {
		path := write(t, dir, "."+name+".0123abcd.tmp", "half")
		must.Do(t, os.Chtimes(path, past, past))
	}
	save(t, cluster(t, train, options(t, "kmeans")), dir)
	left := slices.DeleteFunc(names(t, dir), func(name string) bool { return !strings.HasSuffix(name, ".tmp") })
	if !slices.Equal(left, []string{".other.csv.0123abcd.tmp"}) {
		t.Errorf("left behind: %v", left)
	}
}

// A run does not remove a file that it has read, even if it has the name of a result.
func TestInputInsideTheFolderStays(t *testing.T) {
	dir := t.TempDir()
	ctx := context.Background()
	g := must.Get(eigenmap.Graph(ctx, train, eigenmap.Options{}, graph.Options{Neighbors: 5}))(t)
	out := must.Get(eigenmap.OpenFolder(dir))(t)
	if _, err := g.SaveIn(ctx, out, "npz"); err != nil {
		t.Fatal(err)
	}
	out.Discard()
	affinity := filepath.Join(dir, "affinity.npz")
	before := content(t, dir, "affinity.npz")
	save(t, cluster(t, affinity, options(t, "le", "precomputed", "true")), dir)
	if after := content(t, dir, "affinity.npz"); before == nil || string(before) != string(after) {
		t.Error("the affinity matrix that was read is gone")
	}

	labels := write(t, dir, "directions.csv", "id,label\nt01,kitchen\nt02,sky\nt03,garden\n")
	save(t, cluster(t, train, options(t, "semi-le", "labels", labels)), dir)
	if content(t, dir, "directions.csv") == nil {
		t.Error("the labels that were read are gone")
	}
	if content(t, dir, "affinity.npz") != nil {
		t.Error("the affinity matrix that was not read is still there")
	}
	save(t, cluster(t, train, options(t, "kmeans", "truth", truthOf(t, dir))), dir)
	if content(t, dir, "uncertain.csv") == nil {
		t.Error("the true labels that were read are gone")
	}
	save(t, cluster(t, train, options(t, "kmeans")), dir)
	if content(t, dir, "directions.csv") != nil || content(t, dir, "uncertain.csv") != nil {
		t.Error("files that were not read are still there")
	}
}

// truthOf writes labels of the training texts into a file with the name of a result.
func truthOf(t *testing.T, dir string) string {
	t.Helper()
	r := must.Get(eigenmap.Read(context.Background(), train, eigenmap.Options{}))(t)
	text := "id,label\n"
	for i, k := range r.Corpus.Labels {
		text += r.Corpus.ID(i) + "," + r.Corpus.ClassNames[k] + "\n"
	}
	return write(t, dir, "uncertain.csv", text)
}

// The folder is free again after Save, and one run at a time writes to it.
func TestOneRunAtATime(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "new", "result")
	run := cluster(t, train, options(t, "kmeans"))
	out, err := eigenmap.OpenFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	if second, err := eigenmap.OpenFolder(dir); err == nil {
		second.Discard()
		out.Discard()
		t.Skip("no locks here")
	} else {
		refused(t, err, "another eigenmap is writing to "+dir)
	}
	out.Discard()
	if _, err := os.Stat(filepath.Dir(dir)); err == nil {
		t.Error("empty folders are left")
	}
	save(t, run, dir)
	save(t, run, dir)
	file := write(t, t.TempDir(), "file", "")
	err = run.Save(file)
	refused(t, err, "it is a file")
}

// TestWorkInsideDocuments: finished stages never come among the documents that the next run reads.
func TestWorkInsideDocuments(t *testing.T) {
	docs := t.TempDir()
	if err := eigenmap.CheckWork(filepath.Join(docs, "work"), docs); err == nil || !strings.Contains(err.Error(), "work") {
		t.Errorf("%v", err)
	}
	for _, dir := range []string{"", docs + "-work"} {
		if err := eigenmap.CheckWork(dir, docs, ""); err != nil {
			t.Error(err)
		}
	}
}
