package graph

import (
	"context"
	"encoding/binary"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/sparse"
)

// undirected is a set of edges, symmetric if both ends are in the same set of points, with the raw
// value of each and a mark for edges that count twice.
type undirected struct {
	*sparse.CSR
	twice []bool // nil if there are none
}

// merge visits the union of row i of a and of b, ascending, with both values and whether each is
// present.
func merge(a, b *sparse.CSR, i int, visit func(j int32, av, bv float64, inA, inB bool)) {
	ac, av := a.Row(i)
	bc, bv := b.Row(i)
	for p, q := 0, 0; p < len(ac) || q < len(bc); {
		switch {
		case q == len(bc) || p < len(ac) && ac[p] < bc[q]:
			visit(ac[p], av[p], 0, true, false)
			p++
		case p == len(ac) || bc[q] < ac[p]:
			visit(bc[q], 0, bv[q], false, true)
			q++
		default:
			visit(ac[p], av[p], bv[q], true, true)
			p++
			q++
		}
	}
}

// join makes edges of i→j, in row i of out, and j→i, in row i of in. Both have the same value,
// because it is computed per pair.
func join(out, in *sparse.CSR, opt Options) undirected {
	const grain = 512 // rows
	n := out.NumRows
	u := undirected{CSR: &sparse.CSR{NumRows: n, NumCols: out.NumCols, RowPtr: make([]int, n+1)}}
	// An ε-graph lists each pair once, although it holds in both directions.
	within := opt.Epsilon > 0
	eachRow := func(work func(i int)) {
		// The background context never ends, and bodies return no errors.
		_ = parallel.For(context.Background(), n, grain, func(_, lo, hi int) error {
			for i := lo; i < hi; i++ {
				work(i)
			}
			return nil
		})
	}
	mutualOnly := opt.Symmetry == Mutual && !within
	eachRow(func(i int) {
		a, b := out.Col[out.RowPtr[i]:out.RowPtr[i+1]], in.Col[in.RowPtr[i]:in.RowPtr[i+1]]
		if u.RowPtr[i+1] = common(a, b); !mutualOnly {
			u.RowPtr[i+1] = len(a) + len(b) - u.RowPtr[i+1]
		}
	})
	for i := range n {
		u.RowPtr[i+1] += u.RowPtr[i]
	}
	u.Col, u.Val = make([]int32, u.RowPtr[n]), make([]float64, u.RowPtr[n])
	if opt.Symmetry == Sum {
		u.twice = make([]bool, u.RowPtr[n])
	}
	eachRow(func(i int) {
		at := u.RowPtr[i]
		merge(out, in, i, func(j int32, a, b float64, inA, inB bool) {
			if mutualOnly && !(inA && inB) {
				return
			}
			if !inA {
				a = b
			}
			u.Col[at], u.Val[at] = j, a
			if u.twice != nil {
				u.twice[at] = within || inA && inB
			}
			at++
		})
	})
	return u
}

// common counts the numbers that two ascending lists share.
func common(a, b []int32) (n int) {
	for p, q := 0, 0; p < len(a) && q < len(b); {
		switch {
		case a[p] < b[q]:
			p++
		case b[q] < a[p]:
			q++
		default:
			n++
			p++
			q++
		}
	}
	return n
}

// weigh converts raw values to weights and leaves out edges whose weight is not positive; lost
// counts these, once per direction. rows and cols are the scales of LocalWidth of the rows and
// columns, nil for other rules.
func weigh(u undirected, rows, cols []float64, opt Options) (w *sparse.CSR, lost int, err error) {
	var weight func(raw float64) float64
	switch opt.Weight {
	case Dot:
		weight = func(dot float64) float64 { return dot }
	case Binary:
		weight = func(float64) float64 { return 1 }
	case Heat:
		t := opt.HeatWidth
		weight = func(dist2 float64) float64 {
			if dist2 == 0 {
				return 1 // also if t = 0 because every edge has length 0
			}
			return math.Exp(-dist2 / t)
		}
	case Poly:
		weight = func(dot float64) float64 {
			return math.Pow(max(dot+opt.PolyOffset, 0), float64(opt.PolyDegree))
		}
	}
	few := make([]int, u.NumRows) // entries of each row that are not positive
	overflow := make([]error, u.NumRows)
	// The background context never ends, and bodies return no errors.
	_ = parallel.For(context.Background(), u.NumRows, 512, func(_, lo, hi int) error {
		for i := lo; i < hi; i++ {
			for k := u.RowPtr[i]; k < u.RowPtr[i+1]; k++ {
				v := 0.0
				if rows != nil {
					v = localWeight(u.Val[k], opt.HeatWidth, rows[i], cols[u.Col[k]])
				} else {
					v = weight(u.Val[k])
				}
				if u.twice != nil && u.twice[k] {
					v *= 2
				}
				if math.IsInf(v, 0) && overflow[i] == nil {
					overflow[i] = invalid.At(opt.Share.First()+i, -1, "the weight of an edge of {} overflows: divide the data by a constant, or give another ‹edge-weight›")
				}
				if u.Val[k] = v; !(v > 0) {
					few[i]++
				}
			}
		}
		return nil
	})
	for i, err := range overflow {
		if err != nil {
			return nil, 0, err
		}
		lost += few[i]
	}
	w = &sparse.CSR{NumRows: u.NumRows, NumCols: u.NumCols, RowPtr: slices.Clone(u.RowPtr), Col: u.Col, Val: u.Val}
	if lost == 0 {
		return w, 0, nil
	}
	w.Col, w.Val = u.Col[:0], u.Val[:0] // in place: writing never overtakes reading
	for i := range u.NumRows {
		for k := u.RowPtr[i]; k < u.RowPtr[i+1]; k++ {
			if u.Val[k] > 0 {
				w.Col, w.Val = append(w.Col, u.Col[k]), append(w.Val, u.Val[k])
			}
		}
		w.RowPtr[i+1] = len(w.Col)
	}
	return w, lost, nil
}

