package predicting

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/store"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// placeRows places the new documents; where several ranks predict, each places its part of them.
// All ranks then have all places, whose bits are as of one process, because no document depends on
// another. 8 bytes per document and number that a placement has are received.
func (p *Prediction) placeRows(ctx context.Context, rows mat.Matrix) (*method.Placement, error) {
	team := ranks.From(ctx)
	n, _ := rows.Dims()
	placer := p.Model.m.Part.(method.Placer)
	if team.Size() == 1 {
		return placer.Place(ctx, rows, p.Run.J.Observe)
	}
	h := store.NewHasher("new documents")
	h.Matrix(rows)
	if err := ranks.SameInput(team, []ranks.Fact{{Name: p.Run.J.File, Value: h.Key().String()}}); err != nil || n == 0 {
		return &method.Placement{}, err
	}
	share := ranks.Evenly(team, n)
	own := make([]int, share.Own())
	for i := range own {
		own[i] = share.First() + i
	}
	at, err := new(method.Placement), error(nil)
	if len(own) > 0 {
		at, err = placer.Place(ranks.With(ctx, nil), sparse.SelectRows(rows, own), p.Run.J.Observe)
	}
	if err = ranks.Agree(team, err); err != nil {
		return nil, err
	}
	return joined(share, at), nil
}

// joined is the placement of the documents of all ranks.
func joined(share *ranks.Share, own *method.Placement) *method.Placement {
	numbers := func(list []int) []int {
		all := make([]int, len(list))
		for k, i := range list {
			all[k] = share.First() + i
		}
		return ranks.GatherInts(share, all)
	}
	c := own.Certainty
	out := &method.Placement{Embedding: joinedRows(share, own.Embedding), Labels: ranks.GatherInts(share, own.Labels), Isolated: numbers(own.Isolated), Known: numbers(own.Known),
		Certainty: method.Certainty{Distance: ranks.GatherFloats(share, c.Distance), Confidence: ranks.GatherFloats(share, c.Confidence),
			Second: ranks.GatherInts(share, c.Second), Score: ranks.GatherFloats(share, c.Score)}}
	if out.Posterior = out.Embedding; ranks.Count(share, different(own)) > 0 {
		out.Posterior = joinedRows(share, own.Posterior)
	}
	return out
}

// different is 1 if the probabilities are not the coordinates, which shares of topics are.
func different(of *method.Placement) int {
	if of.Posterior == of.Embedding {
		return 0
	}
	return 1
}

// joinedRows are the rows of all ranks; nil if no rank has any.
func joinedRows(share *ranks.Share, own *mat.Dense) *mat.Dense {
	var values []float64
	cols := []float64{0}
	if own != nil {
		_, d := own.Dims()
		values, cols[0] = mat.DenseCopyOf(own).RawMatrix().Data, float64(d)
	}
	ranks.Largest(share, cols)
	all := ranks.GatherFloats(share, values)
	if d := int(cols[0]); d > 0 {
		return mat.NewDense(len(all)/d, d, all)
	}
	return nil
}
