package spca

import (
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/methods/internal/svd"
	"github.com/eigenmap/eigenmap/methods/lars"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/pca"
)

// Plan implements method.Planner.
func (o *Options) Plan(in *method.Input, at method.Rates) ([]method.Stage, error) {
	const rounds = 30
	dims, err := in.Dims(o.Dims)
	if err == nil {
		err = in.CheckRank(dims, "dims")
	}
	if err != nil {
		return nil, err
	}
	n, p := in.X.Dims()
	used := o.withDefaults(n, p)
	terms := p
	if !used.penalised() {
		terms = used.terms(0)
	}
	matrix := svd.PanelBytes(n, p)
	if in.Sparse() { // the transpose
		matrix = memory.Bytes(12, at.Entries)
	}
	places := memory.Bytes(8, n, dims)
	var first, round method.Stage
	if reducible(n, p) {
		first = method.Stage{Bytes: reducedBytes(n, p, dims), Keeps: memory.Bytes(8, p, p),
			Seconds: svd.GramSeconds(at, p) + at.Blocks(9*float64(p)*float64(p)*float64(p))}
		round = method.Stage{Bytes: lars.Bytes(p, p, p*p, true, dims, terms), Seconds: rounds * at.Passes(lars.Work(p, p*p, dims, terms), 1)}
	} else {
		stages, err := (&pca.Options{Dims: dims}).Plan(in, at)
		if err != nil {
			return nil, err
		}
		first = method.AsOne("", 0, stages...)
		round = method.Stage{Bytes: memory.Sum(lars.Bytes(n, p, at.Entries, !in.Sparse(), dims, terms), memory.Bytes(16, n+p, dims)),
			Seconds: rounds * at.Passes(lars.Work(n, at.Entries, dims, terms), 1)}
	}
	round.Helps = []string{"‹dims›", "‹cardinality›"}
	return []method.Stage{method.AsOne("svd", places, method.Stage{Bytes: matrix, Keeps: matrix}, first, round, method.Stage{Bytes: memory.Sum(places, rows.NormalizedBytes(n, dims, o.NormalizeRows))})}, nil
}
