package labelprop

import (
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/methods/graph"
	"gonum.org/v1/gonum/mat"
)

// Predict gives new documents, attached to the graph of the model, the posteriors that a document without a label has among the given ones when
// nothing else changes (Delalleau, Bengio and Le Roux 2005): row i is α·D⁻¹w_i·F as shares, Zhou's form with √(d_j) of the neighbours in
// place of the new degree. So a document of the graph that is attached by its own row of W gets its own posterior. A new document that equals one of the graph
// (Attachment.Same) has that one's; one without affinities, or with unreached neighbours only, the prior. O(entries·classes).
//
// Errors (fs.ErrInvalid): an attachment to another number of documents.
func (m *Model) Predict(a *graph.Attachment) (posterior *mat.Dense, classes []int, err error) {
	if m.F == nil {
		return nil, nil, invalid.Errorf("the model is empty: fit it first")
	}
	n, k := m.F.Dims()
	if a.W.NumCols != n {
		return nil, nil, invalid.Errorf("the new documents are attached to a graph of %d documents, but the model has %d: attach them to the model's graph", a.W.NumCols, n)
	}
	if a.W.NumRows == 0 {
		return &mat.Dense{}, nil, nil
	}
	w := a.W
	if m.Options.Form == Zhou {
		w = w.ScaleCols(inverseRoots(m.Graph.Degrees))
	}
	posterior = mat.NewDense(w.NumRows, k, nil)
	known := m.F
	if len(m.Unreached) > 0 { // what their rows of F hold is below what is known of it
		known = mat.DenseCopyOf(m.F)
		for _, i := range m.Unreached {
			clear(known.RawRowView(i))
		}
	}
	w.MulBlock(posterior.RawMatrix(), known.RawMatrix())
	classes = make([]int, w.NumRows)
	for i := range classes {
		p := posterior.RawRowView(i)
		if i < len(a.Same) && a.Same[i] >= 0 {
			copy(p, m.Posterior.RawRowView(a.Same[i]))
			classes[i] = m.Labels[a.Same[i]]
			continue
		}
		sum := 0.0
		for j, v := range p {
			p[j] = max(0, v)
			sum += p[j]
		}
		if sum > 0 {
			share(p)
			m.scaleMasses(p)
		} else {
			copy(p, m.Prior)
		}
		classes[i] = largest(p)
	}
	return posterior, classes, nil
}
