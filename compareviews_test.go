package eigenmap_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/metrics"
	"gonum.org/v1/gonum/mat"
)

// TestCompareViews: by vectors and by columns, too, a comparison finds what each method finds
// alone, of all documents and of some classes.
func TestCompareViews(t *testing.T) {
	docs := trainingTexts(t)
	x, _ := embedded(len(docs), 4)
	file := write(t, t.TempDir(), "tickets.csv", tickets(docs, ticketHeader))
	ctx, seen := context.Background(), map[string]bool{}
	for _, views := range []string{"", "vectors", "words,vectors", "words,columns", "words,vectors,columns"} {
		for _, classes := range [][]string{nil, {"kitchen", "sky"}} {
			opt := eigenmap.Options{Clusters: 4, Source: eigenmap.Source{Classes: classes}}
			if strings.Contains(views, ",") {
				opt.Vectors.Views = strings.Split(views, ",")
			}
			if strings.Contains(views, "vectors") {
				opt.Vectors.Rows = x
			}
			out := must.Get(eigenmap.Compare(ctx, file, opt, eigenmap.CompareOptions{Methods: []string{"diffusion", "kmeans"}, Seeds: 2}))(t)
			for _, r := range out.Runs {
				opt.Method, opt.Seed = r.Method, r.Seed
				alone := cluster(t, file, opt)
				pairs := must.Get(metrics.NewTable(alone.Labels, r.Labels))(t)
				if ari := pairs.Scores().ARI; ari != 1 || r.Metrics.NMI != alone.Scores.NMI {
					t.Errorf("%s of %q, %s, seed %d: ARI %v with the run by itself", views, classes, r.Method, r.Seed, ari)
				}
				if r.Method == "kmeans" && r.Seed == 0 {
					seen[fmt.Sprint(alone.Labels)] = true
				}
			}
		}
	}
	if len(seen) < 4 {
		t.Errorf("%d different clusterings of 10: the views hardly count", len(seen))
	}
	few := eigenmap.Options{Clusters: 3, Vectors: eigenmap.Vectors{Rows: x.Slice(0, 9, 0, 2).(*mat.Dense)}}
	_, err := eigenmap.Compare(ctx, file, few, eigenmap.CompareOptions{Methods: []string{"kmeans"}})
	refused(t, err, "9 vectors")
}
