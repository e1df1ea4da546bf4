package gmm

import (
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// Memory estimates the bytes that [Fit] takes besides x: covariances and factors (8·K·d² if full),
// two n×K matrices (three with restarts or a start at means), a panel of about a megabyte per
// thread, partial sums of at most 16·d², and if components are few at most as many numbers as x,
// the memory of k-means, and a dense copy if x is not a *mat.Dense.
func Memory(x mat.Matrix, opt Options) int64 {
	opt = opt.withDefaults()
	n, d := x.Dims()
	N, D, K := int64(n), int64(d), int64(opt.K)
	b := 8 * K * (2*D + 8) // means and small arrays
	switch opt.Covariance {
	case Full:
		b += 8 * K * (D*D + (leaf+1)*D)
	case Tied:
		b += 8*(D*D+(leaf+1)*D) + 8*K*D
	default:
		b += 16 * K * D
	}
	matrices := int64(2)
	if opt.Restarts > 1 || opt.Start != nil {
		matrices = 3
	}
	b += 8*matrices*N*K + 8*N // posteriors, hints, orders
	b += int64(native.Threads()) * 2 * panelBytes(d)
	b += 8 * int64(partialBlocks(n, d, opt)) * opt.blockLen(d)
	if _, ok := x.(*mat.Dense); !ok {
		b += 8 * N * D
	}
	if opt.Start == nil && opt.StartPosterior == nil && n > 0 && d > 0 {
		var rows mat.Dense // only its shape matters
		rows.SetRawMatrix(blas64.General{Rows: n, Cols: d, Stride: d})
		b += kmeans.Memory(&rows, opt.kmeans(0))
	}
	return b
}

// blockLen is the number of values in one covariance.
func (o Options) blockLen(d int) int64 {
	if o.Covariance == Full || o.Covariance == Tied {
		return int64(d) * int64(d)
	}
	return int64(d)
}

func blocksOf(o Options) int {
	if o.Covariance == Tied {
		return 1
	}
	return o.K
}

func cols(x mat.Matrix) int {
	_, d := x.Dims()
	return d
}
