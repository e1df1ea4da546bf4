package eigenmap_test

import (
	"bytes"
	"context"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/isomap"
	"github.com/eigenmap/eigenmap/methods/le"
	"github.com/eigenmap/eigenmap/methods/lecas"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/nystrom"
	"github.com/eigenmap/eigenmap/methods/pca"
	"github.com/eigenmap/eigenmap/methods/scple"
	"gonum.org/v1/gonum/mat"
)

// heat is an explicit width rule, which Laplacian Eigenmaps and LE-CAS obey.
var heat = graph.Options{Weight: graph.Heat, HeatRule: graph.MedianWidth, Neighbors: 6}

// request is one for an embedding: by names, by type, and by the method's own Fit.
type request struct {
	name   string
	pairs  []string
	config method.Options
	fit    func() (*mat.Dense, error)
	// embed is Fit with the options that an embedding has by default, if they differ from a
	// clustering's; else nil.
	embed func() (*mat.Dense, error)
}

// embedded is what the method's own Fit gives for an embedding.
func (r request) embedded(t *testing.T) *mat.Dense {
	t.Helper()
	fit := r.fit
	if r.embed != nil {
		fit = r.embed
	}
	want := must.Get(fit())(t)
	return want
}

// flags are the pairs as the command line takes them.
func flags(pairs []string) []string {
	var args []string
	for i := 0; i < len(pairs); i += 2 {
		args = append(args, "--"+pairs[i], pairs[i+1])
	}
	return args
}

func requests(x mat.Matrix) []request {
	ctx := context.Background()
	return []request{
		{"le", []string{"dims", "3", "neighbors", "6", "edge-weight", "heat", "heat-rule", "median"},
			&le.Options{Dims: 3, Problem: nystrom.Problem{Graph: heat}},
			func() (*mat.Dense, error) {
				m, err := le.Fit(ctx, x, le.Options{Dims: 3, Problem: nystrom.Problem{Graph: heat, Eigen: eigen.Options{Seed: 1}}})
				return m.Embedding, err
			},
			func() (*mat.Dense, error) {
				m, err := le.Fit(ctx, x, le.Options{Dims: 3, Skip: le.SkipConstant, Problem: nystrom.Problem{Graph: heat, Eigen: eigen.Options{Seed: 1}}})
				return m.Embedding, err
			}},
		{"le-cas", []string{"dims", "3", "neighbors", "6", "edge-weight", "heat", "heat-rule", "median"},
			&lecas.Options{LE: le.Options{Dims: 3, Problem: nystrom.Problem{Graph: heat}}},
			func() (*mat.Dense, error) {
				m, err := lecas.Fit(ctx, x, lecas.Options{Search: lecas.Search{Seed: 1},
					LE: le.Options{Dims: 3, Problem: nystrom.Problem{Graph: heat, Eigen: eigen.Options{Seed: 1}}}})
				return m.Embedding, err
			}, nil},
		{"isomap", []string{"dims", "2", "landmarks", "30", "parts", "join"},
			&isomap.Options{Dims: 2, Landmarks: 30, Parts: isomap.Join},
			func() (*mat.Dense, error) {
				m, err := isomap.Fit(ctx, x, isomap.Options{Dims: 2, Landmarks: 30, Parts: isomap.Join, Seed: 1})
				return m.Embedding, err
			}, nil},
		{"pca", []string{"dims", "2"}, &pca.Options{Dims: 2},
			func() (*mat.Dense, error) {
				m, err := pca.Fit(ctx, x, pca.Options{Dims: 2, Seed: 1})
				return m.Embedding, err
			}, nil},
	}
}

// A method gives the same coordinates by its own Fit, by the pipeline with options by name, and by
// the pipeline with its own options.
func TestPipelineEqualsFit(t *testing.T) {
	x, _ := blobs(80, 2)
	for _, d := range requests(x) {
		t.Run(d.name, func(t *testing.T) {
			want := must.Get(d.fit())(t)
			embedded := d.embedded(t)
			named := eigenmap.Options{Method: d.name, Seed: 1}
			set(t, &named, d.pairs...)
			for how, opt := range map[string]eigenmap.Options{"by name": named, "typed": {Method: d.name, Seed: 1, Config: d.config}} {
				run := must.Get(eigenmap.EmbedMatrix(context.Background(), x, opt))(t)
				if !same(run.Embedding, embedded) {
					t.Errorf("EmbedMatrix, options %s: the coordinates differ from Fit's", how)
				}
			}
			opt := named
			opt.Clusters = 2
			run := must.Get(eigenmap.ClusterMatrix(context.Background(), x, opt))(t)
			if !same(run.Embedding, want) {
				t.Error("ClusterMatrix: the coordinates differ from Fit's")
			}
		})
	}
}

// comment is a line of comment of a configuration file.
var comment = regexp.MustCompile(`(?m)^#.*\n`)

