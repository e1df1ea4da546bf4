package eigenmap_test

import (
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/method"
	"gonum.org/v1/gonum/mat"
)

const (
	train = "testdata/golden/train.jsonl" // 60 texts of three classes
	fresh = "testdata/golden/new.jsonl"   // 10 others of the same classes
)

// set sets options given as name, value, name, value, ...
func set(t *testing.T, opt *eigenmap.Options, pairs ...string) {
	t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		must.Do(t, opt.Set(pairs[i], pairs[i+1]))
	}
}

// options returns the options of a method with three clusters, seed 1, and options by name.
func options(t *testing.T, name string, pairs ...string) eigenmap.Options {
	t.Helper()
	opt := eigenmap.Options{Method: name, Clusters: 3, Seed: 1}
	set(t, &opt, pairs...)
	return opt
}

func cluster(t *testing.T, file string, opt eigenmap.Options) *eigenmap.Run {
	t.Helper()
	run := must.Get(eigenmap.Cluster(context.Background(), file, opt))(t)
	return run
}

func save(t *testing.T, run *eigenmap.Run, dir string) []string {
	t.Helper()
	out, err := eigenmap.OpenFolder(dir) // as Run.Save does, which keeps the paths to itself
	if err != nil {
		t.Fatal(err)
	}
	defer out.Discard()
	files := must.Get(run.SaveIn(context.Background(), out))(t)
	return files
}

// filesIn are the paths of the files in a folder.
func filesIn(t *testing.T, dir string) []string {
	t.Helper()
	files := must.Get(filepath.Glob(filepath.Join(dir, "*")))(t)
	return files
}

// saveModel saves a run without its report, which takes time, and returns the path of the model.
func saveModel(t *testing.T, run *eigenmap.Run) string {
	t.Helper()
	out := must.Get(eigenmap.OpenFolder(t.TempDir()))(t)
	defer out.Discard()
	if _, err := run.SaveResults(context.Background(), out); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(out.Dir, eigenmap.ModelName)
}

// refused checks that an error says that the request or the data are wrong, and holds the parts.
func refused(t *testing.T, err error, parts ...string) {
	t.Helper()
	var own *eigenmap.Error
	if !errors.Is(err, fs.ErrInvalid) || !errors.As(err, &own) {
		t.Errorf("the error is %v, and should be an *Error and fs.ErrInvalid", err)
		return
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("the error %q does not say %q", err, part)
		}
	}
	if strings.ContainsAny(err.Error(), "‹›") {
		t.Errorf("the error %q has marks", err)
	}
}

// blobs are n dense rows of two columns around k centres that are far apart, with their centres.
func blobs(n, k int) (*mat.Dense, []int) {
	r := rand.New(rand.NewPCG(1, 2))
	x, labels := mat.NewDense(n, 2, nil), make([]int, n)
	for i := range n {
		labels[i] = i % k
		x.Set(i, 0, 20*float64(labels[i])+r.NormFloat64())
		x.Set(i, 1, r.NormFloat64())
	}
	return x, labels
}

// needed are options that a method cannot do without on the training texts.
func needed(s method.Spec) []string {
	var pairs []string
	if s.Needs.Labels == method.Required {
		pairs = append(pairs, "labeled-fraction", "0.2")
	}
	if s.Name == "gmm" || s.Name == "lapgmm" {
		pairs = append(pairs, "pca", "5")
	}
	return pairs
}

// write writes a file into a folder and returns its path.
func write(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	must.Do(t, os.WriteFile(path, []byte(text), 0o666))
	return path
}

// names are the names of the files in a folder.
func names(t *testing.T, dir string) []string {
	t.Helper()
	entries := must.Get(os.ReadDir(dir))(t)
	list := make([]string, len(entries))
	for i, e := range entries {
		list[i] = e.Name()
	}
	return list
}

// matrix reads a file of numbers.
func matrix(t *testing.T, file string) mat.Matrix {
	t.Helper()
	c := must.Get(corpus.Read(context.Background(), file, corpus.ReadOptions{}))(t)
	return c.X
}

// same says whether two embeddings are equal bit by bit; nil equals nil.
func same(a, b *mat.Dense) bool {
	if a == nil || b == nil {
		return a == b
	}
	return mat.Equal(a, b)
}
