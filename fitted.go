package eigenmap

import (
	"context"
	"fmt"

	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/method"
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
			r.shared = r.j.summarizeShared(fitted.Graph)
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

// clusterCoordinates runs k-means on the rows of the embedding.
func (r *Run) clusterCoordinates(ctx context.Context) error {
	defer r.j.stage("kmeans")()
	opt := r.j.KMeans.options(r.j.Clusters, r.j.Seed, r.j.observe)
	if r.j.KMeans.Init == initLabels {
		opt.Init, opt.Start = "", r.j.sharedMeans(r.Embedding, r.j.known.labels, len(r.j.known.names))
	}
	opt.Share = r.j.share
	m, err := kmeans.Fit(ctx, r.Embedding, opt)
	if m != nil {
		r.takeClusters(&method.Clusters{Labels: m.Labels, Sizes: m.Sizes, Objective: m.Objective, Centers: m.Centers, By: "k-means",
			How: fmt.Sprintf("%s, best of %s, objective %.6g", words.Plural(len(m.Sizes), "cluster", "clusters"),
				words.Plural(orInt(r.j.KMeans.Restarts, 10), "start", "starts"), m.Objective)})
	}
	return err
}
