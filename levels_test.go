package eigenmap_test

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/internal/must"
)

// levelTexts are three subjects of two parts each, and copies of some texts.
func levelTexts() []string {
	subjects := [][2][]string{
		{strings.Fields("goal match player team score"), strings.Fields("serve court racket player set score")},
		{strings.Fields("oven flour bread dough yeast"), strings.Fields("pan oil fish dough lemon herb")},
		{strings.Fields("engine wheel brake gear road"), strings.Fields("wing pilot engine runway altitude gear")},
	}
	var texts []string
	for i := range 180 {
		part := subjects[i%3][i/3%2]
		text := []string{"paper"}
		for w := range 4 {
			text = append(text, part[(i/6+w*(1+i/6%3))%len(part)])
		}
		texts = append(texts, strings.Join(text, " "))
	}
	return append(texts, texts[:12]...)
}

// TestLevels: levels are nested, the run's own number of clusters is one of them, copies go where
// their original is, and documents in no cluster are in none.
func TestLevels(t *testing.T) {
	opt := eigenmap.Options{Clusters: 3, Levels: []string{"all"}, RejectShare: 0.05}
	r := must.Get(eigenmap.ClusterTexts(t.Context(), levelTexts(), opt))(t)
	dir := t.TempDir()
	must.Do(t, r.Save(dir))
	rows := readCSV(t, filepath.Join(dir, "levels.csv"))
	own := slices.Index(rows[0], "k3")
	if len(r.Levels) != len(rows[0])-1 || own < 0 || len(rows) != len(r.Labels)+1 {
		t.Fatalf("%d levels, %v, %d rows", len(r.Levels), rows[0], len(rows))
	}
	for i, row := range rows[1:] {
		if row[own] != strconv.Itoa(r.Labels[i]) {
			t.Fatalf("document %d: cluster %s at the level of the run's own number, %d in the run", i, row[own], r.Labels[i])
		}
		for at, l := range r.Levels[1:] {
			if row[at+2] == "-1" != (r.Labels[i] == eigenmap.Rejected) {
				t.Fatalf("document %d is in cluster %s, and in the run in %d", i, row[at+2], r.Labels[i])
			}
			if r.Labels[i] == eigenmap.Rejected {
				continue
			}
			c, err := strconv.Atoi(row[at+2])
			if err != nil || strconv.Itoa(l.Clusters[c].Within) != row[at+1] {
				t.Fatalf("%d clusters: cluster %s, and document %d was in %s (%v)", l.K, row[at+2], i, row[at+1], err)
			}
		}
	}
	for c := range 3 {
		if r.Levels[own-1].Clusters[c].Size != r.Sizes[c] || r.Levels[own-1].Clusters[c].Terms == nil {
			t.Fatalf("cluster %d: %+v, of %d documents", c, r.Levels[own-1].Clusters[c], r.Sizes[c])
		}
	}
}

// TestLevelsRefused: what is no number of clusters is refused before anything is read.
func TestLevelsRefused(t *testing.T) {
	for _, text := range []string{"some", "0", "3,x", "-2"} {
		o := eigenmap.Options{Clusters: 3, Levels: strings.Split(text, ",")}
		if _, err := eigenmap.ClusterTexts(t.Context(), levelTexts(), o); err == nil || !strings.Contains(err.Error(), "levels") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func readCSV(t *testing.T, file string) [][]string {
	t.Helper()
	f := must.Get(os.Open(file))(t)
	defer f.Close()
	rows := must.Get(csv.NewReader(f).ReadAll())(t)
	return rows
}
