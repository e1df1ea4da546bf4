package eigenmap

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/copies"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Documents whose weighted rows are equal count once: between weighing and the fit a job is reduced
// to the first document of each group of equal ones (takeDistinct), and what was found of these is
// carried over to their copies afterwards (spread). No method knows of it.

// The values of Options.Duplicates.
const (
	duplicatesOnce = "once"
	duplicatesKeep = "keep"
	duplicatesDrop = "drop"
)

// shownGroups is how many groups of equal documents a note names.
const shownGroups = 3

// whole is what a job had of all documents before it was reduced to the distinct ones.
type whole struct {
	groups  *copies.Groups
	share   *ranks.Share
	corpus  *corpus.Corpus
	x       mat.Matrix
	known   known
	entries int
	empty   []int
}

// takeDistinct reduces the job to the distinct documents, if equal ones are to count once. wanted
// is the least number of documents that the run needs. All ranks call it.
func (j *job) takeDistinct(ctx context.Context, wanted int) error {
	if j.x == nil || j.settleDuplicates() == duplicatesKeep {
		return nil
	}
	if j.inMemory && j.Duplicates == duplicatesDrop {
		return invalid.Errorf("‹duplicates› drop would leave rows of a matrix in memory without a result: give once or keep")
	}
	defer j.stage("duplicates")()
	groups, err := j.equalDocuments(ctx)
	if err != nil || groups == nil {
		return err
	}
	if len(groups.First) < wanted || !j.everyRankHasRows(groups) {
		j.note(fmt.Sprintf("Of equal documents %s, and only %s differ, so each copy counts as a document of its own, as by ‹duplicates› keep",
			words.Plural(groups.Copies(), "is a copy", "are copies"), words.Counted(len(groups.First), "document")))
		return nil
	}
	here := groups.Here(j.share)
	if err := ranks.Agree(j.share, j.needDistinct(ctx, len(here))); err != nil {
		return err
	}
	j.noteCopies(groups)
	j.whole = &whole{groups, j.share, j.corpus, j.x, j.known, j.entries, j.empty}
	if err := j.labelCopies(groups); err != nil {
		return err
	}
	if err := j.linkCopies(groups); err != nil {
		return err
	}
	j.reduce(groups, here)
	return nil
}

// settleDuplicates is what becomes of copies; the form of a method's paper takes all documents, and
// a given graph says itself how they are joined.
func (j *job) settleDuplicates() string {
	switch {
	case j.graph != nil: // it has a node for each document
		return duplicatesKeep
	case j.Duplicates == "" && j.Paper:
		j.Duplicates = duplicatesKeep
	case j.Duplicates == "":
		j.Duplicates = duplicatesOnce
	}
	return j.Duplicates
}

// countsOnce reports whether copies, and groups of near-copies in a neighbour graph, count once.
func (j *job) countsOnce() bool {
	return j.x != nil && j.withMethod() && j.settleDuplicates() != duplicatesKeep
}

// equalDocuments groups the equal documents of all ranks; nil if there are none. Documents without
// terms are not taken for copies.
func (j *job) equalDocuments(ctx context.Context) (*copies.Groups, error) {
	n := j.corpus.Len()
	need := memory.Need(memory.Bound(ctx, j.MaxBytes), copies.Bytes(n), "give ‹duplicates› keep", "the search for equal ones of %s", words.Counted(n, "document"))
	if err := ranks.Agree(j.share, need); err != nil {
		return nil, err
	}
	return copies.Find(ctx, j.x, method.WithoutEntries(j.x), j.share)
}

// everyRankHasRows reports whether every rank is left with a document.
func (j *job) everyRankHasRows(g *copies.Groups) bool {
	if !j.share.Divided() {
		return true
	}
	for r := range j.share.Size() {
		lo, _ := slices.BinarySearch(g.First, j.share.Bounds[r])
		if lo == len(g.First) || g.First[lo] >= j.share.Bounds[r+1] {
			return false
		}
	}
	return true
}

// needDistinct refuses the rows of n distinct documents, and their counts, if there is no memory
// for them.
func (j *job) needDistinct(ctx context.Context, n int) error {
	all, cols := j.x.Dims()
	bytes := memory.Bytes(2*8, n, cols)
	if s, ok := j.x.(sparse.Rows); ok {
		bytes = memory.Whole(2 * 12 * float64(s.Pattern().NNZ()) * float64(n) / float64(max(1, all)))
	}
	return memory.Need(memory.Bound(ctx, j.MaxBytes), bytes, "give ‹duplicates› keep", "%s without their copies", words.Counted(n, "document"))
}

