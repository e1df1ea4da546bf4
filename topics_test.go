package eigenmap_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/methods/metrics"
)

// Every method that clusters texts writes the terms of its clusters in one form, with their
// coherence over the corpus's own documents, and predict names the model's clusters by them.
func TestTermsOfClusters(t *testing.T) {
	c := must.Get(corpus.Read(t.Context(), train, corpus.ReadOptions{}))(t)
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
		p := must.Get(eigenmap.Predict(context.Background(), dir, fresh))(t)
		out := t.TempDir()
		must.Do(t, p.Save(out))
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
	must.Do(t, p.Save(out))
	if head := rowsIn(t, out, "clusters.csv")[0]; slices.Contains(head, "terms") {
		t.Errorf("clusters.csv has the columns %v", head)
	}
}

// A table of measurements has in every place the columns in which clusters differ, high and low,
// with their means in the unit of the file; negative entries leave them there.
func TestColumnsOfClusters(t *testing.T) {
	var table, bare strings.Builder
	table.WriteString("depth (m),large\n")
	for i := range 40 {
		side := float64(i % 2)
		line := fmt.Sprintf("%v,%v\n", -10+4*side+float64(i%3)/10, 1e6*(2-side)+float64(i))
		table.WriteString(line)
		bare.WriteString(line)
	}
	dir := t.TempDir()
	file, nameless := write(t, dir, "a.csv", table.String()), write(t, dir, "b.csv", bare.String())
	o := options(t, "kmeans")
	o.Clusters, o.Weighting, o.Levels = 2, "standard", []string{"2"}
	run, out := cluster(t, file, o), t.TempDir()
	save(t, run, out)
	low := run.Labels[0]
	k := run.Clusters[low]
	if slices.Sort(k.Terms); !slices.Equal(k.Terms, []string{"depth (m) low", "large high"}) || len(k.Differences) != 2 {
		t.Fatalf("%+v", k)
	}
	of := k.Differences[slices.IndexFunc(k.Differences, func(d eigenmap.Difference) bool { return d.Column == "depth (m)" })]
	if math.Abs(of.Mean - -9.9) > .01 || math.Abs(of.Others - -5.9) > .01 || math.Abs(of.Deviations - -2) > .01 {
		t.Errorf("%+v", of)
	}
	rows := rowsIn(t, out, "topics.csv")
	if strings.Join(rows[0], ",") != "cluster,name,rank,term,weight,coherence,mean,others" || len(rows) != 5 {
		t.Errorf("topics.csv is %v", rows)
	}
	for _, row := range rows[1:] {
		weight, _ := strconv.ParseFloat(row[4], 64)
		if high := strconv.Itoa(low) == row[0] == (row[3] == "large"); !slices.Contains([]string{"large", "depth (m)"}, row[3]) || high != (weight > 0) {
			t.Errorf("topics.csv has %v", row)
		}
	}
	rows = rowsIn(t, out, "clusters.csv")
	if said := rows[1][slices.Index(rows[0], "terms")]; said != "depth (m) low, large high" && said != "large high, depth (m) low" {
		t.Errorf("clusters.csv has the terms %q", said)
	}
	v := run.ClusterJSON(func(s string) string { return s }, nil)
	if len(v.Differences) != 2 || len(v.Differences[low]) != 2 || len(run.Levels) != 1 || len(run.Levels[0].Clusters[low].Differences) != 2 {
		t.Errorf("%+v, levels %+v", v.Differences, run.Levels)
	}
	if page := string(content(t, out, "report.html")); !containsAll(page, fmt.Sprintf("elsewhere %.4g", of.Others), "<span>columns</span>") {
		t.Error("the page lacks the means, or calls columns terms")
	}
	p := must.Get(eigenmap.Predict(t.Context(), out, file))(t)
	if got := p.Clusters[low]; len(got.Differences) != 2 || !strings.Contains(got.Said(2), ", ") {
		t.Errorf("the model has %+v", got)
	}
	o.Levels = nil
	run = cluster(t, nameless, o)
	if k := run.Clusters[run.Labels[0]]; !slices.Contains(k.Terms, "column 1 low") || !slices.Contains(k.Terms, "column 2 high") || !run.HasTerms() {
		t.Errorf("without names: %+v", k)
	}
}

// containsAll reports whether a text has each of the parts.
func containsAll(text string, parts ...string) bool {
	return !slices.ContainsFunc(parts, func(part string) bool { return !strings.Contains(text, part) })
}
