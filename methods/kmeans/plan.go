package kmeans

import (
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

// Planned returns the stage of k-means on rows that hold their sizes alone: with Share, on the rows
// of one rank, which receives 16·k·d bytes when the centres move, and in the end label and distance
// of every document.
func Planned(x mat.Matrix, at method.Rates, opt Options) method.Stage {
	n, d := x.Dims()
	// Of a start over all centres, beside those that bounds save, and what a row takes beside them:
	// 10 starts took 0.20 s on the 30 coordinates of TDT2, 0.08 on 11 of Debian's descriptions, and
	// 1.0 on the 256 columns of USPS; of terms 0.6 s on Debian's, 2.4 on 4,712 postings (20 clusters),
	// 9.5 on TDT2 (30) and 23 on 20,000 abstracts (40).
	passes, rows := 1.2, float64(at.Entries)/float64(max(1, d)) // of all ranks
	if sparse.Is(x) {
		passes, rows = 20, 0
	}
	opt = opt.withDefaults()
	received := int64(0)
	if opt.Share.Divided() {
		received = memory.Sum(memory.Bytes(16*movesPerStart, opt.Restarts, opt.K, d), memory.Bytes(12, opt.Share.Total()-n))
	}
	return method.Stage{Received: received, Name: "kmeans", Bytes: Memory(x, opt), Keeps: memory.Sum(memory.Bytes(8, opt.K, d), memory.Bytes(8, n)),
		Seconds: at.Passes(float64(at.Entries), passes*float64(opt.Restarts*opt.K)) + 1e-6*rows*float64(opt.Restarts)/float64(max(1, at.Threads)), Helps: []string{"‹restarts›"}}
}
