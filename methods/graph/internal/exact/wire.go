package exact

import (
	"encoding/binary"
	"math"

	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Wire is the form in which rows go from rank to rank, all in double precision: 12 bytes per entry
// of a sparse row, 8 per value of a dense one.
type Wire struct {
	Cols  int
	dense bool
	// Number, if not nil, has -1 for terms that are left out; the values of the others are rounded to
	// float32: 8 bytes per entry.
	Number []int32
}

var le = binary.LittleEndian

// WireOf is the form of the rows of x, a *sparse.CSR or a *mat.Dense.
func WireOf(x mat.Matrix) Wire {
	_, dense := x.(*mat.Dense)
	_, cols := x.Dims()
	return Wire{Cols: cols, dense: dense}
}

// Put appends row i of x.
func (w Wire) Put(b []byte, x mat.Matrix, i int) []byte {
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
		if w.Number == nil {
			b = le.AppendUint64(le.AppendUint32(b, uint32(c)), math.Float64bits(vals[q]))
		} else if w.Number[c] >= 0 {
			b = le.AppendUint32(le.AppendUint32(b, uint32(c)), math.Float32bits(float32(vals[q])))
		} else {
			continue
		}
		count++
	}
	le.PutUint32(b[at:], uint32(count))
	return b
}

// size is the number of bytes of all rows of x; of those that are left out too.
func (w Wire) size(x mat.Matrix) int {
	n, _ := x.Dims()
	if w.dense {
		return 8 * w.Cols * n
	}
	return 4*n + w.entry()*x.(*sparse.CSR).NNZ()
}

// entry is the number of bytes of an entry of a sparse row.
func (w Wire) entry() int {
	if w.Number != nil {
		return 8
	}
	return 12
}

// Cut splits off the row that b begins with.
func (w Wire) Cut(b []byte) (row, rest []byte) {
	size := 8 * w.Cols
	if !w.dense {
		size = 4 + w.entry()*int(le.Uint32(b))
	}
	return b[:size:size], b[size:]
}

// Take splits a row off a message.
func (w Wire) Take(m *ranks.Message) (row []byte) {
	row, *m = w.Cut(*m)
	return row
}

// records splits n rows off b.
func (w Wire) records(b []byte, n int) [][]byte {
	list := make([][]byte, n)
	for i := range list {
		list[i], b = w.Cut(b)
	}
	return list
}

// Rows makes a matrix of rows that were put.
func (w Wire) Rows(records [][]byte) mat.Matrix {
	if w.dense {
		if len(records) == 0 {
			return &mat.Dense{}
		}
		x := mat.NewDense(max(1, len(records)), max(1, w.Cols), nil)
		for i, b := range records {
			row := x.RawRowView(i)
			for j := range w.Cols {
				row[j] = math.Float64frombits(le.Uint64(b[8*j:]))
			}
		}
		return x
	}
	x := &sparse.CSR{NumRows: len(records), NumCols: w.Cols, RowPtr: make([]int, len(records)+1)}
	for i, b := range records {
		x.RowPtr[i+1] = x.RowPtr[i] + int(le.Uint32(b))
	}
	x.Col, x.Val = make([]int32, 0, x.RowPtr[len(records)]), make([]float64, 0, x.RowPtr[len(records)])
	for _, b := range records {
		for b = b[4:]; len(b) > 0; b = b[w.entry():] {
			x.Col = append(x.Col, int32(le.Uint32(b)))
			if w.Number == nil {
				x.Val = append(x.Val, math.Float64frombits(le.Uint64(b[4:])))
			} else {
				x.Val = append(x.Val, float64(math.Float32frombits(le.Uint32(b[4:]))))
			}
		}
	}
	return x
}

// GatherRows are the rows of all ranks, on every rank, in their order: 12 bytes per entry.
func GatherRows(share *ranks.Share, own *sparse.CSR) *sparse.CSR {
	var said []byte
	w := WireOf(own)
	for i := range own.NumRows {
		said = w.Put(said, own, i)
	}
	var records [][]byte
	for _, part := range ranks.Gather(share, said) {
		for m := ranks.Message(part); len(m) > 0; {
			records = append(records, w.Take(&m))
		}
	}
	return w.Rows(records).(*sparse.CSR)
}
