package space

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

// Basis is a growing orthonormal set of n-vectors in the complement of the known vectors, stored as
// the columns of a row-major matrix and of further ones. All its work is done in panels of rows.
// One goroutine handles each panel with single-threaded BLAS, so the bits do not depend on the
// number of threads.
type Basis struct {
	V    blas64.General   // the first columns, n rows
	More []blas64.General // the columns after V's
	Size int              // columns in use

	Known  *Nullspace
	Space  Space // which rows these are
	Engine native.Engine

	Rng    *rand.Rand // draws vectors
	Common *rand.Rand // draws numbers that are the same on all ranks; Rng if ranks do not divide the rows
	Source *rand.PCG  // the source of Common
	Own    *rand.PCG  // the source of Rng if ranks divide the rows, else nil

	Grain int       // rows of a panel
	Spare []float64 // scratch memory of orthonormalise, for the longest block so far
}

// Ritz returns the eigenpairs of the symmetric matrix in the first a rows and columns of t, values
// ascending.
func (b *Basis) Ritz(t blas64.General, a int) ([]float64, blas64.General, error) {
	sym := blas64.Symmetric{N: a, Stride: a, Uplo: blas.Upper, Data: make([]float64, a*a)}
	for i := range a {
		copy(sym.Data[i*a:][:a], t.Data[i*t.Stride:][:a])
	}
	return OneThread(func() ([]float64, blas64.General, error) { return b.Engine.SymEig(sym, native.EigRange{}, true) })
}

// NewBasis makes an empty basis of n-vectors in the complement of known, with memory for so many
// columns. Its random vectors are drawn from seed.
func NewBasis(n, capacity int, known *Nullspace, seed uint64) *Basis {
	source := rand.NewPCG(seed, 0x9e3779b97f4a7c15)
	rng := rand.New(source)
	return &Basis{
		V: NewBlock(n, capacity), Known: known, Engine: native.Default(),
		Rng: rng, Common: rng, Source: source,
		Grain: max(512, (n+255)/256),
	}
}

// Divide makes b a basis of vectors whose rows ranks divide as s says: each rank draws its own rows
// of random vectors.
func (b *Basis) Divide(s Space, seed uint64) {
	b.Space = s
	b.Own = rand.NewPCG(seed, 0x9e3779b97f4a7c15*uint64(s.Rank()+2))
	b.Rng = rand.New(b.Own)
}

