package eigenmap_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/must"
	"gonum.org/v1/gonum/mat"
)

// gappy are the rows of three clusters in columns of different scales, of which one in twelve cells
// is missing, and the same with the medians of the columns in their place.
func gappy(n int) (x, filled *mat.Dense, medians []float64) {
	rng := rand.New(rand.NewPCG(3, 9))
	x = mat.NewDense(n, 4, nil)
	for i := range n {
		for j := range 4 {
			x.Set(i, j, math.Round(100*(rng.NormFloat64()+float64(6*(i%3)*(1-2*(j%2)))))/100)
			if rng.IntN(12) == 0 {
				x.Set(i, j, math.NaN())
			}
		}
	}
	filled = mat.DenseCopyOf(x)
	for j := range 4 {
		there := slices.DeleteFunc(mat.Col(nil, j, x), math.IsNaN)
		slices.Sort(there)
		medians = append(medians, (there[(len(there)-1)/2]+there[len(there)/2])/2)
		for i := range n {
			if math.IsNaN(x.At(i, j)) {
				filled.Set(i, j, medians[j])
			}
		}
	}
	return x, filled, medians
}

// csvOf writes rows with names of columns; a missing cell is mark.
func csvOf(t *testing.T, x mat.Matrix, mark string) string {
	t.Helper()
	b := strings.Builder{}
	b.WriteString("height,weight,age,width\n")
	n, d := x.Dims()
	for i := range n {
		for j := range d {
			if j > 0 {
				b.WriteByte(',')
			}
			if v := x.At(i, j); v == v {
				fmt.Fprint(&b, v)
			} else {
				b.WriteString(mark)
			}
		}
		b.WriteByte('\n')
	}
	path := filepath.Join(t.TempDir(), "table.csv")
	must.Do(t, os.WriteFile(path, []byte(b.String()), 0o600))
	return path
}

// TestMissingFilled: a table whose missing numbers are filled is the table with the medians written
// into it, from a file and in memory, and the model fills those of new rows by the same medians.
func TestMissingFilled(t *testing.T) {
	x, filled, medians := gappy(90)
	opt := eigenmap.Options{Method: "kmeans", Clusters: 3}
	want := must.Get(eigenmap.Cluster(t.Context(), csvOf(t, filled, ""), opt))(t)
	if _, err := eigenmap.Cluster(t.Context(), csvOf(t, x, "NA"), opt); err == nil || !strings.Contains(err.Error(), "cells are missing") {
		t.Fatalf("refused: %v", err)
	}
	opt.Source.Missing = corpus.MissingMedian
	file := must.Get(eigenmap.Cluster(t.Context(), csvOf(t, x, "NA"), opt))(t)
	before := mat.DenseCopyOf(x)
	memory := must.Get(eigenmap.ClusterCorpus(t.Context(), &corpus.Corpus{Name: "rows", X: x}, opt))(t)
	for i := range 90 {
		for j := range 4 {
			if a, b := x.At(i, j), before.At(i, j); a != b && (a == a || b == b) {
				t.Fatal("the caller's matrix was changed")
			}
		}
	}
	for name, run := range map[string]*eigenmap.Run{"file": file, "memory": memory} {
		if !slices.Equal(run.Labels, want.Labels) {
			t.Errorf("%s: other clusters than of the medians", name)
		}
		if !slices.ContainsFunc(run.Notes(), func(n string) bool { return strings.Contains(n, "filled by the median of their column") }) {
			t.Errorf("%s: notes %q", name, run.Notes())
		}
		m := must.Get(run.Model(t.Context()))(t)
		row := mat.NewDense(1, 4, []float64{math.NaN(), 2, math.NaN(), 1})
		whole := mat.NewDense(1, 4, []float64{medians[0], 2, medians[2], 1})
		a := must.Get(m.PredictMatrix(t.Context(), row))(t)
		b := must.Get(m.PredictMatrix(t.Context(), whole))(t)
		if a.Labels[0] != b.Labels[0] || a.Novelty[0] != b.Novelty[0] {
			t.Errorf("%s: a new row with missing numbers is at %v, %v, and with the medians at %v, %v", name, a.Labels, a.Novelty, b.Labels, b.Novelty)
		}
	}
}

// TestViewColumnsAlone: a table of numbers and words is compared by both, and its rows as new ones
// are in their own clusters, in whatever order their columns stand.
func TestViewColumnsAlone(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	table, turned := "size,kind,weight,sold\n", "kind,sold,size,weight\n"
	var classes []int
	for i := range 120 {
		g := i % 3
		size, kind, weight, sold := rng.NormFloat64(), []string{"pot", "pan", "lid"}[g], float64(1000*(g/2))+100*rng.NormFloat64(), []string{"yes", "no"}[i/3%2]
		table += fmt.Sprintf("%.3f,%s,%.3f,%s\n", size, kind, weight, sold)
		turned += fmt.Sprintf("%s,%s,%.3f,%.3f\n", kind, sold, size, weight)
		classes = append(classes, g)
	}
	write := func(text string) string {
		path := filepath.Join(t.TempDir(), "table.csv")
		must.Do(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	opt := eigenmap.Options{Method: "kmeans", Clusters: 3}
	opt.Vectors.Views, opt.Vectors.ViewColumns = []string{"columns"}, []string{"size", "kind", "weight"}
	run := must.Get(eigenmap.Cluster(t.Context(), write(table), opt))(t)
	of := map[int]int{}
	for i, k := range run.Labels {
		if was, seen := of[classes[i]]; seen && was != k || len(of) > 3 {
			t.Fatalf("row %d of class %d is in cluster %d", i, classes[i], k)
		}
		of[classes[i]] = k
	}
	dir := filepath.Join(t.TempDir(), "out")
	must.Do(t, run.Save(dir))
	for _, text := range []string{table, turned, table[:strings.Index(table, "\n")+1] + "0.5,wok,10,no\n"} {
		p := must.Get(eigenmap.Predict(t.Context(), dir, write(text)))(t)
		if len(p.Labels) == 120 && !slices.Equal(p.Labels, run.Labels) {
			t.Error("rows of the model are in other clusters as new ones")
		}
	}
	opt.Vectors.ViewColumns = nil
	if _, err := eigenmap.ClusterMatrix(t.Context(), mat.NewDense(4, 2, nil), opt); err == nil || !strings.Contains(err.Error(), "views") {
		t.Errorf("in memory: %v", err)
	}
}
