package kernelridge

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/internal/pairs"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/logistic"
	"github.com/eigenmap/eigenmap/methods/svm"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

const stage = "kernel ridge"

const (
	// mostLooked are the labelled rows by which width and ridge are chosen, at most. On 41 tables
	// 300 choose as well as all of up to 500.
	mostLooked = 300
	// mostUsed are the labelled rows in the system, at most: their matrix has 32 MB.
	mostUsed = 2000
)

// Model are the coefficients, and probabilities and classes of all documents.
type Model struct {
	// Posterior has the probabilities of all documents, n×K.
	Posterior *mat.Dense
	// Labels are the most probable classes, the lower one on a tie; given labels stay.
	Labels []int
	// Sharpness is τ: the probabilities are in the ratios of exp(τ f).
	Sharpness float64
	// LeftOut is the mean logarithm of the probability that a labelled document had of its class when
	// it was left out, if the class has others.
	LeftOut float64
	Used    int     // labelled rows in the system
	Options Options // with σ and λ as they were taken

	placer *Placer
}

// Placer gives new documents their probabilities.
func (m *Model) Placer() *Placer { return m.placer }

// Fit trains on the rows of x with labels 0 to classes−1 or labels.Unknown, at least one of each of
// two classes or more. *sparse.CSR stays sparse.
//
// It takes the memory of [Bytes].
//
// Errors: fs.ErrInvalid for wrong options, for labels that labels.Check refuses and for values that
// are not finite or whose squares overflow; the context's.
func Fit(ctx context.Context, x mat.Matrix, known []int, classes int, opt Options) (*Model, error) {
	if x == nil {
		return nil, invalid.Errorf("there are no documents: the matrix is nil")
	}
	n, p := x.Dims()
	_, unfit := labels.Check(known, n, classes, nil)
	if err := invalid.Join(opt.Validate(), unfit); err != nil {
		return nil, err
	}
	x, err := rows.Checked(x)
	if err != nil {
		return nil, err
	}
	if classes > mostUsed {
		return nil, invalid.Errorf("there are %d classes, and at most %d labelled documents have a part in the system: choose ‹method› logistic", classes, mostUsed)
	}
	list := labels.Spread(known, classes, mostUsed)
	class := labels.Pick(known, list)
	own := rows.Select(x, list)
	if err := memory.Need(ctx, Bytes(n, len(list), p, classes, sizeOf(own)), "label fewer documents, or reduce the terms", "%s of %s", words.Plural(classes, "class", "classes"), words.Counted(len(list), "labelled document")); err != nil {
		return nil, err
	}
	data, err := pairs.New(ctx, own)
	if err != nil {
		return nil, err
	}
	dist, err := distances(ctx, data)
	if err != nil {
		return nil, err
	}
	looked := labels.Spread(class, classes, mostLooked)
	best, err := choose(ctx, part(dist, looked), labels.Pick(class, looked), classes, opt)
	if err != nil {
		return nil, err
	}
	m := &Model{Sharpness: best.sharpness, LeftOut: best.leftOut, Used: len(list), Options: opt}
	m.Options.Sigma, m.Options.Ridge = best.sigma, best.ridge
	m.Options.Observer = nil
	if m.placer, err = best.solve(own, dist, class, classes); err != nil {
		return nil, err
	}
	scores, err := m.placer.Scores(ctx, x)
	if err != nil {
		return nil, err
	}
	m.Labels = labels.Keep(rows.Largest(scores), known)
	m.Posterior = logistic.Probabilities(scores)
	return m, nil
}

// part returns the distances of the rows of a list.
func part(dist blas64.Symmetric, list []int) blas64.Symmetric {
	if dist.N == len(list) {
		return dist
	}
	out := square(len(list))
	for a, i := range list {
		for b, j := range list {
			out.Data[a*out.Stride+b] = dist.Data[i*dist.Stride+j]
		}
	}
	return out
}

// square is a matrix of zeros with n rows, of which both triangles are stored.
func square(n int) blas64.Symmetric {
	return blas64.Symmetric{N: n, Stride: n, Data: make([]float64, n*n), Uplo: blas.Upper}
}

// distances returns the squared distances between all rows.
func distances(ctx context.Context, data *pairs.Rows) (blas64.Symmetric, error) {
	n := data.N
	out := square(n)
	panel := pairs.NewPanel(data, data)
	for first := 0; first < n; first += panel.Size() {
		if err := ctx.Err(); err != nil {
			return out, err
		}
		list := pairs.Span(first, min(first+panel.Size(), n))
		panel.Load(list)
		panel.SqDists(0, blas64.General{Rows: len(list), Cols: n, Stride: n, Data: out.Data[first*n:]})
	}
	for a := range n { // products may differ in the last bit
		out.Data[a*n+a] = 0
		for b := range a {
			out.Data[a*n+b] = max(0, out.Data[b*n+a])
			out.Data[b*n+a] = out.Data[a*n+b]
		}
	}
	return out, nil
}

// kernel returns exp(−d²/σ) less the means of its rows and columns, and the means before.
func kernel(dist blas64.Symmetric, sigma float64) (blas64.Symmetric, []float64) {
	n := dist.N
	k, means, all := square(n), make([]float64, n), 0.0
	for a := range n {
		row := k.Data[a*n:][:n]
		for b, d := range dist.Data[a*dist.Stride:][:n] {
			row[b] = math.Exp(-d / sigma)
			means[a] += row[b] / float64(n)
		}
		all += means[a] / float64(n)
	}
	for a := range n {
		row := k.Data[a*n:][:n]
		for b := range row {
			row[b] += all - means[a] - means[b]
		}
	}
	return k, means
}

// targets returns 1 for the class of each row and 0 for the others, less the shares of the classes,
// and these.
func targets(class []int, classes int) (y blas64.General, shares []float64) {
	m := len(class)
	y, shares = blas64.General{Rows: m, Cols: classes, Stride: classes, Data: make([]float64, m*classes)}, make([]float64, classes)
	for _, k := range class {
		shares[k] += 1 / float64(m)
	}
	for i, k := range class {
		for c, s := range shares {
			y.Data[i*classes+c] = -s
		}
		y.Data[i*classes+k]++
	}
	return y, shares
}

// solve finds the coefficients of all rows by the width and ridge chosen.
func (c choice) solve(own mat.Matrix, dist blas64.Symmetric, class []int, classes int) (*Placer, error) {
	m := dist.N
	k, means := kernel(dist, c.sigma)
	for i := range m {
		k.Data[i*m+i] += c.ridge
	}
	engine := native.Default()
	if err := engine.Cholesky(k); err != nil {
		return nil, err
	}
	a, bias := targets(class, classes)
	u := blas64.Triangular{N: m, Stride: m, Data: k.Data, Uplo: blas.Upper, Diag: blas.NonUnit}
	engine.Trsm(blas.Left, blas.Trans, 1, u, a)
	engine.Trsm(blas.Left, blas.NoTrans, 1, u, a)
	for i, mean := range means {
		for j, v := range a.Data[i*classes:][:classes] {
			bias[j] -= mean * v
		}
	}
	for j := range bias {
		bias[j] *= c.sharpness
	}
	for e := range a.Data {
		a.Data[e] *= c.sharpness
	}
	return &Placer{Machines: svm.Placer{Kernel: svm.Gaussian, Bias: bias, Support: own, Coefficients: mat.NewDense(m, classes, a.Data), Gamma: 1 / c.sigma}}, nil
}
