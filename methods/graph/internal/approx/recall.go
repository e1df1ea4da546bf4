package approx

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/graph/internal/exact"
	"gonum.org/v1/gonum/mat"
)

// recallSample is the exact result for a sample of rows.
type recallSample struct {
	rows  []int
	worst []float64 // squared distance of the k-th neighbour of each
}

// newRecallSample draws rows of all ranks. drawn are the rows.
func newRecallSample(d drawer, rng *rand.Rand) (s *recallSample, drawn mat.Matrix) {
	all := d.all()
	s = &recallSample{rows: draw(rng, all.total, min(all.total, SampleRows))}
	sort.Ints(s.rows)
	return s, d.gather(all, s.rows)
}

// measure searches all rows for the k nearest of the drawn ones: SampleRows times the rows pairs.
func (s *recallSample) measure(ctx context.Context, d drawer, drawn mat.Matrix, k int) error {
	best, err := s.nearest(ctx, d.x, d.share.First(), drawn, k)
	return s.settle(d.share, best, k, err)
}

// settle joins what the ranks found.
func (s *recallSample) settle(share *ranks.Share, best [][]float64, k int, err error) error {
	if err = ranks.Agree(share, err); err != nil {
		return err
	}
	if share.Divided() {
		best = joinBest(share, best, k)
	}
	s.worst = nil
	for _, list := range best {
		s.worst = append(s.worst, list[k-1])
	}
	return nil
}

// nearest are the squared distances of the k nearest rows of x to each drawn row, ascending; there
// may be fewer. Row i of x has the number first + i.
func (s *recallSample) nearest(ctx context.Context, x mat.Matrix, first int, drawn mat.Matrix, k int) ([][]float64, error) {
	n, _ := x.Dims()
	best := make([][]float64, len(s.rows))
	for lo := 0; lo < n; lo += copiedRows {
		some := make([]int, min(copiedRows, n-lo))
		for r := range some {
			some[r] = lo + r
		}
		g, err := exact.Among(ctx, drawn, exact.SelectRows(x, some), min(k+1, len(some)), nil)
		if err != nil {
			return nil, err
		}
		for r, i := range s.rows {
			index, dist2, _ := g.Row(r)
			for c, j := range index {
				if first+lo+int(j) != i {
					best[r] = append(best[r], dist2[c])
				}
			}
			slices.Sort(best[r])
			best[r] = best[r][:min(k, len(best[r]))]
		}
	}
	return best, nil
}

// joinBest merges the lists of all ranks. A rank receives 8·k bytes per drawn row and rank.
func joinBest(share *ranks.Share, own [][]float64, k int) [][]float64 {
	var flat []float64
	for _, list := range own {
		flat = append(flat, list...)
		flat = append(flat, slices.Repeat([]float64{math.Inf(1)}, k-len(list))...)
	}
	best := make([][]float64, len(own))
	for _, part := range ranks.Gather(share, ranks.Bytes(flat)) {
		list := ranks.Floats(part)
		for r := range best {
			best[r] = append(best[r], list[r*k:(r+1)*k]...)
			slices.Sort(best[r])
			best[r] = best[r][:k]
		}
	}
	return best
}

// limit is the squared distance up to which a candidate of drawn row r counts as found: the
// distance of the k-th of the exact result, up to rounding.
func (s *recallSample) limit(r int) float64 { return s.worst[r] + 1e-12*math.Abs(s.worst[r]) }
