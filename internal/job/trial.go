package job

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/request"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/sparse"
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
	found := m.Found(request.OrInt(j.KMeans.Restarts, 10))
	if err != nil {
		return found, err
	}
	rows, ok := j.X.(sparse.Rows)
	unfit := 0 // ranks, one of which may have too few entries
	if !ok || rows.Pattern().CheckColumns() != nil {
		unfit = 1
	}
	if !j.nearestByTerms(ranks.Count(j.Share, unfit) == 0) {
		return found, nil
	}
	if !ok {
		return found, invalid.Errorf("‹nearest-by› terms has no effect here: the method has no sparse documents: leave it out")
	}
	near, err := kmeans.ByTerms(ctx, found, x, rows, j.Share)
	if err != nil {
		return found, err
	}
	return near, nil
}

// nearestByTerms says whether documents move by their terms after k-means. By default those of a
// method whose specification says so do, if they can.
func (j *Job) nearestByTerms(can bool) bool {
	if j.KMeans.Nearest == "" {
		return can && j.Spec.Yields.Terms
	}
	return j.KMeans.Nearest == request.NearestByTerms
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
