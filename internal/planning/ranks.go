package planning

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/request"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/layout"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/nystrom"
	"github.com/eigenmap/eigenmap/methods/spectral"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
)

// divide gives the input the rows of one rank of the context's planned team, and the rates the
// threads of all, if the run divides the documents; else every rank has them all, which is noted.
// More ranks than documents are refused, as by the run.
func divide(ctx context.Context, j *job.Job, in *method.Input, at *method.Rates) error {
	n, cols := in.X.Dims()
	if size := ranks.From(ctx).Size(); n < size {
		return invalid.Errorf("%s: ‹ranks› %d are more than its %s: give at most %d", j.File, size, words.Plural(n, "document", "documents"), n)
	}
	if why := j.EachWhole(ctx); why != "" {
		j.Note(why + ". What the ranks receive is not estimated")
		return nil
	}
	if n < request.FewDocuments || !j.DividesRows(ctx) {
		why := "with these options"
		if n < request.FewDocuments {
			why = fmt.Sprintf("of fewer than %d", request.FewDocuments)
		}
		j.Note("‹ranks›: every rank has all documents " + why +
			", so each takes the memory of one process, and at most its time. What the ranks receive is not estimated")
		return nil
	}
	team := ranks.From(ctx)
	at.Threads *= team.Size()
	in.Share = ranks.Evenly(team, n)
	own := in.Share.Own()
	if x, ok := in.X.(*sparse.CSR); ok {
		in.X = sparseShape(own, cols, int(float64(entriesOf(x))/float64(n)*float64(own)))
	} else {
		in.X = method.Shape(own, cols)
	}
	return nil
}

// ending are the stages after the clusters: those of ranks, if they divide the documents, the map,
// and the runner-up. Where each rank writes its own part of the results, rank 0 takes the graph and
// the coordinates of all for a map or levels that are asked for, and makes none else. One process
// writes the page.
func ending(ctx context.Context, j *job.Job, in *method.Input, at method.Rates, size *corpus.Size, dims int, apart bool) (stages []method.Stage) {
	divided := in.Share.Divided()
	if divided {
		stages = together(j, in, size, dims, apart)
	}
	drawn := j.WantsMap(!(apart && divided))
	if j.Dry != "embed" && (drawn || divided && len(j.Levels) > 0) {
		s := method.Stage{Name: "levels"}
		if drawn {
			s = layout.Planned(size.Documents, cmp.Or(spectral.Neighbors(in, nystrom.Problem{}).Neighbors, graph.DefaultNeighbors), at)
		}
		if g := graphOf(size); divided {
			s.Bytes, s.Received = memory.Sum(s.Bytes, g), memory.Whole(others(in, size)*float64(g))
		}
		if apart && divided {
			joined := &method.Gathering{Count: true}
			joined.CountDense(size.Documents, dims)
			s.Bytes = memory.Sum(s.Bytes, joined.Bytes())
		}
		stages = append(stages, s)
	}
	if j.Dry != "embed" && !(apart && divided && !drawn && len(j.Levels) == 0) && j.HasRunnerUp(size.Documents) {
		at.Entries = size.Documents * dims
		s := kmeans.Planned(method.Shape(size.Documents, dims), at, j.RunnerUpOptions())
		s.Name, s.Helps = "runner-up", nil
		s.Seconds += merging * float64(size.Documents)
		stages = append(stages, s)
	}
	if !divided && j.Dry != "embed" {
		stages = append(stages, page(ctx, j, size))
	}
	return stages
}

// merging is the time in which clusters are merged along the edges of the graph, for a document.
const merging = 3e-6

// graphOf is the graph of all documents, which rank 0 joins for a map, of as many neighbours as the
// default: 24 bytes an edge.
func graphOf(size *corpus.Size) int64 {
	return memory.Bytes(24, size.Documents, min(2*graph.DefaultNeighbors, max(1, size.Documents-1)))
}

// others is the share of the documents that other ranks have.
func others(in *method.Input, size *corpus.Size) float64 {
	return 1 - float64(in.Share.Own())/float64(max(1, size.Documents))
}

