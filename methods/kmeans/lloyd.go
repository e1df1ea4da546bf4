package kmeans

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/ranks"
)

// run is the state of one start.
//
// For each row it keeps, as in Hamerly's method (2010), an upper bound on the distance to its own
// centre and a lower bound on the distance to every other one. If the bounds do not overlap, the
// row cannot change its cluster and is skipped. Bounds include every rounding error, so that the
// labels equal the plain algorithm's with centers.exact as distance and ties to the lower centre.
type run struct {
	p       points
	n, d, k int
	share   *ranks.Share // of the rows; nil: all are here
	total   int          // rows of all ranks
	opt     Options
	stopped func() error           // returns the context's error; with ranks, the error of any rank's context
	placing func(placed int) error // stopped, told how many centres are placed
	each    parallel.Loop
	grain   int
	xx      []float64

	c            centers
	rel          float64 // rounding errors of c
	exAbs, tlAbs float64
	tileAbs      float64 // tlAbs without the error of screened distances
	ccMax        float64

	label        []int32
	upper, lower []float64
	half         []float64 // half the distance to the nearest other centre, 0 if not known
	drift        []float64 // movement of each centre in its last move
	farthest     int       // the centre that moved farthest
	most, next   float64   // its drift and the largest drift of the others
	order        []int32   // rows by cluster, ascending within each
	first        []int     // start of each cluster in order; k+1 entries
	sizes        []int     // rows of each cluster, of all ranks
	touched      []bool    // clusters that gained or lost rows
	scratch      []scratch // one for each worker
	sums         *sums     // of dense rows, by which their centres move; nil for sparse ones
	view         *view     // the centres beside the images of rows; nil without images
	nearby       *nearby   // nil if rows are compared with all centres

	seeding *seeding
	seeds   seeds

	// seldom says that few of the rows stayed that were measured in the last assignment, and blind
	// that few were told apart by their images.
	seldom, blind bool

	iterations, repaired int
	converged            bool
	objective            float64
}

// scratch is the memory of one worker.
type scratch struct {
	rows        []int32
	out, gather []float64
	mean        []float64
	touched     []bool
	changed     int
	measured    int      // rows whose distance from their centre was measured to tighten a bound
	kept        int      // those that stay by that
	viewed      int      // rows whose image was compared with the centres
	told        int      // those whose cluster was found by that
	log         []change // the first changes, at most n/fewChanges
	room        screenRoom
	glanced     []int32 // rows of a tile of images
	places      []int   // of these in rows
}

// tileRows returns how many rows are compared with k centres at once: their results, and the
// gathered rows, take at most a megabyte each.
func tileRows(k, d int) int { return max(1, min(128, (1<<17)/max(k, d))) }

func newRun(p points, k, workers int, each parallel.Loop) *run {
	n, d := p.dims()
	r := &run{
		stopped: func() error { return nil }, placing: func(int) error { return nil }, p: p, n: n, d: d, k: k, each: each, grain: grain(n, k*p.work()), xx: p.sqNorms(),
		c: p.newCenters(k), label: make([]int32, n), upper: make([]float64, n), lower: make([]float64, n),
		half: make([]float64, k), drift: make([]float64, k), order: make([]int32, n), first: make([]int, k+1), sizes: make([]int, k), total: n,
		touched: make([]bool, k), scratch: make([]scratch, workers),
	}
	if dense, ok := p.(*densePoints); ok {
		r.sums = newSums(dense, k)
	}
	r.view = newView(r.c)
	r.nearby = newNearby(p, k)
	r.rel, r.exAbs, r.tlAbs = r.c.errors()
	r.tileAbs = r.tlAbs
	r.tlAbs += r.c.screenAbs()
	for w := range r.scratch {
		r.scratch[w].touched = make([]bool, k)
		r.scratch[w].mean = make([]float64, d)
		r.scratch[w].out = make([]float64, tileRows(k, d)*k)
		r.scratch[w].gather = make([]float64, p.gather(tileRows(k, d)))
		r.scratch[w].rows = make([]int32, 0, r.grain)
	}
	return r
}

