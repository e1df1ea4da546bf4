package request

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/method"
)

// SameOnRanks refuses ranks that were started with another command or other options, before any of
// them reads: they would wait for each other at different places. Of an option that names a file
// only its presence counts, since what it holds is compared once it is read.
func (r *Request) SameOnRanks(ctx context.Context, own ...any) error {
	team := ranks.From(ctx)
	if team.Size() == 1 {
		return nil
	}
	facts := []ranks.Fact{{Name: "the command", Value: r.Command}}
	for _, f := range r.Fields(own...) {
		value := f.String()
		if f.Path && value != "" && !slices.Contains(f.Choices, value) {
			value = "a file"
		}
		facts = append(facts, ranks.Fact{Name: words.Option(f.Name), Value: value})
	}
	return ranks.SameOptions(team, facts)
}

// CheckRanks refuses what the ranks of an MPI run cannot do together.
func (r *Request) CheckRanks(ctx context.Context) error {
	size := ranks.From(ctx).Size()
	switch {
	case size == 1:
		return nil
	case r.Entrants != nil: // the ranks divide no work
		if f := option.Find(option.Of(r.MethodOptions), "solver"); f != nil && f.String() == string(eigen.SLEPc) {
			return invalid.Errorf("‹solver› slepc is for one method, whose eigenproblem %d ranks divide, and %s: give ‹method› with one of %s, or leave ‹solver› out",
				size, byLabels, strings.Join(dividedByLabels(), ", "))
		}
		return nil
	case r.WithMethod() && !r.Spec.Divided:
		var names []string
		for _, s := range Methods() {
			if s.Divided {
				names = append(names, s.Name)
			}
		}
		return invalid.Errorf("the method %s is not divided among ranks, of which there are %d, because %s: start it without mpirun, or choose one of %s",
			r.Spec.Name, size, r.Spec.Whole, strings.Join(names, ", "))
	case r.InSingle():
		return invalid.Errorf("‹precision› single is for one process, and there are %d ranks, which divide the documents: leave it out, or start without mpirun", size)
	}
	return nil
}

// Undivided is why ranks cannot share the work of the run, a sentence without its full stop; "" if
// they can.
func (r *Request) Undivided() string {
	switch {
	case r.Entrants != nil:
		return byLabels
	case r.WithMethod() && !r.Spec.Divided:
		return "the method " + r.Spec.Name + " is not divided, because " + r.Spec.Whole
	case r.InSingle():
		return "‹precision› single is for one process"
	}
	return ""
}

// byLabels is why ranks do not share a run whose method known labels choose.
const byLabels = "known labels choose the method, for which every candidate looks at all documents"

// dividedByLabels are the methods among the candidates whose work ranks share.
func dividedByLabels() (names []string) {
	for _, s := range Methods() {
		if s.Divided && slices.ContainsFunc(candidates, func(c candidate) bool { return c.method == s.Name && c.Learns() }) {
			names = append(names, s.Name)
		}
	}
	return names
}

// EachWhole says that each of the ranks has all documents and does all of the work, because known
// labels choose the method; "" of other runs and of one process.
func (r *Request) EachWhole(ctx context.Context) string {
	size := ranks.From(ctx).Size()
	if r.Entrants == nil || size == 1 {
		return ""
	}
	return fmt.Sprintf("Each of the %d ranks has all documents and does all of the work, as one process does, because %s: give ‹method› with one of %s to divide the work, or start one process",
		size, byLabels, strings.Join(dividedByLabels(), ", "))
}

// Alone says that rank 0 does all of the work of a run of so many ranks, because known labels
// choose the method, as a sentence without its full stop; "" of other runs and of one process.
func (r *Request) Alone(size int) string {
	if r.Entrants == nil || size <= 1 {
		return ""
	}
	return fmt.Sprintf("Rank 0 does all of the work, as one process does, and %s, because %s: give ‹method› with one of %s to divide the work, or start one process",
		words.Plural(size-1, "other rank waits", "other ranks wait"), byLabels, strings.Join(dividedByLabels(), ", "))
}

// In a run of several ranks each rank has the rows of its own documents, their edges and their
// coordinates, where the method can work so ([method.Sharer]). Names, labels and clusters of all
// documents, some 60 bytes each, are on every rank, and their probabilities on rank 0. Else every
// rank has all documents.

// FewDocuments is the number of documents from which on ranks divide the rows. It is a variable for
// tests.
var FewDocuments = 4000

// DividesRows reports whether the ranks are to divide the documents' rows.
func (r *Request) DividesRows(ctx context.Context) bool {
	s, ok := r.MethodOptions.(method.Sharer)
	return ok && r.Entrants == nil && ranks.From(ctx).Size() > 1 && s.Shares() && r.Constraints == ""
}

// ReadsOwnRows reports whether each rank is to read its own documents alone: nothing in the request
// needs the rows of all of them first.
func (r *Request) ReadsOwnRows(ctx context.Context) bool {
	return r.DividesRows(ctx) && !r.Source.Precomputed && r.Graph == "" && !r.WithVectors() && !r.WithColumns() && len(r.Source.Classes) == 0 && r.Source.RandomClasses == 0
}
