package approx

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/methods/graph/internal/exact"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// keyer ranks pairs of rows by float32 keys; the nearest have the highest. Rows are numbered by
// their places in the order of the search.
type keyer interface {
	// Scratch is memory for the calls of one worker.
	Scratch() *keyScratch
	// keys sets out[c] to the key of rows i and js[c], with the same bits on every processor.
	keys(i int32, js []int32, out []float32, w *keyScratch)
	// within offers the rows of a cell each other. Keys of at most a row's floor may be left out.
	// What it offers depends on its arguments alone, so that threads do not change the lists.
	within(ctx context.Context, rows []int32, floors []float32, near *nearLists, w *keyScratch) error
}

// keyScratch is the memory of one worker.
type keyScratch struct {
	exact []float64 // of the measurer
	row   []float32 // by term: the open row
	cell  exact.Cell
	// Of whole numbers: products, and the memory for a cell.
	shorts []int32
	pool   *cellPool
}

// exactKeys are keys rounded from distances in float64: for sparse rows that do not have length 1,
// and for dense rows of few columns.
type exactKeys struct {
	x       mat.Matrix // as [exact.Stored] returns rows
	measure exact.Measurer
	order   []int32 // the row of x in each place
	scale   float64 // of squared distances, so that they are float32 numbers
}

func (e *exactKeys) Scratch() *keyScratch { return &keyScratch{exact: e.measure.Scratch()} }

func (e *exactKeys) keys(i int32, js []int32, out []float32, w *keyScratch) {
	row := int(e.order[i])
	e.measure.Open(row, w.exact)
	for c, j := range js {
		out[c] = float32(-e.scale * e.measure.Dist2(row, int(e.order[j]), w.exact))
	}
	e.measure.Close(row, w.exact)
}

func (e *exactKeys) within(ctx context.Context, rows []int32, _ []float32, near *nearLists, _ *keyScratch) error {
	k := min(near.width, len(rows)-1)
	if k < 1 {
		return nil
	}
	own := make([]int, len(rows))
	for r, i := range rows {
		own[r] = int(e.order[i])
	}
	g, err := exact.NearestHere(ctx, exact.SelectRows(e.x, own), k)
	if err != nil {
		return err
	}
	for r, i := range rows {
		index, dist2, _ := g.Row(r)
		for c, q := range index {
			near.offer(i, rows[q], float32(-e.scale*dist2[c]))
		}
	}
	return nil
}

// denseKeys are keys of dense rows, -Σ(a−b)² in float32 of rows shifted to mean 0 and scaled to
// lengths of at most 1: 4 bytes per value, padded to whole steps. Cells are searched exactly.
type denseKeys struct {
	exactKeys
	steps int         // of a row
	rows  []denseStep // of each place
}

// ExactColumns is the number of columns up to which dense rows have exact keys: measuring them
// costs little, and near points far from the others keep their order.
const ExactColumns = 32

// newDenseKeys copies the rows, from which it subtracts the mean.
func newDenseKeys(ctx context.Context, e exactKeys, mean []float64) (*denseKeys, error) {
	n, d := len(e.order), len(mean)
	shift := math.Sqrt(e.scale)
	const step = len(denseStep{})
	k := &denseKeys{exactKeys: e, steps: (d + step - 1) / step}
	k.rows = make([]denseStep, n*k.steps)
	err := parallel.For(ctx, n, 256, func(_, lo, hi int) error {
		buf := make([]float64, d)
		for p := lo; p < hi; p++ {
			for j, v := range exact.DenseRow(e.x, int(e.order[p]), buf) {
				k.rows[p*k.steps+j/step][j%step] = float32(shift * (v - mean[j]))
			}
		}
		return nil
	})
	return k, err
}

func (k *denseKeys) keys(i int32, js []int32, out []float32, _ *keyScratch) {
	denseDistances(k.rows, k.steps, int(i), js, out)
}

// sparseKeys are keys of sparse rows of length 1: dot products in float32. Terms are numbered by
// falling number of rows, and terms of a single row are left out: the accumulators of frequent
// terms share few lines of the cache. 8 bytes per entry, padded to 64 per row.
type sparseKeys struct {
	terms int
	first []int // the blocks of the row in place p are first[p] to first[p+1]
	block []exact.TermBlock
}

// newSparseKeys copies the rows in the given order. number has the number of each term, −1 if it is
// left out.
func newSparseKeys(ctx context.Context, rows sparse.Rows, order, number []int32, terms int) (*sparseKeys, error) {
	x := rows.Pattern()
	columns := func(i int32) []int32 { return x.Col[x.RowPtr[i]:x.RowPtr[i+1]] }
	k := &sparseKeys{terms: max(1, terms), first: make([]int, len(order)+1)}
	for p, i := range order {
		count := 0
		for _, c := range columns(i) {
			if number[c] >= 0 {
				count++
			}
		}
		k.first[p+1] = k.first[p] + (count+7)/8
	}
	k.block = make([]exact.TermBlock, k.first[len(order)])
	err := parallel.For(ctx, len(order), 1024, func(_, lo, hi int) error {
		buf := make([]float64, 0, 256)
		for p := lo; p < hi; p++ {
			at := k.block[k.first[p]:k.first[p+1]]
			vals := rows.Values(int(order[p]), buf)
			count := 0
			for q, c := range columns(order[p]) {
				if number[c] >= 0 {
					at[count/8].Term[count%8], at[count/8].Val[count%8] = number[c], float32(vals[q])
					count++
				}
			}
		}
		return nil
	})
	return k, err
}

// rankCounts replaces counts by ranks by falling count, ties by the lower index, and those below
// least by -1. It returns the number of the others. O(counts + largest count).
func rankCounts(counts []int32, least int32) int {
	most := int32(0)
	for _, k := range counts {
		most = max(most, k)
	}
	next := make([]int32, most+2) // next[k]: the next rank of a count of k
	for _, k := range counts {
		next[k]++
	}
	total := int32(0)
	for k := most; k >= least && k >= 0; k-- {
		next[k], total = total, total+next[k]
	}
	for c, k := range counts {
		if k < least {
			counts[c] = -1
			continue
		}
		counts[c] = next[k]
		next[k]++
	}
	return int(total)
}

func (k *sparseKeys) Scratch() *keyScratch {
	return &keyScratch{row: make([]float32, k.terms), cell: exact.NewCell(k.terms)}
}

// blocks returns the entries of the row in place p.
func (k *sparseKeys) blocks(p int32) []exact.TermBlock { return k.block[k.first[p]:k.first[p+1]] }

func (k *sparseKeys) keys(i int32, js []int32, out []float32, w *keyScratch) {
	own := k.blocks(i)
	for b := range own {
		for l, t := range own[b].Term {
			if v := own[b].Val[l]; v != 0 {
				w.row[t] = v
			}
		}
	}
	sparseProducts(k.first, k.block, w.row, js, out)
	for b := range own {
		for _, t := range own[b].Term {
			w.row[t] = 0
		}
	}
}

// within searches a cell of rows by shortlists that begin with the floors: after the first cells of
// a row few candidates pass.
func (k *sparseKeys) within(ctx context.Context, rows []int32, floors []float32, near *nearLists, w *keyScratch) error {
	return w.cell.Search(ctx, len(rows), near.width,
		func(r int) []exact.TermBlock { return k.blocks(rows[r]) },
		func(r int) float32 { return floors[rows[r]] },
		func(r int, j int32, key float32) { near.offer(rows[r], rows[j], key) })
}
