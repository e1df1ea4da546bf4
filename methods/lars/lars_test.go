package lars

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/property"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

var ctx = context.Background()

// awkward returns n×p data, sparse by the given share of zeros, with some zero, constant,
// duplicate, negated and dependent columns.
func awkward(n, p int, zeros float64, rng *rand.Rand) *mat.Dense {
	x := mat.NewDense(n, p, nil)
	for j := range p {
		offset := 0.0
		if rng.IntN(4) == 0 {
			offset = 3 * rng.NormFloat64()
		}
		other := rng.IntN(p)
		kind := rng.IntN(14)
		for i := range n {
			switch {
			case kind == 0: // zero
			case kind == 1:
				x.Set(i, j, 2.7)
			case kind == 2 && other < j:
				x.Set(i, j, x.At(i, other))
			case kind == 3 && other < j:
				x.Set(i, j, -x.At(i, other))
			case kind == 4 && j > 1:
				x.Set(i, j, x.At(i, j-1)+x.At(i, j-2))
			case kind == 5 && other < j: // nearly the same
				x.Set(i, j, x.At(i, other)+0.01*rng.NormFloat64())
			case rng.Float64() >= zeros:
				x.Set(i, j, rng.NormFloat64()+offset)
			}
		}
	}
	return x
}

func response(x *mat.Dense, rng *rand.Rand) *mat.Dense {
	n, p := x.Dims()
	y := mat.NewDense(n, 1, nil)
	noise := rng.Float64()
	if rng.IntN(5) == 0 {
		noise = 0
	}
	for i := range n {
		v := 1.5 + noise*rng.NormFloat64()
		for j := 0; j < p; j += 3 {
			v += x.At(i, j) * float64(1+j%4)
		}
		y.Set(i, 0, v)
	}
	return y
}

func toCSR(x mat.Matrix) *sparse.CSR {
	a, err := sparse.FromMatrix(x)
	if err != nil {
		panic(err)
	}
	return a
}

// centredCopy takes the means off the columns where centre is set, literally.
func centredCopy(x *mat.Dense, centre bool) *mat.Dense {
	out := mat.DenseCopyOf(x)
	if !centre {
		return out
	}
	n, p := x.Dims()
	for j := range p {
		m := 0.0
		for i := range n {
			m += x.At(i, j) / float64(n)
		}
		for i := range n {
			out.Set(i, j, x.At(i, j)-m)
		}
	}
	return out
}

// checkPath tests the optimality conditions at every knot on densely centred data, the intercept,
// the residual and the account of changes. The return is the first violation.
func checkPath(x, y *mat.Dense, p *Path, opt Options, tol float64) error {
	n, d := x.Dims()
	xc, yc := centredCopy(x, opt.Intercept), centredCopy(y, opt.Intercept)
	length := mat.Norm(yc, 2) + 1e-4*mat.Norm(y, 2) // the literal centring has rounding of its own
	scale := length                                 // of correlations
	widest := 0.0
	norms := make([]float64, d)
	for j := range d {
		norms[j] = mat.Norm(xc.ColView(j), 2)
		widest = max(widest, norms[j])
	}
	scale *= widest
	active := map[int32]bool{}
	changes := p.Changes
	for t := range p.Knots() {
		lambda := p.Penalty[t]
		if t > 0 && !(lambda <= p.Penalty[t-1]) {
			return fmt.Errorf("knot %d: the penalty rises from %v to %v", t, p.Penalty[t-1], lambda)
		}
		terms, values, intercept := p.At(t)
		if !slices.IsSorted(terms) || len(terms) != p.Terms(t) {
			return fmt.Errorf("knot %d: terms %v", t, terms)
		}
		r := mat.VecDenseCopyOf(yc.ColView(0))
		b := make([]float64, d)
		plain := mat.VecDenseCopyOf(y.ColView(0))
		for k, j := range terms {
			b[j] = values[k]
			r.AddScaledVec(r, -values[k], xc.ColView(int(j)))
			plain.AddScaledVec(plain, -values[k], x.ColView(int(j)))
			if values[k] == 0 || !active[j] {
				return fmt.Errorf("knot %d: term %d with coefficient %v, entered: %v", t, j, values[k], active[j])
			}
		}
		for i := range n {
			if math.Abs(plain.AtVec(i)-intercept-r.AtVec(i)) > 1e-9*(length+math.Abs(intercept)+mat.Norm(y, 2)) {
				return fmt.Errorf("knot %d: the intercept %v does not give the centred residual", t, intercept)
			}
		}
		if got := p.Residual[t]; math.Abs(got-mat.Norm(r, 2)) > 1e-9*length {
			return fmt.Errorf("knot %d: residual %v, literally %v", t, got, mat.Norm(r, 2))
		}
		var err error
		if changes, err = follow(t, changes, true, active); err != nil {
			return err
		}
		if len(terms) != len(active) && !opt.LAR && (t == 0 || p.Penalty[t] < p.Penalty[t-1]) {
			return fmt.Errorf("knot %d: %d coefficients but %d active", t, len(terms), len(active))
		}
		if err := checkCorrelations(xc, r, b, p, t, opt, norms, tol*length); err != nil {
			return err
		}
		if changes, err = follow(t, changes, false, active); err != nil {
			return err
		}
	}
	if len(changes) > 0 {
		return fmt.Errorf("%d changes after the last knot", len(changes))
	}
	return nil
}

