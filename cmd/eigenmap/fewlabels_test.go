package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// TestFewLabelMethods: the methods of few labels and of topics find three clear topics; flags come
// back in a configuration that gives the same files again, on another number of threads; what they
// found is reported; new documents go where their topic is.
func TestFewLabelMethods(t *testing.T) {
	dir := t.TempDir()
	file, fresh := texts(t, dir, 20), newTexts(t, dir)
	for i, c := range []struct {
		args []string // the labels are drawn besides
		want map[string]any
		not  []string
		says []string // in the table or the notes
		json []string // keys of found
	}{
		{[]string{"plsa"}, map[string]any{"weighting": "tf", "normalize": "none", "kind": "clustering", "smoothing": 0.1, "plsa-tol": 1e-6, "em-iter": 200.0, "restarts": 1.0},
			[]string{"neighbors", "mu", "em-tol"}, []string{"3 topics, clustering", "terms that set it apart", "0 topic0", "log-likelihood"}, []string{"log_likelihood", "weights"}},
		{[]string{"plsa", "--kind", "aspect", "--smoothing", "0.5", "--weighting", "tfidf"}, map[string]any{"kind": "aspect", "smoothing": 0.5, "weighting": "tfidf"}, nil, []string{"aspect"}, nil},
		{[]string{"semi-ldc"}, map[string]any{"soft-labels": "plsa", "reduction": "pca", "pca": 0.9, "mu": 0.1, "dims": 2.0, "weighting": "tfidf", "rule": "constrained"},
			[]string{"neighbors", "form", "spread"}, []string{"constrained plsa", "principal components", "2 discriminants", "which stay in them", "0 topic0"}, []string{"discriminants", "explained", "reduced_to"}},
		{[]string{"semi-ldc", "--soft-labels", "propagation", "--form", "zhou", "--spread", "0.9", "--reduction", "ica", "--pca", "4", "--neighbors", "6", "--rule", "seeded"},
			map[string]any{"form": "zhou", "spread": 0.9, "neighbors": 6.0, "pca": 4.0, "rule": "seeded"}, []string{"smoothing", "spread-of-labeled"}, []string{"label propagation, form zhou", "4 independent components"}, nil},
		{[]string{"semi-ldc", "--soft-labels", "hard", "--reduction", "none", "--mu", "0.3"}, map[string]any{"dims": 2.0, "mu": 0.3}, []string{"pca", "smoothing", "form"}, []string{"known labels, alone", "2 discriminants"}, nil},
		{[]string{"semi-ldc", "--keep-lengths", "--smoothing", "0.2", "--pca", "3"}, map[string]any{"keep-lengths": true, "smoothing": 0.2, "pca": 3.0}, nil, []string{"3 principal components"}, nil},
		{[]string{"ckmeans"}, map[string]any{"kmeans-iter": 300.0, "restarts": 1.0}, []string{"init"}, []string{"which stay in them"}, nil},
		{[]string{"seeded-kmeans"}, nil, []string{"init"}, []string{"started by the known labels, objective"}, nil},
		{[]string{"label-propagation"}, map[string]any{"form": "nie", "spread": 0.99, "spread-of-labeled": 0.0, "neighbors": 15.0, "class-mass": false}, []string{"mu"},
			[]string{"carried over the graph, form nie", "all documents"}, []string{"unreached", "novel"}},
		{[]string{"label-propagation", "--form", "zhu", "--class-mass", "--edge-weight", "heat"}, map[string]any{"form": "zhu", "class-mass": true}, []string{"spread", "spread-of-labeled"}, []string{"form zhu"}, nil},
		{[]string{"label-propagation", "--form", "zhou", "--spread", "0.5"}, map[string]any{"spread": 0.5}, []string{"spread-of-labeled"}, nil, nil},
		{[]string{"tsvm"}, map[string]any{"kernel": "linear", "c": 1.0, "c-star": 1.0}, []string{"sigma", "poly-degree", "beta"}, []string{"linear kernel, C 1, C* 1"}, []string{"switches", "support_vectors"}},
		{[]string{"logistic"}, map[string]any{"class-weights": "balanced"}, []string{"c", "alpha"}, []string{"balanced class weights, C "}, []string{"objective", "gradient", "steps"}},
		{[]string{"kernel-ridge"}, nil, []string{"c", "alpha", "kernel"}, []string{"Gaussian kernel of σ"}, []string{"sharpness", "left_out"}},
		{[]string{"committee"}, map[string]any{"members": "label-propagation=1,semi-ldc=1,tsvm=1,logistic=1,diffusion=1"}, []string{"neighbors", "c", "alpha", "form"}, []string{"votes of 5 methods", "with the majority: label-propagation (counts 1)"}, []string{"unanimous"}},
		{[]string{"tsvm", "--kernel", "gaussian", "--c", "5", "--c-star", "2"}, map[string]any{"kernel": "gaussian", "c": 5.0, "c-star": 2.0}, []string{"poly-degree"}, []string{"Gaussian kernel of σ"}, nil},
		{[]string{"tsvm", "--kernel", "polynomial", "--poly-degree", "3", "--poly-offset", "0.5"}, map[string]any{"poly-degree": 3.0}, []string{"sigma"}, []string{"(0.5 + x·y)^3"}, nil},
		{[]string{"graph-ssl"}, map[string]any{"lambda": 1.5, "beta": 1.0, "neighbors": 5.0, "labeled-neighbors": 1.0, "edge-weight": "dot", "kernel": "linear"}, []string{"heat-width", "schedule"},
			[]string{"1 document with a label and 5 without", "smoothed over the graph, λ 1.5"}, []string{"edges", "changed"}},
		{[]string{"graph-ssl", "--beta", "0", "--lambda", "3", "--labeled-neighbors", "2", "--edge-weight", "heat", "--kernel", "gaussian", "--sigma", "2"},
			map[string]any{"beta": 0.0, "lambda": 3.0, "sigma": 2.0}, nil, []string{"β 0"}, nil},
	} {
		name := strings.Join(c.args, " ")
		if testing.Short() && len(c.args) > 1 {
			continue
		}
		first, again := filepath.Join(dir, fmt.Sprint(i)), filepath.Join(dir, fmt.Sprint(i, "again"))
		v := mustCall(t, append([]string{"cluster", file, "--labeled-fraction", "0.2", "--seed", "3", "--threads", "1", "--json", "--out", first, "--method"}, c.args...)...).object(t)
		checkConfiguration(t, name, v, c.want, c.not)
		found, _ := v["found"].(map[string]any)
		for _, key := range c.json {
			if found[key] == nil {
				t.Errorf("%s: it does not tell %s, but %v", name, key, found)
			}
		}
		if s := v["metrics_unlabeled"].(map[string]any); s["accuracy"] != 1.0 || math.Abs(s["macro_f1"].(float64)-1) > 1e-12 {
			t.Errorf("%s: on the other documents of three topics without a common word: %v", name, s)
		}
		if fmt.Sprint(v["cluster_classes"]) != "[topic0 topic1 topic2]" {
			t.Errorf("%s: the clusters are of the classes %v", name, v["cluster_classes"])
		}
		table := mustCall(t, "cluster", "--config", filepath.Join(first, "config.yaml"), "--threads", "2", "--out", again).stdout
		for _, text := range c.says {
			if !strings.Contains(table+fmt.Sprint(v["notes"]), text) {
				t.Errorf("%s: it does not say %q:\n%s", name, text, table)
			}
		}
		for _, f := range v["files"].([]any) {
			if f := filepath.Base(f.(string)); !slices.Contains([]string{"report.html", "model.npz", "config.yaml", "run.json"}, f) { // which hold the time, threads and versions, or checksums of them
				sameFile(t, f, first, again)
			}
		}
		for id, class := range column(t, first, "class") {
			if label := column(t, first, "label")[id]; class != label {
				t.Errorf("%s: %s is %s and was found in %s", name, id, label, class)
				break
			}
		}
		m := filepath.Join(first, modelName)
		if c.args[0] == "graph-ssl" {
			r := call("predict", m, file)
			if r.status != exitRequest {
				t.Errorf("%s: status %d", name, r.status)
			}
			checkSentence(t, r, "no rule for new ones")
			continue
		}
		out := filepath.Join(dir, fmt.Sprint(i, "new"))
		p := mustCall(t, "predict", m, fresh, "--out", out, "--json").object(t)
		classes := column(t, out, "class")
		if classes["n1"] != "topic0" || classes["n2"] != "topic1" || classes["n3"] != "topic2" || fmt.Sprint(p["cluster_classes"]) != "[topic0 topic1 topic2]" {
			t.Errorf("%s: new documents are of the classes %v", name, classes)
		}
		mustCall(t, "predict", m, file, "--out", out)
		after := clustersOf(t, out)
		for id, k := range clustersOf(t, first) {
			if after[id] != k {
				t.Errorf("%s: %s of the model comes out in another cluster", name, id)
			}
		}
	}
}

