package model

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// directNovelty is what NewNovelty finds, by its definition: columns and values of each mean, and
// the distances of all rows.
func directNovelty(x *mat.Dense, labels []int, clusters int) (cols [][]int32, vals [][]float64, distances []float64) {
	n, d := x.Dims()
	for c := range clusters {
		sum, size := make([]float64, d), 0
		for i := range n {
			if labels[i] == c && slices.ContainsFunc(x.RawRowView(i), func(v float64) bool { return v != 0 }) {
				size++
				for j, v := range x.RawRowView(i) {
					sum[j] += v
				}
			}
		}
		var order []int32
		for j, v := range sum {
			if v != 0 {
				order = append(order, int32(j))
			}
		}
		slices.SortFunc(order, func(a, b int32) int {
			return cmp.Or(cmp.Compare(math.Abs(sum[b]), math.Abs(sum[a])), cmp.Compare(a, b))
		})
		order = order[:min(len(order), noveltyTerms)]
		slices.Sort(order)
		mean := make([]float64, len(order))
		for k, j := range order {
			mean[k] = sum[j] / float64(size)
		}
		cols, vals = append(cols, order), append(vals, mean)
		for i := range n {
			if labels[i] != c || size < 2 {
				continue
			}
			row, any := x.RawRowView(i), false
			others := make([]float64, d)
			for k, j := range order {
				others[j] = (mean[k]*float64(size) - row[j]) / float64(size-1)
			}
			s := 0.0
			for j, v := range row {
				any = any || v != 0
				s += (v - others[j]) * (v - others[j])
			}
			if any {
				distances = append(distances, math.Sqrt(s))
			}
		}
	}
	slices.Sort(distances)
	return cols, vals, distances
}

// The means keep the same columns and bits as by their definition: in clusters of many columns and
// of few, with sums that are equal, that cancel, rows without entries and without a cluster, and at
// any number of threads.
func TestNoveltyByDefinition(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	const n, d, clusters = 200, 3000, 5
	x, labels := mat.NewDense(n, d, nil), make([]int, n)
	for i := range n {
		labels[i] = rnd.IntN(clusters) - rnd.IntN(2)
		if labels[i] == clusters-1 && i > 10 {
			labels[i] = 0 // the last cluster is small
		}
		for range rnd.IntN(60) {
			x.Set(i, rnd.IntN(d), float64(rnd.IntN(7)-3)) // whole numbers: many sums are equal
		}
	}
	for i := range n / 2 {
		x.Set(i, 7, float64(1-2*(i%2)))
	}
	cols, vals, distances := directNovelty(x, labels, clusters)
	defer native.SetThreads(0)
	for _, threads := range []int{1, 2, 3} {
		native.SetThreads(threads)
		v := NewNovelty(ranks.Alone{}, x, labels, clusters, nil)
		for c := range clusters {
			if at, mean := v.Means.Row(c); !slices.Equal(at, cols[c]) || !slices.Equal(mean, vals[c]) {
				t.Fatalf("%d threads: the mean of cluster %d has %d columns, want %d", threads, c, len(at), len(cols[c]))
			}
		}
		if len(v.Distances) != len(distances) {
			t.Fatalf("%d threads: %d distances, want %d", threads, len(v.Distances), len(distances))
		}
		for k, want := range distances {
			if math.Abs(v.Distances[k]-want) > 1e-9 {
				t.Fatalf("%d threads: distance %d is %v, want %v", threads, k, v.Distances[k], want)
			}
		}
	}
}

