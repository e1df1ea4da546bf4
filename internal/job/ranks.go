package job

import (
	"cmp"
	"context"

	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/store"
)

// together returns this rank's error, or else the error of the lowest rank that has one, so that no
// rank works on without the others. All ranks call it.
func together(ctx context.Context, err error) error {
	if agreed := ranks.Agree(ranks.From(ctx), err); err == nil {
		return agreed
	}
	return err
}

// NoteWhole notes, before any work, that ranks do not share it where known labels choose the
// method.
func (j *Job) NoteWhole(ctx context.Context) {
	if why := j.EachWhole(ctx); why != "" {
		j.Note(why)
	}
}

// FactsBeside returns the digests of the vectors and the columns beside the texts, by which ranks
// compare what they have read.
func (j *Job) FactsBeside() (facts []ranks.Fact) {
	if j.VectorsRead != nil {
		facts = append(facts, ranks.Fact{Name: j.VectorsRead.Name, Value: j.VectorsRead.Digest()})
	}
	if j.ColumnsRead != nil {
		facts = append(facts, ranks.Fact{Name: j.ColumnsRead.Name, Value: j.ColumnsRead.Digest()})
	}
	return facts
}

// sameInput refuses ranks that have read another corpus, other known labels or other constraints.
// Documents that ranks divide were compared as they were read.
func (j *Job) sameInput(ctx context.Context) error {
	team := ranks.From(ctx)
	if team.Size() == 1 {
		return nil
	}
	var facts []ranks.Fact
	if !j.Share.Divided() {
		facts = append(facts, ranks.Fact{Name: j.File, Value: j.Corpus.Digest()})
	}
	facts = append(facts, j.FactsBeside()...)
	h := store.NewHasher("known labels")
	h.Ints(j.Prior.Labels)
	h.Value(len(j.Prior.Names))
	for _, name := range j.Prior.Names {
		h.Text(name)
	}
	facts = append(facts, ranks.Fact{Name: cmp.Or(j.Labels, "the known labels"), Value: h.Key().String()})
	h = store.NewHasher("constraints")
	for _, p := range j.Prior.pairs {
		h.Value([]any{p.A, p.B, p.Cannot})
	}
	facts = append(facts, ranks.Fact{Name: cmp.Or(j.Constraints, "the constraints"), Value: h.Key().String()})
	return ranks.SameInput(team, facts)
}

// sameGraph refuses ranks that have read another graph of the documents.
func (j *Job) sameGraph(ctx context.Context) error {
	team := ranks.From(ctx)
	if team.Size() == 1 || j.Graph == "" {
		return nil
	}
	h := store.NewHasher("graph")
	h.Matrix(j.Affinity.W)
	h.Value(j.Joined)
	for _, list := range [][]float64{j.Affinity.Reach, j.Affinity.Scales, {j.Affinity.HeatWidth}} {
		h.Floats(list)
	}
	return ranks.SameInput(team, []ranks.Fact{{Name: j.Graph, Value: h.Key().String()}})
}
