package eigenmap_test

import (
	"context"
	"fmt"
	"log"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/le"
	"github.com/eigenmap/eigenmap/methods/metrics"
)

// A corpus in, clusters and their score out. The README shows this function's body.
func Example() {
	ctx := context.Background()
	c, err := corpus.Read(ctx, "examples/debian/packages.jsonl.gz", corpus.ReadOptions{})
	check(err)
	x, err := c.Weighted("tfidf", "l2")
	check(err)
	embedded, err := le.Fit(ctx, x, le.Options{Dims: 12, NormalizeRows: true})
	check(err)
	clusters, err := kmeans.Fit(ctx, embedded.Embedding, kmeans.Options{K: 12})
	check(err)
	score, err := metrics.Score(c.Labels, clusters.Labels)
	check(err)
	fmt.Printf("%d documents, accuracy %.2f, NMI %.2f\n", c.Len(), score.Accuracy, score.NMI)
	// Output: 5971 documents, accuracy 0.54, NMI 0.47
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
