package eigenmap_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/must"
)

// wordVectors writes a list of vectors of the words of the training texts: a word of one class
// alone points to its class, and the others nowhere. seed moves them a little.
func wordVectors(t *testing.T, docs []document, seed int) string {
	t.Helper()
	class := map[string]string{}
	var order []string
	for _, d := range docs {
		for _, w := range regexp.MustCompile(`\pL+`).FindAllString(strings.ToLower(d.Text), -1) {
			if was, seen := class[w]; !seen {
				class[w] = d.Label
				order = append(order, w)
			} else if was != d.Label {
				class[w] = ""
			}
		}
	}
	var b strings.Builder
	for _, w := range order {
		v := map[string]string{"kitchen": "1 0 0 ", "sky": "0 1 0 ", "garden": "0 0 1 "}[class[w]]
		if v == "" {
			v = "0.1 0.1 0.1 "
		}
		fmt.Fprintf(&b, "%s %s%.3f\n", w, v, math.Mod(float64(len(w)*seed), 7)/100)
	}
	path := filepath.Join(t.TempDir(), "words.txt")
	must.Do(t, os.WriteFile(path, []byte(b.String()), 0o644))
	return path
}

// A model of static embeddings makes the vectors by which documents are compared, of a file and of
// texts in memory, and the same as vectors that were made before; a prediction needs the same
// model.
func TestVectorsModel(t *testing.T) {
	ctx := context.Background()
	docs := trainingTexts(t)
	words := wordVectors(t, docs, 1)
	texts := make([]string, len(docs))
	for i, d := range docs {
		texts[i] = d.Text
	}
	v, info, err := corpus.EmbedTexts(ctx, words, texts, corpus.ReadOptions{})
	if err != nil || info.Width != 4 || len(info.Hash) != 64 {
		t.Fatalf("%+v: %v", info, err)
	}
	for _, method := range []string{"kmeans", "le"} {
		opt := options(t, method, "vectors-model", words)
		run := cluster(t, train, opt)
		given := cluster(t, train, options(t, method, "vectors", npyFile(t, "v.npy", v.X)))
		if !slices.Equal(run.Labels, given.Labels) || run.Scores.Accuracy < .95 || !run.HasTerms() {
			t.Errorf("%s: accuracy %.2f, labels as by the same vectors: %v", method, run.Scores.Accuracy, slices.Equal(run.Labels, given.Labels))
		}
		if s := run.Corpus.Snippets; len(s) != len(docs) || len([]rune(s[0])) > 160 {
			t.Errorf("%s: %d snippets, the first %q", method, len(s), s[0])
		}
		memory, err := eigenmap.ClusterTexts(ctx, texts, opt)
		if err != nil || !slices.Equal(memory.Labels, run.Labels) {
			t.Errorf("%s: texts in memory: %v", method, err)
		}
		model := saveModel(t, run)
		p, err := eigenmap.Predict(ctx, model, train, opt2(t, "vectors-model", words))
		if err != nil || !slices.Equal(p.Labels, run.Labels) {
			t.Errorf("%s: prediction: %v", method, err)
		}
		_, err = eigenmap.Predict(ctx, model, train)
		refused(t, err, "vectors-model")
		_, err = eigenmap.Predict(ctx, model, train, opt2(t, "vectors-model", wordVectors(t, docs, 2)))
		refused(t, err, "another model")
	}
	both := cluster(t, train, options(t, "le", "vectors-model", words, "views", "words", "views", "vectors"))
	if both.Scores.Accuracy < .95 {
		t.Errorf("both views: accuracy %.2f", both.Scores.Accuracy)
	}
	p, err := eigenmap.MakePlan(ctx, train, options(t, "kmeans", "vectors-model", words))
	if err != nil || !strings.Contains(fmt.Sprintf("%+v", p.Stages), "make vectors") {
		t.Errorf("plan %+v: %v", p, err)
	}
	model := saveModel(t, cluster(t, train, options(t, "le")))
	_, err = eigenmap.Predict(ctx, model, train, opt2(t, "vectors-model", words))
	refused(t, err, "by their terms")
	for want, pairs := range map[string][]string{
		"leave one of the two out": {"vectors-model", words, "vectors", words},
		"no such file":             {"vectors-model", "nowhere"},
		"is no number":             {"vectors-model", train},
	} {
		_, err := eigenmap.Cluster(ctx, train, options(t, "le", pairs...))
		refused(t, err, want)
	}
	prepared := must.Get(eigenmap.Prepare(options(t, "kmeans", "vectors-model", words), "cluster"))(t)
	read := must.Get(corpus.Read(ctx, train, corpus.ReadOptions{Snippets: 20}))(t)
	_, err = prepared.OnCorpus(ctx, read)
	refused(t, err, "a corpus in memory")
	rows := filepath.Join(t.TempDir(), "rows.csv")
	must.Do(t, os.WriteFile(rows, []byte("1,2\n3,4\n5,6\n"), 0o644))
	_, err = eigenmap.Cluster(ctx, rows, options(t, "kmeans", "vectors-model", words))
	refused(t, err, "vectors-model")
}

// opt2 are options with some set by name.
func opt2(t *testing.T, pairs ...string) eigenmap.Options {
	t.Helper()
	var o eigenmap.Options
	for k := 0; k < len(pairs); k += 2 {
		set(t, &o, pairs[k], pairs[k+1])
	}
	return o
}
