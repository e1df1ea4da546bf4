package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// column reads one column of clusters.csv by document.
func column(t *testing.T, dir, name string) map[string]string {
	t.Helper()
	f := must.Get(os.Open(filepath.Join(dir, "clusters.csv")))(t)
	defer f.Close()
	rows := must.Get(csv.NewReader(f).ReadAll())(t)
	values := make(map[string]string)
	for k, head := range rows[0] {
		for _, r := range rows[1:] {
			if head == name {
				values[r[0]] = r[k]
			}
		}
	}
	return values
}

// sameFile wants the same bytes in two folders.
func sameFile(t *testing.T, name, a, b string) {
	t.Helper()
	x, errX := os.ReadFile(filepath.Join(a, name))
	y, errY := os.ReadFile(filepath.Join(b, name))
	if errX != nil || errY != nil || string(x) != string(y) {
		t.Errorf("%s differs between %s and %s (%v, %v)", name, a, b, errX, errY)
	}
}

// TestLabelsGiven: labels of a part of the documents reach the method, the outputs show them, and
// the configuration repeats the run.
func TestLabelsGiven(t *testing.T) {
	dir := t.TempDir()
	file := texts(t, dir, 40)
	labels := write(t, dir, "labels.csv", "id,label\ndoc-0-3,topic0\ndoc-1-3,topic1\ndoc-1-4,topic1\ndoc-2-3,topic2\ndoc-2-9,\n")
	for _, method := range []string{"semi-le", "cle"} {
		out, again := filepath.Join(dir, method), filepath.Join(dir, method+"2")
		v := mustCall(t, "cluster", file, "--method", method, "--labels", labels, "--json", "--out", out).object(t)
		if v["labeled"] != 4.0 || v["clusters"] != 3.0 || v["scored"] != 120.0 {
			t.Errorf("%s: %v labelled, %v clusters, %v scored", method, v["labeled"], v["clusters"], v["scored"])
		}
		for _, key := range []string{"metrics", "metrics_unlabeled"} {
			if m, ok := v[key].(map[string]any); !ok || m["accuracy"].(float64) < 0.99 {
				t.Errorf("%s: %s is %v on three topics without a common word", method, key, v[key])
			}
		}
		if n := len(v["eigenvalues"].([]any)); n != 3 {
			t.Errorf("%s: %d eigenvalues", method, n)
		}
		given, found := column(t, out, "given"), column(t, out, "cluster")
		if len(given) != 120 || given["doc-1-4"] != "topic1" || given["doc-2-9"] != "" || given["doc-0-0"] != "" {
			t.Errorf("%s: the column given holds %d documents, %v", method, len(given), given["doc-1-4"])
		}
		if method == "cle" && found["doc-1-3"] != found["doc-1-4"] {
			t.Error("cle: documents with one label are in two clusters")
		}
		page, err := os.ReadFile(filepath.Join(out, "report.html"))
		if err != nil || !strings.Contains(string(page), "On the 116 documents whose labels were not given: accuracy") || !strings.Contains(string(page), "known labels") {
			t.Errorf("%s: the report does not show the known labels: %v", method, err)
		}
		mustCall(t, "cluster", "--config", filepath.Join(out, "config.yaml"), "--out", again)
		sameFile(t, "clusters.csv", out, again)
		sameFile(t, "config.yaml", out, again)
		r := mustCall(t, "cluster", file, "--method", method, "--labels", labels)
		for _, part := range []string{"4 documents of 120 given, from " + labels, "topic1 2", "labels not given (116)"} {
			if !strings.Contains(r.stdout, part) {
				t.Errorf("%s: the table does not say %q:\n%s", method, part, r.stdout)
			}
		}
		if _, scores, found := strings.Cut(r.stdout, "accuracy"); !found || strings.Index(scores, "\nall ") > strings.Index(scores, "\nlabels not given") || !strings.Contains(scores, "\nall ") {
			t.Errorf("%s: the scores have no heading, or not both lines:\n%s", method, r.stdout)
		}
	}
}

