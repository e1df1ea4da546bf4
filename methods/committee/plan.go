package committee

import (
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/method"
)

// Plan implements method.Planner: the members one after the other. A member keeps its votes, and
// what it places new documents by.
func (o *Options) Plan(in *method.Input, at method.Rates) ([]method.Stage, error) {
	own := *in
	own.Clusters = len(in.Given.Names)
	n, classes := in.Len(), own.Clusters
	found := memory.Bytes(8, n, classes+1) // of a member, until the votes are counted
	var list []method.Stage
	for _, m := range o.voting(in.Sparse()) {
		of := own
		if !m.learns() {
			of.Given = nil
		}
		options := m.options(o)
		stages, err := options.(method.Planner).Plan(&of, at)
		if err != nil {
			return nil, err
		}
		stages[len(stages)-1].Keeps = memory.Sum(stages[len(stages)-1].Keeps, found)
		list = append(list, stages...)
		if m.spec.ThenKMeans() {
			list = append(list, kmeans.PlannedAfter(m.spec, &own, at, 0, kmeans.Options{K: classes}))
		}
	}
	shared := false // the members have a graph in common
	for i := range list {
		if s := &list[i]; s.Name == "graph" {
			if shared {
				s.Seconds = 0
			}
			shared = true
		}
	}
	votes := memory.Bytes(8, n, classes+1)
	return append(list, method.Stage{Name: "votes", Bytes: memory.Bytes(8, (len(o.voting(in.Sparse()))+1)*n, classes+1), Keeps: votes}), nil
}
