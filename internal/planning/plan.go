// Package planning says what memory and time a run will take, before it is run.
package planning

import (
	"context"
	"fmt"
	"slices"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/choosing"
	"github.com/eigenmap/eigenmap/internal/confidence"
	"github.com/eigenmap/eigenmap/internal/fault"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/request"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// DryRun is [PlanRanks] of the command "cluster" or "embed" with all checks of the request that
// come before any reading. The number of clusters may be a range: memory is planned for the
// largest, time for a usual one, and a note says so. Nothing is written.
func DryRun(ctx context.Context, file string, opt request.Options, command string) (*Plan, error) {
	if _, err := request.ForRun(opt, command); err != nil {
		return nil, fault.Wrap(err)
	}
	opt.Work = ""
	r, err := request.ForRun(opt, "plan")
	if err != nil {
		return nil, fault.Wrap(err)
	}
	j := &job.Job{Request: r, File: file, Dry: command}
	p, err := plan(ctx, j, 0, false, nil)
	return p, fault.Wrap(j.InDocuments(err))
}

// PlanRanks says what memory and time a clustering of a file will take, by stages, and does none of
// the work: it looks at the sizes alone ([corpus.Measure]). A request that a clustering refuses
// without the entries of the documents is refused here too.
//
// The bytes are those by which the stages ask for memory. Times are rough: mostly within 1.5 times
// of what a run takes, sometimes five times away from it, and more on other machines.
//
// ranks is the number of ranks under mpirun that share the run, each with the threads of this
// process; the plan is what one of them takes, the one that takes the most. 0 ranks are one process
// without MPI, 1 is one with it. A rank may take the memory that this process may take. The bytes
// that a rank receives are an upper estimate for its largest exchanges.
//
// apart: each rank writes its own part of the results.
func PlanRanks(ctx context.Context, file string, opt request.Options, ranks int, apart bool) (*Plan, error) {
	r, err := request.ForRun(opt, "plan")
	if err != nil {
		return nil, fault.Wrap(err)
	}
	if ranks < 0 {
		return nil, fault.Wrap(invalid.Errorf("‹ranks› %d: give 1 or more", ranks))
	}
	j := &job.Job{Request: r, File: file}
	p, err := plan(ctx, j, ranks, apart, nil)
	return p, fault.Wrap(j.InDocuments(err))
}

// plan is the plan of a job of so many ranks, which write their results apart or not. file is the
// size of its corpus; nil: it is measured.
func plan(ctx context.Context, j *job.Job, size int, apart bool, file *corpus.Size) (*Plan, error) {
	team := ranks.With(ctx, ranks.Planned(size))
	if err := check(ctx, j, team); err != nil {
		return nil, err
	}
	var read *corpus.Corpus
	if file == nil {
		opt := j.ReadOptions()
		opt.Observer = nil
		opt.AsStored = readsAsStored(j, size)
		var err error
		if file, read, err = corpus.MeasureRead(ctx, j.File, opt); err != nil {
			return nil, err
		}
	}
	votes(j, file.Classes)
	span := j.ClusterRange
	vectors, err := plannedVectors(ctx, j, file)
	if err != nil {
		return nil, err
	}
	weighed, err := foreseeWeights(ctx, j, read, file)
	if err != nil {
		return nil, err
	}
	in, err := planned(j, file, weighed)
	if err != nil {
		return nil, err
	}
	at := ratesOf(in.X)
	if size > 1 {
		if err := divide(team, j, in, &at); err != nil {
			return nil, err
		}
	}
	stages, rows := reading(j, file, in, at, size)
	for _, s := range vectors {
		stages, rows = append(stages, s), memory.Sum(rows, s.Keeps)
	}
	stages = append(stages, copiesLeftOut(j, in, at, rows)...)
	stages = append(stages, choosing.PlannedChoice(j, in, at)...)
	_, complete := j.MethodOptions.(method.Planner)
	u := newUsual(j, in, span)
	fit, err := u.timed(func() ([]method.Stage, error) { return fitting(j, in, at, file, u.most > 0) })
	if err != nil {
		return nil, err
	}
	stages = append(stages, fit...)
	v := &Plan{File: j.File, Method: j.Spec.Name, Documents: file.Documents, Terms: file.Terms, Entries: file.Entries, Sparse: file.Sparse,
		Share: file.Share, Clusters: j.Clusters, Ranks: size, Divided: in.Share.Divided(), Complete: complete}
	if !complete {
		j.Note(fmt.Sprintf("The method %s cannot say what its fit takes, so this is the least: its time grows with %s", j.Spec.Name, j.Spec.Grows))
	}
	end := func(apart bool) []method.Stage {
		list, _ := u.timed(func() ([]method.Stage, error) { return ending(ctx, j, in, at, file, dimsGiven(j, in), apart), nil })
		return list
	}
	v.end(ctx, j, stages, end, program(j, size), apart, apart || !in.Share.Divided())
	v.settings, v.size = settings(j, span), file
	v.Notes = words.NotNil(j.Notes.All(true))
	return v, nil
}

// settings are the job's, with the range of numbers of clusters that the run chooses from.
func settings(j *job.Job, span option.Span) []job.Setting {
	if !span.IsZero() {
		defer func(planned int) { j.Clusters, j.ClusterRange = planned, option.Span{} }(j.Clusters)
		j.Clusters, j.ClusterRange = 0, span
	}
	return j.Settings()
}

// check refuses a job that has no plan; team has the ranks in its context. It settles how texts
// become rows.
func check(ctx context.Context, j *job.Job, team context.Context) error {
	if err := j.CheckRanks(team); err != nil {
		return err
	}
	switch {
	case j.Source.Precomputed:
		return invalid.Errorf("‹precomputed›: a plan is made from documents: leave it out")
	case j.Graph != "":
		return invalid.Errorf("‹graph›: a plan counts the graph that the run makes itself: leave it out")
	case !j.ClusterRange.IsZero() && j.Dry == "":
		return invalid.Errorf("‹clusters›: a plan takes one number of clusters: give the largest of the range")
	}
	if err := j.SettleText(ctx); err != nil {
		return err
	}
	if err := job.Present(j.Labels, j.Constraints); err != nil { // which a plan does not read, and the run will
		return err
	}
	return job.CheckFiles(ctx, j.File, j.Source.Truth, j.Labels, j.Constraints)
}

// fitting are the stages of the method's fit, as far as it can say them, after the choice of a
// number of clusters if that is chosen, of k-means on its coordinates, and of the second looks for
// the calibration.
func fitting(j *job.Job, in *method.Input, at method.Rates, file *corpus.Size, chosen bool) (list []method.Stage, err error) {
	var looks []method.Stage
	if o, ok := j.MethodOptions.(method.Planner); ok {
		list, err = o.Plan(in, at)
		if err == nil && chosen && j.Dry != "embed" {
			list, err = choosing.PlannedSearch(j, in, at, list)
		}
		if err != nil {
			return nil, err
		}
		for i := range list {
			s := &list[i]
			s.Helps = slices.DeleteFunc(slices.Clone(s.Helps), func(help string) bool { return !offers(j, help) })
		}
		if looks, err = confidence.PlannedLooks(j, in, at); err != nil {
			return nil, err
		}
	}
	if j.Spec.ThenKMeans() && j.Dry != "embed" {
		list = append(list, kmeansStage(j, in, at, file, dimsGiven(j, in)))
	}
	return append(list, looks...), nil
}

// ratesOf are the rates of work on rows of a shape.
func ratesOf(x mat.Matrix) method.Rates {
	n, width := x.Dims()
	at := method.Rates{Threads: native.Threads(), Entries: n * width, Dense: true}
	if s, ok := x.(*sparse.CSR); ok {
		at.Entries, at.Dense = entriesOf(s), false
	}
	return at
}

// sparseShape is a sparse matrix without entries that says how many there are.
func sparseShape(rows, cols, entries int) *sparse.CSR {
	x := &sparse.CSR{NumRows: rows, NumCols: cols, RowPtr: make([]int, rows+1)}
	x.RowPtr[rows] = entries
	return x
}

// entriesOf is how many entries a sparseShape says that there are; it holds none that
// [sparse.CSR.NNZ] could count.
func entriesOf(x *sparse.CSR) int { return x.RowPtr[x.NumRows] }

// kmeansStage is k-means on so many coordinates, after which documents move by their terms.
func kmeansStage(j *job.Job, in *method.Input, at method.Rates, file *corpus.Size, dims int) method.Stage {
	rows, terms := in.X.Dims()
	entries := at.Entries
	can := func() bool {
		return !at.Dense && !j.Source.Precomputed && !sparse.MostlyEmpty(terms, file.Documents, entries)
	}
	moves := j.NearestByTerms(can)
	moving := at.Passes(float64(entries), 25)
	stage := kmeans.PlannedAfter(j.Spec, in, at, dims, request.KMeansOptions(j.KMeans, j.Clusters, j.Seed, nil))
	if moves {
		stage.Bytes = max(stage.Bytes, kmeans.TermsMemory(rows, terms, entries, max(1, j.Clusters)))
		stage.Seconds += moving
	}
	return stage
}
