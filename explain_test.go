package eigenmap_test

import (
	"context"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/internal/must"
)

// An explanation has the document's cluster, the one that comes next, terms of the document that
// the two clusters differ in, and documents of the same class near by.
func TestExplain(t *testing.T) {
	run, dir := cluster(t, train, options(t, "diffusion")), t.TempDir()
	save(t, run, dir)
	model := filepath.Join(dir, eigenmap.ModelName)
	p := must.Get(eigenmap.Predict(context.Background(), model, fresh))(t)
	classOf := map[string]int{}
	for i, l := range run.Corpus.Labels {
		classOf[run.Corpus.ID(i)] = l
	}
	all := make([]int, p.Corpus.Len())
	for i := range all {
		all[i] = i
	}
	list, err := p.Explain(context.Background(), all...)
	if err != nil || len(list) != len(all) {
		t.Fatalf("%d explanations of %d documents: %v", len(list), len(all), err)
	}
	same := 0
	for i, e := range list {
		if e.ID != p.Corpus.ID(i) || e.Cluster != p.Labels[i] || *e.Confidence != p.Confidence[i] {
			t.Errorf("document %d: %+v", i, e)
		}
		checkExplanation(t, e)
		if classOf[e.Nearest[0].ID] == p.Corpus.Labels[i] {
			same++
		}
	}
	if same < 9 {
		t.Errorf("the nearest document has the class of %d of 10", same)
	}
	own := must.Get(eigenmap.Predict(context.Background(), model, train))(t)
	list, err = own.Explain(context.Background(), 3)
	if err != nil || strings.Contains(list[0].Nearest[0].ID, own.Corpus.ID(3)) {
		t.Errorf("a document is near itself: %v, %v", list, err)
	}
	if none, err := own.Explain(context.Background()); none != nil || err != nil {
		t.Errorf("%v of no documents: %v", none, err)
	}
}

// A model without coordinates or means explains what it can.
func TestExplainWithLess(t *testing.T) {
	run, dir := cluster(t, train, options(t, "kmeans")), t.TempDir()
	save(t, run, dir)
	p := must.Get(eigenmap.Predict(context.Background(), filepath.Join(dir, eigenmap.ModelName), fresh))(t)
	list, err := p.Explain(context.Background(), 0)
	if err != nil || list[0].Nearest != nil || len(list[0].Terms) == 0 || list[0].Second == nil {
		t.Errorf("%+v: %v", list, err)
	}
	old := must.Get(eigenmap.Predict(context.Background(), "testdata/golden/le/"+eigenmap.ModelName, fresh))(t)
	if old.Map != nil {
		t.Error("a map by a model of an earlier version")
	}
	if list, err = old.Explain(context.Background(), 0, 1); err != nil || len(list) != 2 || list[0].Nearest != nil {
		t.Errorf("%+v: %v", list, err)
	}
}

// checkExplanation checks the parts of an explanation of three clusters against each other.
func checkExplanation(t *testing.T, e eigenmap.Explanation) {
	t.Helper()
	if e.Second == nil || *e.Second == e.Cluster || *e.Second < 0 || *e.Second > 2 {
		t.Errorf("%s: the next cluster is %v", e.ID, e.Second)
	}
	if len(e.Terms) == 0 || len(e.Nearest) != 5 {
		t.Fatalf("%s: terms %v, near %v", e.ID, e.Terms, e.Nearest)
	}
	for k, term := range e.Terms {
		if term.Weight <= 0 || k > 0 && term.Weight > e.Terms[k-1].Weight || term.Term == "" {
			t.Errorf("%s: terms %v", e.ID, e.Terms)
		}
	}
	if d := e.Nearest; d[0].Distance > d[4].Distance || math.IsNaN(d[0].Distance) {
		t.Errorf("%s: near %v", e.ID, d)
	}
}
