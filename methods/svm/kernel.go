package svm

import (
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/vecmath"
	"github.com/eigenmap/eigenmap/methods/internal/pairs"
	"gonum.org/v1/gonum/blas/blas64"
)

// columns is how many columns of a panel of the kernel a goroutine takes at once.
const columns = 256

// kernel is the kernel function of the options; gamma is never 0.
type kernel struct {
	name   Kernel
	gamma  float64
	offset float64
	degree int
}

// newKernel completes γ of the Gaussian kernel by the training rows.
func newKernel(rows *pairs.Rows, opt Options) kernel {
	k := kernel{name: opt.Kernel, gamma: opt.Gamma, offset: opt.Offset, degree: opt.Degree}
	if k.name == Gaussian {
		if k.gamma = 1 / opt.Sigma; opt.Sigma == 0 {
			k.gamma = scale(rows)
		}
	}
	return k
}

// scale is 1/(d·v), v the variance of all entries, zeros included.
func scale(r *pairs.Rows) float64 {
	sum, square := 0.0, 0.0
	for i := range r.N {
		_, vals := r.Row(i)
		for _, v := range vals {
			sum += v
		}
		square += r.SqNorm[i]
	}
	n, d := float64(r.N), float64(r.D)
	mean := sum / n / d
	if v := square/n - mean*mean*d; v > 0x1p-40*square/n && !math.IsInf(1/v, 1) { // v·d
		return 1 / v
	}
	return 1
}

// of turns a squared distance (Gaussian) or a dot product into the kernel.
func (k kernel) of(v float64) float64 {
	switch k.name {
	case Gaussian:
		return math.Exp(-k.gamma * v)
	case Polynomial:
		base, p := k.gamma*v+k.offset, 1.0
		for e := k.degree; e > 0; e >>= 1 {
			if e&1 == 1 {
				p *= base
			}
			base *= base
		}
		return p
	}
	return v
}

// diagonal returns K_ii. |K_ij| ≤ √(K_ii K_jj), so a finite diagonal is a finite kernel.
func (k kernel) diagonal(r *pairs.Rows) ([]float64, error) {
	diag := make([]float64, r.N)
	for i := range diag {
		if k.name == Gaussian {
			diag[i] = 1
			continue
		}
		if diag[i] = k.of(r.SqNorm[i]); !(diag[i] < math.MaxFloat64/1024) {
			return nil, invalid.At(i, -1, "the kernel of {} with itself overflows: give a smaller gamma or degree, or divide the data by a constant")
		}
	}
	return diag, nil
}

// tile sets dst[q, i] to the kernel of row q of the panel and row lo+i.
func (k kernel) tile(p *pairs.Panel, lo int, dst blas64.General) {
	if k.name == Gaussian {
		p.SqDists(lo, dst)
	} else {
		p.Dots(lo, dst)
	}
	if k.name == Linear {
		return
	}
	for q := range dst.Rows {
		row := dst.Data[q*dst.Stride : q*dst.Stride+dst.Cols]
		if k.name == Gaussian {
			for i, v := range row {
				row[i] = -k.gamma * v
			}
			vecmath.Exp(row)
			continue
		}
		for i, v := range row {
			row[i] = k.of(v)
		}
	}
}
