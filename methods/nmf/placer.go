package nmf

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/model"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
)

// Placer finds the coefficients of new documents on the topics: their least squares solution. The
// cluster of a document is the topic of its largest coefficient.
type Placer struct {
	H *mat.Dense // k×m: topics, rows of unit length (or zero), at least 0
	// TermSums are the column sums of the documents of the fit, for [NCW]; nil without weighting.
	TermSums []float64
}

var _ method.Placer = (*Placer)(nil)

// Width implements model.Part.
func (p *Placer) Width() int {
	if p.H == nil {
		return 0
	}
	k, _ := p.H.Dims()
	return k
}

// Place implements method.Placer. Rows without terms of any topic are isolated.
func (p *Placer) Place(ctx context.Context, x mat.Matrix, _ progress.Observer) (*method.Placement, error) {
	y, err := p.Transform(ctx, x)
	if err != nil {
		return nil, err
	}
	out := &method.Placement{Embedding: y, Labels: rows.Largest(y)}
	out.Certainty.Confidence = method.WinningShare(y, out.Labels)
	for i, k := range out.Labels {
		if y.At(i, k) == 0 {
			out.Isolated = append(out.Isolated, i)
		}
	}
	return out, nil
}

// Fields implements model.Part.
func (p *Placer) Fields(f *model.Fields) {
	f.Dense("topics", &p.H)
	f.Floats("term_sums", &p.TermSums)
}

// Check implements model.Part.
func (p *Placer) Check(of model.Frame) error {
	if p.H == nil {
		return invalid.Errorf("the model lacks its topics")
	}
	if k, cols := p.H.Dims(); cols != of.Columns || of.Clusters > 0 && k != of.Clusters {
		return invalid.Errorf("the model has %d topics of %d columns, but its documents have %d", k, cols, of.Columns)
	}
	if p.TermSums != nil && len(p.TermSums) != of.Columns {
		return invalid.Errorf("the model has sums of %d columns, but its documents have %d", len(p.TermSums), of.Columns)
	}
	for _, v := range p.H.RawMatrix().Data {
		if v < 0 {
			return invalid.Errorf("the model's topics have the negative entry %v", v)
		}
	}
	return nil
}
