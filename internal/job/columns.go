package job

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/request"
	"github.com/eigenmap/eigenmap/internal/store"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/model"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// ColumnsRead are columns beside the texts by which documents are compared, until they are in the
// rows.
type ColumnsRead struct {
	Name string // of the file
	View []model.ColumnView
	X    *mat.Dense // the numbers of each document, see [model.ColumnView]
}

// Digest is a hash of what was read.
func (c *ColumnsRead) Digest() string {
	h := store.NewHasher("columns")
	h.Value(c.View)
	h.Matrix(c.X)
	return h.Key().String()
}

// Rows are the columns of the documents from lo up to hi; nil of nil.
func (c *ColumnsRead) Rows(lo, hi int) *ColumnsRead {
	if c == nil {
		return nil
	}
	_, width := c.X.Dims()
	return &ColumnsRead{c.Name, c.View, c.X.Slice(lo, hi, 0, width).(*mat.Dense)}
}

// View is one of several things by which documents are compared.
type View struct {
	Name      string   `json:"name"`                // "words", "vectors", or a column beside the texts
	Kind      string   `json:"kind,omitempty"`      // of a column: category, number or date
	Values    int      `json:"values,omitempty"`    // of a category, that several documents have
	Agreement *float64 `json:"agreement,omitempty"` // of a column, with the other views: 0 as by chance, 1 equal
	// Weight is that in the product of two rows, where words and vectors have 1 together; 0: it takes
	// no part.
	Weight float64 `json:"weight"`
}

// ByOthers reports whether documents are compared by vectors or columns, alone or beside their
// terms.
func (j *Job) ByOthers() bool { return j.VectorsRead != nil || j.ColumnsRead != nil }

// checkColumnsAlone refuses ‹views› columns of documents that are no rows of a table without texts.
func (j *Job) checkColumnsAlone() error {
	switch {
	case !j.ColumnsAlone():
	case j.Source.Transpose:
		return invalid.Errorf("%s: ‹views› columns compares the rows of a table, and ‹transpose› takes its columns: leave one of the two out", j.File)
	case j.IsText():
		return invalid.Errorf("%s: it holds texts, and ‹views› columns leaves them out: give ‹views› words,columns to compare by both, or ‹text-column› none to leave the texts out", j.File)
	case !slices.Contains(tables, j.Corpus.Format):
		return invalid.Errorf("%s: ‹views› columns compares the rows of a table, and it is none: leave it out", j.File)
	}
	return nil
}

// readColumns reads the columns by which documents are compared, and refuses those that cannot be.
func (j *Job) readColumns(ctx context.Context) error {
	if !j.WithColumns() {
		return nil
	}
	named, err := j.NamedColumns()
	if err != nil {
		return err
	}
	list := slices.Clone(j.Vectors.Columns)
	switch {
	case list != nil:
		if err := j.CheckColumns(list); err != nil {
			return err
		}
	case j.InMemory || j.Texts != nil:
		return invalid.Errorf("%s: documents in memory have no columns beside their texts: give these in Vectors.Columns", j.File)
	case !j.IsText():
		return invalid.Errorf("%s: it holds no texts, so that its columns are compared as they are: leave ‹views› out, or give ‹views› columns, which takes its columns of words as categories", j.File)
	default:
		if list, err = j.TableColumns(ctx, namesOf(named)); err != nil {
			return err
		}
	}
	if err := j.checkNamed(ctx, named, list); err != nil {
		return err
	}
	// The order of the documents decides in which order the columns were met.
	slices.SortFunc(list, func(a, b corpus.Column) int {
		return cmp.Or(cmp.Compare(placeOf(named, a.Name), placeOf(named, b.Name)), cmp.Compare(a.Name, b.Name))
	})
	return j.takeColumns(ctx, named, list)
}

// namesOf are the names of columns; nil of none.
func namesOf(named []request.NamedColumn) (names []string) {
	for _, c := range named {
		names = append(names, c.Name)
	}
	return names
}

// ofKind are the columns that are said to be of a kind.
func ofKind(named []request.NamedColumn, kind string) (list []request.NamedColumn) {
	for _, c := range named {
		if c.Kind == kind {
			list = append(list, c)
		}
	}
	return list
}

// placeOf is the place of a name among columns; -1 for none.
func placeOf(named []request.NamedColumn, name string) int {
	return slices.IndexFunc(named, func(c request.NamedColumn) bool { return strings.EqualFold(c.Name, name) })
}

