package bench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	gonumblas "gonum.org/v1/gonum/blas/gonum"
	"gonum.org/v1/gonum/mat"
)

// denseSection measures the dense kernels that graphs and methods use, with every engine on the
// same matrices.
func denseSection(ctx context.Context, s *session) ([]Group, error) {
	m, p, n, k := 9394, 500, 2000, 50
	if s.Quick {
		m, p, n, k = 1000, 100, 300, 20
	}
	var groups []Group
	for _, task := range []func(context.Context, *session) (Group, error){
		func(ctx context.Context, s *session) (Group, error) { return gram(ctx, s, m, p) },
		func(ctx context.Context, s *session) (Group, error) { return gemm(ctx, s, m, p) },
		func(ctx context.Context, s *session) (Group, error) { return partialEigen(ctx, s, n, k) },
	} {
		g, err := task(ctx, s)
		if err != nil {
			return nil, err
		}
		groups = append(groups, g)
	}
	return groups, nil
}

// gram is XᵀX of an m×p matrix by syrk.
func gram(ctx context.Context, s *session, m, p int) (Group, error) {
	x := randomGeneral(m, p, s.Seed)
	flops := float64(m) * float64(p) * float64(p)
	results := map[string][]float64{}
	var all []Contestant
	for _, engine := range native.Engines() {
		all = append(all, Contestant{engine.Name(), side(engine.Name()), func(context.Context) (Outcome, error) {
			c := blas64.Symmetric{N: p, Stride: p, Data: make([]float64, p*p), Uplo: blas.Upper}
			engine.Syrk(blas.Trans, 1, x, 0, c)
			results[engine.Name()] = c.Data
			return Outcome{}, nil
		}})
	}
	all = append(all, Contestant{"gonum", Gonum, func(context.Context) (Outcome, error) {
		gonumblas.Implementation{}.Dsyrk(blas.Upper, blas.Trans, p, m, 1, x.Data, x.Stride, 0, make([]float64, p*p), p)
		return Outcome{}, nil
	}})
	all = append(all, s.numpy("numpy XᵀX", "gram", x)...)
	return s.denseGroup(ctx, fmt.Sprintf("syrk XᵀX, X %d×%d", m, p), all, flops, results)
}

// gemm is Xᵀ·Y of m×p matrices.
func gemm(ctx context.Context, s *session, m, p int) (Group, error) {
	x, y := randomGeneral(m, p, s.Seed), randomGeneral(m, p, s.Seed+1)
	flops := 2 * float64(m) * float64(p) * float64(p)
	results := map[string][]float64{}
	var all []Contestant
	for _, engine := range native.Engines() {
		all = append(all, Contestant{engine.Name(), side(engine.Name()), func(context.Context) (Outcome, error) {
			c := blas64.General{Rows: p, Cols: p, Stride: p, Data: make([]float64, p*p)}
			engine.Gemm(blas.Trans, blas.NoTrans, 1, x, y, 0, c)
			results[engine.Name()] = c.Data
			return Outcome{}, nil
		}})
	}
	all = append(all, Contestant{"gonum", Gonum, func(context.Context) (Outcome, error) {
		gonumblas.Implementation{}.Dgemm(blas.Trans, blas.NoTrans, p, p, m, 1, x.Data, x.Stride, y.Data, y.Stride, 0, make([]float64, p*p), p)
		return Outcome{}, nil
	}})
	all = append(all, s.numpy("numpy XᵀY", "gemm", x, y)...)
	return s.denseGroup(ctx, fmt.Sprintf("gemm XᵀY, X and Y %d×%d", m, p), all, flops, results)
}

