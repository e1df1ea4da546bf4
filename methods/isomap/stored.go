package isomap

import (
	"context"
	"errors"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/store"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// storedScaling is the head of the piece of a finished embedding. The coordinates of the nodes
// follow, row by row.
type storedScaling struct {
	Values    store.FloatBits `json:"values"`
	Residuals store.FloatBits `json:"residuals"`
	Variance  store.FloatBits `json:"residual_variance"`
	Landmarks []int           `json:"landmarks"`
	Stats     eigen.Stats     `json:"stats"`
}

// settled returns the coordinates of a connected graph. Where all distances were chosen, and are
// refused because the work before has taken from the memory, landmarks stand for them.
func (m *Model) settled(ctx context.Context, part *sparse.CSR) (*mat.Dense, error) {
	y, err := m.stored(ctx, part)
	if n := part.NumRows; errors.Is(err, memory.ErrLimit) && m.opt.Landmarks == 0 && m.opt.LandmarksOf(n) == n {
		if m.opt.most = 1; m.opt.LandmarksOf(n) < n {
			return m.stored(ctx, part)
		}
	}
	return y, err
}

// stored returns the coordinates that the store of the context has of a connected graph, or those
// that scale finds, which are added to it.
func (m *Model) stored(ctx context.Context, part *sparse.CSR) (*mat.Dense, error) {
	const kind = "isomap"
	n := part.NumRows
	l := m.opt.LandmarksOf(n)
	if l < n && m.opt.Landmarks == 0 {
		m.opt.Observer.Notef(Stage, "All distances of %d points would take %.1f GiB: %d landmarks stand for them.", n, 8*float64(n)*float64(n)/(1<<30), l)
	}
	st := store.From(ctx)
	if st == nil {
		return m.scale(ctx, part, store.Key{})
	}
	opt := m.opt
	opt.Landmarks, opt.NormalizeRows, opt.Eigen.Start = l, false, nil
	h := store.NewHasher("isomap 1")
	h.Matrix(part)
	h.Value(opt)
	if m.opt.Eigen.Start != nil {
		h.Matrix(m.opt.Eigen.Start)
	}
	var y *mat.Dense
	found, err := st.Read(kind, h.Key(), func(d *store.Decoder) { y = m.restore(d, n, l) })
	if err != nil {
		return nil, err
	}
	if found {
		m.opt.Observer.Notef(Stage, "The embedding is the finished one in %s.", st.Dir)
		return y, nil
	}
	if y, err = m.scale(ctx, part, h.Key()); err != nil || y == nil {
		return y, err
	}
	v := storedScaling{m.Values, m.Residuals, m.ResidualVariance, m.Landmarks, m.Stats}
	return y, st.Write(kind, h.Key(), func(e *store.Encoder) {
		e.Value(v)
		for i := range n {
			e.Floats(y.RawRowView(i))
		}
	})
}

// restore reads the piece of n nodes and l landmarks.
func (m *Model) restore(d *store.Decoder, n, l int) *mat.Dense {
	var v storedScaling
	d.Value(&v)
	if !d.Failed() && (len(v.Landmarks) != l || len(v.Values) == 0 || len(v.Residuals) != len(v.Values)) {
		d.Fail("it is no embedding of these nodes")
	}
	y := mat.NewDense(n, m.opt.Dims, nil)
	for i := 0; i < n && !d.Failed(); i++ {
		d.Floats(y.RawRowView(i))
	}
	m.Values, m.Residuals, m.ResidualVariance, m.Landmarks, m.Stats = v.Values, v.Residuals, v.Variance, v.Landmarks, v.Stats
	return y
}
