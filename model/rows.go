package model

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Rows say how raw documents become the rows that a method works on.
type Rows struct {
	// Vectors says that the documents were compared by a vector each in place of their terms.
	Vectors bool `json:"vectors,omitempty"`
	// VectorModel made the vectors; nil if they were given.
	VectorModel *corpus.VectorModel `json:"vector_model,omitempty"`
	// Beside is the number of values of a vector that stands beside the terms of a document; 0: none.
	// The row then is the terms and the vector, as [JoinVectors] puts them.
	Beside int `json:"beside,omitempty"`
	// Directions are those of the terms, directions × columns, whose images stand behind the terms
	// before vectors and columns, as [JoinDirections] puts them; nil without any of these.
	Directions *mat.Dense `json:"-"`
	// View are the columns beside the texts by which the documents were compared too: they stand
	// behind the terms or the vectors, as [Rows.JoinColumns] puts them.
	View      []ColumnView `json:"view_columns,omitempty"`
	Missing   int          `json:"view_missing,omitempty"` // numbers of a row that stand for missing values
	Columns   int          `json:"columns"`                // 0 if the run had an affinity matrix and no documents
	Sparse    bool         `json:"sparse"`
	Weighting string       `json:"weighting,omitempty"`
	Normalize string       `json:"normalize,omitempty"`
	// Single says that values and dense weights were rounded to single precision, and those of new
	// documents are too.
	Single bool `json:"single,omitempty"`
	// Measured says that the columns are measurements of a table, so that one that is missing is not
	// 0.
	Measured bool `json:"measured,omitempty"`
	// Categories are columns of words whose values are among the terms, as NAME=VALUE.
	Categories []string `json:"categories,omitempty"`
	// Numbers are the columns of the file of the model's documents, from 1, that the columns are, of
	// a table without names of columns from which some were left out; else nil.
	Numbers []int `json:"column_numbers,omitempty"`
	// Filling is what missing numbers became; nil: nothing is known of it.
	Filling *corpus.Filling     `json:"filling,omitempty"`
	Text    *corpus.TextOptions `json:"text,omitempty"`  // how text becomes terms; nil if the corpus was no text
	Strip   []string            `json:"strip,omitempty"` // what was left out of messages
	// StripRule is what Strip's auto means: [AutoRule], or 0 of earlier models.
	StripRule int       `json:"strip_rule,omitempty"`
	Terms     []string  `json:"-"` // name of each column; nil if the corpus had none
	Stems     []string  `json:"-"` // of each column, if the texts were of several languages; else nil
	IDF       []float64 `json:"-"` // of each column, for weightings that take it; 1/deviation for "standard"
}

// AutoRule is the rule by which corpus.StripAuto chooses what it leaves out: it changes when other
// parts of the same texts are.
const AutoRule = 1

// NewRows describes how c becomes rows under a weighting. text is how it was read if it is text,
// else nil.
func NewRows(c *corpus.Corpus, weighting, normalize string, text *corpus.TextOptions) (Rows, error) {
	_, cols := c.X.Dims()
	isSparse := sparse.Is(c.X)
	r := Rows{Columns: cols, Sparse: isSparse, Weighting: weighting, Normalize: normalize, Terms: c.Terms, Stems: c.Stems, Filling: c.Filling}
	for _, k := range c.Categories {
		r.Categories = append(r.Categories, k.Name)
	}
	r.Numbers = c.ColumnNumbers()
	if text != nil {
		list, err := text.StopList()
		if err != nil {
			return r, err
		}
		t := *text
		if list != nil {
			t.StopWords, t.Stop = "none", list
		}
		if t.Vocabulary != nil { // it is in Terms
			for _, term := range t.Vocabulary {
				t.NGrams = max(t.NGrams, len(strings.Fields(term)))
			}
			t.Vocabulary = nil
			if t.Language == "" || t.Language == "auto" { // what the reader takes it for
				t.Language = "english"
			}
		}
		t.Markup = cmp.Or(t.Markup, "auto")
		r.Text = &t
	}
	var err error
	if corpus.NeedsColumnWeights(weighting) {
		r.IDF, err = c.ColumnWeights(weighting)
	}
	return r, err
}

// TextOptions are those to read new texts with: the words of the model's corpus, every term kept,
// since its vocabulary decides which count.
func (r *Rows) TextOptions() corpus.TextOptions {
	if r.Text == nil {
		return corpus.TextOptions{MinDF: 1, MaxDF: 1}
	}
	t := *r.Text
	t.MinDF, t.MaxDF, t.MinDFShare, t.MaxDFCount = 1, 1, 0, 0
	t.ForModel = true
	if t.Markup == "" { // the model is older than the option, and has tags as words
		t.Markup = "keep"
	}
	return t
}