// TestSharesOfClasses: a class that takes many more documents than its labels let expect, or many
// fewer, is reported with the flags that may help; others are not.
func TestSharesOfClasses(t *testing.T) {
	dir := t.TempDir()
	file := texts(t, dir, 20)
	uneven := write(t, dir, "labels.csv", "doc-0-0,topic0\ndoc-0-1,topic0\ndoc-0-2,topic0\ndoc-0-3,topic0\ndoc-1-0,topic1\ndoc-2-0,topic2\n")
	even := write(t, dir, "even.csv", "doc-0-0,topic0\ndoc-1-0,topic1\ndoc-2-0,topic2\n")
	for _, c := range []struct{ args, says, not string }{
		{uneven, "topic0 has 67 % of the known labels and takes 30 % of the documents that they were carried to: if labels are as frequent as classes, --class-mass or a smaller --spread such as 0.5 may", "uncertain"},
		{uneven + " --spread 0.4", "a smaller --spread may", ""},
		{uneven + " --class-mass", "classes, a smaller --spread", ""},
		{uneven + " --form zhu", "classes, --class-mass may", "--spread"},
		{uneven + " --form zhu --class-mass", "all documents", "may come nearer"},
		{even, "all documents", "may come nearer"},
	} {
		args := append([]string{"cluster", file, "--method", "label-propagation", "--labels"}, strings.Fields(c.args)...)
		if r := mustCall(t, args...); !strings.Contains(r.stdout, c.says) || c.not != "" && strings.Contains(r.stdout, c.not) {
			t.Errorf("%v: it should say %q and not %q:\n%s", args, c.says, c.not, r.stdout)
		}
	}
	if r := mustCall(t, "cluster", file, "--method", "semi-ldc", "--soft-labels", "propagation", "--labels", uneven); !strings.Contains(r.stdout, "--class-mass or a smaller --spread") {
		t.Errorf("semi-ldc does not tell:\n%s", r.stdout)
	}
}

