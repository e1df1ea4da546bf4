package logistic

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/methods/internal/svd"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/linear"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Model are the weights, and probabilities and classes of all documents.
type Model struct {
	// Weights is p×K: what a unit of a column adds to the score of each class. Mean is μ, and Bias
	// the score b of each class there.
	Weights    *mat.Dense
	Mean, Bias []float64
	// Posterior has the probabilities of all documents, n×K.
	Posterior *mat.Dense
	// Labels are the most probable classes, the lower one on a tie; given labels stay.
	Labels []int
	// Objective is the least value found, and Gradient the largest entry of its gradient as a share
	// of C Σ c_i.
	Objective, Gradient float64
	Steps               int
	Options             Options // with defaults filled in
}

// NotConvergedError says that the gradient stayed above the tolerance.
type NotConvergedError struct {
	Steps         int
	Gradient, Tol float64
}

func (e *NotConvergedError) Error() string {
	return fmt.Sprintf("the regression did not reach its tolerance after %s: the gradient is %.2g, the tolerance %.2g; allow more steps or a larger tolerance, or a smaller C",
		words.Counted(e.Steps, "step"), e.Gradient, e.Tol)
}

// Reached returns the steps made, the gradient and the tolerance.
func (e *NotConvergedError) Reached() (iterations int, residual, tol float64) {
	return e.Steps, e.Gradient, e.Tol
}

// Fit trains on the rows of x with labels 0 to classes−1 or labels.Unknown, at least one of each of
// two classes or more. *sparse.CSR stays sparse.
//
// It takes the memory of [Bytes].
//
// Errors: fs.ErrInvalid for wrong options, for labels that labels.Check refuses and for values that
// are not finite; the context's; and *NotConvergedError with the model of what was reached.
func Fit(ctx context.Context, x mat.Matrix, known []int, classes int, opt Options) (*Model, error) {
	if x == nil {
		return nil, invalid.Errorf("there are no documents: the matrix is nil")
	}
	n, p := x.Dims()
	_, unfit := labels.Check(known, n, classes, nil)
	if err := invalid.Join(opt.Validate(), unfit); err != nil {
		return nil, err
	}
	x, err := rows.Checked(x)
	if err != nil {
		return nil, err
	}
	opt = opt.withDefaults()
	list, class := labels.Known(known)
	own, columns := used(rows.Select(x, list))
	entries := len(list) * p
	if a, ok := own.(*sparse.CSR); ok {
		entries = a.NNZ()
	}
	_, q := own.Dims()
	if err := memory.Need(ctx, Bytes(n, len(list), p, q, entries, classes, sparse.Is(x)), "reduce the terms or the classes", "%s of %s", words.Plural(classes, "class", "classes"), words.Counted(p, "term")); err != nil {
		return nil, err
	}
	data, err := svd.New(ctx, own, true)
	if err != nil {
		return nil, err
	}
	if opt.C == 0 {
		if opt.C, err = strength(ctx, own, data, class, classes); err != nil {
			return nil, err
		}
	}
	s := newSearch(data, class, classes, opt)
	unsolved := s.run(ctx)
	if unsolved != nil && !s.usable(unsolved) {
		return nil, unsolved
	}
	m := &Model{Weights: mat.NewDense(p, classes, nil), Mean: make([]float64, p), Bias: slices.Clone(s.bias(s.best)), Objective: s.least, Gradient: s.gradient, Steps: s.steps, Options: opt}
	m.Options.Observer = nil
	scale := data.Scale / s.sigma
	for j := range q {
		to := j
		if columns != nil {
			to = int(columns[j])
		}
		m.Mean[to] = data.Mean[j]
		row := m.Weights.RawRowView(to)
		for k, v := range s.weights(s.best).Data[j*classes:][:classes] {
			row[k] = scale * v
		}
	}
	scores, err := m.Placer().Scores(ctx, x)
	if err != nil {
		return nil, err
	}
	m.Labels = labels.Keep(rows.Largest(scores), known)
	m.Posterior = Probabilities(scores)
	return m, unsolved
}

// used returns sparse rows without the columns that have no entry, and the columns that are left;
// nil if none is left out.
func used(x mat.Matrix) (mat.Matrix, []int32) {
	a, ok := x.(*sparse.CSR)
	if !ok {
		return x, nil
	}
	columns := slices.Clone(a.Col)
	slices.Sort(columns)
	columns = slices.Compact(columns)
	if len(columns) == a.NumCols || len(columns) == 0 {
		return x, nil
	}
	out := &sparse.CSR{NumRows: a.NumRows, NumCols: len(columns), RowPtr: a.RowPtr, Col: make([]int32, len(a.Col)), Val: a.Val}
	for e, c := range a.Col {
		at, _ := slices.BinarySearch(columns, c)
		out.Col[e] = int32(at)
	}
	return out, columns
}

// Placer gives new documents their probabilities.
func (m *Model) Placer() *Placer {
	return &Placer{Linear: linear.Placer{Projection: m.Weights, Mean: m.Mean, Offset: m.Bias}}
}

// Probabilities turns the scores of each row into probabilities in place, exp(s_k)/Σ exp(s).
func Probabilities(scores *mat.Dense) *mat.Dense {
	n, _ := scores.Dims()
	for i := range n {
		soften(scores.RawRowView(i))
	}
	return scores
}

// soften turns scores into probabilities, and returns log Σ exp of the scores.
func soften(row []float64) float64 {
	most, sum := slices.Max(row), 0.0
	for k, v := range row {
		row[k] = math.Exp(v - most)
		sum += row[k]
	}
	for k := range row {
		row[k] /= sum
	}
	return most + math.Log(sum)
}