// noteCopies tells of the copies and of the largest groups.
func (j *job) noteCopies(g *copies.Groups) {
	sizes := g.Sizes()
	var list []string
	for _, k := range g.Largest(shownGroups) {
		list = append(list, fmt.Sprintf("%s (%s)", clip(j.corpus.ID(g.First[k])), words.Thousands(sizes[k])))
	}
	what := "count once with it"
	if j.Duplicates == duplicatesDrop {
		what = "are left out"
	}
	j.note(fmt.Sprintf("%s an earlier one and %s; ‹duplicates› keep takes each of them. The most frequent: %s",
		words.Plural(g.Copies(), "document equals", "documents equal"), what, words.Few(list, shownGroups)))
}

// labelCopies gives all copies of a document with a known label that label. Of labels that
// contradict each other the most frequent counts, of equally many the first document's.
func (j *job) labelCopies(g *copies.Groups) error {
	k := &j.known
	if k.labels == nil {
		return nil
	}
	votes := map[int32][]int{} // of the groups with copies, in the order of documents
	sizes := g.Sizes()
	for i, class := range k.labels {
		if of := g.Of[i]; class >= 0 && sizes[of] > 1 {
			votes[of] = append(votes[of], class)
		}
	}
	given := slices.Clone(k.labels)
	var wrong []string
	contradictions := 0
	for i := range given {
		list := votes[g.Of[i]]
		if len(list) == 0 {
			continue
		}
		given[i] = mostFrequent(list)
		if g.First[g.Of[i]] == i && slices.ContainsFunc(list, func(class int) bool { return class != list[0] }) {
			if contradictions++; len(wrong) < shownGroups {
				wrong = append(wrong, clip(j.corpus.ID(i)))
			}
		}
	}
	if contradictions > 0 {
		j.warn(fmt.Sprintf("Known labels contradict each other on equal documents: %s of one text have labels of several classes (%s); the class of most of them counts, of equally many that of the first document",
			words.Plural(contradictions, "group of documents", "groups of documents"), words.Few(wrong, shownGroups)))
	}
	before := k.count
	k.count, k.labels, k.names = compact(given, k.names)
	if more := k.count - before; more > 0 {
		j.note(fmt.Sprintf("%s as copies of documents with a known label", words.Plural(more, "document has its label", "documents have their labels")))
	}
	if len(k.names) < 2 {
		return j.oneClass()
	}
	j.whole.known = *k
	return nil
}

// mostFrequent is the number that occurs most often in the list, of equally frequent ones the
// first.
func mostFrequent(list []int) int {
	count := map[int]int{}
	for _, v := range list {
		count[v]++
	}
	best := list[0]
	for _, v := range list {
		if count[v] > count[best] {
			best = v
		}
	}
	return best
}

// linkCopies makes links of copies links of the first documents, and leaves links between copies of
// one text out. Links that contradict each other whatever is equal are refused first.
func (j *job) linkCopies(g *copies.Groups) error {
	k := &j.known
	if k.pairs == nil {
		return nil
	}
	if _, err := j.resolveLinks(); err != nil {
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
					apart = append(apart, fmt.Sprintf("%s and %s (line %d)", clip(k.id(a)), clip(k.id(b)), p.Line))
				}
				continue
			}
		}
		list = append(list, p)
	}
	if len(apart) > 0 {
		j.warn("Cannot-links between equal documents, which are always in one cluster, have no effect: " + words.Few(apart, shownGroups))
	}
	k.pairs = list
	return nil
}

// reduce makes the job one of the first documents of all groups. here are those of this rank.
func (j *job) reduce(g *copies.Groups, here []int) {
	all := j.corpus
	j.corpus = all.Distinct(g.First, here)
	j.x = corpus.SelectedRows(j.x, here)
	k := &j.known
	if k.labels != nil {
		k.labels = pick(k.labels, g.First)
		k.count, k.labels, k.names = compact(k.labels, k.names)
	}
	if k.rows != nil {
		k.rows = pick(k.rows, g.First)
	} else {
		k.rows = g.First
	}
	if !j.share.Divided() {
		return
	}
	j.share = ranks.NewShare(j.share, len(here))
	j.entries, j.empty = 0, nil
	if x, ok := j.corpus.X.(*sparse.CSR); ok {
		j.entries = ranks.Count(j.share, x.NNZ())
		j.empty = j.allNumbers(x.EmptyRows())
	}
}

