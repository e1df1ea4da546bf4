package ldl

import (
	"context"
	"fmt"
	"math"
	"sync"

	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// Stage is the progress stage of a factorisation.
const Stage = "factorisation"

// Factor holds P(A + diag)Pᵀ = LDLᵀ. It is immutable and safe for concurrent use.
type Factor struct {
	*Analysis
	panel [][]float64 // row-major, height×width; the part above the diagonal is not used
	d     []float64
}

// PivotError is the error if a pivot is zero or so small that the factorisation has no digits left.
// A matrix A − σI has small pivots if σ is close to an eigenvalue of a leading part: change σ.
type PivotError struct {
	Row   int     // row of the matrix
	Pivot float64 // its pivot
	Scale float64 // largest entry of the matrix
}

func (e *PivotError) Error() string {
	return fmt.Sprintf("the factorisation broke down at row %d: the pivot is %.1e for entries up to %.1e; shift the matrix by a small amount", e.Row+1, e.Pivot, e.Scale)
}

// smallestPivot is the size of a pivot, relative to the largest entry, that counts as zero.
const smallestPivot = 1e-14

// Factor computes LDLᵀ of a + diag(diagonal), where a has the pattern of the Analysis. A nil
// diagonal means zeros. Rows are not exchanged, so the factorisation of an indefinite matrix may
// be inaccurate: [Factor.Error] bounds its error, and a pivot near zero gives *PivotError.
//
// Time: Flops operations, in matrix products where supernodes are wide. Subtrees run in parallel.
// Memory: Bytes. The bits do not depend on the number of threads. The context is checked between
// panels.
func (s *Analysis) Factor(ctx context.Context, a *sparse.CSR, diagonal []float64, observer progress.Observer) (*Factor, error) {
	s.structureOf(a)
	f := &Factor{Analysis: s, panel: make([][]float64, len(s.height)), d: make([]float64, s.n)}
	for p, rows := range s.height {
		f.panel[p] = make([]float64, int(rows)*int(s.starts[p+1]-s.starts[p]))
	}
	w := &work{Factor: f, a: a, diagonal: diagonal, engine: native.Default(), panels: s.panelOf(), observer: observer,
		head: make([]int32, len(s.height)), next: make([]int32, len(s.height)), at: make([]int32, len(s.height))}
	for p := range w.head {
		w.head[p] = none
	}
	w.setScale()
	if err := w.run(ctx); err != nil {
		return nil, err
	}
	return f, nil
}

// work is a factorisation in progress. Panel p is finished by subtracting the products of all
// panels before it that have rows among its columns; these are in the list of p.
type work struct {
	*Factor
	a          *sparse.CSR
	diagonal   []float64
	engine     native.Engine
	panels     []int32 // panel of each column
	scale      float64
	head, next []int32 // the panels waiting for each panel
	at         []int32 // first row of a waiting panel that is not yet used

	observer progress.Observer
	lock     sync.Mutex // of done
	done     int
}

// scratch is the memory of one goroutine.
type scratch struct {
	where           []int32 // place of a row in the current panel
	product, scaled []float64
}

func (w *work) setScale() {
	for _, v := range w.a.Val {
		w.scale = max(w.scale, math.Abs(v))
	}
	for _, v := range w.diagonal {
		w.scale = max(w.scale, math.Abs(v))
	}
}

// run computes disjoint subtrees in parallel and then the panels above them.
func (w *work) run(ctx context.Context) error {
	subtrees, top := w.split()
	memory := make([]scratch, parallel.Workers(len(subtrees), 1))
	err := parallel.For(ctx, len(subtrees), 1, func(worker, t, _ int) error {
		m := &memory[worker]
		for p := subtrees[t][0]; p < subtrees[t][1]; p++ {
			if err := w.finish(ctx, m, p, subtrees[t][1]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	all := int32(len(w.height))
	for _, t := range subtrees {
		for p := t[0]; p < t[1]; p++ {
			w.wait(p, all)
		}
	}
	for _, p := range top {
		if err := w.finish(ctx, &memory[0], p, all); err != nil {
			return err
		}
	}
	return nil
}

// split cuts the tree of panels into subtrees of at most a 32nd of the work, ranges of panels, and
// the panels above them. Neighbouring small subtrees share a range.
func (w *work) split() (subtrees [][2]int32, top []int32) {
	panels := len(w.height)
	flops, first := make([]float64, panels), make([]int32, panels)
	total := 0.0
	for p := range first {
		first[p] = int32(p)
	}
	for p, rows := range w.height {
		own := float64(rows) * float64(rows) * float64(w.starts[p+1]-w.starts[p])
		total += own + 1000
		flops[p] += own + 1000
		if up := w.parent(p); up != none {
			flops[up] += flops[p]
			first[up] = min(first[up], first[p])
		}
	}
	limit, size := total/32, 0.0
	for p := int32(0); p < int32(panels); p++ {
		up := w.parent(int(p))
		if flops[p] > limit {
			top = append(top, p)
			continue
		}
		if up != none && flops[up] <= limit {
			continue // inside of a subtree
		}
		last := len(subtrees) - 1
		if last >= 0 && subtrees[last][1] == first[p] && size+flops[p] <= limit {
			subtrees[last][1] = p + 1
			size += flops[p]
		} else {
			subtrees = append(subtrees, [2]int32{first[p], p + 1})
			size = flops[p]
		}
	}
	return subtrees, top
}

// parent is the panel of the first row below panel p, or none.
func (w *work) parent(p int) int32 {
	width := w.starts[p+1] - w.starts[p]
	if w.height[p] == width {
		return none
	}
	return w.panels[w.rows[p][width]]
}

// finish computes panel p; panels from limit on are not touched.
func (w *work) finish(ctx context.Context, m *scratch, p, limit int32) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if m.where == nil {
		m.where = make([]int32, w.n)
	}
	for k, r := range w.rows[p] {
		m.where[r] = int32(k)
	}
	w.assemble(m, int(p))
	for q := w.head[p]; q != none; {
		next := w.next[q]
		w.update(m, int(p), int(q))
		w.wait(q, limit)
		q = next
	}
	w.head[p] = none
	if err := w.eliminate(int(p)); err != nil {
		return err
	}
	w.at[p] = w.starts[p+1] - w.starts[p]
	w.wait(p, limit)
	w.report(int(w.starts[p+1] - w.starts[p]))
	return nil
}

// wait puts panel q into the list of the panel of its next row, if that is below limit.
func (w *work) wait(q, limit int32) {
	if w.at[q] >= w.height[q] {
		return
	}
	if p := w.panels[w.rows[q][w.at[q]]]; p < limit {
		w.next[q], w.head[p] = w.head[p], q
	}
}

func (w *work) report(columns int) {
	if w.observer == nil {
		return
	}
	w.lock.Lock()
	defer w.lock.Unlock()
	before := w.done
	w.done += columns
	if w.done*64/w.n != before*64/w.n {
		w.observer.Report(Stage, int64(w.done), int64(w.n), "columns")
	}
}

// assemble copies the entries of the matrix into panel p.
func (w *work) assemble(m *scratch, p int) {
	from, to := w.starts[p], w.starts[p+1]
	width := int(to - from)
	out := w.panel[p]
	for j := from; j < to; j++ {
		i := w.order[j]
		cols, vals := w.a.Row(int(i))
		for k, c := range cols {
			if r := w.place[c]; r >= j {
				out[int(m.where[r])*width+int(j-from)] += vals[k]
			}
		}
		if w.diagonal != nil {
			out[int(j-from)*width+int(j-from)] += w.diagonal[i]
		}
	}
}

// Products of at least this many flops go to the engine; for smaller ones a call costs more.
const worthCalling = 30000

// update subtracts from panel p the product of panel q: its rows among the columns of p, times D,
// times its rows from there on.
func (w *work) update(m *scratch, p, q int) {
	rows, from, to := w.rows[q], int(w.at[q]), int(w.at[q])
	for to < len(rows) && rows[to] < w.starts[p+1] {
		to++
	}
	w.at[q] = int32(to)
	depth := int(w.starts[q+1] - w.starts[q])
	width, high := to-from, len(rows)-from
	m.scaled = grown(m.scaled, width*depth)
	d, below := w.d[w.starts[q]:w.starts[q+1]], w.panel[q][from*depth:]
	for i := range width {
		row, out := below[i*depth:][:depth], m.scaled[i*depth:][:depth]
		for k, v := range row {
			out[k] = v * d[k]
		}
	}
	target, stride, first := w.panel[p], int(w.starts[p+1]-w.starts[p]), w.starts[p]
	if 2*width*high*depth < worthCalling {
		for i := range high {
			row, out := below[i*depth:][:depth], target[int(m.where[rows[from+i]])*stride:][:stride]
			for j := range min(width, i+1) {
				sum := 0.0
				other := m.scaled[j*depth:][:depth]
				for k, v := range row {
					sum += v * other[k]
				}
				out[rows[from+j]-first] -= sum
			}
		}
		return
	}
	m.product = grown(m.product, high*width)
	c := dense(m.product, high, width)
	w.engine.Gemm(blas.NoTrans, blas.Trans, 1, dense(below, high, depth), dense(m.scaled, width, depth), 0, c)
	for i := range high {
		out := target[int(m.where[rows[from+i]])*stride:][:stride]
		for j, v := range c.Data[i*width:][:width] {
			out[rows[from+j]-first] -= v
		}
	}
}

func grown(s []float64, n int) []float64 {
	if cap(s) < n {
		return make([]float64, n+n/4)
	}
	return s[:n]
}

func dense(data []float64, r, c int) blas64.General {
	return blas64.General{Rows: r, Cols: c, Stride: c, Data: data[:r*c]}
}

// eliminate factors the square of panel p and divides the rows below by it.
func (w *work) eliminate(p int) error {
	from := int(w.starts[p])
	width, high := int(w.starts[p+1])-from, int(w.height[p])
	data, d := w.panel[p], w.d[from:w.starts[p+1]]
	for i := range width {
		d[i] = data[i*width+i] - w.divide(data, d, i, i, width)
		if !(math.Abs(d[i]) > smallestPivot*w.scale) || math.IsInf(d[i], 0) {
			return &PivotError{Row: int(w.order[from+i]), Pivot: d[i], Scale: w.scale}
		}
		data[i*width+i] = 1
	}
	if (high-width)*width*width < worthCalling {
		for i := width; i < high; i++ {
			w.divide(data, d, i, width, width)
		}
		return nil
	}
	below := dense(data[width*width:], high-width, width)
	triangle := blas64.Triangular{Uplo: blas.Lower, Diag: blas.Unit, N: width, Stride: width, Data: data[:width*width]}
	w.engine.Trsm(blas.Right, blas.Trans, 1, triangle, below)
	inverse := make([]float64, width)
	for k, v := range d {
		inverse[k] = 1 / v
	}
	for i := range high - width {
		row := below.Data[i*width:][:width]
		for k := range row {
			row[k] *= inverse[k]
		}
	}
	return nil
}

// divide turns the first count entries of row i into entries of L and returns Σ l²d over them.
func (w *work) divide(data, d []float64, i, count, width int) float64 {
	row := data[i*width:][:width]
	for j := range count {
		sum := row[j]
		for k, v := range data[j*width:][:j] {
			sum -= row[k] * v
		}
		row[j] = sum // l·d, until the row is finished
	}
	total := 0.0
	for j := range count {
		l := row[j] / d[j]
		total += row[j] * l
		row[j] = l
	}
	return total
}
