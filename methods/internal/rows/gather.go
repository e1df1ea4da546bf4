package rows

import (
	"encoding/binary"

	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Gather returns the listed rows of all ranks on every rank, in the order of ranks; own are this
// rank's row numbers in x, counted from its first. With one rank it is [Select]. Sparse rows stay
// sparse. All ranks call it; each receives 12 bytes per entry of a sparse row and 8 per value of a
// dense one.
func Gather(share *ranks.Share, x mat.Matrix, own []int) mat.Matrix {
	if !share.Divided() {
		return Select(x, own)
	}
	if kept, err := sparse.Kept(x); err == nil {
		x = kept
	}
	_, cols := x.Dims()
	if !sparse.Is(x) {
		var values []float64
		if len(own) > 0 { // a dense matrix has rows
			values = mat.DenseCopyOf(Select(x, own)).RawMatrix().Data
		}
		values = ranks.GatherFloats(share, values)
		return mat.NewDense(len(values)/cols, cols, values)
	}
	s := Select(x, own).(sparse.Rows)
	p := s.Pattern()
	var said []byte
	var values []float64
	for i := range p.NumRows {
		values = s.Values(i, values)
		said = binary.LittleEndian.AppendUint32(said, uint32(len(values)))
		for _, c := range p.Col[p.RowPtr[i]:p.RowPtr[i+1]] {
			said = binary.LittleEndian.AppendUint32(said, uint32(c))
		}
		said = append(said, ranks.Bytes(values)...)
	}
	all := &sparse.CSR{NumCols: cols, RowPtr: []int{0}}
	for _, part := range ranks.Gather(share, said) {
		for len(part) > 0 {
			n := int(binary.LittleEndian.Uint32(part))
			all.Col = append(all.Col, ranks.Ints(part[4:4+4*n])...)
			all.Val = append(all.Val, ranks.Floats(part[4+4*n:4+12*n])...)
			all.RowPtr = append(all.RowPtr, len(all.Col))
			part = part[4+12*n:]
		}
	}
	all.NumRows = len(all.RowPtr) - 1
	return all
}
