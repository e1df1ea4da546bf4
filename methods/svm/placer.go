package svm

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/model"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Width implements model.Part: there are no coordinates.
func (*Placer) Width() int { return 0 }

// Place implements method.Placer.
func (p *Placer) Place(ctx context.Context, x mat.Matrix, _ progress.Observer) (*method.Placement, error) {
	scores, err := p.Decision(ctx, x)
	if err != nil {
		return nil, err
	}
	labels := rows.Largest(scores)
	return &method.Placement{Labels: labels, Certainty: method.Certainty{Confidence: method.HalfMargin(scores, labels)}, Isolated: rows.WithoutEntries(x)}, nil
}

// Fields implements model.Part.
func (p *Placer) Fields(f *model.Fields) {
	f.Setting("kernel", &p.Kernel)
	f.Floats("bias", &p.Bias)
	f.Dense("weights", &p.Weights)
	if p.Kernel == Linear {
		return
	}
	f.Rows("support", &p.Support)
	f.Dense("coefficients", &p.Coefficients)
	f.Setting("gamma", &p.Gamma)
	f.Setting("degree", &p.Degree)
	f.Setting("offset", &p.Offset)
}

// Check implements model.Part.
func (p *Placer) Check(of model.Frame) error {
	k := len(p.Bias)
	if k != of.Clusters || k == 0 {
		return invalid.Errorf("the model has %d machines, which are not as many as its clusters", k)
	}
	if p.Kernel == Linear {
		if p.Weights == nil {
			return invalid.Errorf("the model lacks its weights")
		}
		if r, c := p.Weights.Dims(); r != of.Columns || c != k {
			return invalid.Errorf("the model has %d × %d weights of %d columns and %d classes", r, c, of.Columns, k)
		}
		return nil
	}
	if p.Kernel != Gaussian && p.Kernel != Polynomial {
		return invalid.Errorf("the model has the unknown kernel %q", words.Clip(string(p.Kernel), 60))
	}
	if p.Support == nil || p.Coefficients == nil {
		return invalid.Errorf("the model lacks its support vectors or their coefficients")
	}
	s, d := p.Support.Dims()
	if r, c := p.Coefficients.Dims(); r != s || c != k || d != of.Columns {
		return invalid.Errorf("the model has %d × %d coefficients of %d support vectors of %d columns", r, c, s, d)
	}
	if _, isSparse := p.Support.(*sparse.CSR); isSparse != of.Sparse {
		return invalid.Errorf("the model's support vectors are not stored as it says")
	}
	if !(p.Gamma > 0) || p.Degree < 1 && p.Kernel == Polynomial || p.Offset < 0 {
		return invalid.Errorf("the model has the impossible kernel of γ %v, degree %d and offset %v", p.Gamma, p.Degree, p.Offset)
	}
	return nil
}
