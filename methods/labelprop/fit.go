package labelprop

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/vecmath"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/internal/cg"
	"github.com/eigenmap/eigenmap/methods/labels"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

const stage = "label propagation"

// Fit carries labels over the graph of the rows of x: graph.Build, then [FitGraph].
func Fit(ctx context.Context, x mat.Matrix, known []int, classes int, opt Options) (*Model, error) {
	if x == nil {
		return nil, invalid.Errorf("there are no documents: the matrix is nil")
	}
	n, _ := x.Dims()
	if err := check(ctx, known, n, n, classes, 0, opt); err != nil { // before the long work
		return nil, err
	}
	opt = opt.withDefaults()
	g, err := graph.Build(ctx, x, opt.Graph)
	if err != nil {
		return nil, err
	}
	return FitGraph(ctx, g, known, classes, opt)
}

// FitGraph carries labels over a graph: known holds a label from 0 to classes−1, or labels.Unknown,
// for each of its n points, with at least one label of each class.
//
// Cost: an iteration is a block product (2·nnz·classes flops) and 10·n·classes flops; conjugate
// gradients take some tens of iterations (Alpha 0.99) to some hundreds (Zhu) at the default
// tolerance. Memory: 6 blocks of n·classes numbers and a copy of the graph.
//
// The ranks of a shared graph fit together: each gives the labels of its own points, and gets their
// rows.
//
// Errors: fs.ErrInvalid for wrong options, for labels that labels.Check refuses, for weights beyond
// floating point and for more memory than allowed; the context's; and *NotConvergedError, with the
// model of what was reached.
func FitGraph(ctx context.Context, g *graph.Graph, known []int, classes int, opt Options) (*Model, error) {
	n, all := g.Len(), ranks.GatherInts(g.Share, known)
	if err := ranks.Agree(g.Share, check(ctx, all, g.Total(), n, classes, g.W.NNZ(), opt)); err != nil {
		return nil, err
	}
	opt = opt.withDefaults()
	of, err := labels.Check(all, g.Total(), classes, nil)
	if err != nil {
		return nil, err
	}
	m := &Model{F: mat.NewDense(n, classes, nil), Prior: priorOf(opt.Prior, of), Graph: g, Options: opt}
	s, err := newSystem(g, known, all, m)
	if err != nil {
		return nil, err
	}
	unsolved := s.solve(ctx)
	var stopped *NotConvergedError
	if unsolved != nil && !errors.As(unsolved, &stopped) {
		return nil, unsolved
	}
	if err := ranks.Agree(g.Share, s.residual(ctx)); err != nil {
		return nil, err
	}
	m.finish(known, s.reached)
	if lost := ranks.Count(g.Share, len(m.Unreached)); lost > 0 {
		opt.Observer.Warnf(stage, "No label reaches %d of %d documents: they get the prior shares of the classes.", lost, g.Total())
	}
	return m, unsolved
}

// check refuses options and labels that do not fit, of n documents, of which own are here with the
// given number of entries of the graph.
func check(ctx context.Context, known []int, n, own, classes, entries int, opt Options) error {
	_, unfit := labels.Check(known, n, classes, nil)
	errs := []error{opt.Validate(), unfit}
	if opt.Prior != nil && len(opt.Prior) != classes {
		errs = append(errs, invalid.Errorf("there are priors of %d classes, but %d classes: give one for each", len(opt.Prior), classes))
	}
	errs = append(errs, memory.Need(ctx, Bytes(own, classes, entries), "give fewer classes", "label propagation of %s and %s",
		words.Counted(n, "document"), words.Plural(classes, "class", "classes")))
	return invalid.Join(errs...)
}

// system is the form's equation on the free documents: those with α_i > 0 and an edge in a
// component with a label. F of all others is known.
type system struct {
	g       *graph.Graph
	known   []int // labels of the documents that are here
	all     []int // and of the documents of all ranks
	m       *Model
	reached []bool // in a component with a label
	free    []int
	largest float64 // degree, of all ranks
}

func newSystem(g *graph.Graph, known, all []int, m *Model) (*system, error) {
	s := &system{g: g, known: known, all: all, m: m, reached: make([]bool, len(known))}
	labelled := make([]float64, g.Components) // 1 with a label
	for i, k := range known {
		if k != labels.Unknown {
			labelled[g.Component[i]] = 1
		}
	}
	ranks.Largest(g.Share, labelled)
	least := math.Inf(1)
	for i, k := range known {
		s.reached[i] = labelled[g.Component[i]] > 0
		d := g.Degrees[i]
		if d > 0 {
			s.largest, least = max(s.largest, d), min(least, d)
		}
		if s.reached[i] && d > 0 && m.Options.alpha(k != labels.Unknown) > 0 {
			s.free = append(s.free, i)
			continue
		}
		if k != labels.Unknown { // α_i = 0, or a walk that cannot leave
			v := 1.0
			if m.Options.Form == Zhou {
				v = 1 - m.Options.Alpha
			}
			m.F.Set(i, k, v)
		}
	}
	ends := []float64{s.largest, -least}
	ranks.Largest(g.Share, ends)
	s.largest, least = ends[0], -ends[1]
	if math.IsInf(s.largest, 1) || s.largest > 0 && !(least/s.largest > 1e-290) {
		return nil, invalid.Errorf("the degrees of the graph run from %.3g to %.3g, more than a float64 can scale: use other weights", least, s.largest)
	}
	return s, nil
}

