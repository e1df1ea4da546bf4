package eigenmap_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/pca"
	"gonum.org/v1/gonum/mat"
)

// A corpus in, clusters and their score out.
func Example() {
	run, err := eigenmap.Cluster(context.Background(), "examples/debian/packages.jsonl.gz", eigenmap.Options{Clusters: 12})
	check(err)
	fmt.Printf("%d documents, accuracy %.2f, NMI %.2f\n", len(run.Labels), run.Scores.Accuracy, run.Scores.NMI)
	// Output: 5971 documents, accuracy 0.64, NMI 0.58
}

// Save writes the files that the command line writes; Predict puts new documents into the clusters
// of a saved model.
func ExamplePredict() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "eigenmap-example-")
	check(err)
	defer os.RemoveAll(dir)

	opt := eigenmap.Options{Method: "le", Clusters: 3, Seed: 1}
	check(opt.Set("neighbors", "10"))
	run, err := eigenmap.Cluster(ctx, "testdata/golden/train.jsonl", opt)
	check(err)
	check(run.Save(dir))
	placed, err := eigenmap.Predict(ctx, filepath.Join(dir, eigenmap.ModelName), "testdata/golden/new.jsonl")
	check(err)
	fmt.Printf("%d new documents, accuracy %.2f\n", len(placed.Labels), placed.Scores.Accuracy)
	// Output: 10 new documents, accuracy 1.00
}

// The rows of a matrix are clustered as documents are.
func ExampleClusterMatrix() {
	x := mat.NewDense(6, 2, []float64{0, 0, 1, 0, 0, 1, 10, 10, 11, 10, 10, 11})
	run, err := eigenmap.ClusterMatrix(context.Background(), x,
		eigenmap.Options{Method: "kmeans", Clusters: 2, Config: &kmeans.Options{Restarts: 3}})
	check(err)
	fmt.Println(run.Labels, run.Sizes)
	// Output: [0 0 0 1 1 1] [3 3]
}

// A method's own options can be given whole.
func ExampleEmbed() {
	run, err := eigenmap.Embed(context.Background(), "testdata/golden/train.jsonl",
		eigenmap.Options{Method: "pca", Config: &pca.Options{Dims: 2}})
	check(err)
	documents, dims := run.Embedding.Dims()
	fmt.Println(documents, "documents in", dims, "dimensions")
	// Output: 60 documents in 2 dimensions
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
