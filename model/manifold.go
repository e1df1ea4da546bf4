package model

import (
	"context"
	"slices"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/methods/geodesic"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/isomap"
	"github.com/eigenmap/eigenmap/methods/le"
	"github.com/eigenmap/eigenmap/methods/lle"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Paths is what Isomap keeps: a new document is joined to the training documents as the graph joined these, and its squared distances δ along the graph to the landmarks
// put it at Pᵀδ + offset, the landmarks' own rule (package isomap). A document that equals a training document has that one's coordinates.
type Paths struct {
	X             mat.Matrix
	Graph         graph.Options
	Reach         []float64   // graph.Graph.Reach; nil in ε-graphs
	Lengths       *sparse.CSR // of the edges, links between the graph's parts included
	Landmarks     []int
	Projection    *mat.Dense // landmarks × coordinates
	Offset        []float64
	Coordinates   *mat.Dense // of the training documents, before rows were normalised
	Outside       []int      // training documents without coordinates, ascending
	NormalizeRows bool
}

func keepPaths(f Fitted) Part {
	m, ok := f.Model.(*isomap.Model)
	if !ok || f.X == nil || f.Lengths == nil || f.Neighbours == nil {
		return nil
	}
	ref := f.Neighbours.Reference(f.X, f.Graph)
	l, d := len(m.Landmarks), len(m.Values)
	p := &Paths{X: f.X, Graph: ref.Options, Reach: ref.Reach, Lengths: f.Lengths, Landmarks: m.Landmarks, Projection: mat.NewDense(l, d, nil), Offset: make([]float64, d),
		Coordinates: m.Embedding, Outside: m.Outside, NormalizeRows: f.NormalizeRows}
	// A landmark's coordinate is √λ·v, and the rule's factor −½·v/√λ.
	for k, i := range m.Landmarks {
		for a, y := range m.Embedding.RawRowView(i)[:d] {
			if y != 0 {
				p.Projection.Set(k, a, -0.5*y/m.Values[a])
			}
		}
	}
	// The rule gives a landmark its own place, which tells the offset.
	own := make([]float64, d)
	first := m.Landmarks[0]
	if _, err := p.measure(context.Background(), geodesic.NewSearch(p.Lengths), p.places(), []int32{int32(first)}, []float64{0}, own); err != nil {
		return nil
	}
	for a, y := range m.Embedding.RawRowView(first)[:d] {
		p.Offset[a] = y - own[a]
	}
	return p
}

func (p *Paths) width() int { return len(p.Offset) }

// places is by training document its place among the landmarks, or -1.
func (p *Paths) places() []int32 {
	n, _ := p.X.Dims()
	at := make([]int32, n)
	for i := range at {
		at[i] = -1
	}
	for k, i := range p.Landmarks {
		at[i] = int32(k)
	}
	return at
}

// measure adds to y the projection of the squared distances from a point, which has an edge of length from[e] to the document seeds[e], to all landmarks; false where some cannot be reached.
func (p *Paths) measure(ctx context.Context, s *geodesic.Search, at, seeds []int32, from, y []float64) (bool, error) {
	left := len(p.Landmarks)
	err := s.Run(ctx, seeds, from, func(v int32, d float64) bool {
		if k := at[v]; k >= 0 {
			left--
			for a, w := range p.Projection.RawRowView(int(k)) {
				y[a] += w * d * d
			}
		}
		return left > 0
	})
	return left == 0, err
}

func (p *Paths) place(ctx context.Context, x mat.Matrix, obs progress.Observer) (*placement, error) {
	opt := p.Graph
	opt.MaxBytes = 0 // what this machine may take is not for the file to say
	joined, err := graph.Attach(ctx, x, &graph.Reference{X: p.X, Options: opt, Reach: p.Reach}, obs)
	if err != nil {
		return nil, err
	}
	lengths, err := geodesic.CrossLengths(ctx, x, p.X, joined.W)
	if err != nil {
		return nil, err
	}
	if len(joined.Isolated) > 0 { // rows without entries have no place in the graph, but one where its parts were joined
		if joined.Same, err = equals(ctx, x, p.X, obs); err != nil {
			return nil, err
		}
	}
	at, lost := p.places(), make([]bool, len(joined.Same))
	out := &placement{embedding: new(mat.Dense)}
	if len(lost) == 0 {
		return out, nil
	}
	y := mat.NewDense(len(lost), len(p.Offset), nil)
	searches := make([]*geodesic.Search, parallel.Workers(len(lost), 1))
	err = parallel.For(ctx, len(lost), 1, func(w, i, _ int) error {
		row := y.RawRowView(i)
		if j := joined.Same[i]; j >= 0 {
			copy(row, p.Coordinates.RawRowView(j))
			_, lost[i] = slices.BinarySearch(p.Outside, j)
			return nil
		}
		if searches[w] == nil {
			searches[w] = geodesic.NewSearch(p.Lengths)
		}
		seeds, from := lengths.Row(i)
		copy(row, p.Offset)
		reached, err := p.measure(ctx, searches[w], at, seeds, from, row)
		if lost[i] = !reached; lost[i] {
			clear(row)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return finish(out, x, y, lost, joined.Same, p.NormalizeRows), nil
}

// finish completes a placement of rows x at y, some of which are at the origin for want of a place, and some those of training documents.
func finish(out *placement, x mat.Matrix, y *mat.Dense, lost []bool, same []int, normalize bool) *placement {
	empty := withoutEntries(x)
	for i, l := range lost {
		_, none := slices.BinarySearch(empty, i)
		switch {
		case same[i] >= 0 && !none:
			out.known++
		case l || none:
			out.isolated = append(out.isolated, i)
		}
	}
	if out.embedding = y; normalize {
		out.embedding = le.NormalizedRows(y)
	}
	return out
}

func (p *Paths) fields(f *fields) {
	f.rows("training", &p.X)
	f.setting("graph", &p.Graph)
	f.floats("reach", &p.Reach)
	var lengths mat.Matrix
	if f.write {
		lengths = p.Lengths
	}
	f.rows("lengths", &lengths)
	p.Lengths, _ = lengths.(*sparse.CSR)
	f.ints("landmarks", &p.Landmarks)
	f.dense("projection", &p.Projection)
	f.floats("offset", &p.Offset)
	f.dense("coordinates", &p.Coordinates)
	f.ints("outside", &p.Outside)
	f.setting("normalize_rows", &p.NormalizeRows)
}

func (p *Paths) check(m *Model) error {
	errs := []error{checkTraining(p.X, m), p.Graph.Validate(), checkCoordinates(p.Coordinates, m, len(p.Offset)), checkList("documents outside", p.Outside, m.Documents)}
	bad := func(format string, args ...any) { errs = append(errs, invalid.Errorf(format, args...)) }
	if p.Graph.Epsilon == 0 && len(p.Reach) != m.Documents {
		bad("the model has %d distances of k-th neighbours for %d documents", len(p.Reach), m.Documents)
	}
	if p.Lengths == nil || p.Projection == nil {
		bad("the model lacks the lengths of its edges, or its projection")
		return invalid.Join(errs...)
	}
	if p.Lengths.NumRows != m.Documents {
		bad("the model has lengths between %d documents where it was made from %d", p.Lengths.NumRows, m.Documents)
	}
	errs = append(errs, geodesic.Check(p.Lengths))
	if r, c := p.Projection.Dims(); r != len(p.Landmarks) || c != len(p.Offset) {
		bad("the model has a %d × %d projection of %d landmarks to %d coordinates", r, c, len(p.Landmarks), len(p.Offset))
	}
	errs = append(errs, checkList("landmarks", slices.Sorted(slices.Values(p.Landmarks)), m.Documents))
	return invalid.Join(errs...)
}

func checkCoordinates(y *mat.Dense, m *Model, width int) error {
	if y == nil {
		return invalid.Errorf("the model lacks the coordinates of its documents")
	}
	if n, d := y.Dims(); n != m.Documents || width >= 0 && d != width {
		return invalid.Errorf("the model has %d × %d coordinates of %d documents", n, d, m.Documents)
	}
	return nil
}

// Pieces is what locally linear embedding keeps: a new document is put together from its nearest training documents, and stands where the same weights put it among
// their coordinates (package lle). A document that equals a training document has that one's coordinates.
type Pieces struct {
	X              mat.Matrix
	Coordinates    *mat.Dense // of the training documents, before rows were normalised
	Outside        []int      // training documents without coordinates, ascending: nobody's neighbours
	Neighbors      int
	Regularization float64
	NormalizeRows  bool
}

func keepPieces(f Fitted) Part {
	m, ok := f.Model.(*lle.Model)
	if !ok || f.X == nil {
		return nil
	}
	return &Pieces{X: f.X, Coordinates: m.Embedding, Outside: m.Outside, Neighbors: f.Graph.Neighbors, Regularization: f.Regularization, NormalizeRows: f.NormalizeRows}
}

func (p *Pieces) width() int {
	if p.Coordinates == nil {
		return 0
	}
	_, d := p.Coordinates.Dims()
	return d
}

func (p *Pieces) place(ctx context.Context, x mat.Matrix, obs progress.Observer) (*placement, error) {
	n, _ := x.Dims()
	out := &placement{embedding: new(mat.Dense)}
	if n == 0 {
		return out, nil
	}
	same, err := equals(ctx, x, p.X, obs)
	if err != nil {
		return nil, err
	}
	from, of := p.inside()
	near, err := graph.NearestAmong(ctx, x, from, min(p.Neighbors, len(of)), obs)
	if err != nil {
		return nil, err
	}
	w, err := lle.Weights(ctx, x, from, near, p.Regularization)
	if err != nil {
		return nil, err
	}
	y, lost := mat.NewDense(n, p.width(), nil), make([]bool, n)
	for i, j := range same {
		row := y.RawRowView(i)
		if j >= 0 {
			copy(row, p.Coordinates.RawRowView(j))
			_, lost[i] = slices.BinarySearch(p.Outside, j)
			continue
		}
		if s, ok := x.(*sparse.CSR); ok && s.RowPtr[i] == s.RowPtr[i+1] { // nobody's neighbour
			lost[i] = true
			continue
		}
		cols, vals := w.Row(i)
		for c, j := range cols {
			for a, v := range p.Coordinates.RawRowView(of[j]) {
				row[a] += vals[c] * v
			}
		}
	}
	return finish(out, x, y, lost, same, p.NormalizeRows), nil
}

// inside are the training rows that have coordinates, and which documents these are.
func (p *Pieces) inside() (x mat.Matrix, of []int) {
	n, cols := p.X.Dims()
	for i := range n {
		if _, out := slices.BinarySearch(p.Outside, i); !out {
			of = append(of, i)
		}
	}
	if len(of) == n {
		return p.X, of
	}
	if s, ok := p.X.(*sparse.CSR); ok {
		return s.SelectRows(of), of
	}
	d := mat.NewDense(len(of), cols, nil)
	for r, i := range of {
		mat.Row(d.RawRowView(r), i, p.X)
	}
	return d, of
}

func (p *Pieces) fields(f *fields) {
	f.rows("training", &p.X)
	f.dense("coordinates", &p.Coordinates)
	f.ints("outside", &p.Outside)
	f.setting("neighbors", &p.Neighbors)
	f.setting("regularization", &p.Regularization)
	f.setting("normalize_rows", &p.NormalizeRows)
}

func (p *Pieces) check(m *Model) error {
	errs := []error{checkTraining(p.X, m), checkCoordinates(p.Coordinates, m, -1), checkList("documents outside", p.Outside, m.Documents)}
	if p.Neighbors < 1 || !(p.Regularization > 0) || !finite(p.Regularization) {
		errs = append(errs, invalid.Errorf("the model puts documents together from %d neighbours with a regularization of %v", p.Neighbors, p.Regularization))
	}
	if len(p.Outside) >= m.Documents {
		errs = append(errs, invalid.Errorf("the model has no document inside"))
	}
	return invalid.Join(errs...)
}
