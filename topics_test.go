package eigenmap_test

import (
	"context"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/methods/metrics"
)

// Every method that clusters texts writes the terms of its clusters in one form, with their
// coherence over the corpus's own documents, and predict names the model's clusters by them.
func TestTermsOfClusters(t *testing.T) {
	c, err := corpus.Read(t.Context(), train, corpus.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range []string{"kmeans", "nmf", "lsi", "plsa"} {
		run, dir := cluster(t, train, options(t, m)), t.TempDir()
		save(t, run, dir)
		var lists [][]int
		for k, g := range run.Clusters {
			var list []int
			for _, term := range g.Terms {
				list = append(list, slices.Index(c.Terms, term))
			}
			lists = append(lists, list)
			npmi, _ := metrics.NPMI(c.Together([][]int{list})[0], c.Len())
			if g.Coherence == nil || math.Abs(g.Coherence.NPMI-npmi) > 1e-6 || run.Coherence.Clusters[k] != g.Coherence {
				t.Errorf("%s: cluster %d: %+v, NPMI is %v", m, k, g.Coherence, npmi)
			}
		}
		v := run.ClusterJSON(func(s string) string { return s }, nil)
		if v.Coherence == nil || math.Abs(v.Coherence.Diversity-metrics.Diversity(lists)) > 1e-6 || v.Coherence.Lowest > v.Coherence.NPMI ||
			v.Coherence.Lowest != v.Coherence.Clusters[v.Coherence.LowestOf].NPMI {
			t.Errorf("%s: %+v", m, v.Coherence)
		}
		if run := string(content(t, dir, "run.json")); !strings.Contains(run, `"npmi_lowest"`) {
			t.Errorf("%s: run.json lacks the coherence", m)
		}
		rows := rowsIn(t, dir, "topics.csv")
		if strings.Join(rows[0], ",") != "cluster,name,rank,term,weight,coherence" {
			t.Fatalf("%s: topics.csv begins %v", m, rows[0])
		}
		if m == "plsa" { // whose topics.csv has the terms of its topics
			continue
		}
		next := 1
		for k, g := range run.Clusters {
			for rank, term := range g.Terms {
				want := []string{strconv.Itoa(k), "", strconv.Itoa(rank + 1), term, strconv.FormatFloat(g.Weights[rank], 'g', 9, 64), strconv.FormatFloat(g.Coherence.NPMI, 'g', -1, 64)}
				if !slices.Equal(rows[next], want) {
					t.Fatalf("%s: line %d is %v, not %v", m, next+1, rows[next], want)
				}
				next++
			}
		}
		p, err := eigenmap.Predict(context.Background(), dir, fresh)
		if err != nil {
			t.Fatal(err)
		}
		out := t.TempDir()
		if err := p.Save(out); err != nil {
			t.Fatal(err)
		}
		rows = rowsIn(t, out, "clusters.csv")
		at := slices.Index(rows[0], "terms")
		for i, k := range p.Labels {
			if want := strings.Join(run.Clusters[k].Terms[:3], " "); at < 0 || rows[i+1][at] != want || !slices.Equal(p.Clusters[k].Terms, run.Clusters[k].Terms) {
				t.Fatalf("%s: document %d is in the cluster of %v, not %s", m, i, rows[i+1], want)
			}
		}
	}
}

// A model of an earlier version has no terms: predict works as before.
func TestModelWithoutTerms(t *testing.T) {
	p, err := eigenmap.Predict(context.Background(), "testdata/golden/le", fresh)
	if err != nil || p.Model.Summary.TopTerms != nil {
		t.Fatal(p, err)
	}
	out := t.TempDir()
	if err := p.Save(out); err != nil {
		t.Fatal(err)
	}
	if head := rowsIn(t, out, "clusters.csv")[0]; slices.Contains(head, "terms") {
		t.Errorf("clusters.csv has the columns %v", head)
	}
}
