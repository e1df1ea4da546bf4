package softlda

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/panel"
	"github.com/eigenmap/eigenmap/internal/property"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/lda"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

var ctx = context.Background()

// softly returns documents whose columns depend on their soft labels; column 0 has an entry
// everywhere far from zero, the last one none at all. kind 0: rows sum to one; 1: rows have weights
// of their own, every fifth none; 2: 0 and 1.
func softly(rng *rand.Rand, n, p, k, kind int) (*sparse.CSR, *mat.Dense) {
	b := sparse.NewBuilder(n, p)
	q := mat.NewDense(n, k, nil)
	for i := range n {
		row := q.RawRowView(i)
		sum := 0.0
		for c := range row {
			row[c] = math.Pow(rng.Float64(), 3)
			sum += row[c]
		}
		weight := 1.0
		if kind == 1 {
			weight = 0.1 + 3*rng.Float64()
			if i >= 2*k && i%5 == 0 {
				weight = 0
			}
		}
		for c := range row {
			row[c] *= weight / sum
			if kind == 2 {
				row[c] = 0
			}
		}
		if kind == 2 {
			row[i%k] = 1
		}
		for j := range p - 1 {
			if j > 0 && rng.Float64() < 0.5 {
				continue
			}
			v := rng.NormFloat64()
			for c := range row {
				v += 2 * row[c] * float64((c*7+j)%k)
			}
			if j == 0 {
				v += 100
			}
			b.Add(i, j, v)
		}
	}
	x, err := b.Build()
	if err != nil {
		panic(err)
	}
	return x, q
}

// literal are S_b and S_w by the first lines of eq. (12) and (13).
func literal(x mat.Matrix, q *mat.Dense) (between, within *mat.Dense) {
	n, p := x.Dims()
	_, k := q.Dims()
	total := mat.Sum(q)
	means, masses, mean := mat.NewDense(k, p, nil), make([]float64, k), make([]float64, p)
	for c := range k {
		masses[c] = mat.Sum(q.ColView(c))
		for i := range n {
			for j := range p {
				means.Set(c, j, means.At(c, j)+q.At(i, c)*x.At(i, j)/masses[c])
				mean[j] += q.At(i, c) * x.At(i, j) / total
			}
		}
	}
	between, within = mat.NewDense(p, p, nil), mat.NewDense(p, p, nil)
	d := mat.NewVecDense(p, nil)
	for c := range k {
		for j := range p {
			d.SetVec(j, means.At(c, j)-mean[j])
		}
		outer(between, d, masses[c]/total)
		for i := range n {
			for j := range p {
				d.SetVec(j, x.At(i, j)-means.At(c, j))
			}
			outer(within, d, q.At(i, c)/total)
		}
	}
	return between, within
}

func outer(to *mat.Dense, v *mat.VecDense, by float64) {
	var o mat.Dense
	o.Outer(by, v, v)
	to.Add(to, &o)
}

func gap(a, b mat.Matrix) float64 {
	var d mat.Dense
	d.Sub(a, b)
	return max(mat.Max(&d), -mat.Min(&d))
}

// angle is how far the columns of b, orthonormalised, are from the span of a's.
func angle(a, b mat.Matrix) float64 {
	basis := func(m mat.Matrix) *mat.Dense {
		q := mat.DenseCopyOf(m)
		r, c := q.Dims()
		for j := range c {
			for range 2 {
				for l := range j {
					along := mat.Dot(q.ColView(l), q.ColView(j))
					for i := range r {
						q.Set(i, j, q.At(i, j)-along*q.At(i, l))
					}
				}
			}
			norm := mat.Norm(q.ColView(j), 2)
			for i := range r {
				q.Set(i, j, q.At(i, j)/norm)
			}
		}
		return q
	}
	u, v := basis(a), basis(b)
	var inner, rest mat.Dense
	inner.Mul(u.T(), v)
	rest.Mul(u, &inner)
	rest.Sub(v, &rest)
	return mat.Norm(&rest, 2)
}

func fit(t testing.TB, x, q mat.Matrix, opt Options) *Model {
	t.Helper()
	m := must.Get(Fit(ctx, x, q, opt))(t)
	return m
}

