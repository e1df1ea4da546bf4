package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/internal/must"
)

// The corpus is the same each time, and has documents of every class.
func TestLibrary(t *testing.T) {
	var texts [2][]byte
	for i := range texts {
		file := filepath.Join(t.TempDir(), "go.jsonl")
		must.Do(t, writeLibrary(file))
		text := must.Get(os.ReadFile(file))(t)
		texts[i] = text
	}
	if !bytes.Equal(texts[0], texts[1]) {
		t.Error("two corpora differ")
	}
	for _, part := range parts {
		if !bytes.Contains(texts[0], []byte(`"label":"`+part+`"`)) {
			t.Errorf("no document of %s", part)
		}
	}
}

// The default method finds the parts of every shape, as the gallery says.
func TestShapes(t *testing.T) {
	for _, s := range shapes {
		x, truth := s.draw()
		run := must.Get(eigenmap.ClusterMatrix(context.Background(), x, eigenmap.Options{Clusters: s.k}))(t)
		if got := agreement(run.Labels, truth, s.k); got < .97 {
			t.Errorf("%s: %.3f of the points are in the right part", s.name, got)
		}
	}
}

func TestAgreement(t *testing.T) {
	if got := agreement([]int{1, 1, 0, 2, 2, 0}, []int{0, 0, 2, 1, 1, 1}, 3); got != 5./6 {
		t.Errorf("%v, not 5/6", got)
	}
}