// Width is the number of columns of the rows.
func (r *Rows) Width() int {
	width := r.Columns + r.Beside + r.viewWidth()
	if r.Directions != nil {
		directions, _ := r.Directions.Dims()
		width += directions
	}
	return width
}

func (r *Rows) check() error {
	var errs invalid.Faults
	if r.Beside < 0 || r.Beside > sparse.MaxDim || r.TermsFirst() != (r.Directions != nil) || r.Beside > 0 && r.Vectors {
		errs.Addf("the model's vectors beside its terms do not fit its directions")
	} else if r.Directions != nil {
		if _, cols := r.Directions.Dims(); cols != r.Columns {
			errs.Addf("the model has directions of %d terms for %d columns", cols, r.Columns)
		}
	}
	errs = append(errs, r.checkView(), r.checkFilling())
	if r.Columns < 0 || r.Columns > sparse.MaxDim {
		errs.Addf("the model's documents have %d columns", r.Columns)
	}
	switch r.Weighting {
	case "", corpus.WeightTF, corpus.WeightTFIDF, corpus.WeightHellinger, corpus.WeightBinary, corpus.WeightStandard:
	default:
		errs.Addf("the model has the unknown weighting %q", r.Weighting)
	}
	switch r.Normalize {
	case "", corpus.NormL2, corpus.NormNone:
	default:
		errs.Addf("the model has the unknown normalization %q", r.Normalize)
	}
	if r.Terms != nil && len(r.Terms) != r.Columns {
		errs.Addf("the model has %d terms for %d columns", len(r.Terms), r.Columns)
	}
	if r.Numbers != nil && len(r.Numbers) != r.Columns {
		errs.Addf("the model has %d numbers of columns for %d columns", len(r.Numbers), r.Columns)
	}
	if r.Stems != nil && len(r.Stems) != r.Columns {
		errs.Addf("the model has %d stems of terms for %d columns", len(r.Stems), r.Columns)
	}
	if want := r.Columns; corpus.NeedsColumnWeights(r.Weighting) && len(r.IDF) != want {
		errs.Addf("the model has %d weights of terms for %d columns", len(r.IDF), want)
	}
	errs = append(errs, corpus.ReadOptions{Strip: r.Strip}.Validate())
	if t := r.Text; t != nil {
		errs = append(errs, t.Validate())
		if s := t.StopWords; s != "" && s != "none" && (corpus.TextOptions{Language: s}).Validate() != nil {
			errs.Addf("the model names the stop words %q, which are no language's", s)
		}
		if r.Terms == nil {
			errs.Addf("the model is of texts but has no terms")
		}
	}
	return invalid.Join(errs...)
}

// Match says how the columns of a new corpus met the model's.
type Match struct {
	By      string // "order", "name" or "stem"
	Known   int    // columns of the model that the corpus has; not counted if matched by order
	New     int    // columns that the model does not know: they are left out
	Missing int    // the model's columns that the corpus does not have: no document holds them
	absent  string // the first of these, of a model of dense rows
}

// absentShown is how many columns that are missing are named.
const absentShown = 6

// Matching is how the columns of a new corpus meet the model's, for rows of some of its documents
// at a time.
type Matching struct {
	Match
	rows   *Rows
	source []int  // for every column of the model the one of the corpus, -1 for none; nil: by their order
	knows  []bool // for every column of the corpus whether the model has it
}

// Match finds the model's columns in a corpus. Cost O(columns). Errors (fs.ErrInvalid): none of the
// columns is the model's, another number of columns without names, or one of the model's is missing
// where they are measurements: no value that could be taken for all documents is theirs.
func (r *Rows) Match(c *corpus.Corpus) (*Matching, error) {
	_, cols := c.X.Dims()
	m := &Matching{Match: Match{By: "order"}, rows: r}
	source, by, err := r.sources(c)
	if err != nil {
		return nil, err
	}
	if source == nil {
		if cols != r.Columns {
			return nil, invalid.Errorf("%s: its documents have %d columns and the model's have %d: give documents with the model's columns, or with names of terms as the model has them",
				c.Name, cols, r.Columns)
		}
		return m, nil
	}
	m.source, m.By = source, by
	known := 0
	m.knows = make([]bool, cols)
	var absent []string
	for at, j := range source {
		if j >= 0 {
			m.knows[j] = true
			known++
		} else if !r.Sparse {
			if name := clip(r.columnOf(at)); !slices.Contains(absent, name) {
				absent = append(absent, name)
			}
		}
	}
	m.Known, m.New, m.Missing = known, cols-known, r.Columns-known
	if known == 0 && by != "stem" { // a text may have none: what becomes of it depends on no other text
		return nil, invalid.Errorf("%s: none of its %d terms is among the model's %d: give documents of the same kind and language", c.Name, cols, r.Columns)
	}
	if m.absent = words.Few(absent, absentShown); m.absent != "" && (r.Measured || r.Weighting == corpus.WeightStandard) {
		return nil, invalid.Errorf("%s: these columns of the model's measurements are missing: %s; write them, with what is known of each document, or make a model without them", c.Name, m.absent)
	}
	return m, nil
}

