package gmm

import (
	"math/rand/v2"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/property"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// Each row has a limit of its own, below or above its norm: those within their limits stay, with
// the norm that the literal formula gives; a row that left was beyond its limit.
func TestPanelDropsRowsBeyondTheirLimits(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		d := rapid.IntRange(1, 140).Draw(t, "d")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		x := blobs(60, d, 3, 1, rng.Uint64())
		m := must.Get(FromResponsibilities(ctx, x, mat.NewDense(60, 1, ones(60)), Options{K: 1, Ridge: number(0.1)}))(t)
		var c mat.Cholesky
		if !c.Factorize(m.Covariance(0)) {
			t.Fatal("not positive definite")
		}
		p := newPanel(native.Default(), d)
		norm, limit := map[int32]float64{}, map[int32]float64{}
		for _, i := range rng.Perm(60)[:40] {
			var diff, solved mat.VecDense
			diff.SubVec(x.RowView(i), m.Means.RowView(0))
			must.Do(t, c.SolveVecTo(&solved, &diff))
			q := mat.Dot(&diff, &solved)
			p.id[p.n], p.limit[p.n] = int32(i), q*(0.01+1.5*rng.Float64())
			norm[int32(i)], limit[int32(i)] = q, p.limit[p.n]
			p.n++
		}
		p.bounded = true
		p.mahalanobis(m.factor(0), &source{x.RawMatrix(), m.mean(0)})
		kept := map[int32]bool{}
		for r, i := range p.id[:p.n] {
			if kept[i] = true; !near(p.q[r], norm[i], 1e-9, norm[i]+1e-9) {
				t.Fatalf("row %d: norm %v, literally %v", i, p.q[r], norm[i])
			}
		}
		for i, q := range norm {
			if !kept[i] && q < limit[i]*(1-1e-9) {
				t.Fatalf("row %d was dropped at norm %v, limit %v", i, q, limit[i])
			}
		}
		if d > 2*leaf && len(kept) == 40 {
			t.Fatal("no row was dropped")
		}
	})
}
