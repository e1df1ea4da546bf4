package nmf

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/store"
	"gonum.org/v1/gonum/mat"
)

// restartsOf are the finished restarts of a fit in the store of the context, nil without one.
func restartsOf(ctx context.Context, x mat.Matrix, opt Options) *store.Restarts {
	return store.From(ctx).Restarts("nmf", func() store.Key {
		h := store.NewHasher("nmf 1")
		h.Matrix(x)
		if opt.StartW != nil {
			h.Matrix(opt.StartW)
			h.Matrix(opt.StartH)
		}
		opt.Restarts, opt.StartW, opt.StartH, opt.Observer, opt.Share = 0, nil, nil, nil, nil
		h.Value(opt)
		return h.Key()
	})
}

// head begins a state; the factors follow.
type head struct {
	History    store.FloatBits `json:"history"`
	KKT        store.FloatBits `json:"kkt"`
	Iterations int             `json:"iterations"`
	Converged  bool            `json:"converged"`
}

// Encode implements starts.State.
func (r *run) Encode(e *store.Encoder) {
	e.Value(head{r.history, store.FloatBits{r.kkt}, r.iterations, r.converged})
	e.Floats(r.a.f.Data)
	e.Floats(r.b.f.Data)
}

// Decode implements starts.State.
func (r *run) Decode(d *store.Decoder) {
	var v head
	if d.Value(&v); len(v.History) == 0 || len(v.KKT) != 1 {
		d.Fail("it has no objective")
		return
	}
	r.history, r.kkt, r.iterations, r.converged = v.History, v.KKT[0], v.Iterations, v.Converged
	d.Floats(r.a.f.Data)
	d.Floats(r.b.f.Data)
}
