package request

import (
	"context"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/internal/invalid"
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
		return "known labels choose the method, for which every candidate looks at all documents"
	case r.WithMethod() && !r.Spec.Divided:
		return "the method " + r.Spec.Name + " is not divided, because " + r.Spec.Whole
	case r.InSingle():
		return "‹precision› single is for one process"
	}
	return ""
}

// In a run of several ranks each rank has the rows of its own documents, their edges and their
// coordinates, where the method can work so ([method.Sharer]). Names, labels and clusters of all
// documents, some 60 bytes each, and their probabilities are on every rank. Else every rank has all
// documents.

// FewDocuments is the number of documents from which on ranks divide the rows. It is a variable for
// tests.
var FewDocuments = 4000

// DividesRows reports whether the ranks are to divide the documents' rows.
func (r *Request) DividesRows(ctx context.Context) bool {
	s, ok := r.MethodOptions.(method.Sharer)
	return ok && ranks.From(ctx).Size() > 1 && s.Shares() && r.Constraints == ""
}

// ReadsOwnRows reports whether each rank is to read its own documents alone: nothing in the request
// needs the rows of all of them first.
func (r *Request) ReadsOwnRows(ctx context.Context) bool {
	return r.DividesRows(ctx) && !r.Source.Precomputed && r.Graph == "" && !r.WithVectors() && !r.WithColumns() && len(r.Source.Classes) == 0 && r.Source.RandomClasses == 0
}
