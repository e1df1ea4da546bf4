// Package sle is the Laplacian Eigenmap of self-regulated neighbourhoods: each point gets only
// neighbours that the data connect to it nearly straight.
//
// Source: Raducanu and Dornaika 2012, as described by Zhou and Wang 2019, who compare with it under
// the name S-LE: the similarity is measured "via the ratio of geodesic distance and Euclidean
// distance between the samples and their neighborhood nodes, and the adopted neighborhood
// parameters are adjusted and optimized". Nothing else is known here; this description does not
// mention labels. Assumed:
//
//   - d_G is the shortest path over the graph of the MinNeighbors nearest neighbours (union).
//     Points always keep these neighbours.
//   - The candidates of a point are its MaxNeighbors nearest by Euclidean distance d_E. The ratio r
//     = d_G/d_E ≥ 1 is near 1 if the data lie along the straight line, and large if it crosses a
//     gap or a fold. It is infinite without a path, and if the candidate is not among the
//     50·MaxNeighbors points nearest by path, which bounds the search. Copies, d_E = 0, have r = 1
//     if d_G = 0, else infinite.
//   - A point's neighbourhood ends before its first candidate, beyond the MinNeighbors-th, of a
//     ratio above Threshold. If none is given, the threshold is the harmonic mean of the ratios of
//     all candidates beyond the MinNeighbors-th, 1 over the mean of d_E/d_G. (A few candidates
//     across a gap would decide the arithmetic mean.) A candidate of infinite ratio ends the
//     neighbourhood at any threshold.
//   - Rows without entries, which are equally far from all points, have no neighbours, are
//     neighbours of none, and are isolated, as in package graph.
//   - Edges hold either way, weights follow the heat kernel with the graph's rules for its width,
//     or are 1; then LE.
package sle

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/methods/geodesic"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/methods/le"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Stage is the name under which notes go to the observer.
const Stage = "self-regulated neighbourhoods"

// searchFactor times the candidates is the most points that a search visits.
const searchFactor = 50

// Options of Fit. The zero value of every field but LE.Dims is its default. Through the contract of
// package method LE.Dims may be 0 too.
type Options struct {
	// MinNeighbors is how many neighbours every point keeps; 0 = a third of the most, rounded up.
	MinNeighbors int `json:"min_neighbors,omitempty" flag:"min-neighbors" range:">=1" unset:"a third of the neighbors" help:"neighbours that every document keeps" group:"method"`
	// Threshold is the largest ratio, at least 1, of a neighbour's geodesic distance to its Euclidean
	// one; 0 = the harmonic mean of the candidates' ratios.
	Threshold float64 `json:"threshold,omitempty" flag:"ratio" range:">=1" unset:"the harmonic mean of all" help:"largest ratio of path to straight distance within a neighbourhood" group:"method"`
	// LE says how to embed. LE.Graph.Neighbors is the most neighbours a point may have, its Weight ""
	// or heat or binary, its Symmetry "" or union; Epsilon must be 0.
	LE le.Options `json:"le" flags:"dims,drop-first,drop-zeros,normalize-rows,neighbors,edge-weight,heat-width,heat-rule,local-neighbor,solver,tol,max-iter" defaults:"edge-weight=heat"`
}

// Validate lists everything that is wrong with the options.
func (o Options) Validate() error {
	return invalid.Join(o.validateOwn(), o.LE.Validate())
}

func (o Options) validateGraph() error { return invalid.Join(o.validateOwn(), o.LE.Graph.Validate()) }

// validateOwn is Validate without what LE checks itself.
func (o Options) validateOwn() error {
	g := o.LE.Graph
	o.LE = le.Options{}
	errs := invalid.Faults{option.Check(&o)}
	if g.Neighbors > 0 && o.MinNeighbors > g.Neighbors {
		errs.Addf("‹min-neighbors› %d is more than the %d of ‹neighbors›: give at most as many", o.MinNeighbors, g.Neighbors)
	}
	if g.Weight != "" && g.Weight != graph.Heat && g.Weight != graph.Binary {
		errs.Addf("only distances are known here: give ‹edge-weight› heat or binary in place of %s", g.Weight)
	}
	if g.Symmetry != "" && g.Symmetry != graph.Union {
		errs.Addf("‹symmetry› is %q: neighbourhoods of different sizes are joined by union only", g.Symmetry)
	}
	if g.Epsilon > 0 {
		errs.Addf("‹epsilon› is %v: self-regulated neighbourhoods are made of nearest neighbours, leave it 0", g.Epsilon)
	}
	return invalid.Join(errs...)
}