// columnOf is the name of the file's column that a column is of: of a value of a category that one.
func (r *Rows) columnOf(at int) string {
	for _, name := range r.Categories {
		if strings.HasPrefix(r.Terms[at], name+"=") {
			return name
		}
	}
	return r.Terms[at]
}

// Of makes rows of documents of the corpus that was matched: columns matched, entries weighted with
// the model's idf, lengths as the model's. c is the corpus, or some of its documents. Cost
// O(entries + columns).
func (m *Matching) Of(c *corpus.Corpus) (mat.Matrix, error) {
	x, err := m.align(c)
	if err != nil {
		return nil, err
	}
	r := m.rows
	if r.Single {
		x = rounded(x)
	}
	d := corpus.Corpus{Name: c.Name, X: x, IDs: c.IDs, First: c.First, Terms: r.Terms}
	x, err = d.WeightedLike(r.Weighting, r.Normalize, r.IDF)
	if _, dense := x.(*mat.Dense); dense && r.Single {
		x = rounded(x)
	}
	return x, err
}

// rounded returns the matrix with its values in single precision, but for those outside of its
// range, which no document of a model in single precision has.
func rounded(x mat.Matrix) mat.Matrix {
	var values []float64
	switch y := x.(type) {
	case *sparse.CSR:
		values = slices.Clone(y.Val)
		x = &sparse.CSR{NumRows: y.NumRows, NumCols: y.NumCols, RowPtr: y.RowPtr, Col: y.Col, Val: values}
	case *mat.Dense:
		dense := mat.DenseCopyOf(y)
		x, values = dense, dense.RawMatrix().Data
	}
	for i, v := range values {
		if a := math.Abs(v); a >= leastSingle && a <= math.MaxFloat32 {
			values[i] = float64(float32(v))
		}
	}
	return x
}

// leastSingle is the least positive number that single precision holds with all its digits.
const leastSingle = 0x1p-126

// Rarities counts the terms of each document, and of these those that the model does not know; nil
// if columns were matched by their order. c is the corpus that was matched, or some of its
// documents.
func (m *Matching) Rarities(c *corpus.Corpus) []corpus.Rarity {
	s, ok := c.X.(sparse.Rows)
	if m.knows == nil || !ok {
		return nil
	}
	list := make([]corpus.Rarity, c.Len())
	p := s.Pattern()
	var values []float64
	for i := range list {
		values = s.Values(i, values[:0])
		for k, j := range p.Col[p.RowPtr[i]:p.RowPtr[i+1]] {
			if values[k] == 0 {
				continue
			}
			if list[i].Terms++; !m.knows[j] {
				list[i].Own++
			}
		}
	}
	return list
}

// Of is [Matching.Of] of a whole corpus.
func (r *Rows) Of(c *corpus.Corpus) (mat.Matrix, Match, error) {
	m, err := r.Match(c)
	if err != nil {
		return nil, Match{By: "order"}, err
	}
	x, err := m.Of(c)
	return x, m.Match, err
}

// align brings the columns into the model's order and the matrix into its storage.
func (m *Matching) align(c *corpus.Corpus) (_ mat.Matrix, err error) {
	r, n := m.rows, c.Len()
	s, isSparse := c.X.(*sparse.CSR)
	if !isSparse && (r.Sparse || m.source != nil) {
		if s, err = sparse.FromMatrix(c.X); err != nil {
			return nil, err
		}
	}
	if s == nil {
		return c.X, nil
	}
	if m.source != nil {
		s = rearranged(s, m.source)
	}
	if r.Sparse {
		return s, nil
	}
	if bytes := 8 * float64(n) * float64(r.Columns); bytes > maxDense {
		return nil, invalid.Errorf("%s: its %d documents would take %.1f GiB as the dense rows that the model needs: predict fewer at a time", c.Name, n, bytes/(1<<30))
	}
	return s.ToDense(), nil
}

