package eigen

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// basis is a growing orthonormal set of n-vectors in the complement of the known vectors, stored as
// the columns of a row-major matrix and of further ones. All its work is done in panels of rows.
// One goroutine handles each panel with single-threaded BLAS, so the bits do not depend on the
// number of threads.
type basis struct {
	v      blas64.General   // n×capacity
	more   []blas64.General // the columns after those of v
	size   int              // columns in use
	known  *nullspace
	space  space // of the rows of v
	engine native.Engine
	rng    *rand.Rand // of vectors
	common *rand.Rand // of numbers that all ranks must draw alike; rng without other ranks
	source *rand.PCG  // of common
	own    *rand.PCG  // of rng where ranks draw numbers of their own; else nil
	grain  int
	spare  []float64 // of orthonormalise, for the longest block so far
}

func newBasis(n, capacity int, known *nullspace, seed uint64) *basis {
	source := rand.NewPCG(seed, 0x9e3779b97f4a7c15)
	rng := rand.New(source)
	return &basis{
		v: newBlock(n, capacity), known: known, engine: native.Default(),
		rng: rng, common: rng, source: source,
		grain: max(512, (n+255)/256),
	}
}

// newBasis makes a basis of vectors of the task.
func (t task) newBasis(capacity int, seed uint64) *basis {
	b := newBasis(t.n, capacity, t.known, seed)
	if t.space.Divided() {
		b.space = t.space
		b.own = rand.NewPCG(seed, 0x9e3779b97f4a7c15*uint64(t.space.Rank()+2))
		b.rng = rand.New(b.own)
	}
	return b
}

// capacity is the number of columns that there is memory for.
func (b *basis) capacity() int {
	columns := b.v.Cols
	for _, part := range b.more {
		columns += part.Cols
	}
	return columns
}

// A basis of many rows has its columns in matrices of few: a block that is written to one wide
// matrix touches a line of the cache and, in every third row, another page of memory, for half a
// line of numbers.
const (
	manyRows   = 50_000
	fewColumns = 8
)

// grow takes memory for more columns. Those in use stay where they are.
func (b *basis) grow(columns int) {
	width := columns
	if b.v.Rows >= manyRows {
		width = fewColumns
	}
	for ; columns > 0; columns -= width {
		width = min(width, columns)
		b.more = append(b.more, newBlock(b.v.Rows, width))
	}
}

// parts returns the columns [from, to): the matrices that hold them, in order.
func (b *basis) parts(from, to int) []blas64.General {
	var list []blas64.General
	first := 0
	for _, part := range slices.Concat([]blas64.General{b.v}, b.more) {
		if lo, hi := max(from, first), min(to, first+part.Cols); lo < hi {
			list = append(list, columns(part, lo-first, hi-first))
		}
		first += part.Cols
	}
	return list
}

// eachPart calls body with the rows [lo, hi) of each part and the number of columns before it.
func eachPart(parts []blas64.General, lo, hi int, body func(at int, v blas64.General)) {
	at := 0
	for _, part := range parts {
		body(at, rows(part, lo, hi))
		at += part.Cols
	}
}

// read copies the columns from the given one on to dst.
func (b *basis) read(dst blas64.General, from int) {
	parts := b.parts(from, from+dst.Cols)
	b.panels(func(_, lo, hi int) {
		eachPart(parts, lo, hi, func(at int, v blas64.General) {
			copyBlock(columns(rows(dst, lo, hi), at, at+v.Cols), v)
		})
	})
}

// pick copies the listed columns to those of dst, in this order, and row i of them to row place(i).
func (b *basis) pick(dst blas64.General, list []int, place func(i int) int) {
	if len(list) == 0 {
		return
	}
	count := slices.Max(list) + 1
	parts := b.parts(0, count)
	b.panels(func(_, lo, end int) {
		t := talls.Get().(*tall)
		defer talls.Put(t)
		for step := panelRows(count); lo < end; lo += step {
			all := gathered(&t.v, parts, lo, min(lo+step, end), count)
			for i := range all.Rows {
				row, to := all.Data[i*all.Stride:], dst.Data[place(lo+i)*dst.Stride:]
				for j, from := range list {
					to[j] = row[from]
				}
			}
		}
	})
}

// write copies src to the columns from the given one on.
func (b *basis) write(from int, src blas64.General) {
	parts := b.parts(from, from+src.Cols)
	b.panels(func(_, lo, hi int) {
		eachPart(parts, lo, hi, func(at int, v blas64.General) {
			copyBlock(v, columns(rows(src, lo, hi), at, at+v.Cols))
		})
	})
}

