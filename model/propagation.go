package model

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/labelprop"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
)

// Propagation is what label propagation keeps: a new document is joined to the training documents and hears their scores, as a document without a
// label did (labelprop.Model.Predict).
type Propagation struct {
	Joined
	Form      labelprop.Form
	Scores    *mat.Dense // labelprop.Model.F
	Posterior *mat.Dense
	Labels    []int
	Prior     []float64
	Masses    []float64 // labelprop.Model.ClassMasses
	Degrees   []float64 // of the training documents, for Zhou's form; else nil
}

func keepPropagation(f Fitted) Part {
	m, ok := f.Model.(*labelprop.Model)
	if !ok || f.X == nil {
		return nil
	}
	p := &Propagation{Joined: newJoined(f, m.Graph), Form: m.Options.Form, Scores: m.F, Posterior: m.Posterior, Labels: m.Labels, Prior: m.Prior, Masses: m.ClassMasses}
	if p.Form == labelprop.Zhou {
		p.Degrees = m.Graph.Degrees
	}
	return p
}

func (*Propagation) width() int { return 0 }

func (p *Propagation) place(ctx context.Context, x mat.Matrix, obs progress.Observer) (*placement, error) {
	at, err := p.attach(ctx, x, obs)
	if err != nil {
		return nil, err
	}
	m := labelprop.Model{F: p.Scores, Posterior: p.Posterior, Labels: p.Labels, Prior: p.Prior, ClassMasses: p.Masses, Graph: &graph.Graph{Degrees: p.Degrees},
		Options: labelprop.Options{Form: p.Form}}
	out := new(placement)
	if out.posterior, out.labels, err = m.Predict(at); err != nil {
		return nil, err
	}
	for i, j := range at.Same {
		if j >= 0 {
			out.known++
		} else if at.W.RowPtr[i] == at.W.RowPtr[i+1] {
			out.isolated = append(out.isolated, i)
		}
	}
	return out, nil
}

func (p *Propagation) fields(f *fields) {
	p.Joined.fields(f)
	f.setting("form", &p.Form)
	f.dense("scores", &p.Scores)
	f.dense("posterior", &p.Posterior)
	f.ints("labels", &p.Labels)
	f.floats("prior", &p.Prior)
	f.floats("class_masses", &p.Masses)
	f.floats("degrees", &p.Degrees)
}

func (p *Propagation) check(m *Model) error {
	if p.X == nil || p.Scores == nil || p.Posterior == nil || m.Clusters == nil {
		return invalid.Errorf("the model lacks its training rows, their scores or its clusters")
	}
	errs := []error{p.Joined.check(m)}
	bad := func(format string, args ...any) { errs = append(errs, invalid.Errorf(format, args...)) }
	k := len(m.Clusters.Sizes)
	for _, s := range []*mat.Dense{p.Scores, p.Posterior} {
		if r, c := s.Dims(); r != m.Documents || c != k {
			bad("the model has %d × %d scores of %d documents and %d classes", r, c, m.Documents, k)
		}
	}
	errs = append(errs, checkLabels("labels", p.Labels, m.Documents, 0, k))
	if len(p.Prior) != k || p.Masses != nil && len(p.Masses) != k {
		bad("the model has %d priors and %d masses of %d classes", len(p.Prior), len(p.Masses), k)
	}
	switch p.Form {
	case labelprop.Nie, labelprop.Zhu:
	case labelprop.Zhou:
		if len(p.Degrees) != m.Documents {
			bad("the model has %d degrees of %d documents", len(p.Degrees), m.Documents)
		}
		for _, d := range p.Degrees {
			if d < 0 {
				bad("the model has the degree %v", d)
				break
			}
		}
	default:
		bad("the model has the unknown form %q", clip(string(p.Form)))
	}
	return invalid.Join(errs...)
}