// TestLabeledFraction: the draw follows the seed alone, also in a configuration that chose its
// classes by chance.
func TestLabeledFraction(t *testing.T) {
	dir := t.TempDir()
	file := texts(t, dir, 40)
	out, again, other := filepath.Join(dir, "1"), filepath.Join(dir, "2"), filepath.Join(dir, "3")
	v := mustCall(t, "cluster", file, "--method", "cle", "--labeled-fraction", "0.1", "--random-classes", "2", "--seed", "5", "--json", "--out", out).object(t)
	if v["labeled"] != 8.0 || v["clusters"] != 2.0 {
		t.Errorf("%v labelled, %v clusters", v["labeled"], v["clusters"])
	}
	if c := v["config"].(map[string]any); c["labeled-fraction"] != 0.1 || c["seed"] != 5.0 {
		t.Errorf("the configuration is %v", c)
	}
	mustCall(t, "cluster", "--config", filepath.Join(out, "config.yaml"), "--out", again)
	sameFile(t, "clusters.csv", out, again)
	mustCall(t, "cluster", "--config", filepath.Join(out, "config.yaml"), "--seed", "6", "--out", other)
	if fmt.Sprint(column(t, out, "given")) == fmt.Sprint(column(t, other, "given")) {
		t.Error("another seed draws the same labels")
	}
	for id, given := range column(t, out, "given") {
		if label := column(t, out, "label")[id]; given != "" && given != label {
			t.Errorf("%s is %s and was drawn as %s", id, label, given)
		}
	}
	v = mustCall(t, "cluster", file, "--method", "cle", "--labeled-fraction", "1", "--json").object(t)
	if _, there := v["metrics_unlabeled"]; there || v["labeled"] != 120.0 {
		t.Errorf("all labels known: %v labelled, metrics_unlabeled %v", v["labeled"], v["metrics_unlabeled"])
	}
}

// TestLabelsOfAPart: labels of documents that --classes leaves out are left out, and labels of
// another classification are no mistake.
func TestLabelsOfAPart(t *testing.T) {
	dir := t.TempDir()
	file := texts(t, dir, 20)
	labels := write(t, dir, "labels.csv", "doc-0-3,topic0\ndoc-1-3,topic1\ndoc-2-3,topic2\n")
	v := mustCall(t, "cluster", file, "--method", "cle", "--labels", labels, "--classes", "topic2,topic0", "--json").object(t)
	if v["labeled"] != 2.0 || v["clusters"] != 2.0 {
		t.Errorf("%v labelled, %v clusters", v["labeled"], v["clusters"])
	}
	labels = write(t, dir, "own.csv", "doc-0-3,water\ndoc-1-3,music\n")
	v = mustCall(t, "cluster", file, "--method", "cle", "--labels", labels, "-k", "3", "--json").object(t)
	if v["labeled"] != 2.0 || v["clusters"] != 3.0 || !strings.Contains(fmt.Sprint(v["notes"]), "differ from the corpus' own") {
		t.Errorf("%v labelled, %v clusters, notes %v", v["labeled"], v["clusters"], v["notes"])
	}
	labels = write(t, dir, "close.csv", "doc-0-3,a\ndoc-0-4,b\ndoc-1-3,c\ndoc-2-3,d\n")
	v = mustCall(t, "cluster", file, "--method", "semi-le", "--labels", labels, "-k", "3", "--json").object(t)
	if !strings.Contains(fmt.Sprint(v["notes"]), "given the labels a, b are in one cluster") {
		t.Errorf("notes %v", v["notes"])
	}
	labels = write(t, dir, "wrong.csv", "doc-0-3,topic1\ndoc-1-3,topic0\ndoc-2-3,topic2\n")
	v = mustCall(t, "cluster", file, "--method", "semi-le", "--labels", labels, "--json").object(t)
	if !strings.Contains(fmt.Sprint(v["notes"]), "2 known labels are not the corpus' own; the first belongs to document doc-0-3") {
		t.Errorf("notes %v", v["notes"])
	}
}

