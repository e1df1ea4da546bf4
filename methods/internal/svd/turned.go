package svd

import (
	"encoding/binary"

	"github.com/eigenmap/eigenmap/internal/panel"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas/blas64"
)

// turned is the matrix with other parts: this rank has its share of the columns, of all rows, so
// that A·Aᵀ is the sum over the ranks of the products of their parts. With one rank it is m. Every
// rank sends and receives about as much as it has.
func (m *Matrix) turned() *Matrix {
	if !m.share.Divided() {
		return m
	}
	first, cols := m.columns.First(), m.columns.Own()
	t := &Matrix{Rows: m.Rows, Cols: cols, Scale: m.Scale, centre: m.centre, own: m.Rows}
	if m.a == nil {
		t.Scale = 1 // the parts are sent scaled and centred
		t.x = m.turnedDense()
		return t
	}
	t.a = m.turnedSparse(first)
	t.at = t.a.Transpose()
	return t
}

func (m *Matrix) turnedDense() blas64.General {
	parts := make([][]byte, m.share.Size())
	for r := range parts {
		lo, hi := m.columns.Bounds[r], m.columns.Bounds[r+1]
		block := m.part(0, m.own, lo, hi)
		part := make([]byte, 0, 8*m.own*(hi-lo))
		for i := range m.own {
			part = append(part, ranks.Bytes(block.Data[i*block.Stride:][:hi-lo])...)
		}
		parts[r] = part
	}
	x := panel.New(0, m.columns.Own())
	for _, part := range m.share.Exchange(parts) {
		x.Data = append(x.Data, ranks.Floats(part)...)
	}
	x.Rows = m.Rows
	return x
}

// turnedSparse has the columns from first on that are this rank's, counted from it.
func (m *Matrix) turnedSparse(first int) *sparse.CSR {
	parts := make([][]byte, m.share.Size())
	for i := range m.own {
		cols, vals := m.a.Row(i)
		at := 0
		for r := range parts {
			begin := at
			for at < len(cols) && int(cols[at]) < m.columns.Bounds[r+1] {
				at++
			}
			part := binary.LittleEndian.AppendUint32(parts[r], uint32(at-begin))
			for _, c := range cols[begin:at] {
				part = binary.LittleEndian.AppendUint32(part, uint32(c))
			}
			parts[r] = append(part, ranks.Bytes(vals[begin:at])...)
		}
	}
	x := &sparse.CSR{NumRows: m.Rows, NumCols: m.columns.Own(), RowPtr: make([]int, 1, m.Rows+1)}
	for _, part := range m.share.Exchange(parts) {
		for len(part) > 0 {
			entries := int(binary.LittleEndian.Uint32(part))
			for _, c := range ranks.Ints(part[4:][:4*entries]) {
				x.Col = append(x.Col, c-int32(first))
			}
			x.Val = append(x.Val, ranks.Floats(part[4+4*entries:][:8*entries])...)
			x.RowPtr = append(x.RowPtr, len(x.Col))
			part = part[4+12*entries:]
		}
	}
	return x
}
