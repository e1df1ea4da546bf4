package model

import (
	"os"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/le"
	"github.com/eigenmap/eigenmap/methods/metrics"
	"github.com/eigenmap/eigenmap/methods/semile"
	"gonum.org/v1/gonum/mat"
)

// Documents of TDT2 that were held out fall to the clusters of their classes as those do that the model was made from.
func TestHeldOutTDT2(t *testing.T) {
	const file = "../../shared/data/TDT2.mat"
	if _, err := os.Stat(file); err != nil {
		t.Skip("TDT2.mat is not in ../shared/data; held-out documents are tested on made-up corpora only")
	}
	if testing.Short() {
		t.Skip("the whole of TDT2 takes some seconds")
	}
	c, err := corpus.Read(background, file, corpus.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var kept, held []int
	for i := range c.Len() {
		if i%10 == 3 {
			held = append(held, i)
		} else {
			kept = append(kept, i)
		}
	}
	train, fresh := c.SelectRows(kept), c.SelectRows(held)
	rows, err := NewRows(train, corpus.WeightTF, corpus.NormL2, nil)
	if err != nil {
		t.Fatal(err)
	}
	x, err := train.Weighted(corpus.WeightTF, corpus.NormL2)
	if err != nil {
		t.Fatal(err)
	}
	opt := le.Options{Dims: 30, NormalizeRows: true}
	for method, fit := range map[string]func() (*le.Model, error){
		"le": func() (*le.Model, error) { return le.Fit(background, x, opt) },
		"semi-le": func() (*le.Model, error) {
			known, err := labels.Draw(train.Labels, 0.05, 1)
			if err != nil {
				return nil, err
			}
			return semile.Fit(background, x, known, 30, opt)
		},
	} {
		fitted, err := fit()
		if err != nil {
			t.Fatal(err)
		}
		km, err := kmeans.Fit(background, fitted.Embedding, kmeans.Options{K: 30, Restarts: 4})
		if err != nil {
			t.Fatal(err)
		}
		m := &Model{Method: method, Documents: train.Len(), Rows: rows, Clusters: &Clusters{Sizes: km.Sizes, Centers: km.Centers}}
		m.Part, m.Why = Keep(method, Fitted{Model: fitted, X: x, Graph: opt.Graph})
		start := time.Now()
		p, err := m.Predict(background, fresh, nil)
		if err != nil {
			t.Fatal(err)
		}
		took := time.Since(start)
		// The assignment of clusters to classes is that of all documents together, so that a few cannot choose their own.
		all, err := metrics.NewTable(append(append([]int{}, train.Labels...), fresh.Labels...), append(append([]int{}, km.Labels...), p.Labels...))
		if err != nil {
			t.Fatal(err)
		}
		of := map[int]int{}
		for column, row := range all.Assignment() {
			if row >= 0 {
				of[all.Clusters[column]] = all.Classes[row]
			}
		}
		share := func(labels, clusters []int) float64 {
			right := 0
			for i, k := range clusters {
				if class, ok := of[k]; ok && class == labels[i] {
					right++
				}
			}
			return float64(right) / float64(len(clusters))
		}
		inside, outside := share(train.Labels, km.Labels), share(fresh.Labels, p.Labels)
		t.Logf("%s: accuracy %.4f on the %d documents of the model, %.4f on the %d held out (%d isolated, %d known), placed in %v",
			method, inside, train.Len(), outside, fresh.Len(), len(p.Isolated), p.Known, took.Round(time.Millisecond))
		if outside < inside-0.04 {
			t.Errorf("%s: held-out documents are worse off: %.4f against %.4f", method, outside, inside)
		}
		if norm := mat.Norm(p.Embedding, 2); norm == 0 {
			t.Errorf("%s: all stand at the origin", method)
		}
	}
}