// multiply calls body with V·s for the columns [from, from+s.Rows), for panels of rows [lo, hi).
func (b *basis) multiply(from int, s blas64.General, body func(lo, hi int, product blas64.General)) {
	parts, step := b.parts(from, from+s.Rows), panelRows(s.Rows+s.Cols)
	b.panels(func(_, first, end int) {
		t := talls.Get().(*tall)
		defer talls.Put(t)
		for lo := first; lo < end; lo += step {
			hi := min(lo+step, end)
			out := block(&t.w, hi-lo, s.Cols)
			if s.Cols > 0 {
				b.engine.Gemm(blas.NoTrans, blas.NoTrans, 1, gathered(&t.v, parts, lo, hi, s.Rows), s, 0, out)
			}
			body(lo, hi, out)
		}
	})
}

// gathered returns the rows [lo, hi) of all parts, of count columns, as one matrix.
func gathered(scratch *[]float64, parts []blas64.General, lo, hi, count int) blas64.General {
	if len(parts) == 1 {
		return rows(parts[0], lo, hi)
	}
	all := block(scratch, hi-lo, count)
	eachPart(parts, lo, hi, func(at int, v blas64.General) { copyBlock(columns(all, at, at+v.Cols), v) })
	return all
}

// block returns a matrix in scratch memory, with any content.
func block(scratch *[]float64, rows, columns int) blas64.General {
	*scratch = slices.Grow((*scratch)[:0], rows*columns)[:rows*columns]
	return asBlock(*scratch, rows, max(1, columns))
}

// room returns how many independent columns can still be added.
func (b *basis) room() int { return b.space.Among(b.v.Rows) - b.known.size() - b.size }

func (b *basis) panels(body func(chunk, lo, hi int)) {
	mustRun(parallel.For(context.Background(), b.v.Rows, b.grain, func(_, lo, hi int) error {
		body(lo/b.grain, lo, hi)
		return nil
	}))
}

// copy copies blocks of vectors.
func (b *basis) copy(dst, src blas64.General) {
	b.panels(func(_, lo, hi int) { copyBlock(rows(dst, lo, hi), rows(src, lo, hi)) })
}

// sum adds panel results of length size into the first, in order.
func sum(partial []float64, size int) []float64 {
	total := partial[:size]
	for at := size; at < len(partial); at += size {
		for i, x := range partial[at : at+size] {
			total[i] += x
		}
	}
	return total
}

// orthogonalise subtracts from w its components in the basis and in the known vectors, twice
// (classical Gram-Schmidt in two passes is as accurate as Householder), and returns the
// coefficients Vᵀw, size×w.Cols. The known vectors are removed at the start and at the end, because
// a component of them left in the basis would grow from step to step.
//
// The first pass may leave out the columns before from, to which w is known to be orthogonal up to
// rounding. 4·n·(2·size − from)·w.Cols flops. The basis is read at most three times, since the
// second coefficients are computed while a panel is in cache.
func (b *basis) orthogonalise(w blas64.General, from int) blas64.General {
	k, c := b.size, w.Cols
	b.known.project(w)
	if k == 0 || c == 0 {
		return newBlock(k, c)
	}
	width, groups := groupsOf(c)
	chunks := parallel.Chunks(w.Rows, b.grain)
	partial := make([]float64, chunks*k*groups*width)
	// pass goes through the columns from the given one on: it subtracts their multiples h, if there
	// are any, and adds the coefficients of what is left to those of the chunk, if they are wanted.
	// Coefficients are kept by groups of columns of w.
	pass := func(from int, h []float64, again int) []float64 {
		parts, wanted, step := b.parts(from, k), b.parts(again, k), panelRows(k)
		size := (k - again) * groups * width
		b.panels(func(chunk, first, end int) {
			sums := partial[chunk*size:][:size]
			clear(sums)
			t := talls.Get().(*tall)
			t.engine, t.width = b.engine, width
			defer talls.Put(t)
			for lo := first; lo < end; lo += step {
				hi := min(lo+step, end)
				panel := rows(w, lo, hi)
				t.load(panel)
				if h != nil {
					eachPart(parts, lo, hi, func(at int, v blas64.General) { t.subtract(v, h, at, k-from) })
					t.store(panel)
				}
				eachPart(wanted, lo, hi, func(at int, v blas64.General) { t.addDots(sums, v, at, k-again) })
			}
		})
		return b.space.sum(sum(partial[:chunks*size], size))
	}
	first := slices.Clone(pass(k, nil, from))
	second := slices.Clone(pass(from, first, 0))
	pass(0, second, k)
	b.known.project(w)
	h := newBlock(k, c)
	for i := range k {
		for j := range c {
			at := j / width * width
			h.Data[i*c+j] = second[k*at+i*width+j-at]
			if i >= from {
				h.Data[i*c+j] += first[(k-from)*at+(i-from)*width+j-at]
			}
		}
	}
	return h
}

