package isomap

import (
	"context"
	"slices"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/methods/geodesic"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/internal/manifold"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/nystrom"
	"github.com/eigenmap/eigenmap/model"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Paths places new rows: a row is joined to the training rows as the graph joined these, and its
// squared distances δ along the graph to the landmarks give its coordinates Pᵀδ + offset, the
// rule of the landmarks themselves. A row that equals a training row gets that row's coordinates;
// if several are equal, the lowest one's.
type Paths struct {
	nystrom.Joined
	Lengths       *sparse.CSR // of the edges, links between the graph's parts included
	Landmarks     []int
	Projection    *mat.Dense // P: landmarks × coordinates
	Offset        []float64
	Coordinates   *mat.Dense // of the training rows, before rows were normalised
	Outside       []int      // training rows without coordinates, ascending
	NormalizeRows bool       // coordinates are scaled to length 1
}

var _ method.Placer = (*Paths)(nil)

// newPaths makes the rule of the model. It costs one search of the graph.
func newPaths(ctx context.Context, m *Model, joined nystrom.Joined, lengths *sparse.CSR) (*Paths, error) {
	l, d := len(m.Landmarks), m.opt.Dims
	p := &Paths{Joined: joined, Lengths: lengths, Landmarks: m.Landmarks, Projection: mat.NewDense(l, d, nil), Offset: make([]float64, d),
		Coordinates: m.Coordinates, Outside: m.Outside, NormalizeRows: m.opt.NormalizeRows}
	// A landmark's coordinate is √λ·v, and the rule's factor −½·v/√λ.
	for k, i := range m.Landmarks {
		for a, y := range m.Coordinates.RawRowView(i) {
			if y != 0 {
				p.Projection.Set(k, a, -0.5*y/m.Values[a])
			}
		}
	}
	// The rule puts a landmark where it is, which determines the offset.
	own := make([]float64, d)
	first := m.Landmarks[0]
	if _, err := p.measure(ctx, geodesic.NewSearch(p.Lengths), p.places(), []int32{int32(first)}, []float64{0}, own); err != nil {
		return nil, err
	}
	for a, y := range m.Coordinates.RawRowView(first) {
		p.Offset[a] = y - own[a]
	}
	return p, nil
}

// Width implements model.Part.
func (p *Paths) Width() int { return len(p.Offset) }

// places holds for each training row its number among the landmarks, -1 if it is none.
func (p *Paths) places() []int32 {
	at := slices.Repeat([]int32{-1}, p.Lengths.NumRows)
	for k, i := range p.Landmarks {
		at[i] = int32(k)
	}
	return at
}

// measure adds to y the projection of the squared distances to all landmarks from a point that
// has an edge of length from[e] to each training row seeds[e]. It returns false if a landmark
// cannot be reached.
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

// Place implements method.Placer. Rows from which no path leads to the landmarks are put at the
// origin and listed.
//
// It costs graph.Attach and one search of the graph per row, and keeps nothing of size n². Errors:
// shapes and values that do not fit, and the context's.
func (p *Paths) Place(ctx context.Context, x mat.Matrix, obs progress.Observer) (*method.Placement, error) {
	joined, err := p.Attach(ctx, x, obs)
	if err != nil {
		return nil, err
	}
	lengths, err := geodesic.CrossLengths(ctx, x, p.X, joined.W)
	if err != nil {
		return nil, err
	}
	if len(joined.Isolated) > 0 {
		// Rows without entries have no edges, but coordinates if the graph's parts were joined.
		if joined.Same, err = graph.Same(ctx, x, p.X, obs); err != nil {
			return nil, err
		}
	}
	return p.placeBy(ctx, x, lengths, joined.Same, joined.Alone)
}

// placeBy places rows x whose edges to the training rows have the given lengths. same is the
// training row that each one equals, -1 for none; alone says that a row has no edge but to that
// one.
func (p *Paths) placeBy(ctx context.Context, x mat.Matrix, lengths *sparse.CSR, same []int, alone func(i int) bool) (*method.Placement, error) {
	n := len(same)
	if n == 0 {
		return &method.Placement{Embedding: new(mat.Dense)}, nil
	}
	at, lost := p.places(), make([]bool, n)
	y := mat.NewDense(n, len(p.Offset), nil)
	searches := make([]*geodesic.Search, parallel.Workers(n, 1))
	err := parallel.For(ctx, n, 1, func(w, i, _ int) error {
		row := y.RawRowView(i)
		if j := same[i]; j >= 0 {
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
	return manifold.Placed(x, y, lost, same, alone, p.NormalizeRows), nil
}

// Transform places new points, the rows of x, by the model's [Paths], and lists those from which no
// path leads to what was embedded. A model without points (FitLengths, FitDistances) places none.
func (m *Model) Transform(ctx context.Context, x mat.Matrix) (y *mat.Dense, outside []int, err error) {
	if m.paths == nil {
		return nil, nil, invalid.Errorf("this model was fitted without points, so new ones cannot be placed: fit it to the points")
	}
	at, err := m.paths.Place(ctx, x, m.opt.Observer)
	if err != nil {
		return nil, nil, err
	}
	return at.Embedding, at.Isolated, nil
}

// Fields implements model.Part.
func (p *Paths) Fields(f *model.Fields) {
	p.Joined.Fields(f)
	f.CSR("lengths", &p.Lengths)
	f.Ints("landmarks", &p.Landmarks)
	f.Dense("projection", &p.Projection)
	f.Floats("offset", &p.Offset)
	f.Dense("coordinates", &p.Coordinates)
	f.Ints("outside", &p.Outside)
	f.Setting("normalize_rows", &p.NormalizeRows)
}

// Check implements model.Part.
func (p *Paths) Check(of model.Frame) error {
	errs := invalid.Faults{p.Joined.Check(of), of.CheckCoordinates(p.Coordinates, len(p.Offset)), of.CheckList("documents outside", p.Outside)}
	if p.Lengths == nil || p.Projection == nil {
		errs.Addf("the model lacks the lengths of its edges, or its projection")
		return invalid.Join(errs...)
	}
	if p.Lengths.NumRows != of.Documents {
		errs.Addf("the model has lengths between %d documents where it was made from %d", p.Lengths.NumRows, of.Documents)
	}
	errs = append(errs, geodesic.Check(p.Lengths))
	if r, c := p.Projection.Dims(); r != len(p.Landmarks) || c != len(p.Offset) {
		errs.Addf("the model has a %d × %d projection of %d landmarks to %d coordinates", r, c, len(p.Landmarks), len(p.Offset))
	}
	errs = append(errs, of.CheckList("landmarks", slices.Sorted(slices.Values(p.Landmarks))))
	return invalid.Join(errs...)
}