// lloyd moves the centres until no row changes its cluster, at most maxIter times, and then every
// row is with its nearest centre.
func (r *run) lloyd(ctx context.Context, maxIter int) error {
	r.reset()
	r.iterations, r.repaired, r.converged = 0, 0, false
	for {
		if err := r.stopped(); err != nil {
			return err
		}
		r.separations()
		changed, err := r.assign(ctx)
		if err != nil {
			return err
		}
		if changed == 0 {
			// The means in the result are sums over all rows, in which no rounding has gathered.
			if moved, err := r.refresh(ctx); err != nil {
				return err
			} else if moved {
				continue
			}
			r.converged = true
			break
		}
		if r.iterations == maxIter {
			break
		}
		r.group()
		repaired := r.repaired
		if err := r.repair(ctx); err != nil {
			return err
		}
		whole := changed > r.n/fewChanges || r.repaired > repaired || r.iterations+1 == maxIter
		if err := r.update(ctx, whole); err != nil {
			return err
		}
		r.iterations++
	}
	r.group()
	return r.sum(ctx)
}

// reset clears all labels and bounds.
func (r *run) reset() {
	for i := range r.label {
		r.label[i], r.upper[i], r.lower[i] = -1, math.Inf(1), 0
	}
	clear(r.drift)
	r.most, r.next, r.farthest = 0, 0, 0
	for j := range r.k {
		r.sums.drop(j)
	}
}

// separations computes the largest norm of the centres and, if all pairs of centres cost little
// compared with the rows, half the distance from each centre to its nearest other one.
func (r *run) separations() {
	r.ccMax = 0
	for j := range r.k {
		r.ccMax = max(r.ccMax, r.c.sqNorm(j))
	}
	if 4*r.k*r.k > r.n || !r.c.compact() {
		return
	}
	for j := range r.half {
		r.half[j] = math.Inf(1)
	}
	for a := range r.k {
		for b := range a {
			between := r.c.between(a, b)
			h := math.Sqrt(between*(1-r.rel)) / 2
			r.half[a], r.half[b] = min(r.half[a], h), min(r.half[b], h)
			r.nearby.set(a, b, between)
		}
	}
	r.nearby.sort()
}

// assign gives every row to its nearest centre and returns the number of rows that changed.
func (r *run) assign(ctx context.Context) (changed int, err error) {
	for w := range r.scratch {
		s := &r.scratch[w]
		s.changed, s.measured, s.kept, s.viewed, s.told = 0, 0, 0, 0, 0
		s.log = s.log[:0]
		clear(s.touched)
	}
	viewed := r.view != nil && r.view.look()
	err = r.each(ctx, r.n, r.grain, func(w, lo, hi int) error {
		s := &r.scratch[w]
		s.rows = s.rows[:0]
		for i := lo; i < hi; i++ {
			if r.seeds.clamped(i) {
				if r.label[i] < 0 {
					s.change(r, i, r.seeds.cluster[i])
				}
			} else if r.settled(i, s, viewed && !r.blind) {
				continue
			} else if r.nearby != nil && r.label[i] >= 0 {
				r.chooseNearby(i, s)
			} else {
				s.rows = append(s.rows, int32(i))
			}
		}
		if viewed {
			r.glances(s)
		}
		for step, rows := tileRows(r.k, r.d), s.rows; len(rows) > 0; {
			m := min(step, len(rows))
			r.c.rough(rows[:m], s.out, s.gather)
			for q, i := range rows[:m] {
				r.choose(int(i), s.out[q*r.k:(q+1)*r.k], s)
			}
			rows = rows[m:]
		}
		return nil
	})
	clear(r.touched)
	measured, kept, looked, told := 0, 0, 0, 0
	for _, s := range r.scratch {
		changed, measured, kept, looked, told = changed+s.changed, measured+s.measured, kept+s.kept, looked+s.viewed, told+s.told
		for j, t := range s.touched {
			r.touched[j] = r.touched[j] || t
		}
	}
	r.seldom = r.c.screenAbs() > 0 && kept*r.k < screenWorth*measured
	r.blind = viewed && told < looked/viewWorth
	if r.share.Divided() && err == nil {
		counts := make([]float64, r.k+1)
		counts[r.k] = float64(changed)
		for j, t := range r.touched {
			if t {
				counts[j] = 1
			}
		}
		r.share.Sum(counts)
		for j := range r.touched {
			r.touched[j] = counts[j] > 0
		}
		changed = int(counts[r.k])
	}
	return changed, err
}

