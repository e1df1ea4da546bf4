package plsa

import (
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/methods/method"
)

// Plan implements method.Planner.
func (o *Options) Plan(in *method.Input, at method.Rates) ([]method.Stage, error) {
	// Of a start: rounds at the most of ranks that exchange topics, and the passes over the entries
	// for each topic. 10 starts took 1.3 s of Debian's descriptions (12 topics), 2.0 of 4,712 postings
	// (20) and 7.7 of TDT2 (30).
	const rounds, passes = 100, 14
	opt := *o
	if in.Clusters > 0 {
		opt.K = in.Clusters
	}
	if in.Given != nil && opt.K == len(in.Given.Names) { // known labels start every cluster
		opt.Restarts = 1
	}
	n, p := in.X.Dims()
	received := int64(0)
	if in.Share.Divided() {
		received = memory.Bytes(8, rounds*opt.withDefaults().Restarts, p, opt.K)
	}
	return []method.Stage{{Name: "plsa", Received: received, Bytes: Memory(in.X, opt), Keeps: memory.Bytes(8, n+p, opt.K),
		Seconds: at.Passes(float64(at.Entries), float64(passes*opt.withDefaults().Restarts*opt.K)), Helps: []string{"‹restarts›"}}}, nil
}
