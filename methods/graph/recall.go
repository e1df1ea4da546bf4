package graph

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"sort"

	"gonum.org/v1/gonum/mat"
)

// recallSample is the exact result for a sample of rows.
type recallSample struct {
	rows  []int
	worst []float64 // squared distance of the k-th neighbour of each
}

// newRecallSample draws rows and searches all others for their k nearest: RecallSample times the
// rows pairs.
func newRecallSample(ctx context.Context, x mat.Matrix, k int, rng *rand.Rand) (*recallSample, error) {
	n, _ := x.Dims()
	s := &recallSample{rows: rng.Perm(n)[:min(n, RecallSample)]}
	sort.Ints(s.rows)
	drawn := selectRows(x, s.rows)
	best := make([][]float64, len(s.rows))
	const batch = 1 << 16 // rows indexed at a time
	for lo := 0; lo < n; lo += batch {
		some := make([]int, min(batch, n-lo))
		for r := range some {
			some[r] = lo + r
		}
		g, err := NearestAmong(ctx, drawn, selectRows(x, some), min(k+1, len(some)), nil)
		if err != nil {
			return nil, err
		}
		for r, i := range s.rows {
			index, dist2, _ := g.Row(r)
			for c, j := range index {
				if lo+int(j) != i {
					best[r] = append(best[r], dist2[c])
				}
			}
			slices.Sort(best[r])
			best[r] = best[r][:min(k, len(best[r]))]
		}
	}
	for _, list := range best {
		s.worst = append(s.worst, list[k-1])
	}
	return s, nil
}

// of is the share of the k neighbours of the sampled rows among the candidates of a that are no
// farther than the k-th of the exact result, up to rounding. A row costs the distances of its list.
func (s *recallSample) of(a *approximation) float64 {
	total := 0
	scratch := a.measure.scratch()
	var found []candidate
	for r, i := range s.rows {
		limit := s.worst[r] + 1e-12*math.Abs(s.worst[r])
		a.measure.open(i, scratch)
		found = a.found(i, scratch, found[:0])
		a.measure.close(i, scratch)
		count := 0
		for _, c := range found {
			if -c.score <= limit {
				count++
			}
		}
		total += min(count, a.k)
	}
	return float64(total) / float64(len(s.rows)*a.k)
}