// Capacity returns the number of columns that have memory.
func (b *Basis) Capacity() int {
	columns := b.V.Cols
	for _, part := range b.More {
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

// Grow takes memory for more columns. Those in use stay where they are.
func (b *Basis) Grow(columns int) {
	width := columns
	if b.V.Rows >= manyRows {
		width = fewColumns
	}
	for ; columns > 0; columns -= width {
		width = min(width, columns)
		b.More = append(b.More, NewBlock(b.V.Rows, width))
	}
}

// Parts returns the columns [from, to): the matrices that hold them, in order.
func (b *Basis) Parts(from, to int) []blas64.General {
	var list []blas64.General
	first := 0
	for _, part := range slices.Concat([]blas64.General{b.V}, b.More) {
		if lo, hi := max(from, first), min(to, first+part.Cols); lo < hi {
			list = append(list, Columns(part, lo-first, hi-first))
		}
		first += part.Cols
	}
	return list
}

// eachPart calls body with the rows [lo, hi) of each part and the number of columns before it.
func eachPart(parts []blas64.General, lo, hi int, body func(at int, v blas64.General)) {
	at := 0
	for _, part := range parts {
		body(at, Rows(part, lo, hi))
		at += part.Cols
	}
}

// Read copies the columns from the given one on to dst.
func (b *Basis) Read(dst blas64.General, from int) {
	parts := b.Parts(from, from+dst.Cols)
	b.Panels(func(_, lo, hi int) {
		eachPart(parts, lo, hi, func(at int, v blas64.General) {
			CopyBlock(Columns(Rows(dst, lo, hi), at, at+v.Cols), v)
		})
	})
}

// Pick copies the listed columns to the columns of dst, in this order, and their row i to row
// place(i).
func (b *Basis) Pick(dst blas64.General, list []int, place func(i int) int) {
	if len(list) == 0 {
		return
	}
	count := slices.Max(list) + 1
	parts := b.Parts(0, count)
	b.Panels(func(_, lo, end int) {
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
func (b *Basis) write(from int, src blas64.General) {
	parts := b.Parts(from, from+src.Cols)
	b.Panels(func(_, lo, hi int) {
		eachPart(parts, lo, hi, func(at int, v blas64.General) {
			CopyBlock(v, Columns(Rows(src, lo, hi), at, at+v.Cols))
		})
	})
}

// multiply calls body with V·s for the columns [from, from+s.Rows), for panels of rows [lo, hi).
func (b *Basis) multiply(from int, s blas64.General, body func(lo, hi int, product blas64.General)) {
	parts, step := b.Parts(from, from+s.Rows), panelRows(s.Rows+s.Cols)
	b.Panels(func(_, first, end int) {
		t := talls.Get().(*tall)
		defer talls.Put(t)
		for lo := first; lo < end; lo += step {
			hi := min(lo+step, end)
			out := block(&t.w, hi-lo, s.Cols)
			if s.Cols > 0 {
				b.Engine.Gemm(blas.NoTrans, blas.NoTrans, 1, gathered(&t.v, parts, lo, hi, s.Rows), s, 0, out)
			}
			body(lo, hi, out)
		}
	})
}

// gathered returns the rows [lo, hi) of all parts, of count columns, as one matrix.
func gathered(scratch *[]float64, parts []blas64.General, lo, hi, count int) blas64.General {
	if len(parts) == 1 {
		return Rows(parts[0], lo, hi)
	}
	all := block(scratch, hi-lo, count)
	eachPart(parts, lo, hi, func(at int, v blas64.General) { CopyBlock(Columns(all, at, at+v.Cols), v) })
	return all
}

// Room returns how many independent columns can still be added.
func (b *Basis) Room() int { return b.Space.Among(b.V.Rows) - b.Known.Size() - b.Size }

// Panels calls body for every panel of rows, [lo, hi), in parallel.
func (b *Basis) Panels(body func(chunk, lo, hi int)) {
	MustRun(parallel.For(context.Background(), b.V.Rows, b.Grain, func(_, lo, hi int) error {
		body(lo/b.Grain, lo, hi)
		return nil
	}))
}

// copy copies blocks of vectors.
func (b *Basis) copy(dst, src blas64.General) {
	b.Panels(func(_, lo, hi int) { CopyBlock(Rows(dst, lo, hi), Rows(src, lo, hi)) })
}

// Orthogonalise subtracts from w its components in the basis and in the known vectors, twice
// (classical Gram-Schmidt in two passes is as accurate as Householder), and returns the
// coefficients Vᵀw, size×w.Cols. The known vectors are removed at the start and at the end, because
// a component of them left in the basis would grow from step to step.
//
// The first pass may leave out the columns before from, to which w is known to be orthogonal up to
// rounding. 4·n·(2·size − from)·w.Cols flops. The basis is read at most three times, since the
// second coefficients are computed while a panel is in cache.
func (b *Basis) Orthogonalise(w blas64.General, from int) blas64.General {
	k, c := b.Size, w.Cols
	b.Known.Project(w)
	if k == 0 || c == 0 {
		return NewBlock(k, c)
	}
	width, groups := groupsOf(c)
	chunks := parallel.Chunks(w.Rows, b.Grain)
	partial := make([]float64, chunks*k*groups*width)
	// pass goes through the columns from the given one on: it subtracts their multiples h, if there
	// are any, and adds the coefficients of what is left to the chunk's, if they are wanted.
	// Coefficients are kept by groups of columns of w.
	pass := func(from int, h []float64, again int) []float64 {
		parts, wanted, step := b.Parts(from, k), b.Parts(again, k), panelRows(k)
		size := (k - again) * groups * width
		b.Panels(func(chunk, first, end int) {
			sums := partial[chunk*size:][:size]
			clear(sums)
			t := talls.Get().(*tall)
			t.engine, t.width = b.Engine, width
			defer talls.Put(t)
			for lo := first; lo < end; lo += step {
				hi := min(lo+step, end)
				panel := Rows(w, lo, hi)
				t.load(panel)
				if h != nil {
					eachPart(parts, lo, hi, func(at int, v blas64.General) { t.subtract(v, h, at, k-from) })
					t.store(panel)
				}
				eachPart(wanted, lo, hi, func(at int, v blas64.General) { t.addDots(sums, v, at, k-again) })
			}
		})
		return b.Space.Summed(SumParts(partial[:chunks*size], size))
	}
	first := slices.Clone(pass(k, nil, from))
	second := slices.Clone(pass(from, first, 0))
	pass(0, second, k)
	b.Known.Project(w)
	h := NewBlock(k, c)
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

// Limits of the length of a product after orthogonalisation, relative to the norm of the operator.
// Below short, rounding may be a significant part of the column, so it is orthogonalised once more
// at unit length. Below tiny, it is rounding only.
const (
	short = 1e-3
	Tiny  = 1e-13
)

// Mostly is the least length that a unit column, orthogonalised once more, keeps if it was not
// mostly rounding.
const Mostly = 0.5

// Append orthonormalises the columns of w, which are orthogonal to the basis, and adds them to the
// basis. It returns R (kept × w.Cols) with w = Q·R. It replaces dependent columns by random
// vectors, which have zero rows in R, up to want columns or the available room. If it keeps as many
// columns as w has, w then holds them.
func (b *Basis) Append(w blas64.General, want int, scale float64) blas64.General {
	want = min(want, b.Room())
	if want == w.Cols {
		if r, ok := b.orthonormalise(w, short*scale); ok {
			b.Push(w)
			return r
		}
		if r, ok := b.lengthen(w, Tiny*scale); ok {
			b.Push(w)
			return r
		}
	}
	r := b.AppendOneByOne(w, want, Tiny*scale)
	if r.Rows == w.Cols {
		b.Read(w, b.Size-w.Cols)
	}
	return r
}

// lengthen makes short columns orthonormal, which are orthogonal to the basis up to rounding, and
// returns R: as a block, it scales them to unit length and orthogonalises them once more. If a
// column is not longer than tiny, was mostly rounding or is nearly dependent on the others, it
// fails and leaves w unchanged.
func (b *Basis) lengthen(w blas64.General, tiny float64) (blas64.General, bool) {
	c := w.Cols
	lengths := b.Space.Norms(blas64.General{}, w)
	for _, length := range lengths {
		if !(length > tiny) {
			return blas64.General{}, false
		}
	}
	original := NewBlock(w.Rows, c)
	b.copy(original, w)
	for j, length := range lengths {
		blas64.Scal(1/length, blas64.Vector{N: w.Rows, Inc: w.Stride, Data: w.Data[j:]})
	}
	b.Orthogonalise(w, 0)
	whole := true
	for _, left := range b.Space.Norms(blas64.General{}, w) {
		whole = whole && left > Mostly
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

// Push adds the columns of w, which are orthonormal and orthogonal to the basis.
func (b *Basis) Push(w blas64.General) {
	b.write(b.Size, w)
	b.Size += w.Cols
}

// wellApart is the least fraction of a column's length outside the span of the columns before it
// for which one round of Cholesky-QR does.
const wellApart = 0.3

// orthonormalise makes the columns of w orthonormal by Cholesky-QR and returns R. It does a second
// round unless the columns were far from dependent. If columns are short or nearly dependent, it
// fails and leaves w unchanged.
func (b *Basis) orthonormalise(w blas64.General, short float64) (blas64.General, bool) {
	c := w.Cols
	r := NewBlock(c, c)
	for i := range c {
		r.Data[i*c+i] = 1
	}
	var original blas64.General
	for round := range 2 {
		u, apart := cholesky(b.gram(w), short)
		switch {
		case apart >= 1e-3:
		case round == 0:
			return blas64.General{}, false
		default:
			b.copy(w, original)
			return blas64.General{}, false
		}
		if round == 0 && apart <= wellApart {
			if len(b.Spare) < w.Rows*c {
				b.Spare = make([]float64, w.Rows*c)
			}
			original = AsBlock(b.Spare[:w.Rows*c], w.Rows, c)
			b.copy(original, w)
		}
		b.Panels(func(_, lo, hi int) { solveRows(Rows(w, lo, hi), u) })
		r = upperProduct(u, r)
		if apart > wellApart {
			break // the loss of orthogonality, rounding/apart², is negligible
		}
	}
	return r, true
}

// gram is wᵀw, summed over panels in order.
func (b *Basis) gram(w blas64.General) blas64.General {
	c := w.Cols
	partial := make([]float64, parallel.Chunks(w.Rows, b.Grain)*c*c)
	b.Panels(func(chunk, lo, hi int) {
		p := Rows(w, lo, hi)
		b.Engine.Gemm(blas.Trans, blas.NoTrans, 1, p, p, 0, AsBlock(partial[chunk*c*c:][:c*c], c, c))
	})
	return AsBlock(b.Space.Summed(SumParts(partial, c*c)), c, c)
}

// cholesky returns the upper triangle U with g = UᵀU, and the smallest fraction of a column's
// length that lies outside the span of the columns before it: 0 if a column is not longer than
// short.
func cholesky(g blas64.General, short float64) (u blas64.General, apart float64) {
	c := g.Cols
	u, apart = NewBlock(c, c), 1
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
	if c == 2 {
		first, second, above := 1/u.Data[0], 1/u.Data[3], u.Data[1]
		for i := range w.Rows {
			x := w.Data[i*w.Stride:][:2]
			a := x[0] * first
			x[0], x[1] = a, (x[1]-a*above)*second
		}
		return
	}
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
	p := NewBlock(c, c)
	for i := range c {
		for k := i; k < c; k++ {
			for j := k; j < c; j++ {
				p.Data[i*c+j] += a.Data[i*c+k] * b.Data[k*c+j]
			}
		}
	}
	return p
}

// AppendOneByOne is append for blocks that are rank-deficient or have more columns than there is
// room.
func (b *Basis) AppendOneByOne(w blas64.General, want int, tiny float64) blas64.General {
	base := b.Size
	r := NewBlock(want, w.Cols)
	column := NewBlock(w.Rows, 1)
	for c := range w.Cols {
		CopyBlock(column, Columns(w, c, c+1))
		h := b.Orthogonalise(column, 0)
		for i := base; i < b.Size; i++ {
			r.Data[(i-base)*r.Stride+c] = h.Data[i]
		}
		norm := b.Space.Norm(column)
		if norm > tiny && b.Size-base < want && b.refine(column, norm) {
			r.Data[(b.Size-base)*r.Stride+c] = norm
			b.Push(column)
		}
	}
	for b.Size-base < want {
		if !b.PushRandom(column) {
			return Rows(r, 0, b.Size-base)
		}
	}
	return r
}

// refine turns a column of the given length, orthogonal to everything up to rounding, into a unit
// vector that is also orthogonal at unit length. It rejects a column that was mostly rounding.
func (b *Basis) refine(column blas64.General, norm float64) bool {
	blas64.Scal(1/norm, Vector(column))
	b.Orthogonalise(column, 0)
	left := b.Space.Norm(column)
	if !(left > Mostly) {
		return false
	}
	blas64.Scal(1/left, Vector(column))
	return true
}

// PushRandom adds one random unit vector orthogonal to everything.
func (b *Basis) PushRandom(column blas64.General) bool {
	for range 5 {
		for i := range column.Data {
			column.Data[i] = b.Rng.NormFloat64()
		}
		b.Orthogonalise(column, 0)
		if norm := b.Space.Norm(column); norm > 1e-6 && b.refine(column, norm) {
			b.Push(column)
			return true
		}
	}
	return false
}

// Rotate replaces the columns [from, from+s.Rows) with their products with s (s.Cols columns) and
// drops the columns after them. 2·n·s.Rows·s.Cols flops, one panel of scratch memory.
func (b *Basis) Rotate(from int, s blas64.General) {
	parts := b.Parts(from, from+s.Cols)
	b.multiply(from, s, func(lo, hi int, product blas64.General) {
		eachPart(parts, lo, hi, func(at int, v blas64.General) {
			CopyBlock(v, Columns(product, at, at+v.Cols))
		})
	})
	b.Size = from + s.Cols
}

// Combine returns the columns [from, from+s.Rows) times s as a new matrix.
func (b *Basis) Combine(from int, s blas64.General) blas64.General {
	out := NewBlock(b.V.Rows, s.Cols)
	b.CombineInto(out, from, s)
	return out
}

// CombineInto sets out to what combine returns.
func (b *Basis) CombineInto(out blas64.General, from int, s blas64.General) {
	b.multiply(from, s, func(lo, hi int, product blas64.General) { CopyBlock(Rows(out, lo, hi), product) })
}
