package corpus

import (
	"math"
	"reflect"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/property"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// The means of clusters are those of the values that were given, whatever stands in for the others,
// of some of the documents as of all, in single precision, and with ranks.
func TestMeansOfGivenValues(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		n, m := rapid.IntRange(4, 14).Draw(t, "rows"), rapid.IntRange(1, 4).Draw(t, "columns")
		x := mat.NewDense(n, m, nil)
		for i := range n {
			for j := range m {
				if x.Set(i, j, float64(rapid.IntRange(-9, 9).Draw(t, "value"))); i > 0 && rapid.IntRange(0, 3).Draw(t, "gap") == 0 {
					x.Set(i, j, math.NaN())
				}
			}
		}
		x.Set(0, 0, -1) // measurements
		labels := rapid.SliceOfN(rapid.IntRange(-1, 1), n, n).Draw(t, "labels")
		c := must.Get((&Corpus{X: x}).Fill(rapid.SampledFrom([]string{MissingMedian, MissingMean}).Draw(t, "by"), nil))(t)
		top := c.TopTerms(labels, 2, m)
		for k, list := range top {
			for _, w := range list {
				sum, count, others, rest := 0., 0., 0., 0.
				for i := range n {
					switch v := x.At(i, w.Column); {
					case v != v:
					case labels[i] == k:
						sum, count = sum+v, count+1
					default:
						others, rest = others+v, rest+1
					}
				}
				if math.Abs(w.Means.Cluster-sum/count) > 1e-4 || math.Abs(w.Means.Others-others/rest) > 1e-4 {
					t.Fatalf("cluster %d, column %d of %v: means %v, of the given values %v and %v", k, w.Column, mat.Formatted(x), *w.Means, sum/count, others/rest)
				}
			}
		}
		all := make([]int, n)
		for i := range all {
			all[i] = n - 1 - i
		}
		turned := make([]int, n)
		for i, l := range labels {
			turned[n-1-i] = l
		}
		if other := c.SelectRows(all).TopTerms(turned, 2, m); !reflect.DeepEqual(other, top) {
			t.Fatalf("in another order: %v, not %v", other, top)
		}
		ranks.Together(2, func(team ranks.Team) {
			part, err := c.Divide(team)
			if err != nil {
				panic(err)
			}
			if own := part.TopTerms(labels[part.First:part.First+part.Len()], 2, m); !reflect.DeepEqual(own, top) {
				t.Errorf("rank %d: %v, not %v", team.Rank(), own, top)
			}
		})
		single := *c
		must.Do(t, single.ToSingle())
		for k, list := range single.TopTerms(labels, 2, m) {
			for at, w := range list {
				if at < len(top[k]) && w.Column == top[k][at].Column && math.Abs(w.Means.Cluster-top[k][at].Means.Cluster) > 1e-4 {
					t.Errorf("single precision: %v, not %v", *w.Means, *top[k][at].Means)
				}
			}
		}
	})
}

// A selection has the gaps of its documents, in its order, also of one that it has twice.
func TestGapsIn(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		n, m := rapid.IntRange(1, 9).Draw(t, "rows"), rapid.IntRange(0, 4).Draw(t, "columns")
		c := &Corpus{X: mat.NewDense(n, max(m, 1), nil), gaps: make([][]int32, m)}
		missing := make(map[[2]int]bool)
		for j := range m {
			for i := range n {
				if rapid.Bool().Draw(t, "gap") {
					c.gaps[j], missing[[2]int{i, j}] = append(c.gaps[j], int32(i)), true
				}
			}
		}
		rows := rapid.SliceOf(rapid.IntRange(0, n-1)).Draw(t, "chosen")
		for j, got := range c.gapsIn(rows) {
			var want []int32
			for at, i := range rows {
				if missing[[2]int{i, j}] {
					want = append(want, int32(at))
				}
			}
			if !reflect.DeepEqual(got, want) {
				t.Fatalf("column %d of the rows %v: %v, not %v", j, rows, got, want)
			}
		}
	})
}

// A selection of many columns costs no more than its documents, columns and gaps.
func TestGapsOfManyColumns(t *testing.T) {
	const n, m = 200000, 200000
	c := &Corpus{X: sparseEmpty(t, n, m), gaps: make([][]int32, m)}
	rows := make([]int, n)
	for i := range rows {
		rows[i] = i
		c.gaps[i%m] = []int32{int32(i)}
	}
	if got := c.gapsIn(rows); len(got) != m || len(got[m-1]) != 1 || got[m-1][0] != n-1 {
		t.Errorf("gaps %v", got[m-1])
	}
}

func sparseEmpty(t *testing.T, n, m int) mat.Matrix {
	t.Helper()
	x := must.Get(sparse.NewCSR(n, m, make([]int, n+1), nil, nil))(t)
	return x
}

// One missing cell has one column.
func TestOneGapNoted(t *testing.T) {
	content := tableOf("a,b", "%d,%s", 30, func(i int) []any { return []any{i * 7 % 11, []string{"NA", "5", "3", "4"}[min(i, 1+i%3)]} })
	wantNote(t, readNamed(t, "a.csv", content, ReadOptions{Missing: "median"}), "1 missing cell is filled by the median of its column")
}