// Eq. (12) and (13): the matrix forms are the sums they stand for, of rows without their soft total
// mean and for rows of Q of any sum, and the operator's AᵀHHᵀA and AᵀA are S_b and S_b + S_w,
// sparse and dense.
func TestPropertyScatterMatrices(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		k := 2 + rng.IntN(4)
		n, p := 2*k+rng.IntN(30), 2+rng.IntN(12)
		x, q := softly(rng, n, p, k, rng.IntN(3))
		between, within := literal(x, q)
		w := must.Get(newWeights(q, n, Options{}))(t)
		for _, in := range []mat.Matrix{x, x.ToDense()} {
			a := must.Get(newRows(ctx, in, w))(t)
			z := panel.New(p, k)
			must.Do(t, a.MulT(ctx, z, panel.Clone(w.h)))
			var sb, st, st2 mat.Dense
			zd := mat.NewDense(p, k, z.Data)
			sb.Mul(zd, zd.T())
			if d := gap(&sb, between); d > 1e-11*(1+mat.Norm(between, 1)) {
				t.Fatalf("S_b is off by %g", d)
			}
			identity, whole := panel.New(p, p), panel.New(len(w.rows), p)
			for j := range p {
				identity.Data[j*p+j] = 1
			}
			must.Do(t, a.Mul(ctx, whole, identity))
			ad := mat.NewDense(len(w.rows), p, whole.Data)
			st.Mul(ad.T(), ad)
			st2.Add(between, within)
			if d := gap(&st, &st2); d > 1e-11*(1+mat.Norm(&st2, 1)) {
				t.Fatalf("S_t is off by %g", d)
			}
			trace, err := a.trace(ctx)
			if err != nil || math.Abs(trace-mat.Trace(&st2)) > 1e-10*(1+trace) {
				t.Fatalf("the trace is %v, want %v", trace, mat.Trace(&st2))
			}
			g := must.Get(a.gram(ctx))(t)
			var gram mat.Dense
			if n = len(w.rows); n >= p {
				gram.Mul(ad.T(), ad)
			} else {
				gram.Mul(ad, ad.T())
			}
			if d := gap(mat.NewSymDense(g.N, g.Data), &gram); d > 1e-11*(1+mat.Norm(&gram, 1)) {
				t.Fatalf("the Gram matrix is off by %g", d)
			}
			// The matrix forms themselves.
			bSoft, qdq := mat.NewDiagDense(len(w.rows), nil), mat.NewDense(len(w.rows), len(w.rows), nil)
			for i, r := range w.rows {
				bSoft.SetDiag(i, mat.Sum(q.RowView(r)))
				for j, s := range w.rows {
					for c := range k {
						qdq.Set(i, j, qdq.At(i, j)+q.At(r, c)*q.At(s, c)/w.masses[c])
					}
				}
			}
			centred := mat.NewDense(len(w.rows), p, nil)
			for i, r := range w.rows {
				for j := range p {
					centred.Set(i, j, in.At(r, j)-a.mean[j])
				}
			}
			var middle, sw mat.Dense
			middle.Sub(bSoft, qdq)
			sw.Product(centred.T(), &middle, centred)
			sw.Scale(1/mat.Sum(q), &sw)
			if d := gap(&sw, within); d > 1e-10*(1+mat.Norm(within, 1)) {
				t.Fatalf("S_w is off by %g", d)
			}
		}
	})
}

// LAPACK's generalised solver on the literal scatter matrices: the same values and the same
// directions, directly on either side and by conjugate gradients, sparse and dense, and aᵀ(S_w +
// μI)a = 1.
func TestPropertyGeneralisedProblem(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 2))
		k := 2 + rng.IntN(4)
		n, p := 3*k+rng.IntN(40), k+2+rng.IntN(30)
		x, q := softly(rng, n, p, k, rng.IntN(3))
		between, within := literal(x, q)
		mu := math.Exp(rng.NormFloat64() - 1)
		for j := range p {
			within.Set(j, j, within.At(j, j)+mu)
		}
		sym := func(m *mat.Dense) blas64.Symmetric {
			return blas64.Symmetric{N: p, Stride: p, Data: mat.DenseCopyOf(m).RawMatrix().Data, Uplo: blas.Upper}
		}
		values, vectors, err := native.Default().SymDefEig(sym(between), sym(within), native.EigRange{First: p - (k - 1), Count: k - 1}, true)
		if err != nil {
			t.Fatal(err)
		}
		want := mat.NewDense(p, k-1, vectors.Data)
		for _, in := range []mat.Matrix{x, x.ToDense()} {
			for _, iterate := range []bool{false, true} {
				m := must.Get(Fit(ctx, in, q, Options{Ridge: mu, Absolute: true, iterate: iterate, Tol: 1e-13}))(t)
				if len(m.Values) != k-1 || m.Mu != mu {
					t.Fatalf("%d directions for %d classes, μ = %v", len(m.Values), k, m.Mu)
				}
				for j, v := range m.Values {
					if w := values[k-2-j]; math.Abs(v-w) > 1e-8*(1+w) {
						t.Fatalf("iterated %v: λ_%d = %v, want %v", iterate, j, v, w)
					}
				}
				if d := angle(want, m.Projection); d > 1e-7 {
					t.Fatalf("iterated %v: the subspace is off by %g", iterate, d)
				}
				var inner, left, right mat.Dense
				inner.Product(m.Projection.T(), within, m.Projection)
				left.Mul(between, m.Projection)
				right.Mul(within, m.Projection)
				for j, v := range m.Values {
					for i := range p {
						if r := left.At(i, j) - v*right.At(i, j); math.Abs(r) > 1e-7*(1+v)*mat.Norm(&right, 2) {
							t.Fatalf("direction %d has residual %g", j, r)
						}
					}
					inner.Set(j, j, inner.At(j, j)-1)
				}
				if d := mat.Norm(&inner, 2); d > 1e-7 {
					t.Fatalf("the directions are not orthonormal in S_w + μI: %g", d)
				}
				again, err := m.Transform(ctx, in)
				if err != nil || gap(again, m.Embedding) > 0 {
					t.Fatalf("documents of the fit do not go to their embedding (%v)", err)
				}
			}
		}
	})
}

