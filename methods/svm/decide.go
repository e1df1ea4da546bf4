package svm

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/methods/internal/pairs"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Placer decides new rows by machines of several classes, one class against the others: by the
// weights of the terms (linear kernel), or by the support vectors of any machine. A row goes to the
// class with the largest decision value, the lower one on a tie; so does a training row that had a
// label.
type Placer struct {
	Kernel  Kernel
	Bias    []float64  // of each machine
	Weights *mat.Dense // columns × machines, of the linear kernel; else nil

	Support      mat.Matrix // training rows, of the other kernels
	Coefficients *mat.Dense // β, support rows × machines
	Gamma        float64    // γ of the Gaussian and the polynomial kernel
	Degree       int
	Offset       float64

	support *pairs.Rows // of Support; nil if they were read from a file
}

var _ method.Placer = (*Placer)(nil)

// placer collects what the machines need for new rows.
func (t *Trainer) placer(ctx context.Context, machines []*Machine) (*Placer, error) {
	k := len(machines)
	p := &Placer{Kernel: t.kernel.name}
	var support []int
	for i := range t.data.N {
		for _, m := range machines {
			if m.beta[i] != 0 {
				support = append(support, i)
				break
			}
		}
	}
	for _, m := range machines {
		p.Bias = append(p.Bias, m.bias)
	}
	if p.Kernel == Linear {
		p.Weights = mat.NewDense(t.data.D, k, nil)
		weights := p.Weights.RawMatrix().Data
		for _, i := range support {
			cols, vals := t.data.Row(i)
			for e, v := range vals {
				j := e
				if cols != nil {
					j = int(cols[e])
				}
				for c, m := range machines {
					weights[j*k+c] += m.beta[i] * v
				}
			}
		}
		for j, v := range t.mean { // which the rows were less
			for c := range p.Bias {
				weights[j*k+c] /= t.scale[j]
				p.Bias[c] -= v * weights[j*k+c]
			}
		}
		return p, nil
	}
	p.Gamma, p.Degree, p.Offset = t.kernel.gamma, t.kernel.degree, t.kernel.offset
	if len(support) == 0 { // the bias alone decides; a row without weight gives the shape
		support = []int{0}
	}
	var err error
	p.Support = subset(t.data, support)
	if p.support, err = pairs.New(ctx, p.Support); err != nil {
		return nil, err
	}
	p.Coefficients = mat.NewDense(len(support), k, nil)
	for q, i := range support {
		for c, m := range machines {
			p.Coefficients.Set(q, c, m.beta[i])
		}
	}
	return p, nil
}

// one is machine c alone, with the memory of all.
func (p *Placer) one(c int) *Placer {
	out := *p
	out.Bias = p.Bias[c : c+1]
	column := func(m *mat.Dense) *mat.Dense {
		if m == nil {
			return nil
		}
		n, _ := m.Dims()
		return m.Slice(0, n, c, c+1).(*mat.Dense)
	}
	out.Weights, out.Coefficients = column(p.Weights), column(p.Coefficients)
	return &out
}

// columns is the number of columns of the training rows.
func (p *Placer) columns() int {
	if p.Kernel == Linear {
		return p.Weights.RawMatrix().Rows
	}
	_, d := p.Support.Dims()
	return d
}

// Decision returns the decision values of the rows of x, rows × machines. Errors are as for
// [Model.Decision].
func (p *Placer) Decision(ctx context.Context, x mat.Matrix) (*mat.Dense, error) {
	r, err := pairs.New(ctx, x)
	if err != nil {
		return nil, err
	}
	if d := p.columns(); r.D != d {
		return nil, invalid.Errorf("the rows have %d columns, but the machine was trained on %d: give the columns of the training rows", r.D, d)
	}
	out := mat.NewDense(r.N, len(p.Bias), nil)
	dst := out.RawMatrix()
	switch {
	case p.Kernel == Linear:
		err = p.multiply(ctx, r, dst)
	case mat.Norm(p.Coefficients, 1) == 0:
		for i := range r.N {
			out.SetRow(i, p.Bias)
		}
	default:
		err = p.expand(ctx, x, dst)
	}
	if err != nil {
		return nil, err
	}
	for i, v := range dst.Data {
		if v-v != 0 {
			return nil, invalid.At(i/dst.Stride, -1, "the decision value of {} overflows: it is too long beside the rows of the training")
		}
	}
	return out, nil
}

