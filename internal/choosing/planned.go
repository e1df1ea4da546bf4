package choosing

import (
	"slices"

	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/methods/choosek"
	"github.com/eigenmap/eigenmap/methods/le"
	"github.com/eigenmap/eigenmap/methods/leiden"
	"github.com/eigenmap/eigenmap/methods/method"
)

// searched is how many times as long as one partition the communities and their mergers take, with
// what is said of the numbers beside the one chosen: 0.07 to 0.15 s of five corpora of 5,000 to
// 9,400 documents, and up to 1 of 14,640 short ones, of which many are alike.
const searched = 2.5

// PlannedSearch puts the choice of a number of clusters, at most that of the input, among the
// stages of a method's fit: the communities of the neighbour graph, which the fit then has too, and
// the eigenpairs whose gaps are looked at. Rules that fit the method for every number are not
// counted.
func PlannedSearch(j *job.Job, in *method.Input, at method.Rates, fit []method.Stage) ([]method.Stage, error) {
	if asked := choosek.Rule(j.KBy); asked != choosek.Modularity && asked != "" && asked != ruleAuto {
		return fit, nil
	}
	own := *in
	own.Clusters = 0
	list, err := new(leiden.Options).Plan(&own, at)
	if err != nil {
		return nil, err
	}
	build, find := list[0], list[1]
	n, cols := in.X.Dims()
	rows := min(n, levelRows)
	find.Seconds *= searched
	find.Seconds += at.Pairs(float64(rows)*float64(rows), n) // the silhouettes of levels
	stages := []method.Stage{find}
	if most := min(mostGaps, in.Clusters); looksAtGaps(in, cols) && most > 1 && most+1 < in.Len() {
		solve, err := (&le.Options{Dims: most + 1, Skip: le.SkipNone}).Plan(&own, at)
		if err != nil {
			return nil, err
		}
		stages = append(stages, solve[len(solve)-1])
	}
	one := method.AsOne("choose k", find.Keeps, stages...)
	one.Helps = []string{"‹clusters›"}
	if after := slices.IndexFunc(fit, func(s method.Stage) bool { return s.Name == build.Name }); after >= 0 {
		return slices.Insert(slices.Clone(fit), after+1, one), nil
	}
	build.Keeps = 0
	return append([]method.Stage{build, one}, fit...), nil
}
