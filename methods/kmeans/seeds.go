package kmeans

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
)

// seeds are the rows of known clusters; the zero value is none.
type seeds struct {
	of      [][]int32 // rows of each cluster, ascending; nil if there are no seeds at all
	cluster []int     // Options.Seeds if they are clamped, else nil
}

func newSeeds(opt Options) seeds {
	var s seeds
	if opt.Clamp {
		s.cluster = opt.Seeds
	}
	if opt.Seeds == nil || opt.Start != nil {
		return s
	}
	s.of = make([][]int32, opt.K)
	for i, c := range opt.Seeds {
		if c >= 0 {
			s.of[c] = append(s.of[c], int32(i))
		}
	}
	return s
}

// starts reports whether cluster j starts at seeds.
func (s seeds) starts(j int) bool { return s.of != nil && len(s.of[j]) > 0 }

// clamped reports whether row i must stay in its cluster.
func (s seeds) clamped(i int) bool { return s.cluster != nil && s.cluster[i] >= 0 }

// open counts the clusters of k without seeds.
func (s seeds) open(k int) int {
	open := 0
	for j := range k {
		if !s.starts(j) {
			open++
		}
	}
	return open
}

// checkSeeds returns an error if the seeds do not fit n rows and the clusters.
func checkSeeds(n int, opt Options) error {
	if opt.Seeds == nil {
		return nil
	}
	if len(opt.Seeds) != n {
		return invalid.Errorf("there are %d seeds for %d rows; give a cluster for each row, a negative number if it is not known", len(opt.Seeds), n)
	}
	free := n
	for i, c := range opt.Seeds {
		if c >= opt.K {
			return invalid.At(i, -1, "the seed of {} is cluster %d, but the clusters are 0 to %d", c, opt.K-1)
		}
		if c >= 0 && opt.Clamp {
			free--
		}
	}
	if open := newSeeds(opt).open(opt.K); opt.Start == nil && open > free {
		return invalid.Errorf("%d of the %d clusters have no seed, but only %d rows are free to start them: use fewer clusters, or give each a seed", open, opt.K, free)
	}
	return nil
}

// placeSeeds moves the centre of every cluster with seeds to their mean.
func (r *run) placeSeeds(ctx context.Context) error {
	if r.seeds.of == nil {
		return nil
	}
	return r.each(ctx, r.k, 1, func(w, lo, hi int) error {
		for j := lo; j < hi; j++ {
			if r.seeds.starts(j) {
				if _, err := r.c.mean(ctx, j, r.seeds.of[j], r.scratch[w].mean); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// nearSeeds returns the centres placed by seeds, and initialises the data of k-means++ from them:
// the squared distance of each row to the nearest one, 0 for clamped rows, and the sums over chunks
// of g rows.
func (r *run) nearSeeds(ctx context.Context, g int) (placed []int, err error) {
	for j := range r.k {
		if r.seeds.starts(j) {
			placed = append(placed, j)
		}
	}
	if len(placed) == 0 {
		return nil, nil
	}
	L, near, nearest, step := candidates(r.k), r.upper, r.label, tileRows(r.k, r.d)
	return placed, r.each(ctx, r.n, g, func(w, lo, hi int) error {
		s := &r.scratch[w]
		s.rows = s.rows[:0]
		for i := lo; i < hi; i++ {
			if near[i] = 0; !r.seeds.clamped(i) {
				s.rows = append(s.rows, int32(i))
			}
		}
		for rows := s.rows; len(rows) > 0; {
			m := min(step, len(rows))
			r.c.tile(rows[:m], s.out, s.gather)
			for p, i := range rows[:m] {
				best := math.Inf(1)
				for _, j := range placed {
					v := s.out[p*r.k+j]
					if v < 1e-6*(r.xx[i]+r.c.sqNorm(j)) { // cancellation, as in measure
						v = r.c.exact(int(i), j)
					}
					if v < best {
						best, nearest[i] = v, int32(j)
					}
				}
				near[i] = best
			}
			rows = rows[m:]
		}
		sum := 0.0
		for _, v := range near[lo:hi] {
			sum += v
		}
		r.seeding.sums[lo/g*L] = sum
		return nil
	})
}
