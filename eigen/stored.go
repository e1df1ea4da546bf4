package eigen

import (
	"context"
	"encoding/json"
	"time"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/store"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// storedResult is the piece of finished eigenpairs.
type storedResult struct {
	Values    store.FloatBits `json:"values"`
	Rows      int             `json:"rows"`
	Vectors   store.FloatBits `json:"vectors"`
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
	h := store.NewHasher("eigenpairs 1")
	if !key(h) {
		return solve(ctx)
	}
	if opt.Start != nil {
		h.Matrix(opt.Start)
	}
	opt.Start = nil
	h.Value(opt)
	ctx = context.WithValue(ctx, solveKey{}, (*solveState)(nil)) // of an outer problem
	text, err := st.Find(kind, h.Key())
	if err != nil {
		return nil, err
	}
	if text != nil {
		r, err := restoredResult(text)
		if err == nil {
			opt.Observer.Notef(stage, "The eigenpairs are the finished ones in %s.", st.Dir)
		}
		return r, err
	}
	r, err := solve(context.WithValue(ctx, solveKey{}, &solveState{st: st, key: h.Key()}))
	if err != nil || r.Vectors.IsEmpty() {
		return r, err
	}
	v := storedResult{Values: r.Values, Residuals: r.Residuals, Converged: r.Converged, Stats: r.Stats}
	v.Rows, _ = r.Vectors.Dims()
	for i := range v.Rows {
		v.Vectors = append(v.Vectors, r.Vectors.RawRowView(i)...)
	}
	if text, err = json.Marshal(v); err == nil {
		err = st.Put(kind, h.Key(), text)
	}
	return r, err
}

func restoredResult(text []byte) (*Result, error) {
	began := time.Now()
	var v storedResult
	if err := json.Unmarshal(text, &v); err != nil {
		return nil, invalid.Errorf("the piece of the eigenpairs is damaged: %w", err)
	}
	k := len(v.Values)
	if k == 0 || v.Rows < 1 || len(v.Vectors) != k*v.Rows || len(v.Residuals) != k {
		return nil, invalid.Errorf("the piece of the eigenpairs is damaged: its parts do not fit each other")
	}
	r := &Result{Values: v.Values, Vectors: mat.NewDense(v.Rows, k, v.Vectors), Residuals: v.Residuals, Converged: v.Converged, Stats: v.Stats}
	r.Stats.Total = time.Since(began)
	return r, nil
}

// Hashed is an operator that says what it is made of, so that eigenpairs found by [Symmetric] can
// be kept in the folder of a run that goes on after a kill. A sparse matrix needs no such method.
type Hashed interface {
	Operator
	// Hash adds all that decides the products to a key.
	Hash(h *store.Hasher)
}

// hashOperator adds an operator to a key; it returns false if it is not known.
func hashOperator(h *store.Hasher, a Operator) bool {
	h.Text("symmetric")
	switch a := a.(type) {
	case *sparse.CSR:
		h.Matrix(a)
	case Hashed:
		a.Hash(h)
	default:
		return false
	}
	return true
}

// hash adds the pencil to a key; it returns false if its operator is not known.
func (p *Pencil) hash(h *store.Hasher) bool {
	switch w := p.w.(type) {
	case *sparse.CSR:
		h.Matrix(w)
	case *cliqued:
		h.Matrix(w.CSR)
		hashSets(h, w.cliques)
	case *factored:
		w.Factor.hash(h)
		hashSets(h, w.cliques)
	default:
		return false
	}
	h.Floats(p.mass)
	return true
}

func hashSets(h *store.Hasher, c cliques) {
	h.Floats([]float64{c.weight})
	h.Ints([]int{len(c.members)})
	for _, set := range c.members {
		h.Indices(set)
	}
}

// hash adds the graph to a key.
func (f *Factor) hash(h *store.Hasher) {
	h.Text("factor")
	h.Matrix(f.rows)
	h.Value(f.apart)
}

// hash adds the graph with its groups, and the maps that are wanted of it, to a key.
func (a *Anchored) hash(h *store.Hasher, splits [][]bool) bool {
	h.Text("anchored")
	if a.whole != nil {
		a.whole.hash(h)
	}
	switch s := a.s.(type) {
	case *sparse.CSR:
		h.Matrix(s)
	default:
		if a.whole == nil {
			return false
		}
	}
	h.Matrix(a.border)
	h.Indices(a.group)
	h.Indices(a.free)
	h.Floats(a.degree)
	h.Floats([]float64{a.inside})
	h.Value(splits)
	return true
}
