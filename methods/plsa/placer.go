package plsa

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/model"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
)

// Placer is what a model keeps for new documents: they are folded in (Model.FoldIn), and the
// cluster of each is the topic with the largest share, the lower one on a tie. The shares are its
// coordinates.
type Placer struct{ Model }

var _ method.Placer = (*Placer)(nil)

// Placer is the part of the model that places new documents.
func (m *Model) Placer() *Placer {
	return &Placer{Model{Kind: m.Kind, Terms: m.Terms, Weights: m.Weights}}
}

// Width implements model.Part.
func (p *Placer) Width() int { return len(p.Weights) }

// Place implements method.Placer.
func (p *Placer) Place(ctx context.Context, x mat.Matrix, _ progress.Observer) (*method.Placement, error) {
	shares, err := p.FoldIn(ctx, x)
	if err != nil {
		return nil, err
	}
	return &method.Placement{Embedding: shares, Posterior: shares, Labels: rows.Largest(shares), Isolated: rows.WithoutEntries(x)}, nil
}

// Fields implements model.Part.
func (p *Placer) Fields(f *model.Fields) {
	f.Setting("kind", &p.Kind)
	f.Dense("topics", &p.Terms)
	f.Floats("weights", &p.Weights)
}

// Check implements model.Part.
func (p *Placer) Check(of model.Frame) error {
	if p.Terms == nil {
		return invalid.Errorf("the model lacks its topics")
	}
	if p.Kind != Clustering && p.Kind != Aspect {
		return invalid.Errorf("the model has topics of the unknown kind %q", words.Clip(string(p.Kind), 40))
	}
	k, cols := p.Terms.Dims()
	if cols != of.Columns || k != len(p.Weights) || of.Clusters != 0 && k != of.Clusters {
		return invalid.Errorf("the model has %d topics of %d columns and %d weights, but its documents have %d columns", k, cols, len(p.Weights), of.Columns)
	}
	for _, list := range [][]float64{p.Weights, p.Terms.RawMatrix().Data} {
		for _, v := range list {
			if v < 0 || v > 1 {
				return invalid.Errorf("the model's topics have the probability %v", v)
			}
		}
	}
	return nil
}
