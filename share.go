package eigenmap

import (
	"context"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/request"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/method"
)

// divideSearch gives the input the rows of this rank, if ranks can divide the search for
// neighbours.
func (r *GraphRun) divideSearch(ctx context.Context, in *method.Input) {
	team, g := ranks.From(ctx), &r.own.Graph
	if team.Size() == 1 || in.X == nil || in.Len() < request.FewDocuments || g.Epsilon > 0 || g.HeatRule == graph.PairsWidth {
		return
	}
	in.Share = ranks.Evenly(team, in.Len())
	in.X = corpus.RowsOf(in.X, in.Share.First(), in.Share.First()+in.Share.Own())
}
