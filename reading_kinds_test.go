package eigenmap_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/internal/must"
)

// clusterFile clusters a file of a name and a content under options set by name.
func clusterFile(t *testing.T, name, content string, options ...string) (*eigenmap.Run, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	must.Do(t, os.WriteFile(path, []byte(content), 0o600))
	var opt eigenmap.Options
	for i := 0; i+1 < len(options); i += 2 {
		must.Do(t, opt.Set(options[i], options[i+1]))
	}
	return eigenmap.Cluster(t.Context(), path, opt)
}

// Documents that are all alike have no weights by tf-idf, which the error says.
func TestEqualDocuments(t *testing.T) {
	same := strings.Repeat("{\"text\": \"test\"}\n", 51)
	if _, err := clusterFile(t, "a.jsonl", same, "method", "le", "clusters", "1"); err == nil || !strings.Contains(err.Error(), "tf-idf") {
		t.Errorf("le: %v", err)
	}
	if _, err := clusterFile(t, "a.jsonl", same, "method", "kmeans", "clusters", "1"); err != nil {
		t.Errorf("kmeans: %v", err)
	}
}

// Documents that are all alike are clustered where they have weights, with a warning that nothing
// tells them apart; a single one that differs takes it away.
func TestEqualDocumentsAreTold(t *testing.T) {
	dense, svm := "a,b,c\n"+strings.Repeat("1.5,0.5,2.5\n", 30), strings.Repeat("1 1:2 3:1\n", 30)
	text := strings.Repeat("{\"text\": \"some equal words\"}\n", 30)
	for _, c := range []struct {
		name, content string
		told          bool
		options       []string
	}{
		{"a.csv", dense, true, []string{"method", "le"}},
		{"a.csv", dense, true, []string{"method", "kmeans"}},
		{"a.csv", dense, true, []string{"method", "spectral", "precision", "single"}},
		{"a.svm", svm, true, []string{"method", "kmeans"}},
		{"a.svm", svm, true, []string{"method", "kmeans", "precision", "single"}},
		{"a.jsonl", text, true, []string{"method", "kmeans", "weighting", "tf"}},
		{"a.csv", dense + "1.5,0.5,2\n", false, []string{"method", "kmeans"}},
		{"a.svm", svm + "1 1:2 3:2\n", false, []string{"method", "kmeans"}},
		{"a.svm", svm + "1 1:2 2:1\n", false, []string{"method", "kmeans", "precision", "single"}},
	} {
		r, err := clusterFile(t, c.name, c.content, append(c.options, "clusters", "2")...)
		if err != nil {
			t.Errorf("%s, %q: %v", c.name, c.options, err)
			continue
		}
		warned := ""
		for _, w := range r.Warnings(func(name string) string { return name }) {
			warned += w.Text
		}
		if strings.Contains(warned, "are the same") != c.told {
			t.Errorf("%s, %q: warnings %q", c.name, c.options, warned)
		}
	}
}

// Data whose squares are lost in double precision are refused with the factor that mends them.
func TestScaleOfData(t *testing.T) {
	rows := func(power string) string {
		var b strings.Builder
		for i := range 20 {
			b.WriteString([]string{"1", "5"}[i%2] + power + "," + []string{"2", "7"}[i%2] + power + "," + []string{"3", "4"}[i/2%2] + power + "\n")
		}
		return b.String()
	}
	for power, fits := range map[string]bool{"e-200": false, "e-160": false, "e-100": true, "e0": true, "e100": true} {
		for _, method := range []string{"kmeans", "le", "pca", "spectral"} {
			_, err := clusterFile(t, "a.csv", rows(power), "method", method, "clusters", "2")
			if refused := err != nil && strings.Contains(err.Error(), "double precision"); refused == fits {
				t.Errorf("%s of 1%s: %v", method, power, err)
			}
		}
	}
}

// A file of edges is the affinity of its nodes.
func TestEdges(t *testing.T) {
	edges := "source,target\na,b\nb,c\nc,a\nd,e\ne,f\nf,d\na,d\n"
	r := must.Get(clusterFile(t, "a.csv", edges, "edge-list", "true", "clusters", "2"))(t)
	for i := range 6 {
		if (r.Labels[i] == r.Labels[0]) != (i < 3) {
			t.Errorf("clusters %v", r.Labels)
		}
	}
	if _, err := clusterFile(t, "a.csv", edges, "edge-list", "true", "method", "kmeans", "clusters", "2"); err == nil {
		t.Error("k-means took a graph")
	}
}

// True labels may be JSON lines, also without texts, and a search for the number of clusters sets
// no option that a method refuses.
func TestTruthOfJSONLines(t *testing.T) {
	var data, truth strings.Builder
	for i := range 30 {
		data.WriteString([]string{"0.1,5,0.2", "5,0.1,0.3", "0.2,0.1,7"}[i%3] + []string{"", "1", "2"}[i/3%3] + "\n")
		truth.WriteString([]string{"{\"label\": \"x\"}\n", "{\"label\": \"y\"}\n", "{\"label\": \"z\"}\n"}[i%3])
	}
	path := filepath.Join(t.TempDir(), "truth.jsonl")
	must.Do(t, os.WriteFile(path, []byte(truth.String()), 0o600))
	r, err := clusterFile(t, "a.csv", data.String(), "method", "kmeans", "truth", path)
	if err != nil || len(r.Sizes) != 3 {
		t.Fatalf("%v", err)
	}
	for _, method := range []string{"seeded-kmeans", "ckmeans", "plsa"} {
		if _, err := clusterFile(t, "a.csv", data.String(), "method", method, "clusters", "auto", "truth", path, "labeled-fraction", "0.3"); err != nil {
			t.Errorf("%s: %v", method, err)
		}
	}
}

