package corpus

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/vecmath"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// The weightings and normalizations of [Corpus.Weighted].
const (
	WeightTF        = "tf"        // entries as they are: counts, or any features
	WeightTFIDF     = "tfidf"     // count · ln(n/df)
	WeightHellinger = "hellinger" // √(count · ln(n/df))
	WeightBinary    = "binary"    // 1 if the count is not 0
	WeightStandard  = "standard"  // entry / standard deviation of its column
	NormL2          = "l2"        // documents of unit Euclidean length
	NormNone        = "none"
)

// rowGrain is how many rows one step of a parallel loop over rows takes.
const rowGrain = 256

// Weighted returns the documents with weighted entries and scaled rows, as a method takes them. The
// corpus is unchanged. The result is sparse if X is sparse and dense if it is dense. It may share
// memory with X, so treat it as read-only.
//
// Weighting "tf" (also "") takes the entries as they are. "tfidf" multiplies the count of term j by
// idf_j = ln(n / df_j), where n is the number of documents and df_j of them have term j (Salton and
// Buckley 1988, without smoothing). A term that all documents have gets weight 0, so in a corpus of
// one document all weights are 0. "hellinger" takes the square root of this weight: the cosine of
// two documents is then the Bhattacharyya coefficient of their tf-idf weights, as distributions
// over the terms, in which a repeated word counts less. "binary" puts 1 for every entry that is not
// 0. "standard" divides an entry by the standard deviation of its column ([Corpus.Deviations]), so
// that columns in different units count alike; it moves none, so that zeros stay, and puts 0 into a
// column of one value. Normalize "l2" (also "") scales every document to Euclidean length 1, except
// one without entries; "none" leaves lengths as they are. Entries that become 0 are not stored.
//
// If documents are divided among ranks, n and df_j count the documents of all ranks, so the weights
// have the bits of one process; the call is collective then.
//
// An unknown name and an entry that is not finite are errors that satisfy errors.Is(err,
// fs.ErrInvalid). So is a negative entry with "tfidf", "hellinger" and "binary", which need counts.
// Cost O(entries) in two passes; 8 bytes per entry (sparse ones share the structure of X, and take
// 12 per entry left if some become 0), none for "tf" with "none".
//
// Of entries in single precision the result is in single precision: it shares sparse entries, whose
// weights are computed when they are read, with 8 bytes per row and column, and rounds the weights
// of dense ones, 4 bytes each. Sparse entries that have weights already are weighted in double
// precision.
func (c *Corpus) Weighted(weighting, normalize string) (mat.Matrix, error) {
	if err := checkWeighting(weighting, normalize); err != nil {
		return nil, err
	}
	return c.weighted(weighting, normalize, nil)
}

// weighted is Weighted with given weights of the columns; nil takes this corpus' weights.
func (c *Corpus) weighted(weighting, normalize string, columns []float64) (mat.Matrix, error) {
	w := weigher{corpus: c, kind: weighting, counts: needsCounts(weighting), asIs: weighting == "" || weighting == WeightTF, unit: normalize != NormNone, columns: columns}
	switch x := c.X.(type) {
	case *sparse.CSR:
		return w.sparse(x)
	case *sparse.Counts:
		return w.sparse(x.CSR())
	case *mat.Dense:
		return w.dense(x)
	case *sparse.Single:
		if x.HasWeights() && (!w.asIs || w.unit) {
			return w.sparse(x.Double())
		}
		return w.single(x)
	case *sparse.SingleDense:
		if x.Wide && (!w.asIs || w.unit) {
			return w.wide(x)
		}
		return w.singleDense(x)
	}
	return nil, c.typeError()
}

func (c *Corpus) typeError() error {
	return invalid.Errorf("%s: the matrix is a %T, where a *sparse.CSR or *mat.Dense is needed; convert it with sparse.FromMatrix", c.Name, c.X)
}

func checkWeighting(weighting, normalize string) error {
	var errs []error
	switch weighting {
	case "", WeightTF, WeightTFIDF, WeightHellinger, WeightBinary, WeightStandard:
	default:
		errs = append(errs, invalid.Errorf("unknown weighting %q; use tf, tfidf, hellinger, binary or standard", weighting))
	}
	switch normalize {
	case "", NormL2, NormNone:
	default:
		errs = append(errs, invalid.Errorf("unknown normalization %q; use l2 or none", normalize))
	}
	return invalid.Join(errs...)
}

// weigher applies one weighting to the rows of a matrix.
type weigher struct {
	corpus  *Corpus
	kind    string
	counts  bool // entries must be counts
	asIs    bool // entries are their own weights
	unit    bool
	narrow  bool      // entries are float32 numbers, and messages write them so
	columns []float64 // the weight of each column, where the kind takes it ([Corpus.ColumnWeights])
	factors []float64 // what entries are multiplied by: columns, or their square roots for "hellinger"
}

