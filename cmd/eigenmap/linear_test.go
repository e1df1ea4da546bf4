package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestEqualRows: components of rows that are all equal are reported without a solver, which there
// was none of.
func TestEqualRows(t *testing.T) {
	dir := t.TempDir()
	file, out := write(t, dir, "equal.csv", "1,1\n1,1\n1,1\n"), filepath.Join(dir, "out")
	r := mustCall(t, "cluster", file, "--method", "pca", "-k", "2", "--out", out)
	for _, text := range []string{r.stdout, readFile(t, filepath.Join(out, "report.html"))} {
		if !strings.Contains(text, "0 % of the variance, largest residual") || !strings.Contains(text, "All rows are equal") {
			t.Errorf("%s", text)
		}
	}
}

// TestMixtureConfigurationRepeats: a mixture of dense data records no solver, which its
// configuration file would be refused for.
func TestMixtureConfigurationRepeats(t *testing.T) {
	dir := t.TempDir()
	file := write(t, dir, "dense.csv", "1,2\n2,1\n8,9\n9,8\n7,9\n")
	for _, c := range []struct {
		args string
		not  []string
	}{
		{"gmm", []string{"solver", "tol"}},
		{"gmm --pca 1 --solver dense", nil},
		{"lapgmm --neighbors 2", []string{"solver", "tol"}},
	} {
		first, again := filepath.Join(dir, c.args), filepath.Join(dir, c.args+" again")
		v := mustCall(t, append([]string{"cluster", file, "--json", "-k", "2", "--out", first, "--method"}, strings.Fields(c.args)...)...).object(t)
		checkConfiguration(t, c.args, v, nil, c.not)
		mustCall(t, "cluster", "--config", filepath.Join(first, "config.yaml"), "--out", again)
		sameFile(t, "clusters.csv", first, again)
	}
}

// TestLinearConfigurationRepeats: what a linear method records is what it used, and a run from it
// gives the same clusters.
func TestLinearConfigurationRepeats(t *testing.T) {
	dir := t.TempDir()
	file := texts(t, dir, 20)
	for i, c := range []struct {
		args string
		want map[string]any
		not  []string
	}{
		{"spg", map[string]any{"penalty": "lasso", "cardinality": 75.0, "responses": "neighbors"}, []string{"alpha"}},
		{"spg --penalty elastic-net --alpha 0.5 --cardinality 4", map[string]any{"alpha": 0.5, "cardinality": 4.0}, nil},
		{"spg --penalty ridge", map[string]any{"alpha": 1.0}, []string{"cardinality"}},
		{"spg --responses pca", nil, []string{"alpha", "neighbors", "edge-weight"}},
		{"spg --labeled-fraction 0.3 --responses classes", nil, []string{"alpha", "neighbors"}},
		{"spg --labeled-fraction 0.3", map[string]any{"responses": "semi"}, []string{"alpha"}},
		{"spca --cardinality 5", map[string]any{"cardinality": 5.0}, []string{"alpha"}},
		{"lda --labeled-fraction 0.5 --alpha 1", map[string]any{"alpha": 1.0}, nil},
		{"lda --labeled-fraction 0.5", nil, []string{"alpha"}}, // the estimate from the data
		{"lpp --alpha 0.5", map[string]any{"alpha": 0.5}, nil},
	} {
		if testing.Short() && i%3 != 0 {
			continue
		}
		first, again := filepath.Join(dir, c.args), filepath.Join(dir, c.args+" again")
		v := mustCall(t, append([]string{"cluster", file, "--json", "-k", "3", "--out", first, "--method"}, strings.Fields(c.args)...)...).object(t)
		checkConfiguration(t, c.args, v, c.want, c.not)
		mustCall(t, "cluster", "--config", filepath.Join(first, "config.yaml"), "--out", again)
		for _, f := range []string{"clusters.csv", "config.yaml"} {
			sameFile(t, f, first, again)
		}
	}
}
