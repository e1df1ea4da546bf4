package eigenmap_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/sparse"
)

// topicTexts are counts of the words of drawn texts of classes of these sizes. A text has 40 words,
// a quarter of them of the 60 words of its class, the others of 600 common ones. So many texts of
// each class have a label.
func topicTexts(sizes, labelled []int, seed uint64) (all *corpus.Corpus, known []int) {
	const own, common, length = 60, 600, 40
	rng := rand.New(rand.NewPCG(seed, 9))
	n := 0
	for _, s := range sizes {
		n += s
	}
	b := sparse.NewBuilder(n, own*len(sizes)+common)
	all = &corpus.Corpus{Name: "topics"}
	i := 0
	for k, s := range sizes {
		all.ClassNames = append(all.ClassNames, string(rune('a'+k)))
		for m := range s {
			for range length {
				j := own*len(sizes) + rng.IntN(common)
				if rng.IntN(4) == 0 {
					j = own*k + rng.IntN(own)
				}
				b.Add(i, j, 1)
			}
			all.Labels = append(all.Labels, k)
			known = append(known, labels.Unknown)
			if m < labelled[k] {
				known[i] = k
			}
			i++
		}
	}
	x, err := b.Build()
	if err != nil {
		panic(err)
	}
	all.X = x
	return all, known
}

// By default a class of 20 among 4,020 texts, of which 3 have a label, is found: nine in ten of its
// other texts are in it, and nine in ten of what is in it are its own, on the mean of three draws.
func TestRareClassIsFound(t *testing.T) {
	if testing.Short() {
		t.Skip("long: it compares methods on 4,020 texts three times")
	}
	const rare = 2
	found, took, all := 0, 0, 0
	for seed := range uint64(3) {
		c, known := topicTexts([]int{2000, 2000, 20}, []int{20, 20, 3}, seed)
		run := must.Get(eigenmap.ClusterCorpus(context.Background(), c, eigenmap.Options{Seed: seed, Known: &corpus.Given{Labels: known, ClassNames: c.ClassNames}}))(t)
		t.Logf("seed %d: %s", seed, run.Choice.Method)
		for i, k := range known {
			if k != labels.Unknown {
				continue
			}
			own := c.Labels[i] == rare
			if own {
				all++
			}
			if run.Classes[run.Labels[i]] != c.ClassNames[rare] {
				continue
			}
			if took++; own {
				found++
			}
		}
	}
	if recall, precision := float64(found)/float64(all), float64(found)/float64(max(1, took)); recall < 0.9 || precision < 0.9 {
		t.Errorf("recall %.3f, precision %.3f", recall, precision)
	}
}
