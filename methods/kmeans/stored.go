package kmeans

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/store"
	"gonum.org/v1/gonum/mat"
)

// restartsOf are the finished restarts of a fit in the store of the context, nil without one.
func restartsOf(ctx context.Context, x mat.Matrix, opt Options) *store.Restarts {
	return store.From(ctx).Restarts("kmeans", func() store.Key {
		h := store.NewHasher("kmeans 1")
		h.Matrix(x)
		if opt.Start != nil {
			h.Matrix(opt.Start)
		}
		h.Ints(opt.Seeds)
		opt.Restarts, opt.Start, opt.Seeds, opt.Observer = 0, nil, nil, nil
		h.Value(opt)
		return h.Key()
	})
}

// head begins a state.
type head struct {
	Objective  store.FloatBits `json:"objective"`
	Iterations int             `json:"iterations"`
	Repaired   int             `json:"repaired"`
	Converged  bool            `json:"converged"`
}

// Encode implements starts.State.
func (r *run) Encode(e *store.Encoder) {
	e.Value(head{store.FloatBits{r.objective}, r.iterations, r.repaired, r.converged})
	e.Indices(r.label)
	row := make([]float64, r.d)
	for j := range r.k {
		r.c.row(j, row)
		e.Floats(row)
	}
}

// Decode implements starts.State.
func (r *run) Decode(d *store.Decoder) {
	var v head
	if d.Value(&v); len(v.Objective) != 1 {
		d.Fail("it has no objective")
		return
	}
	r.objective, r.iterations, r.repaired, r.converged = v.Objective[0], v.Iterations, v.Repaired, v.Converged
	d.Indices(r.label)
	row := make([]float64, r.d)
	for j := range r.k {
		d.Floats(row)
		r.c.set(j, row)
	}
	for i, a := range r.label {
		if a < 0 || int(a) >= r.k {
			d.Fail("row %d is in cluster %d of %d", i, a, r.k)
			return
		}
	}
}
