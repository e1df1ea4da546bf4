package bench

import (
	"context"
	"fmt"

	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/le"
)

// kmeansSection measures k-means of the documents' embedding into 30 dimensions, 30 clusters, 10
// restarts.
func kmeansSection(ctx context.Context, s *session) ([]Group, error) {
	k := 30
	if s.Quick {
		k = 10
	}
	c, x, err := s.documents(ctx)
	if err != nil {
		return nil, err
	}
	opt := le.Options{Dims: k, NormalizeRows: true}
	opt.Eigen.Seed = s.Seed
	model, err := le.Fit(ctx, x, opt)
	if err != nil {
		return nil, err
	}
	points := model.Embedding
	all := []Contestant{{"k-means++, restarts in parallel", Native, func(ctx context.Context) (Outcome, error) {
		clock := startStopwatch()
		m, err := kmeans.Fit(ctx, points, kmeans.Options{K: k, Restarts: 10, Seed: s.Seed})
		if err != nil {
			return Outcome{}, err
		}
		return clock.outcome(1, fmt.Sprintf("objective %.4f", m.Objective)), nil
	}}}
	if s.peer != nil {
		file, err := s.export("embedding", points)
		if err != nil {
			return nil, err
		}
		all = append(all, Contestant{"scikit-learn KMeans", Peer, func(ctx context.Context) (Outcome, error) {
			a, err := s.peer.ask(ctx, peerTask{Task: "kmeans", Files: []string{file}, K: k, Restarts: 10, Seed: s.Seed})
			if err != nil {
				return Outcome{}, err
			}
			return Outcome{Seconds: a.Seconds, CPU: a.CPU, Note: fmt.Sprintf("objective %.4f", a.Values[0])}, nil
		}})
	}
	rows, _ := points.Dims()
	g, err := s.compare(ctx, fmt.Sprintf("k-means, %d×%d embedding of %s, %d clusters, 10 restarts", rows, k, c.Name, k), all)
	return []Group{g}, err
}
