package kmeans

import (
	"math"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Plan implements method.Planner.
func (o *Options) Plan(in *method.Input, at method.Rates) ([]method.Stage, error) {
	used := *o
	if in.Clusters > 0 {
		used.K = in.Clusters
	}
	used.Share = in.Share
	const sure = 3 * 8 // of a row: distances to the two nearest centres, and the confidence
	n, _ := in.X.Dims()
	stage := Planned(in.X, at, used)
	stage.Bytes = memory.Sum(stage.Bytes, memory.Bytes(sure, n))
	return []method.Stage{stage}, nil
}

// movesPerStart is how often a start moves the centres, roughly: 12 times on the coordinates of
// TDT2, 17 times on the coordinates of 100,000 abstracts.
const movesPerStart = 20

// PlannedAfter returns the stage of k-means on the coordinates of a method's fit to the input: so
// many, or 0 for as many as the method finds for the clusters of opt.
func PlannedAfter(spec method.Spec, in *method.Input, at method.Rates, dims int, opt Options) method.Stage {
	if dims == 0 {
		if dims = opt.K; spec.Yields.Dims != nil {
			dims = spec.Yields.Dims(opt.K)
		}
		dims = min(dims, in.Len())
	}
	own, _ := in.X.Dims()
	opt.Share = in.Share
	at.Entries, at.Dense = in.Len()*dims, true
	stage := Planned(method.Shape(own, dims), at, opt)
	stage.Seconds *= method.Far(memory.Bytes(8, at.Entries))
	return stage
}

// Planned returns the stage of k-means on rows that hold their sizes alone: with Share, on the rows
// of one rank, which receives 16·k·d bytes when the centres move, and in the end label and distance
// of every document.
func Planned(x mat.Matrix, at method.Rates, opt Options) method.Stage {
	n, d := x.Dims()
	// Of a start over the centres, of many of which bounds save more, and what a row takes beside
	// them, more where more centres make more moves: 10 starts took 0.20 s on the 30 coordinates of
	// TDT2, 0.08 on 11 of Debian's descriptions, 0.5 on the 28 of 20,000 titles (20 clusters), 0.75
	// on 77 of 7,108 requests, 2.4 µs a row for 2 clusters, and 1.0 s on the 256 columns of USPS; of
	// terms 0.6 s on Debian's, 2.4 on 4,712 postings (20 clusters), 9.5 on TDT2 (30) and 23 on 20,000
	// abstracts (40).
	opt = opt.withDefaults()
	k := float64(max(1, opt.K))
	passes, rows := 1.9*math.Pow(k, 0.8), float64(at.Entries)/float64(max(1, d))*math.Log2(2*k) // of all ranks
	if sparse.Is(x) {
		passes, rows = 20*k, 0
	}
	received := int64(0)
	if opt.Share.Divided() {
		received = memory.Sum(memory.Bytes(16*movesPerStart, opt.Restarts, opt.K, d), memory.Bytes(12, opt.Share.Total()-n))
	}
	return method.Stage{Received: received, Name: "kmeans", Bytes: Memory(x, opt), Keeps: memory.Sum(memory.Bytes(8, opt.K, d), memory.Bytes(8, n)),
		Seconds: at.Passes(float64(at.Entries), passes*float64(opt.Restarts)) + 0.25e-6*rows*float64(opt.Restarts)/float64(max(1, at.Threads)), Helps: []string{"‹restarts›"}}
}
