package eigenmap

import (
	"context"
	"fmt"

	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/method"
	"gonum.org/v1/gonum/mat"
)

// take takes what the method found.
func (r *Run) take(fitted *method.Fitted) {
	if fitted == nil {
		return
	}
	r.Fitted = fitted
	if fitted.Used != nil {
		r.j.config = fitted.Used
	}
	r.Embedding = fitted.Embedding
	if r.j.share.Divided() {
		if g := fitted.Graph; g != nil && g.Share.Divided() {
			r.shared = summarizeShared(r.j.share, fitted.Graph)
		}
		if fitted.Placer == nil {
			fitted.Why = closedByShare
		}
	}
	if v := fitted.Values; v != nil {
		if worst := v.Worst(); v.Tol > 0 && worst > v.Tol && v.Stats != nil {
			r.j.warn(fmt.Sprintf("The largest residual, %.1e, is what rounding allows; ‹tol› %g cannot be met on this graph.", worst, v.Tol))
		}
	}
	if fitted.Clusters != nil {
		r.takeClusters(fitted.Clusters)
	}
}

// clusterCoordinates runs k-means on the rows of an embedding. Beside an error it returns the
// clusters that were found by then, nil if there are none.
func (j *job) clusterCoordinates(ctx context.Context, x *mat.Dense) (*method.Clusters, error) {
	defer j.stage("kmeans")()
	opt := kmeansOptions(j.KMeans, j.Clusters, j.Seed, j.observe)
	if j.KMeans.Init == initLabels {
		opt.Init, opt.Start = "", j.sharedMeans(x, j.known.labels, len(j.known.names))
	}
	opt.Share = j.share
	m, err := kmeans.Fit(ctx, x, opt)
	if m == nil {
		return nil, err
	}
	return &method.Clusters{Labels: m.Labels, Sizes: m.Sizes, Objective: m.Objective, Centers: m.Centers, By: "k-means",
		How: fmt.Sprintf("%s, best of %s, objective %.6g", words.Plural(len(m.Sizes), "cluster", "clusters"),
			words.Plural(orInt(j.KMeans.Restarts, 10), "start", "starts"), m.Objective)}, err
}
