package semildc

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/countdown"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/ckmeans"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

func TestErrors(t *testing.T) {
	counts, truth := texts(t, 40, 3, 10, 20, 0.5, 1)
	known := draw(t, truth, 0.2, 1)
	spoiled := func(v float64) *sparse.CSR {
		a := counts.Clone()
		a.Val[7] = v
		return a
	}
	without := slices.Clone(known)
	for i, k := range without {
		if k == 2 {
			without[i] = -1
		}
	}
	for name, c := range map[string]struct {
		counts, x mat.Matrix
		known     []int
		k         int
		opt       Options
		says      string
	}{
		"nothing":         {nil, nil, known, 3, Options{}, "no matrix"},
		"PLSA of nothing": {nil, counts, known, 3, Options{}, "needs the term counts"},
		"rows":            {counts, mat.NewDense(3, 2, nil), known, 3, Options{}, "40 documents, but 3 rows"},
		"empty":           {&sparse.CSR{RowPtr: []int{0}}, nil, nil, 2, Options{}, ""},
		"short":           {counts, nil, known[:9], 3, Options{}, "9 labels"},
		"one class":       {counts, nil, make([]int, 40), 1, Options{}, "two classes"},
		"no label of 2":   {counts, nil, without, 3, Options{}, "without a labelled document: 2"},
		"outside":         {counts, nil, truth, 2, Options{}, "outside"},
		"negative counts": {spoiled(-1), nil, known, 3, Options{}, "soft labels"},
		"NaN":             {spoiled(math.NaN()), nil, known, 3, Options{}, ""},
		"Inf, hard":       {spoiled(math.Inf(1)), nil, known, 3, Options{SoftLabels: Hard}, ""},
		"NaN rows":        {counts, spoiled(math.NaN()), known, 3, Options{}, "reduction"},
		"NaN graph":       {nil, spoiled(math.NaN()), known, 3, Options{SoftLabels: Propagation}, "soft labels"},
		"components":      {counts, nil, known, 3, Options{Components: method.Amount{Count: 41}}, "reduction"},
		"zeros":           {sparseOf(t, mat.NewDense(40, 5, nil)), nil, known, 3, Options{}, "reduction"},
		"equal rows":      {sparseOf(t, mat.NewDense(40, 1, slices.Repeat([]float64{2}, 40))), nil, known, 3, Options{Reduction: Raw}, "discriminants"},
		"options":         {counts, nil, known, 3, Options{SoftLabels: "x", Reduction: "y", Rule: "z", Components: method.Amount{Count: 1, Share: 1}, MaxIter: -1}, "\n"},
		"raw and share":   {counts, nil, known, 3, Options{Reduction: Raw, Components: method.Amount{Share: 0.5}}, "not to be reduced"},
	} {
		_, err := Fit(ctx, c.counts, c.x, c.known, c.k, c.opt)
		if !errors.Is(err, fs.ErrInvalid) || !strings.Contains(fmt.Sprint(err), c.says) {
			t.Errorf("%s: error %v, want an invalid one with %q", name, err, c.says)
		}
	}
	opt := Options{SoftLabels: "x", Reduction: "y", Rule: "z", Components: method.Amount{Count: -1, Share: math.NaN()}, MaxIter: -1}
	opt.PLSA.Tol, opt.LDA.Ridge, opt.Propagation.Alpha = -1, -1, 7
	if err := opt.Validate(); strings.Count(fmt.Sprint(err), "\n") != 7 {
		t.Errorf("Validate lists %q, want eight violations", err)
	}
	if err := (Options{Rule: ckmeans.Seeded, Components: method.Amount{Share: 1}}).Validate(); err != nil {
		t.Error(err)
	}
	m := must.Get(Fit(ctx, counts, nil, known, 3, Options{}))(t)
	for name, x := range map[string]mat.Matrix{"nil": nil, "width": mat.NewDense(2, 3, nil), "empty": &mat.Dense{}, "NaN": spoiled(math.NaN())} {
		if _, err := m.Predict(ctx, x); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("Predict %s: error %v", name, err)
		}
	}
	if _, err := new(Model).Predict(ctx, counts); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("Predict of an empty model: error %v", err)
	}
}

func sparseOf(t *testing.T, x *mat.Dense) *sparse.CSR {
	a := must.Get(sparse.FromMatrix(x))(t)
	return a
}

// TestOddDocuments: empty documents, copies, terms that occur nowhere, and one document many times
// as long as all others are no trouble.
func TestOddDocuments(t *testing.T) {
	counts, truth := texts(t, 120, 3, 15, 30, 0.5, 3)
	x := counts.ToDense()
	_, p := x.Dims()
	wide := mat.NewDense(120, p+5, nil)
	wide.Slice(0, 120, 0, p).(*mat.Dense).Copy(x)
	for j := range p {
		wide.Set(20, j, 0)
		wide.Set(21, j, 0)
		wide.Set(30, j, x.At(31, j))
		wide.Set(40, j, 1e7*x.At(40, j))
	}
	known := draw(t, truth, 0.1, 2)
	for _, opt := range []Options{{}, {SoftLabels: Propagation}, {SoftLabels: Hard, Reduction: Raw}, {Components: method.Amount{Share: 1}}} {
		m, err := Fit(ctx, wide, nil, known, 3, opt)
		if err != nil {
			t.Fatalf("%+v: %v", opt, err)
		}
		for _, v := range m.Embedding.RawMatrix().Data {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Fatalf("%+v: the embedding is not finite", opt)
			}
		}
		for i, k := range m.Labels {
			if k < 0 || k > 2 || known[i] >= 0 && known[i] != k {
				t.Errorf("%+v: document %d in class %d", opt, i, k)
			}
		}
	}
}

func TestCancelled(t *testing.T) {
	counts, truth := texts(t, 80, 3, 15, 30, 0.5, 3)
	known := draw(t, truth, 0.1, 2)
	for _, opt := range []Options{{}, {SoftLabels: Propagation, Reduction: Raw}} {
		full := countdown.New(ctx, countdown.Forever)
		if _, err := Fit(full, counts, nil, known, 3, opt); err != nil {
			t.Fatal(err)
		}
		looks := full.Looks()
		for limit := int64(0); limit < looks-2; limit += 1 + looks/25 {
			c := countdown.New(ctx, limit)
			if _, err := Fit(c, counts, nil, known, 3, opt); !errors.Is(err, context.Canceled) {
				t.Fatalf("%+v: cancelled at look %d of %d: error %v", opt, limit, looks, err)
			}
		}
	}
}
