package model

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/methods/lsi"
	"github.com/eigenmap/eigenmap/methods/nmf"
	"github.com/eigenmap/eigenmap/methods/pca"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
)

// LSI is what latent semantic indexing keeps: new documents are projected on its components.
type LSI struct{ lsi.Model }

func (p *LSI) width() int { return len(p.Singular) }

func (p *LSI) place(ctx context.Context, x mat.Matrix, _ progress.Observer) (*placement, error) {
	y, err := p.Transform(ctx, x)
	return &placement{embedding: y, isolated: withoutEntries(x)}, err
}

func (p *LSI) fields(f *fields) {
	f.dense("components", &p.Components)
	f.floats("singular_values", &p.Singular)
	f.setting("scale", &p.Scale)
}

func (p *LSI) check(m *Model) error {
	if p.Scale != lsi.Projection && p.Scale != lsi.Left {
		return invalid.Errorf("the model has the unknown scale %q", string(p.Scale))
	}
	return checkComponents(m, p.Components, len(p.Singular))
}

// PCA is what principal component analysis keeps: new documents are centred and projected on its components.
type PCA struct{ pca.Model }

func (p *PCA) width() int { return len(p.Singular) }

func (p *PCA) place(ctx context.Context, x mat.Matrix, _ progress.Observer) (*placement, error) {
	y, err := p.Transform(ctx, x)
	return &placement{embedding: y, isolated: withoutEntries(x)}, err
}

func (p *PCA) fields(f *fields) {
	f.dense("components", &p.Components)
	f.floats("mean", &p.Mean)
	f.floats("singular_values", &p.Singular)
	f.setting("samples", &p.Samples)
	f.setting("whiten", &p.Whiten)
}

func (p *PCA) check(m *Model) error {
	errs := []error{checkComponents(m, p.Components, len(p.Singular))}
	if len(p.Mean) != m.Rows.Columns {
		errs = append(errs, invalid.Errorf("the model has a mean of %d columns where its documents have %d", len(p.Mean), m.Rows.Columns))
	}
	if p.Samples < 2 {
		errs = append(errs, invalid.Errorf("the model is an analysis of %d documents", p.Samples))
	}
	return invalid.Join(errs...)
}

func checkComponents(m *Model, components *mat.Dense, values int) error {
	if components == nil {
		return invalid.Errorf("the model lacks its components")
	}
	if k, cols := components.Dims(); k != values || cols != m.Rows.Columns {
		return invalid.Errorf("the model has %d × %d components of %d values and %d columns", k, cols, values, m.Rows.Columns)
	}
	return nil
}

// NMF is what non-negative matrix factorisation keeps: the coefficients of a new document are its least squares solution on the
// topics, and its cluster is the topic of the largest.
type NMF struct{ nmf.Model }

func (p *NMF) width() int {
	if p.H == nil {
		return 0
	}
	k, _ := p.H.Dims()
	return k
}

func (p *NMF) place(ctx context.Context, x mat.Matrix, _ progress.Observer) (*placement, error) {
	y, err := p.Transform(ctx, x)
	if err != nil {
		return nil, err
	}
	out := &placement{embedding: y, labels: largest(y)}
	for i, k := range out.labels {
		if y.At(i, k) == 0 {
			out.isolated = append(out.isolated, i)
		}
	}
	return out, nil
}

func (p *NMF) fields(f *fields) {
	f.dense("topics", &p.H)
	f.floats("term_sums", &p.TermSums)
}

func (p *NMF) check(m *Model) error {
	if p.H == nil {
		return invalid.Errorf("the model lacks its topics")
	}
	if k, cols := p.H.Dims(); cols != m.Rows.Columns || m.Clusters != nil && k != len(m.Clusters.Sizes) {
		return invalid.Errorf("the model has %d topics of %d columns where its documents have %d", k, cols, m.Rows.Columns)
	}
	if p.TermSums != nil && len(p.TermSums) != m.Rows.Columns {
		return invalid.Errorf("the model has sums of %d columns where its documents have %d", len(p.TermSums), m.Rows.Columns)
	}
	for _, v := range p.H.RawMatrix().Data {
		if v < 0 {
			return invalid.Errorf("the model's topics have the negative entry %v", v)
		}
	}
	return nil
}
