package kmeans

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// partOf are the rows of x that the rank has.
func partOf(t testing.TB, x mat.Matrix, share *ranks.Share) mat.Matrix {
	lo, hi := share.First(), share.First()+share.Own()
	if s, ok := x.(*sparse.CSR); ok {
		rows := make([]int, hi-lo)
		for i := range rows {
			rows[i] = lo + i
		}
		return s.SelectRows(rows)
	}
	_, d := x.Dims()
	return x.(*mat.Dense).Slice(lo, hi, 0, d)
}

// TestShared: with the rows divided among ranks the clusters, their numbers, sizes and repairs
// equal one process's, and the centres and objectives do up to rounding.
func TestShared(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	blobs := mat.NewDense(600, 12, nil)
	blobs.Apply(func(i, j int, _ float64) float64 { return 4*float64((i*7+j*i%5)%6) + rng.NormFloat64() }, blobs)
	few := mat.NewDense(90, 2, nil) // fewer distinct rows than clusters
	few.Apply(func(i, j int, _ float64) float64 { return float64(i % 4 * (j + 1)) }, few)
	narrow := mat.DenseCopyOf(blobs.Slice(0, 600, 0, 3))
	words := mat.NewDense(400, 60, nil)
	for i := range 400 {
		for range 8 {
			words.Set(i, (i%5*10+rng.IntN(14))%60, float64(1+rng.IntN(3)))
		}
	}
	text := must.Get(sparse.FromMatrix(words))(t)
	var last []int // which may be all of a rank
	for i := 240; i < 400; i++ {
		last = append(last, i)
	}
	start := mat.NewDense(6, 12, nil) // two starts that no row is near: repairs
	for j := range 4 {
		start.SetRow(j, blobs.RawRowView(j))
	}
	for _, j := range []int{4, 5} {
		for c := range 12 {
			start.Set(j, c, 1e4*float64(j))
		}
	}
	for _, c := range []struct {
		name string
		x    mat.Matrix
		opt  Options
	}{
		{"k-means++", blobs, Options{K: 6, Restarts: 3, Seed: 1}},
		{"few columns", narrow, Options{K: 5, Restarts: 2, Seed: 2}},
		{"random starts", blobs, Options{K: 6, Restarts: 3, Seed: 1, Init: Random}},
		{"given starts, repairs", blobs, Options{K: 6, Start: start}},
		{"copies", few, Options{K: 6, Restarts: 2}},
		{"sparse", text, Options{K: 5, Restarts: 3, Seed: 4}},
		{"sparse, random", text, Options{K: 5, Restarts: 2, Seed: 4, Init: Random}},
		{"rows aside", text, Options{K: 5, Restarts: 2, Aside: []int{0, 1, 7, 200, 399}}},
		{"all rows of a rank aside", text, Options{K: 5, Restarts: 2, Aside: last}},
		{"all rows of a rank aside, dense", words, Options{K: 5, Restarts: 2, Aside: last}},
		{"one cluster", text, Options{K: 1, Restarts: 1}},
	} {
		want, err := Fit(context.Background(), c.x, c.opt)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if strings.Contains(c.name, "repairs") && want.Repaired == 0 {
			t.Errorf("%s: nothing was repaired", c.name)
		}
		n, _ := c.x.Dims()
		for _, size := range []int{1, 2, 3, 5} {
			ranks.Together(size, func(team ranks.Team) {
				all, r := size*(size+1)/2, team.Rank()
				opt := c.opt
				opt.Share = ranks.NewShare(team, n*(r+1)*(r+2)/2/all-n*r*(r+1)/2/all)
				opt.Aside = nil
				for _, i := range c.opt.Aside {
					if at := i - opt.Share.First(); at >= 0 && at < opt.Share.Own() {
						opt.Aside = append(opt.Aside, at)
					}
				}
				m, err := Fit(ranks.With(context.Background(), team), partOf(t, c.x, opt.Share), opt)
				if err != nil {
					t.Errorf("%s: %v", c.name, err)
					return
				}
				first := opt.Share.First()
				if !slices.Equal(m.Labels, want.Labels[first:first+opt.Share.Own()]) || !slices.Equal(m.Sizes, want.Sizes) || m.Repaired != want.Repaired || m.Converged != want.Converged {
					t.Errorf("%s: rank %d of %d found other clusters, sizes %v and not %v", c.name, r, size, m.Sizes, want.Sizes)
				}
				if math.Abs(m.Objective-want.Objective) > 1e-9*(1+want.Objective) || !mat.EqualApprox(m.Centers, want.Centers, 1e-9) {
					t.Errorf("%s: objective %v, not %v, or other centres", c.name, m.Objective, want.Objective)
				}
			})
		}
	}
}

