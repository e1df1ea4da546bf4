package kernelkmeans

import (
	"errors"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/model"
	"gonum.org/v1/gonum/mat"
)

func contract(t testing.TB, in *method.Input, o Options) *method.Fitted {
	t.Helper()
	must.Do(t, o.Validate())
	out := must.Get(o.Fit(ctx, in))(t)
	return out
}

func TestContractIsFit(t *testing.T) {
	x := random(200, 5, 3)
	for _, opt := range []Options{{}, {Width: 2, Restarts: 3}, {Kernel: Polynomial, Degree: 3, Init: Random}, {Kernel: Linear, Shift: 0.5, MaxIter: 7}} {
		for _, data := range []mat.Matrix{x, asCSR(t, x)} {
			out := contract(t, &method.Input{X: data, Clusters: 4, Seed: 6}, opt)
			typed := opt
			typed.K, typed.Seed = 4, 6
			want := fit(t, data, typed)
			if !slices.Equal(out.Clusters.Labels, want.Labels) || out.Clusters.Objective != want.Objective {
				t.Errorf("%+v: the contract clusters otherwise", opt)
			}
			used := out.Used.(*Options)
			if used.Width != want.Width || used.K != 4 || opt.K != 0 {
				t.Errorf("used: %+v", used)
			}
			again := contract(t, &method.Input{X: data, Seed: 6}, *used)
			if !slices.Equal(again.Clusters.Labels, want.Labels) {
				t.Errorf("%+v: the options used give other clusters", opt)
			}
		}
	}
}

// A given affinity is the kernel: with its diagonal if it comes as Counts, else without.
func TestGivenAffinity(t *testing.T) {
	x := random(60, 3, 4)
	k := mat.DenseCopyOf(literalKernel(x, Options{Width: 2}))
	w := asCSR(t, k)
	g := must.Get(graph.FromAffinity(w))(t)
	for _, c := range []struct {
		in   method.Input
		want mat.Matrix
	}{{method.Input{Graph: g, Counts: w, Clusters: 3}, w}, {method.Input{Graph: g, Clusters: 3}, g.W}} {
		out := contract(t, &c.in, Options{})
		want := fit(t, c.want, Options{K: 3, Kernel: Precomputed})
		if !slices.Equal(out.Clusters.Labels, want.Labels) || out.Clusters.Objective != want.Objective || out.Graph != g || out.Placer != nil {
			t.Errorf("objective %v, want %v", out.Clusters.Objective, want.Objective)
		}
		if !strings.Contains(out.Clusters.How, "kernel as given") {
			t.Error(out.Clusters.How)
		}
	}
	for name, o := range map[string]Options{"kernel": {Kernel: Linear}, "sigma": {Width: 1}, "poly-degree": {Degree: 3}} {
		if _, err := o.Fit(ctx, &method.Input{Graph: g, Clusters: 3}); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), "‹"+name+"›") {
			t.Errorf("%s: the error is %v", name, err)
		}
	}
}

func TestFlags(t *testing.T) {
	var names []string
	for _, f := range option.Of(Spec.New()) {
		names = append(names, f.Name)
	}
	slices.Sort(names)
	if want := []string{"init", "kernel", "kernel-shift", "kmeans-iter", "poly-degree", "poly-offset", "restarts", "sigma"}; !slices.Equal(names, want) {
		t.Errorf("flags %v", names)
	}
	if err := new(Options).Validate(); err != nil {
		t.Error(err)
	}
	for name, o := range map[string]Options{"kernel": {Kernel: "x"}, "width": {Width: -1}, "degree": {Degree: 65}, "init": {Init: "x"}, "clusters": {K: -1}, "restarts": {Restarts: -1}, "shift": {Shift: math.Inf(1)}} {
		if err := o.Validate(); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%s: the error is %v", name, err)
		}
	}
	if _, err := new(Options).Fit(ctx, &method.Input{X: random(5, 2, 1)}); !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("no clusters: %v", err)
	}
}

// earlier is a predictor as files of the version before keep it: without the lengths of the means.
type earlier struct{ *Predictor }

func (p earlier) Fields(f *model.Fields) {
	lengths := p.MeanLengths
	p.MeanLengths = nil
	p.Predictor.Fields(f)
	p.MeanLengths = lengths
}

