package model

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/methods/plsa"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Topics is what PLSA keeps: new documents are folded in, and their cluster is the topic with the largest share, the lower on a tie. The shares are
// also their coordinates.
type Topics struct{ plsa.Model }

func keepTopics(f Fitted) Part {
	m, ok := f.Model.(*plsa.Model)
	if !ok {
		return nil
	}
	return &Topics{plsa.Model{Kind: m.Kind, Terms: m.Terms, Weights: m.Weights}}
}

func (p *Topics) width() int { return len(p.Weights) }

func (p *Topics) place(ctx context.Context, x mat.Matrix, _ progress.Observer) (*placement, error) {
	shares, err := p.FoldIn(ctx, x)
	if err != nil {
		return nil, err
	}
	out := &placement{embedding: shares, posterior: shares, labels: largest(shares)}
	s, _ := x.(*sparse.CSR)
	for i := range out.labels {
		if s != nil && s.RowPtr[i] == s.RowPtr[i+1] {
			out.isolated = append(out.isolated, i)
		}
	}
	return out, nil
}

func (p *Topics) fields(f *fields) {
	f.setting("kind", &p.Kind)
	f.dense("topics", &p.Terms)
	f.floats("weights", &p.Weights)
}

func (p *Topics) check(m *Model) error {
	if p.Terms == nil {
		return invalid.Errorf("the model lacks its topics")
	}
	if p.Kind != plsa.Clustering && p.Kind != plsa.Aspect {
		return invalid.Errorf("the model has topics of the unknown kind %q", clip(string(p.Kind)))
	}
	k, cols := p.Terms.Dims()
	if cols != m.Rows.Columns || k != len(p.Weights) || m.Clusters != nil && k != len(m.Clusters.Sizes) {
		return invalid.Errorf("the model has %d topics of %d columns and %d weights where its documents have %d", k, cols, len(p.Weights), m.Rows.Columns)
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
