package result

import (
	"fmt"
	"strings"

	"github.com/eigenmap/eigenmap/internal/copies"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/request"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// spread carries what was found of the distinct documents over to their copies, and makes the job
// one of all documents again. Copies that are left out stay out.
func (r *Run) spread() {
	j, w := r.J, r.J.Whole
	if w == nil {
		return
	}
	if j.Duplicates == request.DuplicatesDrop {
		r.Corpus = j.Corpus
		return
	}
	j.Restore()
	g, distinct := w.Groups, j.Share
	j.ForgetTimes()
	defer memory.Dropped(w.Freed) // as many are those of the distinct documents
	w.Prior.Groups = j.Prior.Groups
	j.Share, j.Corpus, j.X, j.Prior, j.Entries, j.Empty = w.Share, w.Corpus, w.X, w.Prior, w.Entries, w.Empty
	r.Labels, r.Distance, r.Confidence = copies.Each(g, r.Labels), copies.Each(g, r.Distance), copies.Each(g, r.Confidence)
	r.Second, r.Isolated = copies.Each(g, r.Second), g.Members(r.Isolated)
	r.Embedding = g.Rows(r.Embedding, distinct, j.Share)
	r.Posterior = g.Rows(r.Posterior, nil, nil) // of all documents by now
	if c := r.Found; c != nil {
		all := *c
		all.Labels, all.Posterior, all.Sizes = r.Labels, r.Posterior, method.SizesOf(r.Labels, len(c.Sizes))
		r.Found, r.Sizes = &all, all.Sizes
	}
	if r.Fitted == nil {
		return
	}
	all := *r.Fitted
	if all.Clusters != nil {
		all.Clusters = r.Found
	}
	all.Embedding, all.Soft = r.Embedding, g.Rows(all.Soft, distinct, j.Share)
	all.Isolated = g.Members(all.Isolated)
	if all.Landmarks != nil {
		all.Landmarks = labels.Pick(g.First, all.Landmarks)
	}
	r.Fitted = &all
}

// distinctRows are the weighted rows of the distinct documents, of those that this rank has.
func (r *Run) distinctRows() mat.Matrix {
	switch {
	case !r.HasCopies():
		return r.J.X
	case r.J.Whole.Distinct != nil:
		return r.J.Whole.Distinct
	}
	return sparse.SelectRows(r.J.X, r.distinctHere())
}

// A text is repeated if leastRepeated documents or more have it. It is noted where these are more
// than repeatedShare of the documents of its cluster, and shownRepeated such texts are named.
const (
	leastRepeated = 20
	repeatedShare = 0.25
	shownRepeated = 3
)

// noteRepeated notes texts of many documents, such as form letters, that lie in a cluster with
// others: as one document each they may have no cluster of their own, and yet make up much of one.
func (r *Run) noteRepeated() {
	if !r.HasCopies() || r.Labels == nil || r.J.CountsOften() {
		return
	}
	g := r.J.Whole.Groups
	sizes, all := g.Sizes(), g.Largest(g.Len())
	var list []string
	for _, k := range all {
		c := r.Labels[g.First[k]]
		if sizes[k] < leastRepeated {
			break
		}
		if c >= 0 && sizes[k] < r.Sizes[c] && float64(sizes[k]) > repeatedShare*float64(r.Sizes[c]) {
			list = append(list, fmt.Sprintf("%s is the text of %s of the %s of cluster %d", words.Name(r.Corpus.ID(g.First[k])), words.Thousands(sizes[k]), words.Counted(r.Sizes[c], "document"), c))
		}
	}
	if len(list) == 0 {
		return
	}
	some := strings.Join(list[:min(shownRepeated, len(list))], ", ")
	if more := len(list) - shownRepeated; more > 0 {
		some += fmt.Sprintf(", and %d more", more)
	}
	r.J.Note("Repeated texts count once, so that clusters may join them to others: " + some + "; ‹duplicates› drop leaves the copies out")
}

// CopyOf is the document that document i of the result is a copy of, by its name; "" for none.
func (r *Run) CopyOf(i int) string {
	w := r.J.Whole
	if !r.HasCopies() || !w.Groups.IsCopy(i) {
		return ""
	}
	return r.Corpus.ID(w.Groups.First[w.Groups.Of[i]])
}

// HasCopies reports whether the result has documents that count once with others.
func (r *Run) HasCopies() bool { return r.J.Whole != nil && r.J.Duplicates == request.DuplicatesOnce }

// weighedLabels are the clusters of the documents of [job.Job.Weighed], of the clusters of the
// documents of the result; copies that are left out are in the cluster of the document that they
// equal.
func (r *Run) weighedLabels(of []int) []int {
	w := r.J.Whole
	if w == nil || r.J.Duplicates == request.DuplicatesOnce {
		return ranks.Own(r.J.Share, of)
	}
	all := copies.Each(w.Groups, of)
	return ranks.Own(w.Share, all)
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
	w := r.J.Whole
	if w == nil {
		return nil
	}
	sizes, all := w.Groups.Sizes(), w.Groups.Largest(w.Groups.Len())
	v := &DuplicatesJSON{Copies: w.Groups.Copies(), Groups: len(all), Largest: []DuplicateGroup{}}
	for _, k := range all[:min(20, len(all))] {
		v.Largest = append(v.Largest, DuplicateGroup{w.Corpus.ID(w.Groups.First[k]), sizes[k]})
	}
	return v
}

// Affinity is the graph of neighbours by which the method joined the documents, copies with the
// edges of their originals; nil if the method has no such graph, has it of landmarks alone, or
// never writes it down.
func (r *Run) Affinity() (*sparse.CSR, error) {
	if r.Fitted == nil || r.Fitted.Landmarks != nil {
		return nil, nil
	}
	g := r.Fitted.Graph
	if g == nil || g.W == nil || g.Share.Divided() {
		return nil, nil
	}
	if !r.HasCopies() {
		return g.W, nil
	}
	g, err := graph.Together(r.J.Whole.Groups.Len(), g, r.J.Whole.Groups.Sets())
	if err != nil {
		return nil, err
	}
	return g.W, nil
}