// The command line gives the coordinates of a method's own Fit, and writes the files that the
// pipeline saves.
func TestCommandLineEqualsFitAndPipeline(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the program")
	}
	dir := t.TempDir()
	binary := filepath.Join(dir, "eigenmap")
	if out, err := exec.Command("go", "build", "-o", binary, "./cmd/eigenmap").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	call := func(t *testing.T, args []string, pairs ...string) {
		t.Helper()
		args = append(args, "--seed", "1", "--quiet")
		if out, err := exec.Command(binary, append(args, flags(pairs)...)...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
	}
	x, _ := blobs(80, 2)
	var data bytes.Buffer
	must.Do(t, corpus.WriteMatrix(&data, "npy", x))
	file := write(t, dir, "x.npy", data.String())
	for _, d := range requests(x) {
		t.Run("embed "+d.name, func(t *testing.T) {
			out := filepath.Join(dir, d.name)
			call(t, []string{"embed", file, "--method", d.name, "--out", out}, d.pairs...)
			if got := matrix(t, filepath.Join(out, "embedding.npy")); !mat.Equal(got, d.embedded(t)) {
				t.Error("the coordinates of the command line differ from Fit's")
			}
		})
	}
	for name, pairs := range map[string][]string{"le": nil, "plsa": nil, "cle": {"labeled-fraction", "0.2"}} {
		t.Run("cluster "+name, func(t *testing.T) {
			library, out := t.TempDir(), t.TempDir()
			save(t, cluster(t, train, options(t, name, pairs...)), library)
			call(t, []string{"cluster", train, "--method", name, "-k", "3", "--out", out}, pairs...)
			if a, b := names(t, library), names(t, out); !slices.Equal(a, b) {
				t.Fatalf("the pipeline saves %v, and the command line %v", a, b)
			}
			for _, file := range names(t, library) {
				a, b := content(t, library, file), content(t, out, file)
				switch file {
				case "report.html", "model.npz", "run.json": // times, versions of the program, checksums of both
					continue
				case "config.yaml": // whose comment holds the versions
					a, b = comment.ReplaceAll(a, nil), comment.ReplaceAll(b, nil)
				}
				if !bytes.Equal(a, b) {
					t.Errorf("%s differs", file)
				}
			}
		})
	}
}

// One point far away is embedded with all others, however the request is made: edges have lengths
// and no weights, so that none is lost to the underflow of a heat kernel.
func TestIsomapEmbedsAPointFarAway(t *testing.T) {
	const n = 2500
	x, _ := blobs(n, 1)
	x.Set(n-1, 0, 1e4)
	opt := eigenmap.Options{Method: "isomap", Seed: 1}
	set(t, &opt, "dims", "2", "landmarks", "100")
	run := must.Get(eigenmap.EmbedMatrix(context.Background(), x, opt))(t)
	if g := run.Fitted.Graph; g.Components != 1 || len(g.Isolated) != 0 {
		t.Errorf("the graph has %d parts, %d points without neighbours", g.Components, len(g.Isolated))
	}
	m, ok := run.Fitted.Model.(*isomap.Model)
	if !ok || len(m.Outside) != 0 {
		t.Fatalf("the model is %T, points left out %v", run.Fitted.Model, m.Outside)
	}
	if far := mat.Norm(run.Embedding.RowView(n-1), 2); far < 5e3 {
		t.Errorf("the point far away is %v from the middle", far)
	}
	direct, err := isomap.Fit(context.Background(), x, isomap.Options{Dims: 2, Landmarks: 100, Seed: 1})
	if err != nil || !same(direct.Embedding, run.Embedding) {
		t.Errorf("Fit gives other coordinates (%v)", err)
	}
}

// LE-CAS obeys the rule of its graph's heat kernel.
func TestLECASObeysTheRuleOfTheWidth(t *testing.T) {
	x, _ := blobs(60, 3)
	width := func(g graph.Options) (float64, *mat.Dense) {
		t.Helper()
		run := must.Get(eigenmap.EmbedMatrix(context.Background(), x,
			eigenmap.Options{Method: "le-cas", Seed: 1, Config: &lecas.Options{LE: le.Options{Dims: 3, Problem: nystrom.Problem{Graph: g}}}}))(t)
		return run.Fitted.Used.(*lecas.Options).LE.Graph.HeatWidth, run.Embedding
	}
	median, a := width(heat)
	mean, b := width(graph.Options{Weight: graph.Heat, HeatRule: graph.MeanWidth, Neighbors: 6})
	none, _ := width(graph.Options{Neighbors: 6})
	if !(median > 0) || median == mean || median == none || same(a, b) {
		t.Errorf("the widths are %v by the median, %v by the mean, %v by σ", median, mean, none)
	}
}

// Eight documents are enough for the defaults, of Fit and of the pipeline.
func TestEightDocumentsAreEnough(t *testing.T) {
	x, _ := blobs(8, 2)
	ctx := context.Background()
	if _, err := lecas.Fit(ctx, x, lecas.Options{LE: le.Options{Dims: 2}}); err != nil {
		t.Errorf("lecas.Fit: %v", err)
	}
	for _, name := range []string{"le", "le-cas", "isomap", "lle", "kmeans", "kernel-kmeans", "pca"} {
		if _, err := eigenmap.ClusterMatrix(ctx, x, eigenmap.Options{Method: name, Clusters: 2}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// SCPLE has one number of iterations: its own default, which help names and the fit uses.
func TestSCPLEHasOneSetting(t *testing.T) {
	fields := eigenmap.Fields("scple", "max-iter")
	if len(fields) != 1 || fields[0].Default != "5000" || scple.DefaultMaxIter != 5000 {
		t.Fatalf("the default of max-iter is %q in help and %d in the fit", fields[0].Default, scple.DefaultMaxIter)
	}
	run := cluster(t, train, options(t, "scple", "labeled-fraction", "0.2"))
	if used := run.Fitted.Used.(*scple.Options).LE.Eigen.MaxIter; used != 5000 {
		t.Errorf("the fit used %d", used)
	}
	typed := options(t, "scple", "labeled-fraction", "0.2")
	typed.Config = new(scple.Options)
	if !same(cluster(t, train, typed).Embedding, run.Embedding) {
		t.Error("the zero value of the typed options is another setting")
	}
}