func fitOne(x mat.Matrix, y *mat.Dense, opt Options) (*Path, error) {
	paths, err := Fit(ctx, x, y, opt)
	if err != nil {
		return nil, err
	}
	return paths[0], nil
}

// The optimality conditions hold at every knot, for awkward data of any shape, dense and sparse,
// and the path reaches its end.
func TestOptimalityOnAwkwardData(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		n, p := 1+rng.IntN(40), 1+rng.IntN(40)
		if rng.IntN(4) == 0 {
			n *= 5
		}
		x := awkward(n, p, []float64{0, 0.3, 0.9}[rng.IntN(3)], rng)
		y := response(x, rng)
		opt := drawOptions(rng)
		for name, in := range map[string]mat.Matrix{"dense": x, "sparse": toCSR(x)} {
			path, err := fitOne(in, y, opt)
			if err != nil {
				t.Fatalf("%v", err)
			}
			if err := checkPath(x, y, path, opt, 1e-10); err != nil {
				t.Fatalf("%s %d×%d %+v: %v", name, n, p, opt, err)
			}
			if path.Stopped != StoppedComplete && path.Stopped != StoppedOrthogonal && path.Stopped != StoppedRounding {
				t.Fatalf("%s %d×%d %+v: stopped: %s", name, n, p, opt, path.Stopped)
			}
		}
	})
}

// drawOptions draws one of the kinds of path.
func drawOptions(rng *rand.Rand) Options {
	opt := Options{Intercept: rng.IntN(2) == 0}
	switch rng.IntN(5) {
	case 0:
		opt.LAR = true
	case 1:
		opt.Positive = true
	case 2:
		opt.Ridge = math.Exp(4 * rng.NormFloat64())
	}
	return opt
}

// Columns may differ by orders of magnitude.
func TestOptimalityAtManyScales(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 5))
		n, p := 3+rng.IntN(30), 2+rng.IntN(30)
		x := mat.NewDense(n, p, nil)
		for j := range p {
			size := math.Pow(10, 4*rng.Float64()-2)
			for i := range n {
				x.Set(i, j, size*rng.NormFloat64())
			}
		}
		y, opt := response(x, rng), drawOptions(rng)
		path, err := fitOne(x, y, opt)
		if err != nil {
			t.Fatalf("%v", err)
		}
		if err := checkPath(x, y, path, opt, 1e-9); err != nil {
			t.Fatalf("%d×%d %+v: %v", n, p, opt, err)
		}
	})
}

