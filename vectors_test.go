package eigenmap_test

import (
	"bufio"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/must"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// document is a line of the training texts.
type document struct{ ID, Text, Label string }

func trainingTexts(t *testing.T) []document {
	t.Helper()
	f := must.Get(os.Open(train))(t)
	defer f.Close()
	var list []document
	for s := bufio.NewScanner(f); s.Scan(); {
		var d document
		must.Do(t, json.Unmarshal(s.Bytes(), &d))
		list = append(list, d)
	}
	return list
}

// embedded are vectors of n documents of k classes in turn, apart by class. The groups are not
// those of the training texts, so that one can tell which of the two the clusters follow.
func embedded(n, k int) (*mat.Dense, []int) {
	rng := rand.New(rand.NewPCG(7, 8))
	x, groups := mat.NewDense(n, 8, nil), make([]int, n)
	for i := range n {
		groups[i] = i % k
		for j := range 8 {
			x.Set(i, j, .2*rng.NormFloat64())
		}
		x.Set(i, groups[i], x.At(i, groups[i])+1)
	}
	return x, groups
}

// npyFile writes a matrix.
func npyFile(t *testing.T, name string, x mat.Matrix) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	f := must.Get(os.Create(path))(t)
	defer f.Close()
	must.Do(t, corpus.WriteMatrix(f, "npy", x))
	return path
}

// agree is the share of documents whose clusters are those of groups, matched by the most frequent.
func agree(clusters, groups []int) float64 {
	votes := map[[2]int]int{}
	for i, c := range clusters {
		votes[[2]int{c, groups[i]}]++
	}
	best := map[int]int{}
	for pair, n := range votes {
		best[pair[0]] = max(best[pair[0]], n)
	}
	sum := 0
	for _, n := range best {
		sum += n
	}
	return float64(sum) / float64(len(clusters))
}

// The clusters are those of the vectors, as a run over the vectors alone finds them with the same
// options; the terms, labels and ids are those of the texts.
func TestVectorsCompareDocuments(t *testing.T) {
	docs := trainingTexts(t)
	x, groups := embedded(len(docs), 3)
	for _, method := range []string{"", "kmeans", "le", "lsi"} {
		opt := options(t, method, "vectors", npyFile(t, "v.npy", x))
		run := cluster(t, train, opt)
		if a := agree(run.Labels, groups); a < .95 {
			t.Errorf("%s: the clusters agree with the groups of the vectors on %.2f", method, a)
		}
		if !run.HasTerms() || len(run.Clusters[0].Terms) == 0 || run.Scores == nil || run.Corpus.ID(1) != docs[1].ID {
			t.Errorf("%s: terms, labels or ids are not those of the texts: %+v", method, run.Clusters[0])
		}
		alone := options(t, method, "normalize", "l2", "neighbors", "15", "edge-weight", "dot")
		if method == "kmeans" || method == "lsi" {
			alone = options(t, method, "normalize", "l2")
		}
		same := must.Get(eigenmap.ClusterMatrix(context.Background(), x, alone))(t)
		if !slices.Equal(run.Labels, same.Labels) {
			t.Errorf("%s: the clusters differ from those of the vectors alone", method)
		}
		opt.Vectors = eigenmap.Vectors{Rows: x}
		opt = eigenmap.Options{Method: method, Clusters: 3, Seed: 1, Vectors: eigenmap.Vectors{Rows: x}}
		if memory := cluster(t, train, opt); !slices.Equal(run.Labels, memory.Labels) {
			t.Errorf("%s: vectors in memory give other clusters than a file", method)
		}
	}
}