// NeedsIDF reports whether a weighting takes the inverse document frequencies of the terms.
func NeedsIDF(weighting string) bool {
	return weighting == WeightTFIDF || weighting == WeightHellinger
}

// NeedsColumnWeights reports whether a weighting takes a weight of each column
// ([Corpus.ColumnWeights]).
func NeedsColumnWeights(weighting string) bool {
	return NeedsIDF(weighting) || weighting == WeightStandard
}

// needsCounts reports whether a weighting refuses negative entries.
func needsCounts(weighting string) bool {
	return NeedsIDF(weighting) || weighting == WeightBinary
}

// settle finds the weights of the columns, unless they are another corpus'.
func (w *weigher) settle() error {
	if !NeedsColumnWeights(w.kind) {
		return nil
	}
	if w.columns == nil {
		var err error
		if w.columns, err = w.corpus.ColumnWeights(w.kind); err != nil {
			return err
		}
	}
	w.factors = w.columns
	if w.kind == WeightHellinger {
		w.factors = make([]float64, len(w.columns))
		for j, v := range w.columns {
			w.factors[j] = math.Sqrt(v)
		}
	}
	return nil
}

// take is what is taken of a count.
func (w *weigher) take() sparse.Take {
	switch w.kind {
	case WeightBinary:
		return sparse.TakeOne
	case WeightHellinger:
		return sparse.TakeRoot
	}
	return sparse.TakeValue
}

// sparse weighs a sparse matrix. The result shares the structure of x, unless an entry becomes 0.
func (w *weigher) sparse(x *sparse.CSR) (*sparse.CSR, error) {
	if err := w.corpus.agree(w.check(x.NumRows, func(i int, _ []float64) ([]int32, []float64) { return x.Row(i) })); err != nil {
		return nil, err
	}
	if w.asIs && !w.unit {
		return x, nil
	}
	if err := w.settle(); err != nil {
		return nil, err
	}
	out := &sparse.CSR{NumRows: x.NumRows, NumCols: x.NumCols, RowPtr: x.RowPtr, Col: x.Col, Val: make([]float64, len(x.Val))}
	parts := make([]int, parallel.Chunks(x.NumRows, rowGrain)) // entries of a chunk that are not 0
	w.rows(x.NumRows, func(i int) {
		cols, vals := x.Row(i)
		weights := out.Val[out.RowPtr[i]:out.RowPtr[i+1]]
		w.row(weights, cols, vals)
		for _, v := range weights {
			if v != 0 {
				parts[i/rowGrain]++
			}
		}
	})
	kept := 0
	for _, n := range parts {
		kept += n
	}
	if kept < len(out.Val) {
		return withoutZeros(out, kept), nil
	}
	return out, nil
}

// dense weighs a dense matrix.
func (w *weigher) dense(x *mat.Dense) (*mat.Dense, error) {
	n, m := x.Dims()
	if err := w.corpus.agree(w.check(n, func(i int, _ []float64) ([]int32, []float64) { return nil, x.RawRowView(i) })); err != nil {
		return nil, err
	}
	if w.asIs && !w.unit {
		return x, nil
	}
	if err := w.settle(); err != nil {
		return nil, err
	}
	out := mat.NewDense(n, m, nil)
	w.rows(n, func(i int) { w.row(out.RawRowView(i), nil, x.RawRowView(i)) })
	return out, nil
}

// wide weighs a dense matrix of float32 numbers in double precision, as [weigher.dense] does.
func (w *weigher) wide(x *sparse.SingleDense) (*mat.Dense, error) {
	values := rowsOf(x)
	if err := w.check(x.NumRows, func(i int, buf []float64) ([]int32, []float64) { return nil, values(i, buf) }); err != nil {
		return nil, err
	}
	if err := w.settle(); err != nil {
		return nil, err
	}
	out := mat.NewDense(x.NumRows, x.NumCols, nil)
	w.chunks(x.NumRows, func(lo, hi int) {
		var vals []float64
		for i := lo; i < hi; i++ {
			vals = values(i, vals)
			w.row(out.RawRowView(i), nil, vals)
		}
	})
	return out, nil
}

// rowsOf returns row i in double precision, in buf if that is not nil.
func rowsOf(x *sparse.SingleDense) func(i int, buf []float64) []float64 {
	return func(i int, buf []float64) []float64 {
		if buf == nil {
			buf = make([]float64, x.NumCols)
		}
		x.Values(i, buf)
		return buf
	}
}

