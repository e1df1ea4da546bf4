package kmeans

import (
	"context"
	"time"

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

// head begins a restart's piece. The centres and labels are in it only if no restart
// that was finished before was better: those of the others are not wanted.
type head struct {
	Objective  store.FloatBits `json:"objective"`
	Iterations int             `json:"iterations"`
	Repaired   int             `json:"repaired"`
	Converged  bool            `json:"converged"`
	Whole      bool            `json:"whole"`
}

func (r *run) encode(e *store.Encoder, whole bool) {
	e.Value(head{store.FloatBits{r.objective}, r.iterations, r.repaired, r.converged, whole})
	if !whole {
		return
	}
	e.Indices(r.label)
	row := make([]float64, r.d)
	for j := range r.k {
		r.c.row(j, row)
		e.Floats(row)
	}
}

func (r *run) decode(d *store.Decoder) {
	var v head
	if d.Value(&v); len(v.Objective) != 1 {
		d.Fail("it has no objective")
		return
	}
	r.objective, r.iterations, r.repaired, r.converged, r.bare = v.Objective[0], v.Iterations, v.Repaired, v.Converged, !v.Whole
	if r.bare {
		return
	}
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

// play runs the restart of the given number, or reads it; it returns how long it ran, 0 if it was
// read.
func (r *run) play(ctx context.Context, at int, opt Options, done *store.Restarts) (time.Duration, error) {
	found, err := done.Read(at, r.decode)
	if found && !r.bare {
		r.group()
	}
	if found || err != nil {
		return 0, err
	}
	began := time.Now()
	r.bare = false
	if err := r.start(ctx, at, opt); err != nil {
		return 0, err
	}
	err = r.lloyd(ctx, opt.MaxIter)
	return time.Since(began), err
}
