// Command outside is a program outside the module: it clusters a corpus, saves the result, loads
// the model and predicts new documents with the root package alone.
//
// Usage: outside CORPUS NEW DIR
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/eigenmap/eigenmap"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 4 {
		log.Fatal("usage: outside CORPUS NEW DIR")
	}
	if err := run(context.Background(), os.Args[1], os.Args[2], os.Args[3]); err != nil {
		log.Fatal(err)
	}
}

// run clusters corpus with Laplacian Eigenmaps into folder dir and predicts the documents of fresh.
func run(ctx context.Context, corpus, fresh, dir string) error {
	opt := eigenmap.Options{Method: "le", Clusters: 3, Seed: 1}
	if err := opt.Set("neighbors", "10"); err != nil {
		return err
	}
	clustered, err := eigenmap.Cluster(ctx, corpus, opt)
	if err != nil {
		return err
	}
	if err := clustered.Save(dir); err != nil {
		return err
	}
	fmt.Printf("clustered %d documents into %d clusters\n", len(clustered.Labels), len(clustered.Sizes))

	file := filepath.Join(dir, eigenmap.ModelName)
	model, err := eigenmap.LoadModel(ctx, file)
	if err != nil {
		return err
	}
	fmt.Printf("loaded a model of %s, made from %d documents\n", model.Method(), model.Documents())

	placed, err := eigenmap.Predict(ctx, file, fresh)
	if err != nil {
		return err
	}
	_, dims := placed.Embedding.Dims()
	fmt.Printf("predicted %d new documents", len(placed.Labels))
	if placed.Scores != nil { // they have true labels
		fmt.Printf(", accuracy %.2f", placed.Scores.Accuracy)
	}
	fmt.Printf(", in %d dimensions\n", dims)
	return nil
}
