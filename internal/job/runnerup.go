package job

import (
	"github.com/eigenmap/eigenmap/internal/request"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/progress"
)

const (
	// runnerUpTimes is how many times as many clusters a runner-up is merged from.
	runnerUpTimes = 2
	// runnerUpStarts is the largest number of starts of its k-means.
	runnerUpStarts = 3
	// mostRunnerUp is the largest number of clusters that are merged: the time grows with its square.
	mostRunnerUp = 1000
)

// HasRunnerUp reports whether a clustering of n distinct documents has a runner-up when its results
// are saved: k-means on the coordinates of a neighbour graph of all of them finds the clusters,
// neither labels nor links say which are meant, and there are two documents or more for each of the
// clusters that are merged.
func (j *Job) HasRunnerUp(n int) bool {
	smaller := runnerUpTimes * j.Clusters
	return j.Spec.ThenKMeans() && j.Spec.Needs.Affinity && j.Prior.Labels == nil && j.Prior.Groups == nil &&
		j.Entrants == nil && j.Clusters >= 2 && smaller <= mostRunnerUp && n >= 2*smaller && j.joinsNear()
}

// joinsNear reports whether the method's graph has edges, and of all documents: not of landmarks
// alone, and not of all pairs, which are never written down.
func (j *Job) joinsNear() bool {
	for _, f := range j.Fields() {
		if f.Name == "landmarks" && f.String() != "" || f.Name == "graph-kind" && f.String() == string(graph.KindComplete) {
			return false
		}
	}
	return true
}

// RunnerUpOptions are the options of the k-means that finds the clusters to merge.
func (j *Job) RunnerUpOptions() kmeans.Options {
	opt := request.KMeansOptions(j.KMeans, runnerUpTimes*j.Clusters, j.Seed, progress.Observer(j.Observe).WithoutNotes())
	opt.Restarts = min(runnerUpStarts, request.OrInt(opt.Restarts, runnerUpStarts))
	return opt
}
