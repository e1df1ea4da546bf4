package labelprop

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/vecmath"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/nystrom"
	"github.com/eigenmap/eigenmap/model"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Placer gives new documents the posteriors that a document without a label has among the training
// documents when nothing else changes (Delalleau, Bengio and Le Roux 2005): row i is α·D⁻¹w_i·F as
// shares, in Zhou's form with √(d_j) of the neighbours in place of the new degree. So a training
// document that is attached by its own row of W gets its own posterior. A new document that equals
// a training document has that one's posterior; one without affinities, or with unreached
// neighbours only, has the prior.
type Placer struct {
	nystrom.Joined
	Form      Form
	Scores    *mat.Dense // F of the training documents; rows of unreached ones are 0
	Posterior *mat.Dense // of the training documents
	Labels    []int
	Prior     []float64
	Masses    []float64 // Model.ClassMasses
	Degrees   []float64 // of the training documents, in Zhou's form; else nil
}

var _ method.Gatherer = (*Placer)(nil)

// Partial implements method.Gatherer.
func (*Placer) Partial() bool { return true }

// Gather implements method.Gatherer.
func (p *Placer) Gather(g *method.Gathering) method.Placer {
	all := &Placer{Joined: p.Gathered(g), Form: p.Form, Scores: g.Dense(p.Scores), Posterior: g.Dense(p.Posterior), Labels: g.Ints(p.Labels),
		Prior: p.Prior, Masses: p.Masses, Degrees: g.Floats(p.Degrees)}
	if g.Nothing() {
		return nil
	}
	return all
}

// Placer places new rows among the rows x that the graph was built of under opt.
func (m *Model) Placer(x mat.Matrix, opt graph.Options) *Placer {
	p := m.placer()
	p.Joined = nystrom.NewJoined(x, m.Graph, opt)
	return p
}

// placer is the part of Placer that does not depend on the rows.
func (m *Model) placer() *Placer {
	p := &Placer{Form: m.Options.Form, Scores: m.F, Posterior: m.Posterior, Labels: m.Labels, Prior: m.Prior, Masses: m.ClassMasses}
	if p.Form == Zhou {
		p.Degrees = m.Graph.Degrees
	}
	if len(m.Unreached) > 0 { // their rows of F are below the accuracy of F
		p.Scores = mat.DenseCopyOf(m.F)
		for _, i := range m.Unreached {
			clear(p.Scores.RawRowView(i))
		}
	}
	return p
}

// Predict places new documents that were attached to the graph of the model, by the rules of
// [Placer]. O(entries·classes).
//
// Errors (fs.ErrInvalid): an attachment to another number of documents.
func (m *Model) Predict(a *graph.Attachment) (posterior *mat.Dense, classes []int, err error) {
	if m.F == nil {
		return nil, nil, invalid.Errorf("the model is empty: fit it first")
	}
	return m.placer().predict(a.W, a.Same)
}

// predict gives documents with affinities w to the training documents their posteriors and classes.
// same is the training document that each one equals, -1 for none; it may be shorter than w.
func (p *Placer) predict(w *sparse.CSR, same []int) (posterior *mat.Dense, classes []int, err error) {
	n, k := p.Scores.Dims()
	if w.NumCols != n {
		return nil, nil, invalid.Errorf("the new documents are attached to a graph of %d documents, but the model has %d: attach them to the model's graph", w.NumCols, n)
	}
	if w.NumRows == 0 {
		return &mat.Dense{}, nil, nil
	}
	if p.Form == Zhou {
		w = w.ScaleCols(vecmath.InverseRoots(p.Degrees))
	}
	posterior = mat.NewDense(w.NumRows, k, nil)
	w.MulBlock(posterior.RawMatrix(), p.Scores.RawMatrix())
	for i := range w.NumRows {
		row := posterior.RawRowView(i)
		if i < len(same) && same[i] >= 0 {
			copy(row, p.Posterior.RawRowView(same[i]))
			continue
		}
		sum := 0.0
		for j, v := range row {
			row[j] = max(0, v)
			sum += row[j]
		}
		if sum > 0 {
			share(row)
			scaleMasses(row, p.Masses, p.Prior)
		} else {
			copy(row, p.Prior)
		}
	}
	classes = rows.Largest(posterior)
	for i, j := range same {
		if j >= 0 {
			classes[i] = p.Labels[j]
		}
	}
	return posterior, classes, nil
}

// Width implements model.Part: there are no coordinates.
func (*Placer) Width() int { return 0 }

// Place implements method.Placer.
func (p *Placer) Place(ctx context.Context, x mat.Matrix, obs progress.Observer) (*method.Placement, error) {
	at, err := p.Attach(ctx, x, obs)
	if err != nil {
		return nil, err
	}
	return p.PlaceAttached(at)
}

// PlaceAttached is Place of rows that were joined to the graph already ([nystrom.Joined.Attach]).
func (p *Placer) PlaceAttached(at *graph.Attachment) (*method.Placement, error) {
	out := new(method.Placement)
	var err error
	if out.Posterior, out.Labels, err = p.predict(at.W, at.Same); err != nil {
		return nil, err
	}
	for i, j := range at.Same {
		if at.Alone(i) {
			out.Isolated = append(out.Isolated, i)
		} else if j >= 0 {
			out.Known = append(out.Known, i)
		}
	}
	return out, nil
}

// Fields implements model.Part.
func (p *Placer) Fields(f *model.Fields) {
	p.Joined.Fields(f)
	f.OfDocuments("scores", "posterior", "labels", "degrees")
	f.Setting("form", &p.Form)
	f.Dense("scores", &p.Scores)
	f.Dense("posterior", &p.Posterior)
	f.Ints("labels", &p.Labels)
	f.Floats("prior", &p.Prior)
	f.Floats("class_masses", &p.Masses)
	f.Floats("degrees", &p.Degrees)
}

// Check implements model.Part.
func (p *Placer) Check(of model.Frame) error {
	if p.X == nil || p.Scores == nil || p.Posterior == nil || of.Clusters == 0 {
		return invalid.Errorf("the model lacks its training rows, their scores or its clusters")
	}
	errs := invalid.Faults{p.Joined.Check(of)}
	k := of.Clusters
	for _, s := range []*mat.Dense{p.Scores, p.Posterior} {
		if r, c := s.Dims(); r != of.Documents || c != k {
			errs.Addf("the model has %d × %d scores of %d documents and %d classes", r, c, of.Documents, k)
		}
	}
	errs = append(errs, of.CheckLabels("labels", p.Labels, 0, k))
	if len(p.Prior) != k || p.Masses != nil && len(p.Masses) != k {
		errs.Addf("the model has %d priors and %d masses of %d classes", len(p.Prior), len(p.Masses), k)
	}
	switch p.Form {
	case Nie, Zhu:
	case Zhou:
		if len(p.Degrees) != of.Documents {
			errs.Addf("the model has %d degrees of %d documents", len(p.Degrees), of.Documents)
		}
		for _, d := range p.Degrees {
			if d < 0 {
				errs.Addf("the model has the degree %v", d)
				break
			}
		}
	default:
		errs.Addf("the model has the unknown form %q", words.Clip(string(p.Form), 40))
	}
	return invalid.Join(errs...)
}