// With ids in both files the order of the vectors does not matter, and further ones are left out.
func TestVectorsByID(t *testing.T) {
	docs := trainingTexts(t)
	x, _ := embedded(len(docs), 3)
	want := cluster(t, train, options(t, "le", "vectors", npyFile(t, "v.npy", x)))
	lines := []string{`{"id": "nobody", "embedding": [1, 0, 0, 0, 0, 0, 0, 0]}`}
	for i := len(docs) - 1; i >= 0; i-- {
		row := must.Get(json.Marshal(x.RawRowView(i)))(t)
		lines = append(lines, fmt.Sprintf(`{"id": %q, "embedding": %s, "note": "x"}`, docs[i].ID, row))
	}
	file := write(t, t.TempDir(), "v.jsonl", strings.Join(lines, "\n")+"\n")
	run := cluster(t, train, options(t, "le", "vectors", file))
	if !slices.Equal(run.Labels, want.Labels) || !same(run.Embedding, want.Embedding) {
		t.Error("the same vectors by ids give another result than in order")
	}
	if notes := strings.Join(run.NotesAs(func(s string) string { return s }), "\n"); !strings.Contains(notes, "1 vector") {
		t.Errorf("nothing says that a vector is left out: %s", notes)
	}
	// In a file of their own they are matched by the column that names the documents, too, in the fit
	// and for new documents, whose order is another.
	var keyed, vectors []string
	for i := range docs {
		line := must.Get(json.Marshal(map[string]string{"key": docs[i].ID, "text": docs[i].Text}))(t)
		keyed = append(keyed, string(line))
	}
	for group := range 3 {
		for i := group; i < len(docs); i += 3 {
			vectors = append(vectors, strings.Replace(lines[len(lines)-1-i], `"id"`, `"key"`, 1))
		}
	}
	table := [][]string{{"key", "v"}}
	for _, line := range vectors {
		var row struct {
			Key       string
			Embedding json.RawMessage
		}
		must.Do(t, json.Unmarshal([]byte(line), &row))
		table = append(table, []string{row.Key, string(row.Embedding)})
	}
	var csvFile strings.Builder
	must.Do(t, csv.NewWriter(&csvFile).WriteAll(table))
	dir := t.TempDir()
	texts := write(t, dir, "keyed.jsonl", strings.Join(keyed, "\n"))
	for _, file := range []string{write(t, dir, "vectors.jsonl", strings.Join(vectors, "\n")), write(t, dir, "vectors.csv", csvFile.String())} {
		run := cluster(t, texts, options(t, "le", "id-column", "key", "vectors", file))
		if !slices.Equal(run.Labels, want.Labels) {
			t.Errorf("%s: the vectors are of other documents: %q", file, run.NotesAs(func(s string) string { return s }))
		}
		p, err := eigenmap.Predict(context.Background(), saveModel(t, run), texts, options(t, "", "vectors", file))
		if err != nil || !slices.Equal(p.Labels, want.Labels) {
			t.Errorf("%s: the vectors of new documents are of others: %v", file, err)
		}
	}
	for name, c := range map[string]struct{ text, want string }{
		"too few":  {strings.Join(lines[2:], "\n"), "no vector for 1 document"},
		"others":   {`{"id": "a", "v": [1, 2]}` + "\n" + `{"id": "b", "v": [1, 3]}`, "none of its ids"},
		"count":    {"[1, 2]\n[2, 3]\n", "2 vectors"},
		"lengths":  {"[1, 2]\n[2, 3, 4]\n", "one length"},
		"texts":    {`{"id": "a", "text": "x"}`, "no field that is a list of numbers"},
		"two":      {`{"id": "a", "v": [1, 2], "w": [1, 2]}`, "several lists"},
		"a number": {"[1, 2]\n[2, \"x\"]\n", "no list of numbers"},
	} {
		_, err := eigenmap.Cluster(context.Background(), train, options(t, "le", "vectors", write(t, dir, name+".jsonl", c.text)))
		refused(t, err, c.want, name)
	}
}

