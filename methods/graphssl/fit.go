package graphssl

import (
	"context"
	"errors"
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/internal/cg"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/shares"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

const stage = "graph-based learning"

// Model are scores and labels of all documents.
type Model struct {
	// F is n×classes: column k minimises the objective of class k.
	F *mat.Dense
	// Labels are the classes of the largest score, the lower one on a tie.
	Labels []int
	// W is W̄, n×n: w_ij on edges to labelled, β·w_ij on edges to unlabelled documents, symmetric.
	W *sparse.CSR
	// Coupling is a = α/(k + βk') in (C + a·L)f = C·y.
	Coupling float64
	// HeatWidth is the t of the heat kernel, 0 for other weights.
	HeatWidth float64
	// Lonely unlabelled documents, ascending: without neighbours, they keep the start's scores.
	Lonely []int
	// Residual is the largest |C(f − y) + aLf| over C + aD, row by row, over the largest power of two
	// up to the largest target or start.
	Residual float64
	// Iterations are products with W.
	Iterations int
	Options    Options // with defaults filled in
}

// Fit learns the classes of the rows of x, n of them, from labels 0 to classes−1 or labels.Unknown,
// at least one of each class. start is n×classes: the scores that a classifier trained on the
// labelled documents gives, in the units of Options.Targets (decision values of one-against-all
// support vector machines with signed targets). The rows of labelled documents are not read.
//
// Cost: the search for neighbours (graph.Nearest among the unlabelled, graph.NearestAmong for the
// labelled), then some tens of block products of 2·nnz·classes flops. Memory: a copy of x, about
// 72 bytes per edge, 8 blocks of n·classes numbers.
//
// Errors: fs.ErrInvalid for wrong options, for labels that labels.Check refuses, for a start that
// is missing, of another shape or not finite, for data that graph.Nearest refuses and for more
// memory than allowed; the context's; and *NotConvergedError, with the model of what was reached.
func Fit(ctx context.Context, x mat.Matrix, known []int, classes int, start mat.Matrix, opt Options) (*Model, error) {
	if x == nil {
		return nil, invalid.Errorf("there are no documents: the matrix is nil")
	}
	n, _ := x.Dims()
	_, unfit := labels.Check(known, n, classes, nil)
	if err := invalid.Join(opt.Validate(), unfit, checkStart(start, n, classes)); err != nil {
		return nil, err
	}
	p, err := part(x, known)
	if err != nil {
		return nil, err
	}
	labelled := 0
	for _, k := range known {
		if k != labels.Unknown {
			labelled++
		}
	}
	opt = opt.withDefaults(p.s != nil, labelled, n-labelled)
	edges := float64(n-labelled) * float64(opt.LabeledNeighbors+opt.Neighbors)
	if err := memory.Need(ctx, solveBytes(n, classes, edges), "take fewer ‹neighbors›", "%s and %s with %.3g edges",
		words.Counted(n, "document"), words.Plural(classes, "class", "classes"), edges); err != nil {
		return nil, err
	}
	values, exponent, err := dongles(known, classes, start, opt)
	if err != nil {
		return nil, err
	}
	m := &Model{Options: opt, Coupling: opt.Alpha / (float64(opt.LabeledNeighbors) + *opt.Beta*float64(opt.Neighbors))}
	if m.W, m.HeatWidth, err = p.affinity(ctx, opt); err != nil {
		return nil, err
	}
	if opt.Weight != graph.Heat {
		m.HeatWidth = 0
	}
	for _, i := range m.W.EmptyRows() {
		if known[i] == labels.Unknown {
			m.Lonely = append(m.Lonely, i)
		}
	}
	if len(m.Lonely) > 0 {
		opt.Observer.Warnf(stage, "%d of %d unlabelled documents %s.", len(m.Lonely), n-labelled,
			words.Verb(len(m.Lonely), "has no neighbours and keeps the scores that it starts with", "have no neighbours and keep the scores that they start with"))
	}
	unsolved := m.solve(ctx, known, values)
	var stopped *NotConvergedError
	if unsolved != nil && !errors.As(unsolved, &stopped) {
		return nil, unsolved
	}
	m.finish(exponent)
	return m, unsolved
}

func checkStart(start mat.Matrix, n, classes int) error {
	if start == nil {
		return invalid.Errorf("there are no predictions to start from: give the scores of a classifier, one row per document and one column per class")
	}
	if r, c := start.Dims(); r != n || c != classes {
		return invalid.Errorf("the predictions to start from are %d × %d, but there are %d documents and %d classes", r, c, n, classes)
	}
	return nil
}

// dongles are the values y over 2^exponent, so that the largest is between 1 and 2, or less if that
// is a target.
func dongles(known []int, classes int, start mat.Matrix, opt Options) (blas64.General, int, error) {
	n := len(known)
	y := blas64.General{Rows: n, Cols: classes, Stride: classes, Data: make([]float64, n*classes)}
	other := -1.0
	if opt.Targets == Indicator {
		other = 0
	}
	largest := 1.0
	for i, class := range known {
		row := y.Data[i*classes : (i+1)*classes]
		for k := range row {
			if class != labels.Unknown {
				row[k] = other
				continue
			}
			v := start.At(i, k)
			if v-v != 0 {
				return y, 0, invalid.At(i, -1, "the prediction to start from of {} and class %d (counted from 0) is %v: give finite scores", k, v)
			}
			row[k] = v
			largest = max(largest, math.Abs(v))
		}
		if class != labels.Unknown {
			row[class] = 1
		}
	}
	exponent := math.Ilogb(largest)
	if exponent > 0 {
		for i, v := range y.Data {
			y.Data[i] = math.Ldexp(v, -exponent)
		}
	}
	return y, exponent, nil
}

// solve sets F. With m_i = c_i + a·d_i and u_i = √m_i·f_i, (C + aL)f = Cy is u − Tu = b, T_ij =
// a·w̄_ij/√(m_i m_j), b_i = c_i y_i/√m_i.
func (m *Model) solve(ctx context.Context, known []int, y blas64.General) error {
	n, k := y.Rows, y.Cols
	root, inverse := make([]float64, n), make([]float64, n)
	b := blas64.General{Rows: n, Cols: k, Stride: k, Data: make([]float64, n*k)}
	degrees := m.W.RowSums()
	for i := range n {
		c := 1.0
		if known[i] != labels.Unknown {
			c = m.Options.LabelWeight
		}
		mass := c + m.Coupling*degrees[i]
		if math.IsInf(mass, 1) {
			return invalid.At(i, -1, "alpha times the weights at {} is beyond floating point: give a smaller alpha, or scale the data down")
		}
		root[i] = math.Sqrt(mass)
		inverse[i] = 1 / root[i]
		for j := i * k; j < (i+1)*k; j++ {
			b.Data[j] = c / root[i] * y.Data[j]
			y.Data[j] *= root[i] // where the solution starts
		}
	}
	scaled := make([]float64, n) // a goes with one side, so that nothing overflows that m can hold
	for i, v := range inverse {
		scaled[i] = m.Coupling * v
	}
	t := m.W.Scale(scaled, inverse)
	result, err := cg.Solve(ctx, cg.System{T: t, Weight: inverse, B: b}, y, cg.Options{Tol: m.Options.Tol, MaxIter: m.Options.MaxIter, Stage: stage, Observer: m.Options.Observer})
	m.Iterations, m.Residual = result.Iterations, result.Residual
	for i := range n {
		for j := i * k; j < (i+1)*k; j++ {
			y.Data[j] *= inverse[i]
		}
	}
	m.F = mat.NewDense(n, k, y.Data)
	return err
}

// finish gives F its units back and sets the labels.
func (m *Model) finish(exponent int) {
	n, _ := m.F.Dims()
	m.Labels = make([]int, n)
	for i := range n {
		row, best := m.F.RawRowView(i), math.Inf(-1)
		for j, v := range row {
			if v > best {
				m.Labels[i], best = j, v
			}
			row[j] = math.Ldexp(v, max(0, exponent))
		}
	}
}

// Decide adds a number to the scores of each class in the rows of the documents without a label,
// so that the classes have the given shares of these, of sum 1, and sets their labels by the new
// scores. known are the labels of [Fit]. nil shares change nothing. It takes what [shares.Offsets]
// takes.
func (m *Model) Decide(known []int, list []float64) {
	if list == nil {
		return
	}
	var open []float64
	for i, k := range known {
		if k == labels.Unknown {
			open = append(open, m.F.RawRowView(i)...)
		}
	}
	add := shares.Offsets(open, list)
	for i, k := range known {
		if k == labels.Unknown {
			row := m.F.RawRowView(i)
			for c, v := range add {
				row[c] += v
			}
			m.Labels[i] = floats.MaxIdx(row)
		}
	}
}
