package scple

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/methods/geodesic"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// candidate is a point that another may be joined to.
type candidate struct {
	other int32
	value float64 // squared distance, then similarity
}

// Graphs are the intra-class and the inter-class graph of the rows of x.
//
// It costs graph.Nearest within each class and graph.NearestAmong between each class and the
// others: together the n²·d flops of one neighbour graph (dense rows), and a copy of the rows per
// class. Errors: a request that is wrong (errors.Is(err, fs.ErrInvalid)), and the context's.
func Graphs(ctx context.Context, x mat.Matrix, known []int, classes int, opt Options) (intra, inter *graph.Graph, err error) {
	if x, err = sparse.Stored(x); err != nil {
		return nil, nil, err
	}
	if s, ok := x.(*sparse.CSR); ok {
		x = s.Compact()
	}
	n, _ := x.Dims()
	of, err := labels.Check(known, n, classes, nil)
	if err = invalid.Join(opt.validateOwn(), opt.LE.Graph.Validate(), err); err != nil {
		return nil, nil, err
	}
	k := opt.LE.Graph.Neighbors
	k = cmp.Or(k, graph.DefaultNeighbors)
	if err := checkRows(x, of); err != nil {
		return nil, nil, err
	}
	own, others := make([][]candidate, n), make([][]candidate, n)
	for c, members := range of {
		if err := nearest(ctx, x, members, members, k, own); err != nil {
			return nil, nil, err
		}
		var rest []int32
		for i, label := range known {
			if label >= 0 && label != c {
				rest = append(rest, int32(i))
			}
		}
		if err := nearest(ctx, x, members, rest, k, others); err != nil {
			return nil, nil, err
		}
		opt.LE.Graph.Observer.Report(Stage, int64(c+1), int64(classes), "classes")
	}
	width := opt.Width
	if width == 0 {
		count := 0
		for _, lists := range [][][]candidate{own, others} {
			for _, list := range lists {
				for _, c := range list {
					count++
					width += (c.value - width) / float64(count)
				}
			}
		}
	}
	w, b := similarities(own, others, width)
	if intra, err = graph.FromAffinity(levelled(w, false)); err != nil {
		return nil, nil, err
	}
	if inter, err = graph.FromAffinity(levelled(b, true)); err != nil {
		return nil, nil, err
	}
	return intra, inter, nil
}

// checkRows refuses labelled rows whose distances are not finite and names their place in x: the
// searches know only their place in a class.
func checkRows(x mat.Matrix, of [][]int32) error {
	_, d := x.Dims()
	s, isSparse := x.(*sparse.CSR)
	row := make([]float64, d)
	for _, members := range of {
		for _, i := range members {
			var cols []int32
			values := row
			if isSparse {
				cols, values = s.Row(int(i))
			} else {
				mat.Row(row, int(i), x)
			}
			norm2 := 0.0
			for k, v := range values {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					if isSparse {
						k = int(cols[k])
					}
					return &sparse.NotFiniteError{Row: int(i), Col: k, Value: v}
				}
				norm2 += v * v
			}
			if norm2 > math.MaxFloat64/8 { // the limit of package graph
				return invalid.At(int(i), -1, "{} is too long for distances in 64-bit numbers: scale the data down")
			}
		}
	}
	return nil
}

// nearest adds to the lists of some rows of x their k nearest among others. If the two are the
// same, a row is not its own neighbour.
func nearest(ctx context.Context, x mat.Matrix, of, among []int32, k int, lists [][]candidate) error {
	same := len(of) == len(among) && of[0] == among[0]
	if same && len(of) < 2 {
		return nil
	}
	var near *graph.KNN
	var err error
	if same {
		near, err = graph.Nearest(ctx, selected(x, of), min(k, len(of)-1), nil)
	} else {
		near, err = graph.NearestAmong(ctx, selected(x, of), selected(x, among), min(k, len(among)), nil)
	}
	if err != nil {
		return err
	}
	for r, i := range of {
		index, dist2, _ := near.Row(r)
		for c, j := range index {
			lists[i] = append(lists[i], candidate{among[j], dist2[c]})
		}
	}
	return nil
}

// selected copies the rows of x with the given numbers.
func selected(x mat.Matrix, numbers []int32) mat.Matrix {
	at := make([]int, len(numbers))
	for r, i := range numbers {
		at[r] = int(i)
	}
	return rows.Select(x, at)
}

// similarities keeps the candidates at or above each point's mean similarity, and always the
// nearest of its own class.
func similarities(own, others [][]candidate, width float64) (intra, inter *sparse.CSR) {
	n := len(own)
	intra, inter = &sparse.CSR{NumRows: n, NumCols: n, RowPtr: make([]int, n+1)}, &sparse.CSR{NumRows: n, NumCols: n, RowPtr: make([]int, n+1)}
	for i := range n {
		mean, count := 0.0, 0
		for _, list := range [][]candidate{own[i], others[i]} {
			for c := range list {
				if d := list[c].value; d == 0 {
					list[c].value = 1
				} else {
					list[c].value = math.Exp(-d / width)
				}
				count++
				mean += (list[c].value - mean) / float64(count)
			}
		}
		keep := func(out *sparse.CSR, list []candidate, always int) {
			var row []candidate
			for c, e := range list {
				if c < always {
					e.value = max(e.value, mean)
				}
				if e.value >= mean && e.value > 0 {
					row = append(row, e)
				}
			}
			slices.SortFunc(row, func(a, b candidate) int { return int(a.other - b.other) })
			for _, e := range row {
				out.Col, out.Val = append(out.Col, e.other), append(out.Val, e.value)
			}
			out.RowPtr[i+1] = len(out.Col)
		}
		keep(intra, own[i], 1)
		keep(inter, others[i], 0)
	}
	return geodesic.Union(intra), geodesic.Union(inter)
}

// levelled divides the weight of an edge by the larger of the degrees of its ends, which leaves no
// degree above 1, or by the smaller, which leaves no degree below 1.
func levelled(w *sparse.CSR, larger bool) *sparse.CSR {
	w = w.Clone()
	degree := w.RowSums()
	for i, own := range degree {
		for k := w.RowPtr[i]; k < w.RowPtr[i+1]; k++ {
			if other := degree[w.Col[k]]; larger {
				w.Val[k] /= max(own, other)
			} else {
				w.Val[k] /= min(own, other)
			}
		}
	}
	return w
}
