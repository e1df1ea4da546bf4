package nystrom

import (
	"context"
	"slices"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/model"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Joined is a neighbour graph that new rows are joined to, as part of a model's file.
type Joined struct {
	X      mat.Matrix    // training rows
	Graph  graph.Options // how they were joined, with the width of the heat kernel
	Reach  []float64     // graph.Graph.Reach; nil in ε-graphs
	Scales []float64     // graph.Graph.Scales, of the local widths of the heat kernel; else nil
}

// NewJoined keeps the graph g that graph.Build made of x under opt.
func NewJoined(x mat.Matrix, g *graph.Graph, opt graph.Options) Joined {
	if stored, err := sparse.Kept(x); err == nil { // else the graph could not have been built
		x = stored
	}
	ref := g.Reference(x, opt)
	return Joined{X: x, Graph: ref.Options, Reach: ref.Reach, Scales: ref.Scales}
}

// Attach joins new rows to the graph.
func (p *Joined) Attach(ctx context.Context, x mat.Matrix, obs progress.Observer) (*graph.Attachment, error) {
	return graph.Attach(ctx, x, &graph.Reference{X: p.X, Options: p.Graph, Reach: p.Reach, Scales: p.Scales}, obs)
}

// Gathered is the graph of the rows of all ranks on rank 0. All ranks call it.
func (p *Joined) Gathered(g *method.Gathering) Joined {
	return Joined{X: g.Rows(p.X), Graph: p.Graph, Reach: g.Floats(p.Reach), Scales: g.Floats(p.Scales)}
}

// Fields implements model.Part.
func (p *Joined) Fields(f *model.Fields) {
	f.OfDocuments("training", "reach", "scales")
	f.Rows("training", &p.X)
	f.Setting("graph", &p.Graph)
	f.Floats("reach", &p.Reach)
	f.Floats("scales", &p.Scales)
}

// Check implements model.Part.
func (p *Joined) Check(of model.Frame) error {
	errs := []error{p.Graph.Validate(), of.CheckTraining(p.X)}
	if p.Graph.Epsilon == 0 && len(p.Reach) != of.Documents {
		errs = append(errs, invalid.Errorf("the model has %d distances of k-th neighbours for %d documents", len(p.Reach), of.Documents))
	}
	if p.Scales != nil && len(p.Scales) != of.Documents || p.Scales == nil && p.Graph.Weight == graph.Heat && p.Graph.HeatRule == graph.LocalWidth {
		errs = append(errs, invalid.Errorf("the model has %d local widths for %d documents", len(p.Scales), of.Documents))
	}
	return invalid.Join(errs...)
}

// Extension places new rows in an embedding by eigenvectors of a neighbour graph: they are joined
// to the training rows as the graph joined these, and the eigenvectors' equation gives their
// coordinates ([Extend]). A row that equals a training row gets that row's coordinates; if several
// are equal, the lowest one's; it is isolated if that row is.
type Extension struct {
	Joined
	Complete    *Complete  // of a complete graph, in place of Joined; else nil
	Coordinates *mat.Dense // of the training rows, before rows were normalised
	Values      []float64  // eigenvalue of each coordinate
	// Isolated are the training rows without coordinates, ascending: an affinity to one of them places
	// nothing.
	Isolated      []int
	NormalizeRows bool // coordinates are scaled to length 1
	// Landmarks are the documents that the training rows are, ascending; nil: all documents of the
	// model.
	Landmarks []int
}

var _ method.Gatherer = (*Extension)(nil)

// Join keeps the graph g of the rows x, a neighbour graph under opt or a complete one. It needs the
// coordinates and the isolated rows.
func (p *Extension) Join(x mat.Matrix, g *graph.Graph, opt graph.Options) {
	if g.IsComplete() {
		p.Complete = newComplete(x, g, p.Coordinates, p.Isolated)
		return
	}
	p.Joined = NewJoined(x, g, opt)
}

// Partial implements method.Gatherer.
func (p *Extension) Partial() bool { return p.Landmarks == nil }

// Gather implements method.Gatherer.
func (p *Extension) Gather(g *method.Gathering) method.Placer {
	here, _ := p.Coordinates.Dims()
	all := &Extension{Values: p.Values, NormalizeRows: p.NormalizeRows, Coordinates: g.Dense(p.Coordinates), Isolated: g.Numbers(p.Isolated, here)}
	if p.Complete != nil {
		all.Complete = p.Complete.gathered(g)
	} else {
		all.Joined = p.Gathered(g)
	}
	if g.Nothing() {
		return nil
	}
	return all
}

// Width implements model.Part.
func (p *Extension) Width() int { return len(p.Values) }

// Place implements method.Placer.
func (p *Extension) Place(ctx context.Context, x mat.Matrix, obs progress.Observer) (*method.Placement, error) {
	if p.Complete != nil {
		return p.placeComplete(ctx, x)
	}
	at, err := p.Attach(ctx, x, obs)
	if err != nil {
		return nil, err
	}
	return p.PlaceBy(at)
}

// PlaceBy places rows that are joined to the training rows.
func (p *Extension) PlaceBy(at *graph.Attachment) (*method.Placement, error) {
	w := at.W
	if len(p.Isolated) > 0 {
		w = w.Filter(func(_, j int, _ float64) bool { _, none := slices.BinarySearch(p.Isolated, j); return !none })
	}
	y, err := Extend(w, p.Coordinates, p.Values)
	if err != nil {
		return nil, err
	}
	return p.placement(y, at.Same, func(i int) bool { return w.RowPtr[i] == w.RowPtr[i+1] || at.Alone(i) }), nil
}

// placeComplete places rows by their affinities to all training rows.
func (p *Extension) placeComplete(ctx context.Context, x mat.Matrix) (*method.Placement, error) {
	y, degrees, same, err := p.Complete.sums(ctx, x)
	if err != nil {
		return nil, err
	}
	if err := checkValues(p.Values); err != nil {
		return nil, err
	}
	if err := divide(y.RawMatrix(), degrees, p.Values); err != nil {
		return nil, err
	}
	return p.placement(y, same, func(i int) bool { return degrees[i] == 0 }), nil
}

// placement is where rows are that the equation puts at y. alone says that a row has no affinity.
func (p *Extension) placement(y *mat.Dense, same []int, alone func(i int) bool) *method.Placement {
	out := &method.Placement{}
	for i, j := range same {
		none := alone(i)
		if j >= 0 {
			_, outside := slices.BinarySearch(p.Isolated, j)
			none = none || outside
			y.SetRow(i, p.Coordinates.RawRowView(j))
		}
		switch {
		case none:
			out.Isolated = append(out.Isolated, i)
		case j >= 0:
			out.Known = append(out.Known, i)
		}
	}
	out.Embedding = rows.MaybeNormalized(y, p.NormalizeRows)
	return out
}

// Fields implements model.Part.
func (p *Extension) Fields(f *model.Fields) {
	if f.Has("term_sums") {
		p.Complete = new(Complete)
	}
	if p.Complete != nil {
		p.Complete.Fields(f)
	} else {
		p.Joined.Fields(f)
	}
	f.OfDocuments("coordinates", "isolated")
	f.Dense("coordinates", &p.Coordinates)
	f.Floats("eigenvalues", &p.Values)
	f.Ints("isolated", &p.Isolated)
	f.Setting("normalize_rows", &p.NormalizeRows)
	f.Ints("landmarks", &p.Landmarks)
}

// Check implements model.Part.
func (p *Extension) Check(of model.Frame) error {
	var errs invalid.Faults
	if p.Landmarks != nil {
		errs = append(errs, of.CheckList("landmarks", p.Landmarks))
		of.Documents = len(p.Landmarks)
	}
	if p.Complete != nil {
		errs = append(errs, p.Complete.check(of, len(p.Values)))
	} else {
		errs = append(errs, p.Joined.Check(of))
	}
	if p.X == nil && p.Complete == nil || p.Coordinates == nil {
		errs.Addf("the model lacks its training rows or their coordinates")
		return invalid.Join(errs...)
	}
	if n, d := p.Coordinates.Dims(); n != of.Documents || d != len(p.Values) {
		errs.Addf("the model has %d × %d coordinates of %d documents and %d eigenvalues", n, d, of.Documents, len(p.Values))
	}
	errs = append(errs, of.CheckList("isolated documents", p.Isolated))
	return invalid.Join(errs...)
}
