package planning

import (
	"context"
	"slices"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/lsi"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/model"
	"github.com/eigenmap/eigenmap/native"
)

// plannedVectors are the stages of a plan that read the vectors and make rows of them, nil without
// vectors; j.VectorsRead then has the shape of the rows. The sizes of a matrix are known from its
// header, and other files are read for them.
func plannedVectors(ctx context.Context, j *job.Job, of *corpus.Size) ([]method.Stage, error) {
	if err := checkColumns(ctx, j, of); err != nil {
		return nil, err
	}
	if !j.WithVectors() {
		return plannedColumns(ctx, j, of)
	}
	v := &corpus.Corpus{Name: "vectors", X: j.Vectors.Rows}
	if path := j.Vectors.Model; path != "" {
		return plannedModel(ctx, j, of)
	}
	if file := j.Vectors.File; file != "" {
		if err := job.CheckFiles(ctx, file); err != nil {
			return nil, err
		}
		size, err := corpus.Measure(ctx, file, corpus.ReadOptions{})
		if err == nil && slices.Contains([]string{"npy", "npz", "hdf5", "mat", "safetensors", "word2vec"}, size.Format) && j.Vectors.Column == "" {
			v = &corpus.Corpus{Name: file, X: method.Shape(size.Documents, size.Terms)}
		} else if v, err = j.OpenVectors(ctx); err != nil {
			return nil, err
		}
	}
	n, cols := v.X.Dims()
	if v.IDs == nil && of.Share == 1 && n != of.Documents {
		return nil, j.OtherCount(v.Name, n, of.Documents)
	}
	read := memory.Bytes(8, n, cols)
	return append([]method.Stage{
		{Name: "read vectors", Bytes: memory.Sum(read, read), Keeps: memory.Bytes(8, of.Documents, cols)},
	}, joinedRows(ctx, j, of, v.Name, cols)...), nil
}

// joinedRows are the stages that make rows of vectors of some columns, 0 for none, with the terms
// and the columns beside the texts, as far as the documents are compared by these too;
// j.VectorsRead then has the shape of the rows.
func joinedRows(ctx context.Context, j *job.Job, of *corpus.Size, name string, cols int) []method.Stage {
	leading := min(job.ViewDirections, of.Documents, of.Terms)
	texts := of.Documents * cols // entries of the rows without the columns beside the texts
	if j.JoinsWords() {
		texts += of.Entries + of.Documents*leading
	}
	made := rowsOfViews(ctx, j, of, name, cols, leading)
	if !j.WithColumns() {
		return []method.Stage{made}
	}
	return []method.Stage{made, columnWeights(of, texts, !j.JoinsWords())}
}

// rowsOfViews is the stage of joinedRows that makes the rows.
func rowsOfViews(ctx context.Context, j *job.Job, of *corpus.Size, name string, cols, leading int) method.Stage {
	width := cols
	if j.WithColumns() {
		numbers, _ := columnNumbers(ctx, j, of)
		width += numbers + model.MissingNumbers
	}
	j.VectorsRead = &corpus.Corpus{Name: name, X: method.Shape(of.Documents, width)}
	rows := memory.Bytes(8, of.Documents, width)
	at := method.Rates{Threads: native.Threads(), Entries: of.Entries, Dense: !of.Sparse}
	if !j.JoinsWords() {
		return method.Stage{Name: "rows of vectors", Bytes: rows, Keeps: rows - memory.Bytes(8, of.Documents, cols), Seconds: at.Passes(float64(of.Documents)*float64(width), 5)}
	}
	found := directions(of, at, leading)
	width += leading
	entries := of.Entries + of.Documents*width
	j.VectorsRead.X = sparseShape(of.Documents, of.Terms+width, entries)
	rows = memory.Bytes(12, entries)
	return method.Stage{Name: "rows of terms and more", Bytes: max(found.Bytes, memory.Sum(rows, rows)), Keeps: rows,
		Seconds: found.Seconds + at.Passes(float64(entries), 15)}
}