// weighOwn is weigh for the edges of the own rows, which have the scales of LocalWidth; nil for
// other rules.
func (u undirected) weighOwn(share *ranks.Share, scales []float64, opt Options) (*sparse.CSR, int, error) {
	if scales == nil || !share.Divided() {
		return weigh(u, scales, scales, opt)
	}
	// The columns are numbered by the points that the own rows have edges to, whose scales their
	// owners know.
	first := int32(share.First())
	others := share.Others(u.Col)
	g := ranks.NewGhosts(share, others)
	theirs := g.Rows(scales, 1, 1)
	cols := make([]float64, 0, len(scales)+len(theirs))
	cols = append(append(cols, scales...), theirs...)
	for k, j := range u.Col {
		if at, found := slices.BinarySearch(others, j); found {
			u.Col[k] = int32(u.NumRows + at)
		} else {
			u.Col[k] = j - first
		}
	}
	w, lost, err := weigh(u, scales, cols, opt)
	if err != nil {
		return nil, 0, err
	}
	for k, j := range w.Col {
		if int(j) < u.NumRows {
			w.Col[k] = j + first
		} else {
			w.Col[k] = others[int(j)-u.NumRows]
		}
	}
	return w, lost, nil
}

// incoming are the edges j→i of all ranks, in row i of the own rows: the transpose. 16 bytes go
// from rank to rank for each.
func incoming(share *ranks.Share, out *sparse.CSR) *sparse.CSR {
	if !share.Divided() {
		return out.Transpose()
	}
	parts := make([][]byte, share.Size())
	for i := range out.NumRows {
		cols, vals := out.Row(i)
		for k, j := range cols {
			r := share.Owner(int(j))
			parts[r] = binary.LittleEndian.AppendUint32(parts[r], uint32(int(j)-share.Bounds[r]))
			parts[r] = binary.LittleEndian.AppendUint32(parts[r], uint32(share.First()+i))
			parts[r] = binary.LittleEndian.AppendUint64(parts[r], math.Float64bits(vals[k]))
		}
	}
	got := share.Exchange(parts)
	in := &sparse.CSR{NumRows: out.NumRows, NumCols: out.NumCols, RowPtr: make([]int, out.NumRows+1)}
	each := func(visit func(i int, j int32, v float64)) {
		for _, part := range got { // the sources ascend from rank to rank, and within each
			for ; len(part) > 0; part = part[16:] {
				visit(int(binary.LittleEndian.Uint32(part)), int32(binary.LittleEndian.Uint32(part[4:])), math.Float64frombits(binary.LittleEndian.Uint64(part[8:])))
			}
		}
	}
	each(func(i int, _ int32, _ float64) { in.RowPtr[i+1]++ })
	for i := range out.NumRows {
		in.RowPtr[i+1] += in.RowPtr[i]
	}
	fill := slices.Clone(in.RowPtr)
	in.Col, in.Val = make([]int32, in.RowPtr[out.NumRows]), make([]float64, in.RowPtr[out.NumRows])
	each(func(i int, j int32, v float64) {
		in.Col[fill[i]], in.Val[fill[i]] = j, v
		fill[i]++
	})
	return in
}

// localWeight is exp(−d²/(factor·a·b)); points at distance 0 have weight 1. The bits do not depend
// on the order of a and b.
func localWeight(dist2, factor, a, b float64) float64 {
	if dist2 == 0 {
		return 1
	}
	// A scale of 0, or a product that underflows, gives exp(−∞) = 0.
	return math.Exp(-dist2 / (factor * (a * b)))
}
