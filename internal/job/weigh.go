package job

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Weigh makes the rows.
func (j *Job) Weigh(ctx context.Context) error {
	defer j.Stage("weights")()
	if j.VectorsRead != nil && !j.JoinsWords() {
		j.counts, j.columnWeights = j.holdsCounts(), nil
		return j.weighVectors(ctx)
	}
	if err := j.DecideWeights(ctx); err != nil {
		return err
	}
	if !j.Corpus.Divided() {
		if err := method.CheckScale(j.Corpus.X); err != nil {
			return j.InFile(err)
		}
	}
	if err := j.needColumns(ctx, j.Weighting); err != nil {
		return err
	}
	rows := j.RowsHere()
	if j.columnWeights == nil {
		var err error
		if j.columnWeights, err = rows.ColumnWeights(j.Weighting); err != nil {
			return j.InFile(err)
		}
	}
	x, err := j.weighted(rows)
	if err != nil {
		return j.InFile(err)
	}
	if j.X = x; j.JoinsWords() {
		return j.joinViews(ctx)
	}
	return j.checkRows()
}

// DecideWeights settles weighting and normalization of the rows that were read, says why, and
// stores dense rows that are taken as sparse as sparse ones.
func (j *Job) DecideWeights(ctx context.Context) error {
	j.counts, j.columnWeights = j.holdsCounts(), nil
	j.noteCounts()
	if err := ranks.Agree(j.Share, j.settleStorage()); err != nil {
		return err
	}
	if err := j.settleUnits(ctx); err != nil {
		return err
	}
	unsaid := j.Weighting == "" && j.Normalize == "" && !j.Paper
	j.SettleWeights(j.counts)
	if unsaid && mostlyZeros(j.RowsHere().X) {
		j.Note("Rows are compared by distance and keep their lengths: most entries are 0, but too many are not for sparse data; ‹normalize› l2 compares rows by direction.")
	}
	return nil
}

// holdsCounts reports whether the rows are counts of terms. Indicators of categories beside whole
// numbers look like counts and are none.
func (j *Job) holdsCounts() bool {
	return j.IsText() || !j.ColumnsAlone() && j.RowsHere().HoldsCounts()
}

// mostlyZeros reports whether more than half of the entries of a dense matrix of 20 columns or more
// are 0, by at most a thousand of its rows.
func mostlyZeros(x mat.Matrix) bool {
	const leastColumns, looked = 20, 1000
	n, cols := x.Dims()
	if sparse.Is(x) || cols < leastColumns {
		return false
	}
	zeros, rows := 0, 0
	row := make([]float64, cols)
	for i := 0; i < n; i += max(1, n/looked) {
		rows++
		for _, v := range mat.Row(row, i, x) {
			if v == 0 {
				zeros++
			}
		}
	}
	return 2*zeros > rows*cols
}

// settleStorage stores rows as sparse ones that a file or a caller has as a dense matrix, if they
// are taken as such, so that all formats of one corpus have one result: counts of terms, numbers
// that the run weighs as counts, and rows nearly all of which is 0. Readers of tables go by the
// same bounds. Columns that are each divided by their deviation are compared by distance and stay
// dense.
func (j *Job) settleStorage() error {
	asCounts := j.Weighting != "" && j.Weighting != corpus.WeightTF && j.Weighting != corpus.WeightStandard
	if sparse.Is(j.Corpus.X) || j.ColumnsAlone() || !j.counts && !j.RowsHere().TakenAsSparse(asCounts) {
		return nil
	}
	x, err := sparse.FromMatrix(j.RowsHere().X)
	if err != nil {
		return j.InFile(err)
	}
	var rows sparse.Rows = x
	if j.InSingle() {
		if rows, err = sparse.NewSingle(x); err != nil {
			return j.InFile(err)
		}
	}
	same := *j.Corpus
	same.X = rows
	j.Corpus = &same
	if j.part != nil {
		own := *j.part
		own.X = rows
		j.part = &own
		j.Entries, j.Empty = ranks.Count(j.Share, x.NNZ()), j.AllNumbers(x.EmptyRows())
	}
	n, cols := x.Dims()
	memory.Dropped(memory.Bytes(8, n, cols))
	return nil
}

// needColumns refuses a weighting whose weights of the columns, or the work to find them, would not
// fit into memory.
func (j *Job) needColumns(ctx context.Context, weighting string) error {
	if !corpus.NeedsColumnWeights(weighting) {
		return nil
	}
	bytes, why := int64(3*8), "documents are counted"
	if weighting == corpus.WeightStandard {
		bytes, why = 104+40*int64(native.Threads()), "deviations are computed" // see [corpus.Corpus.Deviations]
	}
	_, cols := j.RowsHere().X.Dims()
	return memory.Need(ctx, memory.Bytes(bytes, cols), "give ‹weighting› tf", "%s has %s, whose %s for ‹weighting› %s",
		j.File, words.Counted(cols, "column"), why, weighting)
}

