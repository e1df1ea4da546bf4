package choosing

import (
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/methods/choosek"
	"github.com/eigenmap/eigenmap/methods/le"
	"github.com/eigenmap/eigenmap/methods/leiden"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// searching are the seconds of the communities and their mergers, with what is said of the numbers
// beside the one chosen. One thread finds them. Rounds until nothing moves are more in larger
// graphs, and in those of short texts, whose neighbours are in no plain groups: titles of papers of
// 5 terms took 0.11 s for 5,000, 0.6 for 10,000, 1.1 for 20,000, 2.8 for 35,000 and 7.7 for 54,595;
// news of 18 terms 0.07 s for 4,000 and 0.2 for 8,000; posts of 74 terms 0.46 s for 18,846; five
// corpora of 5,000 to 9,400 documents 0.07 to 0.15.
func searching(in *method.Input, at method.Rates) float64 {
	const usual, few = 22e-6, 220e-6 // of a document among manyRows, and of one with one term more
	const manyRows, power = 20_000, 0.6
	n, each := float64(in.Len()), usual
	if in.Sparse() {
		each += few / max(1, float64(at.Entries)/n)
	}
	return n * each * math.Pow(n/manyRows, power)
}

// MostPlanned is about the largest number of clusters that a run chooses of rows, with which it is
// planned; of the end of the range if another rule than the neighbour graph chooses. Communities
// were 0.2 to 1.7 times the cube root of the documents, in 48 corpora and tables of 74 to 14,640.
// In tables of few columns a gap decides, or the cube root bounds them.
func MostPlanned(j *job.Job, x mat.Matrix) int {
	const most = 2
	span := j.ClusterRange
	if asked := choosek.Rule(j.KBy); !span.Auto || asked != choosek.Modularity && asked != "" && asked != ruleAuto {
		return span.To
	}
	n, cols := x.Dims()
	root := math.Cbrt(float64(n))
	if !sparse.Is(x) && cols <= mostGapColumns && n <= mostGapRows {
		return min(span.To, max(mostGaps, int(math.Round(root))))
	}
	return min(span.To, max(job.LeastRange, int(math.Ceil(most*root))))
}

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
	find.Seconds = searching(in, at)
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
