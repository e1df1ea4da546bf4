package eigenmap_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/internal/must"
)

// pageFields are the columns of the corpus on the page of a clustering, and how many documents it
// has.
func pageFields(t *testing.T, file string, opt eigenmap.Options) (names []string, documents int) {
	t.Helper()
	run := must.Get(eigenmap.Cluster(t.Context(), file, opt))(t)
	out := filepath.Join(t.TempDir(), "out")
	must.Do(t, run.Save(out))
	page := must.Get(os.ReadFile(filepath.Join(out, "report.html")))(t)
	_, rest, _ := strings.Cut(string(page), `id="data">`)
	text, _, _ := strings.Cut(rest, "</script>")
	var data struct {
		N      int
		Fields []struct{ Name, Kind string }
	}
	must.Do(t, json.Unmarshal([]byte(text), &data))
	for _, f := range data.Fields {
		names = append(names, f.Name+" "+f.Kind)
	}
	return names, data.N
}

// TestPageColumns: the page of a clustering has the short columns beside the texts, those that were
// named, or none; of a part of the classes, and with copies left out, those of its documents; and
// the times first.
func TestPageColumns(t *testing.T) {
	var b strings.Builder
	words := strings.Fields("apple pear plum grape cherry car truck train plane ship")
	for i := range 90 {
		k := i % 2
		fmt.Fprintf(&b, `{"id": "d%d", "text": "%s %s %s in row %d", "label": "%c", "section": "s%d", "year": %d, "when": "2020-01-%02d", "long": "%s"}`+"\n",
			i, words[5*k+i%5], words[5*k+(i+1)%5], words[5*k+(i/3)%5], i%80/2, 'a'+k, i%3, 1990+i%7, 1+i%28, strings.Repeat("a long text ", 20))
	}
	file := filepath.Join(t.TempDir(), "corpus.jsonl")
	must.Do(t, os.WriteFile(file, []byte(b.String()), 0o644))
	no := false
	for name, c := range map[string]struct {
		opt  eigenmap.Options
		want string
		n    int
	}{
		"all":        {eigenmap.Options{}, "section words,year number,when time", 90},
		"times":      {eigenmap.Options{TimeColumn: "when"}, "when time,section words,year number", 90},
		"named":      {eigenmap.Options{PageColumns: []string{"year"}}, "year number", 90},
		"none":       {eigenmap.Options{PageColumns: []string{"none"}}, "", 90},
		"none timed": {eigenmap.Options{PageColumns: []string{"none"}, TimeColumn: "when"}, "when time", 90},
		"one class":  {eigenmap.Options{Source: eigenmap.Source{Classes: []string{"b"}}}, "section words,year number,when time", 45},
	} {
		c.opt.Clusters, c.opt.Method, c.opt.Confidence, c.opt.Map = 2, "kmeans", "raw", &no
		names, n := pageFields(t, file, c.opt)
		if strings.Join(names, ",") != c.want || n != c.n {
			t.Errorf("%s: %d documents with %q", name, n, names)
		}
	}
	drop := eigenmap.Options{Clusters: 2, Method: "kmeans", Confidence: "raw", Map: &no, Duplicates: "drop", TimeColumn: "when"}
	if names, n := pageFields(t, file, drop); n >= 90 || len(names) != 3 {
		t.Errorf("without copies: %d documents with %q", n, names)
	}
	// A column that is not there is a note.
	run, err := eigenmap.Cluster(t.Context(), file, eigenmap.Options{Clusters: 2, Method: "kmeans", Confidence: "raw", Map: &no, PageColumns: []string{"yaer"}})
	if err == nil {
		err = run.Save(filepath.Join(t.TempDir(), "out"))
	}
	if err != nil || !slices.ContainsFunc(run.Notes(), func(n string) bool { return strings.Contains(n, "yaer") }) {
		t.Errorf("%v: %q", err, run.Notes())
	}
	// Of a table the columns are known before it is read.
	table := filepath.Join(t.TempDir(), "table.csv")
	must.Do(t, os.WriteFile(table, []byte("id,text,year\na,red apple,2001\nb,blue apple,2002\nc,blue car,2003\n"), 0o644))
	for column, known := range map[string]bool{"yaer": false, "Year": true, "none": true} {
		opt := eigenmap.Options{Clusters: 2, Method: "kmeans", Confidence: "raw", Map: &no, PageColumns: []string{column}}
		if _, err := eigenmap.Cluster(t.Context(), table, opt); (err == nil) != known || err != nil && !strings.Contains(err.Error(), "the columns are id, text, year") {
			t.Errorf("%s: %v", column, err)
		}
	}
}
