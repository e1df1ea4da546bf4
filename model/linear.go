package model

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/methods/lda"
	"github.com/eigenmap/eigenmap/methods/le"
	"github.com/eigenmap/eigenmap/methods/lpp"
	"github.com/eigenmap/eigenmap/methods/semildc"
	"github.com/eigenmap/eigenmap/methods/spca"
	"github.com/eigenmap/eigenmap/methods/spg"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Linear is what linear embeddings keep: new documents are multiplied by the projection, and moved.
type Linear struct {
	Projection    *mat.Dense // columns of the data × coordinates
	Offset        []float64  // added to each coordinate
	NormalizeRows bool       // coordinates are scaled to unit length then
}

func keepSPG(f Fitted) Part {
	m, ok := f.Model.(*spg.Model)
	if !ok {
		return nil
	}
	return &Linear{m.Projection.ToDense(), m.Intercepts, f.NormalizeRows}
}

func keepLPP(f Fitted) Part {
	m, ok := f.Model.(*lpp.Model)
	if !ok {
		return nil
	}
	return centred(m.Projection, m.Mean, f)
}

func keepLDA(f Fitted) Part {
	m, ok := f.Model.(*lda.Model)
	if !ok {
		return nil
	}
	return centred(m.Projection, m.Mean, f)
}

func keepSPCA(f Fitted) Part {
	m, ok := f.Model.(*spca.Model)
	if !ok {
		return nil
	}
	return centred(m.Loadings.ToDense(), m.Mean, f)
}

func keepSemiLDC(f Fitted) Part {
	m, ok := f.Model.(*semildc.Model)
	if !ok {
		return nil
	}
	p := centred(m.Projection, m.Mean, f)
	for j, v := range m.Offset {
		p.Offset[j] -= v
	}
	return p
}

// centred is (x − mean)·P; a nil mean is zero.
func centred(p *mat.Dense, mean []float64, f Fitted) *Linear {
	_, d := p.Dims()
	offset := make([]float64, d)
	for i, v := range mean {
		for j, w := range p.RawRowView(i) {
			offset[j] -= v * w
		}
	}
	return &Linear{p, offset, f.NormalizeRows}
}

func (p *Linear) width() int { return len(p.Offset) }

func (p *Linear) place(_ context.Context, x mat.Matrix, _ progress.Observer) (*placement, error) {
	n, _ := x.Dims()
	y := mat.NewDense(n, len(p.Offset), nil)
	if s, ok := x.(*sparse.CSR); ok {
		s.MulBlock(y.RawMatrix(), p.Projection.RawMatrix())
	} else {
		y.Mul(x, p.Projection)
	}
	for i := range n {
		row := y.RawRowView(i)
		for j, v := range p.Offset {
			row[j] += v
		}
	}
	if p.NormalizeRows {
		y = le.NormalizedRows(y)
	}
	return &placement{embedding: y, isolated: withoutEntries(x)}, nil
}

func (p *Linear) fields(f *fields) {
	f.dense("projection", &p.Projection)
	f.floats("offset", &p.Offset)
	f.setting("normalize_rows", &p.NormalizeRows)
}

func (p *Linear) check(m *Model) error {
	if p.Projection == nil {
		return invalid.Errorf("the model lacks its projection")
	}
	if rows, cols := p.Projection.Dims(); rows != m.Rows.Columns || cols != len(p.Offset) {
		return invalid.Errorf("the model has a %d × %d projection of %d columns to %d coordinates", rows, cols, m.Rows.Columns, len(p.Offset))
	}
	return nil
}
