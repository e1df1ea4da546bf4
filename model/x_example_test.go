package model_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/model"
	"gonum.org/v1/gonum/mat"
)

// A k-means model of six points, kept in a file, takes two new ones.
func Example() {
	ctx := context.Background()
	c := &corpus.Corpus{Name: "points", X: mat.NewDense(6, 2, []float64{0, 0, 0, 1, 1, 0, 1, 1, 9, 9, 9, 8})}
	fitted, err := kmeans.Fit(ctx, c.X, kmeans.Options{K: 2})
	if err != nil {
		log.Fatal(err)
	}
	m := &model.Model{Method: "kmeans", Documents: c.Len(), Clusters: &model.Clusters{Sizes: fitted.Sizes, Centers: fitted.Centers}}
	if m.Rows, err = model.NewRows(c, corpus.WeightTF, corpus.NormNone, nil); err != nil {
		log.Fatal(err)
	}
	m.Part, m.Why = model.Keep("kmeans", model.Fitted{})

	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "model.npz")
	if err := model.Write(path, m); err != nil {
		log.Fatal(err)
	}
	back, err := model.Read(ctx, path)
	if err != nil {
		log.Fatal(err)
	}
	p, err := back.Predict(ctx, &corpus.Corpus{Name: "new", X: mat.NewDense(2, 2, []float64{8, 8, 0.5, 0.5})}, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(p.Labels, p.Sizes)
	// Output: [1 0] [1 1]
}