// checkTopics checks a topics.csv that lists all terms of each topic.
func checkTopics(t *testing.T, file string) {
	t.Helper()
	rows := table(t, file)
	if strings.Join(rows[0], ",") != "cluster,name,rank,term,weight,coherence" {
		t.Errorf("topics.csv begins %v", rows[0])
	}
	sums, last := map[string]float64{}, map[string]int{}
	for _, r := range rows[1:] {
		p, err := strconv.ParseFloat(r[4], 64)
		npmi, noNPMI := strconv.ParseFloat(r[5], 64)
		if last[r[0]]++; err != nil || noNPMI != nil || npmi < -1 || npmi > 1 || r[2] != strconv.Itoa(last[r[0]]) {
			t.Errorf("topics.csv: %v", r)
		}
		sums[r[0]] += p
	}
	for topic, s := range sums { // all 30 terms fit the list
		if math.Abs(s-1) > 1e-6 {
			t.Errorf("topic %s: probabilities sum to %v", topic, s)
		}
	}
}

// TestTopics: the ranks of a topic's terms count from 1, and their probabilities sum to 1 where all
// terms are listed; shares and clusters agree; without labels topics are found as well, and as an
// embedding.
func TestTopics(t *testing.T) {
	dir := t.TempDir()
	file, out := texts(t, dir, 20), filepath.Join(dir, "out")
	v := mustCall(t, "cluster", file, "--method", "plsa", "--kind", "aspect", "-k", "3", "--out", out, "--json").object(t)
	if v["metrics"].(map[string]any)["accuracy"] != 1.0 || v["cluster_classes"] != nil || v["directions"] != nil {
		t.Errorf("%v %v", v["metrics"], v["cluster_classes"])
	}
	if len(v["topics"].([]any)) != 3 {
		t.Errorf("%d topics", len(v["topics"].([]any)))
	}
	checkTopics(t, filepath.Join(out, "topics.csv"))
	posterior := posteriorOf(t, out)
	for i, k := range clusterNumbers(t, out) {
		if best := posterior.At(i, k); best < posterior.At(i, 0) || best < posterior.At(i, 1) || best < posterior.At(i, 2) {
			t.Errorf("document %d is in cluster %d with shares %v", i, k, posterior.RawRowView(i))
		}
	}
	page, err := os.ReadFile(filepath.Join(out, "report.html"))
	if err != nil || !strings.Contains(string(page), "<h2>Topics</h2>") || strings.Contains(string(page), "<h2>Directions</h2>") {
		t.Errorf("the report has no topics (%v)", err)
	}
	embedded, again := filepath.Join(dir, "embedded"), filepath.Join(dir, "again")
	r := mustCall(t, "embed", file, "--method", "plsa", "--kind", "aspect", "-d", "3", "--out", embedded)
	if !strings.Contains(r.stdout, "terms that set it apart") {
		t.Errorf("embed does not show the topics:\n%s", r.stdout)
	}
	one, _ := os.ReadFile(filepath.Join(embedded, "embedding.npy"))
	if two, _ := os.ReadFile(filepath.Join(out, "posterior.npy")); len(one) == 0 || string(one) != string(two) {
		t.Error("the embedding is not the shares")
	}
	mustCall(t, "predict", filepath.Join(embedded, modelName), file, "--out", again)
	if entries, _ := os.ReadDir(again); len(entries) != 2 || entries[0].Name() != "embedding.npy" {
		t.Errorf("files %v", entries)
	}
}

