package eigenmap

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/lsi"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/model"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Documents may have a vector each beside their terms, such as an embedding of their text by a
// language model. The rows of the run are then made of these, and the terms describe the clusters:
// no method knows of it.

// Vectors are a vector for each document, by which the documents are compared.
type Vectors struct {
	// File holds them ([corpus.ReadVectors]); "" = none. If both files have ids of the documents, the
	// ids say which vector belongs to which document, else the order does.
	File string `flag:"vectors" path:"true" when:"precomputed!=true" help:"file of a vector for each document, such as embeddings of the texts: .npy, .npz, or lists of numbers in .jsonl, .parquet or .csv; the documents are compared by these, and described by their texts"`
	// Views says by what documents are compared: "vectors", or "words" and "vectors" for both, which
	// then count alike; none = vectors.
	Views []string `flag:"views" choices:"words|vectors" unset:"vectors" help:"what documents are compared by: vectors, or words,vectors for both"`
	// Column is the field, column or variable of the file that holds them; "" = the only one.
	Column string `flag:"vectors-column" when:"vectors" unset:"the only one" help:"field or column of the file of vectors that holds the lists of numbers, or variable of a .npz or .mat file"`
	// Rows are vectors in memory, in place of a file: a row for each document that is read.
	Rows mat.Matrix
}

// vectorOptions are the names of the options of [Vectors].
var vectorOptions = []string{"vectors", "vectors-column", "views"}

// vectorSettings are the options of graphs of vectors that were not given: as for texts, whose
// cosines are weighed by the same.
var vectorSettings = []method.Setting{{Name: "neighbors", Value: "15"}, {Name: "edge-weight", Value: "dot"}}

// withVectors reports whether documents are compared by vectors.
func (r *request) withVectors() bool { return r.Vectors.File != "" || r.Vectors.Rows != nil }

// checkVectors refuses views that do not fit the vectors.
func (r *request) checkVectors() error {
	v := &r.Vectors
	switch {
	case v.File != "" && v.Rows != nil:
		return invalid.Errorf("vectors are given in memory and by ‹vectors›: give them in one way")
	case r.Graph != "" && r.withVectors():
		return invalid.Errorf("‹vectors› has no effect beside ‹graph›, because the graph is already there: leave it out")
	case len(v.Views) > 0 && !r.withVectors():
		return invalid.Errorf("‹views› has no effect without ‹vectors›: leave it out")
	case len(v.Views) > 0 && !slices.Contains(v.Views, "vectors"):
		return invalid.Errorf("‹views› words compares documents by their terms alone: leave ‹vectors› out")
	}
	return nil
}