// TestLabelsWithoutTruth: clusters are named by the known labels; nothing is scored. The graph may
// be there already.
func TestLabelsWithoutTruth(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "graph")
	mustCall(t, "graph", texts(t, dir, 20), "--out", out)
	labels := write(t, dir, "labels.csv", "1,water\n21,music\n41,cars\n")
	matrix := filepath.Join(out, "affinity.npz")
	args := []string{"cluster", matrix, "--precomputed", "--method", "cle", "--labels", labels, "--ids-from", "1", "--out", filepath.Join(dir, "out")}
	r := mustCall(t, args...)
	for _, part := range []string{"majority class (of known labels)", "water (100 %)", "-k 3"} {
		if !strings.Contains(r.stdout, part) {
			t.Errorf("the table does not say %q:\n%s", part, r.stdout)
		}
	}
	v := mustCall(t, append(args, "--json")...).object(t)
	if _, there := v["metrics"]; there || v["labeled"] != 3.0 {
		t.Errorf("metrics %v, %v labelled", v["metrics"], v["labeled"])
	}
	if page, err := os.ReadFile(filepath.Join(dir, "out", "report.html")); err != nil || !strings.Contains(string(page), "majority class (of known labels)") {
		t.Errorf("the report does not name the clusters: %v", err)
	}
}

// TestLabelsOfEmptyDocuments: labels that teach nothing are reported, with the classes that have no
// other.
func TestLabelsOfEmptyDocuments(t *testing.T) {
	dir := t.TempDir()
	text := must.Get(os.ReadFile(texts(t, dir, 20)))(t)
	file := write(t, dir, "some.jsonl", string(text)+`{"id":"none-0","text":"","label":"topic0"}`+"\n"+`{"id":"none-1","text":"the","label":"topic1"}`+"\n")
	for labels, says := range map[string]string{
		"none-0,topic0\nnone-1,topic1\ndoc-1-0,topic1\ndoc-2-0,topic2\n": "2 documents with a label have no terms (first: none-0): their labels teach nothing, and no other is given for topic0.",
		"none-0,topic0\nnone-1,topic1\ndoc-2-0,topic2\n":                 "and no other is given for topic0, topic1.",
		"none-0,topic0\ndoc-0-1,topic0\ndoc-1-0,topic1\n":                "1 document with a label has no terms (none-0): its label teaches nothing.",
		"doc-0-1,topic0\ndoc-1-0,topic1\n":                               "",
	} {
		notes := notesOf(mustCall(t, "cluster", file, "--method", "seeded-kmeans", "--labels", write(t, dir, "labels.csv", labels), "--json").object(t))
		if told := strings.Contains(notes, "teach"); told != (says != "") || !strings.Contains(notes, says) {
			t.Errorf("%q: the notes should say %q:\n%s", labels, says, notes)
		}
	}
}

