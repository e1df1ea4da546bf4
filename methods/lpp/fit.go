package lpp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/panel"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/linear"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// Stage is the name under which notes go to the observer.
const Stage = "linear embedding"

// Model is a fitted linear embedding.
type Model struct {
	// Projection is p×d, one column per direction, with the signs of eigen.CanonicalSigns.
	Projection *mat.Dense
	// Mean is subtracted from documents before they are projected; nil if nothing was centred.
	Mean []float64
	// Embedding is n×d, the projected documents.
	Embedding *mat.Dense
	// Values are λ, from the wanted end.
	Values []float64
	// Residuals are ‖BᵀSB·a − μ·Ka‖/‖Ka‖ with K = BᵀB + αI, or ‖XᵀLX·a − λa‖/(‖a‖·max|λ|) for
	// Identity, measured on the final vectors.
	Residuals []float64
	// Stats describes the work of the solver.
	Stats eigen.Stats
	// NormalizeRows says that rows of the embedding have length 1.
	NormalizeRows bool
}

// Fit embeds the rows of x by a graph over them that needs no labels: their neighbour graph
// (graph.Build), or for the kind PCA the complete one; then FitGraph. The costs are theirs. The
// kind Classes is FitGraph with a ClassGraph.
func Fit(ctx context.Context, x mat.Matrix, opt Options) (*Model, error) {
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	if x == nil {
		return nil, invalid.Errorf("there is no matrix to embed")
	}
	n, _ := x.Dims()
	n = opt.Share.Among(n)
	switch opt.Kind {
	case PCA:
		return FitGraph(ctx, x, PCAGraph(n), opt)
	case Classes:
		return nil, invalid.Errorf("the graph of the classes needs labels: call FitGraph with a ClassGraph")
	}
	o := opt.Graph
	if o.Neighbors == 0 && o.Epsilon == 0 {
		o.Neighbors = min(DefaultNeighbors, max(1, n-1))
	}
	o.Share = opt.Share
	g, err := graph.Build(ctx, x, o)
	if err != nil {
		return nil, err
	}
	return FitGraph(ctx, x, Of(g), opt)
}

// FitGraph embeds the rows of x, n×p, by a graph over them: *sparse.CSR stays sparse, *mat.Dense is
// not copied. Ranks that divide the rows ([Options].Share) call it together, each with its own ones
// and its part of a neighbour graph, or a ClassGraph or PCAGraph of all documents; directions are
// on every rank.
//
// Cost, with q the smaller side: the dense way 4·entries·q flops for the Gram matrix, 9q³ for its
// eigenpairs and as much for the whitened problem, 24·q·(n + q) bytes, with n the own rows; the
// operator tens of products, each a regression of tens to thousands of steps of 4·entries flops,
// and vectors of length n + p.
//
// Errors: a request or data that are wrong (errors.Is(err, fs.ErrInvalid)): options, sizes, more
// directions than the documents span, values that are not finite, a dense way that is asked for and
// takes more than the context leaves; the context's; *eigen.NotConvergedError with a model of what
// was found; an inner regression that did not converge.
func FitGraph(ctx context.Context, x mat.Matrix, g Graph, opt Options) (*Model, error) {
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	opt = opt.ofKind()
	if opt.Dims < 1 {
		return nil, invalid.Errorf("the number of dimensions is %d; it must be at least 1", opt.Dims)
	}
	if x == nil {
		return nil, invalid.Errorf("there is no matrix to embed")
	}
	n, _ := x.Dims()
	if whole, ok := g.(groups); ok && opt.Share.Divided() {
		g = whole.part(opt.Share)
	}
	root, err := roots(g, n, opt.Share)
	if err != nil {
		return nil, err
	}
	p := &problem{opt: opt, mid: middle{g: g, root: root, degrees: opt.Constraint != Identity}}
	weight := root
	if !p.mid.degrees {
		weight = nil
	}
	if p.b, err = newDesign(ctx, opt.Share, x, weight, opt.Center == nil || *opt.Center); err != nil {
		return nil, err
	}
	p.alpha = opt.ridge() * p.b.Scale * p.b.Scale
	if opt.Dims > min(p.b.Rows, p.b.Cols) {
		return nil, p.tooMany(min(p.b.Rows, p.b.Cols))
	}
	var stopped *eigen.NotConvergedError
	found, err := p.solve(ctx)
	if err != nil && !errors.As(err, &stopped) {
		return nil, err
	}
	if len(found.values) == 0 {
		return nil, err
	}
	m, failed := p.model(ctx, x, found)
	if failed != nil {
		return nil, failed
	}
	return m, err
}

// problem is BᵀMB·a = value·Ka in the units of b.
type problem struct {
	opt   Options
	b     *design
	mid   middle
	alpha float64
	most  int64 // bytes that the choice of a way may take, on every rank
}

// solution holds μ (or λ for Identity) and the directions, p×k.
type solution struct {
	values []float64
	a      blas64.General
	stats  eigen.Stats
}

func (p *problem) tooMany(rank int) error {
	if rank == 0 {
		return invalid.Errorf("the documents do not differ, and span no direction: give others, or check that this is the right file")
	}
	return invalid.Errorf("‹dims› %d is more than the %s that the documents span: give ‹dims› %d", p.opt.Dims, words.Counted(rank, "direction"), rank)
}

