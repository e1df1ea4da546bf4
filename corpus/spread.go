package corpus

import (
	"context"
	"math"
	"math/big"
	"math/bits"

	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Deviations returns the standard deviation of every column over all documents, √(Σ(x−x̄)²/n); 0
// for a column of one value. If documents are divided among ranks, the call is collective.
//
// A value is taken as the nearest of 2⁴⁸ steps between the least and the largest of its column, and
// steps and their squares are added up as whole numbers. So the result has the same bits in every
// order of the documents, on any number of threads and ranks, and a column far from 0 loses no
// digits. Cost O(entries + columns), three passes; 104 bytes per column, and 40 per column and
// thread. An entry that is not finite, and a matrix of a type that no reader makes, are errors
// (fs.ErrInvalid).
func (c *Corpus) Deviations() ([]float64, error) {
	if c.X == nil {
		return nil, c.typeError()
	}
	s, err := c.spread()
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(s.scale))
	for j := range out {
		out[j] = s.deviation(j)
	}
	return out, nil
}

// spread is what [Corpus.Deviations] and the means of clusters are computed from.
type spread struct {
	corpus    *Corpus
	values    func(i int, buf []float64) (cols []int32, vals []float64) // of a row, in buf where they are computed; cols is nil for a dense one
	low, high []float64                                                 // the least and the largest value of each column
	scale     []float64                                                 // of each column, from halves of values to steps; 0 for a column of one value
	sums      []float64                                                 // numbersOf numbers of each column, over all documents
	parts     [][]columnTotal                                           // memory of [spread.add] for each of its goroutines
}

// columnTotal are sums over documents of the steps of a column.
type columnTotal struct {
	entries      uint64
	sum, squares [2]uint64 // low and high half
}

// spread sums up the columns of all documents. If these are divided among ranks, the call is
// collective.
func (c *Corpus) spread() (*spread, error) {
	s := &spread{corpus: c}
	err := s.read()
	if err = c.agree(err); err != nil {
		return nil, err
	}
	n, cols := c.X.Dims()
	s.ends(cols)
	s.parts = perWorker[columnTotal](s, cols)
	s.sums = make([]float64, cols*numbersOf)
	s.add(s.sums, n, func(at int) int { return at })
	return s, nil
}

// read finds how rows are read, and refuses entries that are not finite.
func (s *spread) read() error {
	ofSparse := func(x sparse.Rows) {
		p := x.Pattern()
		s.values = func(i int, buf []float64) ([]int32, []float64) {
			return p.Col[p.RowPtr[i]:p.RowPtr[i+1]], x.Values(i, buf)
		}
	}
	switch x := s.corpus.X.(type) {
	case *mat.Dense:
		s.values = func(i int, _ []float64) ([]int32, []float64) { return nil, x.RawRowView(i) }
	case *sparse.SingleDense:
		of := rowsOf(x)
		s.values = func(i int, buf []float64) ([]int32, []float64) { return nil, of(i, buf) }
	case *sparse.Counts:
		ofSparse(x.CSR())
	case sparse.Rows:
		ofSparse(x)
	default:
		return s.corpus.typeError()
	}
	n, _ := s.corpus.X.Dims()
	w := weigher{corpus: s.corpus}
	return w.check(n, s.values)
}

// each calls body for the rows row(0), ..., row(n-1), in parallel; cols is nil for a dense one.
func (s *spread) each(n int, row func(at int) int, body func(worker int, cols []int32, vals []float64)) {
	// Neither the context nor the body can fail.
	_ = parallel.For(context.Background(), n, rowGrain, func(worker, lo, hi int) error {
		var cols []int32
		var vals []float64
		for at := lo; at < hi; at++ {
			cols, vals = s.values(row(at), vals)
			body(worker, cols, vals)
		}
		return nil
	})
}

// perWorker is memory for each goroutine of [spread.each].
func perWorker[T any](s *spread, cols int) [][]T {
	n, _ := s.corpus.X.Dims()
	out := make([][]T, parallel.Workers(n, rowGrain))
	for i := range out {
		out[i] = make([]T, cols)
	}
	return out
}

// ends finds the least and the largest value of every column, the zeros of sparse rows among them.
func (s *spread) ends(cols int) {
	type end struct {
		low, high float64
		entries   int
	}
	parts := perWorker[end](s, cols)
	n, _ := s.corpus.X.Dims()
	s.each(n, func(at int) int { return at }, func(worker int, of []int32, vals []float64) {
		part := parts[worker]
		for k, v := range vals {
			if of != nil {
				k = int(of[k])
			}
			e := &part[k]
			if e.entries++; e.entries == 1 {
				e.low, e.high = v, v
			}
			e.low, e.high = min(e.low, v), max(e.high, v)
		}
	})
	s.low, s.high = make([]float64, cols), make([]float64, cols)
	entries := make([]int, cols)
	for j := range cols {
		s.low[j], s.high[j] = math.Inf(1), math.Inf(-1)
		for _, part := range parts {
			if e := part[j]; e.entries > 0 {
				s.low[j], s.high[j] = min(s.low[j], e.low), max(s.high[j], e.high)
				entries[j] += e.entries
			}
		}
	}
	entries = s.corpus.sumInts(entries)
	if d := s.corpus.division; d != nil {
		lows, highs := ranks.GatherFloats(d.team, s.low), ranks.GatherFloats(d.team, s.high)
		for at := range lows {
			s.low[at%cols], s.high[at%cols] = min(s.low[at%cols], lows[at]), max(s.high[at%cols], highs[at])
		}
	}
	s.scale = make([]float64, cols)
	for j, n := range entries {
		if n < s.corpus.Documents() {
			s.low[j], s.high[j] = min(s.low[j], 0), max(s.high[j], 0)
		}
		if half := s.halfWidth(j); half > leastHalf {
			s.scale[j] = (1 << stepBits) / half
		}
	}
}

