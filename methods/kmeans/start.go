package kmeans

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/eigenmap/eigenmap/internal/parallel"
)

// seeding is the memory of k-means++.
type seeding struct {
	try  centers   // the candidates of one step
	view *view     // the candidates beside the images of rows; nil without images
	dist []float64 // n×L: the distance to the nearest start with each candidate, of measured rows
	sums []float64 // L per chunk
	// least is the squared distance from each start to the nearest candidate, at most; norms are the
	// squared lengths of the candidates.
	least, norms []float64
}

// candidates returns the number of draws for each start, as in scikit-learn: 2 + ⌊ln k⌋, but at
// most k.
func candidates(k int) int { return min(k, 2+int(math.Log(float64(k)))) }

// startRandom places the centres without seeds on different rows that are not clamped.
func (r *run) startRandom(rng *rand.Rand) {
	if r.share.Divided() {
		r.startRandomShared(rng)
		return
	}
	rows := make([]int32, 0, r.n)
	for i := range r.n {
		if !r.seeds.clamped(i) {
			rows = append(rows, int32(i))
		}
	}
	at := 0
	for j := range r.k {
		if r.seeds.starts(j) {
			continue
		}
		q := at + rng.IntN(len(rows)-at)
		rows[at], rows[q] = rows[q], rows[at]
		r.c.place(j, int(rows[at]))
		at++
	}
}

// startPlusPlus is greedy k-means++ (Arthur and Vassilvitskii 2007, section 2.2): each start is the
// best of several rows drawn with probability proportional to the squared distance to the nearest
// start so far. If all rows are already equal to a start, the lowest rows that are not a start are
// used for the rest. Clusters with seeds are placed first; clamped rows are neither drawn nor
// counted.
//
// A row is not measured if the distance from its start to a candidate is at least twice the
// distance from the row to its start, because the candidate cannot be nearer. Otherwise k·L
// distances per row, L = 2+⌊ln k⌋; 8L bytes per row.
func (r *run) startPlusPlus(ctx context.Context, rng *rand.Rand) error {
	L := candidates(r.k)
	g := grain(r.n, L*r.p.work())
	if r.seeding == nil {
		r.seeding = &seeding{try: r.p.newCenters(L), dist: make([]float64, r.n*L), sums: make([]float64, L*parallel.Chunks(r.n, g)),
			least: make([]float64, r.k), norms: make([]float64, L)}
		r.seeding.view = newView(r.seeding.try)
	}
	s := r.seeding
	// The squared distance to the nearest start, 0 for clamped rows, and the number of that start.
	near, nearest := r.upper, r.label
	for i := range near {
		near[i], nearest[i] = math.Inf(1), 0
	}
	placed, err := r.nearSeeds(ctx, g)
	if err != nil {
		return err
	}
	rows, drawn := make([]int, 0, r.k), make([]int, L)
	apart := make([]float64, L*r.k) // candidate × start, squared; 0 if not known
	a, b2 := make([]float64, r.d), make([]float64, r.d)
	for j := range r.k {
		if r.seeds.starts(j) {
			continue
		}
		if err := r.placing(len(placed)); err != nil {
			return err
		}
		tries := 1
		if len(placed) == 0 {
			drawn[0] = rng.IntN(r.total)
		} else if tries = L; !r.drawCandidates(rng, near, drawn, g) {
			r.fill(rows, j)
			return nil
		}
		for q := range tries {
			r.placeRow(s.try, q, drawn[q])
			if r.c.compact() {
				for _, b := range placed {
					apart[q*r.k+b] = r.apartFrom(q, drawn[q], b, a, b2)
				}
			}
		}
		if err := r.measure(ctx, g, tries, apart); err != nil {
			return err
		}
		best := r.bestCandidate(L, tries)
		r.placeRow(r.c, j, drawn[best])
		rows, placed = append(rows, drawn[best]), append(placed, j)
		if err := r.take(ctx, g, best, j); err != nil {
			return err
		}
		for at := 0; at < len(s.sums); at += L {
			s.sums[at] = s.sums[at+best]
		}
	}
	return nil
}

// drawCandidates draws rows of all ranks, each with probability proportional to near, the squared
// distance to the nearest start. It reports false if all rows are equal to a start.
func (r *run) drawCandidates(rng *rand.Rand, near []float64, drawn []int, g int) bool {
	sums, total := r.seeding.sums, 0.0
	for at := 0; at < len(sums); at += len(drawn) {
		total += sums[at]
	}
	if total = r.all(total)[0]; total == 0 {
		return false
	}
	for q := range drawn {
		if target := rng.Float64() * total; r.share.Divided() {
			drawn[q] = r.drawShared(near, sums, len(drawn), g, target)
		} else {
			drawn[q] = draw(near, sums, len(drawn), g, target)
		}
	}
	return true
}

