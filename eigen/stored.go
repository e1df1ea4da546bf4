package eigen

import (
	"context"
	"time"

	"github.com/eigenmap/eigenmap/eigen/internal/krylov"
	"github.com/eigenmap/eigenmap/eigen/internal/problem"
	"github.com/eigenmap/eigenmap/internal/store"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// storedResult is the head of the piece of finished eigenpairs. The vectors follow, row by row.
type storedResult struct {
	Values    store.FloatBits `json:"values"`
	Rows      int             `json:"rows"`
	Residuals store.FloatBits `json:"residuals"`
	Converged int             `json:"converged"`
	Stats     Stats           `json:"stats"`
}

// stored returns the eigenpairs that the store of the context has, or those that solve finds, which
// are added to it. key makes the key of the problem; it returns false for a problem without one.
func stored(ctx context.Context, opt Options, key func(h *store.Hasher) bool, solve func(context.Context) (*Result, error)) (*Result, error) {
	const kind = "eigenpairs"
	st := store.From(ctx)
	if st == nil {
		return solve(ctx)
	}
	h := store.NewHasher("eigenpairs 3")
	if !key(h) {
		return solve(ctx)
	}
	if opt.Start != nil {
		h.Matrix(opt.Start)
	}
	opt.Start = nil
	h.Value(opt)
	ctx = krylov.WithoutProblem(ctx) // that is solved around this one
	began := time.Now()
	var r *Result
	found, err := st.Read(kind, h.Key(), func(d *store.Decoder) { r = restoredResult(d) })
	if err != nil {
		return nil, err
	}
	if found {
		r.Stats.Total = time.Since(began)
		opt.Observer.Notef(problem.Stage, "The eigenpairs are the finished ones in %s.", st.Dir)
		return r, nil
	}
	r, err = solve(krylov.WithProblem(ctx, h.Key()))
	if err != nil || r.Vectors.IsEmpty() {
		return r, err
	}
	v := storedResult{Values: r.Values, Residuals: r.Residuals, Converged: r.Converged, Stats: r.Stats}
	v.Rows, _ = r.Vectors.Dims()
	return r, st.Write(kind, h.Key(), func(e *store.Encoder) {
		e.Value(v)
		for i := range v.Rows {
			e.Floats(r.Vectors.RawRowView(i))
		}
	})
}

// restoredResult reads the piece of finished eigenpairs.
func restoredResult(d *store.Decoder) *Result {
	var v storedResult
	d.Value(&v)
	k := len(v.Values)
	if !d.Failed() && (k == 0 || v.Rows < k || len(v.Residuals) != k) {
		d.Fail("it holds no eigenpairs")
	}
	if d.Failed() {
		return nil
	}
	r := &Result{Values: v.Values, Residuals: v.Residuals, Converged: v.Converged, Stats: v.Stats}
	var vectors []float64
	row := make([]float64, k)
	for range v.Rows { // no more is allocated than the piece has
		if d.Floats(row); d.Failed() {
			return nil
		}
		vectors = append(vectors, row...)
	}
	r.Vectors = mat.NewDense(v.Rows, k, vectors)
	return r
}

// Hasher makes the key under which a finished stage is stored, from everything that decides its
// result.
type Hasher = store.Hasher

// Hashed is an operator with a key made of its content, so that the eigenpairs that [Symmetric]
// finds can be stored, and read again by a run that resumes. A sparse matrix needs no such method.
type Hashed interface {
	Operator
	// Hash adds everything that the products depend on to the key.
	Hash(h *store.Hasher)
}

// hashOperator adds an operator to a key; it returns false if it is not known.
func hashOperator(h *store.Hasher, a Operator) bool {
	h.Text("symmetric")
	switch a := a.(type) {
	case *sparse.CSR:
		h.Matrix(a)
	case *problem.Scaled:
		h.Matrix(a.Matrix())
	case Hashed:
		a.Hash(h)
	default:
		return false
	}
	return true
}