// A distance in double precision takes as long as some screenWorth in a screened tile. Where fewer
// rows stay by it, one row in screenProbe is measured, to find out when more do.
const (
	screenWorth = 30
	screenProbe = 8
)

// settled updates the bounds of row i and reports whether they keep it in its cluster. viewed says
// that its image is cheaper to compare than the row with its own centre.
func (r *run) settled(i int, s *scratch, viewed bool) bool {
	a := r.label[i]
	if a < 0 {
		return false
	}
	moved := r.most
	if int(a) == r.farthest {
		moved = r.next
	}
	u, l := (r.upper[i]+r.drift[a])*(1+ulp), (r.lower[i]-moved)*(1-ulp)
	l = max(l, 0)
	z := max(l, r.half[a])
	z *= z
	spread := r.xx[i] + r.ccMax
	slack := 2 * r.exAbs * spread
	grow := 1 + 4*r.rel
	r.upper[i], r.lower[i] = u, l
	if u*u*grow+slack < z {
		return true
	}
	if z <= slack || viewed || r.seldom && i%screenProbe != 0 {
		return false
	}
	s.measured++
	u = math.Sqrt(r.c.near(i, int(a))*(1+2*r.rel) + r.exAbs*spread)
	r.upper[i] = u
	if u*u*grow+slack < z {
		s.kept++
		return true
	}
	return false
}

// leastTwo returns the place of the smallest number, which it is, and the second smallest; +Inf
// where there is none.
func leastTwo(list []float64) (at int, first, second float64) {
	first, second = math.Inf(1), math.Inf(1)
	for j, v := range list {
		if v < first {
			at, first, second = j, v, first
		} else if v < second {
			second = v
		}
	}
	return at, first, second
}

// choose selects the nearest centre for row i from the distances d of its tile. If rounding could
// change the order of the nearest ones, it computes these distances again exactly.
func (r *run) choose(i int, d []float64, s *scratch) {
	best, first, second := leastTwo(d)
	spread := r.xx[i] + r.ccMax
	abs := (r.tlAbs + r.exAbs) * spread
	margin := 4 * (r.rel*max(first, 0) + abs)
	if second-first <= margin {
		limit := first + 2*margin
		best, first, second = 0, math.Inf(1), math.Inf(1)
		for j, v := range d {
			if v <= limit {
				v = r.c.exact(i, j)
			}
			if v < first {
				best, first, second = j, v, first
			} else if v < second {
				second = v
			}
		}
	}
	r.found(i, best, first, second, abs, s)
}

// found gives row i to its nearest centre and sets its bounds by the squared distances to this and
// to the next one, whose errors are at most the relative ones and abs.
func (r *run) found(i, best int, first, second, abs float64, s *scratch) {
	r.upper[i] = math.Sqrt(max(first, 0)*(1+2*r.rel) + abs)
	r.lower[i] = math.Sqrt(max(second*(1-2*r.rel)-abs, 0))
	if int(r.label[i]) != best {
		s.change(r, i, best)
	}
}

// change moves row i to cluster j.
func (s *scratch) change(r *run, i, j int) {
	was := r.label[i]
	if was >= 0 {
		s.touched[was] = true
	}
	if r.sums != nil && len(s.log) < r.n/fewChanges {
		s.log = append(s.log, change{int32(i), was, int32(j)})
	}
	s.touched[j] = true
	r.label[i] = int32(j)
	s.changed++
}

