package predicting

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/lsi"
	"github.com/eigenmap/eigenmap/model"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// rows makes the rows of the new documents.
func (p *Prediction) rows(ctx context.Context) (x mat.Matrix, err error) {
	rows := &p.Model.m.Rows
	switch {
	case rows.TermsFirst():
		x, err = p.joinedRows(ctx)
	case p.Run.J.VectorsRead != nil:
		x, err = p.matching.Of(p.Run.J.VectorsRead)
	default:
		x, err = p.matching.Of(p.Corpus)
	}
	if err != nil || rows.View == nil {
		return x, err
	}
	if c := p.Run.J.ColumnsRead; c != nil {
		return rows.JoinColumns(x, c.X), nil
	}
	none, _, err := rows.ColumnRows(nil, p.Corpus.Len())
	if err != nil {
		return nil, err
	}
	return rows.JoinColumns(x, none), nil
}

// readColumns reads those columns beside the texts by which the model compares documents.
func (p *Prediction) readColumns(ctx context.Context) error {
	j, rows := p.Run.J, &p.Model.m.Rows
	if rows.View == nil {
		return nil
	}
	list := j.Vectors.Columns
	if err := j.CheckColumns(list); err != nil {
		return err
	}
	if list == nil && j.Texts == nil && j.IsText() {
		var err error
		if list, err = j.TableColumns(ctx, rows.ViewNames()); err != nil {
			return err
		}
	}
	x, missing, err := rows.ColumnRows(list, j.Corpus.Len())
	switch {
	case err != nil:
		return j.InFile(err)
	case missing != nil && (len(missing) < len(rows.View) || list != nil):
		j.Warn(fmt.Sprintf("Columns by which the model compares documents too, and of which the new ones have no value: %s.", words.Few(missing, 12)))
	}
	if len(missing) == len(rows.View) {
		return nil
	}
	if strange := rows.NewColumns(list); strange != nil {
		j.Warn(fmt.Sprintf("Columns by which the model compares documents too, and none of whose values in the new ones the model knows: %s.", words.Few(strange, 12)))
	}
	j.ColumnsRead = &job.ColumnsRead{Name: "the columns of " + j.File, View: rows.View, X: x}
	return nil
}

// views are the new documents by their terms and by their vectors; nil for what they lack. Columns
// of numbers that are as many as those of the vectors of a model of both are vectors, unless one
// has the name of a term of the model.
func (p *Prediction) views() (terms, vectors *corpus.Corpus) {
	terms, vectors = p.Corpus, p.Run.J.VectorsRead
	_, cols := terms.X.Dims()
	rows := &p.Model.m.Rows
	if rows.Beside == 0 || vectors != nil || cols != rows.Beside || slices.Contains(corpus.TextFormats(), terms.Format) {
		return terms, vectors
	}
	if slices.ContainsFunc(terms.Terms, func(name string) bool { return slices.Contains(rows.Terms, name) }) {
		return terms, nil
	}
	return nil, terms
}

// joinedRows makes the rows of new documents of a model of terms and vectors or columns, but for
// the columns: of both, or of those that there are.
func (p *Prediction) joinedRows(ctx context.Context) (mat.Matrix, error) {
	rows := &p.Model.m.Rows
	directions, _ := rows.Directions.Dims()
	terms, vectors := p.views()
	n := p.Corpus.Len()
	left := &sparse.CSR{NumRows: n, NumCols: rows.Columns + directions, RowPtr: make([]int, n+1)}
	if terms != nil {
		x, err := p.matching.Of(terms)
		if err != nil {
			return nil, err
		}
		images, err := (&lsi.Placer{Singular: make([]float64, directions), Components: rows.Directions, Scale: lsi.Projection}).Transform(ctx, x)
		if err != nil {
			return nil, err
		}
		if left, err = model.JoinDirections(x, images); err != nil {
			return nil, err
		}
	}
	switch {
	case rows.Beside == 0:
		return left, nil
	case vectors == nil:
		return model.JoinVectors(left, mat.NewDense(n, rows.Beside, nil)), nil
	}
	if _, cols := vectors.X.Dims(); cols != rows.Beside {
		return nil, invalid.Errorf("%s: its vectors have %d numbers and the model's have %d: give vectors made as the model's were", vectors.Name, cols, rows.Beside)
	}
	x, err := vectors.Weighted(corpus.WeightTF, corpus.NormL2)
	if err != nil {
		return nil, err
	}
	return model.JoinVectors(left, x), nil
}

