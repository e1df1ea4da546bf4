package corpus

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/property"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// literalColumns are the columns of a cluster by the formula of TopTerms for measurements.
func literalColumns(x *mat.Dense, labels []int, cluster int) (list []TermWeight) {
	n, m := x.Dims()
	for j := range m {
		var in, others []float64
		for i := range n {
			if labels[i] == cluster {
				in = append(in, x.At(i, j))
			} else {
				others = append(others, x.At(i, j))
			}
		}
		mean := func(values []float64) float64 {
			sum := 0.0
			for _, v := range values {
				sum += v / float64(len(values))
			}
			return sum
		}
		d := deviationOf(mat.Col(nil, j, x))
		if w := (mean(in) - mean(others)) / d; len(in) > 0 && len(others) > 0 && d > 0 && math.Abs(w) >= 0.2 {
			list = append(list, TermWeight{Column: j, Weight: w, Means: &ColumnMeans{Cluster: mean(in), Others: mean(others)}})
		}
	}
	slices.SortStableFunc(list, func(a, b TermWeight) int { return cmp.Compare(math.Abs(b.Weight), math.Abs(a.Weight)) })
	return list
}

// TestColumnsOfMeasurements: the columns of clusters agree with the formula, sparse and dense.
func TestColumnsOfMeasurements(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		n, m := rapid.IntRange(2, 12).Draw(t, "rows"), rapid.IntRange(1, 5).Draw(t, "columns")
		x := mat.NewDense(n, m, nil)
		for i := range n {
			for j := range m {
				x.Set(i, j, rapid.Float64Range(-1, 1).Draw(t, "value")*math.Pow(10, float64(3*j-3)))
			}
		}
		x.Set(0, 0, -0.1)
		labels := rapid.SliceOfN(rapid.IntRange(-1, 2), n, n).Draw(t, "labels")
		csr := must.Get(sparse.FromMatrix(x))(t)
		got := (&Corpus{X: x}).TopTerms(labels, 2, m)
		if other := (&Corpus{X: csr}).TopTerms(labels, 2, m); !reflect.DeepEqual(other, got) {
			t.Fatalf("sparse: %v, not %v", other, got)
		}
		for k, list := range got {
			want := literalColumns(x, labels, k)
			if len(list) != len(want) {
				t.Fatalf("cluster %d: %v, not %v", k, list, want)
			}
			of := make(map[int]TermWeight)
			for _, w := range want {
				of[w.Column] = w
			}
			for at, w := range list {
				near := func(a, b float64) bool {
					return math.Abs(a-b) <= 1e-5*math.Abs(b)+1e-9*math.Pow(10, float64(3*w.Column))
				}
				l := of[w.Column]
				if w.Term != fmt.Sprintf("column %d", w.Column+1) || math.Abs(w.Weight-l.Weight) > 1e-6 || !near(w.Means.Cluster, l.Means.Cluster) || !near(w.Means.Others, l.Means.Others) {
					t.Errorf("%v (%v), not %v (%v)", w, *w.Means, l, *l.Means)
				}
				if at > 0 && math.Abs(list[at-1].Weight) < math.Abs(w.Weight) {
					t.Errorf("%v are in the wrong order", list)
				}
			}
		}
	})
}

// TestHighAndLow: a cluster is high in one column and low in another, whose name is whole; a
// column of one value and one that is the same everywhere say nothing, and -1 is in no cluster.
func TestHighAndLow(t *testing.T) {
	c := &Corpus{Terms: []string{"petal length (cm)", "width", "one", "same"}, X: mat.NewDense(4, 4, []float64{
		1, 30, 7, 1,
		1, 30, 7, 2,
		5, 10, 7, 1,
		5, 10, 7, 2})}
	top := c.TopTerms([]int{0, 0, 1, -1}, 3, 10)
	if got := fmt.Sprint(top); got != "[[petal length (cm) low width high] [petal length (cm) high width low same low] []]" {
		t.Error(got)
	}
	if w := top[0][0]; w.Weight != -2 || *w.Means != (ColumnMeans{Cluster: 1, Others: 5}) {
		t.Errorf("%v: %v, %v", w, w.Weight, w.Means)
	}
	if list := c.TopTerms([]int{0, 0, 1, 1}, 2, 1)[1]; len(list) != 1 || list[0].Term != "petal length (cm)" {
		t.Errorf("the first of two equal ones: %v", list)
	}
	if got := c.TopTerms([]int{0, 0, 0, 0}, 1, 10); len(got) != 1 || len(got[0]) != 0 {
		t.Errorf("of all documents: %v", got)
	}
	if c.Together([][]int{{0, 1}}) != nil {
		t.Error("documents hold measurements")
	}
}

// TestMeasured: what is a measurement and what is a term.
func TestMeasured(t *testing.T) {
	few, most, negative := mat.NewDense(2, 2, []float64{1, 0, 0, 2}), mat.NewDense(2, 2, []float64{1, 0, .5, 2}), mat.NewDense(2, 2, []float64{0, 0, -1, 0})
	for _, tc := range []struct {
		c    *Corpus
		want bool
	}{
		{&Corpus{X: few}, false}, {&Corpus{X: most}, true}, {&Corpus{X: negative}, true}, {&Corpus{}, false},
		{&Corpus{X: most, Format: "jsonl"}, false}, {&Corpus{X: most, Format: "ldac"}, false}, {&Corpus{X: most, Format: "csv"}, true},
		{&Corpus{X: few, Format: "csv", Categories: []Category{{Name: "ward", Values: 1}}}, true},
	} {
		if got := tc.c.Measured(); got != tc.want {
			t.Errorf("%v of %v: %v", tc.c.Format, tc.c.X, got)
		}
	}
}

// TestColumnsSame: the columns of clusters have the same bits on any number of threads and ranks,
// though the values of these are not added up in one order.
func TestColumnsSame(t *testing.T) {
	x := unlike(1500)
	csr := must.Get(sparse.FromMatrix(x))(t)
	label := func(first, n int) []int {
		labels := make([]int, n)
		for i := range labels {
			labels[i] = int(math.Floor(x.At(first+i, 0)))
		}
		return labels
	}
	n, m := x.Dims()
	want := (&Corpus{X: x}).TopTerms(label(0, n), 3, m)
	if len(want[0]) == 0 {
		t.Fatal("no columns")
	}
	defer native.SetThreads(native.Threads())
	for _, threads := range []int{1, 4} {
		native.SetThreads(threads)
		if got := (&Corpus{X: x}).TopTerms(label(0, n), 3, m); !reflect.DeepEqual(got, want) {
			t.Errorf("%d threads: %v, not %v", threads, got, want)
		}
	}
	for _, size := range []int{2, 5} {
		for _, x := range []mat.Matrix{x, csr} {
			ranks.Together(size, func(team ranks.Team) {
				c, err := (&Corpus{X: x}).Divide(team)
				if err != nil {
					t.Error(err)
					return
				}
				own, _ := c.X.Dims()
				if got := c.TopTerms(label(c.First, own), 3, m); !reflect.DeepEqual(got, want) {
					t.Errorf("rank %d of %d: %v, not %v", team.Rank(), size, got, want)
				}
			})
		}
	}
}