// Of several labels a document one that is named is the class: the scores equal the scores of a
// file that has this label alone. Unnamed, they are no classes, and the run has no scores.
func TestOneOfSeveralLabels(t *testing.T) {
	file := func(json bool, label func(i int) string) string {
		var b strings.Builder
		for i := range 30 {
			if json {
				b.WriteString(`{"text": "` + []string{"engine wheel car", "apple cake oven"}[i%2] + []string{" red", " blue", " green"}[i%3] + `", "label": ` + label(i) + "}\n")
			} else {
				b.WriteString(label(i) + []string{" 1:2 2:1", " 3:1 4:2"}[i%2] + []string{" 5:1", " 6:1", " 7:1"}[i%3] + "\n")
			}
		}
		return b.String()
	}
	first := func(i int) string { return []string{"7", "9"}[i%2] }
	for name, json := range map[string]bool{"a.svm": false, "a.jsonl": true} {
		one, several, column := first, func(i int) string { return first(i) + ",3" }, "1"
		if json {
			one = func(i int) string { return `"` + first(i) + `"` }
			several, column = func(i int) string { return `["` + first(i) + `", "3"]` }, "label.0"
		}
		want := must.Get(clusterFile(t, name, file(json, one), "method", "kmeans", "clusters", "2"))(t)
		named := must.Get(clusterFile(t, name, file(json, several), "method", "kmeans", "clusters", "2", "label-column", column))(t)
		if want.Scores == nil || named.Scores == nil || *want.Scores != *named.Scores {
			t.Errorf("%s: scores %v, want %v", name, named.Scores, want.Scores)
		}
		free, err := clusterFile(t, name, file(json, several), "method", "kmeans", "clusters", "2")
		if err != nil || free.Scores != nil || !strings.Contains(strings.Join(free.Notes(), " "), "several labels") {
			t.Errorf("%s: without a name: %v, %v", name, err, free)
		}
	}
}

// Options that errors and notes name are taken for every kind of file that they name them of.
func TestOptionsOfKinds(t *testing.T) {
	const numbers = "<table><tr><th>a<th>b<tr><td>1,5<td>2<tr><td>2,5<td>3<tr><td>3,5<td></table>"
	const several = numbers + "<table><tr><th>c<th>d<tr><td>1<td>2<tr><td>5<td>3<tr><td>3<td>4</table>"
	const saved = "A\n2\n262656\n131840\n"
	const matrix = "526\n6\n1\nNA\n-2.5\n3\n4\n1e-3\n1026\n1\n262153\n3\ndim\n13\n2\n3\n2\n254\n"
	tensors := "\x57\x00\x00\x00\x00\x00\x00\x00" + `{"a":{"dtype":"F16","shape":[2,2],"data_offsets":[0,8]},"b":{"dtype":"I8","shape":[1]}}` + "\x00\x3c\x00\x7e\x00\xc2\x00\x38"
	words := "2 1\na \x00\x00\x80\x3fa \x00\x00\xc0\x7f"
	for _, c := range []struct {
		name, content string
		rows, cols    int
		options       []string
	}{
		{"a.xls", numbers, 3, 2, []string{"missing", "mean", "decimal", "comma"}},
		{"a.xls", numbers, 3, 2, []string{"missing", "mean", "header", "yes", "encoding", "latin1"}},
		{"a.xls", several, 3, 2, []string{"var", "2"}},
		{"a.xls", several, 2, 3, []string{"var", "2", "transpose", "true", "id-column", "none", "label-column", "none"}},
		{"a.rds", saved + matrix, 3, 2, []string{"missing", "median"}},
		{"a.rds", saved + matrix, 2, 3, []string{"missing", "median", "transpose", "true"}},
		{"a.RData", "RDA2\n" + saved + "1026\n1\n262153\n1\nx\n" + matrix + "1026\n1\n262153\n1\ny\n254\n254\n", 3, 2, []string{"missing", "mean", "var", "x"}},
		{"a.safetensors", tensors, 2, 2, []string{"missing", "mean", "var", "a"}},
		{"a.safetensors", tensors, 2, 2, []string{"missing", "mean", "transpose", "true"}},
		{"a.bin", words, 2, 1, []string{"missing", "mean", "id-column", "none"}},
	} {
		path := filepath.Join(t.TempDir(), c.name)
		must.Do(t, os.WriteFile(path, []byte(c.content), 0o600))
		var opt eigenmap.Options
		set(t, &opt, c.options...)
		r, err := eigenmap.Read(t.Context(), path, opt)
		if err != nil {
			t.Errorf("%s, %q: %v", c.name, c.options, err)
			continue
		}
		if rows, cols := r.Corpus.X.Dims(); rows != c.rows || cols != c.cols {
			t.Errorf("%s, %q: %d×%d", c.name, c.options, rows, cols)
		}
	}
}