// TestConstraints: links are kept by the coordinates that cle makes, and reported.
func TestConstraints(t *testing.T) {
	dir := t.TempDir()
	file := texts(t, dir, 20)
	const text = "# by hand\na,b,constraint\ndoc-0-0,doc-0-9,must\ndoc-0-9,doc-1-3,cannot\ndoc-1-3,doc-1-4,must\n"
	links := write(t, dir, "links.csv", text)
	out := filepath.Join(dir, "out")
	v := mustCall(t, "cluster", file, "--method", "cle", "--constraints", links, "--classes", "topic0,topic1", "--json", "--out", out).object(t)
	c, ok := v["constraints"].(map[string]any)
	if !ok || c["must"] != 2.0 || c["cannot"] != 1.0 || c["groups"] != 1.0 || c["broken"] != 0.0 || v["labeled"] != 0.0 {
		t.Errorf("constraints %v, %v labelled", v["constraints"], v["labeled"])
	}
	found := column(t, out, "cluster")
	if found["doc-0-0"] != found["doc-0-9"] || found["doc-1-3"] != found["doc-1-4"] || found["doc-0-0"] == found["doc-1-3"] {
		t.Errorf("the links are not kept: %v", found)
	}
	again := filepath.Join(dir, "again")
	mustCall(t, "cluster", "--config", filepath.Join(out, "config.yaml"), "--out", again)
	sameFile(t, "clusters.csv", out, again)
	// Documents without a neighbour are at one point whatever is asked of them.
	rows := write(t, dir, "rows.mtx", "%%MatrixMarket matrix coordinate real general\n6 4 7\n1 1 2\n1 2 1\n2 1 1\n2 2 2\n4 3 1\n5 3 2\n5 4 1\n")
	v = mustCall(t, "cluster", rows, "--method", "cle", "-k", "2", "--constraints", write(t, dir, "apart.csv", "3,6,cannot\n1,2,must\n"), "--json").object(t)
	if !strings.Contains(fmt.Sprint(v["notes"]), "do not keep 1 of 2 constraints, the first: 3 and 6 cannot (line 1)") || v["constraints"].(map[string]any)["broken"] != 1.0 {
		t.Errorf("constraints %v, notes %v", v["constraints"], v["notes"])
	}
	// A chain through a document that is left out still holds.
	links = write(t, dir, "chain.csv", "doc-0-0,doc-2-0,must\ndoc-2-0,doc-1-0,must\n")
	mustCall(t, "cluster", file, "--method", "cle", "--constraints", links, "--classes", "topic0,topic1", "--out", out)
	if found := column(t, out, "cluster"); found["doc-0-0"] != found["doc-1-0"] {
		t.Error("documents that a chain through a third joins are apart")
	}
	// Must-links alone go with any number of clusters, and with an embedding.
	v = mustCall(t, "cluster", file, "--method", "cle", "--constraints", write(t, dir, "must.csv", "doc-0-0,doc-0-9,must\n"), "-k", "3", "--json").object(t)
	if v["clusters"] != 3.0 {
		t.Errorf("%v clusters", v["clusters"])
	}
	// pckmeans keeps cannot-links among three clusters, beside labels too.
	apart := write(t, dir, "three.csv", "doc-0-0,doc-1-0,cannot\ndoc-1-0,doc-2-0,cannot\ndoc-2-0,doc-0-0,cannot\n")
	for _, more := range [][]string{nil, {"--labeled-fraction", "0.1"}} {
		mustCall(t, append([]string{"cluster", file, "--method", "pckmeans", "--constraints", apart, "-k", "3", "--out", out}, more...)...)
		if found := column(t, out, "cluster"); found["doc-0-0"] == found["doc-1-0"] || found["doc-1-0"] == found["doc-2-0"] || found["doc-0-0"] == found["doc-2-0"] {
			t.Errorf("%v: cannot-links are not kept", more)
		}
	}
	// Without a method cannot-links choose it where there are not two clusters.
	for k, method := range map[string]string{"2": "cle", "3": "pckmeans"} {
		links := write(t, dir, "one"+k+".csv", "doc-0-0,doc-1-0,cannot\n")
		if v := mustCall(t, "cluster", file, "--constraints", links, "-k", k, "--json").object(t); v["method"] != method {
			t.Errorf("%s clusters: the method is %v", k, v["method"])
		}
	}
	v = mustCall(t, "embed", file, "--method", "cle", "--constraints", links, "-d", "2", "--json").object(t)
	if v["dims"] != 2.0 {
		t.Errorf("%v dimensions", v["dims"])
	}
}

