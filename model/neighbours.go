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

// Joined is a neighbour graph as new documents are joined to it.
type Joined struct {
	X      mat.Matrix    // training rows
	Graph  graph.Options // how they were joined, with the width of the heat kernel
	Reach  []float64     // graph.Graph.Reach; nil in ε-graphs
	Scales []float64     // graph.Graph.Scales, of the local widths of the heat kernel; else nil
}

func newJoined(f Fitted, g *graph.Graph) Joined {
	ref := g.Reference(f.X, f.Graph)
	return Joined{X: f.X, Graph: ref.Options, Reach: ref.Reach, Scales: ref.Scales}
}

// attach joins new rows to the graph.
func (p *Joined) attach(ctx context.Context, x mat.Matrix, obs progress.Observer) (*graph.Attachment, error) {
	opt := p.Graph
	opt.MaxBytes = 0 // what this machine may take is not for the file to say
	return graph.Attach(ctx, x, &graph.Reference{X: p.X, Options: opt, Reach: p.Reach, Scales: p.Scales}, obs)
}

func (p *Joined) fields(f *fields) {
	f.rows("training", &p.X)
	f.setting("graph", &p.Graph)
	f.floats("reach", &p.Reach)
	f.floats("scales", &p.Scales)
}

func (p *Joined) check(m *Model) error {
	errs := []error{p.Graph.Validate(), checkTraining(p.X, m)}
	if p.Graph.Epsilon == 0 && len(p.Reach) != m.Documents {
		errs = append(errs, invalid.Errorf("the model has %d distances of k-th neighbours for %d documents", len(p.Reach), m.Documents))
	}
	if p.Scales != nil && len(p.Scales) != m.Documents || p.Scales == nil && p.Graph.Weight == graph.Heat && p.Graph.HeatRule == graph.LocalWidth {
		errs = append(errs, invalid.Errorf("the model has %d local widths for %d documents", len(p.Scales), m.Documents))
	}
	return invalid.Join(errs...)
}

// Neighbours is what the methods of the neighbour graph keep: a new document is joined to the training documents as the graph joined
// these, and stands where the eigenvectors' equation puts it (package nystrom). A document that equals a training document is that document and has its
// coordinates, of several equal ones those of the lowest.
type Neighbours struct {
	Joined
	Coordinates *mat.Dense // of the training documents, before rows were normalised
	Values      []float64  // eigenvalue of each coordinate, of each map
	// Isolated are the training documents without coordinates, ascending: an affinity to one of them places nobody.
	Isolated      []int
	NormalizeRows bool // coordinates are scaled to length 1
}

// newNeighbours keeps an embedding of the graph that graph.Build made. isolated are the documents without coordinates.
func newNeighbours(f Fitted, g *graph.Graph, coordinates, embedding *mat.Dense, values []float64, isolated []int) *Neighbours {
	return &Neighbours{Joined: newJoined(f, g), Coordinates: coordinates, Values: values, Isolated: isolated, NormalizeRows: embedding != coordinates}
}

func (p *Neighbours) width() int { return len(p.Values) }

func (p *Neighbours) place(ctx context.Context, x mat.Matrix, obs progress.Observer) (*placement, error) {
	at, err := p.attach(ctx, x, obs)
	if err != nil {
		return nil, err
	}
	return p.extend(at.W, at.Same)
}

// extend puts new rows of affinities w where the eigenvectors' equation does, but those that are training documents.
func (p *Neighbours) extend(w *sparse.CSR, same []int) (*placement, error) {
	if len(p.Isolated) > 0 {
		w = w.Filter(func(_, j int, _ float64) bool { _, none := slices.BinarySearch(p.Isolated, j); return !none })
	}
	y, err := nystrom.Extend(w, p.Coordinates, p.Values)
	if err != nil {
		return nil, err
	}
	out := &placement{embedding: y}
	for i, j := range same {
		switch {
		case j >= 0:
			out.known++
			y.SetRow(i, p.Coordinates.RawRowView(j))
		case w.RowPtr[i] == w.RowPtr[i+1]:
			out.isolated = append(out.isolated, i)
		}
	}
	if p.NormalizeRows {
		out.embedding = le.NormalizedRows(y)
	}
	return out, nil
}

func (p *Neighbours) fields(f *fields) {
	p.Joined.fields(f)
	f.dense("coordinates", &p.Coordinates)
	f.floats("eigenvalues", &p.Values)
	f.ints("isolated", &p.Isolated)
	f.setting("normalize_rows", &p.NormalizeRows)
}

func (p *Neighbours) check(m *Model) error {
	errs := []error{p.Joined.check(m)}
	bad := func(format string, args ...any) { errs = append(errs, invalid.Errorf(format, args...)) }
	if p.X == nil || p.Coordinates == nil {
		bad("the model lacks its training rows or their coordinates")
		return invalid.Join(errs...)
	}
	if n, d := p.Coordinates.Dims(); n != m.Documents || d != len(p.Values) {
		bad("the model has %d × %d coordinates of %d documents and %d eigenvalues", n, d, m.Documents, len(p.Values))
	}
	errs = append(errs, checkList("isolated documents", p.Isolated, m.Documents))
	return invalid.Join(errs...)
}

// checkList refuses a list that is not ascending or names no documents.
func checkList(what string, list []int, n int) error {
	for i, j := range list {
		if j < 0 || j >= n || i > 0 && j <= list[i-1] {
			return invalid.Errorf("the model's list of %s is no ascending list of documents", what)
		}
	}
	return nil
}

// checkTraining refuses training rows that are not those of the model.
func checkTraining(x mat.Matrix, m *Model) error {
	if x == nil {
		return invalid.Errorf("the model lacks its training rows")
	}
	var errs []error
	if n, cols := x.Dims(); n != m.Documents || cols != m.Rows.Columns {
		errs = append(errs, invalid.Errorf("the model has %d × %d training rows of %d documents and %d columns", n, cols, m.Documents, m.Rows.Columns))
	}
	if _, isSparse := x.(*sparse.CSR); isSparse != m.Rows.Sparse {
		errs = append(errs, invalid.Errorf("the model's training rows are not stored as it says"))
	}
	return invalid.Join(errs...)
}
