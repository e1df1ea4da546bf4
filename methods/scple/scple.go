// Package scple is the supervised, class-preserving Laplacian Eigenmap: neighbours of one class are
// drawn together, near points of other classes pushed apart.
//
// Source: Ning, Liu and Deng 2016, as described by Zhou and Wang 2019, who compare with it: it
// "constructs an intra-class graph and an inter-class graph, and determines the edge weights by
// class label information and adaptive thresholds", then maximises "the weighted neighbor distances
// between heterogeneous samples" and minimises those "between homogeneous samples". Nothing else is
// known here. Assumed:
//
//   - Candidates of a point are its k nearest of its own class and its k nearest of the others (k =
//     LE.Graph.Neighbors), each with the similarity s = exp(−d²/t); t is the mean of d² over all
//     candidates if no width is given. The adaptive threshold of a point is the mean similarity of
//     its candidates of both kinds.
//   - A candidate at or above the threshold gets an edge of weight s: in the intra-class graph W if
//     the classes agree, in the inter-class graph B if they differ. Edges hold either way (union).
//     The nearest of the own class always gets an edge, with the threshold as its weight if its
//     similarity is less, so that only the single member of a class has none.
//   - The weight of an edge of W is then divided by the smaller degree of its ends, of B by the
//     larger: D_W ≥ 1 ≥ D_B. Without this, a few points near the border, with much weight to other
//     classes and little to their own, make eigenvectors of their own: on CNAE-9 and USPS the
//     embedding shows nothing else.
//   - Unlabelled points get no neighbours and are placed at the origin.
//   - The two aims become one: maximise yᵀ(γ·L_B + (1−γ)·W)y subject to yᵀD_W y = 1, the largest
//     eigenpairs of D_W^-1/2 (γ·L_B + (1−γ)·W) D_W^-1/2. γ = 0 is LE on the intra-class graph. The
//     constant solves the problem at every γ and separates nothing: it is left out unless LE.Skip
//     is le.SkipNone.
//
// γ must be small. The largest value of L_B is reached by points of two classes that alternate in
// one region, so with a large γ each coordinate describes one region of the border and not the
// classes. The description names no balance. With all labels known, 10 dimensions and k-means, the
// FMI for γ = 0, 0.01, 0.1, 0.5 is 1.00, 1.00, .90, .33 on CNAE-9, 1.00, .73, .24, .21 on COIL20,
// .58, .42, .36, .33 on USPS (LE without labels: .54, .57, .74).
//
// The labels of all points decide their places, so this method does not find classes, and new
// points, whose class is not known, cannot be placed.
package scple