// clusterNumbers is the clusters in the order of clusters.csv.
func clusterNumbers(t *testing.T, dir string) []int {
	t.Helper()
	var list []int
	for _, r := range table(t, filepath.Join(dir, "clusters.csv"))[1:] {
		k := must.Get(strconv.Atoi(r[1]))(t)
		list = append(list, k)
	}
	return list
}

// TestMoreClustersThanLabels: clusters beyond the classes given have no name, and find the class
// that nobody named.
func TestMoreClustersThanLabels(t *testing.T) {
	dir := t.TempDir()
	file := texts(t, dir, 20)
	labels := write(t, dir, "labels.csv", "doc-0-3,topic0\ndoc-1-3,topic1\n")
	for _, method := range []string{"plsa", "ckmeans", "seeded-kmeans"} {
		v := mustCall(t, "cluster", file, "--method", method, "--labels", labels, "-k", "3", "--json").object(t)
		if v["metrics"].(map[string]any)["accuracy"] != 1.0 || fmt.Sprint(v["cluster_classes"]) != "[topic0 topic1 ]" {
			t.Errorf("%s: %v, clusters %v", method, v["metrics"], v["cluster_classes"])
		}
	}
	wrong := write(t, dir, "wrong.csv", "doc-0-0,topic0\ndoc-0-1,topic0\ndoc-0-2,topic1\ndoc-1-0,topic1\ndoc-1-1,topic1\ndoc-1-2,topic1\n")
	v := mustCall(t, "cluster", file, "--method", "seeded-kmeans", "--labels", wrong, "-k", "3", "--json").object(t)
	if !strings.Contains(fmt.Sprint(v["notes"]), "1 document with a label has not the class that was given; the first is doc-0-2, given topic1 and found in topic0") {
		t.Errorf("notes %v", v["notes"])
	}
}

