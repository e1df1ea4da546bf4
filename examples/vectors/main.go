// Command vectors clusters texts by vectors, such as embeddings of a language model, and by words
// and vectors together. The clusters are named by words either way. embed.py makes such vectors.
//
//	go run ./examples/vectors CORPUS VECTORS.npy K
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"strconv"
	"strings"

	"github.com/eigenmap/eigenmap"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 4 {
		log.Fatal("usage: vectors CORPUS VECTORS.npy K")
	}
	k, err := strconv.Atoi(os.Args[3])
	if err == nil {
		err = run(context.Background(), os.Args[1], os.Args[2], k)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// run prints the clusters by each way to compare documents.
func run(ctx context.Context, file, vectors string, k int) error {
	for _, way := range []struct {
		name    string
		vectors eigenmap.Vectors
	}{
		{"words", eigenmap.Vectors{}},
		{"vectors", eigenmap.Vectors{File: vectors}},
		{"words and vectors", eigenmap.Vectors{File: vectors, Views: []string{"words", "vectors"}}},
	} {
		clustered, err := eigenmap.Cluster(ctx, file, eigenmap.Options{Clusters: k, Vectors: way.vectors})
		if err != nil {
			return err
		}
		fmt.Printf("by %s:\n", way.name)
		for _, c := range clustered.Clusters {
			fmt.Printf("  %4d texts about %s\n", c.Size, strings.Join(c.Terms[:min(5, len(c.Terms))], ", "))
		}
		if clustered.Scores != nil { // the corpus has classes to compare with
			fmt.Printf("  accuracy %.3f\n", clustered.Scores.Accuracy)
		}
	}
	return nil
}
