package gmm

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/pca"
	"github.com/eigenmap/eigenmap/model"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
)

// Placer finds the probabilities of the clusters of new documents under a mixture. A document's
// cluster is its most probable component, the lower on a tie.
type Placer struct {
	Reduce     *pca.Placer // to the principal components of the fit; nil: the mixture is of the rows
	Covariance Covariance
	Weights    []float64
	Means      *mat.Dense // K×d
	// Variances has one row per covariance, a single one if it is tied, as Mixture.Variances gives
	// them; nil after a fit.
	Variances *mat.Dense
	fitted    *Mixture // of a fit: its covariances, which may be larger than all else, are not copied
}

var _ method.Placer = (*Placer)(nil)

// NewPlacer keeps a mixture of rows that reduce makes of documents, nil if it is of their own rows.
func NewPlacer(m *Mixture, reduce *pca.Placer) *Placer {
	return &Placer{Reduce: reduce, Covariance: m.Type, Weights: m.Weights, Means: m.Means, fitted: m}
}

// mixture makes the mixture from its parameters, after a fit too, so that it is the same before it
// was stored and after.
func (p *Placer) mixture() (*Mixture, error) {
	variances := make([][]float64, p.covariances())
	for i := range variances {
		if p.fitted != nil {
			variances[i] = p.fitted.Variances(i)
		} else {
			variances[i] = p.Variances.RawRowView(i)
		}
	}
	return FromParameters(p.Covariance, p.Weights, p.Means, variances)
}

// covariances is their number.
func (p *Placer) covariances() int {
	if p.fitted != nil {
		return p.fitted.blocks()
	}
	return p.Variances.RawMatrix().Rows
}

// eachVariance visits the rows of Variances of the fitted mixture.
func (p *Placer) eachVariance(body func(part []float64) error) error {
	for i := range p.covariances() {
		if err := p.fitted.EachVariance(i, body); err != nil {
			return err
		}
	}
	return nil
}

// Width implements model.Part.
func (p *Placer) Width() int {
	if p.Reduce == nil {
		return 0
	}
	return p.Reduce.Width()
}

// Place implements method.Placer.
func (p *Placer) Place(ctx context.Context, x mat.Matrix, obs progress.Observer) (*method.Placement, error) {
	m, err := p.mixture()
	if err != nil {
		return nil, err
	}
	out := &method.Placement{Isolated: rows.WithoutEntries(x)}
	if p.Reduce != nil {
		if out, err = p.Reduce.Place(ctx, x, obs); err != nil {
			return nil, err
		}
		x = out.Embedding
	}
	if out.Posterior, err = m.LogJoint(ctx, x); err != nil {
		return nil, err
	}
	out.Certainty.Score = Lead(out.Posterior)
	if _, err = normalise(ctx, out.Posterior.RawMatrix().Data, m.Weights, nil); err != nil {
		return nil, err
	}
	out.Labels = rows.Largest(out.Posterior)
	return out, nil
}

// Fields implements model.Part.
func (p *Placer) Fields(f *model.Fields) {
	reduced := p.Reduce != nil
	f.Setting("reduced", &reduced)
	f.Setting("covariance", &p.Covariance)
	f.Floats("weights", &p.Weights)
	f.Dense("means", &p.Means)
	if p.fitted == nil {
		f.Dense("variances", &p.Variances)
	} else {
		f.Pieces("variances", p.covariances(), p.fitted.blockLen(), p.eachVariance)
	}
	if reduced {
		if p.Reduce == nil {
			p.Reduce = new(pca.Placer)
		}
		p.Reduce.Fields(f)
	}
}

// Check implements model.Part.
func (p *Placer) Check(of model.Frame) error {
	if p.Means == nil || p.Variances == nil && p.fitted == nil {
		return invalid.Errorf("the model lacks its means or variances")
	}
	var errs []error
	want := of.Columns
	if p.Reduce != nil {
		errs = append(errs, p.Reduce.Check(of))
		want = p.Reduce.Width()
	}
	k, d := p.Means.Dims()
	if d != want || of.Clusters == 0 || k != of.Clusters {
		errs = append(errs, invalid.Errorf("the model has %d means of %d coordinates, but its documents have %d", k, d, want))
	} else if p.fitted == nil { // the covariances of a fit have been factored
		_, err := p.mixture()
		errs = append(errs, err)
	}
	return invalid.Join(errs...)
}