// Neighborhoods are the sizes that were chosen for the points' neighbourhoods.
type Neighborhoods struct {
	Sizes     []int   // by point, before the union; 0 for sparse rows without entries
	Threshold float64 // given or computed; +Inf if there is no candidate, or none of a finite ratio
}

// Fit embeds the rows of x: Graph, then le.FitGraph.
func Fit(ctx context.Context, x mat.Matrix, opt Options) (*le.Model, *Neighborhoods, error) {
	if err := opt.Validate(); err != nil {
		return nil, nil, err
	}
	g, sizes, err := Graph(ctx, x, opt)
	if err != nil {
		return nil, nil, err
	}
	m, err := le.FitGraph(ctx, g, opt.LE)
	return m, sizes, err
}

// Graph is the affinity graph of the rows of x. It costs graph.Nearest and one search per point,
// which ends when its last candidate is found, or after 50·MaxNeighbors points. opt.LE.Dims means
// nothing. Errors: a request that is wrong (errors.Is(err, fs.ErrInvalid)), and the context's.
func Graph(ctx context.Context, x mat.Matrix, opt Options) (*graph.Graph, *Neighborhoods, error) {
	n, _ := x.Dims()
	if opt.LE.Graph.Neighbors == 0 {
		opt.LE.Graph.Neighbors = max(1, min(graph.DefaultNeighbors, n-1))
	}
	if err := opt.validateGraph(); err != nil {
		return nil, nil, err
	}
	x, err := sparse.Stored(x)
	if err != nil {
		return nil, nil, err
	}
	most, least := opt.LE.Graph.Neighbors, opt.MinNeighbors
	if least == 0 {
		least = (most + 2) / 3
	}
	var dist2 *sparse.CSR
	var h *Neighborhoods
	if kept := rows.Filled(x); len(kept) < n && most < n {
		dist2, h, err = amongFilled(ctx, x, kept, most, least, opt)
	} else {
		dist2, h, err = neighbourhoods(ctx, x, most, least, opt)
	}
	if err != nil {
		return nil, nil, err
	}
	of := opt.LE.Graph
	if of.HeatRule == graph.PairsWidth && of.HeatWidth == 0 && of.Weight != graph.Binary {
		of.HeatWidth = graph.MeanSquaredDistance(x)
	}
	g, err := graph.FromDistances(dist2, of)
	return g, h, err
}

// amongFilled is neighbourhoods of rows some of which, all but kept, have no entries, and so no
// edges.
func amongFilled(ctx context.Context, x mat.Matrix, kept []int, most, least int, opt Options) (*sparse.CSR, *Neighborhoods, error) {
	n, _ := x.Dims()
	all := &sparse.CSR{NumRows: n, NumCols: n, RowPtr: make([]int, n+1)}
	h := &Neighborhoods{Sizes: make([]int, n), Threshold: math.Inf(1)}
	if most = min(most, len(kept)-1); most > 0 {
		dist2, own, err := neighbourhoods(ctx, rows.Select(x, kept), most, min(least, most), opt)
		if err != nil {
			return nil, nil, err
		}
		h.Threshold = own.Threshold
		all.Val = dist2.Val
		for r, i := range kept {
			cols, _ := dist2.Row(r)
			for _, c := range cols {
				all.Col = append(all.Col, int32(kept[c]))
			}
			all.RowPtr[i+1] = len(cols)
			h.Sizes[i] = own.Sizes[r]
		}
		for i := range n {
			all.RowPtr[i+1] += all.RowPtr[i]
		}
	}
	opt.LE.Graph.Observer.Warnf(Stage, "Without neighbours, and so isolated: %d of %d documents.", n-len(kept), n)
	return all, h, nil
}