// Words and vectors count alike: the product of two rows is the mean of the cosines of the views,
// and a view that a document lacks counts for nothing.
func TestViewsAreJoined(t *testing.T) {
	docs := trainingTexts(t)
	x, _ := embedded(len(docs), 3)
	for j := range 8 {
		x.Set(4, j, 0)
	}
	c := must.Get(corpus.Read(context.Background(), train, corpus.ReadOptions{}))(t)
	terms := must.Get(c.Weighted(corpus.WeightTFIDF, corpus.NormL2))(t)
	opt := eigenmap.Options{Method: "lsi", Seed: 1}
	set(t, &opt, "dims", "50")
	images := must.Get(eigenmap.Embed(context.Background(), train, opt))(t)
	_, d := terms.Dims()
	_, directions := images.Embedding.Dims()
	words := mat.NewDense(len(docs), d+directions, nil)
	for i := range docs {
		row := words.RawRowView(i)
		mat.Row(row[:d], i, terms)
		copy(row[d:], images.Embedding.RawRowView(i))
		floats.Scale(1/floats.Norm(row, 2), row)
	}
	d += directions
	both := cluster(t, train, options(t, "kmeans", "vectors", npyFile(t, "v.npy", x), "views", "words", "views", "vectors", "seed", "1"))
	centers := both.Fitted.Clusters.Centers
	if _, cols := centers.Dims(); cols != d+8 {
		t.Fatalf("rows of %d numbers, %d terms and directions", cols, d)
	}
	for k := range both.Sizes { // centres are means of the joined rows
		mean := make([]float64, d+8)
		for i, c := range both.Labels {
			if c != k {
				continue
			}
			scale, length := math.Sqrt2/2, mat.Norm(x.RowView(i), 2)
			if length == 0 {
				scale, length = 1, 1
			}
			for j := range d {
				mean[j] += scale * words.At(i, j) / float64(both.Sizes[k])
			}
			for j := range 8 {
				mean[d+j] += scale * x.At(i, j) / length / float64(both.Sizes[k])
			}
		}
		for j, m := range mean {
			if math.Abs(m-centers.At(k, j)) > 1e-7 {
				t.Fatalf("centre %d, number %d: %g, and the mean of joined rows is %g", k, j, centers.At(k, j), m)
			}
		}
	}
}

// tableFile writes the rows as a table with names of columns.
func tableFile(t *testing.T, x *mat.Dense) string {
	t.Helper()
	n, cols := x.Dims()
	var head []string
	for j := range cols {
		head = append(head, fmt.Sprintf("x%d", j))
	}
	lines := []string{strings.Join(head, ",")}
	for i := range n {
		var line []string
		for j := range cols {
			line = append(line, fmt.Sprint(x.At(i, j)))
		}
		lines = append(lines, strings.Join(line, ","))
	}
	path := filepath.Join(t.TempDir(), "vectors.csv")
	must.Do(t, os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o600))
	return path
}

// New documents of a model of vectors are vectors, alone or beside texts; of a model of both,
// either or both. Documents of the fit come to where they were.
func TestPredictVectors(t *testing.T) {
	ctx := context.Background()
	docs := trainingTexts(t)
	x, _ := embedded(len(docs), 3)
	file := npyFile(t, "v.npy", x)
	for _, views := range []string{"vectors", "words,vectors"} {
		pairs := []string{"vectors", file}
		for v := range strings.SplitSeq(views, ",") {
			pairs = append(pairs, "views", v)
		}
		run := cluster(t, train, options(t, "le", pairs...))
		model := saveModel(t, run)
		var with eigenmap.Options
		set(t, &with, "vectors", file)
		p, err := eigenmap.Predict(ctx, model, train, with)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(p.Labels, run.Labels) || p.Scores == nil || p.Corpus.ID(0) != docs[0].ID {
			t.Errorf("%s: the documents of the fit are not where they were", views)
		}
		if p, err = eigenmap.Predict(ctx, model, file); err != nil || len(p.Labels) != len(docs) {
			t.Errorf("%s: vectors alone: %v", views, err)
		}
		if views == "words,vectors" { // a table of vectors names its columns as any table does
			table := tableFile(t, x)
			named, err := eigenmap.Predict(ctx, model, table)
			if err != nil || !slices.Equal(named.Labels, p.Labels) {
				t.Errorf("a table of vectors alone: %v", err)
			}
		}
		if p, err = eigenmap.Predict(ctx, model, train); views == "vectors" {
			refused(t, err, "no field that is a list of numbers")
		} else if err != nil || p.Novelty != nil {
			t.Errorf("%s: texts alone: %v", views, err)
		}
		narrow := eigenmap.Options{Vectors: eigenmap.Vectors{Rows: mat.NewDense(len(docs), 3, nil)}}
		_, err = eigenmap.Predict(ctx, model, train, narrow)
		refused(t, err, "8")
	}
	model := saveModel(t, cluster(t, train, options(t, "le")))
	var with eigenmap.Options
	set(t, &with, "vectors", file)
	_, err := eigenmap.Predict(ctx, model, train, with)
	refused(t, err, "by their terms")
}