// TableColumns reads the columns of short values beside the texts of the corpus; names nil: all.
// Errors: of memory, if the columns will not fit; else as of [corpus.Corpus.ReadColumns].
func (j *Job) TableColumns(ctx context.Context, names []string) ([]corpus.Column, error) {
	opt := j.ReadOptions()
	opt.PageColumns, opt.ViewColumns = nil, names
	bound := memory.Bound(ctx, j.MaxBytes)
	number, bytes := corpus.ColumnsSize(ctx, j.File, opt, names, j.Corpus.Len())
	if err := memory.Need(bound, bytes, "name fewer with ‹view-columns›", "the values of %s of %s", words.Counted(number, "column"), j.File); err != nil {
		return nil, err
	}
	list, notes, err := j.Corpus.ReadColumns(ctx, j.File, opt, names, memory.Left(bound))
	if names == nil {
		for _, n := range notes {
			j.Note("Columns beside the texts: " + strings.TrimSuffix(n, "."))
		}
	}
	return list, err
}

// CheckColumns refuses columns in memory that are not of the documents, or of which two have one
// name.
func (j *Job) CheckColumns(list []corpus.Column) error {
	n := j.Corpus.Len()
	for k := range list {
		c := &list[k]
		if slices.ContainsFunc(list[:k], func(o corpus.Column) bool { return o.Name == c.Name }) {
			return invalid.Errorf("two columns have the name %s: give each its own", words.Name(c.Name))
		}
		if c.Values != nil && len(c.Values) != n || c.Values == nil && len(c.Of) != n {
			return invalid.Errorf("the column %s has %d values, and %s holds %s: give one, or none, for each", words.Name(c.Name), max(len(c.Values), len(c.Of)), j.File, words.Counted(n, "document"))
		}
		for _, of := range c.Of {
			if int(of) >= len(c.Words) {
				return invalid.Errorf("the column %s has value %d of %d words", words.Name(c.Name), of, len(c.Words))
			}
		}
	}
	return nil
}

// CheckFirstColumns refuses columns that are named for the view of columns and that the first
// documents of a file, so many, show to be none: all of them, if there are no more. Otherwise it
// notes so, since later documents may have other values.
func (j *Job) CheckFirstColumns(list []corpus.Column, documents int, all bool) error {
	named, err := j.NamedColumns()
	if err != nil {
		return err
	}
	for _, c := range named {
		at := slices.IndexFunc(list, func(o corpus.Column) bool { return strings.EqualFold(o.Name, c.Name) })
		why := "no document has a short value in a column of this name beside its text, name and class"
		if at >= 0 {
			_, err := model.NewColumnView(&list[at], c.Kind)
			if err == nil {
				continue
			}
			why = err.Error()
		}
		if all {
			return invalid.Errorf("%s: ‹view-columns› %s: %s: leave it out", j.File, c.Name, why)
		}
		j.Note(fmt.Sprintf("‹view-columns› %s: by the first %s, %s.", c.Name, words.Counted(documents, "document"), why))
	}
	return nil
}

// checkNamed refuses names that no column of short values has.
func (j *Job) checkNamed(ctx context.Context, named []request.NamedColumn, list []corpus.Column) error {
	for _, c := range named {
		if slices.ContainsFunc(list, func(o corpus.Column) bool { return strings.EqualFold(o.Name, c.Name) }) {
			continue
		}
		others := "there is none"
		if j.Vectors.Columns == nil {
			all, err := j.TableColumns(ctx, nil)
			if err != nil {
				return err
			}
			list = all
		}
		var names []string
		for _, o := range list {
			names = append(names, words.Name(o.Name))
		}
		if len(names) > 0 {
			others = "there are " + words.Few(names, 12)
		}
		return invalid.Errorf("%s: ‹view-columns› %s: no document has a short value in a column of this name beside its text, name and class: name others (%s)", j.File, c.Name, others)
	}
	if len(list) == 0 {
		classes := ""
		if j.Corpus.Labels != nil {
			classes = " (the column of classes may be one: ‹label-column› none leaves it free)"
		}
		return invalid.Errorf("%s: it has no columns of short values beside its texts, names and classes: leave columns out of ‹views›, or name some with ‹view-columns›%s", j.File, classes)
	}
	return nil
}