import (
	"cmp"
	"context"
	"errors"
	"math"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/methods/le"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// Stage is the name under which notes go to the observer.
const Stage = "class graphs"

// Defaults of Options.
const (
	DefaultBalance = 0.01
	// DefaultMaxIter is the default of LE.Eigen.MaxIter: each part of the graph within classes has an
	// eigenvalue near the wanted end, where they are close together.
	DefaultMaxIter = 5000
)

// Options of Fit. The zero value of every field but LE.Dims is its default. Through the contract of
// package method LE.Dims may be 0 too.
type Options struct {
	// Balance is γ, at least 0 and below 1; nil = 0.01. 0 takes the intra-class graph alone.
	Balance *float64 `json:"balance,omitempty" flag:"gamma" range:"0<=x<1" default:"0.01" help:"weight of the graph between classes against that within them" group:"method"`
	// Width is t in exp(−d²/t); 0 = the mean of d² over all candidates.
	Width float64 `json:"width,omitempty" flag:"heat-width" range:">0" unset:"the mean of d² over all candidates" help:"t in the heat kernel exp(-d²/t)" group:"graph"`
	// LE says how to embed. Of LE.Graph only Neighbors and Observer count. LE.Skip "" means
	// le.SkipConstant; le.SkipZeros is refused, since no eigenvalue belongs to a component.
	// LE.Eigen.MaxIter 0 means 5000.
	LE le.Options `json:"le" flags:"dims,normalize-rows,neighbors,solver,tol,max-iter" defaults:"max-iter=5000"`
}

// Validate lists everything that is wrong with the options.
func (o Options) Validate() error {
	var skip error
	if o.LE.Skip == le.SkipZeros {
		skip = invalid.Errorf("%q cannot be skipped here; choose %q or %q", le.SkipZeros, le.SkipNone, le.SkipConstant)
	}
	return invalid.Join(o.validateOwn(), o.LE.Validate(), skip)
}

// validateOwn is Validate without LE, which checks itself.
func (o Options) validateOwn() error {
	o.LE = le.Options{}
	return option.Check(&o)
}

func (o Options) balance() float64 {
	if o.Balance == nil {
		return DefaultBalance
	}
	return *o.Balance
}

// eigen says how the eigenpairs are found.
func (o Options) eigen() eigen.Options {
	e := o.LE.Eigen
	e.K, e.Which, e.MaxIter = o.LE.Dims, eigen.Largest, cmp.Or(e.MaxIter, DefaultMaxIter)
	return e
}

// Model is a fitted embedding.
type Model struct {
	// Embedding is n×Dims, one row per point. Columns have yᵀD_W y = 1 before rows are normalised.
	// Rows of points outside are zero.
	Embedding *mat.Dense
	// Coordinates are the eigenvectors themselves: what Embedding was before its rows were normalised,
	// or the same matrix.
	Coordinates *mat.Dense
	// Values are the largest of yᵀ(γ·L_B + (1−γ)·W)y, descending. Residuals belong to the symmetric
	// operator.
	Values, Residuals []float64
	// Outside lists the points without a label and the single members of classes, ascending.
	Outside []int
	// Intra and Inter are the two graphs, with weights divided as the package comment says.
	Intra, Inter *graph.Graph
	Stats        eigen.Stats
}

// Fit embeds the rows of x. known holds a label, 0 to classes−1 or labels.Unknown, for each row,
// and at least one label of each class.
//
// It costs the two graphs (see Graphs), and 4 flops per edge and product of the eigensolver.
// Errors: a request that is wrong (errors.Is(err, fs.ErrInvalid)), the context's, and
// *eigen.NotConvergedError with a model of the coordinates found so far.
func Fit(ctx context.Context, x mat.Matrix, known []int, classes int, opt Options) (*Model, error) {
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	intra, inter, err := Graphs(ctx, x, known, classes, opt)
	if err != nil {
		return nil, err
	}
	m, err := FitGraphs(ctx, intra, inter, opt)
	if m != nil {
		labelled, single := 0, 0
		for i, k := range known {
			if k >= 0 {
				labelled++
				if intra.Degrees[i] == 0 {
					single++
				}
			}
		}
		if single > 0 {
			opt.LE.Graph.Observer.Warnf(Stage, "Without a neighbour of their own class, and so outside: %d of %d labelled points.", single, labelled)
		}
	}
	return m, err
}

// FitGraphs embeds the points of an intra-class graph and an inter-class graph. Points without an
// edge of the intra-class graph are outside.
func FitGraphs(ctx context.Context, intra, inter *graph.Graph, opt Options) (*Model, error) {
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	n := intra.W.NumRows
	if inter.W.NumRows != n {
		return nil, &sparse.ShapeError{Why: "the intra-class graph and the inter-class graph have different numbers of points"}
	}
	kept := make([]int, 0, n)
	for i := range n {
		if intra.Degrees[i] > 0 {
			kept = append(kept, i)
		}
	}
	skip := 1
	if opt.LE.Skip == le.SkipNone {
		skip = 0
	}
	if opt.LE.Dims < 1 {
		return nil, invalid.Errorf("the number of dimensions is %d; it must be at least 1", opt.LE.Dims)
	}
	if len(kept) == 0 {
		return nil, invalid.Errorf("no point has a neighbour of its own class: every class needs at least two labelled points")
	}
	if opt.LE.Dims > len(kept)-skip {
		return nil, invalid.Errorf("‹dims› %d is more than the %d that the %d points with a neighbour of their own class give: give fewer, or label more points", opt.LE.Dims, len(kept)-skip, len(kept))
	}
	w, b := intra.W.SelectRows(kept).SelectCols(kept), inter.W.SelectRows(kept).SelectCols(kept)
	p := newProblem(w, b, opt.balance(), skip == 1)
	r, err := eigen.Symmetric(ctx, p, opt.eigen())
	var stopped *eigen.NotConvergedError
	if err != nil && !errors.As(err, &stopped) || len(r.Values) == 0 {
		return nil, err
	}
	k := len(r.Values)
	m := &Model{Coordinates: mat.NewDense(n, k, nil), Values: make([]float64, k), Residuals: make([]float64, k), Intra: intra, Inter: inter, Stats: r.Stats}
	for a := range k {
		m.Values[a], m.Residuals[a] = r.Values[k-1-a], r.Residuals[k-1-a]
		for row, i := range kept {
			m.Coordinates.Set(i, a, r.Vectors.At(row, k-1-a)/p.root[row])
		}
	}
	for i := range n {
		if intra.Degrees[i] == 0 {
			m.Outside = append(m.Outside, i)
		}
	}
	m.Embedding = m.Coordinates
	if opt.LE.NormalizeRows {
		m.Embedding = rows.Normalized(m.Coordinates)
	}
	return m, err
}

// problem is the operator D_W^-1/2 (γ·L_B + (1−γ)·W) D_W^-1/2, minus a multiple of the constant's
// direction if that is to be left out.
type problem struct {
	w, b     *sparse.CSR // scaled from both sides
	diagonal []float64   // of γ·D_B, scaled
	root     []float64   // D_W^1/2
	constant []float64   // of unit length; nil if it is not left out
	sink     float64     // by which the constant's value is lowered, below all others
	gamma    float64
}

func newProblem(w, b *sparse.CSR, gamma float64, skip bool) *problem {
	n := w.NumRows
	p := &problem{gamma: gamma, root: make([]float64, n), diagonal: make([]float64, n)}
	inverse, total := make([]float64, n), 0.0
	for i, d := range w.RowSums() {
		p.root[i], inverse[i] = math.Sqrt(d), 1/math.Sqrt(d)
		total += d
	}
	most := 0.0
	for i, d := range b.RowSums() {
		p.diagonal[i] = gamma * d * inverse[i] * inverse[i]
		most = max(most, p.diagonal[i])
	}
	p.w, p.b = w.Scale(inverse, inverse), b.Scale(inverse, inverse)
	if skip {
		p.constant = make([]float64, n)
		for i, r := range p.root {
			p.constant[i] = r / math.Sqrt(total)
		}
		// The other values are at least the least value of (1−γ)·W, which is −(1−γ), and L_B adds at most
		// twice its largest degree.
		p.sink = 2 + 2*most
	}
	return p
}

func (p *problem) Dims() (r, c int) { return len(p.root), len(p.root) }

func (p *problem) MulBlock(dst, x blas64.General) {
	n := len(p.root)
	p.w.MulBlock(dst, x)
	other := blas64.General{Rows: n, Cols: x.Cols, Stride: x.Cols, Data: make([]float64, n*x.Cols)}
	if p.gamma > 0 {
		p.b.MulBlock(other, x)
	}
	along := make([]float64, x.Cols)
	for i := range n {
		d, o, v := dst.Data[i*dst.Stride:][:x.Cols], other.Data[i*other.Stride:][:x.Cols], x.Data[i*x.Stride:][:x.Cols]
		for j := range d {
			d[j] = (1-p.gamma)*d[j] + p.diagonal[i]*v[j] - p.gamma*o[j]
		}
		if p.constant != nil {
			for j := range d {
				along[j] += p.constant[i] * v[j]
			}
		}
	}
	if p.constant == nil {
		return
	}
	for i := range n {
		d := dst.Data[i*dst.Stride:][:x.Cols]
		for j := range d {
			d[j] -= p.sink * p.constant[i] * along[j]
		}
	}
}