// denseSide bounds the order of the Gram matrix for the dense way to be chosen: about 20 seconds on
// two cores.
const denseSide = 2500

// mostBytes is the most memory, in bytes, with which the dense way is chosen, and of the space of a
// Davidson iteration.
const mostBytes = 1 << 30

// denseBytes is the memory of the dense way for the smaller side q, on a rank that has some rows.
func denseBytes(q, rows int) int64 { return memory.Bytes(24, q, q+rows) }

func (p *problem) solve(ctx context.Context) (solution, error) {
	q, _ := p.b.side()
	p.most = ranks.Least(p.opt.Share, min(cmp.Or(p.opt.most, mostBytes), memory.Left(ctx)))
	fits := q <= denseSide && denseBytes(q, p.b.Rows) <= p.most
	asked := p.opt.Solver == eigen.Dense
	if asked {
		err := memory.Need(ctx, denseBytes(q, p.b.own), "use ‹solver› lanczos", "the Gram matrix of size %s with LAPACK", words.Thousands(q))
		if err = ranks.Agree(p.opt.Share, err); err != nil {
			return solution{}, err
		}
	}
	if asked || (p.opt.Solver == "" || p.opt.Solver == eigen.Auto) && fits {
		why := "it was asked for"
		if !asked {
			why = fmt.Sprintf("the Gram matrix has only %d rows", q)
		}
		p.opt.Observer.Detailf(Stage, "solver %s: %s", eigen.Dense, why)
		s, err := p.dense(ctx)
		s.stats.Solver, s.stats.Why = eigen.Dense, why
		return s, err
	}
	p.opt.Observer.Notef(Stage, "solver: an operator, because %d × %d data have no small Gram matrix within the memory", p.b.Rows, p.b.Cols)
	if p.mid.degrees {
		if p.alpha > 0 && p.upper() && (p.opt.Solver == "" || p.opt.Solver == eigen.Auto) {
			return p.davidson(ctx)
		}
		return p.projected(ctx)
	}
	return p.direct(ctx)
}

// upper says that the largest values of the middle operator are wanted: μ for the smallest λ.
func (p *problem) upper() bool { return p.mid.degrees == (p.opt.Which != eigen.Largest) }

// model scales the directions to the data, measures their residuals and projects the documents.
func (p *problem) model(ctx context.Context, x mat.Matrix, s solution) (*Model, error) {
	k := len(s.values)
	m := &Model{Projection: mat.NewDense(p.b.Cols, k, s.a.Data), Mean: p.b.Mean, Values: make([]float64, k), Stats: s.stats,
		NormalizeRows: p.opt.NormalizeRows}
	eigen.CanonicalSigns(m.Projection)
	var err error
	if m.Residuals, err = p.residuals(ctx, s); err != nil {
		return nil, err
	}
	for j, v := range s.values {
		if p.mid.degrees {
			m.Values[j] = 1 - v
		} else {
			m.Values[j] = v / p.b.Scale / p.b.Scale
		}
	}
	if p.mid.degrees && p.b.Scale != 1 {
		for i := range s.a.Data {
			s.a.Data[i] *= p.b.Scale
		}
	}
	m.Embedding, err = m.Transform(p.b.inner(ctx), x)
	return m, errors.Join(err, p.b.stopped(ctx))
}

func (p *problem) residuals(ctx context.Context, s solution) ([]float64, error) {
	n, d, k := p.b.own, p.b.Cols, len(s.values)
	ba, sba := panel.New(n, k), panel.New(n, k)
	left, right := panel.New(d, k), panel.New(d, k)
	if err := p.b.Mul(ctx, ba, s.a); err != nil {
		return nil, err
	}
	if err := p.b.MulT(ctx, right, ba); err != nil {
		return nil, err
	}
	p.mid.mul(sba, ba)
	if err := p.b.MulT(ctx, left, sba); err != nil {
		return nil, err
	}
	top := 0.0
	for _, v := range s.values {
		top = max(top, math.Abs(v))
	}
	out := make([]float64, k)
	for j := range k {
		rest, norm := 0.0, 0.0
		for i := range d {
			ka := s.a.Data[i*s.a.Stride+j]
			if p.mid.degrees {
				ka = right.Data[i*k+j] + p.alpha*ka
			}
			rest = math.Hypot(rest, left.Data[i*k+j]-s.values[j]*ka)
			norm = math.Hypot(norm, ka)
		}
		if !p.mid.degrees {
			norm *= top
		}
		if norm > 0 {
			out[j] = rest / norm
		}
	}
	return out, nil
}

// Placer places new documents in the embedding.
func (m *Model) Placer() *linear.Placer {
	return linear.Centered(m.Projection, m.Mean, m.NormalizeRows)
}

// Transform projects new documents, n×d; documents of the fit get their rows of Embedding. Costs
// and errors are as for linear.Placer.Project.
func (m *Model) Transform(ctx context.Context, x mat.Matrix) (*mat.Dense, error) {
	return m.Placer().Project(ctx, x)
}
