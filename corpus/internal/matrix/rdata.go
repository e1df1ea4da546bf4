package matrix

import (
	"slices"

	"gonum.org/v1/gonum/mat"
)

// readRSaved makes a matrix of one that R saved.
func readRSaved(in *source) (*draft, error) {
	if in.opt.Saved == nil { // a table
		return readCSV(in)
	}
	m := in.opt.Saved
	d := &draft{what: "the matrix", rowNames: slices.Clone(m.RowNames), colNames: slices.Clone(m.ColNames)}
	entries := int64(len(m.Values))
	if err := in.checkShape(d.what, int64(m.Rows), int64(m.Cols), entries); err != nil {
		return nil, err
	}
	if !m.Sparse {
		d.x, d.flipped = mat.NewDense(m.Cols, m.Rows, m.Values), true
		return d, nil
	}
	t := &triplets{in: in, gaps: true}
	for k, v := range m.Values {
		if err := t.add(int32(m.Row[k]), int32(m.Col[k]), v); err != nil {
			return nil, err
		}
	}
	a := compressedArrays{what: d.what, repair: "write as(x, 'CsparseMatrix'), in which they are added up"}
	x, err := t.csr(m.Rows, m.Cols)
	d.x = x
	return d, a.explain(in, err, func(i, j int) (first, second int64) { return t.twice(int32(i), int32(j)) })
}
