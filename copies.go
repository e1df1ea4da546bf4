package eigenmap

import (
	"context"
	"fmt"
	"slices"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/copies"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Documents that have the same terms, each as often, count once: between weighing and the fit a job
// is reduced to the first document of each group of equal ones (takeDistinct), and what was found
// of these is carried over to their copies afterwards (spread). No method knows of it.

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
	given := j.labelCopies(groups)
	if why := j.whyKept(groups, wanted, given); why != "" {
		if j.was("duplicates") {
			return invalid.Errorf("‹duplicates› %s: %s, and the run needs more: give ‹duplicates› keep", j.Duplicates, why)
		}
		j.note(fmt.Sprintf("%s, and %s, so that each counts as a document of its own, as by ‹duplicates› keep",
			words.Plural(groups.Copies(), "document equals an earlier one", "documents equal an earlier one"), why))
		j.Duplicates = duplicatesKeep
		return nil
	}
	here := groups.Here(j.share)
	if err := ranks.Agree(j.share, j.needDistinct(ctx, len(here))); err != nil {
		return err
	}
	j.noteCopies(groups)
	j.whole = &whole{groups, j.share, j.corpus, j.x, j.known, j.entries, j.empty}
	if given != nil {
		j.noteLabels(given)
		j.known.labels = given.labels
	}
	if err := j.linkCopies(groups); err != nil {
		return err
	}
	j.reduce(groups, here)
	return nil
}

// settleDuplicates is what becomes of copies: by default equal texts and equal rows of counts count
// once. Equal measurements are observations each; the form of a method's paper takes all
// documents, and a given graph says itself how they are joined.
func (j *job) settleDuplicates() string {
	switch {
	case j.graph != nil: // it has a node for each document
		return duplicatesKeep
	case j.Duplicates == "" && (j.Paper || !j.counts):
		j.Duplicates = duplicatesKeep
	case j.Duplicates == "":
		j.Duplicates = duplicatesOnce
	}
	return j.Duplicates
}

// countsOnce reports whether groups of near-copies in a neighbour graph count once: of documents
// that are compared by their terms.
func (j *job) countsOnce() bool {
	return j.x != nil && j.vectors == nil && j.withMethod() && j.settleDuplicates() != duplicatesKeep
}

// equalDocuments groups the equal documents of all ranks; nil if there are none. Documents without
// terms are not taken for copies.
func (j *job) equalDocuments(ctx context.Context) (*copies.Groups, error) {
	n := j.corpus.Len()
	need := memory.Need(memory.Bound(ctx, j.MaxBytes), copies.Bytes(n), "give ‹duplicates› keep", "the search for equal ones of %s", words.Counted(n, "document"))
	if err := ranks.Agree(j.share, need); err != nil {
		return nil, err
	}
	var beside mat.Matrix
	if j.vectors != nil {
		beside = j.x
	}
	return copies.Find(ctx, j.corpus.X, beside, method.WithoutEntries(j.x), j.share)
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

// noteCopies notes how many copies there are, and the largest groups.
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

// whyKept is the reason why copies count one by one, "" if there is none.
func (j *job) whyKept(g *copies.Groups, wanted int, given *copyLabels) string {
	switch {
	case len(g.First) == 1:
		return "all documents are equal"
	case len(g.First) < wanted:
		return fmt.Sprintf("only %s differ", words.Counted(len(g.First), "document"))
	case given != nil && given.classes < len(j.known.names):
		return "the known labels of a class are of documents that equal others of another class"
	case !j.everyRankHasRows(g):
		return "a rank would be left without a document"
	}
	return ""
}

// copyLabels are known labels in which all copies of a document with one have it.
type copyLabels struct {
	labels         []int
	count, classes int
	// contradictory are the first documents of groups whose labels contradict each other.
	contradictory []int
}

// labelCopies gives all copies of a document with a known label that label; nil without known
// labels. Of labels that contradict each other the most frequent counts, of equally many the first
// document's.
func (j *job) labelCopies(g *copies.Groups) *copyLabels {
	known := j.known.labels
	if known == nil {
		return nil
	}
	votes := map[int32][]int{} // of the groups with copies, in the order of documents
	sizes := g.Sizes()
	for i, class := range known {
		if of := g.Of[i]; class >= 0 && sizes[of] > 1 {
			votes[of] = append(votes[of], class)
		}
	}
	c, left := &copyLabels{labels: slices.Clone(known)}, map[int]bool{}
	for i := range c.labels {
		list := votes[g.Of[i]]
		if len(list) > 0 {
			c.labels[i] = mostFrequent(list)
		}
		if !g.IsCopy(i) && slices.ContainsFunc(list, func(class int) bool { return class != list[0] }) {
			c.contradictory = append(c.contradictory, i)
		}
		if c.labels[i] >= 0 {
			c.count++
			left[c.labels[i]] = true
		}
	}
	c.classes = len(left)
	return c
}

// noteLabels says where known labels contradict each other, and how many copies have a label by
// another document.
func (j *job) noteLabels(c *copyLabels) {
	if n := len(c.contradictory); n > 0 {
		var first []string
		for _, i := range c.contradictory[:min(n, shownGroups)] {
			first = append(first, clip(j.corpus.ID(i)))
		}
		j.warn(fmt.Sprintf("Known labels contradict each other on equal documents: %s have labels of several classes (%s); the class of most of them counts, of equally many that of the first document",
			words.Plural(n, "group of documents", "groups of documents"), words.Few(first, shownGroups)))
	}
	if more := c.count - j.known.count; more > 0 {
		j.note(fmt.Sprintf("%s a document with a known label, and count with it", words.Plural(more, "document without a known label equals", "documents without a known label equal")))
	}
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
	if len(list) == 0 && len(k.pairs) > 0 {
		return invalid.Errorf("%s: all links are between equal documents, which are in one cluster anyway: give others, or ‹duplicates› keep", j.Constraints)
	}
	k.pairs = list
	return nil
}

// reduce leaves the first document of each group in the job. here are the rows of this rank among
// them.
func (j *job) reduce(g *copies.Groups, here []int) {
	all := j.corpus
	j.corpus = all.Distinct(g.First, here)
	j.x = sparse.SelectRows(j.x, here)
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
	r.Second, r.isolated = copies.Each(g, r.Second), g.Members(r.isolated)
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
	if err != nil || w == nil {
		return j.inDocuments(err)
	}
	j.corpus, j.x = w.corpus, w.x
	if r.Graph == nil { // a block of it was found
		return nil
	}
	r.Graph, err = graph.Together(w.groups.Len(), r.Graph, w.groups.Sets())
	return err
}

// distinctRows are the weighted rows of the distinct documents, and their clusters of all.
func (r *Run) distinctRows(clusters []int) (mat.Matrix, []int) {
	if !r.hasCopies() {
		return r.j.x, clusters
	}
	first := r.j.whole.groups.First
	return sparse.SelectRows(r.j.x, first), pick(clusters, first)
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

// weighedLabels are the clusters of the documents of weighed, of the clusters of the documents of
// the result; copies that are left out are in the cluster of the document that they equal.
func (r *Run) weighedLabels(of []int) []int {
	w := r.j.whole
	if w == nil || r.j.Duplicates == duplicatesOnce {
		return ranks.Own(r.j.share, of)
	}
	all := copies.Each(w.groups, of)
	return ranks.Own(w.share, all)
}

// DuplicatesJSON counts the documents that equal earlier ones.
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

// Duplicates counts the documents that count once with an earlier one, or were left out; nil if
// there are none.
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