// written writes a part and reads it as the method's placer.
func written(t *testing.T, part model.Part, x mat.Matrix, sizes []int) *Predictor {
	t.Helper()
	n, d := x.Dims()
	path := filepath.Join(t.TempDir(), "model.npz")
	must.Do(t, model.Write(path, &model.Model{Method: "kernel-kmeans", Documents: n, Rows: model.Rows{Columns: d}, Part: part, Clusters: &model.Clusters{Sizes: sizes}}))
	m := must.Get(model.Read(ctx, path, func(string) model.Part { return Spec.Placer() }))(t)
	return m.Part.(*Predictor)
}

// A model that was written and read finds the same clusters as before, without the kernel among its
// training rows; one of an earlier version computes the lengths of the means from it, once.
func TestPlacerFromFile(t *testing.T) {
	x, fresh := random(300, 5, 8), random(90, 5, 9)
	for _, opt := range []Options{{}, {Kernel: Polynomial, Degree: 3}, {Kernel: Linear, Shift: 0.25}} {
		out := contract(t, &method.Input{X: x, Clusters: 4}, opt)
		m := out.Model.(*Model)
		want := must.Get(m.Predict(ctx, fresh))(t)
		for name, part := range map[string]model.Part{"now": m.Predictor(), "earlier": earlier{m.Predictor()}} {
			p := written(t, part, x, m.Sizes)
			if (p.MeanLengths == nil) != (name == "earlier") {
				t.Fatalf("%s: %d lengths of means", name, len(p.MeanLengths))
			}
			got, err := p.Place(ctx, fresh, nil)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.Labels, want) || got.Embedding != nil || len(got.Known) != 0 || len(got.Isolated) > 0 {
				t.Errorf("%s, %s: other clusters", name, m.Predictor().Rule)
			}
			for c, v := range m.Predictor().MeanLengths {
				if math.Abs(p.MeanLengths[c]-v) > 1e-10*math.Abs(v) {
					t.Errorf("%s, %s: mean %d has the squared length %v, want %v", name, m.Predictor().Rule, c, p.MeanLengths[c], v)
				}
			}
			first := &p.MeanLengths[0]
			if got, err = p.Place(ctx, x, nil); err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.Labels, m.Labels) || len(got.Known) != 300 || first != &p.MeanLengths[0] {
				t.Errorf("%s, %s: training rows have other clusters", name, m.Predictor().Rule)
			}
		}
	}
}

// The lengths of the means that a model keeps are those that new rows are compared with: the kernel
// among the training rows is not computed again.
func TestPredictDoesNotFitAgain(t *testing.T) {
	x := random(300, 5, 8)
	m := fit(t, x, Options{K: 4})
	p := &Predictor{Rule: m.predictor.Rule, X: x, Labels: m.Labels, MeanLengths: []float64{0, -10, 0, 0}}
	got, err := p.Predict(ctx, x.Slice(0, 20, 0, 5), nil)
	if err != nil || slices.ContainsFunc(got, func(c int) bool { return c != 1 }) {
		t.Errorf("%v %v", got, err)
	}
}

func TestPlacerRefuses(t *testing.T) {
	x := random(30, 2, 1)
	of := model.Frame{Documents: 30, Columns: 2, Clusters: 3}
	good := func() *Predictor {
		m := fit(t, x, Options{K: 3}).Predictor()
		return &Predictor{Rule: m.Rule, X: m.X, Labels: slices.Clone(m.Labels), MeanLengths: m.MeanLengths}
	}
	must.Do(t, good().Check(of))
	for name, spoil := range map[string]func(*Predictor){
		"rows":     func(p *Predictor) { p.X = nil },
		"label":    func(p *Predictor) { p.Labels[3] = 3 },
		"labels":   func(p *Predictor) { p.Labels = p.Labels[1:] },
		"clusters": func(p *Predictor) { p.Rule.K = 4 },
		"kernel":   func(p *Predictor) { p.Rule.Kernel = Precomputed },
		"width":    func(p *Predictor) { p.Rule.Width = -1 },
		"lengths":  func(p *Predictor) { p.MeanLengths = p.MeanLengths[1:] },
	} {
		p := good()
		spoil(p)
		if err := p.Check(of); !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%s: the error is %v", name, err)
		}
	}
}
