package nmf

import (
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/methods/method"
)

// Plan implements method.Planner. Beside the factors there are the matrix and its transpose.
func (o *Options) Plan(in *method.Input, at method.Rates) ([]method.Stage, error) {
	// Of a start: rounds at the most of ranks that exchange topics, and the passes over the entries
	// for each topic. 10 starts took 1.1 s of Debian's descriptions (12 topics), 2.9 of 4,712 postings
	// (20), 12 of TDT2 (30) and 18 of 20,000 abstracts (40).
	const rounds, passes = 200, 24
	used := *o
	if err := used.settle(in); err != nil {
		return nil, err
	}
	opt := used.withDefaults()
	opt.Share = in.Share
	n, m := in.X.Dims()
	received := int64(0)
	if in.Share.Divided() {
		received = memory.Bytes(8, rounds*opt.Restarts, m, opt.Dims)
	}
	entry := int64(2 * 12) // of the matrix that is weighted and of its transpose
	if at.Dense {
		entry = 8
	}
	return []method.Stage{{Name: "nmf", Received: received, Bytes: memory.Sum(Bytes(n, m, opt), memory.Bytes(entry, at.Entries*n/in.Len())),
		Keeps: memory.Bytes(8, n+m, opt.Dims), Seconds: at.Passes(float64(at.Entries), float64(passes*opt.Restarts*opt.Dims)),
		Helps: []string{"‹restarts›", "‹threads›"}}}, nil
}
