package lpp

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/race"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/methods/labels"
	"gonum.org/v1/gonum/mat"
)

// onRanks fits the documents x, divided among the ranks of a team, by a graph that build makes of
// the own ones, and checks each rank's model.
func onRanks(t *testing.T, size int, x mat.Matrix, opt Options, build func(ctx context.Context, share *ranks.Share, own mat.Matrix) (Graph, error), check func(share *ranks.Share, m *Model, err error)) {
	t.Helper()
	n, _ := x.Dims()
	ranks.Together(size, func(team ranks.Team) {
		share := ranks.NewShare(team, n*(team.Rank()+1)/size-n*team.Rank()/size)
		list := make([]int, share.Own())
		for i := range list {
			list[i] = share.First() + i
		}
		ctx, own := ranks.With(context.Background(), team), rows.Select(x, list)
		g, err := build(ctx, share, own)
		if err != nil {
			check(share, nil, err)
			return
		}
		o := opt
		o.Share = share
		m, err := FitGraph(ctx, own, g, o)
		check(share, m, err)
	})
}

// With the documents divided among ranks the values, the directions and the coordinates equal one
// process's: by every solver, of the Gram matrix of either side, on graphs of neighbours, of
// classes and of all documents.
func TestRanksFindTheSame(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	tall, wide := rowsOf(rng, 90, 25, true), rowsOf(rng, 60, 80, false)
	known := make([]int, 90)
	for i := range known {
		if known[i] = labels.Unknown; i%2 == 0 {
			known[i] = i / 2 % 5
		}
	}
	neighbours := func(ctx context.Context, share *ranks.Share, own mat.Matrix) (Graph, error) {
		g, err := graph.Build(ctx, own, graph.Options{Neighbors: 6, Share: share})
		if err != nil {
			return nil, err
		}
		return Of(g), nil
	}
	classes := func(_ context.Context, share *ranks.Share, _ mat.Matrix) (Graph, error) {
		return ClassGraph(known[:share.Total()], 5)
	}
	all := func(_ context.Context, share *ranks.Share, _ mat.Matrix) (Graph, error) {
		return PCAGraph(share.Total()), nil
	}
	small := Options{Dims: 4, most: 1, Tol: 1e-10}
	lanczos := Options{Dims: 4, Solver: eigen.Lanczos, Tol: 1e-10}
	pca := Options{Dims: 4, Kind: PCA}
	for i, c := range []struct {
		name  string
		opt   Options
		build func(ctx context.Context, share *ranks.Share, own mat.Matrix) (Graph, error)
	}{
		{"dense", Options{Dims: 4}, neighbours},
		{"davidson", small, neighbours},
		{"projected", lanczos, neighbours},
		{"projected without a ridge", with(lanczos, 0, true), neighbours},
		{"not centred", with(Options{Dims: 4}, 0.5, false), neighbours},
		{"classes", Options{Dims: 4}, classes},
		{"classes, davidson", small, classes},
		{"pca", pca, all},
		{"pca, direct", Options{Dims: 4, Kind: PCA, Solver: eigen.Lanczos, Tol: 1e-10}, all},
	} {
		if race.On && i%3 != 0 {
			continue // each solver once
		}
		forms := map[string]mat.Matrix{"tall": tall, "wide dense": wide.ToDense()}
		if race.On { // of each form
			delete(forms, []string{"tall", "wide dense"}[i%2])
		}
		sizes := []int{3}
		if !testing.Short() {
			forms["wide"], forms["tall dense"] = wide, tall.ToDense()
			sizes = []int{2, 3}
		}
		for form, x := range forms {
			var want *Model
			onRanks(t, 1, x, c.opt, c.build, func(_ *ranks.Share, m *Model, err error) {
				if want = m; err != nil {
					t.Fatalf("%s, %s: %v", c.name, form, err)
				}
			})
			for _, size := range sizes {
				onRanks(t, size, x, c.opt, c.build, func(share *ranks.Share, m *Model, err error) {
					d := fmt.Sprint(err)
					if err == nil {
						d = modelDifference(share, want, m)
					}
					if d != "" {
						t.Errorf("%s, %s: rank %d of %d: %s", c.name, form, share.Rank(), size, d)
					}
				})
			}
		}
	}
}

