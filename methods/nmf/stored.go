package nmf

import (
	"context"
	"math"
	"time"

	"github.com/eigenmap/eigenmap/internal/invalid"
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

// head begins a restart's piece. The factors are in it only if no restart that was finished before
// was better: those of the others are not wanted.
type head struct {
	History    store.FloatBits `json:"history"`
	KKT        store.FloatBits `json:"kkt"`
	Iterations int             `json:"iterations"`
	Converged  bool            `json:"converged"`
	Whole      bool            `json:"whole"`
}

func (r *run) encode(e *store.Encoder, whole bool) {
	e.Value(head{r.history, store.FloatBits{r.kkt}, r.iterations, r.converged, whole})
	if whole {
		e.Floats(r.a.f.Data)
		e.Floats(r.b.f.Data)
	}
}

func (r *run) decode(d *store.Decoder) {
	var v head
	if d.Value(&v); len(v.History) == 0 || len(v.KKT) != 1 {
		d.Fail("it has no objective")
		return
	}
	r.history, r.kkt, r.iterations, r.converged, r.bare = v.History, v.KKT[0], v.Iterations, v.Converged, !v.Whole
	if v.Whole {
		d.Floats(r.a.f.Data)
		d.Floats(r.b.f.Data)
	}
}

// play runs the restart of the given number, or reads it; it returns how long it ran, 0 if it was
// read.
func (r *run) play(ctx context.Context, at int, opt Options, done *store.Restarts, step func(iterations int) error) (time.Duration, error) {
	found, err := done.Read(at, r.decode)
	if found || err != nil {
		return 0, err
	}
	began := time.Now()
	r.bare = false
	clear(r.a.f.Data) // what a refused piece may have left between the columns
	clear(r.b.f.Data)
	if err := r.start(ctx, at, opt); err != nil {
		return 0, err
	}
	if math.IsNaN(r.startNorm) || math.IsInf(r.startNorm, 1) {
		return 0, invalid.Errorf("the given start is too large for its product to be computed: divide it by a constant")
	}
	err = r.factorise(ctx, opt, step)
	return time.Since(began), err
}