func asBlock(data []float64, r, c int) blas64.General {
	return blas64.General{Rows: r, Cols: c, Stride: c, Data: data}
}

// Limits of the length of a product after orthogonalisation, relative to the norm of the operator.
// Below short, rounding may be a significant part of the column, so it is orthogonalised once more
// at unit length. Below tiny, it is rounding only.
const (
	short = 1e-3
	tiny  = 1e-13
)

// mostly is the least length that a unit column, orthogonalised once more, keeps if it was not
// mostly rounding.
const mostly = 0.5

// append orthonormalises the columns of w, which are orthogonal to the basis, and adds them to the
// basis. It returns R (kept × w.Cols) with w = Q·R. It replaces dependent columns by random
// vectors, which have zero rows in R, up to want columns or the available room.
func (b *basis) append(w blas64.General, want int, scale float64) blas64.General {
	want = min(want, b.room())
	if want == w.Cols {
		if r, ok := b.orthonormalise(w, short*scale); ok {
			b.push(w)
			return r
		}
		if r, ok := b.lengthen(w, tiny*scale); ok {
			b.push(w)
			return r
		}
	}
	return b.appendOneByOne(w, want, tiny*scale)
}

// lengthen makes short columns orthonormal, which are orthogonal to the basis up to rounding, and
// returns R: as a block, it scales them to unit length and orthogonalises them once more. If a
// column is not longer than tiny, was mostly rounding or is nearly dependent on the others, it
// fails and leaves w unchanged.
func (b *basis) lengthen(w blas64.General, tiny float64) (blas64.General, bool) {
	c := w.Cols
	lengths := b.space.norms(blas64.General{}, w)
	for _, length := range lengths {
		if !(length > tiny) {
			return blas64.General{}, false
		}
	}
	original := newBlock(w.Rows, c)
	b.copy(original, w)
	for j, length := range lengths {
		blas64.Scal(1/length, blas64.Vector{N: w.Rows, Inc: w.Stride, Data: w.Data[j:]})
	}
	b.orthogonalise(w, 0)
	whole := true
	for _, left := range b.space.norms(blas64.General{}, w) {
		whole = whole && left > mostly
	}
	r, ok := blas64.General{}, false
	if whole {
		r, ok = b.orthonormalise(w, 0)
	}
	if !ok {
		b.copy(w, original)
		return blas64.General{}, false
	}
	for i := range c {
		for j := i; j < c; j++ {
			r.Data[i*c+j] *= lengths[j]
		}
	}
	return r, true
}

func (b *basis) push(w blas64.General) {
	b.write(b.size, w)
	b.size += w.Cols
}

// orthonormalise makes the columns of w orthonormal by Cholesky-QR and returns R. It does a second
// round unless the columns were far from dependent. If columns are short or nearly dependent, it
// fails and leaves w unchanged.
func (b *basis) orthonormalise(w blas64.General, short float64) (blas64.General, bool) {
	c := w.Cols
	r := newBlock(c, c)
	for i := range c {
		r.Data[i*c+i] = 1
	}
	if len(b.spare) < w.Rows*c {
		b.spare = make([]float64, w.Rows*c)
	}
	original := asBlock(b.spare[:w.Rows*c], w.Rows, c)
	b.copy(original, w)
	for range 2 {
		u, apart := cholesky(b.gram(w), short)
		if apart < 1e-3 {
			b.copy(w, original)
			return blas64.General{}, false
		}
		b.panels(func(_, lo, hi int) { solveRows(rows(w, lo, hi), u) })
		r = upperProduct(u, r)
		if apart > 0.3 {
			break // the loss of orthogonality, rounding/apart², is negligible
		}
	}
	return r, true
}

// gram is wᵀw, summed over panels in order.
func (b *basis) gram(w blas64.General) blas64.General {
	c := w.Cols
	partial := make([]float64, parallel.Chunks(w.Rows, b.grain)*c*c)
	b.panels(func(chunk, lo, hi int) {
		p := rows(w, lo, hi)
		b.engine.Gemm(blas.Trans, blas.NoTrans, 1, p, p, 0, asBlock(partial[chunk*c*c:][:c*c], c, c))
	})
	return asBlock(b.space.sum(sum(partial, c*c)), c, c)
}

