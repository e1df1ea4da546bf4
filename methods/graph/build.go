package graph

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/store"
	"github.com/eigenmap/eigenmap/methods/graph/internal/exact"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Build makes the affinity graph of the rows of x that opt describes.
//
// Time: as [Nearest] (for ε-graphs the same pass over all pairs), and O(edges) for the rest.
// Memory: as Nearest, and about 72 bytes per edge, within what the context leaves. A graph of k
// neighbours whose [Options.BuildBytes] are more is an error before any work, an ε-graph when its
// edges exceed the limit. With opt.Share each rank gives its own rows and gets the edges of its own
// documents; the edges and weights are the same as with one process, but for the last bits of a
// width of the heat kernel that is a mean. A rank then takes, and asks for, the memory of
// Options.SharedBytes. Errors: as Nearest and Options.Validate, and a weight that overflows. Events
// have the stage "neighbours".
func Build(ctx context.Context, x mat.Matrix, opt Options) (*Graph, error) {
	x, opt, err := prepared(ctx, x, opt)
	if err = ranks.Agree(opt.Share, rows.Raised(err, func(i int) int { return opt.Share.First() + i })); err != nil {
		return nil, err
	}
	g, lost, err := restoredOrBuilt(ctx, x, opt)
	if err != nil {
		return nil, err
	}
	g.report(lost, opt)
	return g, nil
}

// prepared is x as a search takes it, and the options with their defaults, checked. Rows in single
// precision are copied to double precision for ε-graphs, and where ranks divide them.
func prepared(ctx context.Context, x mat.Matrix, opt Options) (mat.Matrix, Options, error) {
	if err := opt.Validate(); err != nil {
		return nil, opt, err
	}
	divided := opt.Share.Divided()
	if divided && opt.Epsilon > 0 {
		return nil, opt, invalid.Errorf("‹epsilon› joins documents by distance, which ranks do not divide: give ‹neighbors›")
	}
	var err error
	if sparse.IsSingle(x) && (opt.Epsilon > 0 || divided) {
		if x, err = sparse.Stored(x); err != nil {
			return nil, opt, err
		}
	}
	if x, err = exact.Stored(x); err != nil {
		return nil, opt, err
	}
	if s, ok := x.(sparse.Rows); ok && !divided { // ranks have the columns in common
		x = s.Narrow()
	}
	here, _ := x.Dims()
	n := opt.Share.Among(here)
	opt = opt.withDefaults(!exact.IsSparse(x), n)
	if opt.Epsilon > 0 {
		err = exact.CheckNeighbours(n, 1)
	} else if err = exact.CheckNeighbours(n, opt.Neighbors); err == nil {
		err = opt.need(ctx, x)
	}
	return x, opt, err
}

// build makes the graph of the rows that are here, as prepared returns them. lost counts the edges
// of all ranks that were left out because their weight is not positive, once per direction.
func build(ctx context.Context, x mat.Matrix, opt Options) (g *Graph, lost int, err error) {
	share := opt.Share
	n, _ := x.Dims()
	kept, filled := rows.Filled(x), x
	if len(kept) < n {
		filled = exact.KeepRows(x, kept)
	}
	edges, reach, err := opt.edges(ctx, x, filled, kept)
	if err != nil {
		return nil, 0, err
	}
	u := join(edges, incoming(share, edges), opt)
	if !exact.IsSparse(x) {
		x = filled
	}
	scales, err := u.tune(x, &opt)
	if err = ranks.Agree(share, err); err != nil {
		return nil, 0, err
	}
	w, lost, err := u.weighOwn(share, scales, opt)
	if err = ranks.Agree(share, err); err != nil {
		return nil, 0, err
	}
	if g, err = newGraph(share, w); err != nil {
		return nil, 0, err
	}
	g.Reach, g.Scales = reach, scales
	if opt.Weight == Heat {
		g.HeatWidth = opt.HeatWidth
	}
	return g, ranks.Count(share, lost), nil
}

// report notes edges that were left out, of all ranks.
func (g *Graph) report(lost int, opt Options) {
	if lost > 0 {
		opt.Observer.Notef(exact.Stage, "%d edges with a %s weight that is not positive are left out", lost/2, opt.Weight)
	}
}

// restoredOrBuilt takes the finished graph from the store of the context, if there is one that has
// it; with ranks each rank keeps its own rows. Else it builds the graph and keeps it there.
func restoredOrBuilt(ctx context.Context, x mat.Matrix, opt Options) (g *Graph, lost int, err error) {
	st := store.From(ctx)
	if st == nil {
		return build(ctx, x, opt)
	}
	own, _ := x.Dims()
	kind, key := "affinity", graphKey(x, opt)
	if opt.Share.Divided() {
		kind, key = "affinity-rows", rankKey(key, opt)
	}
	var piece storedGraph
	found, err := st.Read(kind, key, func(d *store.Decoder) { piece.read(d, own, opt.Share.Among(own)) })
	if err == nil && !found {
		if g, lost, err = build(ctx, x, opt); err != nil {
			return nil, 0, err
		}
		return g, lost, st.Write(kind, key, func(e *store.Encoder) { write(e, g, lost) })
	}
	if err != nil {
		return nil, 0, err
	}
	opt.Observer.Notef(exact.Stage, "The graph is the finished one in %s.", st.Dir)
	return piece.graph(opt.Share)
}
