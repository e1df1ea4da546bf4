package corpus

import (
	"cmp"
	"math"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/property"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

func TestTopTermsAgreeWithDefinition(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		dense := drawMatrix(t, 0)
		n, m := dense.Dims()
		csr, err := sparse.FromMatrix(dense)
		if err != nil {
			t.Fatal(err)
		}
		terms := make([]string, m)
		for j := range terms {
			terms[j] = string(rune('z' - j))
		}
		labels := rapid.SliceOfN(rapid.IntRange(-1, 3), n, n).Draw(t, "labels")
		const clusters = 3 // label 3 is in none, as -1 is
		top := rapid.IntRange(0, m+1).Draw(t, "top")
		w := weighDirectly(dense, "tfidf", "l2")

		for _, x := range []mat.Matrix{dense, csr} {
			got := (&Corpus{X: x, Terms: terms}).TopTerms(labels, clusters, top)
			if len(got) != clusters {
				t.Fatalf("%d lists", len(got))
			}
			for k, list := range got {
				size := 0
				weights := make(map[string]float64)
				for j, term := range terms {
					in, all := 0.0, 0.0
					size = 0
					for i, l := range labels {
						all += w.At(i, j)
						if l == k {
							in += w.At(i, j)
							size++
						}
					}
					weights[term] = in/float64(max(1, size)) - all/float64(n)
				}
				positive := 0
				for _, v := range weights {
					if v > 1e-10 {
						positive++
					}
				}
				if len(list) > top || len(list) < min(top, positive) || size == 0 && len(list) > 0 {
					t.Fatalf("cluster %d has %d terms of %d positive ones, %d asked for", k, len(list), positive, top)
				}
				listed := map[string]bool{}
				for _, tw := range list {
					if math.Abs(tw.Weight-weights[tw.Term]) > 1e-12 {
						t.Fatalf("%v, want %v", tw, weights[tw.Term])
					}
					listed[tw.Term] = true
				}
				if !slices.IsSortedFunc(list, func(a, b TermWeight) int {
					return cmp.Or(cmp.Compare(b.Weight, a.Weight), cmp.Compare(a.Term, b.Term))
				}) {
					t.Fatalf("not in order: %v", list)
				}
				if len(list) == top && top > 0 {
					for term, v := range weights {
						if !listed[term] && v > list[top-1].Weight+1e-12 {
							t.Fatalf("%s of weight %v is missing in %v", term, v, list)
						}
					}
				}
			}
		}
	})
}

func TestTopTermsTies(t *testing.T) {
	c := &Corpus{Terms: []string{"b", "a", "c"}, X: mat.NewDense(2, 3, []float64{1, 1, 0, 0, 0, 1})}
	top := c.TopTerms([]int{0, 1}, 2, 1)
	if len(top[0]) != 1 || top[0][0].Term != "a" || top[1][0].Term != "c" {
		t.Errorf("got %v", top)
	}
}

func TestTopTermsWithout(t *testing.T) {
	x := mat.NewDense(2, 1, []float64{1, -1})
	if got := (&Corpus{X: x}).TopTerms([]int{0, 1}, 2, 3); got != nil {
		t.Errorf("without a vocabulary: %v", got)
	}
	if got := (&Corpus{X: x, Terms: []string{"a"}}).TopTerms([]int{0, 1}, 2, 3); got != nil {
		t.Errorf("of features that are no counts: %v", got)
	}
}
