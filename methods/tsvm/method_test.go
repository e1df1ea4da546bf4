package tsvm

import (
	"errors"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/svm"
	"github.com/eigenmap/eigenmap/model"
	"gonum.org/v1/gonum/mat"
)

// kernels are the options of each kernel, and one whose machines keep no kernel matrix.
func kernels() map[string]Options {
	return map[string]Options{
		"linear":     {},
		"Gaussian":   {SVM: svm.Options{Kernel: svm.Gaussian}},
		"polynomial": {SVM: svm.Options{Kernel: svm.Polynomial, Degree: 3, Offset: 0.5, C: 0.5}, CStar: 0.2},
	}
}

func TestFitOfTheContract(t *testing.T) {
	x, _, known := groups(40, 5, 3, 1)
	for name, opt := range kernels() {
		for _, data := range []mat.Matrix{x, csr(x)} {
			in := &method.Input{X: data, Given: &method.Given{Labels: known, Names: []string{"a", "b", "c"}}, Seed: 4}
			out, err := opt.Fit(ctx, in)
			if err != nil {
				t.Fatal(name, err)
			}
			typed := opt
			typed.SVM.Seed = 4
			want, err := Fit(ctx, data, known, 3, typed)
			if err != nil || !slices.Equal(out.Clusters.Labels, want.Labels) || !mat.Equal(out.Model.(*Model).Scores, want.Scores) {
				t.Errorf("%s: %v, the contract's fit differs from Fit", name, err)
			}
			if used := out.Used.(*Options); used.CStar != want.Options.CStar || used.SVM.Sigma != want.Options.SVM.Sigma {
				t.Errorf("%s: the options used lack what was decided: %+v", name, used)
			}
			stored := storedAndRead(t, out, data)
			fresh, _, _ := groups(15, 5, 3, 9)
			a, err := out.Placer.(*svm.Placer).Decision(ctx, fresh)
			if err != nil {
				t.Fatal(name, err)
			}
			b, err := stored.Decision(ctx, fresh)
			if err != nil || !mat.Equal(a, b) {
				t.Errorf("%s: %v, a stored placer decides otherwise", name, err)
			}
			placed, err := stored.Place(ctx, fresh, nil)
			if err != nil || !slices.Equal(placed.Labels, rows.Largest(a)) {
				t.Errorf("%s: %v, labels are not the classes of the largest values", name, err)
			}
		}
	}
}

// storedAndRead writes a model of the placer and reads it back.
func storedAndRead(t *testing.T, out *method.Fitted, x mat.Matrix) *svm.Placer {
	t.Helper()
	path := filepath.Join(t.TempDir(), "model.npz")
	n, d := x.Dims()
	_, dense := x.(*mat.Dense)
	m := &model.Model{Method: Spec.Name, Documents: n, Rows: model.Rows{Columns: d, Sparse: !dense, Weighting: "tf", Normalize: "none"}, Part: out.Placer,
		Clusters: &model.Clusters{Sizes: out.Clusters.Sizes}}
	must.Do(t, model.Write(path, m))
	read := must.Get(model.Read(ctx, path, func(string) model.Part { return Spec.Placer() }))(t)
	return read.Part.(*svm.Placer)
}

func TestPlacerRefuses(t *testing.T) {
	x, _, known := groups(40, 5, 3, 1)
	given := &method.Given{Labels: known, Names: []string{"a", "b", "c"}}
	for _, c := range []struct {
		kernel, says string
		change       func(p *svm.Placer)
	}{
		{"linear", "machines, which", func(p *svm.Placer) { p.Bias = nil }},
		{"linear", "weights of 5", func(p *svm.Placer) { p.Weights = mat.NewDense(4, 3, nil) }},
		{"Gaussian", "unknown kernel", func(p *svm.Placer) { p.Kernel = "x" }},
		{"Gaussian", "impossible kernel", func(p *svm.Placer) { p.Gamma = 0 }},
		{"Gaussian", "coefficients of", func(p *svm.Placer) { p.Coefficients = mat.NewDense(2, 3, nil) }},
		{"Gaussian", "lacks its support", func(p *svm.Placer) { p.Support = nil }},
	} {
		opt := kernels()[c.kernel]
		out := must.Get(opt.Fit(ctx, &method.Input{X: x, Given: given}))(t)
		p := out.Placer.(*svm.Placer)
		c.change(p)
		if err := p.Check(model.Frame{Documents: 40, Columns: 5, Clusters: 3}); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", c.says, err)
		}
	}
}

// The values of the placer follow the kernels' formulas.
func TestPlacerByTheFormula(t *testing.T) {
	x, _, known := groups(40, 5, 3, 1)
	fresh, _, _ := groups(8, 5, 3, 5)
	for name, opt := range kernels() {
		m, err := Fit(ctx, x, known, 3, opt)
		if err != nil {
			t.Fatal(name, err)
		}
		got, err := m.Placer().Decision(ctx, csr(fresh))
		if err != nil {
			t.Fatal(name, err)
		}
		for i := range 8 {
			for c, one := range m.Machines {
				want := one.Bias
				for j, b := range one.Beta {
					dot := mat.Dot(fresh.RowView(i), x.RowView(j))
					switch o := m.Options.SVM; o.Kernel {
					case svm.Gaussian:
						var diff mat.VecDense
						diff.SubVec(fresh.RowView(i), x.RowView(j))
						dot = math.Exp(-mat.Dot(&diff, &diff) / o.Sigma)
					case svm.Polynomial:
						dot = math.Pow(dot+o.Offset, float64(o.Degree))
					}
					want += b * dot
				}
				if math.Abs(got.At(i, c)-want) > 1e-9*(1+math.Abs(want)) {
					t.Fatalf("%s: f(%d, %d) = %v, by the formula %v", name, i, c, got.At(i, c), want)
				}
			}
		}
	}
}