// multiply is X·W + b.
func (p *Placer) multiply(ctx context.Context, r *pairs.Rows, dst blas64.General) error {
	k, weights := len(p.Bias), p.Weights.RawMatrix()
	return parallel.For(ctx, r.N, max(1, min(4096, (1<<18)/r.Work()/k)), func(_, lo, hi int) error {
		for i := lo; i < hi; i++ {
			to := dst.Data[i*dst.Stride:][:k]
			cols, vals := r.Row(i)
			for e, v := range vals {
				j := e
				if cols != nil {
					j = int(cols[e])
				}
				floats.AddScaled(to, v, weights.Data[j*weights.Stride:][:k])
			}
			floats.Add(to, p.Bias)
		}
		return nil
	})
}

// expand is Σ_s coef[s]·K(x_i, s) + b. Rows of x go in panels against all support vectors; sums are
// taken in chunks of a fixed size. Memory: a panel, and 64 numbers per machine for every 256
// support vectors.
func (p *Placer) expand(ctx context.Context, fresh mat.Matrix, dst blas64.General) error {
	support := p.support
	if support == nil {
		var err error
		if support, err = pairs.New(ctx, p.Support); err != nil {
			return err
		}
	}
	x, err := pairs.Like(ctx, fresh, support)
	if err != nil {
		return err
	}
	values := kernel{name: p.Kernel, gamma: p.Gamma, offset: p.Offset, degree: p.Degree}
	panel, coef := pairs.NewPanel(x, support), p.Coefficients.RawMatrix()
	panel.FromApart = true
	k, n := len(p.Bias), support.N
	chunks := parallel.Chunks(n, columns)
	part := make([]float64, chunks*panel.Size()*k)
	tiles := make([][]float64, parallel.Workers(n, columns))
	for first := 0; first < x.N; first += panel.Size() {
		rows := pairs.Span(first, min(first+panel.Size(), x.N))
		panel.Load(rows)
		err := parallel.For(ctx, n, columns, func(w, lo, hi int) error {
			if tiles[w] == nil {
				tiles[w] = make([]float64, panel.Size()*columns)
			}
			t := blas64.General{Rows: len(rows), Cols: hi - lo, Stride: hi - lo, Data: tiles[w]}
			values.tile(panel, lo, t)
			sums := part[lo/columns*panel.Size()*k:][:len(rows)*k]
			clear(sums)
			for q := range rows {
				sum := sums[q*k : (q+1)*k]
				for i, v := range t.Data[q*t.Stride : q*t.Stride+t.Cols] {
					for c, a := range coef.Data[(lo+i)*coef.Stride:][:k] {
						sum[c] += a * v
					}
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		for q := range rows {
			to := dst.Data[(first+q)*dst.Stride:][:k]
			copy(to, p.Bias)
			for chunk := range chunks {
				floats.Add(to, part[(chunk*panel.Size()+q)*k:][:k])
			}
		}
	}
	return nil
}

// subset copies rows.
func subset(r *pairs.Rows, rows []int) mat.Matrix {
	if !r.Sparse() {
		out := mat.NewDense(len(rows), r.D, nil)
		for q, i := range rows {
			_, vals := r.Row(i)
			out.SetRow(q, vals)
		}
		return out
	}
	out := &sparse.CSR{NumRows: len(rows), NumCols: r.D, RowPtr: make([]int, 1, len(rows)+1)}
	for _, i := range rows {
		cols, vals := r.Row(i)
		out.Col, out.Val = append(out.Col, cols...), append(out.Val, vals...)
		out.RowPtr = append(out.RowPtr, len(out.Col))
	}
	return out
}