// spread carries what was found of the distinct documents over to their copies, and makes the job
// one of all documents again. Copies that are left out stay out.
func (r *Run) spread() {
	j, w := r.j, r.j.whole
	if w == nil {
		return
	}
	if j.Duplicates == duplicatesDrop {
		r.Corpus = j.corpus
		return
	}
	g, distinct := w.groups, j.share
	w.known.groups = j.known.groups
	j.share, j.corpus, j.x, j.known, j.entries, j.empty = w.share, w.corpus, w.x, w.known, w.entries, w.empty
	r.Labels, r.Distance, r.Confidence = copies.Each(g, r.Labels), copies.Each(g, r.Distance), copies.Each(g, r.Confidence)
	r.isolated = g.Members(r.isolated)
	r.Embedding = g.Rows(r.Embedding, distinct, j.share)
	r.Posterior = g.Rows(r.Posterior, nil, nil) // of all documents by now
	if c := r.clusters; c != nil {
		all := *c
		all.Labels, all.Posterior, all.Sizes = r.Labels, r.Posterior, method.SizesOf(r.Labels, len(c.Sizes))
		r.clusters, r.Sizes = &all, all.Sizes
	}
	if r.Fitted == nil {
		return
	}
	all := *r.Fitted
	if all.Clusters != nil {
		all.Clusters = r.clusters
	}
	all.Embedding, all.Soft = r.Embedding, g.Rows(all.Soft, distinct, j.share)
	all.Isolated = g.Members(all.Isolated)
	if all.Landmarks != nil {
		all.Landmarks = pick(g.First, all.Landmarks)
	}
	r.Fitted = &all
}

// spread makes the graph of the distinct documents one of all, in which a document and its copies
// count as one node. err is the error of the work so far.
func (r *GraphRun) spread(err error) error {
	j, w := r.j, r.j.whole
	if err = j.ofDistinct(err); err != nil || w == nil {
		return err
	}
	j.corpus, j.x = w.corpus, w.x
	if r.Graph == nil { // a block of it was found
		return nil
	}
	r.Graph, err = graph.Together(w.groups.Len(), r.Graph, w.groups.Sets())
	return err
}

// ofDistinct is an error of a fit of distinct documents.
func (j *job) ofDistinct(err error) error {
	if err == nil || j.whole == nil {
		return err
	}
	var place *invalid.PlaceError
	if err = j.inDocuments(err); errors.As(err, &place) || !errors.Is(err, fs.ErrInvalid) || errors.Is(err, memory.ErrLimit) {
		return err
	}
	return fmt.Errorf("%w (equal documents count once, and %s differ: ‹duplicates› keep takes each of them)", err, words.Counted(j.corpus.Len(), "document"))
}

// distinctRows are the weighted rows of the distinct documents, and their clusters of all.
func (r *Run) distinctRows(clusters []int) (mat.Matrix, []int) {
	if !r.hasCopies() {
		return r.j.x, clusters
	}
	first := r.j.whole.groups.First
	return corpus.SelectedRows(r.j.x, first), pick(clusters, first)
}

// copyOf is the document that document i of the result is a copy of, by its name; "" for none.
func (r *Run) copyOf(i int) string {
	w := r.j.whole
	if !r.hasCopies() || !w.groups.IsCopy(i) {
		return ""
	}
	return r.Corpus.ID(w.groups.First[w.groups.Of[i]])
}

// hasCopies reports whether the result has documents that count once with others.
func (r *Run) hasCopies() bool { return r.j.whole != nil && r.j.Duplicates == duplicatesOnce }

// weighed are the documents by which terms were weighed: with the copies that are left out.
func (j *job) weighed() *corpus.Corpus {
	if j.part == nil && j.whole != nil {
		return j.whole.corpus
	}
	return j.rowsHere()
}

// weighedLabels are the clusters of the documents of weighed; copies that are left out have none.
func (r *Run) weighedLabels() []int {
	w := r.j.whole
	if w == nil || r.j.Duplicates == duplicatesOnce {
		return ranks.Own(r.j.share, r.Labels)
	}
	all := slices.Repeat([]int{labels.Unknown}, w.groups.Len())
	for k, i := range w.groups.First {
		all[i] = r.Labels[k]
	}
	return ranks.Own(w.share, all)
}

// DuplicatesJSON tells of documents that equal earlier ones.
type DuplicatesJSON struct {
	Copies  int              `json:"copies"`  // documents that equal an earlier one
	Groups  int              `json:"groups"`  // of equal documents
	Largest []DuplicateGroup `json:"largest"` // at most 20, the largest first
}

// DuplicateGroup is a group of equal documents.
type DuplicateGroup struct {
	ID        string `json:"id"` // of the first one
	Documents int    `json:"documents"`
}

// Duplicates tells of documents that count once with others, or were left out; nil if there are
// none.
func (r *Run) Duplicates() *DuplicatesJSON {
	w := r.j.whole
	if w == nil {
		return nil
	}
	sizes, all := w.groups.Sizes(), w.groups.Largest(w.groups.Len())
	v := &DuplicatesJSON{Copies: w.groups.Copies(), Groups: len(all), Largest: []DuplicateGroup{}}
	for _, k := range all[:min(20, len(all))] {
		v.Largest = append(v.Largest, DuplicateGroup{w.corpus.ID(w.groups.First[k]), sizes[k]})
	}
	return v
}
