package labelprop

import (
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/shares"
	"github.com/eigenmap/eigenmap/methods/spectral"
	"github.com/eigenmap/eigenmap/model"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// blobs are n points in k groups, the first three of each with a label.
func blobs(n, k int, seed uint64) (*mat.Dense, *method.Given) {
	rng := rand.New(rand.NewPCG(seed, 1))
	x, given := mat.NewDense(n, 3, nil), &method.Given{Labels: make([]int, n), Names: []string{"a", "b", "c", "d"}[:k]}
	for i := range n {
		for j := range 3 {
			x.Set(i, j, rng.NormFloat64())
		}
		x.Set(i, i%k%3, x.At(i, i%k%3)+4)
		if given.Labels[i] = labels.Unknown; i < 3*k {
			given.Labels[i] = i % k
		}
	}
	return x, given
}

// The neighbour graph is the one of the kind of data, as of diffusion, unless neighbours are given.
func TestNeighboursOfTheKindOfData(t *testing.T) {
	x, given := blobs(90, 3, 1)
	entries := must.Get(sparse.FromMatrix(x))(t)
	for _, c := range []struct {
		x           mat.Matrix
		given, want int
	}{{x, 0, spectral.DenseNeighbors}, {entries, 0, graph.DefaultNeighbors}, {x, 4, 4}, {entries, 4, 4}} {
		opt := Options{Graph: graph.Options{Neighbors: c.given}}
		out := must.Get(opt.Fit(ctx, &method.Input{X: c.x, Given: given}))(t)
		if used := out.Used.(*Options).Graph.Neighbors; used != c.want {
			t.Errorf("%T, %d neighbours given: the graph has %d, not %d", c.x, c.given, used, c.want)
		}
	}
}

func TestFitOfTheContract(t *testing.T) {
	x, given := blobs(90, 3, 1)
	for _, opt := range []Options{{}, {Form: Zhou, Alpha: 0.5}, {Form: Zhu, ClassMass: true, Graph: graph.Options{Neighbors: 8}}} {
		out := must.Get(opt.Fit(ctx, &method.Input{X: x, Given: given}))(t)
		same := opt
		same.Graph = opt.GraphOptions(&method.Input{X: x})
		want := must.Get(Fit(ctx, x, given.Labels, 3, same))(t)
		if !slices.Equal(out.Clusters.Labels, want.Labels) || !mat.Equal(out.Clusters.Posterior, want.Posterior) {
			t.Errorf("%+v: the contract's fit differs from Fit", opt)
		}
		if used := out.Used.(*Options); used.Graph.Neighbors == 0 || used.Graph.Weight != graph.Heat || used.Graph.HeatWidth == 0 {
			t.Errorf("the options used lack what was decided: %+v", used.Graph)
		}
		again := storedAndRead(t, out, 90)
		fresh, _ := blobs(20, 3, 7)
		fresh.SetRow(4, x.RawRowView(11))
		a := must.Get(out.Placer.Place(ctx, fresh, nil))(t)
		b, err := again.Place(ctx, fresh, nil)
		if err != nil || !mat.Equal(a.Posterior, b.Posterior) || !slices.Equal(a.Labels, b.Labels) || len(a.Known) != 1 || a.Labels[4] != want.Labels[11] {
			t.Errorf("%+v: %v, a stored placer places otherwise, or a training row is not known", opt, err)
		}
	}
}

// storedAndRead writes a model of the placer and reads it back.
func storedAndRead(t *testing.T, out *method.Fitted, n int) method.Placer {
	t.Helper()
	path := filepath.Join(t.TempDir(), "model.npz")
	m := &model.Model{Method: Spec.Name, Documents: n, Rows: model.Rows{Columns: 3, Weighting: "tf", Normalize: "none"}, Part: out.Placer,
		Clusters: &model.Clusters{Sizes: out.Clusters.Sizes}}
	must.Do(t, model.Write(path, m))
	read := must.Get(model.Read(ctx, path, func(string) model.Part { return Spec.Placer() }))(t)
	return read.Part.(method.Placer)
}

func TestGivenGraph(t *testing.T) {
	g, known := sample(60, 3, 4, 1)
	out, err := new(Options).Fit(ctx, &method.Input{Graph: g, Given: &method.Given{Labels: known, Names: []string{"a", "b", "c"}}})
	if err != nil || out.Placer != nil || out.Graph != g || !out.Clusters.Spread {
		t.Errorf("%v, %+v", err, out)
	}
	_, err = (&Options{Form: Zhu, Alpha: 0.4}).Fit(ctx, &method.Input{Graph: g, Given: &method.Given{Labels: known, Names: []string{"a", "b", "c"}}})
	if !errors.Is(err, fs.ErrInvalid) {
		t.Errorf("a spread in form zhu: %v", err)
	}
}

// Counted scales the scores of documents without a label by (prior / mass)^⅓ · factor^⅔, where the
// factors give the classes as many of these documents as their priors say.
func TestCountedByHand(t *testing.T) {
	x, given := blobs(90, 3, 1)
	prior := []float64{0.5, 0.3, 0.2}
	m, err := Fit(ctx, x, given.Labels, 3, Options{ClassMass: true, Counted: true, Prior: prior})
	if err != nil || len(m.Unreached) > 0 {
		t.Fatalf("%v, unreached %v", err, m.Unreached)
	}
	masses, rows := make([]float64, 3), []float64{}
	for i, k := range given.Labels {
		if k >= 0 {
			continue
		}
		row := m.F.RawRowView(i)
		for c, v := range row {
			masses[c] += v
			rows = append(rows, v/(row[0]+row[1]+row[2]))
		}
	}
	factors := shares.Match(rows, prior)
	for i, k := range given.Labels {
		if k >= 0 {
			continue
		}
		sum, want := 0.0, make([]float64, 3)
		for c := range want {
			want[c] = rows[c] * math.Cbrt(prior[c]/masses[c]*factors[c]*factors[c])
			sum += want[c]
		}
		rows = rows[3:]
		for c, v := range m.Posterior.RawRowView(i) {
			if math.Abs(v-want[c]/sum) > 1e-12 {
				t.Errorf("document %d has %v in class %d, want %v", i, v, c, want[c]/sum)
			}
		}
	}
}

// What is joined to documents that no label reached gets the prior, from a stored model too.
func TestPlacerAmongUnreached(t *testing.T) {
	x, given := mat.NewDense(60, 1, nil), &method.Given{Labels: make([]int, 60), Names: []string{"a", "b"}}
	for i := range 60 {
		x.Set(i, 0, float64(i)+0.01*float64(i%3))
		given.Labels[i] = labels.Unknown
	}
	given.Labels[0], given.Labels[1] = 0, 1
	opt := Options{Alpha: 0.3, Graph: graph.Options{Epsilon: 1.2, Weight: graph.Binary}}
	out := must.Get(opt.Fit(ctx, &method.Input{X: x, Given: given}))(t)
	m := out.Model.(*Model)
	if len(m.Unreached) == 0 || m.F.At(m.Unreached[0], 1) == 0 {
		t.Fatalf("no document is unreached with a score: %v", m.Unreached)
	}
	fresh := mat.NewDense(1, 1, []float64{float64(m.Unreached[0]) + 0.5})
	placed, err := out.Placer.Place(ctx, fresh, nil)
	if err != nil || !slices.Equal(placed.Posterior.RawRowView(0), m.Prior) {
		t.Errorf("%v, %v; the prior is %v", err, placed.Posterior, m.Prior)
	}
}

func TestNoteShares(t *testing.T) {
	var notes []string
	in := &method.Input{Given: &method.Given{Labels: []int{0, 1, -1, -1, -1, -1}, Names: []string{"few", "many"}},
		Observer: func(e progress.Event) { notes = append(notes, e.Message) }}
	m := &Model{Labels: []int{0, 1, 1, 1, 1, 1}, Options: Options{Form: Nie, Alpha: 0.99}}
	m.NoteShares(in)
	if len(notes) != 1 || !strings.Contains(notes[0], "‹class-mass› or a smaller ‹spread› such as 0.5 may come nearer") || !strings.HasPrefix(notes[0], "few has 50 %") {
		t.Errorf("%q", notes)
	}
	m.Labels = []int{0, 1, 0, 1, 0, 1}
	if m.NoteShares(in); len(notes) != 1 {
		t.Errorf("even shares are noted: %q", notes)
	}
}

func TestPlacerRefuses(t *testing.T) {
	x, given := blobs(60, 3, 2)
	for says, change := range map[string]func(p *Placer){
		"unknown form":    func(p *Placer) { p.Form = "x" },
		"degrees":         func(p *Placer) { p.Form = Zhou },
		"priors":          func(p *Placer) { p.Prior = nil },
		"name cluster 7":  func(p *Placer) { p.Labels = append([]int{7}, p.Labels[1:]...) },
		"scores of":       func(p *Placer) { p.Scores = mat.NewDense(60, 2, nil) },
		"lacks":           func(p *Placer) { p.Posterior = nil },
		"distances of k-": func(p *Placer) { p.Reach = nil },
	} {
		out := must.Get(new(Options).Fit(ctx, &method.Input{X: x, Given: given}))(t)
		p := out.Placer.(*Placer)
		change(p)
		if err := p.Check(model.Frame{Documents: 60, Columns: 3, Clusters: 3}); !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", says, err)
		}
	}
}
