package planning

import (
	"context"
	"fmt"
	"slices"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/report"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/method"
)

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
			fields += size.Terms
		}
		if fields = min(fields, report.MaxFields); fields > 0 {
			helps = []string{"‹page-columns›"}
		}
	}
	if j.HasRunnerUp(size.Documents) {
		fields++
	}
	return method.Stage{Name: "write", Seconds: writing(size, j.IsText(), fields), Bytes: memory.Sum(report.Bytes(size.Documents, fields), min(read, report.ColumnsBytes)), Helps: helps}
}

// writing are the seconds in which clusters, coordinates, model and page are written: 0.11 s of the
// smallest corpora, 0.5 of 14,640 tweets with 8 columns, 0.33 of 1,028 long articles with 13,231
// terms, 4.6 of 100,000 reviews with 53,919 and 8.2 million entries.
func writing(size *corpus.Size, isText bool, fields int) float64 {
	const least, field = 0.11, 1.5e-6
	document, term, entry := 12e-6, 0.0, 40e-9
	if size.Sparse {
		entry = 64e-9
	}
	if isText {
		document, term, entry = 16e-6, 14e-6, 150e-9
	}
	n := float64(size.Documents)
	return least + n*(document+field*float64(fields)) + term*float64(size.Terms) + entry*float64(size.Entries)
}

// withoutPage leaves the documents of the page out of a plan that fits without them, as the run
// does. stages are those of the plan, the last of which writes the page.
func (v *Plan) withoutPage(ctx context.Context, j *job.Job, stages []method.Stage, program float64) {
	last := len(v.Stages) - 1
	if v.Fits || v.Stages[last].Name != "write" || slices.ContainsFunc(v.Stages[:last], func(s PlanStage) bool { return s.Peak > v.Allowed }) {
		return
	}
	j.Note(fmt.Sprintf("The page shows the clusters and no documents, which would take %s: the run would take %s, and %s are allowed",
		words.Bytes(v.Stages[last].Bytes), words.Bytes(v.Peak), words.Bytes(v.Allowed)))
	v.Stages, v.Peak, v.Seconds = nil, 0, 0
	v.sum(ctx, stages[:last], program)
}
