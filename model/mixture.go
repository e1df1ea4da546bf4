package model

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/methods/gmm"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
)

// Mixture is what a mixture of Gaussians keeps: its parameters, and the principal components that documents are reduced to first, if any. The cluster of a new
// document is its most probable component, the lower on a tie.
type Mixture struct {
	Reduce     *PCA // nil: the mixture is of the rows themselves
	Covariance gmm.Covariance
	Weights    []float64
	Means      *mat.Dense   // K×d
	Variances  *mat.Dense   // a row a covariance, one alone where it is tied: gmm.Mixture.Variances; nil of a fresh fit
	fitted     *gmm.Mixture // whose covariances, which may be larger than all else, are not copied
}

func keepGMM(f Fitted) Part {
	m, ok := f.Model.(*gmm.Model)
	if !ok {
		return nil
	}
	p := &Mixture{Covariance: m.Type, Weights: m.Weights, Means: m.Means, fitted: m.Mixture}
	if f.Reduced != nil {
		p.Reduce = &PCA{*f.Reduced}
	}
	return p
}

// mixture is the mixture of the parameters as they stand here, so that it is the same before the file and after.
func (p *Mixture) mixture() (*gmm.Mixture, error) {
	variances := make([][]float64, p.covariances())
	for i := range variances {
		if p.fitted != nil {
			variances[i] = p.fitted.Variances(i)
		} else {
			variances[i] = p.Variances.RawRowView(i)
		}
	}
	return gmm.FromParameters(p.Covariance, p.Weights, p.Means, variances)
}

// covariances is how many there are.
func (p *Mixture) covariances() int {
	switch {
	case p.fitted == nil:
		return p.Variances.RawMatrix().Rows
	case p.Covariance == gmm.Tied:
		return 1
	}
	k, _ := p.fitted.Dims()
	return k
}

// eachVariance goes through the rows of Variances of the fitted mixture.
func (p *Mixture) eachVariance(body func(part []float64) error) error {
	for i := range p.covariances() {
		if err := p.fitted.EachVariance(i, body); err != nil {
			return err
		}
	}
	return nil
}

func (p *Mixture) width() int {
	if p.Reduce == nil {
		return 0
	}
	return p.Reduce.width()
}

func (p *Mixture) place(ctx context.Context, x mat.Matrix, obs progress.Observer) (*placement, error) {
	m, err := p.mixture()
	if err != nil {
		return nil, err
	}
	out := &placement{isolated: withoutEntries(x)}
	if p.Reduce != nil {
		if out, err = p.Reduce.place(ctx, x, obs); err != nil {
			return nil, err
		}
		x = out.embedding
	}
	if out.posterior, _, err = m.Evaluate(ctx, x); err != nil {
		return nil, err
	}
	out.labels = largest(out.posterior)
	return out, nil
}

// largest is the column of the largest entry of each row, the lower on a tie.
func largest(m *mat.Dense) []int {
	labels := make([]int, m.RawMatrix().Rows)
	for i := range labels {
		row := m.RawRowView(i)
		for k, v := range row {
			if v > row[labels[i]] {
				labels[i] = k
			}
		}
	}
	return labels
}

func (p *Mixture) fields(f *fields) {
	reduced := p.Reduce != nil
	f.setting("reduced", &reduced)
	f.setting("covariance", &p.Covariance)
	f.floats("weights", &p.Weights)
	f.dense("means", &p.Means)
	if p.fitted == nil {
		f.dense("variances", &p.Variances)
	} else {
		_, d := p.fitted.Dims()
		size := d
		switch p.Covariance {
		case gmm.Full, gmm.Tied:
			size = d * d
		case gmm.Spherical:
			size = 1
		}
		f.pieces("variances", p.covariances(), size, p.eachVariance)
	}
	if reduced {
		if p.Reduce == nil {
			p.Reduce = new(PCA)
		}
		p.Reduce.fields(f)
	}
}

func (p *Mixture) check(m *Model) error {
	if p.Means == nil || p.Variances == nil && p.fitted == nil {
		return invalid.Errorf("the model lacks its means or variances")
	}
	var errs []error
	want := m.Rows.Columns
	if p.Reduce != nil {
		errs = append(errs, p.Reduce.check(m))
		want = p.Reduce.width()
	}
	k, d := p.Means.Dims()
	if d != want || m.Clusters == nil || k != len(m.Clusters.Sizes) {
		errs = append(errs, invalid.Errorf("the model has %d means of %d coordinates where its documents have %d", k, d, want))
	} else if p.fitted == nil { // a fit's covariances have been factored
		if _, err := p.mixture(); err != nil {
			errs = append(errs, err)
		}
	}
	return invalid.Join(errs...)
}