// solve sets F of the free documents. In Nie's and Zhu's forms row i of the equation times d_i/α_i
// is (d_i/α_i)·f_i − Σ_j w_ij f_j = (d_i/α_i)(1−α_i)·y_i, and with u_i = root_i·f_i, root_i =
// √(d_i/α_i), it is u − Tu = b, T_ij = w_ij/(root_i·root_j), b_i = root_i(1−α_i)·y_i + Σ_{j not
// free} w_ij f_j / root_i. In Zhou's form u is F itself.
func (s *system) solve(ctx context.Context) error {
	opt, n, k := s.m.Options, len(s.free), len(s.m.Prior)
	share := ranks.NewShare(s.g.Share, n)
	if share.Total() == 0 {
		return nil
	}
	root, inverse := make([]float64, n), make([]float64, n) // root over its value at the largest degree; 1/√(d_i/α_i)
	for r, i := range s.free {
		alpha := opt.alpha(s.known[i] != labels.Unknown)
		root[r] = math.Sqrt(s.g.Degrees[i] / s.largest / alpha)
		inverse[r] = 1 / math.Sqrt(s.g.Degrees[i]/alpha)
	}
	free, t := s.everyFree(), s.g.W
	if len(free) < s.g.Total() {
		t = t.SelectRows(s.free).SelectCols(free)
	}
	t = t.Scale(inverse, ranks.GatherFloats(share, inverse))
	b, u, weight := s.rightSide(root, free)
	method := cg.Solve
	if opt.Solver == Iteration {
		method = cg.Iterate
	}
	result, err := method(ctx, cg.System{T: eigen.SharedMatrix(share, t), Share: share, Weight: weight, B: b}, u, cg.Options{Tol: opt.Tol, MaxIter: opt.MaxIter, Stage: stage, Observer: opt.Observer})
	s.m.Iterations = result.Iterations
	for r, i := range s.free {
		scale := weight[r]
		for j, v := range u.Data[r*k : (r+1)*k] {
			s.m.F.Set(i, j, v*scale)
		}
	}
	return err
}

// rightSide returns b of [system.solve], where u starts, and the weights by which u becomes F; free
// are the free documents of all ranks.
func (s *system) rightSide(root []float64, free []int) (b, u blas64.General, weight []float64) {
	opt, n, k := s.m.Options, len(s.free), len(s.m.Prior)
	fixed := make([]bool, s.g.Total()) // of all ranks' documents: not free
	for i := range fixed {
		fixed[i] = true
	}
	for _, i := range free {
		fixed[i] = false
	}
	block := func() blas64.General {
		return blas64.General{Rows: n, Cols: k, Stride: k, Data: make([]float64, n*k)}
	}
	b, u, weight = block(), block(), make([]float64, n)
	for r, i := range s.free {
		row, start := b.Data[r*k:(r+1)*k], u.Data[r*k:(r+1)*k]
		class := s.known[i]
		if opt.Form == Zhou {
			weight[r] = 1
			if class != labels.Unknown {
				row[class] = 1 - opt.Alpha
			}
			continue
		}
		weight[r] = 1 / root[r]
		alpha := opt.alpha(class != labels.Unknown)
		if class != labels.Unknown {
			row[class] = root[r] * (1 - alpha)
		}
		cols, vals := s.g.W.Row(i)
		for e, j := range cols {
			if fixed[j] { // a labelled document with α = 0: its row of F is its label
				row[s.all[j]] += root[r] * (alpha * (vals[e] / s.g.Degrees[i]))
			}
		}
		if opt.alpha(false) == 1 { // nothing is novel: rows sum to 1 from the start
			for j, v := range s.m.Prior {
				start[j] = root[r] * v
			}
		}
	}
	return b, u, weight
}

// everyFree are the free documents of all ranks, ascending.
func (s *system) everyFree() []int {
	own := slices.Clone(s.free)
	for at := range own {
		own[at] += s.g.Share.First()
	}
	return ranks.GatherInts(s.g.Share, own)
}

// residual sets Model.Residual by the form's own equation.
func (s *system) residual(ctx context.Context) error {
	opt, f := s.m.Options, s.m.F.RawMatrix()
	n, k := f.Rows, f.Cols
	w := s.g.W
	if opt.Form == Zhou { // F − αSF = F − αD^-1/2·W·(D^-1/2 F)
		inverse := vecmath.InverseRoots(s.g.Degrees)
		w = w.Scale(inverse, ranks.GatherFloats(s.g.Share, inverse))
	}
	product := mat.NewDense(n, k, nil).RawMatrix()
	eigen.SharedMatrix(s.g.Share, w).MulBlock(product, f)
	const rows = 512
	most := make([]float64, parallel.Chunks(n, rows))
	err := parallel.For(ctx, n, rows, func(_, lo, hi int) error {
		worst := 0.0
		for i := lo; i < hi; i++ {
			alpha, d := opt.alpha(s.known[i] != labels.Unknown), s.g.Degrees[i]
			switch {
			case opt.Form == Zhou:
				d = 1 // the product has its degrees
			case d == 0:
				d, alpha = 1, 0
			}
			for j := range k {
				y := 0.0
				if s.known[i] == j {
					y = 1
				}
				v := math.Abs(f.Data[i*k+j] - alpha*(product.Data[i*k+j]/d) - (1-alpha)*y)
				if !(v <= worst) {
					worst = v
				}
			}
		}
		most[lo/rows] = worst
		return nil
	})
	for _, v := range most {
		if !(v <= s.m.Residual) {
			s.m.Residual = v
		}
	}
	worst := []float64{s.m.Residual}
	ranks.Largest(s.g.Share, worst)
	s.m.Residual = worst[0]
	return err
}
