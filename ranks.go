package eigenmap

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/store"
	"github.com/eigenmap/eigenmap/internal/words"
)

// sameOnRanks refuses ranks that were started with another command or other options, before any of
// them reads: they would wait for each other at different places. Of an option that names a file
// only its presence counts, since what it holds is compared once it is read.
func (r *request) sameOnRanks(ctx context.Context, own ...any) error {
	team := ranks.From(ctx)
	if team.Size() == 1 {
		return nil
	}
	facts := []ranks.Fact{{Name: "the command", Value: r.command}}
	for _, f := range r.fields(own...) {
		value := f.String()
		if f.Path && value != "" && !slices.Contains(f.Choices, value) {
			value = "a file"
		}
		facts = append(facts, ranks.Fact{Name: words.Option(f.Name), Value: value})
	}
	return ranks.SameOptions(team, facts)
}

// together gives all ranks the error of the lowest one that has one, so that none works on without
// the others. A rank's own error stays what it is.
func together(ctx context.Context, err error) error {
	if agreed := ranks.Agree(ranks.From(ctx), err); err == nil {
		return agreed
	}
	return err
}

// sameInput refuses ranks that have read another corpus, other known labels or other constraints.
// Documents that ranks divide were compared as they were read.
func (j *job) sameInput(ctx context.Context) error {
	team := ranks.From(ctx)
	if team.Size() == 1 {
		return nil
	}
	var facts []ranks.Fact
	if !j.share.Divided() {
		facts = append(facts, ranks.Fact{Name: j.file, Value: j.corpus.Digest()})
	}
	if j.vectors != nil {
		facts = append(facts, ranks.Fact{Name: j.vectors.Name, Value: j.vectors.Digest()})
	}
	h := store.NewHasher("known labels")
	h.Ints(j.known.labels)
	h.Value(len(j.known.names))
	for _, name := range j.known.names {
		h.Text(name)
	}
	facts = append(facts, ranks.Fact{Name: cmp.Or(j.Labels, "the known labels"), Value: h.Key().String()})
	h = store.NewHasher("constraints")
	for _, p := range j.known.pairs {
		h.Value([]any{p.A, p.B, p.Cannot})
	}
	facts = append(facts, ranks.Fact{Name: cmp.Or(j.Constraints, "the constraints"), Value: h.Key().String()})
	return ranks.SameInput(team, facts)
}

// sameGraph refuses ranks that have read another graph of the documents.
func (j *job) sameGraph(ctx context.Context) error {
	team := ranks.From(ctx)
	if team.Size() == 1 || j.Graph == "" {
		return nil
	}
	h := store.NewHasher("graph")
	h.Matrix(j.graph.W)
	h.Value(j.joined)
	for _, list := range [][]float64{j.graph.Reach, j.graph.Scales, {j.graph.HeatWidth}} {
		h.Floats(list)
	}
	return ranks.SameInput(team, []ranks.Fact{{Name: j.Graph, Value: h.Key().String()}})
}

// checkRanks refuses what the ranks of an MPI run cannot do together.
func (r *request) checkRanks(ctx context.Context) error {
	size := ranks.From(ctx).Size()
	switch {
	case size == 1:
		return nil
	case r.withMethod() && !r.spec.Divided:
		var names []string
		for _, s := range Methods() {
			if s.Divided {
				names = append(names, s.Name)
			}
		}
		return invalid.Errorf("the method %s is not divided among ranks, of which there are %d, because %s: start it without mpirun, or choose one of %s",
			r.spec.Name, size, r.spec.Whole, strings.Join(names, ", "))
	case r.inSingle():
		return invalid.Errorf("‹precision› single is for one process, and there are %d ranks, which divide the documents: leave it out, or start without mpirun", size)
	}
	return nil
}
