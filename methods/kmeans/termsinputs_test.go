package kmeans

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Rows of any kind have a cluster, finite distances and confidences from 0 to 1; as new documents
// they are in the same clusters, and rows that are multiples of them too.
func TestByTermsOfAnyRows(t *testing.T) {
	at, x, _ := placesAndTerms(t, 120)
	words := func(change func(m *mat.Dense)) *sparse.CSR {
		m := x.ToDense()
		change(m)
		out := must.Get(sparse.FromMatrix(m))(t)
		return out
	}
	zeros := words(func(*mat.Dense) {})
	zeros.Val = slices.Clone(zeros.Val)
	for p := range zeros.Val[:zeros.RowPtr[40]] { // entries that are 0
		zeros.Val[p] = 0
	}
	one := mat.NewDense(120, 3, nil)
	for name, c := range map[string]struct {
		at *mat.Dense
		x  *sparse.CSR
		k  int
	}{
		"one cluster":    {at, x, 1},
		"a cluster each": {at, x, 120},
		"no entries":     {at, words(func(m *mat.Dense) { m.Zero() }), 4},
		"zeros":          {at, zeros, 4},
		"negative": {at, words(func(m *mat.Dense) {
			for i := range 120 {
				m.Set(i, i%80, -3)
			}
		}), 4},
		"opposite": {at, words(func(m *mat.Dense) { // sums of zeros
			m.Zero()
			for i := range 120 {
				m.Set(i, 0, float64(2*(i%2)-1))
			}
		}), 2},
		"one place": {one, x, 4},
		"two places": {words(func(m *mat.Dense) {}).ToDense().Slice(0, 120, 0, 3).(*mat.Dense), words(func(m *mat.Dense) {
			for i := range 120 {
				m.SetRow(i, m.RawRowView(i%2))
			}
		}), 5},
	} {
		found := clustersAt(t, c.at, c.k)
		by, err := ByTerms(context.Background(), found, c.at, c.x, nil)
		if err != nil {
			t.Fatal(name, err)
		}
		if !slices.Equal(by.Sizes, method.SizesOf(by.Labels, c.k)) || len(by.Labels) != 120 {
			t.Errorf("%s: sizes %v", name, by.Sizes)
		}
		for j, n := range by.Sizes {
			if n == 0 && slices.Min(found.Sizes) > 0 {
				t.Errorf("%s: cluster %d lost all documents", name, j)
			}
		}
		sure, err := Certain(context.Background(), method.Certainty{}, by, c.at, c.x)
		if err != nil {
			t.Fatal(name, err)
		}
		again, err := Nearest(context.Background(), by, c.at, c.x)
		if err != nil {
			t.Fatal(name, err)
		}
		_, next, _, _ := distances(context.Background(), c.at, c.x, by)
		longer := *c.x
		longer.Val = slices.Clone(c.x.Val)
		for p := range longer.Val {
			longer.Val[p] *= 0x1p40
		}
		scaled, err := ByTerms(context.Background(), found, c.at, &longer, nil)
		if err != nil || !slices.Equal(scaled.Labels, by.Labels) {
			t.Errorf("%s: multiples of the rows are in other clusters: %v", name, err)
		}
		for i := range by.Labels {
			if d, p := sure.Distance[i], sure.Confidence[i]; !(d >= 0) || math.IsInf(d, 1) || !(p >= 0 && p <= 1) {
				t.Fatalf("%s: document %d has the distance %v and the confidence %v", name, i, d, p)
			}
			if kept := sure.Distance[i] >= next[i]; again[i] != by.Labels[i] && !kept {
				t.Errorf("%s: document %d is in cluster %d, as a new one in %d", name, i, by.Labels[i], again[i])
			}
		}
	}
}

