package lecas

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/methods/kernelkmeans"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/metrics"
	"gonum.org/v1/gonum/mat"
)

// Choice is a first clustering and how its number of clusters was found.
type Choice struct {
	Labels   []int // by row, 0..Clusters-1, numbered by falling size
	Clusters int
	// Tried are the numbers of clusters that were tried, Best and Mean the silhouettes of their starts; one number and no silhouettes where
	// the number was given.
	Tried      []int
	Best, Mean []float64
	// Kernel is the clustering by kernel k-means, nil after another one.
	Kernel *kernelkmeans.Model
}

// candidate is one run of a clustering.
type candidate struct {
	labels    []int
	objective float64
	kernel    *kernelkmeans.Model
}

// ChooseClusters clusters the rows of x for every number of clusters asked, from several starts each, and takes the clustering with the best
// silhouette in Euclidean distance; with a number given, the one with the lowest objective. All kernel k-means runs share the rows of the kernel, and all
// silhouettes the distances.
//
// Cost: n²·d for the kernel where its matrix fits Kernel.MaxBytes (a few times that in row blocks), n²·d for exact silhouettes, n² additions a run each.
// Errors: a request that is wrong (fs.ErrInvalid), the data's as in kernelkmeans.Fit, and the context's.
func ChooseClusters(ctx context.Context, x mat.Matrix, s Search) (*Choice, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	if x == nil {
		return nil, invalid.Errorf("there is no data matrix")
	}
	n, _ := x.Dims()
	lo, hi := s.bounds(n)
	if s.Clusters > 0 {
		lo, hi = s.Clusters, s.Clusters
	}
	if hi > n {
		return nil, invalid.Errorf("up to %d first clusters are asked of %d rows; ask for at most as many as there are rows", hi, n)
	}
	c := &Choice{}
	for k := lo; k <= hi; k++ {
		c.Tried = append(c.Tried, k)
	}
	runs, err := s.run(ctx, x, c.Tried)
	if err != nil {
		return nil, err
	}
	best := runs[0][0]
	if len(c.Tried) == 1 {
		for _, r := range runs[0] {
			if r.objective < best.objective {
				best = r
			}
		}
	} else if best, err = c.compare(ctx, x, runs, s); err != nil {
		return nil, err
	}
	c.Labels, c.Kernel = best.labels, best.kernel
	for _, l := range c.Labels {
		c.Clusters = max(c.Clusters, l+1)
	}
	return c, nil
}

// run clusters for every number of ks.
func (s Search) run(ctx context.Context, x mat.Matrix, ks []int) ([][]candidate, error) {
	out := make([][]candidate, len(ks))
	if s.Clustering != KMeans {
		o := s.Kernel
		o.Restarts, o.Seed, o.Observer = s.starts(), s.Seed, s.Observer
		o.StartRows, o.StartLabels = nil, nil
		models, err := kernelkmeans.FitEach(ctx, x, o, ks)
		if err != nil {
			return nil, err
		}
		for q := range ks {
			for _, m := range models[q] {
				out[q] = append(out[q], candidate{m.Labels, m.Objective, m})
			}
		}
		return out, nil
	}
	rng := rand.New(rand.NewPCG(s.Seed, 1))
	for q, k := range ks {
		for range s.starts() {
			m, err := kmeans.Fit(ctx, x, kmeans.Options{K: k, Restarts: 1, MaxIter: s.Kernel.MaxIter, Init: s.kmeansInit(), Seed: rng.Uint64(), Observer: s.Observer})
			if err != nil {
				return nil, err
			}
			out[q] = append(out[q], candidate{m.Labels, m.Objective, nil})
		}
	}
	return out, nil
}

// compare takes the run with the best silhouette among those of the best number of clusters.
func (c *Choice) compare(ctx context.Context, x mat.Matrix, runs [][]candidate, s Search) (candidate, error) {
	scores, err := s.silhouettes(ctx, x, runs)
	if err != nil {
		return candidate{}, err
	}
	var chosen candidate
	top, at := math.Inf(-1), 0
	for q, of := range runs {
		best, mean, run := math.Inf(-1), 0.0, of[0]
		for r, v := range scores[q] {
			mean += v / float64(len(of))
			if v > best {
				best, run = v, of[r]
			}
		}
		c.Best, c.Mean = append(c.Best, best), append(c.Mean, mean)
		score := best
		if s.By == ByMean {
			score = mean
		}
		if score > top {
			top, at, chosen = score, q, run
		}
	}
	s.Observer.Notef("silhouette", "First clusters: %d, with a silhouette of %.3f (%d to %d were tried).", c.Tried[at], top, c.Tried[0], c.Tried[len(c.Tried)-1])
	return chosen, nil
}

// silhouettes scores all runs; equal labelings once.
func (s Search) silhouettes(ctx context.Context, x mat.Matrix, runs [][]candidate) ([][]float64, error) {
	scores := make([][]float64, len(runs))
	if s.Simplified {
		for q, of := range runs {
			for _, r := range of {
				v, err := metrics.SimplifiedSilhouette(ctx, x, r.labels)
				if err != nil {
					return nil, err
				}
				scores[q] = append(scores[q], v.Mean)
			}
		}
		return scores, nil
	}
	var different [][]int
	of := make([][]int, len(runs))
	for q, group := range runs {
		first := len(different)
		for _, r := range group {
			at := first
			for at < len(different) && !slices.Equal(different[at], r.labels) {
				at++
			}
			if at == len(different) {
				different = append(different, r.labels)
			}
			of[q] = append(of[q], at)
		}
	}
	values, err := metrics.SilhouetteEach(ctx, x, different, s.Observer)
	if err != nil {
		return nil, err
	}
	for q := range runs {
		for _, at := range of[q] {
			scores[q] = append(scores[q], values[at].Mean)
		}
	}
	return scores, nil
}
