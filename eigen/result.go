package eigen

import (
	"cmp"
	"math"
	"slices"
	"time"

	"github.com/eigenmap/eigenmap/eigen/internal/problem"
	"github.com/eigenmap/eigenmap/internal/indices"
	"gonum.org/v1/gonum/blas/blas64"
)

// sort orders the pairs from column first on by ascending value.
func (r *Result) sort(first int) {
	if slices.IsSorted(r.Values[first:]) {
		return
	}
	values := slices.Clone(r.Values[first:])
	order := indices.By(len(values), func(a, b int) int { return cmp.Compare(values[a], values[b]) })
	y := r.Vectors.RawMatrix()
	row := make([]float64, len(values))
	for i := range y.Rows {
		own := y.Data[i*y.Stride+first:][:len(values)]
		copy(row, own)
		for to, from := range order {
			own[to] = row[from]
		}
	}
	for to, from := range order {
		r.Values[first+to] = values[from]
	}
}

// reverse changes descending pairs to ascending order.
func (r *Result) reverse() {
	slices.Reverse(r.Values)
	raw := r.Vectors.RawMatrix()
	for i := 0; i < raw.Rows; i++ {
		slices.Reverse(raw.Data[i*raw.Stride:][:raw.Cols])
	}
}

// finish counts the pairs whose recomputed residual is within its limit and returns the typed error
// if one is not. It does not rely on the solver's own count.
func (r *Result) finish(opt Options, began time.Time, lacks problem.Lack, limit func(j int) float64) (*Result, error) {
	worst := 0.0
	for j, res := range r.Residuals {
		if math.IsNaN(res) || math.IsInf(res, 0) {
			return nil, problem.NotFinite(blas64.General{})
		}
		if res <= limit(j) {
			r.Converged++
		}
		worst = max(worst, res)
	}
	r.Stats.Total = time.Since(began)
	if r.Converged < opt.K || lacks.Unsearched {
		return r, &NotConvergedError{Result: r, Wanted: opt.K, Unsearched: lacks.Unsearched, Missing: lacks.Missing, Worst: worst, Tol: opt.Tol}
	}
	return r, nil
}