// With hard labels this is package lda, whose scatter is a sum and whose scaling is by S_t: the
// same subspace to 1e-8, unlabelled documents as rows of zeros.
func TestPropertyHardLabelsAreLDA(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 3))
		k := 2 + rng.IntN(4)
		n, p := 4*k+rng.IntN(30), k+1+rng.IntN(40)
		x, q := softly(rng, n, p, k, 2)
		known, labelled := make([]int, n), 0
		for i := range known {
			known[i] = i % k
			if i >= 2*k && i%3 == 0 {
				known[i] = labels.Unknown
				clear(q.RawRowView(i))
				continue
			}
			labelled++
		}
		m := must.Get(Fit(ctx, x, q, Options{}))(t)
		alpha := m.Mu * float64(labelled)
		hard := must.Get(lda.Fit(ctx, x, known, k, lda.Options{Ridge: &alpha, Tol: 1e-13}))(t)
		if d := angle(hard.Projection, m.Projection); d > 1e-8 {
			t.Fatalf("the subspace is off by %g", d)
		}
		for j, v := range m.Values {
			h := hard.Values[j] / (1 - hard.Values[j])
			if math.Abs(v-h) > 1e-8*(1+h) {
				t.Fatalf("λ_%d = %v, want %v", j, v, h)
			}
		}
		// aᵀ(S_t + μI)a = 1 + λ here, and 1 there, of scatter that is the sum.
		for j, v := range m.Values {
			by := math.Sqrt(float64(labelled) * (1 + v))
			for i := range n {
				if d := math.Abs(math.Abs(m.Embedding.At(i, j)) - by*math.Abs(hard.Embedding.At(i, j))); d > 1e-6*by {
					t.Fatalf("document %d: %v, want %v", i, m.Embedding.At(i, j), by*hard.Embedding.At(i, j))
				}
			}
		}
	})
}

// The linear kernel gives the projections of the rows themselves, and new documents theirs.
func TestPropertyLinearKernel(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 4))
		k := 2 + rng.IntN(3)
		n, p := 3*k+rng.IntN(25), k+1+rng.IntN(40)
		x, q := softly(rng, n, p, k, rng.IntN(3))
		fresh, _ := softly(rng, 7, p, k, 0)
		d, f := x.ToDense(), fresh.ToDense()
		var kernel, values mat.Dense
		kernel.Mul(d, d.T())
		values.Mul(f, d.T())
		m := must.Get(Fit(ctx, d, q, Options{}))(t)
		km := must.Get(FitKernel(ctx, &kernel, q, Options{Ridge: m.Mu, Absolute: true}))(t)
		own, err := km.Transform(ctx, &kernel)
		if err != nil || gap(own, km.Embedding) > 1e-8*(1+mat.Norm(km.Embedding, 2)) {
			t.Fatalf("documents of the fit do not go to their embedding (%v)", err)
		}
		there := must.Get(m.Transform(ctx, fresh))(t)
		here := must.Get(km.Transform(ctx, &values))(t)
		if len(km.Values) != len(m.Values) {
			t.Fatalf("%d and %d directions", len(km.Values), len(m.Values))
		}
		for j, v := range m.Values {
			if math.Abs(v-km.Values[j]) > 1e-7*(1+v) {
				t.Fatalf("λ_%d = %v by rows and %v by the kernel", j, v, km.Values[j])
			}
			if j+1 < len(m.Values) && m.Values[j]-m.Values[j+1] < 1e-3*v || j > 0 && m.Values[j-1]-v < 1e-3*v {
				continue // crowded: only the space is theirs
			}
			sign := 1.0
			if mat.Dot(m.Embedding.ColView(j), km.Embedding.ColView(j)) < 0 {
				sign = -1
			}
			size := mat.Norm(m.Embedding.ColView(j), 2)
			for i := range n {
				if e := math.Abs(m.Embedding.At(i, j) - sign*km.Embedding.At(i, j)); e > 1e-6*(1+size) {
					t.Fatalf("direction %d, document %d: off by %g", j, i, e)
				}
			}
			for i := range 7 {
				if e := math.Abs(there.At(i, j) - sign*here.At(i, j)); e > 1e-5*(1+size) {
					t.Fatalf("direction %d, new document %d: off by %g", j, i, e)
				}
			}
		}
	})
}