const (
	stepBits  = 48 // squares have 96 bits, so that 128 hold those of 2³² documents
	limbBits  = 32
	limbs     = 128 / limbBits
	leastHalf = 0x1p-960    // below it, scales leave the range of numbers: such a column counts as one of one value
	numbersOf = 1 + 2*limbs // of a column: its entries, the limbs of their sum and those of the sum of squares
)

// step is the number of a value among the steps of its column, 0 in a column of one value.
func (s *spread) step(j int, v float64) uint64 {
	return uint64(float64((v/2-s.low[j]/2)*s.scale[j]) + 0.5) // one rounding after the other, on every processor
}

// halfWidth is half of what lies between the ends of a column, which cannot overflow.
func (s *spread) halfWidth(j int) float64 { return s.high[j]/2 - s.low[j]/2 }

// add writes to sums, numbersOf numbers of each column, the totals of the documents row(0), ...,
// row(n-1) of all ranks.
func (s *spread) add(sums []float64, n int, row func(at int) int) {
	addTo := func(to *[2]uint64, low, high uint64) {
		var carry uint64
		to[0], carry = bits.Add64(to[0], low, 0)
		to[1], _ = bits.Add64(to[1], high, carry)
	}
	for _, part := range s.parts {
		clear(part)
	}
	s.each(n, row, func(worker int, of []int32, vals []float64) {
		part := s.parts[worker]
		for k, v := range vals {
			if of != nil {
				k = int(of[k])
			}
			t, q := &part[k], s.step(k, v)
			t.entries++
			addTo(&t.sum, q, 0)
			high, low := bits.Mul64(q, q)
			addTo(&t.squares, low, high)
		}
	})
	clear(sums)
	for j := range s.scale {
		all := sums[j*numbersOf : (j+1)*numbersOf]
		for _, part := range s.parts {
			t := part[j]
			all[0] += float64(t.entries)
			for k := range limbs { // sums of limbs are whole numbers far below 2⁵³
				shift := limbBits * (k % 2)
				all[1+k] += float64(t.sum[k/2] >> shift & (1<<limbBits - 1))
				all[1+limbs+k] += float64(t.squares[k/2] >> shift & (1<<limbBits - 1))
			}
		}
	}
	s.corpus.sum(sums)
}

// whole is the number of some limbs.
func whole(limb []float64) *big.Int {
	sum := new(big.Int)
	for k := len(limb) - 1; k >= 0; k-- {
		sum.Add(sum.Lsh(sum, limbBits), big.NewInt(int64(limb[k])))
	}
	return sum
}

// totals are the sums of the steps of column j and of their squares over so many documents, whose
// sums [spread.add] made.
func (s *spread) totals(sums []float64, j, documents int) (sum, squares *big.Int) {
	all := sums[j*numbersOf : (j+1)*numbersOf]
	sum, squares = whole(all[1:1+limbs]), whole(all[1+limbs:])
	if zeros := big.NewInt(int64(documents) - int64(all[0])); zeros.Sign() > 0 { // not stored
		q := new(big.Int).SetUint64(s.step(j, 0))
		sum.Add(sum, new(big.Int).Mul(zeros, q))
		squares.Add(squares, q.Mul(q, q).Mul(q, zeros))
	}
	return sum, squares
}

// deviation is the standard deviation of column j.
func (s *spread) deviation(j int) float64 {
	if s.scale[j] == 0 {
		return 0
	}
	return s.steps(j) / (1 << (stepBits - 1)) * s.halfWidth(j)
}

// steps is the standard deviation of column j in steps.
func (s *spread) steps(j int) float64 { return s.stepsOf(new(given), j) }

// stepsOf is the standard deviation of column j in steps, of the values that were given; 0 if there
// is none.
func (s *spread) stepsOf(g *given, j int) float64 {
	n := s.corpus.Documents()
	sum, squares := s.totals(s.sums, j, n)
	g.without(j, g.gaps(-1, j), sum, squares)
	if n -= g.gaps(-1, j); n == 0 {
		return 0
	}
	// n²·variance = n·Σq² − (Σq)², in squares of steps
	squares.Mul(squares, big.NewInt(int64(n))).Sub(squares, sum.Mul(sum, sum))
	v, _ := new(big.Float).SetInt(squares).Float64()
	return math.Sqrt(v) / float64(n)
}

// value is the value that so many steps of column j are, which need not be a whole number.
func (s *spread) value(j int, steps float64) float64 {
	share := steps / (1 << stepBits)
	return s.low[j] + float64(share*s.halfWidth(j)) + float64(share*s.halfWidth(j)) // cannot overflow
}
