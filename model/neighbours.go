package model

import (
	"context"
	"slices"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/le"
	"github.com/eigenmap/eigenmap/methods/nystrom"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Neighbours is what the methods of the neighbour graph keep: a new document is joined to the training documents as the graph joined
// these, and stands where the eigenvectors' equation puts it (package nystrom). A document that equals a training document is that document and has its
// coordinates, of several equal ones those of the lowest.
type Neighbours struct {
	X           mat.Matrix    // training rows
	Graph       graph.Options // how they were joined, with the width of the heat kernel
	Reach       []float64     // graph.Graph.Reach; nil in ε-graphs
	Coordinates *mat.Dense    // of the training documents, before rows were normalised
	Values      []float64     // eigenvalue of each coordinate, of each map
	// Isolated are the training documents without coordinates, ascending: an affinity to one of them places nobody.
	Isolated      []int
	NormalizeRows bool // coordinates are scaled to length 1
}

// newNeighbours keeps an embedding of the graph that graph.Build made. isolated are the documents without coordinates.
func newNeighbours(f Fitted, g *graph.Graph, coordinates, embedding *mat.Dense, values []float64, isolated []int) *Neighbours {
	ref := g.Reference(f.X, f.Graph)
	return &Neighbours{X: f.X, Graph: ref.Options, Reach: ref.Reach, Coordinates: coordinates, Values: values, Isolated: isolated,
		NormalizeRows: embedding != coordinates}
}

func (p *Neighbours) width() int { return len(p.Values) }

func (p *Neighbours) place(ctx context.Context, x mat.Matrix, obs progress.Observer) (*placement, error) {
	opt := p.Graph
	opt.MaxBytes = 0 // what this machine may take is not for the file to say
	at, err := graph.Attach(ctx, x, &graph.Reference{X: p.X, Options: opt, Reach: p.Reach}, obs)
	if err != nil {
		return nil, err
	}
	w := at.W
	if len(p.Isolated) > 0 {
		w = w.Filter(func(_, j int, _ float64) bool { _, none := slices.BinarySearch(p.Isolated, j); return !none })
	}
	y, err := nystrom.Extend(w, p.Coordinates, p.Values)
	if err != nil {
		return nil, err
	}
	out := &placement{embedding: y}
	for i, j := range at.Same {
		alone := w.RowPtr[i] == w.RowPtr[i+1]
		if j >= 0 {
			out.known++
			y.SetRow(i, p.Coordinates.RawRowView(j))
			_, alone = slices.BinarySearch(p.Isolated, j)
		}
		if alone {
			out.isolated = append(out.isolated, i)
		}
	}
	if p.NormalizeRows {
		out.embedding = le.NormalizedRows(y)
	}
	return out, nil
}

func (p *Neighbours) fields(f *fields) {
	f.rows("training", &p.X)
	f.setting("graph", &p.Graph)
	f.floats("reach", &p.Reach)
	f.dense("coordinates", &p.Coordinates)
	f.floats("eigenvalues", &p.Values)
	f.ints("isolated", &p.Isolated)
	f.setting("normalize_rows", &p.NormalizeRows)
}

func (p *Neighbours) check(m *Model) error {
	errs := []error{p.Graph.Validate()}
	bad := func(format string, args ...any) { errs = append(errs, invalid.Errorf(format, args...)) }
	if p.X == nil || p.Coordinates == nil {
		bad("the model lacks its training rows or their coordinates")
		return invalid.Join(errs...)
	}
	if n, cols := p.X.Dims(); n != m.Documents || cols != m.Rows.Columns {
		bad("the model has %d × %d training rows of %d documents and %d columns", n, cols, m.Documents, m.Rows.Columns)
	}
	if _, isSparse := p.X.(*sparse.CSR); isSparse != m.Rows.Sparse {
		bad("the model's training rows are not stored as it says")
	}
	if n, d := p.Coordinates.Dims(); n != m.Documents || d != len(p.Values) {
		bad("the model has %d × %d coordinates of %d documents and %d eigenvalues", n, d, m.Documents, len(p.Values))
	}
	if p.Graph.Epsilon == 0 && len(p.Reach) != m.Documents {
		bad("the model has %d distances of k-th neighbours for %d documents", len(p.Reach), m.Documents)
	}
	for i, j := range p.Isolated {
		if j < 0 || j >= m.Documents || i > 0 && j <= p.Isolated[i-1] {
			bad("the model's list of isolated documents is no ascending list of documents")
			break
		}
	}
	return invalid.Join(errs...)
}