// group lists the rows of each cluster.
func (r *run) group() {
	clear(r.first)
	for _, a := range r.label {
		r.first[a+1]++
	}
	for j := range r.k {
		r.first[j+1] += r.first[j]
	}
	at := slices.Clone(r.first[:r.k])
	for i, a := range r.label {
		r.order[at[a]] = int32(i)
		at[a]++
	}
	counts := make([]float64, r.k)
	for j := range counts {
		counts[j] = float64(r.first[j+1] - r.first[j])
	}
	for j, n := range r.all(counts...) {
		r.sizes[j] = int(n)
	}
}

func (r *run) size(j int) int        { return r.sizes[j] }
func (r *run) members(j int) []int32 { return r.order[r.first[j]:r.first[j+1]] }

// repair gives each empty cluster the row farthest from its centre, ties to the lower row, from
// clusters with more than one row. Clamped rows and rows at distance 0 from their centre are not
// taken: with fewer distinct rows than clusters some stay empty.
func (r *run) repair(ctx context.Context) error {
	var empty []int
	size := make([]int, r.k)
	for j := range size {
		if size[j] = r.size(j); size[j] == 0 {
			empty = append(empty, j)
		}
	}
	if len(empty) == 0 {
		return nil
	}
	away := make([]float64, r.n)
	err := r.each(ctx, r.n, grain(r.n, r.p.work()), func(_, lo, hi int) error {
		for i := lo; i < hi; i++ {
			if r.seeds.clamped(i) {
				continue
			}
			if d := r.c.exact(i, int(r.label[i])); d > r.exAbs*(r.xx[i]+r.ccMax) {
				away[i] = d
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	first := r.share.First()
	var far []farRow
	for i, d := range away {
		if d > 0 {
			far = append(far, farRow{d, first + i, int(r.label[i])})
		}
		if len(far) >= 1024+4*len(empty) { // more are not needed at a time
			far = farthest(far, size, len(empty))
		}
	}
	if far = farthest(far, size, len(empty)); r.share.Divided() {
		far = farthest(r.farOfAll(far), size, len(empty))
	}
	for at, f := range far {
		if i := f.row - first; i >= 0 && i < r.n {
			r.label[i], r.upper[i], r.lower[i] = int32(empty[at]), math.Inf(1), 0
		}
		r.touched[f.cluster], r.touched[empty[at]] = true, true
		r.repaired++
	}
	if len(far) > 0 {
		r.group()
	}
	return nil
}

// farRow is a row by its number among the rows of all ranks, with its cluster and its squared
// distance from the cluster's centre.
type farRow struct {
	away         float64
	row, cluster int
}

// farthest returns the most farthest rows, the farthest first, ties in the order of rows. Every
// cluster, of the sizes given, keeps a row. It sorts the rows.
//
// The farthest rows of several lists are found among each list's farthest rows: what comes before a
// row in its own list, up to the rows that its cluster can give, comes before it in all of them.
func farthest(rows []farRow, size []int, most int) []farRow {
	slices.SortFunc(rows, func(a, b farRow) int {
		return cmp.Or(cmp.Compare(b.away, a.away), cmp.Compare(a.row, b.row))
	})
	left := slices.Clone(size)
	var taken []farRow
	for _, f := range rows {
		if len(taken) == most {
			break
		}
		if left[f.cluster] > 1 {
			left[f.cluster]--
			taken = append(taken, f)
		}
	}
	return taken
}

// farthestDrift finds the centre that moved farthest.
func (r *run) farthestDrift() {
	r.most, r.next, r.farthest = 0, 0, 0
	for j, d := range r.drift {
		if d > r.most {
			r.most, r.next, r.farthest = d, r.most, j
		} else if d > r.next {
			r.next = d
		}
	}
}

// sum computes the objective again, row by row.
func (r *run) sum(ctx context.Context) error {
	g := grain(r.n, r.p.work())
	part := make([]float64, parallel.Chunks(r.n, g))
	err := r.each(ctx, r.n, g, func(_, lo, hi int) error {
		s := 0.0
		for i := lo; i < hi; i++ {
			s += r.c.exact(i, int(r.label[i]))
		}
		part[lo/g] = s
		return nil
	})
	r.objective = 0
	for _, s := range part {
		r.objective += s
	}
	r.objective = r.all(r.objective)[0]
	return err
}
