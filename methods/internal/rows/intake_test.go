package rows_test

import (
	"context"
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/eigenmap/eigenmap/methods/ckmeans"
	"github.com/eigenmap/eigenmap/methods/geodesic"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/graphssl"
	"github.com/eigenmap/eigenmap/methods/internal/pairs"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/methods/internal/svd"
	"github.com/eigenmap/eigenmap/methods/isomap"
	"github.com/eigenmap/eigenmap/methods/kernelkmeans"
	"github.com/eigenmap/eigenmap/methods/kernelridge"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/lars"
	"github.com/eigenmap/eigenmap/methods/lda"
	"github.com/eigenmap/eigenmap/methods/le"
	"github.com/eigenmap/eigenmap/methods/lle"
	"github.com/eigenmap/eigenmap/methods/logistic"
	"github.com/eigenmap/eigenmap/methods/lpp"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/metrics"
	"github.com/eigenmap/eigenmap/methods/plsa"
	"github.com/eigenmap/eigenmap/methods/scple"
	"github.com/eigenmap/eigenmap/methods/sle"
	"github.com/eigenmap/eigenmap/methods/softlda"
	"github.com/eigenmap/eigenmap/methods/spg"
	"github.com/eigenmap/eigenmap/methods/svm"
	"github.com/eigenmap/eigenmap/methods/tsvm"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// lister is a sparse matrix that lists its entries. It counts calls for it entry by entry.
type lister struct {
	a  *sparse.CSR
	at *int
}

func (l lister) Dims() (r, c int) { return l.a.Dims() }
func (l lister) T() mat.Matrix    { return mat.Transpose{Matrix: l} }
func (l lister) At(i, j int) float64 {
	*l.at++
	return l.a.At(i, j)
}
func (l lister) DoNonZero(visit func(i, j int, v float64)) {
	for i := range l.a.NumRows {
		cols, vals := l.a.Row(i)
		for k, j := range cols {
			visit(i, int(j), vals[k])
		}
	}
}

// counts are documents of three classes that prefer a third of the terms each.
func counts(n, terms int) (*sparse.CSR, []int) {
	rng := rand.New(rand.NewPCG(3, 4))
	b, class := sparse.NewBuilder(n, terms), make([]int, n)
	for i := range n {
		class[i] = i % 3
		for range 12 {
			j := rng.IntN(terms)
			if rng.IntN(4) > 0 {
				j = j/3*3 + class[i]
			}
			b.Add(i, min(j, terms-1), 1)
		}
	}
	x, err := b.Build()
	if err != nil {
		panic(err)
	}
	return x, class
}

// Every method takes a matrix that lists its entries as a sparse one: it does not ask for single
// entries, and finds what it finds from the CSR, bit for bit.
func TestListersAreSparse(t *testing.T) {
	ctx := context.Background()
	x, class := counts(60, 30)
	known := make([]int, 60)
	for i := range known {
		if known[i] = -1; i < 15 {
			known[i] = class[i]
		}
	}
	y := mat.NewDense(60, 2, nil)
	shares := mat.NewDense(60, 3, nil)
	for i, k := range class {
		y.Set(i, 0, float64(k))
		y.Set(i, 1, float64(i%7))
		shares.Set(i, k, 1)
	}
	g := graph.Options{Neighbors: 6}
	for name, fit := range map[string]func(x mat.Matrix) (any, error){
		"pairs": func(x mat.Matrix) (any, error) {
			r, err := pairs.New(ctx, x)
			return r.SqNorm, err
		},
		"svd": func(x mat.Matrix) (any, error) {
			m, err := svd.New(ctx, x, true)
			return m.Total, err
		},
		"projection":    func(x mat.Matrix) (any, error) { return svd.Project(ctx, x, mat.NewDense(2, 30, nil), nil) },
		"rows":          func(x mat.Matrix) (any, error) { return rows.Select(x, []int{3, 1}), nil },
		"without":       func(x mat.Matrix) (any, error) { return rows.WithoutEntries(x), nil },
		"graph":         func(x mat.Matrix) (any, error) { return graph.Build(ctx, x, g) },
		"mean distance": func(x mat.Matrix) (any, error) { return graph.MeanSquaredDistance(x), nil },
		"input": func(x mat.Matrix) (any, error) {
			in := &method.Input{X: x}
			_, opt, err := in.Affinity(ctx, graph.Options{})
			return []any{in.Sparse(), opt.Weight}, err
		},
		"contract": func(x mat.Matrix) (any, error) {
			out, err := (&le.Options{Dims: 2}).Fit(ctx, &method.Input{X: x, Classes: 3})
			return out.Placer, err
		},
		"lengths":    func(x mat.Matrix) (any, error) { return geodesic.FromPoints(ctx, x, g) },
		"kmeans":     func(x mat.Matrix) (any, error) { return kmeans.Fit(ctx, x, kmeans.Options{K: 3}) },
		"ckmeans":    func(x mat.Matrix) (any, error) { return ckmeans.Fit(ctx, x, known, 3, ckmeans.Options{}) },
		"silhouette": func(x mat.Matrix) (any, error) { return metrics.Silhouette(ctx, x, class, nil) },
		"kernel": func(x mat.Matrix) (any, error) {
			m, err := kernelkmeans.Fit(ctx, x, kernelkmeans.Options{K: 3})
			return []any{m.Labels, m.Objective}, err
		},
		"lars":    func(x mat.Matrix) (any, error) { return lars.Fit(ctx, x, y, lars.Options{MaxTerms: 5}) },
		"ridge":   func(x mat.Matrix) (any, error) { return lars.Ridge(ctx, x, y, lars.RidgeOptions{Ridge: 1}) },
		"plsa":    func(x mat.Matrix) (any, error) { return embedding(plsa.Fit(ctx, x, plsa.Options{K: 3})) },
		"lda":     func(x mat.Matrix) (any, error) { return embedding(lda.Fit(ctx, x, known, 3, lda.Options{})) },
		"softlda": func(x mat.Matrix) (any, error) { return embedding(softlda.Fit(ctx, x, shares, softlda.Options{})) },
		"lpp":     func(x mat.Matrix) (any, error) { return embedding(lpp.Fit(ctx, x, lpp.Options{Dims: 2, Graph: g})) },
		"spg":     func(x mat.Matrix) (any, error) { return embedding(spg.Fit(ctx, x, spg.Options{Dims: 2, Graph: g})) },
		"isomap": func(x mat.Matrix) (any, error) {
			return embedding(isomap.Fit(ctx, x, isomap.Options{Dims: 2, Graph: g}))
		},
		"lle": func(x mat.Matrix) (any, error) { return embedding(lle.Fit(ctx, x, lle.Options{Dims: 2})) },
		"scple": func(x mat.Matrix) (any, error) {
			a, b, err := scple.Graphs(ctx, x, known, 3, scple.Options{})
			return []any{a, b}, err
		},
		"sle": func(x mat.Matrix) (any, error) {
			a, b, err := sle.Graph(ctx, x, sle.Options{})
			return []any{a, b}, err
		},
		"svm":  func(x mat.Matrix) (any, error) { return labelsOf(svm.OneVsRest(ctx, x, known, 3, svm.Options{})) },
		"tsvm": func(x mat.Matrix) (any, error) { return labelsOf(tsvm.Fit(ctx, x, known, 3, tsvm.Options{})) },
		"logistic": func(x mat.Matrix) (any, error) {
			m, err := logistic.Fit(ctx, x, known, 3, logistic.Options{})
			return field(m, "Posterior", err)
		},
		"kernel-ridge": func(x mat.Matrix) (any, error) {
			m, err := kernelridge.Fit(ctx, x, known, 3, kernelridge.Options{})
			return field(m, "Posterior", err)
		},
		"graph-ssl": func(x mat.Matrix) (any, error) {
			return labelsOf(graphssl.Fit(ctx, x, known, 3, shares, graphssl.Options{}))
		},
	} {
		want, err := fit(x)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		asked := 0
		got, err := fit(lister{x, &asked})
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, a lister gives another result", name, err)
		}
		if asked > 0 {
			t.Errorf("%s: %d entries of a lister were read one by one", name, asked)
		}
	}
}

// field returns the field of a model, the zero value beside an error.
func field(m any, name string, err error) (any, error) {
	if err != nil {
		return nil, err
	}
	return reflect.ValueOf(m).Elem().FieldByName(name).Interface(), nil
}

func embedding(m any, err error) (any, error) {
	if reflect.ValueOf(m).Elem().FieldByName("Embedding").IsValid() {
		return field(m, "Embedding", err)
	}
	return labelsOf(m, err)
}

func labelsOf(m any, err error) (any, error) { return field(m, "Labels", err) }
