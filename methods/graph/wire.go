package graph

import (
	"encoding/binary"
	"math"

	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// wire is the form in which rows go from rank to rank, all in double precision: 12 bytes per entry
// of a sparse row, 8 per value of a dense one.
type wire struct {
	cols  int
	dense bool
	// number, if not nil, has -1 for terms that are left out; the values of the others are rounded to
	// float32: 8 bytes per entry.
	number []int32
}

// put appends row i of x.
func (w wire) put(b []byte, x mat.Matrix, i int) []byte {
	le := binary.LittleEndian
	if w.dense {
		for _, v := range x.(*mat.Dense).RawRowView(i) {
			b = le.AppendUint64(b, math.Float64bits(v))
		}
		return b
	}
	cols, vals := x.(*sparse.CSR).Row(i)
	at := len(b)
	b = le.AppendUint32(b, 0)
	count := 0
	for q, c := range cols {
		if w.number == nil {
			b = le.AppendUint64(le.AppendUint32(b, uint32(c)), math.Float64bits(vals[q]))
		} else if w.number[c] >= 0 {
			b = le.AppendUint32(le.AppendUint32(b, uint32(c)), math.Float32bits(float32(vals[q])))
		} else {
			continue
		}
		count++
	}
	le.PutUint32(b[at:], uint32(count))
	return b
}

// entry is the number of bytes of an entry of a sparse row.
func (w wire) entry() int {
	if w.number != nil {
		return 8
	}
	return 12
}

// cut splits off the row that b begins with.
func (w wire) cut(b []byte) (row, rest []byte) {
	size := 8 * w.cols
	if !w.dense {
		size = 4 + w.entry()*int(binary.LittleEndian.Uint32(b))
	}
	return b[:size:size], b[size:]
}

// rows makes a matrix of rows that were put.
func (w wire) rows(records [][]byte) mat.Matrix {
	le := binary.LittleEndian
	if w.dense {
		x := mat.NewDense(max(1, len(records)), max(1, w.cols), nil)
		for i, b := range records {
			row := x.RawRowView(i)
			for j := range w.cols {
				row[j] = math.Float64frombits(le.Uint64(b[8*j:]))
			}
		}
		return x
	}
	x := &sparse.CSR{NumRows: len(records), NumCols: w.cols, RowPtr: make([]int, len(records)+1)}
	for i, b := range records {
		x.RowPtr[i+1] = x.RowPtr[i] + int(le.Uint32(b))
	}
	x.Col, x.Val = make([]int32, 0, x.RowPtr[len(records)]), make([]float64, 0, x.RowPtr[len(records)])
	for _, b := range records {
		for b = b[4:]; len(b) > 0; b = b[w.entry():] {
			x.Col = append(x.Col, int32(le.Uint32(b)))
			if w.number == nil {
				x.Val = append(x.Val, math.Float64frombits(le.Uint64(b[4:])))
			} else {
				x.Val = append(x.Val, float64(math.Float32frombits(le.Uint32(b[4:]))))
			}
		}
	}
	return x
}
