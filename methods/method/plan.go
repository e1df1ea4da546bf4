package method

import (
	"github.com/eigenmap/eigenmap/methods/graph"
	"gonum.org/v1/gonum/mat"
)

// Stage is what a stage of the work will take.
type Stage struct {
	Name string
	// Bytes are what its arrays take at the peak, beside what earlier stages keep, and Keeps what is
	// left of them afterwards.
	Bytes, Keeps int64
	// Seconds are a rough estimate on the threads of this process; 0: not known.
	Seconds float64
	// Received are the bytes that a rank receives from others, roughly; 0: none, or not known.
	Received int64
	Helps    []string // options that make it smaller, as ‹name› or ‹name› value
}

// Planner is implemented by options that can say beforehand what their fit takes. The input has
// rows that hold their sizes alone, labels or links without documents, and no observer: Plan reads
// no entry. The bytes come from the functions by which the stages ask for memory.
//
// With Share, the rows and the stages are one rank's.
//
// Errors (fs.ErrInvalid): requests that Fit refuses for the sizes alone.
type Planner interface {
	Plan(in *Input, at Rates) ([]Stage, error)
}

// Rates are what rough times are computed with.
type Rates struct {
	Threads int // of all ranks, where they divide the rows
	Entries int // of the rows, of all ranks; dense rows have all
	Dense   bool
}

// Pairs are the seconds of an exact search for neighbours among pairs of n rows.
func (r Rates) Pairs(pairs float64, n int) float64 {
	return pairs * graph.PairSeconds(r.mean(n), r.Dense) / float64(max(1, r.Threads))
}

// Approximate are the seconds of an approximate search for the neighbours of n rows.
func (r Rates) Approximate(n int) float64 {
	return graph.ApproxSeconds * float64(n) / float64(max(1, r.Threads))
}

// mean is the number of entries of each of n rows.
func (r Rates) mean(n int) float64 { return float64(r.Entries) / float64(max(1, n)) }

// Passes are the seconds of products of a matrix of some entries with blocks of vectors, 2 ns for
// an entry and a vector.
func (r Rates) Passes(entries, vectors float64) float64 {
	return 2e-9 * entries * vectors / float64(max(1, r.Threads))
}

// Shape is a dense matrix without values, for functions that look at sizes alone.
func Shape(n, d int) *mat.Dense {
	var x mat.Dense
	raw := x.RawMatrix()
	raw.Rows, raw.Cols, raw.Stride = n, d, max(1, d)
	x.SetRawMatrix(raw)
	return &x
}
