package job

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/lsi"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/model"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// ReadVectors reads the vectors of the documents that were read and the columns beside their texts,
// as far as the documents are compared by them.
func (j *Job) ReadVectors(ctx context.Context) error {
	switch {
	case !j.WithVectors() && !j.WithColumns():
		return nil
	case j.Source.Precomputed:
		return invalid.Errorf("%s is a graph of the documents, which says itself how they are compared: leave vectors and columns out", j.File)
	}
	defer j.Stage("read")()
	if err := j.readColumns(ctx); err != nil || !j.WithVectors() {
		return err
	}
	if j.Vectors.Model != "" {
		return j.embed(ctx)
	}
	all, err := j.OpenVectors(ctx)
	if err != nil {
		return err
	}
	rows, err := j.matchVectors(all)
	if err != nil {
		return err
	}
	if rows != nil {
		if err := memory.Need(memory.Bound(ctx, j.MaxBytes), bytesOf(all.X, len(rows)), "give them in the order of the documents", "%s, in the order of the documents", words.Counted(len(rows), "vector")); err != nil {
			return err
		}
		all.X, all.IDs = sparse.SelectRows(all.X, rows), nil
	}
	j.VectorsRead = all
	return nil
}

// embed makes the vectors of the texts by a model of static embeddings, and lets go of the texts
// but for what the report shows.
func (j *Job) embed(ctx context.Context) error {
	path := j.Vectors.Model
	if j.InMemory { // it holds the beginnings of its texts
		return invalid.Errorf("%s: ‹vectors-model› makes vectors of whole texts, and a corpus in memory holds the beginnings of them at most: give the file or the texts themselves, or the vectors by ‹vectors›", j.File)
	}
	if j.Corpus.Snippets == nil {
		return invalid.Errorf("%s: ‹vectors-model› makes vectors of texts, and it holds none: give the vectors by ‹vectors›", j.File)
	}
	v, m, err := corpus.EmbedTexts(ctx, path, j.Corpus.Snippets, corpus.ReadOptions{MaxBytes: j.MaxBytes})
	if err != nil {
		return err
	}
	if m.Without > 0 {
		j.Note(fmt.Sprintf("%s no token that has a vector in %s: %s zero.", words.Plural(m.Without, "text has", "texts have"), path, words.Plural(m.Without, "vector is", "vectors are")))
	}
	j.Corpus.Shorten(j.shown())
	if j.InSingle() {
		if err := v.ToSingle(); err != nil {
			return err
		}
	}
	j.VectorsRead, j.VectorModel = v, m
	return nil
}

// bytesOf is the memory of so many rows of a matrix.
func bytesOf(x mat.Matrix, rows int) int64 {
	n, cols := x.Dims()
	if s, ok := x.(sparse.Rows); ok {
		return memory.Whole(12 * float64(s.Pattern().NNZ()) * float64(rows) / float64(max(1, n)))
	}
	return memory.Bytes(8, rows, cols)
}

// OpenVectors reads the vectors as they come.
func (j *Job) OpenVectors(ctx context.Context) (*corpus.Corpus, error) {
	v := &j.Vectors
	if v.Rows != nil {
		stored := method.Rows
		if j.InSingle() {
			stored = method.KeptRows
		}
		x, err := stored(v.Rows)
		if err != nil {
			return nil, fmt.Errorf("vectors: %w", err)
		}
		return &corpus.Corpus{Name: "vectors", X: x}, nil
	}
	if err := CheckFiles(ctx, v.File); err != nil {
		return nil, err
	}
	opt := corpus.ReadOptions{VectorColumn: v.Column, Observer: j.Observe, Single: j.InSingle()}
	if v.File == j.File {
		opt.IDColumn, opt.Usual = j.Source.IDColumn, j.UsualColumns
	}
	opt.Usual.ID = cmp.Or(j.Source.IDColumn, j.UsualColumns.ID)
	if _, err := strconv.Atoi(opt.Usual.ID); err == nil { // the number of a column is of one file
		opt.Usual.ID = ""
	}
	return corpus.ReadVectors(ctx, v.File, opt)
}

// matchVectors returns for each document the number of its vector, by ids if both files have them
// and by their order otherwise; nil if the orders agree.
func (j *Job) matchVectors(v *corpus.Corpus) (rows []int, err error) {
	c, n := j.Corpus, j.Corpus.Len()
	byOrder := slices.Equal(v.IDs, c.IDs)
	if c.IDs == nil || v.IDs == nil || byOrder {
		if v.Len() != n {
			return nil, j.OtherCount(v.Name, v.Len(), n)
		}
		if !byOrder {
			j.Note(fmt.Sprintf("The vectors of %s belong to the documents in their order, since only one of the files has ids.", v.Name))
		}
		return nil, nil
	}
	at := make(map[string]int, len(v.IDs))
	for i, id := range v.IDs {
		at[id] = i
	}
	rows = make([]int, n)
	var without []int
	for i := range rows {
		var ok bool
		if rows[i], ok = at[c.ID(i)]; !ok {
			without = append(without, i)
		}
	}
	switch {
	case len(without) == n:
		return nil, invalid.Errorf("%s: none of its ids, such as %s, is one of %s, such as %s: give the vectors of these documents, or ‹id-column› none if the order says which belongs to which",
			v.Name, words.Name(v.IDs[0]), j.File, words.Name(c.ID(0)))
	case len(without) > 0:
		return nil, invalid.Errorf("%s: it has no vector for %s of %s, the first of which is %s: give one for each", v.Name, words.Counted(len(without), "document"), j.File, words.Name(c.ID(without[0])))
	case v.Len() > n:
		j.Note(fmt.Sprintf("%s of %s belong to no document and are left out.", words.Plural(v.Len()-n, "vector", "vectors"), v.Name))
	}
	return rows, nil
}

