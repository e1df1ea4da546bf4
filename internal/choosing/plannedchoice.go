package choosing

import (
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/request"
	"github.com/eigenmap/eigenmap/methods/committee"
	"github.com/eigenmap/eigenmap/methods/crossval"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/method"
)

// runsOfOthers is the share of the folds in which a candidate that does not vote runs, roughly:
// many are dropped as soon as they are plainly behind.
const runsOfOthers = 0.5

// leftByFits is what earlier fits leave until it is collected, of small data more than the fits
// themselves take.
const leftByFits = 8e6

// PlannedChoice is the stage of a plan in which known labels choose the method: the fits of all
// candidates in each fold, beside graph and principal components, which the run's own fit counts.
// The labels are taken to be of classes of equal size. Where they are too few to compare methods
// by, there is no such stage, and the run's committee is that of few labels.
func PlannedChoice(j *job.Job, in *method.Input, at method.Rates) []method.Stage {
	classes, labelled := len(j.Prior.Names), in.Labelled()
	if j.Entrants == nil || j.Dry == "embed" || classes == 0 {
		return nil
	}
	known := make([]int, labelled)
	for i := range known {
		known[i] = i % classes
	}
	c := &chooser{j: j, entered: slices.Clone(j.Entrants), race: crossval.NewRace(len(j.Entrants), classes)}
	c.suit(in.Sparse())
	if tooFew(crossval.HeldOut(known, classes), labelled) {
		if o, ok := j.MethodOptions.(*committee.Options); ok && o.Members == "" {
			o.Members = request.MembersOfFew
		}
		return nil
	}
	size := sizeOf(in, at, classes)
	folds, rounds, out := c.limit(size, crossval.Number(known, classes))
	each := max(1, labelled/folds)
	rounds = min(rounds, (trialDocuments+each-1)/each)
	for _, m := range out {
		c.race.Leave(m)
	}
	choice := method.Stage{Name: "choose method", Helps: []string{"‹method›"}}
	for m, e := range c.entered {
		if e.Request == nil || e.Out != "" || m == request.PlaceOfCommittee || !c.race.Runs(m) {
			continue
		}
		stages, err := c.plannedFit(e, in, at)
		if err != nil { // the run leaves it out too
			continue
		}
		runs := float64(rounds)
		switch {
		case !e.Learns():
			runs = 1
		case !c.votes(m):
			runs = max(1, runsOfOthers*runs)
		}
		for _, s := range stages {
			choice.Seconds += runs * s.Seconds
		}
		choice.Bytes = max(choice.Bytes, method.Peak(stages))
	}
	found := memory.Bytes(8, in.Len(), classes+1) // of each member, until the votes of a fold are counted
	choice.Bytes, choice.Keeps = memory.Sum(choice.Bytes, memory.Bytes(found, len(committee.Names())), leftByFits), leftByFits
	return []method.Stage{choice}
}

// plannedFit are the stages of a fit of a candidate in a fold.
func (c *chooser) plannedFit(e request.Entrant, in *method.Input, at method.Rates) ([]method.Stage, error) {
	t, err := c.settled(e.Request, c.j.Prior.Labels)
	if err != nil {
		return nil, err
	}
	if o, ok := t.MethodOptions.(method.Trialled); ok {
		t.MethodOptions = o.Trial()
	}
	own := *in
	own.Clusters = t.Clusters
	if !e.Learns() {
		own.Given = nil
	}
	at.Again = true
	p, ok := t.MethodOptions.(method.Planner)
	if !ok {
		return nil, nil
	}
	stages, err := p.Plan(&own, at)
	if err == nil && t.Spec.ThenKMeans() {
		stages = append(stages, kmeans.PlannedAfter(t.Spec, &own, at, 0, request.KMeansOptions(t.KMeans, t.Clusters, t.Seed, nil)))
	}
	return stages, err
}

// sizeOf is the size of data that are planned.
func sizeOf(in *method.Input, at method.Rates, classes int) request.DataSize {
	_, columns := in.X.Dims()
	return request.DataSize{Rows: float64(in.Len()), Columns: float64(columns), Classes: float64(classes), Entries: math.Max(1, float64(at.Entries))}
}
