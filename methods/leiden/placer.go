package leiden

import (
	"context"
	"slices"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/nystrom"
	"github.com/eigenmap/eigenmap/model"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
)

// Placer joins new documents to the graph as its documents are joined, and puts each into the
// cluster to which most of the weight of its edges leads, the lower number on a tie. One that
// equals a training document is put where that one is; one without edges into cluster 0.
type Placer struct {
	nystrom.Joined
	Labels     []int     // of the training documents
	Confidence []float64 // of the training documents
}

var _ method.Gatherer = (*Placer)(nil)

// Partial implements method.Gatherer.
func (*Placer) Partial() bool { return true }

// Gather implements method.Gatherer.
func (p *Placer) Gather(g *method.Gathering) method.Placer {
	all := &Placer{Joined: p.Gathered(g), Labels: g.Ints(p.Labels), Confidence: g.Floats(p.Confidence)}
	if g.Nothing() {
		return nil
	}
	return all
}

// Width implements model.Part: there are no coordinates.
func (*Placer) Width() int { return 0 }

// Place implements method.Placer.
func (p *Placer) Place(ctx context.Context, x mat.Matrix, obs progress.Observer) (*method.Placement, error) {
	at, err := p.Attach(ctx, x, obs)
	if err != nil {
		return nil, err
	}
	n := at.W.NumRows
	out := &method.Placement{Labels: make([]int, n), Certainty: method.Certainty{Confidence: make([]float64, n)}}
	weights := make([]float64, slices.Max(p.Labels)+1)
	for i := range n {
		cols, vals := at.W.Row(i)
		switch same := at.Same[i]; {
		case same >= 0:
			out.Labels[i], out.Certainty.Confidence[i] = p.Labels[same], p.Confidence[same]
			if at.Alone(i) {
				out.Isolated = append(out.Isolated, i)
			} else {
				out.Known = append(out.Known, i)
			}
			continue
		case len(cols) == 0:
			out.Isolated = append(out.Isolated, i)
			continue
		}
		clear(weights)
		sum := 0.0
		for e, j := range cols {
			weights[p.Labels[j]] += vals[e]
			sum += vals[e]
		}
		best := 0
		for c, w := range weights {
			if w > weights[best] {
				best = c
			}
		}
		out.Labels[i], out.Certainty.Confidence[i] = best, min(1, weights[best]/sum)
	}
	return out, nil
}

// Fields implements model.Part.
func (p *Placer) Fields(f *model.Fields) {
	p.Joined.Fields(f)
	f.OfDocuments("labels", "confidence")
	f.Ints("labels", &p.Labels)
	f.Floats("confidence", &p.Confidence)
}

// Check implements model.Part.
func (p *Placer) Check(of model.Frame) error {
	if p.X == nil || of.Clusters == 0 {
		return invalid.Errorf("the model lacks its training rows or its clusters")
	}
	errs := []error{p.Joined.Check(of), of.CheckLabels("labels", p.Labels, 0, of.Clusters)}
	if len(p.Labels) > 0 && slices.Max(p.Labels) != of.Clusters-1 {
		errs = append(errs, invalid.Errorf("the model has labels of %d clusters of %d", slices.Max(p.Labels)+1, of.Clusters))
	}
	if len(p.Confidence) != of.Documents {
		errs = append(errs, invalid.Errorf("the model has %d confidences of %d documents", len(p.Confidence), of.Documents))
	}
	for _, v := range p.Confidence {
		if !(v >= 0 && v <= 1) {
			errs = append(errs, invalid.Errorf("the model has the confidence %v", v))
			break
		}
	}
	return invalid.Join(errs...)
}