// single weighs a sparse matrix in single precision. The result shares its entries, unless some
// become 0: weights are applied when a value is read.
func (w *weigher) single(x *sparse.Single) (*sparse.Single, error) {
	p := x.Pattern()
	w.narrow = !x.HasWeights()
	if err := w.check(p.NumRows, func(i int, buf []float64) ([]int32, []float64) {
		return p.Col[p.RowPtr[i]:p.RowPtr[i+1]], x.Values(i, buf)
	}); err != nil {
		return nil, err
	}
	if w.asIs && !w.unit {
		return x, nil
	}
	if err := w.settle(); err != nil {
		return nil, err
	}
	out := x.Weighted(w.take(), w.factors, nil).WithoutZeros()
	if !w.unit {
		return out, nil
	}
	lengths := make([]float64, p.NumRows)
	w.chunks(p.NumRows, func(lo, hi int) {
		var buf []float64
		for i := lo; i < hi; i++ {
			buf = out.Values(i, buf)
			lengths[i] = 1
			if sum := squares(buf); sum > 0 {
				lengths[i] = math.Sqrt(sum) // far from overflow and underflow: the values are in single precision
			}
		}
	})
	return out.Weighted(w.take(), w.factors, lengths), nil
}

// singleDense weighs a dense matrix in single precision. The weights are rounded again.
func (w *weigher) singleDense(x *sparse.SingleDense) (*sparse.SingleDense, error) {
	w.narrow = !x.Wide
	values := rowsOf(x)
	if err := w.check(x.NumRows, func(i int, buf []float64) ([]int32, []float64) { return nil, values(i, buf) }); err != nil {
		return nil, err
	}
	if w.asIs && !w.unit {
		return x, nil
	}
	if err := w.settle(); err != nil {
		return nil, err
	}
	out := &sparse.SingleDense{NumRows: x.NumRows, NumCols: x.NumCols, Val: make([]float32, len(x.Val))}
	faults := make([]error, parallel.Chunks(x.NumRows, rowGrain))
	w.chunks(x.NumRows, func(lo, hi int) {
		var vals []float64
		weights := make([]float64, x.NumCols)
		for i := lo; i < hi; i++ {
			vals = values(i, vals)
			w.row(weights, nil, vals)
			to := out.Row(i)
			for j, v := range weights {
				if to[j], faults[lo/rowGrain] = sparse.Narrowed(v, i, j); faults[lo/rowGrain] != nil {
					return
				}
			}
		}
	})
	if err := cmp.Or(faults...); err != nil {
		return nil, w.corpus.outOfRange(err, "weight")
	}
	return out, nil
}

// outOfRange names the document and the term of a value, or a weight, that single precision cannot
// hold.
func (c *Corpus) outOfRange(err error, what string) error {
	var at *sparse.PrecisionError
	if !errors.As(err, &at) {
		return err
	}
	return invalid.Errorf("%s: document %s, term %s: the %s %v is outside of the range of single precision: give ‹precision› double, or scale the data",
		c.Name, message.Clip(c.ID(at.Row), 60), c.termName(at.Col), what, at.Value)
}

// ToSingle stores the entries in single precision: X becomes a *sparse.Single or a
// *sparse.SingleDense, the matrix that was there is unchanged. A value that single precision cannot
// hold is an error (fs.ErrInvalid) that names the document and the term.
//
// A dense matrix may have columns whose values are far from 0 and differ little, so that rounding
// leaves few of the digits in which they differ ([sparse.Rounding]): Notes names the first.
func (c *Corpus) ToSingle() error {
	x, err := sparse.ToSingle(c.X)
	if err != nil {
		return c.outOfRange(err, "value")
	}
	c.X = x
	if dense, ok := x.(*sparse.SingleDense); ok && len(dense.Coarse) > 0 {
		note := fmt.Sprintf("Single precision keeps few of the digits in which the values of %s differ (first: %s): give ‹precision› double, or subtract a constant from such a column.",
			message.Plural(len(dense.Coarse), "column", "columns"), c.termName(dense.Coarse[0]))
		if !slices.Contains(c.Notes, note) {
			c.Notes = append(slices.Clone(c.Notes), note)
		}
	}
	return nil
}

// check refuses the first entry that the weighting cannot take. row reads a row, into buf where it
// has to; cols is nil for a dense one. It is called from several goroutines.
func (w *weigher) check(n int, row func(i int, buf []float64) (cols []int32, vals []float64)) error {
	first := make([]int, parallel.Chunks(n, rowGrain)) // the first refused row of a chunk and 1
	w.chunks(n, func(lo, hi int) {
		var buf []float64
		for i := lo; i < hi && first[lo/rowGrain] == 0; i++ {
			if _, buf = row(i, buf); w.refused(buf) >= 0 {
				first[lo/rowGrain] = i + 1
			}
		}
	})
	at := slices.IndexFunc(first, func(i int) bool { return i > 0 })
	if at < 0 {
		return nil
	}
	i := first[at] - 1
	cols, vals := row(i, nil)
	k := w.refused(vals)
	j, v := k, vals[k]
	if cols != nil {
		j = int(cols[k])
	}
	place := "document " + message.Clip(w.corpus.ID(i), 60) + ", term " + w.corpus.termName(j)
	if v-v != 0 {
		return invalid.Errorf("%s: %s: the entry is %v; replace entries that are not finite numbers", w.corpus.Name, place, v)
	}
	written := any(v)
	if w.narrow {
		written = float32(v)
	}
	return invalid.Errorf("%s: %s: the entry %v is negative, but ‹weighting› %s needs counts: give ‹weighting› tf", w.corpus.Name, place, written, w.kind)
}

