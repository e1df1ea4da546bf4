package eigenmap_test

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/internal/must"
)

// A model with collocations keeps fewer runs than one with all runs, places a document alone as it
// does among others, and its training documents where they were.
func TestCollocationsOfNewDocuments(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	plain := cluster(t, train, options(t, "diffusion", "ngrams", "2"))
	run := cluster(t, train, options(t, "diffusion", "ngrams", "2", "collocations", "true"))
	single := cluster(t, train, options(t, "diffusion"))
	_, all := plain.Corpus.X.Dims()
	_, some := run.Corpus.X.Dims()
	_, none := single.Corpus.X.Dims()
	if none >= some || some >= all {
		t.Errorf("%d terms of single words, %d with collocations, %d with all runs", none, some, all)
	}
	model := saveModel(t, run)
	own, err := eigenmap.Predict(ctx, model, train)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(own.Labels, run.Labels) || own.Known != 60 {
		t.Errorf("%d of 60 documents are known", own.Known)
	}
	among := must.Get(eigenmap.Predict(ctx, model, fresh))(t)
	text := must.Get(os.ReadFile(fresh))(t)
	for i, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		alone := must.Get(eigenmap.Predict(ctx, model, write(t, dir, "alone.jsonl", line)))(t)
		if alone.Labels[0] != among.Labels[i] || !slices.Equal(alone.Embedding.RawRowView(0), among.Embedding.RawRowView(i)) || alone.Unlike[0] != among.Unlike[i] {
			t.Errorf("document %d is in another place alone", i)
		}
	}
	_, err = eigenmap.Cluster(ctx, train, options(t, "diffusion", "collocations", "true"))
	refused(t, err, "collocations", "give ngrams 2")
}
