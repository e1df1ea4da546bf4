package sparse_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// drawnCounts are counts in parts of two workers, one of them empty, and the same as a dense
// matrix.
func drawnCounts() (func() *sparse.Counts, *mat.Dense) {
	const rows, cols = 40, 300
	r := rand.New(rand.NewPCG(1, 2))
	want := mat.NewDense(rows, cols, nil)
	columns := [][]int32{make([]int32, 400), make([]int32, 400)}
	for _, c := range columns {
		for k, to := range r.Perm(400) {
			if c[k] = -1; to < cols {
				c[k] = int32(to)
			}
		}
	}
	sizes := []int{7, 0, 20, 13}
	parts := make([]sparse.CountsPart, len(sizes))
	at := 0
	for p, size := range sizes {
		part := sparse.CountsPart{Column: columns[p%2]}
		for range size {
			for _, k := range r.Perm(400)[:r.IntN(30)*min(1, at%5)] {
				count := []int32{1, 1, 2, 127, 128, 70_000, math.MaxInt32}[r.IntN(7)]
				part.Data = sparse.AppendCount(part.Data, int32(k), count)
				if j := part.Column[k]; j >= 0 {
					want.Set(at, int(j), float64(count))
				}
			}
			part.Ends = append(part.Ends, len(part.Data))
			at++
		}
		parts[p] = part
	}
	return func() *sparse.Counts { return sparse.NewCounts(cols, append([]sparse.CountsPart(nil), parts...)) }, want
}

// Counts are the matrix that was counted, whichever way they are read; empty rows and parts, and
// numbers that are left out, included.
func TestCounts(t *testing.T) {
	make, want := drawnCounts()
	c := make()
	csr := must.Get(sparse.FromMatrix(want))(t)
	if !mat.Equal(c, want) || c.NNZ() != csr.NNZ() || !mat.Equal(c.T(), want.T()) {
		t.Errorf("other entries, or %d of them in place of %d", c.NNZ(), csr.NNZ())
	}
	rows := []int{39, 0, 7, 6, 6, 26, 27}
	if !mat.Equal(c.Select(rows), csr.SelectRows(rows)) || !mat.Equal(sparse.SelectRows(c, rows), csr.SelectRows(rows)) {
		t.Error("other rows")
	}
	same := func(name string, got *sparse.CSR) {
		t.Helper()
		checked, err := sparse.NewCSR(got.NumRows, got.NumCols, got.RowPtr, got.Col, got.Val)
		if err != nil || !mat.Equal(checked, want) || checked.NNZ() != csr.NNZ() {
			t.Errorf("%s: %v", name, err)
		}
	}
	same("CSR", c.CSR())
	for i := range csr.NumRows {
		if cols, _ := csr.Row(i); c.Len(i) != len(cols) {
			t.Errorf("row %d has %d entries in place of %d", i, c.Len(i), len(cols))
		}
	}
	for j, n := range csr.ColCounts() {
		if got := c.ColCounts()[j]; got != n {
			t.Errorf("column %d has %d entries in place of %d", j, got, n)
		}
	}
	from := must.Get(sparse.FromMatrix(c))(t)
	same("FromMatrix", from)
	all := must.Get(c.Expand(t.Context()))(t)
	same("Expand", all)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := make().Expand(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// An entry takes a byte or two if it is of a term that was met early, and never more than ten.
func TestCountsAreSmall(t *testing.T) {
	for number, bytes := range map[int32]int{0: 1, 63: 1, 64: 2, 8191: 2, 8192: 3, math.MaxInt32: 5} {
		if got := len(sparse.AppendCount(nil, number, 1)); got != bytes {
			t.Errorf("%d takes %d bytes in place of %d", number, got, bytes)
		}
	}
	data := sparse.AppendCount(nil, math.MaxInt32, math.MaxInt32)
	if number, count, rest := sparse.NextCount(data); number != math.MaxInt32 || count != math.MaxInt32 || len(rest) > 0 || len(data) > 10 {
		t.Errorf("%d times %d, %d of %d bytes left", count, number, len(rest), len(data))
	}
}