// maxDense bounds the dense matrix that sparse documents are spread to.
const maxDense = 4 << 30

// sources returns, for every column of the model, the column of the corpus with the same term, -1
// where there is none; nil where columns are matched by their order.
func (r *Rows) sources(c *corpus.Corpus) (source []int, by string, err error) {
	if r.Terms == nil || c.Terms == nil || slices.Equal(r.Terms, c.Terms) && slices.Equal(r.Stems, c.Stems) {
		return nil, "", nil
	}
	own, theirs, by := r.Terms, c.Terms, "name"
	if r.Text != nil && slices.Contains(corpus.TextFormats(), c.Format) {
		by = "stem"
		if own, err = r.stems(own, r.Stems); err != nil {
			return nil, "", err
		}
		if theirs, err = r.stems(theirs, c.Stems); err != nil {
			return nil, "", err
		}
	}
	at := make(map[string]int, len(theirs))
	for j, t := range theirs {
		if other, twice := at[t]; twice {
			return nil, "", invalid.Errorf("%s: columns %d and %d are both called %q: give every term a name of its own", c.Name, other+1, j+1, clip(t))
		}
		at[t] = j
	}
	source = make([]int, len(own))
	seen := make(map[string]bool, len(own))
	for j, t := range own {
		if seen[t] {
			return nil, "", invalid.Errorf("the model has several columns called %q, so terms cannot be matched by name: give documents with exactly its columns", clip(t))
		}
		seen[t] = true
		source[j] = -1
		if k, ok := at[t]; ok {
			source[j] = k
		}
	}
	return source, by, nil
}

// stems returns the reader's stems, or if it gave none the stems of the terms' words.
func (r *Rows) stems(terms, given []string) ([]string, error) {
	if given != nil {
		return given, nil
	}
	return r.Text.Stems(terms)
}

// Fixed are the options to read texts with as rows of the model's own columns, whether they hold a
// term of it or not.
func (r *Rows) Fixed() (corpus.TextOptions, error) {
	t := r.TextOptions()
	stems, err := r.stems(r.Terms, r.Stems)
	t.Vocabulary, t.VocabularyStems, t.AnyText = r.Terms, stems, true
	return t, err
}

func clip(s string) string {
	if r := []rune(s); len(r) > 60 {
		return string(r[:60]) + "..."
	}
	return s
}

// rearranged returns the matrix whose column j is column source[j] of x, empty if that is -1.
// O(entries + columns).
func rearranged(x *sparse.CSR, source []int) *sparse.CSR {
	t := x.Transpose()
	out := &sparse.CSR{NumRows: len(source), NumCols: x.NumRows, RowPtr: make([]int, len(source)+1)}
	for j, k := range source {
		if k >= 0 {
			rows, vals := t.Row(k)
			out.Col, out.Val = append(out.Col, rows...), append(out.Val, vals...)
		}
		out.RowPtr[j+1] = len(out.Col)
	}
	return out.Transpose()
}

// String is a sentence for a person, empty if they were matched by order.
func (m Match) String() string {
	switch {
	case m.By == "order":
		return ""
	case m.New == 0 && m.Missing == 0:
		return "All terms are the model's, in another order."
	case m.Known == 0:
		return fmt.Sprintf("None of the %d terms is among the model's %d: give documents of the same kind and language.", m.New, m.Missing)
	}
	text := fmt.Sprintf("Terms were matched by %s: %d %s not in the model and %s left out, %d of the model %s not occur", m.By, m.New, words.Verb(m.New, "is", "are"), words.Verb(m.New, "is", "are"), m.Missing, words.Verb(m.Missing, "does", "do"))
	if m.absent != "" {
		text += words.Verb(m.Missing, " and counts", " and count") + " as 0: " + m.absent
	}
	return text + "."
}

// checkFilling refuses a filling of other columns than those of the rows.
func (r *Rows) checkFilling() error {
	f := r.Filling
	if f == nil || f.Columns == r.Columns && (f.Values == nil || len(f.Values) == r.Columns) && slices.IsSorted(f.Out) && (len(f.Out) == 0 || f.Out[0] >= 0) {
		return nil
	}
	return invalid.Errorf("the model fills the missing numbers of %d columns, and has %d", f.Columns, r.Columns)
}

// Fills says how missing numbers of new documents are filled: as those of the model's were. It is
// nil if the model is one of texts.
func (r *Rows) Fills() *corpus.Filling {
	if r.Text != nil {
		return nil
	}
	f := corpus.Filling{Columns: r.Columns}
	if r.Filling != nil {
		f = *r.Filling
	}
	f.Terms = r.Terms
	return &f
}
