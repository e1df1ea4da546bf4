package confidence

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/request"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// A score goes to the score at the same place of the other list: to itself if the lists are equal,
// by any increasing map if they differ by it, and never down where it goes up.
func TestAlike(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	from := make([]float64, 50)
	for i := range from {
		from[i] = rng.Float64()
	}
	slices.Sort(from)
	to := make([]float64, len(from))
	for i, v := range from {
		to[i] = 3*v*v - 1
	}
	for i, v := range from {
		if got := alike(v, from, from); got != v {
			t.Errorf("%v goes to %v", v, got)
		}
		if got := alike(v, from, to); got != to[i] {
			t.Errorf("%v goes to %v, not %v", v, got, to[i])
		}
	}
	last := math.Inf(-1)
	for v := -0.5; v < 1.5; v += 0.003 {
		got := alike(v, from, to)
		if got < last || got < to[0] || got > to[len(to)-1] {
			t.Fatalf("%v goes to %v, the one before to %v", v, got, last)
		}
		last = got
	}
	equal := []float64{1, 1, 1, 1, 1}
	if got := alike(1, equal, []float64{0, 1, 2, 3, 4}); got != 2 {
		t.Errorf("equal scores go to %v, not to the middle", got)
	}
	if got := alike(1, []float64{0, 1, 1, 2}, []float64{0, 1, 4, 9}); got != 2.5 {
		t.Errorf("two equal scores go to %v, not to the middle", got)
	}
}

// known is a job of n documents, the first of which have the labels.
func known(n int, labels ...int) *job.Job {
	j := &job.Job{Request: &request.Request{}, Corpus: &corpus.Corpus{X: mat.NewDense(n, 1, nil)}}
	j.Prior.Labels = append(slices.Clone(labels), slices.Repeat([]int{unknown}, n-len(labels))...)
	j.Prior.Names = make([]string, 1+slices.Max(labels))
	return j
}

// Labels are hidden from 15 documents on that can be held out, and of no more documents than one
// fold beyond 250.
func TestDealt(t *testing.T) {
	for _, c := range []struct{ labels, folds int }{{14, 0}, {15, 5}, {250, 5}, {500, 3}, {2000, 1}} {
		list := make([]int, c.labels)
		for i := range list {
			list[i] = i % 2
		}
		j := known(c.labels+10, list...)
		if got := dealt(j, j.Prior.Labels); len(got) != c.folds {
			t.Errorf("%d labels: %d folds, not %d", c.labels, len(got), c.folds)
		}
	}
	lone := make([]int, 60) // no label of which can be held out
	for i := range lone {
		lone[i] = i
	}
	if got := dealt(known(90, lone...), lone); len(got) > 0 {
		t.Errorf("the only labels of classes are held out: %v", got)
	}
}

// A cluster without documents needs no label, one with documents does.
func TestHasNameless(t *testing.T) {
	for _, c := range []struct {
		clusters, known []int
		want            bool
	}{
		{[]int{0, 0, 1, 1}, []int{0, unknown, unknown, 1}, false}, {[]int{0, 0, 1, 1}, []int{0, 1, unknown, unknown}, true},
		{[]int{0, 0, 2, 2}, []int{0, unknown, unknown, 1}, false},
	} {
		if got := hasNameless(c.clusters, c.known); got != c.want {
			t.Errorf("%v with labels %v: %v", c.clusters, c.known, got)
		}
	}
}

// A part of the documents keeps a label of each class, however rare, and has both kinds of
// documents up to their bound.
func TestWithLabels(t *testing.T) {
	list := make([]int, 3*foldDocuments)
	list[17], list[len(list)-1] = 1, 2
	j := known(len(list)+3*foldDocuments, list...)
	got := withLabels(j)
	classes, without := map[int]int{}, 0
	for _, i := range got {
		if k := j.Prior.Labels[i]; k == unknown {
			without++
		} else {
			classes[k]++
		}
	}
	if without != foldDocuments || classes[1] != 1 || classes[2] != 1 || classes[0] < foldDocuments-2 || classes[0] > foldDocuments || !slices.IsSorted(got) {
		t.Errorf("%d documents without a label, classes %v", without, classes)
	}
	if j := known(100, 0, 1, 0); len(withLabels(j)) != 100 {
		t.Error("a small corpus is not whole")
	}
}

// Looks are taken at the same time if a gibibyte is left beside two copies of dense rows and of
// numbers for each cluster and column.
func TestRoomForLooksTogether(t *testing.T) {
	of := func(x mat.Matrix) *look {
		j := &job.Job{Request: &request.Request{}, X: x}
		j.Clusters = 3
		return &look{of: j}
	}
	wide := mat.NewDense(20, 500, nil)
	l := Looks{ready: []*look{of(wide), of(&sparse.CSR{NumRows: 20, NumCols: 500, RowPtr: make([]int, 21)})}}
	if got, want := l.together(), int64(sideBySide+16*500*(20+3+3)); got != want {
		t.Errorf("%d bytes, not %d", got, want)
	}
}
