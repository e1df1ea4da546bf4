package kmeans

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/eigenmap/eigenmap/internal/ranks"
)

// The parts of a restart that look at all rows, where each rank of a team has its own
// ([Options.Share]). Centres are on every rank, and all ranks take the same decisions: they draw
// the same numbers, and compare sums over all ranks. Centres are summed in another order than by
// one process, so their last bits may differ. A move of the centres sends 8·k·d bytes for the first
// rows of the clusters and as many for their sums.

// all is x summed over the ranks.
func (r *run) all(x ...float64) []float64 {
	r.share.Sum(x)
	return x
}

// rowAt copies row i of all ranks to dst on every rank.
func (r *run) rowAt(i int, dst []float64) {
	clear(dst)
	if at := i - r.share.First(); at >= 0 && at < r.n {
		r.p.copyRow(at, dst)
	}
	r.share.Sum(dst)
}

// placeRow sets centre j of c to row i of all ranks.
func (r *run) placeRow(c centers, j, i int) {
	if !r.share.Divided() {
		c.place(j, i)
		return
	}
	row := make([]float64, r.d)
	r.rowAt(i, row)
	c.set(j, row)
}

// apartFrom is the squared distance of row i of all ranks, which is centre q of the candidates, to
// centre j.
func (r *run) apartFrom(q, i, j int, a, b []float64) float64 {
	if !r.share.Divided() {
		return r.c.exact(i, j)
	}
	r.seeding.try.row(q, a)
	r.c.row(j, b)
	return sqDist(a, b)
}

// startRandomShared is startRandom: the same draws among the rows of all ranks.
func (r *run) startRandomShared(rng *rand.Rand) {
	moved := map[int]int{} // the places of a list of all rows that do not have their own row
	at := func(i int) int {
		if row, ok := moved[i]; ok {
			return row
		}
		return i
	}
	for j := range r.k {
		q := j + rng.IntN(r.total-j)
		moved[j], moved[q] = at(q), at(j)
		r.placeRow(r.c, j, moved[j])
	}
}

// drawShared is draw among the rows of all ranks: sums has the sums of this rank's chunks.
func (r *run) drawShared(near, sums []float64, stride, g int, target float64) int {
	own := 0.0
	for at := 0; at < len(sums); at += stride {
		own += sums[at]
	}
	chosen := 0
	for rank, part := range ranks.GatherFloats(r.share, []float64{own}) {
		if part > 0 {
			chosen = rank
			if target < part {
				break
			}
		}
		target -= part
	}
	row := []float64{0}
	if chosen == r.share.Rank() {
		row[0] = float64(r.share.First() + draw(near, sums, stride, g, min(max(0, target), own)))
	}
	r.share.Sum(row)
	return int(row[0])
}

// farOfAll joins the far rows that the ranks give. A rank receives 24 bytes per row.
func (r *run) farOfAll(own []farRow) []farRow {
	numbers := make([]float64, 0, 3*len(own))
	for _, f := range own {
		numbers = append(numbers, f.away, float64(f.row), float64(f.cluster))
	}
	var all []farRow
	for f := range slices.Chunk(ranks.GatherFloats(r.share, numbers), 3) {
		all = append(all, farRow{f[0], int(f[1]), int(f[2])})
	}
	return all
}

// updateShared is update: sums over the ranks, beside the first row of each cluster. 16·k·d bytes.
func (r *run) updateShared(ctx context.Context) error {
	clear(r.drift)
	counts := make([]float64, r.k)
	for j := range counts {
		counts[j] = float64(len(r.members(j)))
	}
	has := ranks.GatherFloats(r.share, counts)
	origin, sum := make([]float64, r.k*r.d), make([]float64, r.k*r.d)
	for j := range r.k {
		first := 0
		for first < r.share.Size() && has[first*r.k+j] == 0 {
			first++
		}
		if r.touched[j] && first == r.share.Rank() {
			r.p.copyRow(int(r.members(j)[0]), origin[j*r.d:][:r.d])
		}
	}
	r.share.Sum(origin)
	err := r.each(ctx, r.k, 1, func(_, lo, hi int) error {
		for j := lo; j < hi; j++ {
			if r.touched[j] {
				r.p.addRows(sum[j*r.d:][:r.d], r.members(j), origin[j*r.d:][:r.d])
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	r.share.Sum(sum)
	for j := range r.k {
		if !r.touched[j] || r.size(j) == 0 {
			continue
		}
		mean := sum[j*r.d:][:r.d]
		r.p.finishMean(mean, origin[j*r.d:][:r.d], float64(r.size(j)))
		r.drift[j] = r.c.shift(j, mean)
	}
	r.farthestDrift()
	return nil
}
