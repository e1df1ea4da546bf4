package plsa

import (
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/methods/method"
)

// Plan implements method.Planner.
func (o *Options) Plan(in *method.Input, at method.Rates) ([]method.Stage, error) {
	const iterations = 100 // of a start
	opt := *o
	if in.Clusters > 0 {
		opt.K = in.Clusters
	}
	n, p := in.X.Dims()
	received := int64(0)
	if in.Share.Divided() {
		received = memory.Bytes(8, iterations*opt.withDefaults().Restarts, p, opt.K)
	}
	return []method.Stage{{Name: "plsa", Received: received, Bytes: Memory(in.X, opt), Keeps: memory.Bytes(8, n+p, opt.K),
		Seconds: at.Passes(float64(at.Entries), float64(2*iterations*opt.withDefaults().Restarts*opt.K)), Helps: []string{"‹restarts›"}}}, nil
}
