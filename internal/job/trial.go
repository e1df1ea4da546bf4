package job

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/request"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/sparse"
)

// ClusterCoordinates runs k-means on the rows of the embedding of a fit. Of few documents the
// clusters follow the components of the graph, and as many clusters as hundreds of components begin
// with these. Beside an error it returns the clusters that were found by then, nil if there are
// none.
func (j *Job) ClusterCoordinates(ctx context.Context, f *method.Fitted) (*method.Clusters, error) {
	defer j.Stage("kmeans")()
	x := f.Embedding
	opt := request.KMeansOptions(j.KMeans, j.Clusters, j.Seed, j.Observe)
	if j.KMeans.Init == request.InitLabels {
		opt.Init, opt.Start = "", j.SharedMeans(x, j.Prior.Labels, len(j.Prior.Names))
	}
	opt.Share, opt.Aside = j.Share, j.aside(x)
	starts := request.OrInt(j.KMeans.Restarts, 10)
	if j.beginsByComponents(f) {
		opt.Init, opt.Start, starts = "", componentMeans(x, f.Graph), 1
	}
	var m *kmeans.Model
	var err error
	switch {
	case j.followsComponents(f):
		fade := float64(componentFade)
		if j.alone {
			fade = 0
		}
		m, err = clusterComponents(ctx, x, f.Graph.Component, f.Graph.Components, fade, opt)
	case j.times != nil:
		m, err = j.clusterRepeated(ctx, x, opt)
	default:
		m, err = kmeans.Fit(ctx, x, opt)
	}
	if m == nil {
		return nil, err
	}
	found := m.Found(starts)
	if err != nil || !j.NearestByTerms(func() bool { return kmeans.HasTerms(j.X, j.Share) }) {
		return found, err
	}
	if err := j.CheckNearest(); err != nil {
		return found, err
	}
	near, err := kmeans.ByTerms(ctx, found, x, j.X.(sparse.Rows), j.Share)
	if err != nil {
		return found, err
	}
	return near, nil
}

// NearestByTerms says whether documents move by their terms after k-means. By default those of a
// method whose specification says so do, if they can.
func (j *Job) NearestByTerms(can func() bool) bool {
	if j.KMeans.Nearest == "" {
		return j.Spec.Yields.Terms && can()
	}
	return j.KMeans.Nearest == request.NearestByTerms
}

// CheckNearest refuses ‹nearest-by› terms for documents that are no sparse rows: it is known before
// the method takes its time.
func (j *Job) CheckNearest() error {
	if _, ok := j.X.(sparse.Rows); ok || j.KMeans.Nearest != request.NearestByTerms {
		return nil
	}
	return invalid.Errorf("‹nearest-by› terms has no effect here: the run has no sparse rows of terms: leave it out")
}

// Trial is the job of a fit that is judged: of another method, with other labels, and without
// notes.
func (j *Job) Trial(of *request.Request, known []int) *Job {
	own := *j.Request
	own.Become(of)
	own.Observer = j.Observer.WithoutNotes()
	t := &Job{Request: &own, File: j.File, Corpus: j.Corpus, X: j.X, VectorsRead: j.VectorsRead, ColumnsRead: j.ColumnsRead, Affinity: j.Affinity, Joined: j.Joined, Prior: j.Prior, InMemory: j.InMemory, times: j.times}
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
	found, err := j.ClusterCoordinates(ctx, fitted)
	return fitted, found, err
}
