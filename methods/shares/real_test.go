package shares_test

import (
	"context"
	"testing"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/shares"
)

// Labels that are drawn from each class of real texts are not contradicted.
func TestDrawnLabelsAreNotContradicted(t *testing.T) {
	if testing.Short() {
		t.Skip("it weighs a corpus of texts")
	}
	c := must.Get(corpus.Read(context.Background(), "../../examples/debian/packages.jsonl.gz", corpus.ReadOptions{}))(t)
	x := must.Get(c.Weighted(corpus.WeightHellinger, corpus.NormL2))(t)
	for seed := range uint64(2) {
		known := must.Get(labels.Draw(c.Labels, 0.01, seed))(t)
		e := must.Get(shares.Of(context.Background(), x, known, len(c.ClassNames), seed))(t)
		if _, contradicts := e.Corrected(known); contradicts {
			t.Errorf("seed %d: contradicted; %.3f from the true shares", seed, apart(e.Shares, c.Labels, known))
		}
	}
}
