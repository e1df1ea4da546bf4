package eigenmap_test

import (
	"context"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Texts that were read once give what a run over them gives, and their model counts new texts.
func TestOnReading(t *testing.T) {
	var texts []string
	for i := range 30 {
		texts = append(texts, []string{"ships sail the sea", "compilers compile programs"}[i%2]+[]string{"", " daily", " at night"}[i%3])
	}
	opt := options(t, "kmeans", "clusters", "2", "language", "english")
	want := must.Get(eigenmap.ClusterTexts(t.Context(), texts, opt))(t)
	var own eigenmap.Options
	set(t, &own, "language", "english")
	read := must.Get(eigenmap.ReadingOf(t.Context(), texts, own))(t)
	p := must.Get(eigenmap.Prepare(options(t, "kmeans", "clusters", "2"), "cluster"))(t)
	got := must.Get(p.OnReading(t.Context(), read))(t)
	if !slices.Equal(got.Labels, want.Labels) || !slices.Equal(got.Clusters[0].Terms, want.Clusters[0].Terms) {
		t.Errorf("%v with %v, not %v with %v", got.Labels, got.Clusters[0].Terms, want.Labels, want.Clusters[0].Terms)
	}
	m := must.Get(got.Model(t.Context()))(t)
	placed, err := m.PredictTexts(t.Context(), []string{"a ship sailing", "to compile a program"})
	if err != nil || !slices.Equal(placed.Labels, got.Labels[:2]) {
		t.Error(placed, err)
	}
	if _, err := eigenmap.ReadingOf(t.Context(), nil, own); err == nil {
		t.Error("no texts are read")
	}
}

// The graph of a fit has a node for each document, copies among them, and is symmetric; methods
// without one, and landmarks, have none.
func TestAffinity(t *testing.T) {
	x := mat.NewDense(40, 2, nil)
	for i := range 40 {
		x.SetRow(i, []float64{float64(i % 20), float64(i % 20 * (i % 20))}) // each row twice
	}
	of := func(method string, pairs ...string) *sparse.CSR {
		run := must.Get(eigenmap.ClusterMatrix(context.Background(), x, options(t, method, append([]string{"clusters", "2"}, pairs...)...)))(t)
		w := must.Get(run.Affinity())(t)
		return w
	}
	for _, duplicates := range []string{"once", "keep"} {
		w := of("le", "neighbors", "4", "duplicates", duplicates)
		if r, c := w.Dims(); r != 40 || c != 40 || !w.IsSymmetric(0) {
			t.Errorf("%s: %d × %d, symmetric: %v", duplicates, r, c, w.IsSymmetric(0))
		}
		for i := range 40 {
			if cols, _ := w.Row(i); len(cols) == 0 {
				t.Errorf("%s: row %d has no neighbours", duplicates, i)
			}
		}
	}
	if of("kmeans") != nil || of("le", "landmarks", "10", "neighbors", "3", "duplicates", "keep") != nil {
		t.Error("there is a graph where no graph is of all documents")
	}
}