// takeColumns makes numbers of the columns. A column that cannot be compared is refused if it was
// named, and else left out with a note.
func (j *Job) takeColumns(ctx context.Context, named []request.NamedColumn, list []corpus.Column) error {
	read := &ColumnsRead{Name: "the columns of " + j.File}
	var left []string
	var taken []*corpus.Column
	width := 0
	for k := range list {
		c := &list[k]
		kind := ""
		if at := placeOf(named, c.Name); at >= 0 {
			kind = named[at].Kind
		}
		v, err := model.NewColumnView(c, kind)
		if err != nil && placeOf(named, c.Name) >= 0 {
			return invalid.Errorf("%s: ‹view-columns› %s: %w: leave it out", j.File, c.Name, err)
		} else if err != nil {
			left = append(left, fmt.Sprintf("%s (%s)", words.Name(c.Name), err))
			continue
		}
		read.View, taken, width = append(read.View, *v), append(taken, c), width+v.Width()
	}
	if len(left) > 0 {
		j.Note(fmt.Sprintf("Columns beside the texts that are not compared: %s.", words.Few(left, 6)))
	}
	if taken == nil {
		return invalid.Errorf("%s: none of its columns beside the texts holds categories, numbers or dates: leave columns out of ‹views›", j.File)
	}
	n := j.Corpus.Len()
	if err := memory.Need(memory.Bound(ctx, j.MaxBytes), memory.Bytes(8, n, width), "name fewer with ‹view-columns›", "%d numbers of columns for %s", width, words.Counted(n, "document")); err != nil {
		return err
	}
	read.X = mat.NewDense(n, width, nil)
	first := 0
	for k, c := range taken {
		if err := read.View[k].Encode(c, read.X, first); err != nil {
			return invalid.Errorf("%s: ‹view-columns› %s: %w", j.File, c.Name, err)
		}
		first += read.View[k].Width()
	}
	j.ColumnsRead = read
	return nil
}

// joinColumns puts the columns behind rows of length 1, which kept describes, by how far they agree
// with them. base are the views that these rows are of. If no column agrees, the rows are as they
// were.
func (j *Job) joinColumns(ctx context.Context, rows mat.Matrix, kept *model.Rows, base []View) (mat.Matrix, error) {
	read := j.ColumnsRead
	if err := j.weighColumns(ctx, rows); err != nil {
		return nil, err
	}
	j.Views = base
	var used []model.ColumnView
	var keep []int // numbers of a row
	first := 0
	for k := range read.View {
		v := &read.View[k]
		j.Views = append(j.Views, View{Name: v.Name, Kind: v.Kind, Values: len(v.Values), Agreement: &v.Agreement, Weight: v.Weight})
		if v.Weight > 0 {
			used = append(used, *v)
			for c := range v.Width() {
				keep = append(keep, first+c)
			}
		}
		first += v.Width()
	}
	j.noteViews()
	if used == nil {
		j.ColumnsRead = nil
		return rows, nil
	}
	n, left := rows.Dims()
	width := left + len(keep) + model.MissingNumbers
	need := memory.Bytes(8, n, width+len(keep))
	if s, ok := rows.(sparse.Rows); ok { // and numbers for missing values of each column that has entries
		need = memory.Sum(bytesOf(rows, n), memory.Bytes(12, n, width-left), memory.Bytes(8, n, len(keep)),
			memory.Bytes(8*model.MissingNumbers, min(left, s.Pattern().NNZ())))
	}
	if err := memory.Need(memory.Bound(ctx, j.MaxBytes), need, "name fewer columns with ‹view-columns›", "rows of %d numbers for %s", width, words.Counted(n, "document")); err != nil {
		return nil, err
	}
	x := mat.NewDense(n, len(keep), nil)
	for i := range n {
		for at, c := range keep {
			x.Set(i, at, read.X.At(i, c))
		}
	}
	kept.SetView(used, x)
	j.ColumnsRead = &ColumnsRead{Name: read.Name, View: used}
	return kept.JoinColumns(rows, x), nil
}

// noteViews says which columns take part and which do not.
func (j *Job) noteViews() {
	var in, out []string
	for _, v := range j.Views {
		switch {
		case v.Kind == "":
		case v.Weight > 0:
			in = append(in, words.Name(v.Name)+" "+weightText(v.Weight))
		default:
			out = append(out, words.Name(v.Name))
		}
	}
	if len(out) > 0 {
		j.Note(fmt.Sprintf("Columns whose values agree no more among neighbours than by chance, so that they take no part: %s.", words.Few(out, 12)))
	}
	if len(in) > 0 {
		j.Note(fmt.Sprintf("Columns by which the documents are compared too, with their weights beside 1 of the texts: %s.", words.Few(in, 12)))
	}
}

// weightText is a weight above 0 with two decimals, which are not 0.00.
func weightText(w float64) string {
	if w < .005 {
		return "below 0.01"
	}
	return fmt.Sprintf("%.2f", w)
}

// viewsRow says in a table by which columns the documents are compared; nil without any.
func (j *Job) viewsRow() []string {
	var list []string
	for _, v := range j.Views {
		if v.Kind == "" {
			continue
		}
		what := v.Kind
		if v.Values > 0 {
			what = words.Counted(v.Values, "value")
		}
		if v.Weight > 0 {
			list = append(list, fmt.Sprintf("%s %s (%s)", words.Clip(v.Name, 40), weightText(v.Weight), what))
		} else {
			list = append(list, words.Clip(v.Name, 40)+" 0 ("+what+")")
		}
	}
	if list == nil {
		return nil
	}
	return []string{"columns", strings.Join(list, ", ") + ", weights beside 1 of the texts"}
}