// TestSemiLDCEmbedding: the coordinates are the discriminants', and so are the coordinates of the
// model's documents when predicted.
func TestSemiLDCEmbedding(t *testing.T) {
	dir := t.TempDir()
	file, out, again := texts(t, dir, 20), filepath.Join(dir, "out"), filepath.Join(dir, "again")
	v := mustCall(t, "embed", file, "--method", "semi-ldc", "--labeled-fraction", "0.2", "--out", out, "--json").object(t)
	if v["dims"] != 2.0 || v["labeled"] != 12.0 {
		t.Errorf("%v dimensions, %v labelled", v["dims"], v["labeled"])
	}
	if v := mustCall(t, "embed", file, "--method", "semi-ldc", "--labeled-fraction", "0.2", "-d", "1", "--json").object(t); v["dims"] != 1.0 {
		t.Errorf("%v dimensions of 1", v["dims"])
	}
	mustCall(t, "predict", filepath.Join(out, modelName), file, "--out", again)
	a, b := denseOf(t, filepath.Join(out, "embedding.npy")), denseOf(t, filepath.Join(again, "embedding.npy"))
	n, d := a.Dims()
	for i := range n {
		for j := range d {
			if math.Abs(a.At(i, j)-b.At(i, j)) > 1e-9*(1+math.Abs(a.At(i, j))) {
				t.Fatalf("document %d stands at %v and is predicted at %v", i, a.RawRowView(i), b.RawRowView(i))
			}
		}
	}
}

// TestFewLabelsOfCompanies: CNAE-9 from a tenth of the labels of 9 documents in 10. What the
// methods find in the others and in the documents held out is far above chance, and the soft
// discriminants find more than k-means from labels, which is their point.
func TestFewLabelsOfCompanies(t *testing.T) {
	if testing.Short() {
		t.Skip("clusters CNAE-9 many times")
	}
	dir := t.TempDir()
	old, held := heldOut(t, dir, shared(t, "CNAE-9.csv"))
	f1 := map[string]float64{}
	for _, args := range [][]string{{"plsa"}, {"semi-ldc"}, {"semi-ldc", "--soft-labels", "propagation"}, {"ckmeans"}, {"seeded-kmeans"}, {"label-propagation"}, {"tsvm"}, {"logistic"}, {"graph-ssl"}, {"committee"}} {
		name := strings.Join(args, " ")
		out := filepath.Join(dir, strings.ReplaceAll(name, " ", ""))
		v := mustCall(t, append([]string{"cluster", old, "--labeled-fraction", "0.1", "--json", "--out", out, "--method"}, args...)...).object(t)
		f1[name] = v["metrics_unlabeled"].(map[string]any)["macro_f1"].(float64)
		fresh := math.NaN()
		if name != "graph-ssl" {
			p := mustCall(t, "predict", filepath.Join(out, modelName), held, "--json").object(t)
			fresh = p["metrics"].(map[string]any)["macro_f1"].(float64)
			if fresh < f1[name]-0.15 {
				t.Errorf("%s: macro-F1 %.3f, and %.3f of new documents", name, f1[name], fresh)
			}
		}
		t.Logf("%-40s macro-F1 %.3f, %.3f of new documents", name, f1[name], fresh)
		if f1[name] < 0.5 {
			t.Errorf("%s: macro-F1 %.3f of nine classes", name, f1[name])
		}
	}
	if f1["semi-ldc"] <= f1["ckmeans"] {
		t.Errorf("macro-F1 %.3f of semi-ldc, %.3f of constrained k-means", f1["semi-ldc"], f1["ckmeans"])
	}
}

// heldOut divides a table with a header: every tenth line is new.
func heldOut(t *testing.T, dir, file string) (known, fresh string) {
	t.Helper()
	text := must.Get(os.ReadFile(file))(t)
	var a, b strings.Builder
	for i, l := range strings.SplitAfter(string(text), "\n") {
		switch {
		case i == 0:
			a.WriteString(l)
			b.WriteString(l)
		case i%10 == 0:
			b.WriteString(l)
		default:
			a.WriteString(l)
		}
	}
	return write(t, dir, "known.csv", a.String()), write(t, dir, "new.csv", b.String())
}
