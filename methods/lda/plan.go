package lda

import (
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/methods/internal/svd"
	"github.com/eigenmap/eigenmap/methods/lars"
	"github.com/eigenmap/eigenmap/methods/linear"
	"github.com/eigenmap/eigenmap/methods/method"
)

// Bytes estimates what [Fit] takes for responses and directions of so many classes, in bytes, for
// n labelled rows of p columns: the scratch of conjugate gradients is counted.
func Bytes(n, p, classes int) int64 {
	return memory.Sum(memory.Bytes(8*2, n, classes), memory.Bytes(8*5, p, classes))
}

// Plan implements method.Planner.
func (o *Options) Plan(in *method.Input, at method.Rates) ([]method.Stage, error) {
	const products = 100 // of a regression that is iterated
	dims, err := linear.ClassDims(in, Spec.Name, o.Dims)
	if err != nil {
		return nil, err
	}
	n, p := in.X.Dims()
	classes, l := len(in.Given.Names), in.Labelled()
	labelled := at.Of(l, n)
	entry := int64(8)
	if in.Sparse() { // and their transpose
		entry = 24
	}
	if l == n {
		entry -= 12
	}
	places := memory.Bytes(8, n, dims)
	project := memory.Sum(places, rows.NormalizedBytes(n, dims, o.NormalizeRows))
	if !in.Sparse() {
		project = memory.Sum(project, svd.PanelBytes(n, p))
	}
	bytes := memory.Sum(Bytes(l, p, classes), memory.Bytes(max(0, entry), labelled.Entries))
	return []method.Stage{{Name: "regression", Bytes: memory.Sum(bytes, max(project, lars.RidgeBytes(l, p, labelled.Entries, !in.Sparse(), classes-1))), Keeps: places,
		Seconds: labelled.Passes(float64(labelled.Entries), float64(products*classes)) + at.Passes(float64(at.Entries), float64(dims))}}, nil
}
