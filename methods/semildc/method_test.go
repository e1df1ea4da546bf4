package semildc

import (
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/kernelkmeans"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/softlda"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// request is an input of 60 documents of three topics, twelve with labels, and the notes of its
// fits.
func request(t *testing.T) (*method.Input, *[]string) {
	rng := rand.New(rand.NewPCG(8, 2))
	b := sparse.NewBuilder(60, 24)
	given := &method.Given{Labels: make([]int, 60), Names: []string{"a", "b", "c"}}
	for i := range 60 {
		for range 9 {
			b.Add(i, (i%3*8+rng.IntN(12))%24, 1)
		}
		if given.Labels[i] = -1; i < 12 {
			given.Labels[i] = i % 3
		}
	}
	x := must.Get(b.Build())(t)
	notes := new([]string)
	return &method.Input{X: x.NormalizeRows(), Counts: x, Clusters: 3, Given: given, Observer: func(e progress.Event) {
		if e.Message != "" {
			*notes = append(*notes, e.Message)
		}
	}}, notes
}

func TestFitOfTheContract(t *testing.T) {
	for _, opt := range []Options{
		{}, {SoftLabels: Propagation, Components: method.Amount{Count: 5}}, {SoftLabels: Hard, Reduction: Raw}, {Discriminant: Kernel},
	} {
		in, _ := request(t)
		out := must.Get(opt.Fit(ctx, in))(t)
		want, err := Fit(ctx, in.Counts, in.X, in.Given.Labels, 3, opt)
		if err != nil || !mat.Equal(out.Embedding, want.Embedding) || !slices.Equal(out.Clusters.Labels, want.Labels) || !mat.Equal(out.Soft, want.Soft) {
			t.Errorf("%v, or the contract's fit differs from Fit under %+v", err, opt)
		}
		again, err := out.Used.Fit(ctx, in)
		if err != nil || !mat.Equal(out.Embedding, again.Embedding) {
			t.Errorf("%v, or the options used give another embedding: %+v", err, out.Used)
		}
		if used := out.Used.(*Options); opt.SoftLabels == Propagation && (used.Propagation.Graph.Neighbors != graph.DefaultNeighbors || out.Graph == nil) {
			t.Errorf("used %+v", used)
		}
	}
}

// What the facts say is not said by notes too.
func TestNotesOfTheContract(t *testing.T) {
	for soft, want := range map[SoftLabels][]string{
		PLSA: {"Soft labels by constrained PLSA", "Constrained k-means"}, Propagation: {"Soft labels by label propagation", "Constrained k-means"}, Hard: nil,
	} {
		in, notes := request(t)
		out := must.Get((&Options{SoftLabels: soft}).Fit(ctx, in))(t)
		if !slices.EqualFunc(*notes, want, strings.HasPrefix) {
			t.Errorf("%s: notes %q", soft, *notes)
		}
		line := func(f method.Fact) bool { return f.Line == "soft" }
		if !slices.ContainsFunc(out.Facts, line) {
			t.Errorf("%s: facts %v", soft, out.Facts)
		}
	}
}

// The kernel form is soft LDA of the kernel's matrix, written out by its definition.
func TestKernelForm(t *testing.T) {
	in, _ := request(t)
	known := in.Given.Labels
	for _, sigma := range []float64{0, 0.7} {
		m, err := Fit(ctx, in.Counts, in.X, known, 3, Options{Discriminant: Kernel, Sigma: sigma})
		if err != nil {
			t.Fatal(err)
		}
		if sigma == 0 {
			if sigma, err = kernelkmeans.MeanSquaredDistance(ctx, in.X); err != nil {
				t.Fatal(err)
			}
		}
		k := mat.NewDense(60, 60, nil)
		for i := range 60 {
			for j := range 60 {
				d := 0.0
				for c := range 24 {
					d += math.Pow(in.X.At(i, c)-in.X.At(j, c), 2)
				}
				k.Set(i, j, math.Exp(-d/sigma))
			}
		}
		want := must.Get(softlda.FitKernel(ctx, k, m.Soft, softlda.Options{}))(t)
		var gap mat.Dense
		gap.Sub(m.Embedding, want.Embedding)
		if worst := mat.Norm(&gap, 2); worst > 1e-8*mat.Norm(want.Embedding, 2) || m.Dims != 24 {
			t.Errorf("σ = %v: coordinates differ by %g", sigma, worst)
		}
		labels := must.Get(m.Predict(ctx, in.X))(t)
		for i, c := range labels {
			if known[i] < 0 && c != m.Labels[i] {
				t.Errorf("document %d is of class %d, and of %d as a new one", i, m.Labels[i], c)
			}
		}
	}
}

func TestRefusalsOfTheContract(t *testing.T) {
	for says, opt := range map[string]Options{
		"works on the documents":           {Discriminant: Kernel, Reduction: PCA},
		"leave ‹reduction› and ‹pca› out":  {Discriminant: Kernel, Components: method.Amount{Count: 3}},
		"is a parameter of the kernel":     {Sigma: 2},
		"unknown discriminant":             {Discriminant: "x"},
		"at most 24 dimensions, not 30":    {Components: method.Amount{Count: 30}},
		"one direction fewer than classes": {LDA: softlda.Options{Dims: 7}},
	} {
		in, _ := request(t)
		if _, err := opt.Fit(ctx, in); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", says, err)
		}
	}
	in, _ := request(t)
	in.Counts = mat.NewDense(60, 24, slices.Repeat([]float64{-1}, 60*24))
	if _, err := (&Options{SoftLabels: PLSA}).Fit(ctx, in); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), "give ‹soft-labels› propagation or hard") {
		t.Errorf("negative counts: %v", err)
	}
	in.Counts = nil
	_, err := (&Options{Discriminant: Kernel, SoftLabels: Hard}).Fit(memory.Bound(ctx, 1<<10), in)
	if !errors.Is(err, memory.ErrLimit) || !strings.Contains(err.Error(), "needs 56.2 KiB of memory; 1.0 KiB are allowed") {
		t.Errorf("little memory: %v", err)
	}
	in, notes := request(t)
	_, err = (&Options{Discriminant: Kernel}).Fit(memory.Bound(ctx, kernelBytes(60)-1), in)
	if !errors.Is(err, memory.ErrLimit) || len(*notes) > 0 {
		t.Errorf("a kernel beyond the memory: %v, after %q", err, *notes)
	}
}

