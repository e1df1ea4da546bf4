package kernelkmeans

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/eigenmap/eigenmap/methods/internal/pairs"
)

// start labels every row of a run.
func (e *engine) start(ctx context.Context, r *run, opt Options) error {
	if opt.StartLabels != nil {
		for i, l := range opt.StartLabels {
			r.label[i] = int32(l)
		}
		for i := range r.near { // an empty cluster takes the rows as they come
			r.near[i] = 1
		}
		return nil
	}
	for i := range r.near {
		r.near[i] = math.Inf(1)
	}
	if opt.StartRows != nil {
		rows := make([]int32, len(opt.StartRows))
		for c, i := range opt.StartRows {
			rows[c] = int32(i)
		}
		return e.join(ctx, r, rows)
	}
	rng := rand.New(rand.NewPCG(opt.Seed, uint64(r.restart)))
	if opt.Init == Random {
		rows := pairs.Span(0, e.n)
		for c := range r.k {
			q := c + rng.IntN(e.n-c)
			rows[c], rows[q] = rows[q], rows[c]
		}
		return e.join(ctx, r, rows[:r.k])
	}
	return e.plusPlus(ctx, r, rng)
}

// join lets every row join the nearest of the given rows, the first on a tie.
func (e *engine) join(ctx context.Context, r *run, rows []int32) error {
	dist := e.distances(len(rows))
	if err := e.toRows(ctx, rows, dist); err != nil {
		return err
	}
	for c := range rows {
		r.approach(c, dist[c])
	}
	return nil
}

func (r *run) approach(c int, dist []float64) {
	for i, v := range dist {
		if v < r.near[i] {
			r.near[i], r.label[i] = v, int32(c)
		}
	}
}

func (e *engine) distances(rows int) [][]float64 {
	d := make([][]float64, rows)
	for q := range d {
		d[q] = make([]float64, e.n)
	}
	return d
}

// toRows sets dist[q][i] to the squared distance of row i and rows[q] in feature space, 0 to
// itself and to its copies.
func (e *engine) toRows(ctx context.Context, rows []int32, dist [][]float64) error {
	return e.each(ctx, rows, func(first, lo, hi int, part [][]float64) {
		for q, values := range part {
			s := int(rows[first+q])
			d := dist[first+q][lo:hi]
			for i, v := range values {
				both := e.diag[lo+i] + e.diag[s]
				v = both - 2*v
				if v <= 1e-13*math.Abs(both) || lo+i == s {
					v = 0
				}
				d[i] = v
			}
		}
	})
}

// plusPlus is greedy k-means++ (Arthur and Vassilvitskii 2007, section 2.2) in feature space. If
// all rows equal one that was drawn, the lowest rows that were not drawn fill the rest.
func (e *engine) plusPlus(ctx context.Context, r *run, rng *rand.Rand) error {
	tries := min(r.k, 2+int(math.Log(float64(r.k))))
	drawn, dist := make([]int32, tries), e.distances(tries)
	taken := map[int32]bool{}
	for c := range r.k {
		candidates := drawn
		if c == 0 {
			candidates = drawn[:1]
			candidates[0] = int32(rng.IntN(e.n))
		} else {
			total := 0.0
			for _, v := range r.near {
				total += v
			}
			if total == 0 {
				return e.fill(ctx, r, c, taken)
			}
			for q := range candidates {
				candidates[q] = int32(draw(r.near, rng.Float64()*total))
			}
		}
		if err := e.toRows(ctx, candidates, dist); err != nil {
			return err
		}
		best, least := 0, math.Inf(1)
		for q := range candidates {
			sum := 0.0
			for i, v := range dist[q] {
				sum += min(v, r.near[i])
			}
			if sum < least {
				best, least = q, sum
			}
		}
		taken[candidates[best]] = true
		r.approach(c, dist[best])
	}
	return nil
}

// fill gives the clusters from c on the lowest rows that are not taken, one each.
func (e *engine) fill(ctx context.Context, r *run, c int, taken map[int32]bool) error {
	for i := int32(0); c < r.k; i++ {
		if !taken[i] {
			r.label[i] = int32(c)
			c++
		}
	}
	return ctx.Err()
}

// draw returns the row at which the running sum of weight passes target, the last of positive
// weight if rounding keeps it below.
func draw(weight []float64, target float64) int {
	row := 0
	for i, w := range weight {
		if w > 0 {
			row = i
			if target < w {
				break
			}
			target -= w
		}
	}
	return row
}
