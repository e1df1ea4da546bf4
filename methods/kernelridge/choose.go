package kernelridge

import (
	"context"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// The grid, from the smoothest on: widths as multiples of the mean squared distance, ridges, and
// sharpnesses of the probabilities.
var (
	widths      = []float64{64, 8, 2, 1, 1. / 2, 1. / 4, 1. / 8, 1. / 16}
	ridges      = []float64{10, 3, 1, 0.3, 0.1, 0.03, 0.01, 3e-3, 1e-3, 3e-4, 1e-4}
	sharpnesses = []float64{1, 2, 4, 8, 16, 32, 64}
)

// choice is a width σ and a ridge λ, the sharpness of the probabilities, and the mean logarithm of
// the probability of labels that were left out.
type choice struct {
	sigma, ridge, sharpness, leftOut float64
}

// choose takes the width, ridge and sharpness under which labels that are left out are the most
// probable; of equals the smoothest. The only label of a class has no say, and where all are such
// the width is the mean squared distance.
func choose(ctx context.Context, dist blas64.Symmetric, class []int, classes int, opt Options) (choice, error) {
	mean, n := 0.0, float64(dist.N)
	for _, d := range dist.Data {
		mean += d / n / max(1, n-1)
	}
	if !(mean > 0) || math.IsInf(1/mean/slices.Min(widths), 1) {
		mean = 1 // of rows that are all the same
	}
	tried, list := make([]float64, len(widths)), ridges
	for i, f := range widths {
		tried[i] = f * mean
	}
	switch {
	case opt.Sigma > 0:
		tried = []float64{opt.Sigma}
	case apart(class, classes):
		tried = []float64{mean}
	}
	if opt.Ridge > 0 {
		list = []float64{opt.Ridge}
	}
	best := choice{leftOut: math.Inf(-1)}
	for at, sigma := range tried {
		if err := ctx.Err(); err != nil {
			return best, err
		}
		one, err := leaveOut(dist, class, classes, sigma, list)
		if err != nil {
			return best, err
		}
		if one.leftOut > best.leftOut {
			best = one
		}
		opt.Observer.Report(stage, int64(at+1), int64(len(tried)), "widths")
	}
	return best, nil
}

// apart says whether no two rows are of one class.
func apart(class []int, classes int) bool {
	counts := make([]int, classes)
	for _, k := range class {
		counts[k]++
	}
	return slices.Max(counts) < 2
}

// leaveOut finds the best ridge of a list, and the sharpness, with a kernel of one width.
func leaveOut(dist blas64.Symmetric, class []int, classes int, sigma float64, list []float64) (choice, error) {
	best := choice{leftOut: math.Inf(-1)}
	m, engine := dist.N, native.Default()
	k, _ := kernel(dist, sigma)
	values, u, err := engine.SymEig(k, native.EigRange{}, true)
	if err != nil {
		return best, err
	}
	y, shares := targets(class, classes)
	z, scaled, a := general(m, classes), general(m, classes), general(m, classes)
	engine.Gemm(blas.Trans, blas.NoTrans, 1, u, y, 0, z)
	for _, ridge := range list {
		left := make([]float64, m) // 1 − H_ii
		for j, v := range values {
			g := 1 / (max(0, v) + ridge)
			for c := range classes {
				scaled.Data[j*classes+c] = ridge * g * z.Data[j*classes+c]
			}
			for i := range left {
				w := u.Data[i*u.Stride+j]
				left[i] += w * w * ridge * g
			}
		}
		engine.Gemm(blas.NoTrans, blas.NoTrans, 1, u, scaled, 0, a) // y − f of all rows
		for i := range left {
			by := max(left[i]-1/float64(m), 1e-12)
			for c, s := range shares {
				a.Data[i*classes+c] = y.Data[i*classes+c] + s - a.Data[i*classes+c]/by
			}
		}
		for _, sharp := range sharpnesses {
			if p := likelihood(a, class, shares, sharp); p > best.leftOut {
				best = choice{sigma, ridge, sharp, p}
			}
		}
	}
	return best, nil
}

// likelihood is the mean logarithm of the probability of the class of each row whose class has
// another one, and that of chance if there is none: left out, the only row of a class cannot be
// placed right, and is the most probable under a kernel so narrow that it knows nothing.
func likelihood(f blas64.General, class []int, shares []float64, sharp float64) float64 {
	sum, judged := 0.0, 0
	for i, k := range class {
		if shares[k]*float64(len(class)) < 1.5 {
			continue
		}
		judged++
		row := f.Data[i*f.Stride:][:f.Cols]
		most, total := slices.Max(row), 0.0
		for _, v := range row {
			total += math.Exp(sharp * (v - most))
		}
		sum += sharp*(row[k]-most) - math.Log(total)
	}
	if judged == 0 {
		return -math.Log(float64(f.Cols))
	}
	return sum / float64(judged)
}

// general is a matrix of zeros.
func general(r, c int) blas64.General {
	return blas64.General{Rows: r, Cols: c, Stride: c, Data: make([]float64, r*c)}
}
