// Command nightly places the new documents of the day in the clusters of a model, and says when it
// is time to cluster again: when many of them are unlike all that the model knows.
//
//	go run ./examples/nightly RESULT NEW PLACED
//
// It ends with status 3 if the model should be fitted anew, so that a script can do it:
//
//	go run ./examples/nightly result new.csv placed || eigenmap cluster all.csv -k auto --out result
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"strings"

	"github.com/eigenmap/eigenmap"
)

const (
	novel = .95 // of documents like the model's, one in twenty has as much
	many  = .20 // share of novel documents from which the model is out of date
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 4 {
		log.Fatal("usage: nightly RESULT NEW PLACED")
	}
	share, err := run(context.Background(), os.Args[1], os.Args[2], os.Args[3])
	if err != nil {
		log.Fatal(err)
	}
	if share > many {
		fmt.Println("the model is out of date: cluster again")
		os.Exit(3)
	}
}

// run places the documents of file and returns the share of them that are novel.
func run(ctx context.Context, result, file, out string) (float64, error) {
	placed, err := eigenmap.Predict(ctx, result, file)
	if err != nil {
		return 0, err
	}
	count := 0
	for i, label := range placed.Labels {
		if placed.Novelty[i] < novel {
			continue
		}
		if count++; count <= 10 {
			fmt.Printf("%s is unlike all documents of the model; nearest is cluster %d, confidence %.2f\n", placed.Corpus.ID(i), label, placed.Confidence[i])
		}
	}
	for _, c := range placed.Clusters {
		if c.Size > 0 {
			fmt.Printf("%d new documents in cluster %d: %s\n", c.Size, c.Number, strings.Join(c.Terms[:min(5, len(c.Terms))], ", "))
		}
	}
	if err := placed.Save(out); err != nil {
		return 0, err
	}
	return float64(count) / float64(max(1, len(placed.Labels))), nil
}
