package faults

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// place is a folder with a corpus and what commands make of it.
type place struct {
	dir, corpus, model, clusters, labels string
}

// newPlace makes a corpus of three topics with 30 documents each, its clusters and a model.
func newPlace(t *testing.T) place {
	t.Helper()
	dir := t.TempDir()
	open(dir)
	p := place{dir: dir, corpus: filepath.Join(dir, "texts.jsonl"), labels: filepath.Join(dir, "labels.csv")}
	write(t, p.corpus, corpusOf(30))
	write(t, p.labels, "id,label\ndoc-0-0,a\ndoc-1-0,b\ndoc-2-0,c\n")
	trained := filepath.Join(dir, "trained")
	text, err := exec.Command(program, "cluster", p.corpus, "--method", "le", "-k", "3", "--quiet", "--out", trained).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	p.model, p.clusters = filepath.Join(trained, "model.npz"), filepath.Join(trained, "clusters.csv")
	return p
}

// open lets a process of another user into the folder and those above it that the test made.
func open(dir string) {
	for ; len(dir) > len(os.TempDir()); dir = filepath.Dir(dir) {
		os.Chmod(dir, 0o755)
	}
}

// corpusOf is a JSONL corpus of three clear topics with n documents each.
func corpusOf(n int) string {
	topics := [][]string{
		strings.Fields("boat river water sail harbour wave anchor captain fishing tide"),
		strings.Fields("violin concert orchestra melody piano symphony chord singer opera rhythm"),
		strings.Fields("engine wheel brake motor gearbox clutch exhaust driver petrol piston"),
	}
	var b strings.Builder
	for k, words := range topics {
		for i := range n {
			var text []string
			for w := range 6 {
				text = append(text, words[(i*7+w*3+i/3*w)%len(words)])
			}
			fmt.Fprintf(&b, "{\"id\":\"doc-%d-%d\",\"text\":%q,\"label\":\"topic%d\"}\n", k, i, strings.Join(text, " "), k)
		}
	}
	return b.String()
}

func write(t *testing.T, path, text string) {
	t.Helper()
	must.Do(t, os.WriteFile(path, []byte(text), 0o644))
}

// command is a command that reads and writes, ready to run.
type command struct {
	name     string
	operands []string // their values, in the order of the usage line
	flags    []string
	out      bool // it has --out
}

// commands are all that take paths, with operands that work.
func (p place) commands() []command {
	return []command{
		{"cluster", []string{p.corpus}, []string{"--method", "le", "-k", "3"}, true},
		{"embed", []string{p.corpus}, []string{"--method", "le", "-d", "2"}, true},
		{"graph", []string{p.corpus}, nil, true},
		{"predict", []string{p.model, p.corpus}, nil, true},
		{"eval", []string{p.corpus, p.clusters}, nil, false},
		{"convert", []string{p.corpus, filepath.Join(p.dir, "converted.npz")}, nil, false},
		{"info", []string{p.corpus}, nil, false},
	}
}

func (c command) args(more ...string) []string {
	return append(append(append([]string{c.name}, c.operands...), "--quiet", "--threads", "2"), append(c.flags, more...)...)
}

// some takes every step-th of a list in the short form of the tests, all of it otherwise.
func some[T any](list []T, step, from int) []T {
	if everything {
		return list
	}
	var few []T
	for i := from % step; i < len(list); i += step {
		few = append(few, list[i])
	}
	return few
}