// refused is the place of the first value that the weighting cannot take, -1 if there is none.
func (w *weigher) refused(vals []float64) int {
	if !w.counts && vecmath.Finite(vals) {
		return -1
	}
	for k, v := range vals {
		if v-v != 0 || w.counts && v < 0 { // in this order, which branches on no sign
			return k
		}
	}
	return -1
}

// chunks calls body for every chunk of rows, in parallel.
func (w *weigher) chunks(n int, body func(lo, hi int)) {
	// Neither the context nor body can fail.
	_ = parallel.For(context.Background(), n, rowGrain, func(_, lo, hi int) error { body(lo, hi); return nil })
}

// rows calls body for every row, in parallel.
func (w *weigher) rows(n int, body func(i int)) {
	w.chunks(n, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			body(i)
		}
	})
}

// row weighs one row; cols is nil for a dense one.
func (w *weigher) row(dst []float64, cols []int32, vals []float64) {
	switch w.kind {
	case WeightBinary:
		for k, v := range vals {
			dst[k] = 0
			if v != 0 {
				dst[k] = 1
			}
		}
	case WeightTFIDF, WeightStandard:
		if cols == nil {
			for j, v := range vals {
				dst[j] = v * w.factors[j]
			}
			break
		}
		for k, v := range vals {
			dst[k] = v * w.factors[cols[k]]
		}
	case WeightHellinger:
		for k, v := range vals {
			j := k
			if cols != nil {
				j = int(cols[k])
			}
			dst[k] = math.Sqrt(v) * w.factors[j]
		}
	default:
		copy(dst, vals)
	}
	if w.unit {
		toUnit(dst)
	}
}

// squares is the sum of the squares of v.
func squares(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x * x
	}
	return sum
}

// toUnit scales v to Euclidean length 1; a zero vector stays.
func toUnit(v []float64) {
	sum := squares(v)
	// Squares have overflowed or lost digits: scale the largest entry to near 1.
	if sum < 1e-280 || sum > 1e300 {
		largest := 0.0
		for _, x := range v {
			largest = max(largest, math.Abs(x))
		}
		if largest == 0 {
			return
		}
		_, exp := math.Frexp(largest)
		sum = 0
		for k, x := range v {
			v[k] = math.Ldexp(x, -exp)
			sum += v[k] * v[k]
		}
	}
	length := math.Sqrt(sum)
	for k := range v {
		v[k] /= length
	}
}

// denseCounts returns the number of documents that have each term.
func denseCounts(x *mat.Dense) []int {
	n, m := x.Dims()
	df := make([]int, m)
	for i := range n {
		for j, v := range x.RawRowView(i) {
			if v != 0 {
				df[j]++
			}
		}
	}
	return df
}

// singleCounts is denseCounts of a matrix in single precision.
func singleCounts(x *sparse.SingleDense) []int {
	df := make([]int, x.NumCols)
	for i := range x.NumRows {
		for j, v := range x.Row(i) {
			if v != 0 {
				df[j]++
			}
		}
	}
	return df
}

// idf returns ln(n/df) of every term; 0 for a term of no document, which has no entry to weigh.
func idf(df []int, n int) []float64 {
	weights := make([]float64, len(df))
	for j, d := range df {
		if d > 0 {
			weights[j] = math.Log(float64(n) / float64(d))
		}
	}
	return weights
}

// withoutZeros copies the entries of a that are not 0; kept is their number.
func withoutZeros(a *sparse.CSR, kept int) *sparse.CSR {
	b := &sparse.CSR{NumRows: a.NumRows, NumCols: a.NumCols, RowPtr: make([]int, a.NumRows+1), Col: make([]int32, 0, kept), Val: make([]float64, 0, kept)}
	for i := range a.NumRows {
		cols, vals := a.Row(i)
		for k, v := range vals {
			if v != 0 {
				b.Col, b.Val = append(b.Col, cols[k]), append(b.Val, v)
			}
		}
		b.RowPtr[i+1] = len(b.Val)
	}
	return b
}

// termName names column j in a message: its term, else its number counted from 1.
func (c *Corpus) termName(j int) string {
	if c.Terms != nil {
		return message.Clip(strings.TrimSpace(c.Terms[j]), 60)
	}
	return strconv.Itoa(j + 1)
}
