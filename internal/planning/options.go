package planning

import (
	"strconv"
	"strings"

	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/methods/method"
)

// offers says whether a run has the option that helps a stage, as ‹name› or ‹name› value: stages
// are planned by packages that methods share, some of which leave options out.
func offers(j *job.Job, help string) bool {
	name, _, _ := strings.Cut(strings.TrimPrefix(help, "‹"), "›")
	switch name {
	case "ranks":
		return j.Spec.Divided
	case "threads":
		return true
	}
	return j.Field(name) != nil
}

// dimsGiven is the number of coordinates in which k-means finds the clusters.
func dimsGiven(j *job.Job, in *method.Input) int {
	if f := j.Field("dims"); f != nil {
		if n, err := strconv.Atoi(f.String()); err == nil && n > 0 {
			return n
		}
	}
	k := max(1, in.Clusters)
	if by := j.Spec.Yields.Dims; by != nil {
		return min(by(k), in.Len())
	}
	return k
}
