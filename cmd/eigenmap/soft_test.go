package main

import (
	"encoding/csv"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/must"
	"gonum.org/v1/gonum/mat"
)

// The files of a soft clustering say the same: the clusters are the most probable ones, the
// uncertain documents those below the bound, and documents that are predicted again get the
// probabilities that they had.
func TestSoftClustering(t *testing.T) {
	dir := t.TempDir()
	file := texts(t, dir, 30)
	out, again := filepath.Join(dir, "out"), filepath.Join(dir, "again")
	r := mustCall(t, "cluster", file, "--method", "gmm", "-k", "7", "--pca", "6", "--covariance", "spherical", "--ridge", "2", "--confidence", "raw", "--out", out, "--json", "--quiet")
	mustCall(t, "predict", filepath.Join(out, modelName), file, "--out", again, "--quiet")

	p := posteriorOf(t, out)
	n, k := p.Dims()
	rows := table(t, filepath.Join(out, "clusters.csv"))
	at := slices.Index(rows[0], "confidence")
	if n != 90 || k != 7 || len(rows) != n+1 || at < 0 {
		t.Fatalf("%d×%d posterior, %d rows of %v", n, k, len(rows), rows[0])
	}
	uncertain := 0
	for i := range n {
		sum := 0.0
		for _, v := range p.RawRowView(i) {
			sum += v
		}
		cluster, _ := strconv.Atoi(rows[i+1][1])
		said, _ := strconv.ParseFloat(rows[i+1][at], 64)
		best := slices.Max(p.RawRowView(i))
		if math.Abs(sum-1) > 1e-12 || p.At(i, cluster) != best || math.Abs(said-best) > 1e-5 {
			t.Errorf("document %d: probabilities %v, cluster %d with %v", i, p.RawRowView(i), cluster, said)
		}
		if best < 0.9 {
			uncertain++
		}
	}
	list := table(t, filepath.Join(out, "uncertain.csv"))[1:]
	if len(list) != uncertain || uncertain == 0 {
		t.Fatalf("uncertain.csv has %d documents, %d are uncertain", len(list), uncertain)
	}
	last := 0.0
	for _, row := range list {
		first, _ := strconv.ParseFloat(row[2], 64)
		second, _ := strconv.ParseFloat(row[4], 64)
		if first < last || first >= 0.9 || second > first || row[1] == row[3] {
			t.Errorf("uncertain.csv: %v after a probability of %v", row, last)
		}
		last = first
	}
	var v eigenmap.ClusterJSON
	if err := json.Unmarshal([]byte(r.stdout), &v); err != nil || v.Uncertain == nil || v.Uncertain.Count != uncertain || v.Uncertain.Documents[0] != list[0][0] {
		t.Errorf("JSON says %+v, error %v", v.Uncertain, err)
	}
	page, err := os.ReadFile(filepath.Join(out, "report.html"))
	if err != nil || !strings.Contains(string(page), "Uncertain documents") {
		t.Errorf("the report does not list uncertain documents (%v)", err)
	}
	if q := posteriorOf(t, again); !mat.EqualApprox(p, q, 1e-9) {
		t.Error("documents of the model have other probabilities when predicted")
	}
}

func posteriorOf(t *testing.T, dir string) *mat.Dense {
	t.Helper()
	return denseOf(t, filepath.Join(dir, "posterior.npy"))
}

func denseOf(t *testing.T, path string) *mat.Dense {
	t.Helper()
	c := must.Get(corpus.Read(t.Context(), path, corpus.ReadOptions{}))(t)
	p, ok := c.X.(*mat.Dense)
	if !ok {
		t.Fatalf("%s is a %T", path, c.X)
	}
	return p
}

func table(t *testing.T, path string) [][]string {
	t.Helper()
	f := must.Get(os.Open(path))(t)
	defer f.Close()
	rows := must.Get(csv.NewReader(f).ReadAll())(t)
	return rows
}
