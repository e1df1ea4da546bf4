package planning

import (
	"context"
	"fmt"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/report"
	"github.com/eigenmap/eigenmap/internal/request"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/layout"
	"github.com/eigenmap/eigenmap/methods/method"
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
		part := &sparse.CSR{NumRows: own, NumCols: cols, RowPtr: make([]int, own+1)}
		part.RowPtr[own] = int(float64(x.NNZ()) / float64(n) * float64(own))
		in.X = part
	} else {
		in.X = method.Shape(own, cols)
	}
	return nil
}

// ending are the stages after the clusters: those of ranks, if they divide the documents, and the
// map, unless each rank writes its own part of the results.
func ending(ctx context.Context, j *job.Job, in *method.Input, at method.Rates, size *corpus.Size, dims int, apart bool) (stages []method.Stage) {
	if in.Share.Divided() {
		stages = together(j, in, size, dims, apart)
	}
	if j.Dry != "embed" && j.WantsMap(true) && !(apart && in.Share.Divided()) {
		stages = append(stages, layout.Planned(size.Documents, at))
	}
	if !in.Share.Divided() && j.Dry != "embed" {
		stages = append(stages, page(ctx, j, size))
	}
	return stages
}

// page is the stage in which a process writes the result, of which the page takes the most: what it
// shows of each document, and the columns of the corpus.
func page(ctx context.Context, j *job.Job, size *corpus.Size) method.Stage {
	var fields int
	var read int64
	var helps []string
	if names := j.PageColumns; len(names) != 1 || names[0] != "none" {
		fields, read = corpus.ColumnsSize(ctx, j.File, j.ReadOptions(), names, size.Documents)
		if !size.Sparse && len(names) > 0 {
			fields = max(fields, len(names))
		} else if !size.Sparse && size.Terms <= report.MaxFields {
			fields = max(fields, size.Terms)
		}
		if fields = min(fields, report.MaxFields); fields > 0 {
			helps = []string{"‹page-columns›"}
		}
	}
	return method.Stage{Name: "write", Bytes: memory.Sum(report.Bytes(size.Documents, fields), min(read, report.ColumnsBytes)), Helps: helps}
}

// together are the stages in which ranks end a run: the sums of the terms of each cluster, on every
// rank, and with ‹out› what writes the results. Either each rank writes its own part, apart: then
// rank 0 takes the sums of the model's novelty and some numbers of each document. Or rank 0 joins
// the embedding, which takes four times its size: as it comes, joined, in the model, and as it is
// written; it joins rows and counts too, 12 bytes per entry each, if there is memory for them.
func together(j *job.Job, in *method.Input, size *corpus.Size, dims int, apart bool) []method.Stage {
	sums := memory.Bytes(8, j.Clusters, size.Terms)
	stages := []method.Stage{{Name: "metrics", Bytes: sums, Received: sums}}
	if apart {
		return append(stages, method.Stage{Name: "write", Bytes: memory.Sum(sums, memory.Bytes(job.MeasuredBytes, size.Documents)),
			Received: memory.Sum(sums, memory.Bytes(job.MeasuredReceived, size.Documents-in.Share.Own()))})
	}
	if j.Spec.Yields.Coordinates || j.Spec.Placer != nil {
		rows := memory.Bytes(24, size.Entries)
		j.Note(fmt.Sprintf("With ‹out› rank 0 has the stage write; the other ranks do not have it. With %s more it joins the rows of all ranks; where it has less, or with ‹shards›, each rank writes the part of its own documents, and there is no map", words.Bytes(rows)))
		var helps []string
		if option.Find(j.Fields(), "dims") != nil {
			helps = []string{"‹dims›"}
		}
		if !j.Spec.Yields.Coordinates {
			dims = 0
		}
		others := 1 - float64(in.Share.Own())/float64(max(1, size.Documents))
		stages = append(stages, method.Stage{Name: "write", Helps: helps, Bytes: memory.Bytes(4*8, size.Documents, dims),
			Received: memory.Sum(memory.Whole(others*float64(rows)), memory.Bytes(8, size.Documents-in.Share.Own(), dims))})
	}
	return stages
}

// program is what a process of the run takes before any work: with MPI if ranks share it, or if
// SLEPc solves the eigenproblem.
func program(j *job.Job, ranks int) float64 {
	solver := option.Find(j.Fields(), "solver")
	if ranks > 0 || solver != nil && solver.String() == "slepc" {
		return mpiBytes
	}
	return programBytes
}

// programBytes is what the program takes with its libraries and threads before any work, and
// mpiBytes with MPI, PETSc and SLEPc.
const programBytes = 45e6

const mpiBytes = 95e6
