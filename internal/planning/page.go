package planning

import (
	"context"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/report"
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
			fields = max(fields, size.Terms)
		}
		if fields = min(fields, report.MaxFields); fields > 0 {
			helps = []string{"‹page-columns›"}
		}
	}
	return method.Stage{Name: "write", Bytes: memory.Sum(report.Bytes(size.Documents, fields), min(read, report.ColumnsBytes)), Helps: helps}
}
