package cle

import (
	"context"
	"slices"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/links"
	"github.com/eigenmap/eigenmap/sparse"
)

// FitLinks embeds the points of a graph in opt.Dims dimensions under pairwise constraints.
//
// With must-links only, the points of a group are merged, and the coordinates are the smallest
// eigenvectors of the merged graph, the constant included as in Laplacian Eigenmaps. Cannot-links
// (groups.TwoSided) mean two clusters: y = m + d_g on one side of group g and m − d_g on the other,
// with one m for all groups (De Bie et al. 2004). The coordinates then begin after the constant,
// which separates nothing.
//
// Points that have neither neighbours nor a linked point with neighbours are isolated and are
// placed at the origin.
func FitLinks(ctx context.Context, g *graph.Graph, groups *links.Groups, opt Options) (*Model, error) {
	n := g.Len()
	if len(groups.Group) != n {
		return nil, invalid.Errorf("the links are of %d documents; the graph has %d", len(groups.Group), n)
	}
	dims := opt.Dims
	if dims < 1 {
		return nil, invalid.Errorf("the number of dimensions is %d; it must be at least 1", dims)
	}
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	m := &Model{Graph: g}
	u := newUnits(g, groups)
	m.Isolated, m.Apart = u.isolated, u.isolated
	e := opt.Eigen
	e.K, e.Which = dims, eigen.Smallest
	if available := u.dimensions(); dims > available {
		return nil, invalid.Errorf("‹dims› %d is more than the %d that the graph and the links give: give fewer", dims, available)
	}
	if slices.Contains(groups.TwoSided, true) {
		r, err := restricted(g, u.basis(groups, g.Degrees))
		if err != nil {
			return nil, err
		}
		e.SkipNull = true
		out, err := r.Solve(ctx, e)
		if out != nil && len(out.Values) > 0 {
			out.Vectors = r.Expand(out.Vectors)
			eigen.CanonicalSigns(out.Vectors)
		}
		return m.take(out, err, opt)
	}
	node := make([]int32, len(u.kept))
	for at, i := range u.kept {
		node[at] = u.of[i]
	}
	c, err := contract(g, u.kept, node)
	if err != nil {
		return nil, err
	}
	e.SkipNull = false
	out, err := c.Solve(ctx, e)
	if out != nil && len(out.Values) > 0 {
		out.Vectors = u.spread(c.Expand(out.Vectors))
		eigen.CanonicalSigns(out.Vectors)
	}
	return m.take(out, err, opt)
}

// contract merges the points kept into nodes.
func contract(g *graph.Graph, kept []int, node []int32) (*eigen.Contraction, error) {
	w, f, err := g.Among(kept)
	switch {
	case err != nil:
		return nil, err
	case f != nil:
		return eigen.ContractFactor(f, node)
	}
	return eigen.Contract(w, nil, node)
}

// restricted is the graph's problem on the columns of p.
func restricted(g *graph.Graph, p *sparse.CSR) (*eigen.Restricted, error) {
	if g.IsComplete() {
		return eigen.NewFactoredRestricted(g.Factor, p)
	}
	return eigen.NewRestricted(g.W, p)
}