// directions is the search for the leading directions of the terms, which count beside them.
func directions(of *corpus.Size, at method.Rates, leading int) method.Stage {
	opt := lsi.Options{Dims: leading}
	stages, err := opt.Plan(&method.Input{X: sparseShape(of.Documents, of.Terms, of.Entries)}, at)
	if err != nil { // a corpus too small for any time
		return method.Stage{}
	}
	return stages[0]
}

// columnWeights is the search for the weights of columns: for the neighbours of a sample of the
// documents by rows of so many entries.
func columnWeights(of *corpus.Size, entries int, isDense bool) method.Stage {
	n := min(of.Documents, job.AgreeingDocuments)
	at := method.Rates{Threads: native.Threads(), Entries: entries, Dense: isDense}.Of(n, of.Documents)
	each := int64(12)
	if isDense {
		each = 8
	}
	return method.Stage{Name: "weights of columns", Seconds: at.Pairs(float64(n)*float64(n)/2, n) + at.Rows(n),
		Bytes: memory.Sum(memory.Bytes(each, at.Entries), graph.NearestBytes(n, job.AgreeingNeighbours, at.Entries, !isDense))}
}

// textBytes is the memory of a text for each of its entries: a word that counts, one that does not,
// and the numbers of both.
const textBytes = 24

// plannedModel is plannedVectors of vectors that a model makes of the texts.
func plannedModel(ctx context.Context, j *job.Job, of *corpus.Size) ([]method.Stage, error) {
	cols, table, err := corpus.MeasureVectorModel(ctx, j.Vectors.Model)
	if err != nil {
		return nil, err
	}
	made := memory.Bytes(8, of.Documents, cols)
	// Each token is another word, so that there are hardly more tokens than four times the terms.
	table = min(table, memory.Bytes(4, cols, 4*of.Terms))
	return append([]method.Stage{
		{Name: "make vectors", Bytes: memory.Sum(memory.Bytes(textBytes, of.Entries), table, made), Keeps: made},
	}, joinedRows(ctx, j, of, j.Vectors.Model, cols)...), nil
}

// checkColumns refuses named columns as the run does, as far as the first documents show it.
func checkColumns(ctx context.Context, j *job.Job, of *corpus.Size) error {
	names := j.ReadOptions().ViewColumns
	if names == nil || !j.WithColumns() || j.Vectors.Columns != nil {
		return nil
	}
	list, seen := corpus.FirstColumns(ctx, j.File, j.ReadOptions(), names)
	if seen == 0 {
		return nil
	}
	return j.CheckFirstColumns(list, seen, seen >= of.Documents)
}

// usualNumbers is about how many numbers of a row a column makes.
const usualNumbers = 16

// columnNumbers is about how many numbers of a row the columns beside the texts make, and how many
// bytes their values take while they are read. How many values they have is known only when the
// file is read.
func columnNumbers(ctx context.Context, j *job.Job, of *corpus.Size) (numbers int, read int64) {
	if list := j.Vectors.Columns; list != nil {
		return usualNumbers * len(list), 0
	}
	names := j.ReadOptions().ViewColumns
	columns, read := corpus.ColumnsSize(ctx, j.File, j.ReadOptions(), names, of.Documents)
	return usualNumbers * max(columns, len(names)), read
}

// plannedColumns is plannedVectors for terms and columns beside the texts. It plans for all of
// these, though some may take no part.
func plannedColumns(ctx context.Context, j *job.Job, of *corpus.Size) ([]method.Stage, error) {
	if !j.WithColumns() {
		return nil, nil
	}
	numbers, read := columnNumbers(ctx, j, of)
	columns := memory.Bytes(8, of.Documents, numbers)
	return append([]method.Stage{
		{Name: "read columns", Bytes: memory.Sum(read, columns), Keeps: columns},
	}, joinedRows(ctx, j, of, "columns", 0)...), nil
}