// kmeans and ckmeans take links too: what runs is pckmeans, and it is said.
func TestKMeansTakesLinks(t *testing.T) {
	dir := t.TempDir()
	file, out := texts(t, dir, 20), filepath.Join(dir, "out")
	apart := write(t, dir, "three.csv", "doc-0-0,doc-1-0,cannot\ndoc-1-0,doc-2-0,cannot\ndoc-2-0,doc-0-0,cannot\n")
	var same string
	for _, method := range []string{"pckmeans", "kmeans", "ckmeans"} {
		v := mustCall(t, "cluster", file, "--method", method, "--labeled-fraction", "0.1", "--constraints", apart, "-k", "3", "--out", out, "--json").object(t)
		found := fmt.Sprint(column(t, out, "cluster"))
		if method == "pckmeans" {
			same = found
		} else if v["method"] != "pckmeans" || found != same || !strings.Contains(fmt.Sprint(v["notes"]), method+" under links is this method") {
			t.Errorf("%s: method %v, notes %v", method, v["method"], v["notes"])
		}
	}
}

// TestEmbedWithLabels: cle makes one map per class without being asked.
func TestEmbedWithLabels(t *testing.T) {
	file := texts(t, t.TempDir(), 20)
	v := mustCall(t, "embed", file, "--method", "cle", "--labeled-fraction", "0.1", "--json").object(t)
	if v["dims"] != 3.0 || v["labeled"] != 6.0 || len(v["eigenvalues"].([]any)) != 3 {
		t.Errorf("%v dimensions, %v labelled", v["dims"], v["labeled"])
	}
	if fmt.Sprint(v["map_classes"]) != "[topic0 topic1 topic2]" {
		t.Errorf("the maps are of %v", v["map_classes"])
	}
	v = mustCall(t, "embed", file, "--method", "semi-le", "--labeled-fraction", "0.1", "-d", "5", "--json").object(t)
	if v["dims"] != 5.0 || v["labeled"] != 6.0 {
		t.Errorf("%v dimensions, %v labelled", v["dims"], v["labeled"])
	}
}

// TestMatrixMethods: lsi, pca, nmf and gmm cluster and embed, report their values, and repeat from
// their configuration.
func TestMatrixMethods(t *testing.T) {
	dir := t.TempDir()
	file := texts(t, dir, 30)
	for _, c := range []struct {
		method string
		more   []string
		values string
	}{
		{"lsi", nil, "singular_values"}, {"pca", []string{"--pca", "2"}, "variances"}, {"pca", []string{"--pca", "0.5"}, "variances"},
		{"pca", nil, "variances"}, {"nmf", nil, ""}, {"nmf", []string{"--nmf-weighting", "none", "--nmf-solver", "hals"}, ""},
		{"gmm", []string{"--pca", "5"}, "variances"}, {"gmm", []string{"--pca", "0.9", "--covariance", "diag"}, "variances"},
	} {
		name := c.method + strings.Join(c.more, "")
		if testing.Short() && c.more != nil && c.method != "gmm" {
			continue
		}
		out, again := filepath.Join(dir, name), filepath.Join(dir, name+" again")
		v := mustCall(t, append([]string{"cluster", file, "--method", c.method, "--json", "--out", out}, c.more...)...).object(t)
		if a := v["metrics"].(map[string]any)["accuracy"].(float64); a < 0.99 {
			t.Errorf("%s: accuracy %v on three topics without a common word", name, a)
		}
		for _, key := range []string{"singular_values", "variances"} {
			if _, there := v[key]; there != (key == c.values) {
				t.Errorf("%s: %s is %v", name, key, v[key])
			}
		}
		if len(v["eigenvalues"].([]any)) != 0 {
			t.Errorf("%s: eigenvalues %v", name, v["eigenvalues"])
		}
		mustCall(t, "cluster", "--config", filepath.Join(out, "config.yaml"), "--out", again)
		sameFile(t, "clusters.csv", out, again)
		sameFile(t, "config.yaml", out, again)
		if c.more == nil {
			r := mustCall(t, "embed", file, "--method", c.method, "-d", "2")
			if !strings.Contains(r.stdout, c.method) && !strings.Contains(r.stdout, "svd") {
				t.Errorf("%s: embed does not tell how:\n%s", name, r.stdout)
			}
		}
	}
}
