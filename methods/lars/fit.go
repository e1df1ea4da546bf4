package lars

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sort"
	"sync"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

const stage = "lasso paths"

// Fit computes the paths of all columns of y, n×r, on the rows of x, n×p, in parallel: *sparse.CSR
// stays sparse, *mat.Dense is read in place, other matrices are made dense. x and y are not
// written.
//
// Cost of a path of s steps to k columns: one product with Xᵀ (2·entries flops), in each step the
// products of the columns near the bound and with the active ones (see the package comment), 4·n to
// 10·n, 24·p bytes and about 4k² flops. Memory: 12 bytes per entry of a sparse matrix (8 of a dense
// one), 40·n + 60·p + 4·k² for each thread, and 12·k² + 128·k for each response. Ranks that divide
// the rows (Options.Share) follow the paths together, one after the other: sums of p numbers at the
// first knot of each, later of the active columns and those near the bound.
//
// Errors that satisfy fs.ErrInvalid: options as in [Options.Validate], an empty matrix, responses
// of another number of rows, values that are not finite (*sparse.NotFiniteError), and penalties or
// coefficients that overflow float64. When ctx is done, Fit returns its error.
func Fit(ctx context.Context, x mat.Matrix, y *mat.Dense, opt Options) ([]*Path, error) {
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	if err := rows.Agreed(opt.Share, checkResponses(x, y)); err != nil {
		return nil, err
	}
	c, err := newColumns(ctx, opt.Share, x, opt.Intercept)
	if err != nil {
		return nil, err
	}
	scaled := opt
	scaled.Ridge = math.Ldexp(opt.Ridge, -2*c.exp)
	if math.IsInf(scaled.Ridge, 0) {
		return nil, invalid.Errorf("the ridge penalty %v is too large for a matrix whose values reach 2^%d only: scale the matrix", opt.Ridge, c.exp)
	}
	if k := len(c.constant); k > 0 {
		opt.Observer.Notef(stage, "Of %d columns %d are zero%s and can never enter.", c.p, k, map[bool]string{true: " or constant"}[c.centred])
	}
	n, responses := y.Dims()
	paths := make([]*Path, responses)
	followers := make([]*follower, parallel.Workers(responses, 1))
	var mu sync.Mutex
	done := 0
	opt.Observer.Report(stage, 0, int64(responses), "responses")
	each, inner := parallel.For, ctx
	if opt.Share.Divided() { // all ranks make the same collective calls in one order
		each = parallel.Serial
		inner, _ = opt.Share.Watch(ctx)
	}
	err = each(inner, responses, 1, func(worker, k, _ int) error {
		f := followers[worker]
		if f == nil {
			f = newFollower(c, scaled)
			followers[worker] = f
		}
		for i := range n {
			f.y[i] = y.At(i, k)
		}
		path, err := f.follow(ctx)
		if err != nil {
			if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
				return err
			}
			return fmt.Errorf("response %d (counted from 0): %w", k, err)
		}
		paths[k] = path
		mu.Lock()
		defer mu.Unlock()
		done++
		opt.Observer.Report(stage, int64(done), int64(responses), "responses")
		return nil
	})
	if err != nil {
		return nil, err
	}
	return paths, nil
}

// checkResponses refuses responses that do not fit the rows of x or are not finite.
func checkResponses(x mat.Matrix, y *mat.Dense) error {
	if x == nil {
		return invalid.Errorf("there is no matrix to regress on")
	}
	if y == nil {
		return invalid.Errorf("there are no responses to regress")
	}
	rows, _ := x.Dims()
	n, responses := y.Dims()
	if responses == 0 {
		return invalid.Errorf("there are no responses to regress")
	}
	if rows != n {
		return invalid.Errorf("the responses have %d rows, but the matrix has %d: they must be the same documents", n, rows)
	}
	for i := range n {
		for k, v := range y.RawRowView(i)[:responses] {
			if v-v != 0 {
				return &sparse.NotFiniteError{Row: i, Col: k, Value: v}
			}
		}
	}
	return nil
}

// pairs sorts terms with their values.
type pairs struct {
	terms  []int32
	values []float64
}

func (s pairs) Len() int           { return len(s.terms) }
func (s pairs) Less(i, j int) bool { return s.terms[i] < s.terms[j] }
func (s pairs) Swap(i, j int) {
	s.terms[i], s.terms[j] = s.terms[j], s.terms[i]
	s.values[i], s.values[j] = s.values[j], s.values[i]
}

func sortPairs(terms []int32, values []float64) { sort.Sort(pairs{terms, values}) }