// An error of one rank is an error of all, and none waits for another: of the memory, of which each
// has its own, and of the columns, of which nearly all are empty on one rank alone.
func TestByTermsEndsOnAllRanks(t *testing.T) {
	at, x, _ := placesAndTerms(t, 90)
	found := clustersAt(t, at, 3)
	part := func(team ranks.Team) (*method.Clusters, *mat.Dense, *sparse.CSR, *ranks.Share) {
		lo, hi := 0, 80
		if team.Rank() == 1 {
			lo, hi = 80, 90
		}
		share := ranks.NewShare(team, hi-lo)
		own := *found
		own.Labels = found.Labels[lo:hi]
		return &own, at.Slice(lo, hi, 0, 3).(*mat.Dense), partOf(t, x, share).(*sparse.CSR), share
	}
	ranks.Together(2, func(team ranks.Team) {
		own, y, rows, share := part(team)
		within := context.Background()
		if team.Rank() == 1 {
			within = memory.Bound(within, 100)
		}
		if _, err := ByTerms(within, own, y, rows, share); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("rank %d: %v", team.Rank(), err)
		}
	})
	ranks.Together(2, func(team ranks.Team) {
		own, y, rows, share := part(team)
		over, cancel := context.WithCancel(context.Background())
		defer cancel()
		if team.Rank() == 0 {
			cancel()
		}
		if _, err := ByTerms(over, own, y, rows, share); !errors.Is(err, context.Canceled) {
			t.Errorf("rank %d: %v", team.Rank(), err)
		}
	})
	ranks.Together(2, func(team ranks.Team) { // nearly all columns are empty on rank 1, and not on both
		rows := &sparse.CSR{NumRows: 300_000 - 299_990*team.Rank(), NumCols: 1<<24 + 64}
		rows.RowPtr = make([]int, rows.NumRows+1)
		share := ranks.NewShare(team, rows.NumRows)
		if has := HasTerms(rows, share); !has {
			t.Errorf("rank %d: the documents have no terms", team.Rank())
		}
		rows.NumCols = math.MaxInt32
		none := &method.Clusters{Labels: make([]int, rows.NumRows), Sizes: []int{300_010}, Centers: mat.NewDense(1, 1, nil)}
		if _, err := ByTerms(context.Background(), none, mat.NewDense(rows.NumRows, 1, nil), rows, share); HasTerms(rows, share) || !errors.Is(err, fs.ErrInvalid) || errors.Is(err, memory.ErrLimit) {
			t.Errorf("rank %d, of empty columns: %v", team.Rank(), err)
		}
	})
	if HasTerms(at, nil) || HasTerms(nil, nil) || !HasTerms(x, nil) {
		t.Error("dense rows have terms, or sparse ones have none")
	}
}

// ByTerms takes no more memory than it asks for.
func TestTermsMemory(t *testing.T) {
	defer native.SetThreads(0)
	native.SetThreads(2)
	const n, terms, each, k = 4000, 60000, 60, 40
	rng := rand.New(rand.NewPCG(1, 2))
	x := &sparse.CSR{NumRows: n, NumCols: terms, RowPtr: make([]int, 1, n+1)}
	at, found := mat.NewDense(n, 2, nil), &method.Clusters{Labels: make([]int, n), Sizes: make([]int, k), Centers: mat.NewDense(k, 2, nil)}
	for i := range n {
		for e := range each {
			x.Col, x.Val = append(x.Col, int32(e*(terms/each)+rng.IntN(terms/each))), append(x.Val, 1)
		}
		x.RowPtr = append(x.RowPtr, len(x.Col))
		found.Labels[i] = i % k
		found.Sizes[i%k]++
	}
	need := TermsMemory(n, terms, x.NNZ(), k)
	took, _ := memory.PeakHeap(func() {
		if _, err := ByTerms(context.Background(), found, at, x, nil); err != nil {
			t.Fatal(err)
		}
	})
	t.Logf("%d of %d", took, need)
	if took > need+need/4 {
		t.Errorf("it took %d bytes and asks for %d", took, need)
	}
	if _, err := ByTerms(memory.Bound(context.Background(), need-1), found, at, x, nil); !errors.Is(err, memory.ErrLimit) {
		t.Errorf("a byte less: %v", err)
	}
	if m := TermsMemory(math.MaxInt, math.MaxInt, math.MaxInt, math.MaxInt); m != math.MaxInt64 {
		t.Errorf("%d bytes", m)
	}
}
