package eigen

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas/blas64"
)

// TestSharedFactor: a complete graph of which each rank has some rows has the degrees, components,
// products, energies and eigenvalues of the whole one, also with points that are apart and with
// joined sets whose members are on several ranks. One rank has the same bits.
func TestSharedFactor(t *testing.T) {
	const n = 250
	for _, c := range []sharedCase{{"connected", 3, 0.5, false}, {"parts", 5, 0, false}, {"apart points, sets", 4, 0.05, true}} {
		x := topicRows(n, c.topics, 0, c.shared, 9)
		var apart []bool
		var sets [][]int32
		if c.apart {
			apart, sets = make([]bool, n), make([][]int32, 3)
			for i := 0; i < n; i += 7 {
				apart[i], sets[i%3] = true, append(sets[i%3], int32(i))
			}
		}
		v := space.NewBlock(n, 3)
		rng := rand.New(rand.NewPCG(4, 4))
		for i := range v.Data {
			v.Data[i] = rng.NormFloat64()
		}
		want := seenOf(t, nil, x, apart, sets, v)
		for size := 1; size <= 3; size++ {
			ranks.Together(size, func(team ranks.Team) {
				lo, hi := n*team.Rank()*team.Rank()/(size*size), n*(team.Rank()+1)*(team.Rank()+1)/(size*size)
				share := ranks.NewShare(team, hi-lo)
				list := make([]int, hi-lo)
				for i := range list {
					list[i] = lo + i
				}
				got := seenOf(t, share, x.SelectRows(list), ranks.Own(share, apart), setsBetween(sets, lo, hi), space.Rows(v, lo, hi))
				if what := got.differs(want, lo, hi, size > 1); what != "" {
					t.Errorf("%s, rank %d of %d: other %s", c.name, team.Rank(), size, what)
				}
			})
		}
	}
}

// sharedCase is a complete graph of topics whose documents have common terms by some chance.
type sharedCase struct {
	name   string
	topics int
	shared float64
	apart  bool
}

// setsBetween are the members of sets from lo up to hi, counted from lo.
func setsBetween(sets [][]int32, lo, hi int) [][]int32 {
	own := make([][]int32, len(sets))
	for s, set := range sets {
		for _, i := range set {
			if int(i) >= lo && int(i) < hi {
				own[s] = append(own[s], i-int32(lo))
			}
		}
	}
	return own
}

// seen is what a pencil of a complete graph has and makes, of the points that are here.
type seen struct {
	nnz, count                              int
	label                                   []int32
	degree, product, energy, values, volume []float64
}

// seenOf makes the pencil of rows x; a nil share has all points.
func seenOf(t *testing.T, share *ranks.Share, x *sparse.CSR, apart []bool, sets [][]int32, v blas64.General) (s seen) {
	share = ranks.NewShare(share, x.NumRows)
	f, err := NewSharedFactor(share, x, apart)
	var p *Pencil
	if err == nil && len(sets) == 0 {
		p, err = NewFactoredPencil(f, nil)
	} else if err == nil {
		p, err = NewFactoredCliquePencil(f, sets, 0.7)
	}
	if err != nil {
		t.Error(err)
		return s
	}
	product := space.NewBlock(v.Rows, v.Cols)
	p.Operator().MulBlock(product, v)
	r, err := p.Solve(ranks.With(context.Background(), share.Of()), Options{K: 6, Tol: 1e-10, Solver: Lanczos})
	if err != nil {
		t.Error(err)
		return s
	}
	s = seen{nnz: f.NNZ(), degree: p.degree, product: product.Data, energy: p.energy(v), values: r.Values, volume: p.volumes()}
	s.label, s.count = p.Components()
	return s
}

// differs names the first thing that is not as in the whole, of which these are the points from lo
// up to hi; rounded numbers may differ by rounding.
func (s seen) differs(want seen, lo, hi int, rounded bool) string {
	near := func(a, b []float64, tol float64) bool {
		return slices.EqualFunc(a, b, func(a, b float64) bool { return a == b || rounded && math.Abs(a-b) <= tol*max(1, math.Abs(b)) })
	}
	width := len(want.product) / len(want.degree)
	switch {
	case s.nnz != want.nnz || s.count != want.count || !slices.Equal(s.label, want.label[lo:hi]):
		return "components"
	case !near(s.degree, want.degree[lo:hi], 1e-12) || !near(s.volume, want.volume, 1e-12):
		return "degrees"
	case !near(s.product, want.product[lo*width:hi*width], 1e-12):
		return "products"
	case !near(s.energy, want.energy, 1e-12):
		return "energies"
	case !near(s.values, want.values, 1e-10):
		return "eigenvalues"
	}
	return ""
}

// TestSharedFactorRefuses: a wrong entry on one rank is an error of all.
func TestSharedFactorRefuses(t *testing.T) {
	x := topicRows(40, 2, 0, 0.5, 3)
	x.Val[x.RowPtr[30]] = -1
	ranks.Together(2, func(team ranks.Team) {
		share := ranks.NewShare(team, 20)
		list := make([]int, 20)
		for i := range list {
			list[i] = share.First() + i
		}
		if _, err := NewSharedFactor(share, x.SelectRows(list), nil); err == nil {
			t.Errorf("rank %d takes an entry below 0 of the other", team.Rank())
		}
	})
}
