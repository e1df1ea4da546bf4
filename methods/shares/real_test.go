package shares_test

import (
	"context"
	"testing"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/shares"
)

// Labels that are drawn from each class of real texts are not contradicted.
func TestDrawnLabelsAreNotContradicted(t *testing.T) {
	if testing.Short() {
		t.Skip("it weighs a corpus of texts")
	}
	c, err := corpus.Read(context.Background(), "../../examples/debian/packages.jsonl.gz", corpus.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	x, err := c.Weighted(corpus.WeightHellinger, corpus.NormL2)
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(2) {
		known, err := labels.Draw(c.Labels, 0.01, seed)
		if err != nil {
			t.Fatal(err)
		}
		e, err := shares.Of(context.Background(), x, known, len(c.ClassNames), seed)
		if err != nil {
			t.Fatal(err)
		}
		if _, contradicts := e.Corrected(known); contradicts {
			t.Errorf("seed %d: contradicted; %.3f from the true shares", seed, apart(e.Shares, c.Labels, known))
		}
	}
}
