package method

import (
	"context"
	"slices"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"gonum.org/v1/gonum/mat"
)

// Fit runs the method under options o, which s.New made. It checks the options and the input,
// brings the rows into the storage that methods work on, and calls o.Fit, so that a method's own
// Fit finds what Needs promises. The input is not changed.
//
// It returns the errors of Options.Fit. Wrong options and a wrong input are fs.ErrInvalid; work
// that did not reach its tolerance is *NotConvergedError, whatever solver it was, beside what was
// found.
func (s Spec) Fit(ctx context.Context, o Options, in *Input) (*Fitted, error) {
	if err := ctx.Err(); err != nil && !in.Share.Divided() {
		return nil, err
	}
	if err := o.Validate(); err != nil {
		return nil, err
	}
	own := *in
	err := own.store(s.Single)
	if err == nil {
		err = own.check(s)
	}
	if err == nil { // ranks look at their contexts together
		err = ctx.Err()
	}
	if err = ranks.Agree(in.Share, rows.Raised(err, func(i int) int { return in.Share.First() + i })); err != nil {
		return nil, err
	}
	out, err := o.Fit(ctx, &own)
	return out, notConverged(err)
}

// WithMemory bounds the memory of the arrays of every stage of the work under the context that it
// returns, in bytes: work that would take more is refused before it begins, with an error that says
// what it needs. A bound of ctx that is smaller stays. 0 or less leaves ctx as it is: then the
// free memory of the machine, its control groups and ulimit -v bound the work alone.
func WithMemory(ctx context.Context, bytes int64) context.Context { return memory.Bound(ctx, bytes) }

// Rows is x in the storage that methods work on: *sparse.CSR of a matrix that is sparse (CSR, or
// with DoNonZero), else *mat.Dense; both are kept as they are.
//
// Errors (fs.ErrInvalid): no matrix, one without rows or columns, and an entry that is not finite
// (*sparse.NotFiniteError).
func Rows(x mat.Matrix) (mat.Matrix, error) { return rows.Checked(x) }

// KeptRows is [Rows] that leaves rows in single precision as they are.
func KeptRows(x mat.Matrix) (mat.Matrix, error) { return rows.Kept(x) }

// WithoutEntries lists the rows of x that say nothing of their documents, ascending: sparse rows
// without entries, and dense rows of zeros, of more than three columns. They have no neighbours,
// and their clusters are arbitrary.
func WithoutEntries(x mat.Matrix) []int { return rows.WithoutEntries(x) }

// store brings rows and counts into the storage that methods work on; single leaves those in single
// precision as they are.
func (in *Input) store(single bool) (err error) {
	if in.X == nil && in.Graph != nil || in.Checked {
		return nil
	}
	checked := rows.Checked
	if single {
		checked = rows.Kept
	}
	if in.X, err = checked(in.X); err == nil && in.Counts != nil {
		in.Counts, err = checked(in.Counts)
	}
	return err
}

// check refuses an input whose parts do not fit each other or the method's needs.
func (in *Input) check(s Spec) error {
	all := in.Len()
	n := in.here()
	if all == 0 {
		return invalid.Errorf("there are no documents")
	}
	if in.Clusters < 0 || in.Clusters > all {
		return invalid.Errorf("%s give from 1 to %d clusters, not %d: give another ‹clusters›", words.Counted(all, "document"), all, in.Clusters)
	}
	if g := in.Graph; g != nil && !s.Needs.Affinity {
		return invalid.Errorf("the method %s works on documents, not on an affinity matrix", s.Name)
	} else if g != nil && g.W.NumRows != n {
		return invalid.Errorf("the affinity matrix is of %s, and there are %s", words.Counted(g.W.NumRows, "document"), words.Thousands(n))
	}
	if in.X != nil && !in.Share.Divided() { // a rank's own rows do not show the largest entry of all
		if err := CheckScale(in.X); err != nil {
			return err
		}
	}
	if in.Counts != nil {
		if r, _ := in.Counts.Dims(); r != n {
			return invalid.Errorf("there are term counts of %s, and %s", words.Counted(r, "document"), words.Counted(n, "document"))
		}
	}
	if l := in.Links; l != nil && len(l.Group) != n {
		return invalid.Errorf("there are links of %s, and %s", words.Counted(len(l.Group), "document"), words.Counted(n, "document"))
	}
	if err := in.Given.check(n, in.Share); err != nil {
		return err
	}
	return in.needs(s)
}

// needs refuses an input without what the method requires.
func (in *Input) needs(s Spec) error {
	labels, links := s.Needs.Labels == Required, s.Needs.Links == Required
	switch {
	case labels && links && in.Given == nil && in.Links == nil:
		return invalid.Errorf("the method %s needs labels or links of a part of the documents", s.Name)
	case labels && !links && in.Given == nil:
		return invalid.Errorf("the method %s needs labels of a part of the documents", s.Name)
	case links && !labels && in.Links == nil:
		return invalid.Errorf("the method %s needs must-links or cannot-links", s.Name)
	}
	return nil
}

// check refuses labels that are not one per document, each of a class that has a name, and classes
// without a document. No labels at all are right.
func (g *Given) check(n int, share *ranks.Share) error {
	if g == nil {
		return nil
	}
	if len(g.Labels) != n {
		return invalid.Errorf("there are labels of %s, and %s", words.Counted(len(g.Labels), "document"), words.Counted(n, "document"))
	}
	if len(g.Names) == 0 {
		return invalid.Errorf("the known labels name no class")
	}
	if i := slices.IndexFunc(g.Labels, func(k int) bool { return k >= len(g.Names) }); i >= 0 {
		return invalid.Errorf("document %s has a label of class %d of %d", words.Thousands(i+1), g.Labels[i]+1, len(g.Names))
	}
	for k, size := range g.Sizes() {
		if size == 0 && !share.Divided() { // of a share another rank may have one
			return invalid.Errorf("no document is given the class %q: leave the class out or label a document", g.Names[k])
		}
	}
	return nil
}
