package main

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

const sample = `package p

import "math"

const tol = 1e-9

func f(x []float64, n int) float64 {
	s := 0.0
	for i := 0; i < n; i++ {
		s += math.Abs(x[i]) * -x[0]
	}
	if err := g(); err != nil || n == 3 {
		panic("a" + "b")
	}
	return math.Sqrt(s)
}
`

// Every change gives a file that parses and differs in one line.
func TestSites(t *testing.T) {
	found := must.Get(sites("p/p.go", []byte(sample)))(t)
	seen := map[string]bool{}
	for _, m := range found {
		seen[m.what] = true
		after := string(m.source())
		if _, err := parser.ParseFile(token.NewFileSet(), "p.go", after, 0); err != nil {
			t.Errorf("%s: %v", m, err)
		}
		a, b := strings.Split(sample, "\n"), strings.Split(after, "\n")
		for i := range a {
			if (a[i] != b[i]) != (i == m.line-1) {
				t.Errorf("%s: line %d", m, i+1)
			}
		}
	}
	for _, want := range []string{"< becomes <=", "+= becomes -=", "* becomes /", "math.Abs is dropped", "math.Sqrt is dropped", "the sign is dropped",
		"== becomes !=", "|| becomes &&", "1e-9 is doubled", "0 becomes one more"} {
		if !seen[want] {
			t.Errorf("no change %q among %v", want, seen)
		}
	}
	if seen["+ becomes -"] || seen["!= becomes =="] {
		t.Error("texts and checks of errors are changed")
	}
}

// The packages of the list exist and have places to change.
func TestSuites(t *testing.T) {
	root := filepath.Join("..", "..")
	for dir, tests := range suites {
		found, err := sitesOf(root, dir)
		if err != nil || len(found) == 0 {
			t.Errorf("%s: %d places, %v", dir, len(found), err)
		}
		for _, p := range tests {
			if names, _ := filepath.Glob(filepath.Join(root, p, "*_test.go")); names == nil {
				t.Errorf("%s has no tests", p)
			}
		}
	}
	if _, err := os.Stat(filepath.Join(root, "go.mod")); err != nil {
		t.Error(err)
	}
}

// Every explanation is of a place that the sources have.
func TestExplained(t *testing.T) {
	reasons := must.Get(readExplained(explanations))(t)
	for dir := range suites {
		found := must.Get(sitesOf(filepath.Join("..", ".."), dir))(t)
		for _, m := range found {
			delete(reasons, m.change())
		}
	}
	for change := range reasons {
		t.Errorf("no such place: remove it from explained.txt:\n%s", change)
	}
	if _, err := readExplained("a.go\n-x\n+y\n"); err == nil {
		t.Error("a change without a reason is accepted")
	}
}