// Data of few small integers are full of exact ties, dependences and drops to zero at a tie.
func TestOptimalityUnderTies(t *testing.T) {
	dependent, drops := 0, 0
	for seed := range uint64(100) { // fixed: fewer draws may hold no dependent column
		rng := rand.New(rand.NewPCG(seed, 1))
		n, p := 2+rng.IntN(14), 2+rng.IntN(20)
		x, y := mat.NewDense(n, p, nil), mat.NewDense(n, 1, nil)
		for i := range n {
			y.Set(i, 0, float64(rng.IntN(5)-2))
			for j := range p {
				x.Set(i, j, float64(max(0, rng.IntN(5)-2)-rng.IntN(2)))
			}
		}
		opt := drawOptions(rng)
		path, err := fitOne(toCSR(x), y, opt)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		if err := checkPath(x, y, path, opt, 1e-10); err != nil {
			t.Fatalf("seed %d, %d×%d %+v: %v", seed, n, p, opt, err)
		}
		dependent += len(path.Dependent)
		for _, c := range path.Changes {
			if c.Left {
				drops++
			}
		}
	}
	if dependent == 0 || drops == 0 {
		t.Errorf("the draws had %d dependent columns and %d drops: they test nothing", dependent, drops)
	}
}

// Columns close to a copy are followed too, to what a Gram matrix can show of them.
func TestOptimalityNearDuplicates(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 2))
		n, p := 4+rng.IntN(30), 4+rng.IntN(30)
		x := awkward(n, p, 0.3, rng)
		for j := p / 2; j < p; j++ {
			for i := range n {
				x.Set(i, j, x.At(i, j-p/2)+1e-3*rng.NormFloat64())
			}
		}
		y, opt := response(x, rng), drawOptions(rng)
		path, err := fitOne(x, y, opt)
		if err != nil {
			t.Fatalf("%v", err)
		}
		if err := checkPath(x, y, path, opt, 1e-7); err != nil {
			t.Fatalf("%d×%d %+v: %v", n, p, opt, err)
		}
	})
}

// The elastic net's path is the lasso's on [X; √λ₂·I] and [y; 0].
func TestElasticNetIsLassoOnLongerData(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 3))
		n, p := 2+rng.IntN(20), 2+rng.IntN(30)
		x := mat.NewDense(n, p, nil)
		for i := range n {
			for j := range p {
				x.Set(i, j, rng.NormFloat64())
			}
		}
		y := response(x, rng)
		ridge := math.Exp(2 * rng.NormFloat64())
		long, ly := mat.NewDense(n+p, p, nil), mat.NewDense(n+p, 1, nil)
		long.Slice(0, n, 0, p).(*mat.Dense).Copy(x)
		ly.Slice(0, n, 0, 1).(*mat.Dense).Copy(y)
		for j := range p {
			long.Set(n+j, j, math.Sqrt(ridge))
		}
		a, err := fitOne(x, y, Options{Ridge: ridge})
		if err != nil {
			t.Fatalf("%v", err)
		}
		b, err := fitOne(long, ly, Options{})
		if err != nil {
			t.Fatalf("%v", err)
		}
		if d := pathDistance(a, b); d > 1e-9 {
			t.Fatalf("%d×%d, λ₂ = %v: the paths differ by %g", n, p, ridge, d)
		}
	})
}

// pathDistance is the largest difference of penalties and coefficients, relative to the largest of
// each; infinite for different terms.
func pathDistance(a, b *Path) float64 {
	if a.Knots() != b.Knots() {
		return math.Inf(1)
	}
	worst, largest := 0.0, 0.0
	for t := range a.Knots() {
		at, av, _ := a.At(t)
		bt, bv, _ := b.At(t)
		if !slices.Equal(at, bt) {
			return math.Inf(1)
		}
		worst = max(worst, math.Abs(a.Penalty[t]-b.Penalty[t])/a.Penalty[0])
		for k := range av {
			largest = max(largest, math.Abs(av[k]))
		}
		for k := range av {
			worst = max(worst, math.Abs(av[k]-bv[k])/largest)
		}
	}
	return worst
}

