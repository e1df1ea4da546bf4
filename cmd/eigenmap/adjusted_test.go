package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// shared is a corpus of the tests' own folder of original data, which a machine may not have.
func shared(t *testing.T, name string) string {
	t.Helper()
	path := filepath.Join("..", "..", "..", "shared", "data", name)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("%s is not there", name)
	}
	return path
}

// TestGeodesicAndAdjusted: every flag that is given comes back in the configuration, which gives
// the same clusters again and records nothing that a repeated run would refuse; what the method
// found is reported in words and by name.
func TestGeodesicAndAdjusted(t *testing.T) {
	dir := t.TempDir()
	file := texts(t, dir, 20)
	for i, c := range []struct {
		args []string
		want map[string]any // in the configuration
		not  []string
		says []string // in the table
		json []string // keys of found
	}{
		{[]string{"le-cas"}, map[string]any{"neighbors": 10.0, "edge-weight": "heat", "first-clustering": "kernel-k-means", "denominator": "sigma", "kernel": "gaussian", "drop-zeros": false},
			[]string{"first-clusters", "heat-rule", "poly-degree", "labels"}, []string{"kernel k-means", "silhouette", "the best of 2 to 10", "of the edges join different"},
			[]string{"first_clusters", "silhouette", "tried", "silhouettes", "sigma", "adjusted_edges", "lost_edges"}},
		{[]string{"le-cas", "--paper"}, map[string]any{"drop-zeros": true}, nil, []string{"kernel k-means"}, []string{"silhouette"}},
		{[]string{"le-cas", "--first-clusters", "4", "--kernel", "polynomial", "--poly-degree", "3", "--sigma", "0.7", "--denominator", "sigma^2", "--heat-rule", "median", "--drop-zeros=false"},
			map[string]any{"first-clusters": 4.0, "kernel": "polynomial", "poly-degree": 3.0, "sigma": 0.7, "denominator": "sigma^2", "drop-zeros": false},
			[]string{"heat-rule"}, []string{"4 clusters by kernel k-means, polynomial kernel (1 + x·y)^3", "σ 0.7"}, []string{"first_clusters", "sigma"}},
		{[]string{"le-cas", "--first-clustering", "k-means", "--heat-rule", "local", "--local-neighbor", "3"},
			map[string]any{"first-clustering": "k-means", "heat-rule": "local", "local-neighbor": 3.0, "heat-width": 1.0}, []string{"kernel"}, []string{"by k-means"}, []string{"tried"}},
		{[]string{"le-cas", "--labeled-fraction", "1", "--init", "labels"}, map[string]any{"first-clustering": "labels", "labeled-fraction": 1.0}, []string{"kernel", "first-clusters"},
			[]string{"3 clusters of known labels", "0 % of the edges"}, []string{"first_clustering"}},
		{[]string{"kernel-kmeans", "--sigma", "2"}, map[string]any{"kernel": "gaussian", "sigma": 2.0, "restarts": 10.0}, []string{"poly-degree", "neighbors"},
			[]string{"Gaussian kernel of σ 2", "silhouette in feature space"}, []string{"kernel", "sigma", "converged"}},
		{[]string{"kernel-kmeans", "--kernel", "linear", "--kernel-shift", "0.5"}, map[string]any{"kernel": "linear", "kernel-shift": 0.5}, []string{"sigma", "poly-degree"}, []string{"linear kernel"}, []string{"kernel"}},
		{[]string{"ggle", "--reach", "12", "--shape", "1.5", "--neighbors", "6"}, map[string]any{"reach": 12.0, "shape": 1.5}, []string{"edge-weight"}, nil, nil},
		{[]string{"s-le", "--min-neighbors", "3", "--ratio", "1.4", "--neighbors", "9"}, map[string]any{"min-neighbors": 3.0, "ratio": 1.4, "neighbors": 9.0}, []string{"symmetry"},
			[]string{"neighbourhoods of 3,", "at most 1.4 times"}, []string{"ratio", "neighborhoods_min_median_max"}},
		{[]string{"s-le", "--heat-rule", "pairs"}, nil, []string{"heat-rule"}, nil, nil},
		{[]string{"scple", "--labeled-fraction", "0.9", "--gamma", "0"}, map[string]any{"gamma": 0.0}, []string{"edge-weight", "drop-first"}, []string{"edges within classes"}, []string{"edges_within", "outside"}},
		{[]string{"isomap", "--landmarks", "15", "--landmark-pick", "maxmin", "--neighbors", "5"}, map[string]any{"parts": "join", "landmarks": 15.0, "landmark-pick": "maxmin", "tol": 1e-10},
			[]string{"edge-weight", "landmark-neighbors"}, []string{"from 15 landmarks; 3 dimensions leave", "joined by 2 shortest links"}, []string{"residual_variance", "links", "landmarks"}},
		{[]string{"isomap", "--epsilon", "1.2", "--parts", "largest"}, map[string]any{"epsilon": 1.2, "parts": "largest"}, []string{"neighbors"}, []string{"outside of its largest part"}, []string{"outside"}},
		{[]string{"lle", "--regularization", "0.01", "--parts", "all", "--landmarks", "30", "--landmark-neighbors", "5"},
			map[string]any{"regularization": 0.01, "parts": "all", "landmarks": 30.0, "landmark-neighbors": 5.0}, []string{"landmark-pick", "edge-weight"},
			[]string{"from 15 neighbours, carried by 30 landmarks"}, []string{"landmarks"}},
	} {
		if testing.Short() && i%3 != 0 {
			continue
		}
		name := strings.Join(c.args, " ")
		first, again := filepath.Join(dir, fmt.Sprint(i)), filepath.Join(dir, fmt.Sprint(i, "again"))
		v := mustCall(t, append([]string{"cluster", file, "--json", "--out", first, "--method"}, c.args...)...).object(t)
		checkConfiguration(t, name, v, c.want, c.not)
		found, _ := v["found"].(map[string]any)
		for _, key := range c.json {
			if found[key] == nil {
				t.Errorf("%s: it does not tell %s, but %v", name, key, found)
			}
		}
		table := mustCall(t, "cluster", "--config", filepath.Join(first, "config.yaml"), "--out", again).stdout
		for _, text := range c.says {
			// The configuration says by itself what the first run decided and noted.
			if !strings.Contains(table+fmt.Sprint(v["notes"]), text) {
				t.Errorf("%s: it does not say %q:\n%s", name, text, table)
			}
		}
		for _, f := range []string{"clusters.csv", "config.yaml"} {
			sameFile(t, f, first, again)
		}
	}
}

