package lapgmm

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/methods/gmm"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/nystrom"
	"github.com/eigenmap/eigenmap/model"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Placer gives new documents probabilities as the fit gave its own: the mixture's, smoothed over
// their neighbours among the training documents with the γ of the last iteration,
//
//	f = (1−γ)·P(k|x) + γ·Σ_j w_j f_j / Σ_j w_j,
//
// the fixed point of the walk with restart if nothing else changes. A document that equals a
// training document, to rounding in the space of the mixture, has that one's probabilities and
// cluster. A document without neighbours has the mixture's probabilities.
type Placer struct {
	gmm.Placer
	// Joined is the graph of the training rows in the space of the mixture. A model of an earlier
	// version has none: then documents are placed by the mixture alone.
	Joined    nystrom.Joined
	Posterior *mat.Dense // Model.Posterior of the training documents, n×K
	Labels    []int      // their clusters
	Gamma     float64
}

var _ method.Gatherer = (*Placer)(nil)

// Partial implements method.Gatherer.
func (*Placer) Partial() bool { return true }

// Gather implements method.Gatherer.
func (p *Placer) Gather(g *method.Gathering) method.Placer {
	all := &Placer{Placer: p.Placer, Joined: p.Joined.Gathered(g), Posterior: g.Dense(p.Posterior), Labels: g.Ints(p.Labels), Gamma: p.Gamma}
	if g.Nothing() {
		return nil
	}
	return all
}

// sameRow is the largest difference of coordinates, relative to the largest coordinate of the two
// rows, at which a document is taken for a training document: projections differ by rounding.
const sameRow = 1e-10

// Place implements method.Placer.
func (p *Placer) Place(ctx context.Context, x mat.Matrix, obs progress.Observer) (*method.Placement, error) {
	out, err := p.Placer.Place(ctx, x, obs)
	if err != nil {
		return out, err
	}
	if out.Certainty.Score = nil; p.Joined.X == nil { // the smoothed probabilities order the documents
		return out, nil
	}
	if out.Embedding != nil {
		x = out.Embedding
	}
	at, err := p.Joined.Attach(ctx, x, obs)
	if err != nil {
		return nil, err
	}
	_, k := p.Posterior.Dims()
	mean := make([]float64, k)
	for i := range out.Labels {
		row := out.Posterior.RawRowView(i)
		near, weights := at.W.Row(i)
		if j := p.same(x, i, at.Same[i], near); j >= 0 {
			copy(row, p.Posterior.RawRowView(j))
			out.Labels[i] = p.Labels[j]
			out.Known = append(out.Known, i)
			continue
		}
		clear(mean)
		total := 0.0
		for e, j := range near {
			total += weights[e]
			for c, f := range p.Posterior.RawRowView(int(j)) {
				mean[c] += weights[e] * f
			}
		}
		if total == 0 {
			continue
		}
		for c := range row {
			row[c] = (1-p.Gamma)*row[c] + p.Gamma*mean[c]/total
		}
		out.Labels[i] = floats.MaxIdx(row)
	}
	return out, nil
}

// same is the training row that row i of x equals to rounding, −1 if none does: known, or one of
// its neighbours.
func (p *Placer) same(x mat.Matrix, i, known int, near []int32) int {
	if known >= 0 {
		return known
	}
	_, d := x.Dims()
	for _, j := range near {
		largest, apart := 0.0, 0.0
		for c := range d {
			a, b := x.At(i, c), p.Joined.X.At(int(j), c)
			largest = max(largest, math.Abs(a), math.Abs(b))
			apart = max(apart, math.Abs(a-b))
		}
		if apart <= sameRow*largest {
			return int(j)
		}
	}
	return -1
}

// Fields implements model.Part.
func (p *Placer) Fields(f *model.Fields) {
	p.Placer.Fields(f)
	if f.Writing() && p.Joined.X == nil || !f.Writing() && !f.Has("gamma") {
		return // by the mixture alone
	}
	p.Joined.Fields(f)
	f.OfDocuments("posterior", "labels")
	f.Dense("posterior", &p.Posterior)
	f.Ints("labels", &p.Labels)
	f.Setting("gamma", &p.Gamma)
}

// Check implements model.Part.
func (p *Placer) Check(of model.Frame) error {
	errs := invalid.Faults{p.Placer.Check(of)}
	if p.Joined.X == nil {
		return invalid.Join(errs...)
	}
	inner := of // the space of the mixture
	if p.Reduce != nil {
		inner.Columns, inner.Sparse = p.Reduce.Width(), false
	}
	errs = append(errs, p.Joined.Check(inner), of.CheckLabels("labels", p.Labels, 0, of.Clusters))
	if p.Posterior == nil {
		errs.Addf("the model lacks the probabilities of its training documents")
	} else if n, k := p.Posterior.Dims(); n != of.Documents || k != of.Clusters {
		errs.Addf("the model has %d × %d probabilities of %d documents and %d clusters", n, k, of.Documents, of.Clusters)
	}
	if !(p.Gamma >= 0 && p.Gamma < 1) {
		errs.Addf("the model has the γ %v; it must lie in [0, 1)", p.Gamma)
	}
	return invalid.Join(errs...)
}
