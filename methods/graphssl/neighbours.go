package graphssl

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// documents are the rows of x, sparse or dense, parted by whether they have a label; rows without
// entries ([rows.Filled]) are in neither part.
type documents struct {
	s                    *sparse.CSR
	d                    *mat.Dense
	n                    int
	labelled, unlabelled []int
}

func part(x mat.Matrix, known []int) (*documents, error) {
	x, err := sparse.Stored(x)
	if err != nil {
		return nil, err
	}
	p := &documents{n: len(known)}
	p.s, _ = x.(*sparse.CSR)
	p.d, _ = x.(*mat.Dense)
	empty := make([]bool, p.n)
	for i := range empty {
		empty[i] = true
	}
	for _, i := range rows.Filled(x) {
		empty[i] = false
	}
	for i, k := range known {
		switch {
		case empty[i]:
		case k == labels.Unknown:
			p.unlabelled = append(p.unlabelled, i)
		default:
			p.labelled = append(p.labelled, i)
		}
	}
	return p, nil
}

// rows copies the given rows.
func (p *documents) rows(of []int) mat.Matrix {
	if p.s != nil {
		return rows.Select(p.s, of)
	}
	return rows.Select(p.d, of)
}

// edge leads from an unlabelled document to a neighbour that it chose.
type edge struct {
	to         int32
	coef       float64 // 1 or β
	dist2, dot float64
}

// chosen are the k nearest labelled and k' nearest unlabelled documents of every unlabelled one,
// rows of p.unlabelled.
func (p *documents) chosen(ctx context.Context, opt Options) ([][]edge, error) {
	list := make([][]edge, len(p.unlabelled))
	if len(list) == 0 {
		return nil, nil
	}
	take := func(k *graph.KNN, of []int, coef float64) {
		for r := range list {
			index, dist2, dot := k.Row(r)
			for e, j := range index {
				if p.s != nil && !(dot[e] > 0) {
					continue
				}
				list[r] = append(list[r], edge{int32(of[j]), coef, dist2[e], dot[e]})
			}
		}
	}
	from := p.rows(p.unlabelled)
	if k := min(opt.LabeledNeighbors, len(p.labelled)); k > 0 {
		near, err := graph.NearestAmong(ctx, from, p.rows(p.labelled), k, opt.Observer)
		if err != nil {
			return nil, invalid.Selected(err, p.unlabelled)
		}
		take(near, p.labelled, 1)
	}
	if k := min(opt.Neighbors, len(p.unlabelled)-1); k > 0 && *opt.Beta > 0 {
		near, err := graph.Nearest(ctx, from, k, opt.Observer)
		if err != nil {
			return nil, invalid.Selected(err, p.unlabelled)
		}
		take(near, p.unlabelled, *opt.Beta)
	}
	return list, nil
}

// affinity is W̄, symmetric bit for bit, and the width of the heat kernel that was used.
func (p *documents) affinity(ctx context.Context, opt Options) (*sparse.CSR, float64, error) {
	list, err := p.chosen(ctx, opt)
	if err != nil {
		return nil, 0, err
	}
	width := opt.HeatWidth
	if opt.Weight == graph.Heat && width == 0 {
		sum, count := 0.0, 0
		for _, edges := range list {
			for _, e := range edges {
				sum += e.dist2
				count++
			}
		}
		if width = sum / float64(max(1, count)); width == 0 {
			width = 1 // only copies: every weight is 1 at any width
		}
	}
	directed := sparse.NewBuilder(p.n, p.n)
	for r, edges := range list {
		for _, e := range edges {
			w := e.dot
			switch opt.Weight {
			case graph.Binary:
				w = 1
			case graph.Heat:
				w = math.Exp(-e.dist2 / width)
			}
			if w *= e.coef; w > 0 { // opposite directions do not draw together
				directed.Add(p.unlabelled[r], int(e.to), w)
			}
		}
	}
	out, err := directed.Build()
	if err != nil {
		return nil, 0, err
	}
	both := sparse.NewBuilder(p.n, p.n)
	both.Grow(2 * out.NNZ())
	for i := range p.n {
		cols, vals := out.Row(i)
		for e, j := range cols {
			both.Add(i, int(j), vals[e])
			if opt.Symmetry == graph.Sum || out.At(int(j), i) == 0 { // chosen by both ends, an edge is entered from both
				both.Add(int(j), i, vals[e])
			}
		}
	}
	w, err := both.Build()
	if err != nil {
		return nil, 0, err
	}
	for i, d := range w.RowSums() {
		if math.IsInf(d, 1) {
			return nil, 0, invalid.At(i, -1, "the weights at {} sum to infinity: scale the data down")
		}
	}
	return w, width, nil
}