// On orthonormal columns every coefficient is the soft threshold of its correlation, at every
// penalty.
func TestOrthonormalColumnsAreSoftThresholds(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	const n, p = 30, 12
	raw := mat.NewDense(n, p, nil)
	for i := range n {
		for j := range p {
			raw.Set(i, j, rng.NormFloat64())
		}
	}
	var qr mat.QR
	qr.Factorize(raw)
	var q mat.Dense
	qr.QTo(&q)
	x := mat.DenseCopyOf(q.Slice(0, n, 0, p))
	y := mat.NewDense(n, 1, nil)
	for i := range n {
		y.Set(i, 0, rng.NormFloat64())
	}
	var c mat.Dense
	c.Mul(x.T(), y)
	for _, opt := range []Options{{}, {LAR: true}, {Positive: true}, {Ridge: 2}} {
		path := must.Get(fitOne(x, y, opt))(t)
		for penalty := 0.0; penalty < 1.1*path.Penalty[0]; penalty += path.Penalty[0] / 37 {
			got := make([]float64, p)
			terms, values, _ := path.AtPenalty(penalty)
			for k, j := range terms {
				got[j] = values[k]
			}
			for j := range p {
				v := c.At(j, 0)
				want := math.Copysign(max(0, math.Abs(v)-penalty), v) / (1 + opt.Ridge)
				if opt.Positive {
					want = max(0, want)
				}
				if math.Abs(got[j]-want) > 1e-13 {
					t.Errorf("%+v, λ = %v: coefficient %d is %v, want %v", opt, penalty, j, got[j], want)
				}
			}
		}
	}
}

// follow applies the changes of knot t at the head of the list, leaving or entering, to the active
// terms, and returns the changes after them.
func follow(t int, changes []Change, left bool, active map[int32]bool) ([]Change, error) {
	for len(changes) > 0 && changes[0].Knot == t && changes[0].Left == left {
		if active[changes[0].Term] != left {
			return nil, fmt.Errorf("knot %d: %v leaves without having entered, or enters twice", t, changes[0])
		}
		if left {
			delete(active, changes[0].Term)
		} else {
			active[changes[0].Term] = true
		}
		changes = changes[1:]
	}
	return changes, nil
}

// checkCorrelations checks the correlations of all terms with the residual r at knot t, where b are
// the coefficients.
func checkCorrelations(xc *mat.Dense, r *mat.VecDense, b []float64, p *Path, t int, opt Options, norms []float64, tol float64) error {
	lambda := p.Penalty[t]
	out := map[int32]bool{}
	for _, k := range p.Dependent {
		if k.From < t && (k.Until < 0 || k.Until >= t) {
			out[k.Term] = true
		}
	}
	for j := range b {
		c := mat.Dot(xc.ColView(j), r) - opt.Ridge*b[j]
		slack := tol*norms[j] + 1e-9*lambda
		switch {
		case b[j] != 0 && !opt.LAR:
			if math.Abs(c-math.Copysign(lambda, b[j])) > slack {
				return fmt.Errorf("knot %d of %d, λ = %v: active term %d has correlation %v, coefficient %v", t, p.Knots(), lambda, j, c, b[j])
			}
			if opt.Positive && b[j] < 0 {
				return fmt.Errorf("knot %d: negative coefficient %v", t, b[j])
			}
		case b[j] != 0:
			if math.Abs(math.Abs(c)-lambda) > slack {
				return fmt.Errorf("knot %d of %d, λ = %v: active term %d has correlation %v", t, p.Knots(), lambda, j, c)
			}
		case opt.Positive:
			if c > lambda+slack {
				return fmt.Errorf("knot %d of %d, λ = %v: term %d has correlation %v", t, p.Knots(), lambda, j, c)
			}
		default:
			if out[int32(j)] {
				slack += 1e-5 * lambda
			}
			if math.Abs(c) > lambda+slack {
				return fmt.Errorf("knot %d of %d, λ = %v: term %d has correlation %v (stopped: %s)", t, p.Knots(), lambda, j, c, p.Stopped)
			}
		}
	}
	return nil
}
