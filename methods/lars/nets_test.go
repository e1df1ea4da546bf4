package lars

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

// Rounds of responses that drift give the nets of whole paths, whichever way they are followed: sparse and dense rows, duplicated and constant columns,
// numbers of terms and penalties, any scale, room for Gram entries or next to none. The ridge keeps the knots well determined.
func TestPropertyNetsAreThoseOfPaths(t *testing.T) {
	quick := 0
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 8))
		n, p, r := 5+rng.IntN(40), 2+rng.IntN(60), 1+rng.IntN(3)
		dense := awkward(n, p, 0.6*rng.Float64(), rng)
		y := mat.NewDense(n, r, nil)
		for k := range r {
			y.SetCol(k, mat.Col(nil, 0, response(dense, rng)))
		}
		dense.Scale(math.Ldexp(1, rng.IntN(200)-100), dense)
		var x mat.Matrix = dense
		if rng.IntN(2) == 0 {
			x = toCSR(dense)
		}
		size := mat.Norm(dense, 2)
		opt := Options{Ridge: size * size * []float64{1e-3, 0.01, 1}[rng.IntN(3)], Intercept: rng.IntN(2) == 0}
		s, err := NewNets(ctx, x, r, opt, []int64{100, 1 << 20}[rng.IntN(2)])
		if err != nil {
			t.Fatal(err)
		}
		targets := make([]Target, r)
		for k := range r {
			if targets[k].Terms = 1 + rng.IntN(8); rng.IntN(2) == 0 {
				targets[k] = Target{Penalty: size * mat.Norm(y, 2) * math.Exp(-1-4*rng.Float64())}
			}
		}
		drift := mat.Norm(y, 2) / math.Sqrt(float64(n*r)) * 0.3
		for round := range 7 {
			nets, err := s.Solve(ctx, y, targets)
			if err != nil {
				t.Fatal(err)
			}
			for k, got := range nets {
				o := opt
				o.MaxTerms, o.MinPenalty = targets[k].Terms, targets[k].Penalty
				path, err := fitOne(x, mat.DenseCopyOf(y.ColView(k)), o)
				if err != nil {
					t.Fatal(err)
				}
				want := Net{Penalty: o.MinPenalty}
				if o.MaxTerms > 0 {
					knot := path.WithTerms(o.MaxTerms)
					want.Penalty = path.Penalty[knot]
					want.Terms, want.Coefficients, _ = path.At(knot)
				} else {
					want.Terms, want.Coefficients, _ = path.AtPenalty(o.MinPenalty)
				}
				values, largest := make([]float64, p), 0.0
				for i, j := range want.Terms {
					values[j] = want.Coefficients[i]
					largest = max(largest, math.Abs(want.Coefficients[i]))
				}
				for i, j := range got.Terms {
					values[j] -= got.Coefficients[i]
				}
				if gap := largestOf(values); !(gap <= 1e-6*largest) || math.Abs(got.Penalty-want.Penalty) > 1e-7*path.Penalty[0] {
					t.Fatalf("round %d, response %d of %d × %d, %+v: coefficients differ by %g of %g, penalties %g and %g",
						round, k, n, p, targets[k], gap, largest, got.Penalty, want.Penalty)
				}
				quick += s.kept[k].served
			}
			for i := range n {
				for k := range r {
					y.Set(i, k, y.At(i, k)+drift*rng.NormFloat64())
				}
			}
			drift *= 0.4
		}
	})
	if quick == 0 {
		t.Error("no path was followed in Gram entries")
	}
}

// A reference's margins are met: on the path of another response no column comes nearer to the bound than they and the responses' distance allow.
func TestPropertyMarginsHold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 9))
		n, p := 10+rng.IntN(30), 5+rng.IntN(40)
		x := awkward(n, p, 0.3, rng)
		c, err := newColumns(ctx, x, true)
		if err != nil {
			t.Fatal(err)
		}
		f := newFollower(c, Options{Intercept: true, Ridge: 0.1, MaxTerms: 6})
		y := response(x, rng)
		mat.Col(f.y, 0, y)
		f.margins = new(margins)
		if _, err := f.follow(ctx); err != nil {
			t.Fatal(err)
		}
		least, end, exp := f.margins.least(c), f.lambda, f.exp
		base := append([]float64(nil), f.y...)
		other := mat.DenseCopyOf(y)
		for i := range n {
			other.Set(i, 0, other.At(i, 0)+0.01*rng.NormFloat64()*mat.Norm(y, 2)/math.Sqrt(float64(n)))
		}
		f.margins = nil
		mat.Col(f.y, 0, other)
		path, err := f.follow(ctx)
		if err != nil {
			t.Fatal(err)
		}
		away := 0.0
		for i, v := range f.y {
			away = math.Hypot(away, math.Ldexp(v, f.exp-exp)-base[i])
		}
		for knot, penalty := range path.Penalty {
			lambda := math.Ldexp(penalty, -exp-c.exp)
			if lambda < end {
				break
			}
			terms, values, _ := path.At(knot)
			r := append([]float64(nil), f.y...)
			rescale(r, f.exp-exp)
			active := map[int]bool{}
			for i, j := range terms {
				b := math.Ldexp(values[i], c.exp-exp)
				active[int(j)] = true
				c.add(int(j), -b, r)
			}
			c.centre(r)
			for j := range p {
				if active[j] {
					continue
				}
				near := lambda - math.Abs(c.dot(j, r))
				if least := least[j] - math.Sqrt(c.norm[j]*c.norm[j]+0.1)*away; near < least-1e-9*(1+math.Abs(least)) {
					t.Fatalf("knot %d: column %d is %g off the bound, at least %g was promised", knot, j, near, least)
				}
			}
		}
	})
}