// modelDifference says how a rank's model differs from one process's, "" if only by rounding.
func modelDifference(share *ranks.Share, want, got *Model) string {
	for j, v := range want.Values {
		if math.Abs(got.Values[j]-v) > 1e-9*(1+math.Abs(v)) {
			return fmt.Sprintf("value %d is %v, not %v", j, got.Values[j], v)
		}
	}
	for j, v := range want.Mean {
		if math.Abs(got.Mean[j]-v) > 1e-12 {
			return fmt.Sprintf("the mean of column %d is %v, not %v", j, got.Mean[j], v)
		}
	}
	top := mat.Norm(want.Projection, 2)
	var gap mat.Dense
	if gap.Sub(want.Projection, got.Projection); mat.Norm(&gap, 2) > 1e-6*top {
		return fmt.Sprintf("the directions differ by %g of %g", mat.Norm(&gap, 2), top)
	}
	own := want.Embedding.Slice(share.First(), share.First()+share.Own(), 0, len(want.Values))
	gap.Reset()
	if gap.Sub(own, got.Embedding); mat.Norm(&gap, 2) > 1e-6*mat.Norm(want.Embedding, 2) {
		return fmt.Sprintf("the coordinates differ by %g", mat.Norm(&gap, 2))
	}
	return ""
}

// What is wrong on one rank, or ends its context, ends the fit of all.
func TestRanksEndTogether(t *testing.T) {
	x := rowsOf(rand.New(rand.NewPCG(8, 7)), 40, 12, false)
	all := func(_ context.Context, share *ranks.Share, _ mat.Matrix) (Graph, error) {
		return PCAGraph(share.Total()), nil
	}
	wrong := x.Clone()
	wrong.Val[len(wrong.Val)-1] = math.NaN()
	onRanks(t, 2, wrong, Options{Dims: 2, Kind: PCA}, all, func(share *ranks.Share, _ *Model, err error) {
		if !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("rank %d: %v", share.Rank(), err)
		}
	})
	short := func(context.Context, *ranks.Share, mat.Matrix) (Graph, error) { return PCAGraph(39), nil }
	onRanks(t, 2, x, Options{Dims: 2, Kind: PCA}, short, func(share *ranks.Share, _ *Model, err error) {
		if !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("a graph of other documents, rank %d: %v", share.Rank(), err)
		}
	})
	for _, opt := range []Options{{Dims: 3}, {Dims: 3, most: 1}, {Dims: 3, Solver: eigen.Lanczos}} {
		ranks.Together(2, func(team ranks.Team) {
			share := ranks.NewShare(team, 20)
			ctx, cancel := context.WithCancel(ranks.With(context.Background(), team))
			defer cancel()
			if team.Rank() == 1 {
				cancel()
			}
			list := make([]int, 20)
			for i := range list {
				list[i] = share.First() + i
			}
			o := opt
			o.Share = share
			if _, err := FitGraph(ctx, rows.Select(x, list), newGroups(40, [][]int32{{0, 5, 25, 39}, {1, 30, 31}, {2, 3, 4, 20}, {7, 38}, {8, 9, 37}}), o); !errors.Is(err, context.Canceled) {
				t.Errorf("%+v: rank %d: %v", opt, team.Rank(), err)
			}
		})
	}
}

// The dense way that was asked for is held against what is left of the memory: an error of all
// ranks if it is too much for one of them, and within the bound what it takes.
func TestDenseKeepsWithinMemory(t *testing.T) {
	const n, d = 3000, 300
	x := rowsOf(rand.New(rand.NewPCG(8, 9)), n, d, false)
	needs := func(rows int) int64 { return 24 * d * int64(d+rows) }
	o := Options{Dims: 3, Kind: PCA, Solver: eigen.Dense}
	// Beside the dense way there are the rows, scaled and by columns, and panels of products.
	most := needs(n) + int64(24*x.NNZ())
	took, _ := memory.PeakHeap(func() {
		if _, err := FitGraph(memory.Bound(context.Background(), needs(n)), x, PCAGraph(n), o); err != nil {
			t.Error(err)
		}
	})
	if took > most {
		t.Errorf("it takes %d bytes, and asks for %d of at most %d", took, needs(n), most)
	}
	for size := 1; size <= 2; size++ {
		ranks.Together(size, func(team ranks.Team) {
			share := ranks.NewShare(team, n/size)
			ctx, o, list := ranks.With(context.Background(), team), o, make([]int, n/size)
			for i := range list {
				list[i] = share.First() + i
			}
			if team.Rank() == size-1 {
				ctx = memory.Bound(ctx, needs(n/size)-1)
			}
			o.Share = share
			_, err := FitGraph(ctx, rows.Select(x, list), PCAGraph(n), o)
			if !errors.Is(err, fs.ErrInvalid) || team.Rank() == size-1 && !errors.Is(err, memory.ErrLimit) || !strings.Contains(err.Error(), "use ‹solver› lanczos") {
				t.Errorf("%d ranks, rank %d: %v", size, team.Rank(), err)
			}
		})
	}
}