// The list of columns is bounded, whatever returns to 0 on the way, and the sums are 0 after each
// cluster.
func TestNoveltyListIsBounded(t *testing.T) {
	const d, rows = 64, 100
	x := mat.NewDense(rows, d, nil)
	for i := range rows {
		x.Set(i, 3, float64(1-2*(i%2)))
		x.Set(i, 5, 1)
	}
	w := meanSum{rows: newRowReader(x), sum: make([]float64, d)}
	all := make([]int32, rows)
	for i := range all {
		all[i] = int32(i)
	}
	for _, n := range []int{rows, 1, rows - 1, 3} {
		m := w.of(all[:n])
		want := []int32{5}
		if n%2 == 1 {
			want = []int32{3, 5}
		}
		if !slices.Equal(m.cols, want) || len(w.met) > d/16 {
			t.Errorf("%d rows: columns %v, %d met", n, m.cols, len(w.met))
		}
		if slices.ContainsFunc(w.sum, func(v float64) bool { return v != 0 }) {
			t.Errorf("%d rows: sums %v stay", n, w.sum)
		}
	}
}

// The sums of all threads stay within their memory, or are of one thread.
func TestNoveltyMemory(t *testing.T) {
	defer native.SetThreads(0)
	native.SetThreads(64)
	for _, d := range []int{0, 1, 1000, 1 << 20, 1 << 24, 1 << 28} {
		for _, clusters := range []int{1, 2, 7, 64, 1000} {
			for column, isSparse := range map[int]bool{13: true, 33: false} {
				workers := parallel.Workers(clusters, sumGrain(d, clusters, isSparse))
				most := max(1, noveltyMemory/(column*max(1, d)))
				if workers > most || workers < min(most, clusters, 64)/2 {
					t.Errorf("%d columns, %d clusters: %d threads, at most %d", d, clusters, workers, most)
				}
			}
		}
	}
}

// Rows of two billion columns, of which few have an entry, take no memory for the others, and have
// the novelty of the same rows without them, on ranks too.
func TestNoveltyOfManyColumns(t *testing.T) {
	const d = math.MaxInt32
	entries := []int32{1, 2, 1, 2, 3, d - 1, 3, d - 2, 5, 9, 1, 5}
	few := []int32{1, 2, 3, 5, 9, d - 2, d - 1}
	wide, narrow := &sparse.CSR{NumCols: d, RowPtr: []int{0}}, &sparse.CSR{NumCols: len(few), RowPtr: []int{0}}
	for i := range 6 {
		for at, j := range entries[2*i : 2*i+2] {
			place, _ := slices.BinarySearch(few, j)
			wide.Col, wide.Val = append(wide.Col, j), append(wide.Val, float64(at+i+1))
			narrow.Col, narrow.Val = append(narrow.Col, int32(place)), append(narrow.Val, float64(at+i+1))
		}
		for _, m := range []*sparse.CSR{wide, narrow} {
			m.NumRows++
			m.RowPtr = append(m.RowPtr, len(m.Col))
		}
	}
	labels := []int{0, 0, 1, 1, 1, 0}
	var got *Novelty
	if took, _ := memory.PeakHeap(func() { got = NewNovelty(ranks.Alone{}, wide, labels, 2, nil) }); took > 1<<20 {
		t.Errorf("%d bytes", took)
	}
	want := NewNovelty(ranks.Alone{}, narrow, labels, 2, nil)
	same := func(got *Novelty) bool {
		cols := slices.Clone(want.Means.Col)
		for k, j := range cols {
			cols[k] = few[j]
		}
		return slices.Equal(got.Means.Col, cols) && slices.Equal(got.Means.Val, want.Means.Val) && slices.Equal(got.Distances, want.Distances)
	}
	if !same(got) {
		t.Errorf("%+v, want %+v", got.Means, want.Means)
	}
	ranks.Together(2, func(team ranks.Team) {
		lo, hi := ranks.Part(team, team.Rank(), 6)
		if got := NewNovelty(team, wide.SelectRows([]int{0, 1, 2, 3, 4, 5}[lo:hi]), labels[lo:hi], 2, nil); team.Rank() == 0 && !same(got) {
			t.Errorf("ranks: %+v, want %+v", got, want)
		}
	})
}
