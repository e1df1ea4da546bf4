package job

import (
	"context"
	"fmt"
	"slices"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/copies"
	"github.com/eigenmap/eigenmap/internal/indices"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/request"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Documents that have the same terms, each as often, count once: between weighing and the fit a job
// is reduced to the first document of each group of equal ones (TakeDistinct), and what was found
// of these is carried over to their copies afterwards (package result). No method knows of it.

// shownGroups is how many groups of equal documents a note names.
const shownGroups = 3

// whole is what a job had of all documents before it was reduced to the distinct ones. Corpus.X and
// X are shapes alone until Restore, where lean says so.
type whole struct {
	Groups *copies.Groups
	Share  *ranks.Share
	Corpus *corpus.Corpus
	X      mat.Matrix
	lean   bool
	Freed  int64 // bytes of the rows that a lean one does not hold, or did not before Restore
	// Distinct are the weighted rows of the distinct documents after Restore, where a lean one made
	// those of all documents again: a model may hold them as well. nil: they are rows of X.
	Distinct mat.Matrix
	Prior    Prior
	Entries  int
	Empty    []int
}

// TakeDistinct reduces the job to the distinct documents, if equal ones are to count once. wanted
// is the least number of documents that the run needs. All ranks call it.
func (j *Job) TakeDistinct(ctx context.Context, wanted int) error {
	if j.X == nil {
		return nil
	}
	table := j.mayRepeat()
	if !table && j.settleDuplicates() == request.DuplicatesKeep {
		return nil
	}
	if j.InMemory && j.Duplicates == request.DuplicatesDrop {
		return invalid.Errorf("‹duplicates› drop would leave rows of a matrix in memory without a result: give once or keep")
	}
	defer j.Stage("duplicates")()
	groups, err := j.equalDocuments(ctx)
	if err != nil || groups == nil {
		return err
	}
	switch {
	case !table: // as settled
	case 2*len(groups.First) < groups.Len():
		j.Duplicates, j.repeats = request.DuplicatesOnce, true
		j.often = float64(groups.Repeated()) >= leastOften*float64(len(groups.First))
	case j.Duplicates == "":
		j.Duplicates = request.DuplicatesKeep
		return nil
	}
	given := j.labelCopies(groups)
	if why := j.whyKept(groups, wanted, given); why != "" {
		if j.Was("duplicates") {
			return invalid.Errorf("‹duplicates› %s: %s, and the run needs more: give ‹duplicates› keep", j.Duplicates, why)
		}
		j.Note(fmt.Sprintf("%s, and %s, so that each counts as a document of its own, as by ‹duplicates› keep",
			words.Plural(groups.Copies(), "document equals an earlier one", "documents equal an earlier one"), why))
		j.Duplicates = request.DuplicatesKeep
		return nil
	}
	here := groups.Here(j.Share)
	if err := ranks.Agree(j.Share, j.needDistinct(ctx, len(here))); err != nil {
		return err
	}
	if j.often {
		j.times = groups.Sizes()
	}
	j.noteCopies(groups)
	j.Whole = &whole{Groups: groups, Share: j.Share, Corpus: j.Corpus, X: j.X, Prior: j.Prior, Entries: j.Entries, Empty: j.Empty}
	if given != nil {
		j.noteLabels(given)
		j.Prior.Labels = given.labels
	}
	if err := j.linkCopies(groups); err != nil {
		return err
	}
	j.reduce(groups, here)
	return j.boundNeighbors(len(groups.First))
}

// mayRepeat reports whether equal rows of a table count once if fewer than half of the rows differ,
// as answers from 1 to 5 do: the method is one of the neighbour graph, equal rows are not asked to
// count one by one, and the rows are no counts. The neighbours of a row would be its copies alone,
// and the graph one piece for each different row.
func (j *Job) mayRepeat() bool {
	unsaid := j.Duplicates == "" || j.Duplicates == request.DuplicatesOnce
	return unsaid && !j.Paper && !j.counts && j.Affinity == nil && !j.ByOthers() && j.WithMethod() && j.Spec.Needs.Affinity && !j.Spec.Needs.Kernel
}

// leastOften is the least share of the different rows that occur twice or more in a table of
// answers. Copies of a few rows among rows that differ are no answers.
const leastOften = 0.25

// CountsOften reports whether k-means counts a row as often as it occurs: the job had the different
// rows of a table in which many occur again, as answers from 1 to 5 do. How often they occur is
// then the density of the data, which the graph of the different rows lacks.
func (j *Job) CountsOften() bool { return j.often }

// TakeTimes lets the job count its rows as often as those of another one, of which they are the
// rows list.
func (j *Job) TakeTimes(of *Job, list []int) {
	if j.times = nil; of.times != nil {
		j.times = labels.Pick(of.times, list)
	}
}

// ForgetTimes says that the job has the rows of all documents again.
func (j *Job) ForgetTimes() { j.times = nil }

// clusterRepeated is k-means on the rows of x, each as often as it occurs: the labels are of the
// rows of x, sizes and objective of all documents. 8 bytes per document and column.
func (j *Job) clusterRepeated(ctx context.Context, x *mat.Dense, opt kmeans.Options) (*kmeans.Model, error) {
	times := ranks.Own(j.Share, j.times)
	first, rows := make([]int, len(times)), make([]int, 0, len(times))
	for i, n := range times {
		first[i] = len(rows)
		for range n {
			rows = append(rows, i)
		}
	}
	opt.Aside = nil // rows of a table are answers
	if opt.Share = j.Share; j.Share.Divided() {
		opt.Share = ranks.NewShare(j.Share, len(rows))
	}
	_, cols := x.Dims()
	memory.Ahead(memory.Bytes(8, len(rows), cols))
	m, err := kmeans.Fit(ctx, sparse.SelectRows(x, rows), opt)
	if m != nil {
		m.Labels = labels.Pick(m.Labels, first)
	}
	return m, err
}

// settleDuplicates is what becomes of copies: by default equal texts and equal rows of counts
// count once. Equal measurements are observations each, but see mayRepeat; the form of a method's
// paper takes all documents, and a given graph says itself how they are joined.
func (j *Job) settleDuplicates() string {
	switch {
	case j.Affinity != nil: // it has a node for each document
		return request.DuplicatesKeep
	case j.Duplicates == "" && (j.Paper || !j.counts):
		j.Duplicates = request.DuplicatesKeep
	case j.Duplicates == "":
		j.Duplicates = request.DuplicatesOnce
	}
	return j.Duplicates
}

// CountsOnce reports whether groups of near-copies in a neighbour graph count once: of documents
// that are compared by their terms.
func (j *Job) CountsOnce() bool {
	return !j.repeats && j.X != nil && !j.ByOthers() && j.WithMethod() && j.settleDuplicates() != request.DuplicatesKeep
}

// equalDocuments groups the equal documents of all ranks; nil if there are none. Documents without
// terms are not taken for copies.
func (j *Job) equalDocuments(ctx context.Context) (*copies.Groups, error) {
	n := j.Corpus.Len()
	need := memory.Need(memory.Bound(ctx, j.MaxBytes), copies.Bytes(n), "give ‹duplicates› keep", "the search for equal ones of %s", words.Counted(n, "document"))
	if err := ranks.Agree(j.Share, need); err != nil {
		return nil, err
	}
	var beside mat.Matrix
	if j.ByOthers() {
		beside = j.X
	}
	return copies.Find(ctx, j.Corpus.X, beside, j.WithoutEntries(), j.Share)
}

// everyRankHasRows reports whether every rank is left with a document.
func (j *Job) everyRankHasRows(g *copies.Groups) bool {
	if !j.Share.Divided() {
		return true
	}
	for r := range j.Share.Size() {
		lo, _ := slices.BinarySearch(g.First, j.Share.Bounds[r])
		if lo == len(g.First) || g.First[lo] >= j.Share.Bounds[r+1] {
			return false
		}
	}
	return true
}

// needDistinct refuses the rows of n distinct documents, and their counts, if there is no memory
// for them.
func (j *Job) needDistinct(ctx context.Context, n int) error {
	all, cols := j.X.Dims()
	bytes := memory.Bytes(2*8, n, cols)
	if s, ok := j.X.(sparse.Rows); ok {
		bytes = memory.Whole(2 * 12 * float64(s.Pattern().NNZ()) * float64(n) / float64(max(1, all)))
	}
	return memory.Need(memory.Bound(ctx, j.MaxBytes), bytes, "give ‹duplicates› keep", "%s without their copies", words.Counted(n, "document"))
}

// noteCopies notes how many copies there are, and the largest groups.
func (j *Job) noteCopies(g *copies.Groups) {
	sizes := g.Sizes()
	var list []string
	for _, k := range g.Largest(shownGroups) {
		list = append(list, fmt.Sprintf("%s (%s)", words.Name(j.Corpus.ID(g.First[k])), words.Thousands(sizes[k])))
	}
	one, many := "equals an earlier one and counts once with it", "equal an earlier one and count once with it"
	switch {
	case j.Duplicates == request.DuplicatesDrop:
		one, many = "equals an earlier one and is left out", "equal an earlier one and are left out"
	case j.CountsOften(): // of many documents
		many = "equal an earlier one: equal rows are one node of the graph, and count as often as they occur when clusters are found"
	}
	j.Note(fmt.Sprintf("%s; ‹duplicates› keep takes each of them. The most frequent: %s",
		words.Plural(g.Copies(), "document "+one, "documents "+many), words.Few(list, shownGroups)))
}

// whyKept is the reason why copies count one by one, "" if there is none.
func (j *Job) whyKept(g *copies.Groups, wanted int, given *copyLabels) string {
	switch {
	case len(g.First) == 1:
		return "all documents are equal"
	case len(g.First) < wanted:
		return fmt.Sprintf("only %s differ", words.Counted(len(g.First), "document"))
	case given != nil && given.classes < len(j.Prior.Names):
		return "the known labels of a class are of documents that equal others of another class"
	case !j.everyRankHasRows(g):
		return "a rank would be left without a document"
	case j.Corpus.Len() <= fewDocuments && j.WithMethod() && j.Spec.Needs.Affinity && j.shareNothing(g.First):
		return "no two different ones have a term in common that counts"
	}
	return ""
}

// shareNothing reports whether no two of the rows list of the job have an entry in a column, so
// that a graph of them has no edges. The rows are sparse and all here.
func (j *Job) shareNothing(list []int) bool {
	x, ok := j.X.(*sparse.CSR)
	if !ok || j.Share.Divided() {
		return false
	}
	taken := make(map[int32]bool)
	for _, i := range list {
		cols, vals := x.Row(i)
		for at, c := range cols {
			if vals[at] == 0 {
				continue
			}
			if taken[c] {
				return false
			}
			taken[c] = true
		}
	}
	return true
}

// linkCopies makes links of copies links of the first documents, and leaves links between copies of
// one text out. Links that contradict each other whatever is equal are refused first.
func (j *Job) linkCopies(g *copies.Groups) error {
	k := &j.Prior
	if k.pairs == nil {
		return nil
	}
	if _, err := j.resolveLinks(false); err != nil {
		return err
	}
	first := make([]int, k.size) // of the documents of the whole file
	for i := range first {
		first[i] = i
	}
	row := func(i int) int {
		if k.rows == nil {
			return i
		}
		return k.rows[i]
	}
	for i, of := range g.Of {
		first[row(i)] = row(g.First[of])
	}
	var apart []string
	list := make([]corpus.Constraint, 0, len(k.pairs))
	for _, p := range k.pairs {
		a, b := p.A, p.B
		if inRange := a >= 0 && a < k.size && b >= 0 && b < k.size; inRange && a != b {
			p.A, p.B = first[a], first[b]
			if p.A == p.B {
				if p.Cannot {
					apart = append(apart, fmt.Sprintf("%s and %s (line %d)", words.Name(k.id(a)), words.Name(k.id(b)), p.Line))
				}
				continue
			}
		}
		list = append(list, p)
	}
	if len(apart) > 0 {
		j.Warn("Cannot-links between equal documents, which are always in one cluster, have no effect: " + words.Few(apart, shownGroups))
	}
	if len(list) == 0 && len(k.pairs) > 0 {
		return invalid.Errorf("%s: all links are between equal documents, which are in one cluster anyway: give others, or ‹duplicates› keep", j.Constraints)
	}
	k.pairs = list
	return nil
}

// reduce leaves the first document of each group in the job. here are the rows of this rank among
// them.
func (j *Job) reduce(g *copies.Groups, here []int) {
	all, rows := j.Corpus, j.X
	j.Corpus = all.Distinct(g.First, here)
	if sharedEntries(all.X, rows) {
		j.X = weightsOf(j.Corpus.X, rows, func(i int) int { return here[i] })
		j.Whole.slim(j, LeastFreed)
	} else {
		j.X = sparse.SelectRows(rows, here)
	}
	k := &j.Prior
	if k.Labels != nil {
		k.Labels = labels.Pick(k.Labels, g.First)
		k.Count, k.Labels, k.Names = compact(k.Labels, k.Names)
	}
	if k.rows != nil {
		k.rows = labels.Pick(k.rows, g.First)
	} else {
		k.rows = g.First
	}
	if !j.Share.Divided() {
		return
	}
	j.Share = ranks.NewShare(j.Share, len(here))
	j.Entries, j.Empty = 0, nil
	if x, ok := j.Corpus.X.(*sparse.CSR); ok {
		j.Entries = ranks.Count(j.Share, x.NNZ())
		j.Empty = j.AllNumbers(x.EmptyRows())
	}
}

// sharedEntries reports whether x are the entries of counts with other values, or other weights in
// single precision.
func sharedEntries(counts, x mat.Matrix) bool {
	if w, ok := x.(*sparse.Single); ok {
		c, narrow := counts.(*sparse.Single)
		return narrow && w.SharesEntries(c)
	}
	c, sparseCounts := counts.(*sparse.CSR)
	w, sparseRows := x.(*sparse.CSR)
	return sparseCounts && sparseRows && len(c.Col) > 0 && len(c.Col) == len(w.Col) && &c.Col[0] == &w.Col[0] && len(c.RowPtr) == len(w.RowPtr) && &c.RowPtr[0] == &w.RowPtr[0]
}

// weightsOf returns rows of x with the entries of counts, which are the same rows of the counts
// that x are the weights of: row i is row at(i) of x. 8 bytes per entry, in single precision 8 per
// row.
func weightsOf(counts, x mat.Matrix, at func(i int) int) mat.Matrix {
	if w, ok := x.(*sparse.Single); ok {
		return counts.(*sparse.Single).WeightedAs(w, at)
	}
	c := counts.(*sparse.CSR)
	out := &sparse.CSR{NumRows: c.NumRows, NumCols: c.NumCols, RowPtr: c.RowPtr, Col: c.Col, Val: make([]float64, len(c.Col))}
	for i := range out.NumRows {
		_, vals := x.(*sparse.CSR).Row(at(i))
		copy(out.Val[out.RowPtr[i]:], vals)
	}
	return out
}

// entryBytes is the memory of an entry of counts and of its weight.
func entryBytes(x mat.Matrix) int64 {
	if s, ok := x.(*sparse.Single); ok {
		return s.EntryBytes()
	}
	return 20
}

// LeastFreed is the size of rows, in bytes, that are worth making again or computing when they are
// read: those of smaller corpora cost more time than their memory is worth. It is a variable for
// tests.
var LeastFreed int64 = 8 << 20

// slim lets go of the rows of all documents: those of the distinct ones, which the job has, hold
// all that is in them, since copies have the counts, and so the weights, of the documents that they
// equal. Rows of fewer than least bytes stay, and so do rows in memory, since their owner has them.
func (w *whole) slim(j *Job, least int64) {
	freed := memory.Bytes(entryBytes(w.X), w.X.(sparse.Rows).Pattern().NNZ())
	if freed < least || j.InMemory || w.Share.Divided() || j.Duplicates != request.DuplicatesOnce {
		return
	}
	n, cols := w.X.Dims()
	all := *w.Corpus
	all.X = method.Shape(n, cols)
	w.Corpus, w.X, w.lean, w.Freed = &all, all.X, true, freed
}

// Restore gives j.Whole, if there is one, the rows of all documents again, while the job has those
// of the distinct ones. 20 bytes per entry, in single precision 8.
func (j *Job) Restore() {
	w := j.Whole
	if w == nil || !w.lean {
		return
	}
	j.GiveBack()
	of := indices.Ints(w.Groups.Of)
	counts := sparse.SelectRows(j.Corpus.X, of)
	if sparse.IsSingle(j.X) { // the counts are the same entries
		w.Distinct = j.X
	}
	w.Corpus.X, w.X, w.lean = counts, weightsOf(counts, j.X, func(i int) int { return of[i] }), false
}

// Weighed are the documents by which terms were weighed: with the copies that are left out.
func (j *Job) Weighed() *corpus.Corpus {
	if j.part == nil && j.Whole != nil {
		j.Restore()
		return j.Whole.Corpus
	}
	return j.RowsHere()
}
