package svm

import (
	"context"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/methods/internal/pairs"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// decider is what several machines need for new rows: the weights, or the support vectors of any of them.
type decider struct {
	kernel  kernel
	columns int            // of the data
	bias    []float64      // of each machine
	weights blas64.General // linear: columns×machines
	support *pairs.Rows    // else; nil where no machine has any
	coef    blas64.General // β of the support vectors, rows×machines
}

func (t *Trainer) decider(ctx context.Context, machines []*Machine) (*decider, error) {
	k := len(machines)
	d := &decider{kernel: t.kernel, columns: t.data.D}
	var rows []int
	for i := range t.data.N {
		for _, m := range machines {
			if m.beta[i] != 0 {
				rows = append(rows, i)
				break
			}
		}
	}
	for _, m := range machines {
		d.bias = append(d.bias, m.bias)
	}
	if t.kernel.name == Linear {
		d.weights = blas64.General{Rows: t.data.D, Cols: k, Stride: k, Data: make([]float64, t.data.D*k)}
		for _, i := range rows {
			cols, vals := t.data.Row(i)
			for p, v := range vals {
				j := p
				if cols != nil {
					j = int(cols[p])
				}
				for c, m := range machines {
					d.weights.Data[j*k+c] += m.beta[i] * v
				}
			}
		}
		return d, nil
	}
	if len(rows) == 0 {
		return d, nil
	}
	var err error
	if d.support, err = pairs.New(ctx, subset(t.data, rows)); err != nil {
		return nil, err
	}
	d.coef = blas64.General{Rows: len(rows), Cols: k, Stride: k, Data: make([]float64, len(rows)*k)}
	for q, i := range rows {
		for c, m := range machines {
			d.coef.Data[q*k+c] = m.beta[i]
		}
	}
	return d, nil
}

// one is the decider of machine c, with the memory of all.
func (d *decider) one(c int) *decider {
	column := func(m blas64.General) blas64.General {
		if m.Data != nil {
			m.Cols, m.Data = 1, m.Data[c:]
		}
		return m
	}
	return &decider{kernel: d.kernel, columns: d.columns, bias: d.bias[c : c+1], weights: column(d.weights), support: d.support, coef: column(d.coef)}
}

// values is rows×machines.
func (d *decider) values(ctx context.Context, x mat.Matrix) (*mat.Dense, error) {
	r, err := pairs.New(ctx, x)
	if err != nil {
		return nil, err
	}
	if r.D != d.columns {
		return nil, invalid.Errorf("the rows have %d columns, but the machine was trained on %d: give the columns of the training rows", r.D, d.columns)
	}
	out := mat.NewDense(r.N, len(d.bias), nil)
	dst := out.RawMatrix()
	switch {
	case d.weights.Data != nil:
		err = d.multiply(ctx, r, dst)
	case d.support == nil:
		for i := range r.N {
			out.SetRow(i, d.bias)
		}
	default:
		if r, err = pairs.Like(ctx, x, d.support); err == nil {
			err = d.expand(ctx, r, dst)
		}
	}
	if err != nil {
		return nil, err
	}
	for i, v := range dst.Data {
		if v-v != 0 {
			return nil, invalid.Errorf("the decision value of row %d (counted from 0) overflows: it is too long beside the rows of the training", i/dst.Stride)
		}
	}
	return out, nil
}

// multiply is X·W + b.
func (d *decider) multiply(ctx context.Context, r *pairs.Rows, dst blas64.General) error {
	k := len(d.bias)
	return parallel.For(ctx, r.N, max(1, min(4096, (1<<18)/r.Work()/k)), func(_, lo, hi int) error {
		for i := lo; i < hi; i++ {
			to := dst.Data[i*dst.Stride:][:k]
			cols, vals := r.Row(i)
			for p, v := range vals {
				j := p
				if cols != nil {
					j = int(cols[p])
				}
				floats.AddScaled(to, v, d.weights.Data[j*d.weights.Stride:][:k])
			}
			floats.Add(to, d.bias)
		}
		return nil
	})
}

// expand is Σ_s coef[s]·K(x_i, s) + b. Rows of x go in panels against all support vectors; sums are taken in chunks of a fixed size. Memory: a panel, and 64 numbers
// a machine for every 256 support vectors.
func (d *decider) expand(ctx context.Context, x *pairs.Rows, dst blas64.General) error {
	p := pairs.NewPanel(x, d.support)
	k, n := len(d.bias), d.support.N
	chunks := parallel.Chunks(n, columns)
	part := make([]float64, chunks*p.Size()*k)
	tiles := make([][]float64, parallel.Workers(n, columns))
	for first := 0; first < x.N; first += p.Size() {
		rows := span(first, min(first+p.Size(), x.N))
		p.Load(rows)
		err := parallel.For(ctx, n, columns, func(w, lo, hi int) error {
			if tiles[w] == nil {
				tiles[w] = make([]float64, p.Size()*columns)
			}
			t := blas64.General{Rows: len(rows), Cols: hi - lo, Stride: hi - lo, Data: tiles[w]}
			d.kernel.tile(p, lo, t)
			sums := part[lo/columns*p.Size()*k:][:len(rows)*k]
			clear(sums)
			for q := range rows {
				sum := sums[q*k : (q+1)*k]
				for i, v := range t.Data[q*t.Stride : q*t.Stride+t.Cols] {
					for c, a := range d.coef.Data[(lo+i)*d.coef.Stride:][:k] {
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
			copy(to, d.bias)
			for chunk := range chunks {
				floats.Add(to, part[(chunk*p.Size()+q)*k:][:k])
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

// span lists the integers of [lo, hi).
func span(lo, hi int) []int32 {
	s := make([]int32, hi-lo)
	for i := range s {
		s[i] = int32(lo + i)
	}
	return s
}
