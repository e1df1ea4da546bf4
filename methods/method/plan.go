package method

import (
	"math"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/native"
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

// Peak is the most that stages take at a time: the largest sum of what one takes and what those
// before it keep, in bytes.
func Peak(stages []Stage) int64 {
	peak, kept := int64(0), int64(0)
	for _, s := range stages {
		peak, kept = max(peak, memory.Sum(kept, s.Bytes)), memory.Sum(kept, s.Keeps)
	}
	return peak
}

// AsOne is some stages as one of a name, which keeps some bytes: of a fit that is timed as a whole.
func AsOne(name string, keeps int64, stages ...Stage) Stage {
	one, most := Stage{Name: name, Bytes: Peak(stages), Keeps: keeps}, int64(-1)
	for _, s := range stages {
		one.Seconds, one.Received = one.Seconds+s.Seconds, memory.Sum(one.Received, s.Received)
		if s.Bytes > most {
			most, one.Helps = s.Bytes, s.Helps
		}
	}
	return one
}

// Labelled is the number of documents with a known label: of labels without documents, as a
// [Planner] gets them, [Given.Expected], or a tenth of all documents if that is not known.
func (in *Input) Labelled() int {
	switch {
	case in.Given == nil:
		return 0
	case len(in.Given.Labels) > 0:
		return in.Given.Count()
	case in.Given.Expected > 0:
		return min(in.Given.Expected, in.Len())
	}
	return in.Len()/10 + 1
}

// Of is the rates for a part of n rows, of so many.
func (r Rates) Of(part, n int) Rates {
	r.Entries = int(float64(r.Entries) / float64(max(1, n)) * float64(part))
	return r
}

// Rates are what rough times are computed with.
type Rates struct {
	Threads int // of all ranks, where they divide the rows
	Entries int // of the rows, of all ranks; dense rows have all
	Dense   bool
	// Again says that an earlier fit shares the graph and the principal components ([Shared]).
	Again bool
}

// Pairs are the seconds of an exact search for neighbours among pairs of n rows.
func (r Rates) Pairs(pairs float64, n int) float64 {
	return pairs * graph.PairSeconds(r.mean(n), r.Dense) / float64(max(1, r.Threads))
}

// Rows are the seconds that a graph takes for n rows beside the pairs: lists, edges and weights, 12
// µs a row. Sparse rows of few entries have many others at like distances, which are compared anew:
// 23 µs a row of 5 entries (titles of papers), 19 of 8, 15 of 18, 14 of 30.
func (r Rates) Rows(n int) float64 {
	each := 12e-6
	if !r.Dense {
		each += 60e-6 / max(1, r.mean(n))
	}
	return each * float64(n) / float64(max(1, r.Threads))
}

// Far is how many times as long a pass takes over arrays of so many bytes, which do not stay in the
// caches: eigenpairs of graphs of 20 MB took 1.7 times as long for an edge as those of 7 MB, and of
// 36 MB 2.4 times.
func Far(bytes int64) float64 {
	const near, power, most = 7e6, 0.55, 4
	return min(most, max(1, math.Pow(float64(bytes)/near, power)))
}

// Approximate are the seconds of an approximate search for the neighbours of n rows.
func (r Rates) Approximate(n int) float64 {
	return graph.ApproxSeconds(r.mean(n), r.Dense) * float64(n) / float64(max(1, r.Threads))
}

// mean is the number of entries of each of n rows.
func (r Rates) mean(n int) float64 { return float64(r.Entries) / float64(max(1, n)) }

// Passes are the seconds of products of a matrix of some entries with blocks of vectors, 2 ns for
// an entry and a vector.
func (r Rates) Passes(entries, vectors float64) float64 {
	return 2e-9 * entries * vectors / float64(max(1, r.Threads))
}

// Blocks are the seconds of products and factorisations of dense matrices, of so many
// multiplications: 0.3 ns each by OpenBLAS, and 1.5 ns in pure Go. Eigenproblems of 800 and 1,500
// rows took 0.25 and 2.2 ns, mixtures of 40 and 100 columns 0.3 and 1 ns.
func (r Rates) Blocks(multiplications float64) float64 {
	each := 1.5e-9
	if native.Default().Name() != "go" {
		each = 0.3e-9
	}
	return each * multiplications / float64(max(1, r.Threads))
}

// Shape is a dense matrix without values, for functions that look at sizes alone.
func Shape(n, d int) *mat.Dense {
	var x mat.Dense
	raw := x.RawMatrix()
	raw.Rows, raw.Cols, raw.Stride = n, d, max(1, d)
	x.SetRawMatrix(raw)
	return &x
}