// The subspace and the values do not depend on units: of the data, of the soft labels, or where the
// origin lies.
func TestUnitsAndOriginDoNotMatter(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	sx, q := softly(rng, 60, 20, 3, 1)
	x := sx.ToDense()
	want := fit(t, x, q, Options{})
	var doubled mat.Dense
	doubled.Scale(1e-200, q)
	for name, scale := range map[string]float64{"1": 1, "1e150": 1e150, "1e-150": 1e-150, "1e-290": 1e-290, "3": 3} {
		s := mat.NewDense(60, 20, nil)
		s.Apply(func(_, _ int, v float64) float64 { return v * scale }, x)
		csr := must.Get(sparse.FromMatrix(s))(t)
		for _, in := range []mat.Matrix{s, csr} {
			for _, iterate := range []bool{false, true} {
				got := fit(t, in, &doubled, Options{iterate: iterate})
				for j, v := range want.Values {
					if math.Abs(got.Values[j]-v) > 1e-8*(1+v) {
						t.Errorf("scale %s, iterated %v: λ_%d = %v, want %v", name, iterate, j, got.Values[j], v)
					}
				}
				if d := gap(got.Embedding, want.Embedding); d > 1e-6*mat.Norm(want.Embedding, 2) {
					t.Errorf("scale %s, iterated %v: the embedding is off by %g", name, iterate, d)
				}
			}
		}
	}
	moved := mat.DenseCopyOf(x)
	moved.Apply(func(_, j int, v float64) float64 { return v + 1e4*float64(j+1) }, moved)
	got := fit(t, moved, q, Options{})
	if d := gap(got.Embedding, want.Embedding); d > 1e-6*mat.Norm(want.Embedding, 2) {
		t.Errorf("with another origin the embedding is off by %g", d)
	}
}

// Two rings, which no line separates: in the feature space of a Gaussian kernel one direction does,
// from labels that are sure for a tenth of the points and nearly nothing for the others; a new
// point goes to its ring.
func TestKernelSeparatesRings(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	const n, m = 300, 100
	points, ring := mat.NewDense(n+m, 2, nil), make([]int, n+m)
	for i := range n + m {
		ring[i] = i % 2
		angle, radius := 2*math.Pi*rng.Float64(), float64(1+2*ring[i])+0.15*rng.NormFloat64()
		points.SetRow(i, []float64{radius * math.Cos(angle), radius * math.Sin(angle)})
	}
	all := mat.NewDense(n+m, n, nil)
	for i := range n + m {
		for j := range n {
			dx, dy := points.At(i, 0)-points.At(j, 0), points.At(i, 1)-points.At(j, 1)
			all.Set(i, j, math.Exp(-dx*dx-dy*dy))
		}
	}
	q := mat.NewDense(n, 2, nil)
	for i := range n {
		sure := 0.55
		if i < n/10 {
			sure = 1
		}
		q.Set(i, ring[i], sure)
		q.Set(i, 1-ring[i], 1-sure)
	}
	wrong := func(y mat.Matrix, of []int) int {
		means, sizes := [2]float64{}, [2]float64{}
		for i, r := range of {
			means[r] += y.At(i, 0)
			sizes[r]++
		}
		middle := (means[0]/sizes[0] + means[1]/sizes[1]) / 2
		count := 0
		for i, r := range of {
			if (y.At(i, 0) > middle) != (means[r]/sizes[r] > middle) {
				count++
			}
		}
		return count
	}
	km := must.Get(FitKernel(ctx, all.Slice(0, n, 0, n), q, Options{}))(t)
	fresh := must.Get(km.Transform(ctx, all.Slice(n, n+m, 0, n)))(t)
	linear := fit(t, points.Slice(0, n, 0, 2), q, Options{})
	if in, out, flat := wrong(km.Embedding, ring[:n]), wrong(fresh, ring[n:]), wrong(linear.Embedding, ring[:n]); in > n/20 || out > m/10 || flat < n/4 {
		t.Errorf("%d of %d points on the wrong side, %d of %d new ones; by lines %d", in, n, out, m, flat)
	}
}
