package outofcore

import (
	"encoding/binary"
	"io"
	"math"

	"github.com/eigenmap/eigenmap/internal/npy"
)

// Rows writes a matrix as NumPy's .npy, float64, row by row, when the number of rows is known
// beforehand.
type Rows struct {
	w       io.Writer
	columns int
	left    int
	buf     []byte
}

// NewRows writes the header of rows × columns in version 1, padded as NumPy does.
func NewRows(w io.Writer, rows, columns int) (*Rows, error) {
	_, err := w.Write(npy.Header(npy.Float64, rows, columns))
	return &Rows{w: w, columns: columns, left: rows}, err
}

// Write writes the next row. It panics at a row of another length, or beyond the last.
func (r *Rows) Write(row []float64) error {
	if len(row) != r.columns || r.left == 0 {
		panic("outofcore: the row does not fit the matrix")
	}
	r.left--
	r.buf = r.buf[:0]
	for _, v := range row {
		r.buf = binary.LittleEndian.AppendUint64(r.buf, math.Float64bits(v))
	}
	_, err := r.w.Write(r.buf)
	return err
}
