package le_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/race"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/diffusion"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/le"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/semile"
	"github.com/eigenmap/eigenmap/methods/spectral"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// topicRows makes unit rows of a few terms of one of six topics each, some without terms, and some
// that have no term in common with others.
func topicRows(n int) *sparse.CSR {
	rng := rand.New(rand.NewPCG(5, uint64(n)))
	b := sparse.NewBuilder(n, 700)
	for i := range n {
		switch {
		case i%301 == 7: // no terms
		case i%401 == 9: // a term of its own
			b.Add(i, 600+i/401, 1)
		default:
			for range 6 {
				b.Add(i, (i*7%6)*80+rng.IntN(100), 1+rng.Float64())
			}
		}
	}
	x, err := b.Build()
	if err != nil {
		panic(err)
	}
	return x.NormalizeRows()
}

// leaveOut reports whether TestShared leaves out the i-th fit of n documents: under the race
// detector, of the problems that are divided, all but le's on both kinds of graphs.
func leaveOut(n, i int) bool { return race.On && n > 1000 && i%4 != 0 }

// TestShared: with the documents divided among ranks the eigenvalues and the space of the
// coordinates equal one process's, for problems that are divided and for small ones, which are not.
func TestShared(t *testing.T) {
	for _, n := range []int{600, 4400} {
		x := topicRows(n)
		given := &method.Given{Labels: make([]int, n), Names: []string{"a", "b", "c"}}
		for i := range given.Labels {
			if given.Labels[i] = labels.Unknown; i%50 == 3 {
				given.Labels[i] = i / 50 % 3
			}
		}
		for i, c := range []struct {
			spec method.Spec
			kind string
		}{
			{le.Spec, "knn"}, {semile.Spec, "knn"}, {spectral.Spec, "knn"}, {diffusion.Spec, "knn"},
			{le.Spec, "complete"}, {semile.Spec, "complete"}, {diffusion.Spec, "complete"},
		} {
			if leaveOut(n, i) {
				continue
			}
			spec := c.spec
			options := func() method.Options {
				o := spec.New()
				if err := option.Find(option.Of(o), "graph-kind").Set(c.kind); err != nil {
					panic(err)
				}
				return o
			}
			in := &method.Input{X: x, Clusters: 5, Seed: 3}
			if spec.Needs.Labels == method.Required {
				in.Given = given
			}
			want := must.Get(spec.Fit(context.Background(), options(), in))(t)
			for _, size := range []int{2, 3} {
				if testing.Short() && (size > 2) != (n <= 1000) {
					continue
				}
				ranks.Together(size, func(team ranks.Team) {
					r, all := team.Rank(), size*(size+1)/2 // later ranks have more
					share := ranks.NewShare(team, n*(r+1)*(r+2)/2/all-n*r*(r+1)/2/all)
					rows := make([]int, share.Own())
					for i := range rows {
						rows[i] = share.First() + i
					}
					own := *in
					own.X, own.Share = x.SelectRows(rows), share
					if in.Given != nil {
						own.Given = &method.Given{Labels: given.Labels[share.First() : share.First()+share.Own()], Names: given.Names}
					}
					got, err := spec.Fit(ranks.With(context.Background(), team), options(), &own)
					if err != nil {
						t.Errorf("%s: %v", spec.Name, err)
						return
					}
					for j, v := range got.Values.Values {
						if math.Abs(v-want.Values.Values[j]) > 1e-9 {
							t.Errorf("%s, %d documents on %d ranks: λ_%d = %v, not %v", spec.Name, n, size, j+1, v, want.Values.Values[j])
						}
					}
					_, k := got.Embedding.Dims()
					whole := mat.NewDense(n, k, ranks.GatherFloats(team, mat.DenseCopyOf(got.Embedding).RawMatrix().Data))
					if gap := spaceGap(want.Embedding, whole); !(gap < 1e-5) {
						t.Errorf("%s, %d documents on %d ranks: the spaces differ by %.1e", spec.Name, n, size, gap)
					}
					if got.Graph.AllIsolated() != len(want.Graph.Isolated) {
						t.Errorf("%s: %d isolated, not %d", spec.Name, got.Graph.AllIsolated(), len(want.Graph.Isolated))
					}
					p, ok := got.Placer.(method.Gatherer)
					if !ok || !p.Partial() {
						t.Errorf("%s: the placer of a part is a %T", spec.Name, got.Placer)
						return
					}
					placer := p.Gather(&method.Gathering{Share: share})
					if r > 0 {
						if placer != nil {
							t.Errorf("%s: rank %d has the placer of all documents", spec.Name, r)
						}
						return
					}
					if err := samePlaces(want.Placer, placer); err != nil {
						t.Errorf("%s, %d documents on %d ranks: %v", spec.Name, n, size, err)
					}
				})
			}
		}
	}
}

// samePlaces compares where two placers put new documents: the same ones have nothing to be placed
// by, and the spaces of the others' coordinates are equal.
func samePlaces(want, got method.Placer) error {
	x := topicRows(310)
	var at [2]*method.Placement
	for i, p := range []method.Placer{want, got} {
		var err error
		if at[i], err = p.Place(context.Background(), x, nil); err != nil {
			return err
		}
	}
	if !slices.Equal(at[0].Isolated, at[1].Isolated) || len(at[0].Isolated) == 0 {
		return fmt.Errorf("%v have nothing to be placed by, not %v", at[1].Isolated, at[0].Isolated)
	}
	if gap := spaceGap(at[0].Embedding, at[1].Embedding); !(gap < 1e-5) {
		return fmt.Errorf("the spaces of new documents differ by %.1e", gap)
	}
	return nil
}

// spaceGap is the sine of the largest angle between the spaces of the columns.
func spaceGap(a, b *mat.Dense) float64 {
	basis := func(m *mat.Dense) *mat.Dense {
		var svd mat.SVD
		svd.Factorize(m, mat.SVDThin)
		u := new(mat.Dense)
		svd.UTo(u)
		return u
	}
	u, v := basis(a), basis(b)
	var g, p mat.Dense
	g.Mul(u.T(), v)
	p.Mul(u, &g)
	p.Sub(v, &p)
	return mat.Norm(&p, 2)
}
