package krylov

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/eigen/internal/problem"
	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas/blas64"
)

// filter is the Chebyshev polynomial p of odd degree that stays within [−1, 1] on [low, high] and
// grows steeply above. p(A) has the eigenvectors of A. Its wanted eigenvalues are far from each
// other and from the rest, so a Krylov space of p(A) needs only a fraction of the basis vectors,
// and of the orthogonalisation, that one of A needs for the same number of products. The degree is
// odd so that eigenvalues below low, if there are any, move to the other end.
type filter struct {
	low, high float64
	degree    int
}

func (f *filter) center() float64 { return (f.low + f.high) / 2 }

func (f *filter) half() float64 { return (f.high - f.low) / 2 }

// at returns p(μ) for μ ≥ high.
func (f *filter) at(mu float64) float64 {
	return math.Cosh(float64(f.degree) * math.Acosh(max(1, (mu-f.center())/f.half())))
}

// inverse returns the μ ≥ high with p(μ) = theta, and high if theta is below 1.
func (f *filter) inverse(theta float64) float64 {
	return f.center() + f.half()*math.Cosh(math.Acosh(max(1, theta))/float64(f.degree))
}

// residual bounds ‖Au − μu‖ for r = ‖p(A)u − p(μ)u‖. Along an eigenvector with value x, the
// component of the filtered residual is p(x) − p(μ) times the component of u, and the component of
// A's residual is x − μ times it. Their ratio is largest at x = low.
func (f *filter) residual(mu, theta, r float64) float64 {
	if theta <= 2 {
		return math.Inf(1)
	}
	return r * (mu - f.low) / (theta - 1)
}

// apply sets w = p(A)·x by the three-term recurrence with degree products, and changes x. It checks
// the context before each product. spare is two blocks of the shape of x for an operator that is no
// matrix alone.
func (f *filter) apply(ctx context.Context, op problem.Operator, w, x blas64.General, spare [2]blas64.General) error {
	if a, ok := problem.MatrixOf(op); ok {
		return f.applySteps(ctx, a, w, x)
	}
	c, e := f.center(), f.half()
	before, now, next := x, spare[0], spare[1]
	op.MulBlock(now, before)
	space.Combine(now, 1/e, before, -c/e, blas64.General{}, 0)
	for d := 2; d <= f.degree; d++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		op.MulBlock(next, now)
		space.Combine(next, 2/e, now, -2*c/e, before, -1)
		if d == 2 {
			before = w
		}
		before, now, next = now, next, before
	}
	if &now.Data[0] != &w.Data[0] {
		space.CopyWhole(w, now)
	}
	return ctx.Err()
}

// applySteps is apply for a matrix, with steps in one pass. The degree is odd, so the last one is
// into w.
func (f *filter) applySteps(ctx context.Context, a *sparse.CSR, w, x blas64.General) error {
	c, e := f.center(), f.half()
	a.MulStep(w, x, 1/e, -c/e, 0)
	before, now := x, w
	for d := 2; d <= f.degree; d++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		a.MulStep(before, now, 2/e, -2*c/e, -1)
		before, now = now, before
	}
	return ctx.Err()
}

// A filter's band holds all but so many of the largest eigenvalues as the basis has room for, times
// roomy: a basis that holds the whole crowd around the last wanted values separates them from what
// follows the crowd. A band that begins far below serves worse. It leaves the Krylov space to tell
// the wanted values from thousands of others.
const roomy = 1.1

// Products against basis vectors. A filter of degree d needs about as many products as one of
// degree 1 with the same band times 1 + wasted·d·g, where p(μ_k) = cosh(d·g). Each basis vector
// costs as much as BasisCost·m·n/nnz products, for m vectors in the basis (measured on neighbour
// graphs of 60,000 and 100,000 points with blocks of 4; both are bound by memory).
const (
	wasted    = 0.15
	BasisCost = 1.3
)

// The safe filter, for spectra whose outline misled: its band is the lower part of the spectrum,
// below the wanted eigenvalues of a neighbour graph.
const (
	safeBand   = 0.75
	safeDegree = 7
)

// Bounds of a filter: of its degree; of its value at the top of the spectrum, which multiplied by
// the rounding unit is the noise in all other components; and of its value at the eigenvalue of the
// known vectors, which is the factor by which rounding along them grows before it is projected out.
const (
	MinDegree     = 3
	maxDegree     = 41
	largestGrowth = 1e6
	largestKnown  = 1e12
)

// knownValue is the eigenvalue of a pencil's null vectors, 1 − 0, which may lie far above all
// others.
const knownValue = 1

// maxRowEntries is the number of entries per row up to which products are cheap enough for a
// filter.
const maxRowEntries = 128

// safeFilter returns a filter for a spectrum within [low, top].
func safeFilter(low, top float64) *filter {
	return &filter{low: low, high: low + safeBand*(top-low), degree: safeDegree}
}

// fitted returns a filter with a band that ends at high, for a k-th largest eigenvalue wanted and a
// largest one top. Its degree is the best for basis vectors that cost as much as basis products;
// see wasted. It is nil if wanted is in the band or too near it for such a degree, and if the
// bounds leave no degree. near is true if wanted is so near the band that this is why, or that the
// degree is higher than the best. deflated is true if there are known vectors.
func fitted(low, high, wanted, top, basis float64, deflated bool) (f *filter, near bool) {
	f = &filter{low: low, high: high}
	if !(low < high && high < wanted && wanted <= top) {
		return nil, low < high && high >= wanted
	}
	growth := func(mu float64) float64 { return math.Acosh(max(1, (mu-f.center())/f.half())) }
	most := min(math.Log(largestGrowth)/growth(top), maxDegree)
	if deflated {
		most = min(most, math.Log(largestKnown)/growth(knownValue))
	}
	if most < MinDegree {
		return nil, false
	}
	best, least := math.Sqrt(basis/(wasted*growth(wanted))), math.Acosh(enough)/growth(wanted)
	degree := min(most, max(MinDegree, best, least))
	// The nearest odd number, or the one below if that is beyond most.
	if f.degree = 2*int(math.Round((degree-1)/2)) + 1; float64(f.degree) > most {
		f.degree -= 2
	}
	if f.at(wanted) < useful {
		return nil, true
	}
	return f, least > best
}

// refitted is fitted for values that approximate the largest eigenvalues from below, descending,
// of which k are wanted. A band that ends between the k-th and the last value is certainly below
// the wanted ones.
func (f *filter) refitted(values []float64, k int, basis float64, deflated bool) *filter {
	last := len(values) - 1
	for last > k && values[last] <= f.high {
		last--
	}
	if last < k+2 {
		return nil
	}
	f, _ = fitted(f.low, values[k+(last-k)/2], values[k-1], values[0], basis, deflated)
	return f
}

// Values of p at the k-th eigenvalue: below useful a filter does hardly more than stretch the
// spectrum, enough is what a new one has at least, and above steep its band is far too wide.
const (
	useful = 2.5
	enough = 4
	steep  = 300
)