// TestOneFirstCluster: with one first cluster nothing is weakened, and le-cas is le on the same
// graph, bit for bit.
func TestOneFirstCluster(t *testing.T) {
	dir := t.TempDir()
	file := texts(t, dir, 20)
	embed := func(name string, args ...string) string {
		out := filepath.Join(dir, name)
		mustCall(t, append([]string{"embed", file, "-d", "4", "--out", out, "--edge-weight", "heat", "--heat-width", "1.5", "--neighbors", "12", "--drop-zeros"}, args...)...)
		b := must.Get(os.ReadFile(filepath.Join(out, "embedding.npy")))(t)
		return string(b)
	}
	if embed("le", "--method", "le") != embed("cas", "--method", "le-cas", "--first-clusters", "1") {
		t.Error("with one first cluster le-cas is not le")
	}
}

// TestLinearKernel: kernel k-means with a linear kernel reaches an objective of k-means.
func TestLinearKernel(t *testing.T) {
	file := texts(t, t.TempDir(), 20)
	a := mustCall(t, "cluster", file, "--method", "kmeans", "--json").object(t)["objective"].(float64)
	b := mustCall(t, "cluster", file, "--method", "kernel-kmeans", "--kernel", "linear", "--json").object(t)["objective"].(float64)
	if math.Abs(a-b) > 1e-9*a {
		t.Errorf("k-means reaches %v, kernel k-means with a linear kernel %v", a, b)
	}
}

// TestKernelOfAGraph: an affinity matrix serves as a kernel; there is no plane to draw then and no
// place for new documents.
func TestKernelOfAGraph(t *testing.T) {
	dir := t.TempDir()
	file, graph, out := texts(t, dir, 20), filepath.Join(dir, "graph"), filepath.Join(dir, "out")
	mustCall(t, "graph", file, "--out", graph)
	v := mustCall(t, "cluster", filepath.Join(graph, "affinity.npz"), "--precomputed", "--method", "kernel-kmeans", "--kernel-shift", "4", "-k", "3", "--restarts", "20", "--out", out, "--json").object(t)
	if v["found"].(map[string]any)["kernel_rows"] != "given" {
		t.Errorf("%v", v["found"])
	}
	sizes := fmt.Sprint(v["cluster_sizes"])
	if sizes != "[20 20 20]" {
		t.Errorf("the parts of the graph are clusters of %s", sizes)
	}
	checkSentence(t, call("predict", filepath.Join(out, modelName), file), "affinity matrix")
	notes := fmt.Sprint(mustCall(t, "cluster", filepath.Join(graph, "affinity.npz"), "--precomputed", "--method", "kernel-kmeans", "-k", "3", "--json").object(t)["notes"])
	if !strings.Contains(notes, "not positive semidefinite") {
		t.Errorf("a graph without a diagonal is no kernel, and the notes are %s", notes)
	}
}

// TestClosedModels: methods that have no rule for new documents say why, in info and predict.
func TestClosedModels(t *testing.T) {
	file := texts(t, t.TempDir(), 20)
	for _, c := range []struct {
		says string
		args []string
	}{
		{"paths through all others", []string{"--method", "ggle"}},
		{"how far a neighbourhood reaches", []string{"--method", "s-le"}},
		{"the class of a new one is not known", []string{"--method", "scple", "--labeled-fraction", "0.5"}},
	} {
		m := modelOf(t, file, c.args...)
		r := call("predict", m, file)
		if r.status != exitRequest {
			t.Errorf("%v: status %d", c.args, r.status)
		}
		checkSentence(t, r, c.says)
		if info := mustCall(t, "info", m).stdout; !strings.Contains(info, "new documents  none: ") || !strings.Contains(info, c.says) {
			t.Errorf("%v:\n%s", c.args, info)
		}
	}
}

// TestCompanies: CNAE-9 with nothing but the method, and a tenth of it held out: what is new is
// clustered as well as what the model was made from.
func TestCompanies(t *testing.T) {
	if testing.Short() {
		t.Skip("clusters CNAE-9 many times")
	}
	dir := t.TempDir()
	old, held := heldOut(t, dir, shared(t, "CNAE-9.csv"))
	for _, args := range [][]string{{"le-cas"}, {"le-cas", "--heat-rule", "local"}, {"isomap"}, {"lle", "--normalize-rows"}, {"kernel-kmeans"}} {
		out := filepath.Join(dir, strings.Join(args, ""))
		v := mustCall(t, append([]string{"cluster", old, "--json", "--out", out, "--method"}, args...)...).object(t)
		p := mustCall(t, "predict", filepath.Join(out, modelName), held, "--json").object(t)
		was, is := v["metrics"].(map[string]any)["purity"].(float64), p["metrics"].(map[string]any)["purity"].(float64)
		if was < 0.45 || is < was-0.12 {
			t.Errorf("%v: purity %.3f, and %.3f of new documents", args, was, is)
		}
	}
}
