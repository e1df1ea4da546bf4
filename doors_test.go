package eigenmap_test

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/isomap"
	"github.com/eigenmap/eigenmap/methods/le"
	"github.com/eigenmap/eigenmap/methods/lecas"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/pca"
	"github.com/eigenmap/eigenmap/methods/scple"
	"gonum.org/v1/gonum/mat"
)

// program builds the command line's program and returns its path.
func program(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("it builds the program")
	}
	path := filepath.Join(t.TempDir(), "eigenmap")
	if out, err := exec.Command("go", "build", "-o", path, "./cmd/eigenmap").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// heat is an explicit width rule, which Laplacian Eigenmaps and LE-CAS obey.
var heat = graph.Options{Weight: graph.Heat, HeatRule: graph.MedianWidth, Neighbors: 6}

// A method gives the same coordinates by every door: its own Fit, the pipeline with options by
// name, the pipeline with its own options, and the command line.
func TestOneResultByEveryDoor(t *testing.T) {
	x, _ := blobs(80, 2)
	ctx := context.Background()
	doors := []struct {
		name   string
		pairs  []string
		config method.Options
		fit    func() (*mat.Dense, error)
	}{
		{"le", []string{"dims", "3", "neighbors", "6", "edge-weight", "heat", "heat-rule", "median"},
			&le.Options{Dims: 3, Graph: heat},
			func() (*mat.Dense, error) {
				m, err := le.Fit(ctx, x, le.Options{Dims: 3, Graph: heat, Eigen: eigen.Options{Seed: 1}})
				return m.Embedding, err
			}},
		{"le-cas", []string{"dims", "3", "neighbors", "6", "edge-weight", "heat", "heat-rule", "median"},
			&lecas.Options{LE: le.Options{Dims: 3, Graph: heat}},
			func() (*mat.Dense, error) {
				m, err := lecas.Fit(ctx, x, lecas.Options{Search: lecas.Search{Seed: 1},
					LE: le.Options{Dims: 3, Graph: heat, Eigen: eigen.Options{Seed: 1}}})
				return m.Embedding, err
			}},
		{"isomap", []string{"dims", "2", "landmarks", "30", "parts", "join"},
			&isomap.Options{Dims: 2, Landmarks: 30, Parts: isomap.Join},
			func() (*mat.Dense, error) {
				m, err := isomap.Fit(ctx, x, isomap.Options{Dims: 2, Landmarks: 30, Parts: isomap.Join, Seed: 1})
				return m.Embedding, err
			}},
		{"pca", []string{"dims", "2"}, &pca.Options{Dims: 2},
			func() (*mat.Dense, error) {
				m, err := pca.Fit(ctx, x, pca.Options{Dims: 2, Seed: 1})
				return m.Embedding, err
			}},
	}
	for _, d := range doors {
		t.Run(d.name, func(t *testing.T) {
			want, err := d.fit()
			if err != nil {
				t.Fatal(err)
			}
			named := eigenmap.Options{Method: d.name, Seed: 1}
			set(t, &named, d.pairs...)
			for door, opt := range map[string]eigenmap.Options{"by name": named, "typed": {Method: d.name, Seed: 1, Config: d.config}} {
				run, err := eigenmap.EmbedMatrix(ctx, x, opt)
				if err != nil {
					t.Fatal(err)
				}
				if !same(run.Embedding, want) {
					t.Errorf("EmbedMatrix, options %s: the coordinates are not those of Fit", door)
				}
			}
			opt := named
			opt.Clusters = 2
			run, err := eigenmap.ClusterMatrix(ctx, x, opt)
			if err != nil {
				t.Fatal(err)
			}
			if !same(run.Embedding, want) {
				t.Error("ClusterMatrix: the coordinates are not those of Fit")
			}
		})
	}
	t.Run("command line", func(t *testing.T) {
		binary, dir := program(t), t.TempDir()
		file := filepath.Join(dir, "x.npy")
		var data bytes.Buffer
		if err := corpus.WriteMatrix(&data, "npy", x); err != nil {
			t.Fatal(err)
		}
		write(t, dir, "x.npy", data.String())
		for _, d := range doors {
			args := []string{"embed", file, "--method", d.name, "--seed", "1", "--quiet", "--out", filepath.Join(dir, d.name)}
			for i := 0; i < len(d.pairs); i += 2 {
				args = append(args, "--"+d.pairs[i], d.pairs[i+1])
			}
			if out, err := exec.Command(binary, args...).CombinedOutput(); err != nil {
				t.Errorf("%v: %v\n%s", args, err, out)
				continue
			}
			want, err := d.fit()
			if err != nil {
				t.Fatal(err)
			}
			if got := matrix(t, filepath.Join(dir, d.name, "embedding.npy")); !mat.Equal(got, want) {
				t.Errorf("%s: the coordinates of the command line are not those of Fit", d.name)
			}
		}
	})
}

// The command line writes the files that the pipeline saves, byte for byte.
func TestCommandLineWritesTheSameFiles(t *testing.T) {
	binary, dir := program(t), t.TempDir()
	for _, c := range []struct {
		method string
		pairs  []string
	}{{"le", nil}, {"plsa", nil}, {"cle", []string{"labeled-fraction", "0.2"}}} {
		saved := save(t, cluster(t, train, options(t, c.method, c.pairs...)), filepath.Join(dir, "library"))
		args := []string{"cluster", train, "--method", c.method, "-k", "3", "--seed", "1", "--quiet", "--out", filepath.Join(dir, "program")}
		for i := 0; i < len(c.pairs); i += 2 {
			args = append(args, "--"+c.pairs[i], c.pairs[i+1])
		}
		if out, err := exec.Command(binary, args...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if a, b := names(t, filepath.Join(dir, "library")), names(t, filepath.Join(dir, "program")); !slices.Equal(a, b) {
			t.Errorf("%s: the pipeline saves %v, and the command line %v", c.method, a, b)
		}
		for _, path := range saved {
			switch name := filepath.Base(path); name {
			case "report.html": // which holds times
			default:
				got, err := os.ReadFile(filepath.Join(dir, "program", name))
				if want := content(t, filepath.Dir(path), name); err != nil || !bytes.Equal(got, want) {
					t.Errorf("%s: %s differs (%v)", c.method, name, err)
				}
			}
		}
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
	run, err := eigenmap.EmbedMatrix(context.Background(), x, opt)
	if err != nil {
		t.Fatal(err)
	}
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
		run, err := eigenmap.EmbedMatrix(context.Background(), x,
			eigenmap.Options{Method: "le-cas", Seed: 1, Config: &lecas.Options{LE: le.Options{Dims: 3, Graph: g}}})
		if err != nil {
			t.Fatal(err)
		}
		return run.Fitted.Used.(*lecas.Options).LE.Graph.HeatWidth, run.Embedding
	}
	median, a := width(heat)
	mean, b := width(graph.Options{Weight: graph.Heat, HeatRule: graph.MeanWidth, Neighbors: 6})
	none, _ := width(graph.Options{Neighbors: 6})
	if !(median > 0) || median == mean || median == none || same(a, b) {
		t.Errorf("the widths are %v by the median, %v by the mean, %v by σ", median, mean, none)
	}
}

// Eight documents are enough for the defaults, by every door.
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