// weighted returns the weighted rows. Dense rows of the caller's, which [takeCorpus] has looked
// through, are their own weights where these are the entries.
func (j *Job) weighted(rows *corpus.Corpus) (mat.Matrix, error) {
	if dense, ok := rows.X.(*mat.Dense); ok && j.InMemory && j.Weighting == corpus.WeightTF && j.Normalize == corpus.NormNone {
		return dense, nil
	}
	return rows.WeightedLike(j.Weighting, j.Normalize, j.columnWeights)
}

// asTaken reports whether the method works on dense rows as [takeCorpus] took them, which has
// looked through their values.
func (j *Job) asTaken() bool {
	x, isDense := j.X.(*mat.Dense)
	counts, _ := j.Corpus.X.(*mat.Dense)
	return j.InMemory && isDense && x == counts
}

// WithoutEntries lists the rows of X that say nothing of their documents ([method.WithoutEntries]).
// Dense rows are looked through once.
func (j *Job) WithoutEntries() []int {
	dense, ok := j.X.(*mat.Dense)
	if !ok {
		return method.WithoutEntries(j.X)
	}
	if dense != j.emptyOf {
		j.empty, j.emptyOf = method.WithoutEntries(dense), dense
	}
	return slices.Clone(j.empty)
}

// aside are the rows of an embedding that attract no cluster: those of documents without terms.
func (j *Job) aside(embedding *mat.Dense) []int {
	if j.X == nil {
		return nil
	}
	rows, _ := embedding.Dims()
	if n, _ := j.X.Dims(); n != rows {
		return nil
	}
	return j.WithoutEntries()
}

// checkRows notes what is to be said of the weighted terms, and refuses weights that are all 0.
func (j *Job) checkRows() error {
	j.noteZeros()
	if err := j.checkWeights(); err != nil {
		return err
	}
	j.noteEqual()
	return nil
}

// noteZeros says which dense rows are zeros alone.
func (j *Job) noteZeros() {
	if sparse.Is(j.X) {
		return
	}
	list := j.AllNumbers(j.WithoutEntries())
	if len(list) == 0 {
		return
	}
	ids := make([]string, len(list))
	for at, i := range list {
		ids[at] = words.Name(j.Corpus.ID(i))
	}
	j.Warn(fmt.Sprintf("Rows of zeros, which say nothing of their documents: %d of %s (%s). They have no neighbours, and their clusters are arbitrary.",
		len(list), words.Counted(j.Corpus.Len(), "document"), words.Few(ids, 5)))
}

// checkWeights refuses weights that are all 0 where the method joins documents by them; of other
// methods it says so.
func (j *Job) checkWeights() error {
	x := j.X
	if m, ok := x.(sparse.Rows); ok && corpus.NeedsIDF(j.Weighting) && !j.Share.Divided() && m.Pattern().NNZ() == 0 { // zeros are not stored
		const why = "every weight is 0: all documents have the same terms, and the tf-idf of a term that every document has is 0"
		if n, _ := m.Dims(); n == 1 && j.Spec.Needs.Affinity {
			return j.InFile(invalid.Errorf("one document cannot be clustered: give a corpus of at least two"))
		}
		if j.Spec.Needs.Affinity && j.IsText() && j.Text.MinDF.Count != 1 {
			return j.InFile(invalid.Errorf("%s: give ‹min-df› 1, which keeps the terms of single documents, ‹weighting› tf, or documents that differ", why))
		}
		if j.Spec.Needs.Affinity {
			return j.InFile(invalid.Errorf("%s: give ‹weighting› tf, or documents that differ", why))
		}
		j.Note(strings.ToUpper(why[:1]) + why[1:] + "; ‹weighting› tf keeps the counts.")
	}
	return nil
}

// noteCounts says that the entries of a file that holds no texts are weighed as counts of terms.
func (j *Job) noteCounts() {
	if j.counts && j.Weighting == "" && !j.Paper && !j.Spec.Needs.Counts && !j.IsText() {
		j.Note("The entries look like counts of terms and are weighed as such; ‹weighting› tf with ‹normalize› none takes them as they are.")
	}
}

// SettleWeights decides weighting and normalization if they were not given. counts says that the
// entries are counts of terms; the papers weigh none but those of raw texts, by tf-idf.
func (j *Job) SettleWeights(counts bool) {
	j.counts = counts
	asCounts := j.Spec.Needs.Counts
	if j.Weighting == "" {
		switch {
		case asCounts || !counts || j.Paper && !j.IsText():
			j.Weighting = corpus.WeightTF
		case (j.Spec.Needs.Roots || j.Command == "graph") && !j.Paper:
			j.Weighting = corpus.WeightHellinger
		default:
			j.Weighting = corpus.WeightTFIDF
		}
	}
	if j.Normalize == "" {
		j.Normalize = corpus.NormNone
		if sparse.Is(j.Corpus.X) && !asCounts {
			j.Normalize = corpus.NormL2
		}
	}
}