// neighbourhoods are the edges of the graph with their squared lengths.
func neighbourhoods(ctx context.Context, x mat.Matrix, most, least int, opt Options) (*sparse.CSR, *Neighborhoods, error) {
	n, _ := x.Dims()
	near, err := graph.Nearest(ctx, x, most, opt.LE.Graph.Observer)
	if err != nil {
		return nil, nil, err
	}
	ratio, err := ratios(ctx, near, least, opt)
	if err != nil {
		return nil, nil, err
	}
	h := &Neighborhoods{Sizes: make([]int, n), Threshold: opt.Threshold}
	if h.Threshold == 0 {
		h.Threshold = harmonicMean(ratio)
	}
	beyond := most - least
	for i := range n {
		own := ratio[i*beyond : (i+1)*beyond]
		h.Sizes[i] = most
		if first := slices.IndexFunc(own, func(r float64) bool { return r > h.Threshold*(1+rounding) || math.IsInf(r, 1) }); first >= 0 {
			h.Sizes[i] = least + first
		}
	}
	return geodesic.Union(directed(near, func(i int) int { return h.Sizes[i] }, false)), h, nil
}

// rounding is the share by which a ratio must exceed the threshold: along a straight line all
// ratios and their mean are 1 up to rounding, which must not decide.
const rounding = 1e-12

// ratios returns for each point the ratios of its candidates, in their order, without the first
// least ones.
func ratios(ctx context.Context, near *graph.KNN, least int, opt Options) ([]float64, error) {
	n, beyond := near.N, near.K-least
	ratio := make([]float64, n*beyond)
	if beyond == 0 {
		return ratio, nil
	}
	base := geodesic.Union(directed(near, func(int) int { return least }, true))
	const grain = 16
	searches := make([]*geodesic.Search, parallel.Workers(n, grain))
	err := parallel.For(ctx, n, grain, func(w, lo, hi int) error {
		if searches[w] == nil {
			searches[w] = geodesic.NewSearch(base)
		}
		for i := lo; i < hi; i++ {
			index, dist2, _ := near.Row(i)
			own := ratio[i*beyond : (i+1)*beyond]
			for c := range own {
				own[c] = math.Inf(1)
			}
			left, settled := beyond, 0
			err := searches[w].From(ctx, i, func(v int32, d float64) bool {
				if c := slices.Index(index[least:], v); c >= 0 {
					own[c] = stretch(d, math.Sqrt(dist2[least+c]))
					left--
				}
				settled++
				return left > 0 && settled <= searchFactor*near.K
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	opt.LE.Graph.Observer.Report(Stage, int64(n), int64(n), "points")
	return ratio, err
}

// stretch is path/straight, at least 1: rounding must not make it less.
func stretch(path, straight float64) float64 {
	switch {
	case path <= straight:
		return 1
	case straight == 0:
		return math.Inf(1)
	}
	return path / straight
}

// harmonicMean is +Inf of no values, or infinite ones only.
func harmonicMean(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += 1 / v
	}
	if sum == 0 {
		return math.Inf(1)
	}
	return max(1, float64(len(values))/sum)
}

// directed holds the first size(i) neighbours of each point with their squared distances, or, of
// lengths, the distances.
func directed(near *graph.KNN, size func(i int) int, lengths bool) *sparse.CSR {
	out := &sparse.CSR{NumRows: near.N, NumCols: near.N, RowPtr: make([]int, near.N+1)}
	type edge struct {
		j int32
		v float64
	}
	var row []edge
	for i := range near.N {
		index, dist2, _ := near.Row(i)
		row = row[:0]
		for c := range size(i) {
			v := dist2[c]
			if lengths {
				v = math.Sqrt(v)
			}
			row = append(row, edge{index[c], v})
		}
		slices.SortFunc(row, func(a, b edge) int { return cmp.Compare(a.j, b.j) })
		for _, e := range row {
			out.Col, out.Val = append(out.Col, e.j), append(out.Val, e.v)
		}
		out.RowPtr[i+1] = len(out.Col)
	}
	return out
}
