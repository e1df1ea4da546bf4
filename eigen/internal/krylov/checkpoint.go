package krylov

import (
	"context"
	"sync/atomic"

	"github.com/eigenmap/eigenmap/eigen/internal/problem"
	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/store"
	"gonum.org/v1/gonum/blas/blas64"
)

// solveKey carries the key of the eigenproblem that is solved, for the states of its solvers.
type solveKey struct{}

// solveState is an eigenproblem that a store has a key of, and the number of Lanczos runs in it so
// far: they come in the same order each time.
type solveState struct {
	key  store.Key
	runs atomic.Int64
}

// WithProblem returns a context for the solvers of the eigenproblem with this key in the store.
func WithProblem(ctx context.Context, key store.Key) context.Context {
	return context.WithValue(ctx, solveKey{}, &solveState{key: key})
}

// WithoutProblem returns a context for solvers whose states are not kept.
func WithoutProblem(ctx context.Context) context.Context {
	return context.WithValue(ctx, solveKey{}, (*solveState)(nil))
}

// lanczosState is the state of the next Lanczos run of the problem, nil if there is no store.
func lanczosState(ctx context.Context) *store.Progress {
	s, _ := ctx.Value(solveKey{}).(*solveState)
	if s == nil {
		return nil
	}
	h := store.NewHasher("lanczos 4")
	h.Text(s.key.String())
	h.Ints([]int{int(s.runs.Add(1))})
	return store.From(ctx).Progress("lanczos", h.Key())
}

// krylovState is the head of a stored basis: what krylov has between two cycles, without a search.
// The columns of the basis, T and B follow.
type krylovState struct {
	Size     int             `json:"size"`
	Columns  int             `json:"columns"`        // capacity of the basis at first
	More     []int           `json:"more,omitempty"` // and of the parts that it has grown by
	Small    int             `json:"small"`          // capacity of T
	Active   int             `json:"active"`
	Next     int             `json:"next"`
	Chain    int             `json:"chain"`
	Block    int             `json:"block"`
	Subspace int             `json:"subspace"`
	Most     int             `json:"most"` // size that it may grow to
	Locked   store.FloatBits `json:"locked"`
	Scale    store.FloatBits `json:"scale"`  // growth, worst, and worst of past
	Past     int             `json:"past"`   // pairs locked then
	Filter   store.FloatBits `json:"filter"` // ends of its band; nil without one
	Degree   int             `json:"degree,omitempty"`
	Since    int             `json:"since,omitempty"`    // restarts before the filter was made
	Arranged bool            `json:"arranged,omitempty"` // whether the rows are in another order
	Random   []byte          `json:"random"`
	Own      []byte          `json:"own,omitempty"` // of the numbers that each rank draws for itself
	Stats    problem.Stats   `json:"stats"`
}

// save keeps the state of the solver if that is due.
func (k *krylov) save() error {
	if !k.state.Due() {
		return nil
	}
	random, err := k.basis.Source.MarshalBinary()
	if err != nil {
		return err
	}
	var own []byte
	if k.basis.Own != nil {
		if own, err = k.basis.Own.MarshalBinary(); err != nil {
			return err
		}
	}
	v := krylovState{Size: k.basis.Size, Columns: k.basis.V.Cols, Small: k.t.Rows, Active: k.active, Next: k.next, Chain: k.chain,
		Arranged: k.Space.Order != nil, Block: k.Task.Block, Subspace: k.Subspace, Most: k.most, Locked: k.locked, Scale: store.FloatBits{k.scale, k.growth, k.worst, k.past.worst}, Past: k.past.locked, Random: random, Own: own, Stats: k.stats}
	if k.filter != nil {
		v.Filter, v.Degree = store.FloatBits{k.filter.low, k.filter.high}, k.filter.degree
		v.Since = k.filterSince
	}
	b := k.b
	if b.Rows != v.Next || b.Cols != v.Active {
		b = space.NewBlock(v.Next, v.Active) // as before: nothing is coupled to a new first block
	}
	for _, part := range k.basis.More {
		v.More = append(v.More, part.Cols)
	}
	return k.state.Save(func(e *store.Encoder) {
		e.Value(v)
		for _, part := range append(k.basis.Parts(0, v.Size), space.Columns(space.Rows(k.t, 0, v.Active), 0, v.Active), b) {
			for i := range part.Rows {
				if part.Cols > 0 {
					e.Floats(part.Data[i*part.Stride:][:part.Cols])
				}
			}
		}
	})
}

// resume takes the state of the solver from the store; it returns false if there is none.
func (k *krylov) resume(ctx context.Context) (bool, error) {
	var v krylovState
	found, err := k.state.Resume(func(d *store.Decoder) {
		d.Value(&v)
		if !v.fits(k) {
			d.Fail("it is not the state of such an eigenproblem")
			return
		}
		k.basis.V, k.basis.More = space.NewBlock(k.N, v.Columns), nil
		for _, columns := range v.More {
			k.basis.More = append(k.basis.More, space.NewBlock(k.N, columns))
		}
		if v.Small != k.t.Rows {
			k.t = space.NewBlock(v.Small, v.Small)
		}
		k.b = space.NewBlock(v.Next, v.Active)
		for _, part := range append(k.basis.Parts(0, v.Size), space.Columns(space.Rows(k.t, 0, v.Active), 0, v.Active), k.b) {
			for i := range part.Rows {
				if part.Cols > 0 {
					d.Floats(part.Data[i*part.Stride:][:part.Cols])
				}
			}
		}
	})
	if err != nil || !found {
		clear(k.t.Data)
		k.b = blas64.General{}
		return false, err
	}
	if err := k.basis.Source.UnmarshalBinary(v.Random); err != nil {
		return false, err
	}
	if k.basis.Own != nil {
		if err := k.basis.Own.UnmarshalBinary(v.Own); err != nil {
			return false, err
		}
	}
	k.basis.Size, k.active, k.next, k.chain, k.most = v.Size, v.Active, v.Next, v.Chain, v.Most
	k.Task.Block, k.Subspace, k.locked, k.scale, k.growth, k.worst, k.stats = v.Block, v.Subspace, v.Locked, v.Scale[0], v.Scale[1], v.Scale[2], v.Stats
	k.past = milestone{v.Past, v.Scale[3]}
	if v.Arranged { // the same order has the same bits, so it does not depend on what is left now
		if err := k.arrange(ctx, memory.Unknown); err != nil {
			return false, err
		}
	}
	if v.Filter != nil {
		k.useFilter(&filter{low: v.Filter[0], high: v.Filter[1], degree: v.Degree})
		k.filterSince = v.Since
	}
	k.Observer.Notef(problem.Stage, "The eigensolver went on after %d restarts.", k.stats.Restarts)
	return true, nil
}

// fits says whether a state can be one of the solver.
func (v *krylovState) fits(k *krylov) bool {
	most := k.N + 2*problem.MaxBlock + k.Task.K
	capacity := v.Columns
	for _, columns := range v.More {
		if columns < 0 || columns > most {
			return false
		}
		capacity += columns
	}
	return v.Block >= 1 && v.Active >= 0 && v.Next >= 0 && v.Chain >= 0 && v.Size == len(v.Locked)+v.Active+v.Next && v.Size <= capacity && v.Columns >= 0 && capacity <= most &&
		v.Active <= v.Small && v.Small <= most && v.Next*k.N <= len(k.x) && len(v.Scale) == 4 && (v.Filter == nil || len(v.Filter) == 2)
}