// partialEigen is the k largest eigenpairs of a dense symmetric n×n matrix.
func partialEigen(ctx context.Context, s *session, n, k int) (Group, error) {
	square := randomGeneral(n, n, s.Seed)
	for i := range n {
		for j := range i {
			square.Data[i*n+j] = square.Data[j*n+i]
		}
	}
	results := map[string][]float64{}
	var all []Contestant
	for _, engine := range native.Engines() {
		all = append(all, Contestant{engine.Name(), side(engine.Name()), func(context.Context) (Outcome, error) {
			a := blas64.Symmetric{N: n, Stride: n, Data: cloneGeneral(square).Data, Uplo: blas.Upper}
			clock := startStopwatch()
			values, v, err := engine.SymEig(a, native.EigRange{First: n - k, Count: k}, true)
			o := clock.outcome(1, "")
			if err != nil {
				return Outcome{}, err
			}
			results[engine.Name()] = values
			r := denseResidual(engine, square, values, v)
			if !(r < 1e-8) {
				return Outcome{}, fmt.Errorf("residual %.1e", r)
			}
			o.Note = fmt.Sprintf("residual %.0e", r)
			return o, nil
		}})
	}
	all = append(all, Contestant{"gonum mat.EigenSym (all pairs)", Gonum, func(context.Context) (Outcome, error) {
		var e mat.EigenSym
		if !e.Factorize(mat.NewSymDense(n, square.Data), true) {
			return Outcome{}, errors.New("did not converge")
		}
		return Outcome{}, nil
	}})
	all = append(all, s.numpy(fmt.Sprintf("SciPy eigh (subset of %d)", k), fmt.Sprintf("eigh:%d", k), square)...)
	return s.denseGroup(ctx, fmt.Sprintf("SymEig, %d largest pairs of %d×%d", k, n, n), all, 0, results)
}

// denseResidual is max ‖a·v − λv‖ over the columns, relative to the largest |λ|.
func denseResidual(engine native.Engine, a blas64.General, values []float64, v blas64.General) float64 {
	av := blas64.General{Rows: v.Rows, Cols: v.Cols, Stride: v.Cols, Data: make([]float64, v.Rows*v.Cols)}
	engine.Gemm(blas.NoTrans, blas.NoTrans, 1, a, v, 0, av)
	var worst, scale float64
	for j, lambda := range values {
		var sum float64
		for i := range v.Rows {
			d := av.Data[i*av.Stride+j] - lambda*v.Data[i*v.Stride+j]
			sum += d * d
		}
		worst, scale = max(worst, math.Sqrt(sum)), max(scale, math.Abs(lambda))
	}
	return worst / scale
}

// denseGroup compares the engines. It adds the rate if the operation has a fixed number of flops,
// and how far the engines' results are apart.
func (s *session) denseGroup(ctx context.Context, title string, all []Contestant, flops float64, results map[string][]float64) (Group, error) {
	g, err := s.compare(ctx, title, all)
	if err != nil {
		return g, err
	}
	if flops > 0 {
		for i, r := range g.Rows {
			if r.Runs > 0 {
				g.Rows[i].Note = s.rate(flops, r.Median)
			}
		}
	}
	if a, b := results["openblas"], results["go"]; a != nil && b != nil {
		g.Notes = append(g.Notes, fmt.Sprintf("the engines' results differ by %.0e relative to the largest entry", difference(a, b)))
	}
	return g, nil
}

// difference is max |a−b| / max |b|.
func difference(a, b []float64) float64 {
	var d, scale float64
	for i := range a {
		d, scale = max(d, math.Abs(a[i]-b[i])), max(scale, math.Abs(b[i]))
	}
	if scale == 0 {
		return d
	}
	return d / scale
}

// numpy is the peer's contestant of a dense task, none if there are no peers.
func (s *session) numpy(name, task string, matrices ...blas64.General) []Contestant {
	if s.peer == nil {
		return nil
	}
	var files []string
	for i, m := range matrices {
		path, err := s.export(fmt.Sprintf("dense-%s-%d", task[:4], i), mat.NewDense(m.Rows, m.Cols, m.Data))
		if err != nil {
			return []Contestant{{name, Peer, func(context.Context) (Outcome, error) { return Outcome{}, err }}}
		}
		files = append(files, path)
	}
	return []Contestant{{name, Peer, func(ctx context.Context) (Outcome, error) {
		answer, err := s.peer.ask(ctx, peerTask{Task: "dense", What: task, Files: files})
		return Outcome{Seconds: answer.Seconds, CPU: answer.CPU, Note: answer.Note}, err
	}}}
}

// randomGeneral is an r×c matrix of normal numbers.
func randomGeneral(r, c int, seed uint64) blas64.General {
	rng := rand.New(rand.NewPCG(seed, 0x64656e7365))
	data := make([]float64, r*c)
	for i := range data {
		data[i] = rng.NormFloat64()
	}
	return blas64.General{Rows: r, Cols: c, Stride: c, Data: data}
}
