package sparse

import (
	"context"
	"encoding/binary"
	"slices"
	"sort"

	"github.com/eigenmap/eigenmap/internal/indices"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"gonum.org/v1/gonum/mat"
)

// Counts is a matrix of whole numbers from 1 to 2³¹ - 1 that is held as it was counted: about 2
// bytes per entry and 8 per row, where a [CSR] has 12 and 8. It is immutable. No kernel multiplies
// it: code takes some of its rows as a CSR ([Counts.Select]).
type Counts struct {
	rows, cols, nnz int
	parts           []CountsPart
	first           []int // row that each part begins with
}

var _ mat.Matrix = (*Counts)(nil)

// CountsPart are consecutive rows of a [Counts].
type CountsPart struct {
	// Data has the entries of the rows, as [AppendCount] writes them; the order of the entries of a
	// row is of no account. No number may occur twice in a row.
	Data []byte
	// Ends has for each row where its entries end in Data.
	Ends []int
	// Column has the column of each number; -1 leaves its entries out. Parts may share it.
	Column []int32
}

// AppendCount adds an entry to the data of a [CountsPart]: the number of what was counted, and how
// often it was, 1 or more. Small numbers take fewer bytes.
func AppendCount(data []byte, number, count int32) []byte {
	if count == 1 {
		return binary.AppendUvarint(data, uint64(number)<<1)
	}
	return binary.AppendUvarint(binary.AppendUvarint(data, uint64(number)<<1|1), uint64(count))
}

// NextCount is the first entry of data that has one, and the rest of data.
func NextCount(data []byte) (number, count int32, rest []byte) {
	v, n := binary.Uvarint(data)
	data = data[n:]
	if v&1 == 0 {
		return int32(v >> 1), 1, data
	}
	times, n := binary.Uvarint(data)
	return int32(v >> 1), int32(times), data[n:]
}

// NewCounts makes a matrix of parts, which it keeps. O(entries), the parts in parallel.
func NewCounts(cols int, parts []CountsPart) *Counts {
	c := &Counts{cols: cols, parts: parts, first: make([]int, len(parts))}
	entries := make([]int, len(parts))
	_ = parallel.For(context.Background(), len(parts), 1, func(_, lo, hi int) error {
		for p := lo; p < hi; p++ {
			entries[p] = parts[p].count(parts[p].Data)
		}
		return nil
	})
	for p := range parts {
		c.first[p] = c.rows
		c.rows += len(parts[p].Ends)
		c.nnz += entries[p]
	}
	return c
}

// count is the number of entries in data that have a column.
func (p *CountsPart) count(data []byte) (entries int) {
	for len(data) > 0 {
		var number int32
		if number, _, data = NextCount(data); p.Column[number] >= 0 {
			entries++
		}
	}
	return entries
}

// Dims implements mat.Matrix.
func (c *Counts) Dims() (rows, cols int) { return c.rows, c.cols }

// NNZ returns the number of entries.
func (c *Counts) NNZ() int { return c.nnz }

// T implements mat.Matrix.
func (c *Counts) T() mat.Matrix { return mat.Transpose{Matrix: c} }

// At implements mat.Matrix. O(entries of the row).
func (c *Counts) At(i, j int) float64 {
	if uint(j) >= uint(c.cols) {
		panic(mat.ErrColAccess)
	}
	for _, e := range c.row(i, nil) {
		if int(e>>32) == j {
			return float64(uint32(e))
		}
	}
	return 0
}

// Len returns the number of entries of row i. O(entries of the row).
func (c *Counts) Len(i int) (entries int) {
	p, data := c.data(i)
	return p.count(data)
}

// data is the part that row i is in, and the row's entries.
func (c *Counts) data(i int) (*CountsPart, []byte) {
	if uint(i) >= uint(c.rows) {
		panic(mat.ErrRowAccess)
	}
	at := sort.SearchInts(c.first, i+1) - 1
	for len(c.parts[at].Ends) == 0 { // it begins where the next one does
		at--
	}
	p, i := &c.parts[at], i-c.first[at]
	return p, p.Data[p.start(i):p.Ends[i]]
}

// start is where row i of the part begins.
func (p *CountsPart) start(i int) int {
	if i == 0 {
		return 0
	}
	return p.Ends[i-1]
}

// row puts the entries of row i into buf, a column and a count each, by ascending columns.
func (c *Counts) row(i int, buf []uint64) []uint64 {
	p, data := c.data(i)
	return p.entries(data, buf)
}

// entries is row of the data of a row.
func (p *CountsPart) entries(data []byte, buf []uint64) []uint64 {
	buf = buf[:0]
	for len(data) > 0 {
		var number, count int32
		number, count, data = NextCount(data)
		if j := p.Column[number]; j >= 0 {
			buf = append(buf, uint64(j)<<32|uint64(count))
		}
	}
	slices.Sort(buf)
	return buf
}

// Select copies rows, in the order given, as a CSR. O(entries of the result).
func (c *Counts) Select(rows []int) *CSR {
	out := &CSR{NumRows: len(rows), NumCols: c.cols, RowPtr: make([]int, len(rows)+1)}
	for r, i := range rows {
		out.RowPtr[r+1] = out.RowPtr[r] + c.Len(i)
	}
	out.Col, out.Val = make([]int32, out.RowPtr[len(rows)]), make([]float64, out.RowPtr[len(rows)])
	var row []uint64
	for r, i := range rows {
		row = c.row(i, row)
		out.put(out.RowPtr[r], row)
	}
	return out
}

// put writes the entries of a row from place k on.
func (a *CSR) put(k int, row []uint64) {
	for _, e := range row {
		a.Col[k], a.Val[k] = int32(e>>32), float64(uint32(e))
		k++
	}
}

// CSR is a copy of the matrix, which takes 12 bytes per entry. O(entries).
func (c *Counts) CSR() *CSR {
	rows := indices.UpTo(c.rows)
	return c.Select(rows)
}

// ColCounts returns the number of rows with an entry in each column. O(entries).
func (c *Counts) ColCounts() []int {
	n := make([]int, c.cols)
	for p := range c.parts {
		part := &c.parts[p]
		for data := part.Data; len(data) > 0; {
			var number int32
			if number, _, data = NextCount(data); part.Column[number] >= 0 {
				n[part.Column[number]]++
			}
		}
	}
	return n
}

// Expand is the matrix as a CSR, which takes 12 bytes per entry. It lets go of each part once its
// entries are copied: the Counts is of no use afterwards. Errors: the context's.
func (c *Counts) Expand(ctx context.Context) (*CSR, error) {
	out := &CSR{NumRows: c.rows, NumCols: c.cols, RowPtr: make([]int, c.rows+1), Col: make([]int32, c.nnz), Val: make([]float64, c.nnz)}
	err := parallel.For(ctx, len(c.parts), 1, func(_, lo, hi int) error {
		for p := lo; p < hi; p++ {
			part := &c.parts[p]
			for i, end := range part.Ends {
				out.RowPtr[c.first[p]+i+1] = part.count(part.Data[part.start(i):end])
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for i := range c.rows {
		out.RowPtr[i+1] += out.RowPtr[i]
	}
	err = parallel.For(ctx, len(c.parts), 1, func(_, lo, hi int) error {
		var row []uint64
		for p := lo; p < hi; p++ {
			part := &c.parts[p]
			for i, end := range part.Ends {
				row = part.entries(part.Data[part.start(i):end], row)
				out.put(out.RowPtr[c.first[p]+i], row)
			}
			part.Data, part.Ends = nil, nil
		}
		return nil
	})
	return out, err
}
