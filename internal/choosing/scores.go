package choosing

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/request"
	"github.com/eigenmap/eigenmap/methods/choosek"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"gonum.org/v1/gonum/mat"
)

// kmeansOf clusters rows into k clusters as the run does.
func (s *searcher) kmeansOf(ctx context.Context, x mat.Matrix, k, starts int, seed uint64) ([]int, error) {
	opt := request.KMeansOptions(s.j.KMeans, k, seed, nil)
	if opt.Init == request.InitLabels {
		opt.Init = ""
	}
	if starts > 0 {
		opt.Restarts = starts
	}
	m, err := kmeans.Fit(ctx, x, opt)
	if err != nil {
		return nil, err
	}
	return m.Labels, nil
}

// scoreCoordinates scores k-means on the coordinates for each k by silhouette or by stability.
func (s *searcher) scoreCoordinates(ctx context.Context, coordinates func(k int) (*mat.Dense, error)) error {
	if err := s.checkRows(); err != nil {
		return err
	}
	n := s.in.Len()
	rows := s.sample(n)
	return s.each(func(k int) error {
		y, err := coordinates(k)
		if err != nil {
			return err
		}
		if s.out.By == choosek.Stability {
			return s.stable(ctx, k, func(ctx context.Context, part []int, seed uint64) ([]int, error) {
				return s.kmeansOf(ctx, choosek.Rows(y, part), k, stableStarts, seed)
			})
		}
		starts := searchStarts
		if s.j.KMeans.Restarts > 0 {
			starts = s.j.KMeans.Restarts
		}
		labels, err := s.kmeansOf(ctx, y, k, starts, s.j.Seed)
		if err != nil {
			return err
		}
		return s.silhouettes(ctx, y, rows, []int{k}, [][]int{labels})
	})
}

// sample draws the rows that silhouettes are measured on.
func (s *searcher) sample(n int) []int {
	if s.out.By != choosek.Silhouette {
		return nil
	}
	if n > silhouetteRows {
		s.out.Sampled = silhouetteRows
	}
	return choosek.Sample(n, silhouetteRows, s.j.Seed)
}

// silhouettes scores clusterings of the rows of x.
func (s *searcher) silhouettes(ctx context.Context, x mat.Matrix, rows, ks []int, labelings [][]int) error {
	means, err := choosek.Silhouettes(ctx, x, rows, labelings, nil)
	for i := range means {
		s.points = append(s.points, choosek.Point{K: ks[i], Score: means[i]})
	}
	return err
}

// stable scores k by the agreement of clusters of parts of the documents.
func (s *searcher) stable(ctx context.Context, k int, cluster choosek.Cluster) error {
	s.out.Pairs, s.out.Share = stablePairs, stableShare
	mean, stderr, err := choosek.Agreement(ctx, s.in.Len(), stablePairs, stableShare, s.j.Seed, cluster)
	s.points = append(s.points, choosek.Point{K: k, Score: mean, Error: stderr})
	return err
}
