package spg

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// Six terms that correlate equally and a cardinality of three: the first three are taken, and it is
// told.
func TestTieLargerThanTheCardinality(t *testing.T) {
	b := sparse.NewBuilder(8, 8)
	r := &Responses{Y: mat.NewDense(8, 1, nil)}
	for i := range 8 {
		b.Add(i, i, 1)
		r.Y.Set(i, 0, 1-2*float64(i%2))
	}
	x := must.Get(b.Build())(t)
	told := ""
	m := must.Get(FitResponses(ctx, x, r, Options{Terms: count(3), NoIntercept: true, Observer: func(e progress.Event) { told += e.Message }}))(t)
	if m.Cardinality[0] != 3 || m.Parted[0] != 5 || !strings.Contains(told, "correlate equally") {
		t.Errorf("%d terms, %d parted, told %q", m.Cardinality[0], m.Parted[0], told)
	}
	for j := range 8 {
		if (m.Projection.At(j, 0) != 0) != (j < 3) {
			t.Errorf("term %d has the weight %v", j, m.Projection.At(j, 0))
		}
	}
}

// Faint and huge data give the directions of ordinary ones, whatever the penalty: data times 2^e
// under the ridge α equal the data under α/4^e.
func TestScalesOfData(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 21))
	x, g := topics(rng, 40, 30, 3, true), graphOf(rng, 40, 3, false)
	for _, opt := range []Options{
		{Dims: 2, Terms: count(6)}, {Dims: 2, Penalty: Ridge, Ridge: ridge(0)}, {Dims: 2, Penalty: Ridge, Ridge: ridge(1)},
		{Dims: 2, Penalty: Ridge, Ridge: ridge(0x1p-996)}, {Dims: 2, Penalty: Ridge, Ridge: ridge(0x1p996)},
	} {
		plain := must.Get(FitGraph(ctx, x, g, opt))(t)
		for _, e := range []int{-498, 498} {
			by := make([]float64, 40)
			for i := range by {
				by[i] = math.Ldexp(1, e)
			}
			o := opt
			if alpha := math.Ldexp(opt.ridge(), 2*e); math.IsInf(alpha, 0) || opt.ridge() > 0 && alpha < 0x1p-1022 {
				continue
			} else if opt.Ridge != nil {
				o.Ridge = &alpha
			}
			m, err := FitGraph(ctx, x.ScaleRows(by), g, o)
			if err != nil {
				t.Errorf("2^%d, %+v: %v", e, o, err)
				continue
			}
			var d mat.Dense
			d.Sub(m.Embedding, plain.Embedding)
			if gap := mat.Norm(&d, 2) / mat.Norm(plain.Embedding, 2); !(gap < 1e-3) {
				t.Errorf("2^%d, %s %v: coordinates differ by %g", e, o.Penalty, o.ridge(), gap)
			}
		}
	}
}

// A ridge that leaves next to nothing of the coefficients: coordinates as wide as the responses all
// the same, about the responses' means.
func TestCrushingRidge(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 22))
	x, g := topics(rng, 40, 30, 3, true), graphOf(rng, 40, 3, false)
	for _, ridge := range []float64{1e20, 1e200, 1e300} {
		m := must.Get(FitGraph(ctx, x, g, Options{Dims: 2, Penalty: Ridge, Ridge: &ridge}))(t)
		for j := range 2 {
			z, zz := stat.MeanStdDev(mat.Col(nil, j, m.Embedding), nil)
			y, yy := stat.MeanStdDev(mat.Col(nil, j, m.Responses.Y), nil)
			if math.Abs(z-y) > 1e-13 || math.Abs(zz-yy) > 1e-12*yy || m.Correlations[j] < 0.1 {
				t.Errorf("ridge %g: coordinate %d has mean %g, spread %g, the response %g, %g; correlation %g", ridge, j, z, zz, y, yy, m.Correlations[j])
			}
		}
	}
}
