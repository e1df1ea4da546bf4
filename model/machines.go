package model

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/methods/svm"
	"github.com/eigenmap/eigenmap/methods/tsvm"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Machines is what support vector machines of one class against the others keep: weights of the terms, or support vectors. A new document goes to the
// class with the largest decision value, the lower one on a tie; so does a document that the machines learnt from with a label.
type Machines struct {
	Kernel  svm.Kernel
	Bias    []float64  // of each class
	Weights *mat.Dense // terms × classes, of the linear kernel; else nil

	Support      mat.Matrix // training rows, of the other kernels
	Coefficients *mat.Dense // support rows × classes
	Gamma        float64
	Degree       int
	Offset       float64
}

func keepTSVM(f Fitted) Part {
	m, ok := f.Model.(*tsvm.Model)
	if !ok || f.X == nil {
		return nil
	}
	p := &Machines{Kernel: m.Options.SVM.Kernel}
	k := len(m.Machines)
	for _, one := range m.Machines {
		p.Bias = append(p.Bias, one.Bias)
	}
	if p.Kernel == svm.Linear {
		p.Weights = mat.NewDense(len(m.Machines[0].Weights), k, nil)
		for c, one := range m.Machines {
			p.Weights.SetCol(c, one.Weights)
		}
		return p
	}
	p.Gamma, p.Degree, p.Offset = m.Options.SVM.Gamma, m.Options.SVM.Degree, *m.Options.SVM.Offset
	n, _ := f.X.Dims()
	var rows []int
	for i := range n {
		for _, one := range m.Machines {
			if one.Beta[i] != 0 {
				rows = append(rows, i)
				break
			}
		}
	}
	if len(rows) == 0 { // decided by the bias alone; a row without weight stands for the shape
		rows = []int{0}
	}
	p.Coefficients = mat.NewDense(len(rows), k, nil)
	for s, i := range rows {
		for c, one := range m.Machines {
			p.Coefficients.Set(s, c, one.Beta[i])
		}
	}
	p.Support = selected(f.X, rows)
	return p
}

// selected copies rows.
func selected(x mat.Matrix, rows []int) mat.Matrix {
	if s, ok := x.(*sparse.CSR); ok {
		return s.SelectRows(rows)
	}
	_, d := x.Dims()
	out := mat.NewDense(len(rows), d, nil)
	for s, i := range rows {
		mat.Row(out.RawRowView(s), i, x)
	}
	return out
}

func (*Machines) width() int { return 0 }

// window is how many new documents are compared with the support vectors at a time: 8·(terms + support vectors)·window bytes.
const window = 64

func (p *Machines) place(ctx context.Context, x mat.Matrix, _ progress.Observer) (*placement, error) {
	scores, err := p.scores(ctx, x)
	if err != nil {
		return nil, err
	}
	return &placement{labels: largest(scores), isolated: withoutEntries(x)}, nil
}

// scores are the decision values, rows × classes.
func (p *Machines) scores(ctx context.Context, x mat.Matrix) (*mat.Dense, error) {
	n, _ := x.Dims()
	k := len(p.Bias)
	scores := mat.NewDense(n, k, nil)
	switch s, isSparse := x.(*sparse.CSR); {
	case p.Kernel == svm.Linear && isSparse:
		s.MulBlock(scores.RawMatrix(), p.Weights.RawMatrix())
	case p.Kernel == svm.Linear:
		scores.Mul(x, p.Weights)
	default:
		length := squares(p.Support)
		for first := 0; first < n; first += window {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			last := min(first+window, n)
			scores.Slice(first, last, 0, k).(*mat.Dense).Mul(p.values(x, first, last, length).T(), p.Coefficients)
		}
	}
	for i := range n {
		row := scores.RawRowView(i)
		for c, b := range p.Bias {
			if row[c] += b; !finite(row[c]) {
				return nil, invalid.Errorf("the decision value of document %d overflows: it is too long beside those of the model", i+1)
			}
		}
	}
	return scores, nil
}

// values are the kernel's between all support vectors (rows) and the rows first to last of x (columns).
func (p *Machines) values(x mat.Matrix, first, last int, length []float64) *mat.Dense {
	rows := make([]int, last-first)
	for i := range rows {
		rows[i] = first + i
	}
	part := selected(x, rows)
	own := squares(part)
	if s, ok := part.(*sparse.CSR); ok {
		part = s.ToDense()
	}
	t := mat.DenseCopyOf(part.T())
	v := mat.NewDense(len(length), len(rows), nil)
	if s, ok := p.Support.(*sparse.CSR); ok {
		s.MulBlock(v.RawMatrix(), t.RawMatrix())
	} else {
		v.Mul(p.Support, t)
	}
	v.Apply(func(s, i int, dot float64) float64 {
		if p.Kernel == svm.Gaussian {
			return math.Exp(-p.Gamma * max(0, length[s]+own[i]-2*dot))
		}
		return math.Pow(p.Gamma*dot+p.Offset, float64(p.Degree))
	}, v)
	return v
}

// squares are the squared lengths of rows.
func squares(x mat.Matrix) []float64 {
	n, d := x.Dims()
	out := make([]float64, n)
	s, isSparse := x.(*sparse.CSR)
	row := make([]float64, d)
	for i := range out {
		vals := row
		if isSparse {
			_, vals = s.Row(i)
		} else {
			mat.Row(row, i, x)
		}
		for _, v := range vals {
			out[i] += v * v
		}
	}
	return out
}

func (p *Machines) fields(f *fields) {
	f.setting("kernel", &p.Kernel)
	f.floats("bias", &p.Bias)
	f.dense("weights", &p.Weights)
	if p.Kernel == svm.Linear {
		return
	}
	f.rows("support", &p.Support)
	f.dense("coefficients", &p.Coefficients)
	f.setting("gamma", &p.Gamma)
	f.setting("degree", &p.Degree)
	f.setting("offset", &p.Offset)
}

func (p *Machines) check(m *Model) error {
	k := len(p.Bias)
	if m.Clusters == nil || k != len(m.Clusters.Sizes) || k == 0 {
		return invalid.Errorf("the model has %d machines, which are not as many as its clusters", k)
	}
	if p.Kernel == svm.Linear {
		if p.Weights == nil {
			return invalid.Errorf("the model lacks its weights")
		}
		if r, c := p.Weights.Dims(); r != m.Rows.Columns || c != k {
			return invalid.Errorf("the model has %d × %d weights of %d columns and %d classes", r, c, m.Rows.Columns, k)
		}
		return nil
	}
	if p.Kernel != svm.Gaussian && p.Kernel != svm.Polynomial {
		return invalid.Errorf("the model has the unknown kernel %q", clip(string(p.Kernel)))
	}
	if p.Support == nil || p.Coefficients == nil {
		return invalid.Errorf("the model lacks its support vectors or their coefficients")
	}
	s, d := p.Support.Dims()
	if r, c := p.Coefficients.Dims(); r != s || c != k || d != m.Rows.Columns {
		return invalid.Errorf("the model has %d × %d coefficients of %d support vectors of %d columns", r, c, s, d)
	}
	if _, isSparse := p.Support.(*sparse.CSR); isSparse != m.Rows.Sparse {
		return invalid.Errorf("the model's support vectors are not stored as it says")
	}
	if !(p.Gamma > 0) || p.Degree < 1 && p.Kernel == svm.Polynomial || p.Offset < 0 {
		return invalid.Errorf("the model has the impossible kernel of γ %v, degree %d and offset %v", p.Gamma, p.Degree, p.Offset)
	}
	return nil
}