// checkVectors refuses vectors for a model that compares documents by their terms, and texts
// without vectors for one that compares them by vectors.
func (p *Prediction) checkVectors() error {
	j, rows := p.Run.J, &p.Model.m.Rows
	switch {
	case j.Vectors.Model != "" && !rows.Vectors && rows.Beside == 0:
		return invalid.Errorf("the model compares documents by their terms: leave ‹vectors-model› out, or make a model with it")
	case j.Texts != nil && rows.Vectors && !j.WithVectors() && rows.VectorModel != nil:
		return invalid.Errorf("the model compares documents by vectors that %s made of their texts: give it by ‹vectors-model›", rows.VectorModel.Name)
	case j.WithVectors() && !rows.Vectors && rows.Beside == 0:
		return invalid.Errorf("the model compares documents by their terms: leave ‹vectors› out, or make a model with ‹vectors›")
	case j.Texts != nil && rows.Vectors && !j.WithVectors():
		return invalid.Errorf("the model compares documents by vectors of %s: give the vectors of the texts too", words.Counted(rows.Columns, "number"))
	}
	return p.checkColumns()
}

// checkColumns refuses columns in memory none of which the model has.
func (p *Prediction) checkColumns() error {
	view := p.Model.m.Rows.ViewNames()
	switch list := p.Run.J.Vectors.Columns; {
	case list == nil:
		return nil
	case view == nil:
		return invalid.Errorf("the model compares documents by no columns: leave columns out, or make a model with them")
	case !slices.ContainsFunc(list, func(c corpus.Column) bool {
		return slices.ContainsFunc(view, func(name string) bool { return strings.EqualFold(name, c.Name) })
	}):
		var shown []string
		for _, name := range view {
			shown = append(shown, words.Name(name))
		}
		return invalid.Errorf("the model compares documents by other columns than those given: it has %s", words.Few(shown, 12))
	}
	return nil
}

// withoutModel adds to an error about documents that hold no vectors how texts get theirs.
func (p *Prediction) withoutModel(err error) error {
	rows := &p.Model.m.Rows
	made := rows.VectorModel
	var format *corpus.FormatError
	if !rows.Vectors || p.Run.J.WithVectors() || !errors.As(err, &format) {
		return err
	}
	if made == nil {
		return invalid.Errorf("%w; or %s", err, p.giveVectors())
	}
	return invalid.Errorf("%w; or give texts, and ‹vectors-model› %s, which made the vectors of the model", err, made.Name)
}

// giveVectors says what documents need that hold no vectors.
func (p *Prediction) giveVectors() string {
	return fmt.Sprintf("give the vectors of these documents by ‹vectors›, as the model compares documents by vectors of %s", words.Counted(p.Model.m.Rows.Columns, "number"))
}

// textsAlone is an error if a file in which no vectors were found has documents of words: for a
// model of vectors it is not without documents.
func (p *Prediction) textsAlone(ctx context.Context) error {
	j := p.Run.J
	if !p.Model.m.Rows.Vectors || j.WithVectors() {
		return nil
	}
	c, err := corpus.Read(ctx, j.File, corpus.ReadOptions{MaxBytes: j.MaxBytes, Text: corpus.TextOptions{Language: "none", StopWords: "none", MinDF: 1}})
	if err != nil || c.Len() == 0 {
		return nil
	}
	return invalid.Errorf("%s: it holds no vectors: %s", j.File, p.giveVectors())
}

// checkModel refuses vectors made by another model of static embeddings than the first ones.
func (p *Prediction) checkModel() error {
	made, now := p.Model.m.Rows.VectorModel, p.Run.J.VectorModel
	if made == nil || now == nil || made.Hash == now.Hash {
		return nil
	}
	return invalid.Errorf("%s: it is another model than %s, which made the vectors of the documents that the model was fitted to: give that one", now.Name, made.Name)
}