// TestSharedErrors: what one rank finds wrong with its rows ends the fit on all of them.
func TestSharedErrors(t *testing.T) {
	x := mat.NewDense(40, 2, nil)
	x.Set(39, 1, math.NaN())
	for want, opt := range map[string]Options{"NaN": {K: 2}, "40 rows": {K: 41}, "Seeds": {K: 2, Seeds: make([]int, 40)}} {
		ranks.Together(2, func(team ranks.Team) {
			opt := opt // each rank its own
			opt.Share = ranks.NewShare(team, 20)
			rows := mat.DenseCopyOf(partOf(t, x, opt.Share))
			if want != "NaN" {
				rows.Zero()
			}
			_, err := Fit(context.Background(), rows, opt)
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("rank %d: %v", team.Rank(), err)
			}
		})
	}
}

// countedTeam counts the exchanges of a team.
type countedTeam struct {
	ranks.Team
	exchanges *int
}

func (c countedTeam) Exchange(parts [][]byte) [][]byte {
	*c.exchanges++
	return c.Team.Exchange(parts)
}

// TestSharedRepairs: many empty clusters at once get the rows that they get in one process, and the
// centres have its bits, where rows are equally far and clusters have fewer rows to give than are
// far. They need as many exchanges as two empty clusters.
func TestSharedRepairs(t *testing.T) {
	const n, k = 120, 12
	x := mat.NewDense(n, 2, nil) // whole numbers: sums have no rounding
	for i := range n {
		switch {
		case i%40 == 39: // three rows far out, in a cluster of their own, which gives two of them
			x.SetRow(i, []float64{4096, float64(256 * (i / 40))})
		default: // squares around two places: many distances are equal
			x.SetRow(i, []float64{float64(i%2*64 + i%5 - 2), float64(i/7%5 - 2)})
		}
	}
	exchanges := map[int]map[int]int{} // by ranks and empty clusters
	for _, empty := range []int{2, 9} {
		start := mat.NewDense(k, 2, nil)
		for j := range k {
			start.SetRow(j, []float64{float64(-20000 - j), float64(j)}) // no row is near
		}
		for at, row := range [][]float64{{0, 0}, {64, 0}, {4096, 256}, {2, 2}, {66, 2}, {-2, -2}, {62, -2}, {0, 1}, {64, 1}, {1, 0}}[:k-empty] {
			start.SetRow((5*at+2)%k, row) // the empty clusters lie between the others
		}
		opt := Options{K: k, Start: start, MaxIter: 1}
		want := must.Get(Fit(context.Background(), x, opt))(t)
		if want.Repaired != empty {
			t.Fatalf("%d of %d empty clusters were repaired", want.Repaired, empty)
		}
		for _, size := range []int{1, 2, 4} {
			counts := make([]int, size)
			ranks.Together(size, func(team ranks.Team) {
				rank := team.Rank()
				team = countedTeam{team, &counts[rank]}
				own := opt
				own.Share = ranks.NewShare(team, (rank+1)*n/size-rank*n/size)
				m, err := Fit(ranks.With(context.Background(), team), partOf(t, x, own.Share), own)
				if err != nil {
					t.Error(err)
					return
				}
				first := own.Share.First()
				if !slices.Equal(m.Labels, want.Labels[first:first+own.Share.Own()]) || !mat.Equal(m.Centers, want.Centers) || m.Repaired != want.Repaired || math.Abs(m.Objective-want.Objective) > 1e-12*want.Objective {
					t.Errorf("%d empty clusters: rank %d of %d has other labels or centres", empty, rank, size)
				}
			})
			if exchanges[size] == nil {
				exchanges[size] = map[int]int{}
			}
			exchanges[size][empty] = counts[0]
		}
	}
	for size, counts := range exchanges {
		if counts[2] != counts[9] {
			t.Errorf("%d ranks: %d exchanges with 2 empty clusters, %d with 9", size, counts[2], counts[9])
		}
	}
}

// TestFarthest: empty clusters get the rows that the rule gives that takes one after the other,
// from one list, from parts of it, and from the farthest of parts.
func TestFarthest(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	for range 300 {
		k, n, most := 1+rng.IntN(6), 1+rng.IntN(40), 1+rng.IntN(8)
		size, rows := make([]int, k), make([]farRow, n)
		for i := range rows {
			rows[i] = farRow{float64(1 + rng.IntN(5)), i, rng.IntN(k)}
			size[rows[i].cluster]++
		}
		var want []farRow
		left, gone := slices.Clone(size), make([]bool, n)
		for range most {
			best := -1
			for i, f := range rows {
				if !gone[i] && left[f.cluster] > 1 && (best < 0 || f.away > rows[best].away) {
					best = i
				}
			}
			if best < 0 {
				break
			}
			left[rows[best].cluster]--
			gone[best] = true
			want = append(want, rows[best])
		}
		cut := rng.IntN(n + 1)
		parts := append(farthest(slices.Clone(rows[:cut]), size, most), farthest(slices.Clone(rows[cut:]), size, most)...)
		if whole := farthest(slices.Clone(rows), size, most); !slices.Equal(whole, want) {
			t.Fatalf("%v, not %v", whole, want)
		}
		if got := farthest(parts, size, most); !slices.Equal(got, want) {
			t.Fatalf("of two parts %v, not %v", got, want)
		}
	}
}