// weighVectors makes the rows of the vectors alone.
func (j *Job) weighVectors(ctx context.Context) error {
	j.Weighting = corpus.WeightTF
	if j.Normalize == "" {
		j.Normalize = corpus.NormL2
	} else if j.Normalize != corpus.NormL2 && j.ColumnsRead != nil {
		return invalid.Errorf("columns are compared beside vectors of length 1: leave ‹normalize› %s out", j.Normalize)
	}
	x, err := j.takeVectors(ctx, j.Normalize)
	if err != nil {
		return err
	}
	_, cols := x.Dims()
	j.X, j.VectorRows = x, &model.Rows{Vectors: true, VectorModel: j.VectorModel, Columns: cols, Sparse: sparse.Is(x), Weighting: j.Weighting, Normalize: j.Normalize, Single: j.InSingle()}
	if j.ColumnsRead != nil {
		if j.X, err = j.joinColumns(ctx, x, j.VectorRows, []View{{Name: "vectors", Weight: 1}}); err != nil {
			return err
		}
	}
	j.noteZeros()
	j.noteEqual()
	return nil
}

// takeVectors returns the vectors as rows, and lets go of them as they were read.
func (j *Job) takeVectors(ctx context.Context, normalize string) (mat.Matrix, error) {
	v := j.VectorsRead
	err := method.CheckScale(v.X)
	if err == nil && normalize == corpus.NormL2 {
		err = memory.Need(memory.Bound(ctx, j.MaxBytes), bytesOf(v.X, j.Corpus.Len()), "give ‹normalize› none", "rows of length 1 of %s", words.Counted(j.Corpus.Len(), "vector"))
	}
	var x mat.Matrix
	if err == nil {
		x, err = v.Weighted(corpus.WeightTF, normalize)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", v.Name, err)
	}
	j.VectorsRead = &corpus.Corpus{Name: v.Name}
	return x, nil
}

// ViewDirections is the number of leading directions of the terms that count beside them where
// vectors or columns follow: docs/vectors.md has the figures.
const ViewDirections = 50

// joinViews makes the rows of the weighted terms, which are the rows so far, of their directions,
// and the vectors or the columns. Words and vectors count alike, and columns by their weights. If
// no column beside the words has a weight, the rows stay as they are.
func (j *Job) joinViews(ctx context.Context) error {
	if j.InSingle() {
		return invalid.Errorf("‹views› joins rows in double precision: leave ‹precision› out")
	}
	rows, err := j.TermRows()
	if err != nil {
		return err
	}
	bound := memory.Bound(ctx, j.MaxBytes)
	n, cols := j.X.Dims()
	m, err := lsi.Fit(bound, j.X, lsi.Options{Dims: min(ViewDirections, n, cols), Seed: j.Seed, Observer: j.Observe})
	if err != nil {
		return j.InFile(err)
	}
	rows.Directions = m.Components
	directions, _ := m.Components.Dims()
	if err := memory.Need(bound, memory.Sum(bytesOf(j.X, n), memory.Bytes(12, n, directions)), "leave ‹views› out", "rows of terms and their directions of %s", words.Counted(n, "document")); err != nil {
		return err
	}
	x, err := model.JoinDirections(j.X, m.Embedding)
	if err != nil {
		return j.InFile(err)
	}
	base := []View{{Name: "words", Weight: 1}}
	if j.VectorsRead != nil {
		v, err := j.takeVectors(ctx, corpus.NormL2)
		if err != nil {
			return err
		}
		_, rows.Beside = v.Dims()
		rows.VectorModel = j.VectorModel
		if err := memory.Need(bound, memory.Sum(bytesOf(x, n), memory.Bytes(12, n, rows.Beside)), "give ‹views› vectors", "rows of terms and vectors of %s", words.Counted(n, "document")); err != nil {
			return err
		}
		x, base = model.JoinVectors(x, v), []View{{Name: "words", Weight: .5}, {Name: "vectors", Weight: .5}}
		j.Views = base
	}
	joined := mat.Matrix(x)
	if j.ColumnsRead != nil {
		if joined, err = j.joinColumns(ctx, x, rows, base); err != nil {
			return err
		}
	}
	if !rows.TermsFirst() { // no column has a weight
		return j.checkRows()
	}
	j.X, j.VectorRows = joined, rows
	j.noteZeros()
	j.noteEqual()
	return nil
}

// OtherCount refuses another number of vectors than of documents.
func (j *Job) OtherCount(file string, vectors, documents int) error {
	return invalid.Errorf("%s: it holds %s, and %s holds %s: give a vector for each document, in their order, or ids of the documents in both files",
		file, words.Counted(vectors, "vector"), j.File, words.Counted(documents, "document"))
}
