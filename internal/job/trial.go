package job

import (
	"context"
	"fmt"

	"github.com/eigenmap/eigenmap/internal/request"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/method"
	"gonum.org/v1/gonum/mat"
)

// ClusterCoordinates runs k-means on the rows of an embedding. Beside an error it returns the
// clusters that were found by then, nil if there are none.
func (j *Job) ClusterCoordinates(ctx context.Context, x *mat.Dense) (*method.Clusters, error) {
	defer j.Stage("kmeans")()
	opt := request.KMeansOptions(j.KMeans, j.Clusters, j.Seed, j.Observe)
	if j.KMeans.Init == request.InitLabels {
		opt.Init, opt.Start = "", j.SharedMeans(x, j.Prior.Labels, len(j.Prior.Names))
	}
	opt.Share = j.Share
	m, err := kmeans.Fit(ctx, x, opt)
	if m == nil {
		return nil, err
	}
	return &method.Clusters{Labels: m.Labels, Sizes: m.Sizes, Objective: m.Objective, Centers: m.Centers, By: "k-means",
		How: fmt.Sprintf("%s, best of %s, objective %.6g", words.Plural(len(m.Sizes), "cluster", "clusters"),
			words.Plural(request.OrInt(j.KMeans.Restarts, 10), "start", "starts"), m.Objective)}, err
}

// Trial is the job of a fit that is judged: of another method, with other labels, and without
// notes.
func (j *Job) Trial(of *request.Request, known []int) *Job {
	own := *j.Request
	own.Become(of)
	own.Observer = j.Observer.WithoutNotes()
	t := &Job{Request: &own, File: j.File, Corpus: j.Corpus, X: j.X, VectorsRead: j.VectorsRead, ColumnsRead: j.ColumnsRead, Affinity: j.Affinity, Joined: j.Joined, Prior: j.Prior, InMemory: j.InMemory}
	t.Prior.Labels = known
	return t
}

// FitOnce fits the method of the job and finds the clusters: the method's own, or k-means on its
// coordinates.
func (j *Job) FitOnce(ctx context.Context, in *method.Input) (*method.Fitted, *method.Clusters, error) {
	fitted, err := j.Spec.Fit(ctx, j.MethodOptions, in)
	if err != nil {
		return nil, nil, err
	}
	if fitted.Used != nil {
		j.MethodOptions = fitted.Used
	}
	if fitted.Clusters != nil {
		return fitted, fitted.Clusters, nil
	}
	found, err := j.ClusterCoordinates(ctx, fitted.Embedding)
	return fitted, found, err
}
