package softlda

import (
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/panel"
	"github.com/eigenmap/eigenmap/internal/words"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// weights are the soft labels of the documents and classes that have any weight.
type weights struct {
	rows   []int     // the documents with weight, ascending
	share  []float64 // p = B_ii/Ñ of each of them
	root   []float64 // √p, of length 1 in all
	masses []float64 // Ñ_c of all classes, empty ones too
	// h is H = B^-½QD^½, one column per class with weight; null is the direction with H·null = root,
	// of length 1: √(Ñ_c/Ñ).
	h    blas64.General
	null []float64
}

// newWeights checks the soft labels of n documents.
func newWeights(q mat.Matrix, n int, opt Options) (*weights, error) {
	if q == nil {
		return nil, invalid.Errorf("there are no soft labels: give a row for each document, with its weight in each class")
	}
	qn, k := q.Dims()
	if qn != n {
		return nil, invalid.Errorf("there are soft labels for %d documents, but there are %d documents", qn, n)
	}
	if k < 2 {
		return nil, invalid.Errorf("the soft labels have %d classes; to tell classes apart takes at least two", k)
	}
	w := &weights{masses: make([]float64, k)}
	sums := make([]float64, n)
	total := 0.0
	for i := range n {
		for c := range k {
			v := q.At(i, c)
			if !(v >= 0) || math.IsInf(v, 0) {
				return nil, invalid.Errorf("the soft label of document %d for class %d (both counted from 1) is %v; it must be finite and not negative", i+1, c+1, v)
			}
			sums[i] += v
			w.masses[c] += v
		}
		if sums[i] > 0 {
			w.rows = append(w.rows, i)
		}
		total += sums[i]
	}
	if math.IsInf(total, 0) {
		return nil, invalid.Errorf("the sum of the soft labels is beyond the largest number (%.3g): divide them by a constant", math.MaxFloat64)
	}
	var full []int
	for c, m := range w.masses {
		if m > 0 {
			full = append(full, c)
			w.null = append(w.null, math.Sqrt(m/total))
		} else {
			opt.Observer.Warnf(Stage, "Class %d has no weight in any document and is left out.", c+1)
		}
	}
	if len(full) < 2 {
		return nil, invalid.Errorf("%d of %d classes %s any weight in the soft labels; to tell classes apart takes at least two", len(full), k, words.Verb(len(full), "has", "have"))
	}
	if left := n - len(w.rows); left > 0 && !opt.Partial {
		opt.Observer.Notef(Stage, "%d of %d documents %s no weight in any class and %s projected only.", left, n, words.Verb(left, "has", "have"), words.Verb(left, "is", "are"))
	}
	w.share, w.root = make([]float64, len(w.rows)), make([]float64, len(w.rows))
	w.h = panel.New(len(w.rows), len(full))
	for to, i := range w.rows {
		w.share[to] = sums[i] / total
		w.root[to] = math.Sqrt(w.share[to])
		row := w.h.Data[to*w.h.Stride:][:len(full)]
		for at, c := range full {
			row[at] = q.At(i, c) / math.Sqrt(sums[i]) / math.Sqrt(w.masses[c])
		}
	}
	return w, nil
}

// project subtracts from each column of u its part along root. For the weighted rows this is the
// centring by the soft total mean.
func (w *weights) project(u blas64.General) {
	along := make([]float64, u.Cols)
	for i, r := range w.root {
		for j, v := range u.Data[i*u.Stride:][:u.Cols] {
			along[j] += r * v
		}
	}
	for i, r := range w.root {
		row := u.Data[i*u.Stride:][:u.Cols]
		for j := range row {
			row[j] -= r * along[j]
		}
	}
}
