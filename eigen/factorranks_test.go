package eigen

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/ranks"
)

// TestSharedFactor: a complete graph of which each rank has some rows has the degrees, components,
// products, energies and eigenvalues of the whole one, also with points that are apart and with
// joined sets whose members are on several ranks. One rank has the same bits.
func TestSharedFactor(t *testing.T) {
	const n = 250
	for _, c := range []struct {
		name   string
		topics int
		shared float64
		apart  bool
	}{{"connected", 3, 0.5, false}, {"parts", 5, 0, false}, {"apart points, sets", 4, 0.05, true}} {
		x := topicRows(n, c.topics, 0, c.shared, 9)
		var apart []bool
		var sets [][]int32
		if c.apart {
			apart, sets = make([]bool, n), make([][]int32, 3)
			for i := 0; i < n; i += 7 {
				apart[i], sets[i%3] = true, append(sets[i%3], int32(i))
			}
		}
		v := newBlock(n, 3)
		rng := rand.New(rand.NewPCG(4, 4))
		for i := range v.Data {
			v.Data[i] = rng.NormFloat64()
		}
		pencilOf := func(f *Factor, sets [][]int32) *Pencil {
			p, err := NewFactoredPencil(f, nil)
			if sets != nil {
				p, err = NewFactoredCliquePencil(f, sets, 0.7)
			}
			if err != nil {
				t.Fatal(err)
			}
			return p
		}
		whole, err := NewFactor(x, apart)
		if err != nil {
			t.Fatal(err)
		}
		p := pencilOf(whole, sets)
		label, count := p.Components()
		product := newBlock(n, 3)
		p.Operator().MulBlock(product, v)
		energy := p.energy(v)
		opt := Options{K: 6, Tol: 1e-10, Solver: Lanczos}
		want, err := p.Solve(context.Background(), opt)
		if err != nil {
			t.Fatal(err)
		}
		for size := 1; size <= 3; size++ {
			ranks.Together(size, func(team ranks.Team) {
				lo, hi := n*team.Rank()*team.Rank()/(size*size), n*(team.Rank()+1)*(team.Rank()+1)/(size*size)
				share := ranks.NewShare(team, hi-lo)
				rowList, mine := []int{}, make([][]int32, len(sets))
				for i := lo; i < hi; i++ {
					rowList = append(rowList, i)
				}
				for s, set := range sets {
					for _, i := range set {
						if int(i) >= lo && int(i) < hi {
							mine[s] = append(mine[s], i-int32(lo))
						}
					}
				}
				if sets == nil {
					mine = nil
				}
				f, err := NewSharedFactor(share, x.SelectRows(rowList), ranks.Own(share, apart))
				if err != nil {
					t.Error(err)
					return
				}
				own := pencilOf(f, mine)
				got := newBlock(hi-lo, 3)
				own.Operator().MulBlock(got, rows(v, lo, hi))
				r, err := own.Solve(ranks.With(context.Background(), team), opt)
				if err != nil {
					t.Errorf("%s, %d ranks: %v", c.name, size, err)
					return
				}
				tol := 1e-12
				if size == 1 {
					tol = 0
				}
				near := func(a, b []float64) bool {
					return slices.EqualFunc(a, b, func(a, b float64) bool { return math.Abs(a-b) <= tol*max(1, math.Abs(b)) })
				}
				ownLabel, ownCount := own.Components()
				if f.NNZ() != whole.NNZ() || ownCount != count || !slices.Equal(ownLabel, label[lo:hi]) {
					t.Errorf("%s, %d ranks: %d entries, %d components, not %d, %d", c.name, size, f.NNZ(), ownCount, whole.NNZ(), count)
				}
				if !near(own.degree, p.degree[lo:hi]) || !near(got.Data, rows(product, lo, hi).Data) || !near(own.energy(rows(v, lo, hi)), energy) {
					t.Errorf("%s, %d ranks: other degrees, products or energies", c.name, size)
				}
				if tol = max(tol, 1e-10); !near(r.Values, want.Values) {
					t.Errorf("%s, %d ranks: eigenvalues %v, not %v", c.name, size, r.Values, want.Values)
				}
			})
		}
	}
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
