package logistic

import (
	"context"
	"errors"
	"math"

	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/methods/internal/svd"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/optimize"
)

const (
	stage = "regression"
	// history is the number of steps by which L-BFGS knows the curvature.
	history = 10
	// grain is the rows of a chunk of a sum.
	grain = 256
)

// search minimises the objective. The variables are V, columns × classes, and b, one after the
// other in one list.
type search struct {
	data    *svd.Matrix
	class   []int
	weight  []float64 // C·c_i of each row
	total   float64   // of the weights
	classes int
	sigma   float64 // σ in the units of data
	opt     Options

	at    []float64      // variables of what follows; nil: none
	value float64        // of the objective
	left  blas64.General // C·c_i·(p − y), rows × classes
	back  blas64.General // Aᵀ·left, columns × classes
	err   error
	ctx   context.Context
	told  int

	best     []float64
	least    float64
	gradient float64
	steps    int
}

func newSearch(data *svd.Matrix, class []int, classes int, opt Options) *search {
	block := func(r int) blas64.General {
		return blas64.General{Rows: r, Cols: classes, Stride: classes, Data: make([]float64, r*classes)}
	}
	s := &search{data: data, class: class, classes: classes, opt: opt, left: block(data.Rows), back: block(data.Cols), weight: make([]float64, data.Rows)}
	if s.sigma = math.Sqrt(data.Total / float64(data.Rows)); !(s.sigma > 0) {
		s.sigma = 1 // all labelled rows are the same
	}
	sizes := make([]float64, classes)
	for _, k := range class {
		sizes[k]++
	}
	for i, k := range class {
		if s.weight[i] = opt.C; opt.ClassWeights == Balanced {
			s.weight[i] *= float64(len(class)) / (float64(classes) * sizes[k])
		}
	}
	s.total = floats.Sum(s.weight)
	return s
}

// weights are V among the variables, and bias b.
func (s *search) weights(at []float64) blas64.General {
	return blas64.General{Rows: s.data.Cols, Cols: s.classes, Stride: s.classes, Data: at[:s.data.Cols*s.classes]}
}

func (s *search) bias(at []float64) []float64 { return at[s.data.Cols*s.classes:] }

// compute brings value and left up to date.
func (s *search) compute(at []float64) {
	if s.err != nil || s.at != nil && floats.Equal(s.at, at) {
		return
	}
	s.told++
	s.opt.Observer.Report(stage, int64(s.told), 0, "steps")
	if s.err = s.ctx.Err(); s.err != nil {
		return
	}
	v, b := s.weights(at), s.bias(at)
	if s.err = s.data.Mul(s.ctx, s.left, v); s.err != nil {
		return
	}
	sums := make([]float64, parallel.Chunks(s.data.Rows, grain))
	s.err = parallel.For(s.ctx, s.data.Rows, grain, func(_, lo, hi int) error {
		sum := 0.0
		for i := lo; i < hi; i++ {
			row := s.left.Data[i*s.classes:][:s.classes]
			for k := range row {
				row[k] = row[k]/s.sigma + b[k]
			}
			own := row[s.class[i]]
			sum += s.weight[i] * (soften(row) - own)
			row[s.class[i]]--
			for k := range row {
				row[k] *= s.weight[i]
			}
		}
		sums[lo/grain] = sum
		return nil
	})
	s.value = floats.Dot(v.Data, v.Data)/2 + floats.Sum(sums)
	s.at = append(s.at[:0], at...)
}

// objective is the function at some variables.
func (s *search) objective(at []float64) float64 {
	s.compute(at)
	return s.value
}

// slope sets grad to the gradient at some variables.
func (s *search) slope(grad, at []float64) {
	if s.compute(at); s.err != nil {
		return
	}
	if s.err = s.data.MulT(s.ctx, s.back, s.left); s.err != nil {
		return
	}
	v := s.weights(at).Data
	for j, w := range s.back.Data {
		grad[j] = v[j] + w/s.sigma
	}
	b := s.bias(grad)
	clear(b)
	for i := range s.data.Rows {
		floats.Add(b, s.left.Data[i*s.classes:][:s.classes])
	}
}

// run finds the least value of the objective.
func (s *search) run(ctx context.Context) error {
	s.ctx = ctx
	start := make([]float64, (s.data.Cols+1)*s.classes)
	grad := make([]float64, len(start))
	if s.slope(grad, start); s.err != nil {
		return s.err
	}
	s.best, s.least = start, s.value
	if s.measure(grad); s.gradient <= s.opt.Tol { // no row says anything of its class
		return nil
	}
	settings := &optimize.Settings{MajorIterations: s.opt.MaxIter, Converger: optimize.NeverTerminate{}}
	method := &optimize.LBFGS{Store: history, Linesearcher: &optimize.MoreThuente{}, GradStopThreshold: s.opt.Tol * s.total}
	problem := optimize.Problem{Func: s.objective, Grad: s.slope, Status: func() (optimize.Status, error) {
		if s.err != nil {
			return optimize.Failure, s.err
		}
		return optimize.NotTerminated, nil
	}}
	result, err := optimize.Minimize(problem, start, settings, method)
	if s.err != nil {
		return s.err
	}
	if result == nil {
		return err
	}
	// A search along a line that finds nothing better, up to rounding, is no error of its own: the
	// gradient decides.
	s.best, s.least, s.steps = result.X, result.F, result.MajorIterations
	if s.slope(grad, s.best); s.err != nil {
		return s.err
	}
	if s.measure(grad); s.gradient > s.opt.Tol {
		return &NotConvergedError{Steps: s.steps, Gradient: s.gradient, Tol: s.opt.Tol}
	}
	return nil
}

// measure takes the size of a gradient.
func (s *search) measure(grad []float64) { s.gradient = floats.Norm(grad, math.Inf(1)) / s.total }

// usable says whether a model comes with an error.
func (*search) usable(err error) bool {
	var stopped *NotConvergedError
	return errors.As(err, &stopped)
}
