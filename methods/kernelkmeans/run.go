package kernelkmeans

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync/atomic"

	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/methods/internal/pairs"
)

// run is the state of one restart.
type run struct {
	k, restart int
	label, in  []int32     // the clusters, and the clusters that the sums have (-1: none)
	sums       [][]float64 // Σ_{j∈c} K_ij by cluster and row, k×n
	moved      int         // changes since the sums were computed from nothing
	near       []float64   // during the start: squared distance to the nearest first row

	size   []int
	within []float64 // Σ_{i,j∈c} K_ij
	past   []int32   // labels, sizes and sums before the last move, to take it back
	old    struct {
		size   []int
		within []float64
	}

	history                          []float64
	iterations, repaired             int
	converged, indefinite, firstTime bool
	changed                          atomic.Int64
}

func newRun(e *engine, k, restart int) *run {
	r := &run{k: k, restart: restart, label: make([]int32, e.n), in: make([]int32, e.n), sums: make([][]float64, k),
		near: make([]float64, e.n), size: make([]int, k), within: make([]float64, k), past: make([]int32, e.n), firstTime: true}
	for c := range r.sums {
		r.sums[c] = make([]float64, e.n)
	}
	for i := range r.in {
		r.in[i] = -1
	}
	return r
}

// runBytes is the memory of a run.
func runBytes(n, k int) int64 { return int64(n) * (8*int64(k) + 8 + 12) }

// renew forgets the sums if computing them again is cheaper, or if rounding would accumulate in
// them.
func (r *run) renew() {
	changes, renewed := 0, r.firstTime
	for i, a := range r.label {
		if a != r.in[i] {
			changes++
		}
	}
	r.moved += changes
	if 2*changes > len(r.label) || r.moved > len(r.label) {
		renewed = true
	}
	if !renewed {
		return
	}
	for c := range r.sums {
		clear(r.sums[c])
	}
	for i := range r.in {
		r.in[i] = -1
	}
	r.moved, r.firstTime = 0, false
}

func (r *run) count() {
	clear(r.size)
	for _, a := range r.label {
		r.size[a]++
	}
}

// gain returns the squared distance of a row from a mean, less K_ii, which is the same for all
// means.
func (e *engine) gain(r *run, i, c int, inverse, square float64) float64 {
	s := r.sums[c][i]
	if int(r.in[i]) == c {
		s += e.shift
	}
	return square - 2*inverse*s
}

// measure computes the sums within clusters from the rows' sums, and returns the objective and a
// bound on its rounding error.
func (e *engine) measure(r *run) (objective, slack float64) {
	clear(r.within)
	trace, size := 0.0, 0.0
	for i, c := range r.in {
		r.within[c] += r.sums[c][i] + e.shift
		trace += e.diag[i]
		size += math.Abs(e.diag[i])
	}
	objective = trace
	for c, s := range r.within {
		if r.size[c] > 0 {
			objective -= s / float64(r.size[c])
			size += math.Abs(s) / float64(r.size[c])
		}
	}
	return objective, 1e-11 * size
}

// means returns 1/|c| and ‖mean‖² by cluster; an empty cluster is infinitely far.
func means(size []int, within []float64) (inverse, square []float64) {
	inverse, square = make([]float64, len(size)), make([]float64, len(size))
	for c, s := range size {
		if s == 0 {
			square[c] = math.Inf(1)
			continue
		}
		inverse[c] = 1 / float64(s)
		square[c] = within[c] * inverse[c] * inverse[c]
	}
	return inverse, square
}

// repair gives each empty cluster the row farthest from its mean, ties to the lower row, from
// clusters that have more than one.
func (e *engine) repair(r *run) {
	r.count()
	var empty []int
	for c, s := range r.size {
		if s == 0 {
			empty = append(empty, c)
		}
	}
	if len(empty) == 0 {
		return
	}
	away, rows := make([]float64, e.n), pairs.Span(0, e.n)
	if r.iterations == 0 {
		copy(away, r.near)
	} else {
		// The means are those that the rows were just assigned to: of r.in, with the sizes in old.
		inverse, square := means(r.old.size, r.within)
		for i, c := range r.label {
			away[i] = e.diag[i] + e.gain(r, i, int(c), inverse[c], square[c])
			if away[i] <= 1e-12*(math.Abs(e.diag[i])+math.Abs(square[c])) {
				away[i] = 0
			}
		}
	}
	slices.SortFunc(rows, func(a, b int32) int {
		return cmp.Or(cmp.Compare(away[b], away[a]), cmp.Compare(a, b))
	})
	for _, i := range rows {
		if len(empty) == 0 || away[i] <= 0 {
			return
		}
		a := r.label[i]
		if r.size[a] < 2 {
			continue
		}
		r.size[a]--
		r.size[empty[0]]++
		r.label[i] = int32(empty[0])
		empty = empty[1:]
		r.repaired++
	}
}

// settle compares the objective after a move. It returns false if the run is over because the
// objective did not fall: it rose, and the move is taken back, or it is the same up to rounding,
// and rows would only exchange places from here on.
func (e *engine) settle(r *run) bool {
	r.old.within = append(r.old.within[:0], r.within...)
	objective, slack := e.measure(r)
	if last := len(r.history) - 1; last >= 0 && objective > r.history[last] {
		if objective > r.history[last]+slack {
			r.indefinite = true
			copy(r.label, r.past)
			copy(r.size, r.old.size)
			copy(r.within, r.old.within)
			return false
		}
		objective = r.history[last]
	}
	r.converged = len(r.history) > 0 && objective == r.history[len(r.history)-1]
	r.history = append(r.history, objective)
	r.iterations++
	r.old.size = append(r.old.size[:0], r.size...)
	copy(r.past, r.label)
	return !r.converged
}

// assign sends every row of every run to its nearest mean.
func (e *engine) assign(ctx context.Context, runs []*run) error {
	type ofRun struct{ inverse, square []float64 }
	m, work := make([]ofRun, len(runs)), 0
	for q, r := range runs {
		r.changed.Store(0)
		m[q].inverse, m[q].square = means(r.size, r.within)
		work += r.k
	}
	return parallel.For(ctx, e.n, max(16, min(4096, (1<<18)/work)), func(_, lo, hi int) error {
		for q, r := range runs {
			inverse, square := m[q].inverse, m[q].square
			changes := 0
			for i := lo; i < hi; i++ {
				best, least := 0, math.Inf(1)
				for c := range r.k {
					if g := e.gain(r, i, c, inverse[c], square[c]); g < least {
						best, least = c, g
					}
				}
				if int(r.label[i]) != best {
					r.label[i] = int32(best)
					changes++
				}
			}
			r.changed.Add(int64(changes))
		}
		return nil
	})
}

// iterate moves all runs until each is over.
func (e *engine) iterate(ctx context.Context, runs []*run, maxIter int, over func()) error {
	active := slices.Clone(runs)
	for len(active) > 0 {
		for _, r := range active {
			e.repair(r)
		}
		if err := e.update(ctx, active); err != nil {
			return err
		}
		going := active[:0:0]
		for _, r := range active {
			if e.settle(r) && r.iterations < maxIter {
				going = append(going, r)
			} else {
				over()
			}
		}
		if len(going) == 0 {
			return nil
		}
		if err := e.assign(ctx, going); err != nil {
			return err
		}
		active = active[:0]
		for _, r := range going {
			if r.changed.Load() == 0 {
				r.converged = true
				over()
			} else {
				active = append(active, r)
			}
		}
	}
	return nil
}
