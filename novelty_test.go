package eigenmap_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/internal/must"
	"gonum.org/v1/gonum/mat"
)

// The novelty of rows like the training rows is spread evenly over 0 to 1, and the novelty of rows
// far from all of them is 1, whatever the method's coordinates make of them.
func TestNoveltyOfRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 9))
	draw := func(n int, at float64) *mat.Dense {
		x := mat.NewDense(n, 8, nil)
		for i := range n {
			for j := range 8 {
				x.Set(i, j, 20+rng.NormFloat64())
			}
			x.Set(i, i%3, x.At(i, i%3)+at)
		}
		return x
	}
	train, like, far := draw(600, 8), draw(600, 8), draw(30, -15)
	for _, name := range []string{"kmeans", "pca", "le", "diffusion", "gmm", "lsi", "nmf"} {
		run, err := eigenmap.ClusterMatrix(context.Background(), train, options(t, name))
		if err != nil {
			t.Fatal(err)
		}
		m := must.Get(eigenmap.LoadModel(context.Background(), saveModel(t, run)))(t)
		p := must.Get(m.PredictMatrix(context.Background(), like))(t)
		sorted := slices.Sorted(slices.Values(p.Novelty))
		for q := 1; q < 10; q++ {
			if v := sorted[60*q]; v < float64(q)/10-.08 || v > float64(q)/10+.08 {
				t.Errorf("%s: the novelty at %d %% is %.3f", name, 10*q, v)
			}
		}
		if p, err = m.PredictMatrix(context.Background(), far); err != nil {
			t.Fatal(err)
		}
		if least := slices.Min(p.Novelty); least < 1 || p.NovelCount() != 30 {
			t.Errorf("%s: the least novelty of far rows is %v", name, least)
		}
	}
}

// TestKnownDocumentsAreNotNovel: copies of a document of the model are of its clusters, though it
// is far from the mean of its own, as the text of a template is that counts once there.
func TestKnownDocumentsAreNotNovel(t *testing.T) {
	ctx := context.Background()
	rng := rand.New(rand.NewPCG(5, 6))
	subjects := []string{"ball goal team player match league cup coach stadium striker", "vote party law minister election parliament senate bill cabinet policy"}
	const template = `{"text":"printer toner paper jam goal cartridge repair"}` + "\n"
	texts := template
	for i := range 80 {
		list := strings.Fields(subjects[i%2])
		rng.Shuffle(len(list), func(a, b int) { list[a], list[b] = list[b], list[a] })
		texts += fmt.Sprintf(`{"text":%q}`, strings.Join(list[:6], " ")) + "\n"
	}
	opt := options(t, "diffusion", "min-df", "1")
	opt.Clusters = 2
	model := saveModel(t, cluster(t, write(t, t.TempDir(), "all.jsonl", texts), opt))
	p := must.Get(eigenmap.Predict(ctx, model, write(t, t.TempDir(), "new.jsonl", strings.Repeat(template, 30)+texts)))(t)
	if p.Novelty[0] < 0.95 {
		t.Fatalf("the text of the template has a novelty of %v", p.Novelty[0])
	}
	if p.Known != p.Corpus.Len() || p.NovelCount() != 0 || strings.Contains(strings.Join(p.Notes(), " "), "none of the model's clusters") {
		t.Errorf("of %d documents %d are known and %d novel: %q", p.Corpus.Len(), p.Known, p.NovelCount(), p.Notes())
	}
}

// Texts of words from everywhere are novel beside texts like the model's; a note says that many
// are; clusters.csv has the column; models of earlier versions have no novelty, and a note says
// so.
func TestNoveltyOfTexts(t *testing.T) {
	ctx := context.Background()
	model := saveModel(t, cluster(t, train, options(t, "diffusion")))
	p, err := eigenmap.Predict(ctx, model, fresh)
	if err != nil {
		t.Fatal(err)
	}
	if n := p.NovelCount(); n > 3 || strings.Contains(strings.Join(p.Notes(), " "), "none of the model's clusters") {
		t.Errorf("%d of 10 texts like the model's are novel: %v", n, p.Novelty)
	}
	var lines []string
	for i := range 12 {
		lines = append(lines, fmt.Sprintf(`{"id":"m%d","text":"malaria vaccine trial cloud antibody children fever dose mosquito parasite"}`, i))
	}
	if p, err = eigenmap.Predict(ctx, model, write(t, t.TempDir(), "new.jsonl", strings.Join(lines, "\n"))); err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	must.Do(t, p.Save(dir))
	if head := rowsOf(t, dir)[0]; strings.Join(head[len(head)-2:], ",") != "novelty,terms" {
		t.Errorf("clusters.csv has the columns %v", head)
	}
	if p.NovelCount() != 12 || !strings.Contains(strings.Join(p.Notes(), " "), "none of the model's clusters") {
		t.Errorf("%d of 12 are novel, %v: %v", p.NovelCount(), p.Novelty, p.Notes())
	}
	if v := p.JSON(func(s string) string { return s }, nil); v.Novel == nil || *v.Novel != 12 {
		t.Errorf("JSON has %v novel documents", v.Novel)
	}
	old := must.Get(eigenmap.Predict(ctx, "testdata/golden/le/model.npz", fresh))(t)
	if old.Novelty != nil || !strings.Contains(strings.Join(old.Notes(), " "), "does not measure the novelty") {
		t.Errorf("an earlier model: %v, %v", old.Novelty, old.Notes())
	}
}
