package planning

import (
	"context"
	"slices"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/methods/method"
)

// plannedVectors are the stages of a plan that read the vectors and make rows of them, nil without
// vectors; j.VectorsRead then has the shape of the rows. The sizes of a matrix are known from its
// header, and other files are read for them.
func plannedVectors(ctx context.Context, j *job.Job, of *corpus.Size) ([]method.Stage, error) {
	if !j.WithVectors() {
		return nil, nil
	}
	v := &corpus.Corpus{Name: "vectors", X: j.Vectors.Rows}
	if file := j.Vectors.File; file != "" {
		if err := job.CheckFiles(ctx, file); err != nil {
			return nil, err
		}
		size, err := corpus.Measure(ctx, file, corpus.ReadOptions{})
		if err == nil && slices.Contains([]string{"npy", "npz", "mat"}, size.Format) && j.Vectors.Column == "" {
			v = &corpus.Corpus{Name: file, X: method.Shape(size.Documents, size.Terms)}
		} else if v, err = j.OpenVectors(ctx); err != nil {
			return nil, err
		}
	}
	n, cols := v.X.Dims()
	if v.IDs == nil && of.Share == 1 && n != of.Documents {
		return nil, j.OtherCount(v.Name, n, of.Documents)
	}
	width := cols
	if j.JoinsViews() {
		width += min(job.ViewDirections, of.Documents, of.Terms)
	}
	j.VectorsRead = &corpus.Corpus{Name: v.Name, X: method.Shape(of.Documents, width)}
	read := memory.Bytes(8, n, cols)
	return []method.Stage{
		{Name: "read vectors", Bytes: memory.Sum(read, read), Keeps: memory.Bytes(8, of.Documents, cols)},
		{Name: "rows of vectors", Bytes: memory.Bytes(8, of.Documents, width), Keeps: memory.Bytes(8, of.Documents, width-cols)},
	}, nil
}