// unread are counts that nothing may read.
type unread struct {
	mat.Matrix
	t *testing.T
}

func (u unread) At(i, j int) float64 {
	u.t.Error("the counts are read")
	return u.Matrix.At(i, j)
}

// Soft labels that need no counts leave them alone.
func TestCountsAreReadForPLSAAlone(t *testing.T) {
	for _, soft := range []SoftLabels{Propagation, Hard} {
		in, _ := request(t)
		in.Counts = unread{mat.DenseCopyOf(in.Counts), t}
		if _, err := (&Options{SoftLabels: soft}).Fit(ctx, in); err != nil {
			t.Error(err)
		}
	}
}

// Without a kind of soft labels the method takes one that the data allow, and says so.
func TestSoftLabelsByData(t *testing.T) {
	in, _ := request(t)
	negative := mat.NewDense(60, 24, slices.Repeat([]float64{-1}, 60*24))
	counts := must.Get(sparse.FromMatrix(in.Raw()))(t)
	for _, c := range []struct {
		counts mat.Matrix
		rows   mat.Matrix
		want   SoftLabels
		note   string
	}{
		{counts, counts, PLSA, ""},
		{mat.DenseCopyOf(counts), mat.DenseCopyOf(counts), Propagation, "the data are dense"},
		{negative, counts, Propagation, "negative entries"},
	} {
		var notes []string
		in.X, in.Counts = c.rows, c.counts
		in.Observer = func(e progress.Event) { notes = append(notes, e.Message) }
		out := must.Get(Spec.Fit(ctx, new(Options), in))(t)
		said := strings.Contains(strings.Join(notes, "\n"), "‹soft-labels› propagation: ")
		if got := out.Used.(*Options).SoftLabels; got != c.want || said != (c.note != "") || !strings.Contains(strings.Join(notes, "\n"), c.note) {
			t.Errorf("%q, not %q: %q", got, c.want, notes)
		}
	}
}
