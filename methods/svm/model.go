package svm

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"gonum.org/v1/gonum/mat"
)

// Model is a trained machine for two classes.
type Model struct {
	Beta    []float64 // α_i y_i of each training row
	Support []int     // rows with β ≠ 0, ascending
	Bias    float64   // b
	Weights []float64 // w, linear kernel only
	Values  []float64 // f at the training rows
	// Primal and Dual objectives; the optimum lies between them.
	Primal, Dual float64
	// Violation of the margin's conditions: the largest gradient of the dual that points into the box,
	// at Values and Bias.
	Violation float64
	Sweeps    int     // steps over the number of rows, rounded up
	Options   Options // with defaults filled in, γ included

	decide *Placer
}

// Ensemble are machines of several classes on the same rows.
type Ensemble struct {
	Machines []*Model
	// Scores are f at the rows that were given, n×classes.
	Scores *mat.Dense
	// Labels are the classes of the largest score, the lower one on a tie.
	Labels []int

	decide *Placer
}

var errNotFitted = invalid.Errorf("the support vector machine is empty: fit it first")

// Models makes models of machines of this Trainer, with values, objectives and support vectors.
// Scores has the scores of the training rows.
func (t *Trainer) Models(ctx context.Context, machines []*Machine) (*Ensemble, error) {
	d, err := t.placer(ctx, machines)
	if err != nil {
		return nil, err
	}
	e := &Ensemble{decide: d, Scores: mat.NewDense(t.data.N, len(machines), nil)}
	for c, m := range machines {
		out := &Model{Beta: m.Beta(), Bias: d.Bias[c], Sweeps: m.sweeps, Values: make([]float64, t.data.N), Options: t.opt, decide: d.one(c)}
		for i, b := range m.beta {
			if b != 0 {
				out.Support = append(out.Support, i)
			}
		}
		if t.kernel.name == Linear {
			out.Weights = mat.Col(nil, c, d.Weights)
		}
		if err := m.Values(ctx, out.Values); err != nil {
			return nil, err
		}
		out.Primal, out.Dual = m.Objective(out.Values)
		out.Violation = m.violation(out.Values)
		e.Scores.SetCol(c, out.Values)
		e.Machines = append(e.Machines, out)
	}
	e.Labels = rows.Largest(e.Scores)
	return e, nil
}

// Decision returns f at the rows of x; its sign is the class. Linear: 2 flops an entry. Kernels: a
// kernel value for every row and support vector, in panels.
//
// Errors (fs.ErrInvalid): another number of columns than the training rows have, an empty matrix,
// values that are not finite or too long; the context's.
func (m *Model) Decision(ctx context.Context, x mat.Matrix) ([]float64, error) {
	if m.decide == nil {
		return nil, errNotFitted
	}
	out, err := m.decide.Decision(ctx, x)
	if err != nil {
		return nil, err
	}
	return out.RawMatrix().Data, nil
}

// Decision returns the scores of the rows of x, n×classes. Errors are as for [Model.Decision].
func (e *Ensemble) Decision(ctx context.Context, x mat.Matrix) (*mat.Dense, error) {
	if e.decide == nil {
		return nil, errNotFitted
	}
	return e.decide.Decision(ctx, x)
}

// Placer decides new rows by the machines.
func (e *Ensemble) Placer() *Placer { return e.decide }