// readVectors reads the vectors of the documents that were read, if there are any.
func (j *job) readVectors(ctx context.Context) error {
	switch {
	case !j.withVectors():
		return nil
	case j.Source.Precomputed:
		return invalid.Errorf("%s is a graph of the documents, which says itself how they are compared: leave the vectors out", j.file)
	}
	defer j.stage("read")()
	all, err := j.openVectors(ctx)
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
	j.vectors = all
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

// openVectors reads the vectors as they come.
func (j *job) openVectors(ctx context.Context) (*corpus.Corpus, error) {
	v := &j.Vectors
	if v.Rows != nil {
		stored := method.Rows
		if j.inSingle() {
			stored = method.KeptRows
		}
		x, err := stored(v.Rows)
		if err != nil {
			return nil, fmt.Errorf("vectors: %w", err)
		}
		return &corpus.Corpus{Name: "vectors", X: x}, nil
	}
	if err := checkFiles(ctx, v.File); err != nil {
		return nil, err
	}
	opt := corpus.ReadOptions{VectorColumn: v.Column, Observer: j.observe, Single: j.inSingle()}
	if v.File == j.file {
		opt.IDColumn = j.Source.IDColumn
	}
	return corpus.ReadVectors(ctx, v.File, opt)
}

// matchVectors returns for each document the number of its vector, by ids if both files have them
// and by their order otherwise; nil if the orders agree.
func (j *job) matchVectors(v *corpus.Corpus) (rows []int, err error) {
	c, n := j.corpus, j.corpus.Len()
	byOrder := slices.Equal(v.IDs, c.IDs)
	if c.IDs == nil || v.IDs == nil || byOrder {
		if v.Len() != n {
			return nil, j.otherCount(v.Name, v.Len(), n)
		}
		if !byOrder {
			j.note(fmt.Sprintf("The vectors of %s belong to the documents in their order, since only one of the files has ids.", v.Name))
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
			v.Name, clip(v.IDs[0]), j.file, clip(c.ID(0)))
	case len(without) > 0:
		return nil, invalid.Errorf("%s: it has no vector for %s of %s, the first of which is %s: give one for each", v.Name, words.Counted(len(without), "document"), j.file, clip(c.ID(without[0])))
	case v.Len() > n:
		j.note(fmt.Sprintf("%s of %s belong to no document and are left out.", words.Plural(v.Len()-n, "vector", "vectors"), v.Name))
	}
	return rows, nil
}

// weighVectors makes the rows of the vectors alone.
func (j *job) weighVectors(ctx context.Context) error {
	j.Weighting = corpus.WeightTF
	if j.Normalize == "" {
		j.Normalize = corpus.NormL2
	}
	x, err := j.takeVectors(ctx, j.Normalize)
	if err != nil {
		return err
	}
	_, cols := x.Dims()
	j.x, j.vectorRows = x, &model.Rows{Vectors: true, Columns: cols, Sparse: sparse.Is(x), Weighting: j.Weighting, Normalize: j.Normalize}
	j.noteZeros()
	j.noteEqual()
	return nil
}

// takeVectors returns the vectors as rows, and lets go of them as they were read.
func (j *job) takeVectors(ctx context.Context, normalize string) (mat.Matrix, error) {
	v := j.vectors
	err := method.CheckScale(v.X)
	if err == nil && normalize == corpus.NormL2 {
		err = memory.Need(memory.Bound(ctx, j.MaxBytes), bytesOf(v.X, j.corpus.Len()), "give ‹normalize› none", "rows of length 1 of %s", words.Counted(j.corpus.Len(), "vector"))
	}
	var x mat.Matrix
	if err == nil {
		x, err = v.Weighted(corpus.WeightTF, normalize)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", v.Name, err)
	}
	j.vectors = &corpus.Corpus{Name: v.Name}
	return x, nil
}

// viewDirections is the number of directions of the terms that stand for them beside vectors: few,
// so that the terms of a document count by its topics as its vector does. docs/vectors.md has the
// figures.
const viewDirections = 50

// joinViews makes the rows of the weighted terms, which are the rows so far, and the vectors: the
// terms by their leading singular directions. Both count alike.
func (j *job) joinViews(ctx context.Context) error {
	if j.inSingle() {
		return invalid.Errorf("‹views› joins rows in double precision: leave ‹precision› out")
	}
	rows, err := j.termRows()
	if err != nil {
		return err
	}
	n, cols := j.x.Dims()
	bound := memory.Bound(ctx, j.MaxBytes)
	m, err := lsi.Fit(bound, j.x, lsi.Options{Dims: min(viewDirections, n, cols), NormalizeRows: true, Seed: j.Seed, Observer: j.observe})
	if err != nil {
		return j.inFile(err)
	}
	v, err := j.takeVectors(ctx, corpus.NormL2)
	if err != nil {
		return err
	}
	_, rows.Beside = v.Dims()
	rows.Directions = m.Components
	if err := memory.Need(bound, memory.Bytes(8, n, rows.Width()), "give ‹views› vectors", "rows of %d numbers for %s", rows.Width(), words.Counted(n, "document")); err != nil {
		return err
	}
	j.x, j.vectorRows = joined(m.Embedding, v), rows
	j.noteZeros()
	j.noteEqual()
	return nil
}

// joined puts rows of length 1 side by side: each times √½, or as it is where the other is zero.
func joined(a *mat.Dense, b mat.Matrix) *mat.Dense {
	n, left := a.Dims()
	_, right := b.Dims()
	out := mat.NewDense(n, left+right, nil)
	for i := range n {
		row := out.RawRowView(i)
		copy(row, a.RawRowView(i))
		mat.Row(row[left:], i, b)
		if floats.Norm(row[:left], 2) > 0 && floats.Norm(row[left:], 2) > 0 {
			floats.Scale(math.Sqrt2/2, row)
		}
	}
	return out
}

// rows makes the rows of the new documents.
func (p *Prediction) rows(ctx context.Context) (mat.Matrix, model.Match, error) {
	rows := &p.Model.m.Rows
	switch {
	case rows.Beside > 0:
		return p.joinedRows(ctx)
	case p.Run.j.vectors != nil:
		return rows.Of(p.Run.j.vectors)
	}
	return rows.Of(p.Corpus)
}

// joinedRows makes the rows of new documents of a model of terms and vectors: of both, or of those
// that there are.
func (p *Prediction) joinedRows(ctx context.Context) (mat.Matrix, model.Match, error) {
	j, rows := p.Run.j, &p.Model.m.Rows
	directions, _ := rows.Directions.Dims()
	terms, vectors := p.Corpus, j.vectors
	n, cols := terms.X.Dims()
	if vectors == nil && terms.Terms == nil && cols == rows.Beside {
		terms, vectors = nil, terms
	}
	match := model.Match{By: "order"}
	left, right := mat.NewDense(n, directions, nil), mat.Matrix(mat.NewDense(n, rows.Beside, nil))
	if terms != nil {
		x, found, err := rows.Of(terms)
		if err != nil {
			return nil, match, err
		}
		match = found
		if left, err = (&lsi.Placer{Singular: make([]float64, directions), Components: rows.Directions, Scale: lsi.Projection, NormalizeRows: true}).Transform(ctx, x); err != nil {
			return nil, match, err
		}
	}
	if vectors != nil {
		if _, cols := vectors.X.Dims(); cols != rows.Beside {
			return nil, match, invalid.Errorf("%s: its vectors have %d numbers and the model's have %d: give vectors made as the model's were", vectors.Name, cols, rows.Beside)
		}
		x, err := vectors.Weighted(corpus.WeightTF, corpus.NormL2)
		if err != nil {
			return nil, match, err
		}
		right = x
	}
	if p.oneView = terms == nil || vectors == nil; p.oneView {
		j.note(fmt.Sprintf("The model compares documents by their terms and their vectors; the new ones have %s alone, by which they are placed, and their novelty is not known.", map[bool]string{true: "vectors", false: "terms"}[terms == nil]))
	}
	return joined(left, right), match, nil
}

// joinsViews reports whether documents are compared by their terms and by vectors.
func (r *request) joinsViews() bool {
	return slices.Contains(r.Vectors.Views, "words") && slices.Contains(r.Vectors.Views, "vectors")
}

// plannedVectors are the stages of a plan that read the vectors and make rows of them, nil without
// vectors; j.vectors then has the shape of the rows. The sizes of a matrix are known from its
// header, and other files are read for them.
func (j *job) plannedVectors(ctx context.Context, of *corpus.Size) ([]method.Stage, error) {
	if !j.withVectors() {
		return nil, nil
	}
	v := &corpus.Corpus{Name: "vectors", X: j.Vectors.Rows}
	if file := j.Vectors.File; file != "" {
		if err := checkFiles(ctx, file); err != nil {
			return nil, err
		}
		size, err := corpus.Measure(ctx, file, corpus.ReadOptions{})
		if err == nil && slices.Contains([]string{"npy", "npz", "mat"}, size.Format) && j.Vectors.Column == "" {
			v = &corpus.Corpus{Name: file, X: method.Shape(size.Documents, size.Terms)}
		} else if v, err = j.openVectors(ctx); err != nil {
			return nil, err
		}
	}
	n, cols := v.X.Dims()
	if v.IDs == nil && of.Share == 1 && n != of.Documents {
		return nil, j.otherCount(v.Name, n, of.Documents)
	}
	width := cols
	if j.joinsViews() {
		width += min(viewDirections, of.Documents, of.Terms)
	}
	j.vectors = &corpus.Corpus{Name: v.Name, X: method.Shape(of.Documents, width)}
	read := memory.Bytes(8, n, cols)
	return []method.Stage{
		{Name: "read vectors", Bytes: memory.Sum(read, read), Keeps: memory.Bytes(8, of.Documents, cols)},
		{Name: "rows of vectors", Bytes: memory.Bytes(8, of.Documents, width), Keeps: memory.Bytes(8, of.Documents, width-cols)},
	}, nil
}

// otherCount refuses another number of vectors than of documents.
func (j *job) otherCount(file string, vectors, documents int) error {
	return invalid.Errorf("%s: it holds %s, and %s holds %s: give a vector for each document, in their order, or ids of the documents in both files",
		file, words.Counted(vectors, "vector"), j.file, words.Counted(documents, "document"))
}

// vectorsRow says in a table what the documents are compared by; nil without vectors.
func (j *job) vectorsRow() []string {
	if j.vectors == nil {
		return nil
	}
	if r := j.vectorRows; r != nil && r.Beside > 0 {
		return []string{"vectors", fmt.Sprintf("%s: %s a document, beside %s of the terms", j.vectors.Name, words.Counted(r.Beside, "number"), words.Counted(r.Width()-r.Beside, "direction"))}
	}
	return []string{"vectors", fmt.Sprintf("%s: %s a document, by which documents are compared", j.vectors.Name, words.Counted(j.columns(), "number"))}
}

// checkVectors refuses vectors for a model that compares documents by their terms, and texts
// without vectors for one that compares them by vectors.
func (p *Prediction) checkVectors() error {
	j, rows := p.Run.j, &p.Model.m.Rows
	switch {
	case j.withVectors() && !rows.Vectors && rows.Beside == 0:
		return invalid.Errorf("the model compares documents by their terms: leave ‹vectors› out, or make a model with ‹vectors›")
	case j.texts != nil && rows.Vectors && !j.withVectors():
		return invalid.Errorf("the model compares documents by vectors of %s: give the vectors of the texts too", words.Counted(rows.Columns, "number"))
	}
	return nil
}
