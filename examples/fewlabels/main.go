// Command fewlabels clusters a corpus, asks which documents to label, takes their labels, and
// clusters again with these. The labels of the corpus play the person who labels.
//
//	go run ./examples/fewlabels examples/debian/packages.jsonl.gz
package main

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/corpus"
)

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: fewlabels CORPUS, a corpus with classes")
	}
	if err := run(context.Background(), os.Args[1]); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, file string) error {
	// No label yet: as many clusters as the file has classes.
	first, err := eigenmap.Cluster(ctx, file, eigenmap.Options{})
	if err != nil {
		return err
	}
	fmt.Printf("without labels: accuracy %.3f\n", first.Scores.Accuracy)

	next, err := first.Suggest(ctx, eigenmap.SuggestOptions{Number: 24})
	if err != nil {
		return err
	}
	fmt.Printf("label first: %s (%s)\n", next.Next[0].ID, next.Next[0].Why)

	// A program would show next.Next to a person here.
	docs := first.Corpus
	number := map[string]int{}
	for i, id := range docs.IDs {
		number[id] = i
	}
	known := &corpus.Given{Labels: make([]int, docs.Len()), ClassNames: docs.ClassNames}
	for i := range known.Labels {
		known.Labels[i] = -1
	}
	for _, s := range next.Next {
		i := number[s.ID]
		known.Labels[i] = docs.Labels[i]
	}
	second, err := eigenmap.Cluster(ctx, file, eigenmap.Options{Method: "semi-ldc", Known: known})
	if err != nil {
		return err
	}
	fmt.Printf("with %d labels: accuracy %.3f on the other documents\n", len(next.Next), second.Unlabeled.Accuracy)
	return nil
}
