package eigenmap_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/must"
)

// textsOf are the texts of a file of JSON lines.
func textsOf(t *testing.T, path string) (list []string) {
	t.Helper()
	f := must.Get(os.Open(path))(t)
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		var line struct{ Text string }
		must.Do(t, json.Unmarshal(s.Bytes(), &line))
		list = append(list, line.Text)
	}
	return list
}

// Texts in memory have the clusters of the file that holds them, and so have new ones by its model.
func TestTexts(t *testing.T) {
	ctx := context.Background()
	old, young := textsOf(t, train), textsOf(t, fresh)
	file := cluster(t, train, options(t, "le"))
	run, err := eigenmap.ClusterTexts(ctx, old, eigenmap.Options{Method: "le", Clusters: len(file.Sizes)})
	if err != nil || !slices.Equal(run.Labels, file.Labels) || run.Clusters[0].Terms == nil {
		t.Fatalf("%v, clusters %v, of the file %v", err, run.Labels, file.Labels)
	}
	dir := t.TempDir()
	save(t, run, dir)
	m := must.Get(eigenmap.LoadModel(ctx, dir))(t)
	placed := must.Get(m.PredictTexts(ctx, young))(t)
	want, err := eigenmap.Predict(ctx, dir, fresh)
	if err != nil || !slices.Equal(placed.Labels, want.Labels) {
		t.Errorf("%v: %v, of the file %v", err, placed.Labels, want.Labels)
	}
	if alone, err := m.PredictTexts(ctx, young[3:4]); err != nil || alone.Labels[0] != want.Labels[3] {
		t.Errorf("a text alone: %v, %v", alone, err)
	}
	if none, err := m.PredictTexts(ctx, []string{"", "zzz qqq"}); err != nil || len(none.Labels) != 2 {
		t.Errorf("texts without a word of the model: %v", err)
	}
	for _, empty := range [][]string{nil, {""}, {"the", "of"}} {
		if _, err := eigenmap.ClusterTexts(ctx, empty, eigenmap.Options{Clusters: 2}); !errors.As(err, new(*eigenmap.Error)) {
			t.Errorf("%q: %v", empty, err)
		}
	}
	if _, err := corpus.FromTexts(ctx, []string{"the", "of"}, corpus.ReadOptions{}); !errors.Is(err, corpus.ErrNoTerms) {
		t.Errorf("stop words alone: %v", err)
	}
}
