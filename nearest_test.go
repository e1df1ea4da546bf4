package eigenmap_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/progress"
)

// Documents that moved by their terms are in the same clusters as new ones, with a method for which
// that is the default and with others, and as sure of them.
func TestNearestByTerms(t *testing.T) {
	for name, pairs := range map[string][]string{
		"diffusion":   {"diffusion"},
		"coordinates": {"diffusion", "nearest-by", "coordinates"},
		"lsi":         {"lsi", "nearest-by", "terms"},
		"landmarks":   {"le", "nearest-by", "terms", "landmarks", "30"},
		"single":      {"diffusion", "precision", "single"},
	} {
		dir := t.TempDir()
		run := cluster(t, train, options(t, pairs[0], append([]string{"confidence", "raw"}, pairs[1:]...)...))
		save(t, run, dir)
		p, err := eigenmap.Predict(context.Background(), dir, train)
		if err != nil {
			t.Fatal(name, err)
		}
		if !slices.Equal(p.Labels, run.Labels) {
			t.Errorf("%s: as new documents they are in other clusters", name)
		}
		for i, sure := range p.Confidence {
			if d := sure - run.Confidence[i]; !(sure >= 0 && sure <= 1) || d > 1e-6 || d < -1e-6 {
				t.Fatalf("%s: document %d has the confidence %v, as a new one %v", name, i, run.Confidence[i], sure)
			}
		}
	}
}

// Dense rows have no terms, which is said before the method has run.
func TestNearestByTermsOfDenseRows(t *testing.T) {
	file := write(t, t.TempDir(), "points.csv", "x,y\n"+strings.Repeat("1.5,2.25\n2.5,1.125\n9.25,8.5\n8.125,9.75\n", 10))
	opt := options(t, "diffusion", "clusters", "2", "nearest-by", "terms")
	began := false
	opt.Observer = func(e progress.Event) { began = began || e.Stage == "graph" || e.Stage == "k-means" }
	_, err := eigenmap.Cluster(context.Background(), file, opt)
	refused(t, err, "nearest-by", "no sparse rows of terms", "leave it out")
	if began {
		t.Error("the method ran before")
	}
}