// bestCandidate returns which of the first tries candidates, of L, leaves the least sum of squared
// distances over the rows of all ranks.
func (r *run) bestCandidate(L, tries int) int {
	sums := make([]float64, tries)
	for at := 0; at < len(r.seeding.sums); at += L {
		for q := range sums {
			sums[q] += r.seeding.sums[at+q]
		}
	}
	r.all(sums...)
	best := 0
	for q := range sums {
		if sums[q] < sums[best] {
			best = q
		}
	}
	return best
}

// measure sets seeding.dist of the rows that are measured, and the sums of the candidates
// 0..tries-1 over all rows.
func (r *run) measure(ctx context.Context, g, tries int, apart []float64) error {
	L, s := candidates(r.k), r.seeding
	near := r.upper
	step := tileRows(r.k, r.d)
	copy(s.least, apart[:r.k])
	for q := range tries {
		for b, v := range apart[q*r.k : (q+1)*r.k] {
			s.least[b] = min(s.least[b], v)
		}
		s.norms[q] = s.try.sqNorm(q)
	}
	viewed := s.view != nil && s.view.look()
	return r.each(ctx, r.n, g, func(w, lo, hi int) error {
		sc := &r.scratch[w]
		sc.rows = sc.rows[:0]
		for i := lo; i < hi; i++ {
			if r.measured(i) {
				sc.rows = append(sc.rows, int32(i))
			}
		}
		if viewed {
			r.farFromAll(sc, tries)
		}
		for rows := sc.rows; len(rows) > 0; {
			m := min(step, len(rows))
			s.try.tile(rows[:m], sc.out, sc.gather)
			for p, row := range rows[:m] {
				i := int(row)
				at, xx, dist := near[i], r.xx[i], s.dist[i*L:i*L+tries]
				for q, v := range sc.out[p*L : p*L+tries] {
					// Digits lost to cancellation would distinguish a repeated row from its copy.
					if v < 1e-6*(xx+s.norms[q]) {
						v = s.try.exact(i, q)
					}
					dist[q] = min(v, at)
				}
			}
			rows = rows[m:]
		}
		sums, rows := s.sums[lo/g*L:][:tries], sc.rows
		clear(sums)
		for i := lo; i < hi; i++ {
			if len(rows) > 0 && int(rows[0]) == i {
				rows = rows[1:]
				for q, v := range s.dist[i*L : i*L+tries] {
					sums[q] += v
				}
				continue
			}
			v := near[i]
			for q := range sums {
				sums[q] += v
			}
		}
		return nil
	})
}

// measured reports whether a candidate may be nearer to row i than its start.
func (r *run) measured(i int) bool { return r.seeding.least[r.label[i]] < 4*r.upper[i] }

// take makes candidate best the start j.
func (r *run) take(ctx context.Context, g, best, j int) error {
	L, s, near, nearest := candidates(r.k), r.seeding, r.upper, r.label
	return r.each(ctx, r.n, g, func(_, lo, hi int) error {
		for i := lo; i < hi; i++ {
			if !r.measured(i) {
				continue
			}
			if v := s.dist[i*L+best]; v < near[i] {
				near[i], nearest[i] = v, int32(j)
			}
		}
		return nil
	})
}

// draw returns the row at which the running sum of weight exceeds target, or the last one of
// positive weight if rounding keeps the sum below it. The sums of chunks of g rows are at every
// stride-th place of sums.
func draw(weight, sums []float64, stride, g int, target float64) int {
	chunk, passed := 0, false
	for at := 0; at*g < len(weight) && !passed; at++ {
		part := sums[at*stride]
		if part > 0 {
			chunk = at
		}
		if passed = target < part; !passed {
			target -= part
		}
	}
	if !passed {
		target = math.Inf(1)
	}
	row := 0
	for i := chunk * g; i < min((chunk+1)*g, len(weight)); i++ {
		if weight[i] > 0 {
			row = i
			if target < weight[i] {
				break
			}
			target -= weight[i]
		}
	}
	return row
}

// fill places the centres from j on that have no seeds on the lowest rows that are not clamped and
// not among the given starts.
func (r *run) fill(rows []int, j int) {
	taken := make(map[int]bool, r.k)
	for _, i := range rows {
		taken[i] = true
	}
	for i := 0; j < r.k; j++ {
		if r.seeds.starts(j) {
			continue
		}
		for taken[i] || r.seeds.clamped(i) {
			i++
		}
		r.placeRow(r.c, j, i)
		i++
	}
}