// collected is what rank 0 joins of all ranks (Collect of a run): the embedding and the
// coordinates in the model, the counts and the weighted rows.
func collected(j *job.Job, size *corpus.Size, dims int) int64 {
	g := &method.Gathering{Count: true}
	if j.Spec.Yields.Coordinates {
		g.CountDense(size.Documents, dims)
	}
	if keepsDocuments(j) {
		g.CountDense(size.Documents, dims)
	}
	copies := 2
	if j.Weighting == corpus.WeightTF && j.Normalize == corpus.NormNone { // the counts are the rows
		copies = 1
	}
	for range copies {
		if size.Sparse {
			g.CountSparse(size.Documents, size.Entries)
		} else {
			g.CountDense(size.Documents, size.Terms)
		}
	}
	return g.Bytes()
}

// keepsDocuments reports whether a model of the job's method has something of each document.
func keepsDocuments(j *job.Job) bool {
	if j.Spec.Placer == nil {
		return false
	}
	_, keeps := j.Spec.Placer().(method.Gatherer)
	return keeps
}

// end adds the stages up, with those that end the run. Where rank 0 has no memory for what it
// joins, each rank writes its own part, as the run does; decided: that was asked for, or there are
// no ranks.
func (v *Plan) end(ctx context.Context, j *job.Job, stages []method.Stage, ending func(apart bool) []method.Stage, program float64, apart, decided bool) {
	all := append(slices.Clone(stages), ending(apart)...)
	v.sum(ctx, all, program)
	if !v.Divided {
		v.withoutPage(ctx, j, all, program)
	}
	if decided {
		return
	}
	for _, s := range v.Stages {
		if s.Name != "write" || s.Peak <= v.Allowed {
			continue
		}
		j.Note(fmt.Sprintf("Rank 0 has no memory for the %s that it would join, so each rank writes the part of its own documents, as with ‹shards›", words.Bytes(s.Bytes)))
		v.Stages, v.Peak, v.Seconds = nil, 0, 0
		v.sum(ctx, append(slices.Clone(stages), ending(true)...), program)
		return
	}
	for _, s := range v.Stages {
		if s.Name == "write" {
			j.Note("With ‹out› rank 0 has the stage write, in which it joins the rows of all ranks; the other ranks do not have it. Where it has less memory, or with ‹shards›, each rank writes the part of its own documents")
		}
	}
}

// together are the stages in which ranks end a run: the sums of the terms of each cluster, on every
// rank, and with ‹out› what writes the results. Either each rank writes its own part, apart: then
// rank 0 takes the sums of the model's novelty and some numbers of each document. Or rank 0 joins
// the embedding, rows and counts ([collected]); the embedding takes as much again as it comes, and
// as it is written.
func together(j *job.Job, in *method.Input, size *corpus.Size, dims int, apart bool) []method.Stage {
	sums := memory.Bytes(8, j.Clusters, size.Terms)
	stages := []method.Stage{{Name: "metrics", Bytes: sums, Received: sums}}
	joined := collected(j, size, dims)
	if apart {
		return append(stages, method.Stage{Name: "write", Bytes: memory.Sum(sums, memory.Bytes(job.MeasuredBytes, size.Documents)),
			Received: memory.Sum(sums, memory.Bytes(job.MeasuredReceived, size.Documents-in.Share.Own()))})
	}
	if !j.Spec.Yields.Coordinates && j.Spec.Placer == nil {
		return stages
	}
	var helps []string
	if j.Field("dims") != nil {
		helps = []string{"‹dims›"}
	}
	if !j.Spec.Yields.Coordinates {
		dims = 0
	}
	return append(stages, method.Stage{Name: "write", Helps: append(helps, "‹shards›"), Bytes: memory.Sum(joined, memory.Bytes(2*8, size.Documents, dims)), Keeps: joined,
		Received: memory.Whole(others(in, size) * float64(joined))})
}

// program is what a process of the run takes before any work: with MPI if ranks share it, or if
// SLEPc solves the eigenproblem.
func program(j *job.Job, ranks int) float64 {
	solver := j.Field("solver")
	if ranks > 0 || solver != nil && solver.String() == "slepc" {
		return mpiBytes
	}
	return ownBytes()
}

// ownBytes is what the program takes with its libraries and threads, and what its code and their
// buffers come to while it works.
func ownBytes() float64 {
	if len(native.Engines()) == 1 {
		return pureBytes
	}
	return programBytes
}

// programBytes is ownBytes with C libraries, 61 MB before any work, pureBytes without them: runs of
// three data sets of 10 to 30 clusters took 17 to 23 MB less. mpiBytes is with MPI, PETSc and
// SLEPc.
const (
	programBytes = 80e6
	pureBytes    = 62e6
)

const mpiBytes = 123e6