// cholesky returns the upper triangle U with g = UᵀU, and the smallest fraction of a column's
// length that lies outside the span of the columns before it: 0 if a column is not longer than
// short.
func cholesky(g blas64.General, short float64) (u blas64.General, apart float64) {
	c := g.Cols
	u, apart = newBlock(c, c), 1
	for j := range c {
		for i := 0; i <= j; i++ {
			s := g.Data[i*c+j]
			for k := range i {
				s -= u.Data[k*c+i] * u.Data[k*c+j]
			}
			if i < j {
				u.Data[i*c+j] = s / u.Data[i*c+i]
				continue
			}
			if !(s > short*short) || math.IsInf(s, 0) {
				return u, 0
			}
			u.Data[j*c+j] = math.Sqrt(s)
			apart = min(apart, math.Sqrt(s/g.Data[j*c+j]))
		}
	}
	return u, apart
}

// solveRows replaces each row x of w with x·U⁻¹.
func solveRows(w, u blas64.General) {
	c := w.Cols
	inverse := make([]float64, c)
	for j := range inverse {
		inverse[j] = 1 / u.Data[j*c+j]
	}
	for i := 0; i < w.Rows; i++ {
		x := w.Data[i*w.Stride:][:c]
		for j := range x {
			x[j] *= inverse[j]
			xj, above := x[j], u.Data[j*c:][:c]
			for k := j + 1; k < c; k++ {
				x[k] -= xj * above[k]
			}
		}
	}
}

// upperProduct is a·b for upper triangles.
func upperProduct(a, b blas64.General) blas64.General {
	c := a.Cols
	p := newBlock(c, c)
	for i := range c {
		for k := i; k < c; k++ {
			for j := k; j < c; j++ {
				p.Data[i*c+j] += a.Data[i*c+k] * b.Data[k*c+j]
			}
		}
	}
	return p
}

// appendOneByOne is append for blocks that are rank-deficient or have more columns than there is
// room.
func (b *basis) appendOneByOne(w blas64.General, want int, tiny float64) blas64.General {
	base := b.size
	r := newBlock(want, w.Cols)
	column := newBlock(w.Rows, 1)
	for c := range w.Cols {
		copyBlock(column, columns(w, c, c+1))
		h := b.orthogonalise(column, 0)
		for i := base; i < b.size; i++ {
			r.Data[(i-base)*r.Stride+c] = h.Data[i]
		}
		norm := b.space.norm(column)
		if norm > tiny && b.size-base < want && b.refine(column, norm) {
			r.Data[(b.size-base)*r.Stride+c] = norm
			b.push(column)
		}
	}
	for b.size-base < want {
		if !b.pushRandom(column) {
			return rows(r, 0, b.size-base)
		}
	}
	return r
}

// refine turns a column of the given length, orthogonal to everything up to rounding, into a unit
// vector that is also orthogonal at unit length. It rejects a column that was mostly rounding.
func (b *basis) refine(column blas64.General, norm float64) bool {
	blas64.Scal(1/norm, vector(column))
	b.orthogonalise(column, 0)
	left := b.space.norm(column)
	if !(left > mostly) {
		return false
	}
	blas64.Scal(1/left, vector(column))
	return true
}

// pushRandom adds one random unit vector orthogonal to everything.
func (b *basis) pushRandom(column blas64.General) bool {
	for range 5 {
		for i := range column.Data {
			column.Data[i] = b.rng.NormFloat64()
		}
		b.orthogonalise(column, 0)
		if norm := b.space.norm(column); norm > 1e-6 && b.refine(column, norm) {
			b.push(column)
			return true
		}
	}
	return false
}

func vector(column blas64.General) blas64.Vector {
	return blas64.Vector{N: column.Rows, Inc: column.Stride, Data: column.Data}
}

// rotate replaces the columns [from, from+s.Rows) with their products with s (s.Cols columns) and
// drops the columns after them. 2·n·s.Rows·s.Cols flops, one panel of scratch memory.
func (b *basis) rotate(from int, s blas64.General) {
	parts := b.parts(from, from+s.Cols)
	b.multiply(from, s, func(lo, hi int, product blas64.General) {
		eachPart(parts, lo, hi, func(at int, v blas64.General) {
			copyBlock(v, columns(product, at, at+v.Cols))
		})
	})
	b.size = from + s.Cols
}

// combine returns the columns [from, from+s.Rows) times s as a new matrix.
func (b *basis) combine(from int, s blas64.General) blas64.General {
	out := newBlock(b.v.Rows, s.Cols)
	b.combineInto(out, from, s)
	return out
}

// combineInto sets out to what combine returns.
func (b *basis) combineInto(out blas64.General, from int, s blas64.General) {
	b.multiply(from, s, func(lo, hi int, product blas64.General) { copyBlock(rows(out, lo, hi), product) })
}