// What vectors cannot be joined with is refused, and methods of counts take none.
func TestVectorsRefused(t *testing.T) {
	x, _ := embedded(60, 3)
	file := npyFile(t, "v.npy", x)
	for want, pairs := range map[string][]string{
		"no use for":                 {"plsa", "vectors", file},
		"has no effect beside":       {"le", "vectors", file, "weighting", "tfidf"},
		"has no effect without":      {"le", "views", "words"},
		"leave vectors out":          {"le", "vectors", file, "views", "words"},
		"leave vectors-column out":   {"le", "vectors", file, "vectors-column", "emb"},
		"vectors-column has no effe": {"le", "vectors-column", "emb"},
		"no such file":               {"le", "vectors", "nowhere.npy"},
	} {
		_, err := eigenmap.Cluster(context.Background(), train, options(t, pairs[0], pairs[1:]...))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v", pairs, err)
		}
	}
}

// Texts whose terms are equal count once if their vectors agree but for rounding, and not if one
// vector is another one.
func TestCopiesAmongVectors(t *testing.T) {
	docs := trainingTexts(t)
	texts := make([]string, len(docs)+10)
	x, _ := embedded(len(texts), 3)
	for i := range texts {
		texts[i] = docs[i%len(docs)].Text
		if i >= len(docs) {
			for j := range 8 {
				x.Set(i, j, x.At(i-len(docs), j)*(1+1e-6*float64(j)))
			}
		}
	}
	x.Set(len(docs), 0, 5) // another vector for the first copy
	opt := options(t, "le")
	opt.Vectors.Rows = x
	run := must.Get(eigenmap.ClusterTexts(context.Background(), texts, opt))(t)
	if d := run.Duplicates(); d == nil || d.Copies != 9 {
		t.Errorf("duplicates: %+v, and 9 texts are copies with their vectors", d)
	}
}

// A plan counts the rows that the vectors make, and refuses vectors of other documents.
func TestPlanOfVectors(t *testing.T) {
	x, _ := embedded(60, 3)
	opt := options(t, "kmeans", "vectors", npyFile(t, "v.npy", x))
	p, err := eigenmap.MakePlan(context.Background(), train, opt)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range p.Stages {
		names = append(names, s.Name)
	}
	if !slices.Contains(names, "read vectors") {
		t.Errorf("stages %q", names)
	}
	wide := mat.NewDense(60, 80_000, nil)
	for i := range 60 {
		wide.Set(i, i, 1)
	}
	long := must.Get(eigenmap.MakePlan(context.Background(), train, options(t, "kmeans", "vectors", npyFile(t, "w.npy", wide))))(t)
	if long.Peak < p.Peak+2*8*60*80_000 {
		t.Errorf("80,000 numbers a document: a peak of %d bytes and of %d with eight", long.Peak, p.Peak)
	}
	wide = wide.Slice(0, 60, 0, 20_000).(*mat.Dense)
	for _, c := range []struct {
		name  string
		least int
		opt   eigenmap.Options
	}{
		{"terms", p.Entries, options(t, "le", "neighbors", "1")},
		{"terms and vectors", p.Entries + 60*20_000, options(t, "le", "vectors", npyFile(t, "w.npy", mat.DenseCopyOf(wide)), "views", "words", "views", "vectors")},
	} {
		p := must.Get(eigenmap.MakePlan(context.Background(), train, c.opt))(t)
		for _, s := range p.Stages {
			if s.Name == "graph" && s.Bytes < 14*int64(c.least) || s.Name == "rows of terms and more" && s.Bytes < 12*int64(c.least) {
				t.Errorf("%s: stage %s has %d bytes for %d entries", c.name, s.Name, s.Bytes, c.least)
			}
		}
	}
	few := mat.DenseCopyOf(x.Slice(0, 59, 0, 8))
	_, err = eigenmap.MakePlan(context.Background(), train, options(t, "kmeans", "vectors", npyFile(t, "f.npy", few)))
	refused(t, err, "59 vectors")
}
