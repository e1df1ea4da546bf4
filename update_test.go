package eigenmap_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/internal/must"
)

// updated updates a model by a file and saves it; it returns the model's folder.
func updated(t *testing.T, modelFile, file string) (*eigenmap.Updated, string) {
	t.Helper()
	u := must.Get(eigenmap.Update(context.Background(), modelFile, file))(t)
	dir := t.TempDir()
	must.Do(t, u.Save(dir))
	return u, dir
}

// mixtures are n texts of words of the training texts of one class each.
func mixtures(t *testing.T, n int, seed uint64, more ...string) string {
	t.Helper()
	text := must.Get(os.ReadFile(train))(t)
	words := map[string][]string{}
	for _, d := range readTrain(t, text) {
		words[d.Label] = append(words[d.Label], strings.Fields(d.Text)...)
	}
	rng := rand.New(rand.NewPCG(seed, 1))
	var b strings.Builder
	for i := range n {
		list := words[[]string{"kitchen", "sky"}[i%2]]
		doc := slices.Clone(more)
		for range 14 {
			doc = append(doc, list[rng.IntN(len(list))])
		}
		fmt.Fprintf(&b, "{\"id\":\"new%d-%d\",\"text\":%q}\n", seed, i, strings.Join(doc, " "))
	}
	return write(t, t.TempDir(), "new.jsonl", b.String())
}

// An update places documents as Predict does; a graph grows by them, up to twice its documents, and
// another model counts them. What the model has already changes no byte.
func TestUpdate(t *testing.T) {
	empty := write(t, t.TempDir(), "empty.jsonl", "\n")
	for _, method := range []string{"le", "gmm"} {
		first := saveModel(t, cluster(t, train, options(t, method)))
		file := mixtures(t, 40, 1, "zeppelin", "zeppelins")
		p := must.Get(eigenmap.Predict(context.Background(), first, file))(t)
		u, second := updated(t, first, file)
		if !slices.Equal(u.Labels, p.Labels) || !slices.Equal(u.Confidence, p.Confidence) {
			t.Errorf("%s: an update places documents elsewhere than a prediction", method)
		}
		m := must.Get(eigenmap.LoadModel(context.Background(), second))(t)
		grows := method == "le"
		if grows != (u.Added == 40 && u.AddedTerms >= 1 && m.Documents() == 100) || u.Drift.Documents != 40 || m.Summary.Updates.Since.Documents != 40 || u.Drift.NewTerms < 1 {
			t.Errorf("%s: %d documents and %d terms added, the model has %d, drift %+v", method, u.Added, u.AddedTerms, m.Documents(), u.Drift)
		}
		total := 0
		for _, n := range m.Sizes() {
			total += n
		}
		if total != 100 {
			t.Errorf("%s: %d documents in clusters", method, total)
		}
		if _, same := updated(t, second, empty); !bytes.Equal(content(t, second, "model.npz"), content(t, same, "model.npz")) {
			t.Errorf("%s: an update without documents changes the model", method)
		}
		if !grows {
			continue
		}
		if again, same := updated(t, second, file); again.Drift.Documents != 0 || again.Known != 40 || !bytes.Equal(content(t, second, "model.npz"), content(t, same, "model.npz")) {
			t.Errorf("%s: documents that the model has change it: %+v, %d known", method, again.Drift, again.Known)
		}
		if v, _ := updated(t, second, mixtures(t, 60, 2)); v.Added != 20 || v.Updates.Added != 60 {
			t.Errorf("%s: %d documents added to 100 of a fit of 60, %d in all", method, v.Added, v.Updates.Added)
		}
	}
}

// Documents like the model's are no reason to make it again, others and many are.
func TestUpdateSuggestsARefit(t *testing.T) {
	model := saveModel(t, cluster(t, train, options(t, "le")))
	if u, _ := updated(t, model, fresh); u.Refit != nil {
		t.Errorf("10 documents of the classes: %q", u.Refit)
	}
	var b strings.Builder
	for i := range 25 {
		fmt.Fprintf(&b, "{\"text\":\"quarks gluons hadrons %d bosons\"}\n", 100+i)
	}
	u, _ := updated(t, model, write(t, t.TempDir(), "other.jsonl", b.String()))
	if !strings.Contains(strings.Join(u.Refit, "; "), "nothing in common") || u.Drift.Isolated != 25 || u.Added != 0 {
		t.Errorf("other documents: %q, %+v, %d added", u.Refit, u.Drift, u.Added)
	}
	if v := u.JSON(func(name string) string { return name }, nil); !v.Update.Refit || v.Update.Drift.IsolatedShare != 1 || len(v.Warnings) == 0 {
		t.Errorf("%+v", v.Update)
	}
	if u, _ = updated(t, model, mixtures(t, 30, 3)); !strings.Contains(strings.Join(u.Refit, "; "), "half as many") {
		t.Errorf("half as many documents: %q", u.Refit)
	}
	_, err := eigenmap.Update(context.Background(), train, fresh)
	refused(t, err, "not a model")
}

// TestKnownAndEmptyDocumentsAreNoDrift: of a file of documents like the model's, the model's own
// are in the denominators, and texts without a term are counted apart.
func TestKnownAndEmptyDocumentsAreNoDrift(t *testing.T) {
	var file strings.Builder
	for _, part := range []string{train, mixtures(t, 22, 4)} {
		text := must.Get(os.ReadFile(part))(t)
		file.Write(text)
	}
	for i := range 8 {
		fmt.Fprintf(&file, "{\"id\":\"empty%d\",\"text\":\"the %s\"}\n", i, strings.Repeat("and ", i))
	}
	for i := range 2 {
		fmt.Fprintf(&file, "{\"id\":\"other%d\",\"text\":\"quarks gluons hadrons %d\"}\n", i, 100+i)
	}
	all := write(t, t.TempDir(), "all.jsonl", file.String())
	first := saveModel(t, cluster(t, train, options(t, "le")))
	u, second := updated(t, first, all)
	if d := u.Drift; u.Refit != nil || d.Documents != 24 || d.Known != 60 || d.Empty != 8 || d.Isolated != 2 || u.Added != 22 {
		t.Errorf("%q, %+v, %d added", u.Refit, d, u.Added)
	}
	again, third := updated(t, second, all)
	if d := again.Drift; again.Refit != nil || d.Documents != 2 || d.Known != 82 || d.Empty != 8 || d.Isolated != 2 {
		t.Errorf("once more: %q, %+v", again.Refit, d)
	}
	var nothing strings.Builder
	for i := range 25 {
		fmt.Fprintf(&nothing, "{\"text\":\"of %d\"}\n", i%3)
	}
	empties, fourth := updated(t, third, write(t, t.TempDir(), "empty.jsonl", nothing.String()))
	if d := empties.Drift; empties.Refit != nil || d.Documents != 0 || d.Empty != 25 || !bytes.Equal(content(t, third, "model.npz"), content(t, fourth, "model.npz")) {
		t.Errorf("of texts without a term: %q, %+v", empties.Refit, d)
	}
}

// A model in memory grows by texts as its file does by a file of them, and stays as it was itself.
func TestUpdateInMemory(t *testing.T) {
	ctx := context.Background()
	dir := saveModel(t, cluster(t, train, options(t, "le")))
	file := mixtures(t, 40, 1, "zeppelin", "zeppelins")
	_, grown := updated(t, dir, file)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for _, d := range readTrain(t, text) {
		texts = append(texts, d.Text)
	}
	m := must.Get(eigenmap.LoadModel(ctx, dir))(t)
	var before, after, next bytes.Buffer
	must.Do(t, m.Encode(&before))
	u := must.Get(m.UpdateTexts(ctx, texts))(t)
	n := must.Get(u.Next())(t)
	must.Do(t, errors.Join(n.Encode(&next), m.Encode(&after)))
	if !bytes.Equal(before.Bytes(), after.Bytes()) {
		t.Error("the model before the update has changed")
	}
	if !bytes.Equal(next.Bytes(), content(t, grown, eigenmap.ModelName)) {
		t.Error("the model in memory grows to another one than the file's")
	}
	if u, err = n.UpdateTexts(ctx, texts); err != nil || u.Drift.Documents != 0 {
		t.Errorf("texts of the model count as new: %+v, %v", u, err)
	} else if same, err := u.Next(); err != nil || same.Model != n.Model {
		t.Errorf("the model has changed by nothing new: %v", err)
	}
}

// What a model in memory is saved as has the updates before it, though the last one had nothing
// new; a model that was read from a file without more is the file.
func TestUpdateInMemoryIsSaved(t *testing.T) {
	ctx := context.Background()
	run := cluster(t, train, options(t, "le"))
	dir := saveModel(t, run)
	loaded := must.Get(eigenmap.LoadModel(ctx, dir))(t)
	fitted := must.Get(run.Model(ctx))(t)
	text := must.Get(os.ReadFile(mixtures(t, 20, 1)))(t)
	var texts []string
	for _, d := range readTrain(t, text) {
		texts = append(texts, d.Text)
	}
	for name, m := range map[string]*eigenmap.Model{"loaded": loaded, "fitted": fitted} {
		u := must.Get(m.UpdateTexts(ctx, texts))(t)
		grown := must.Get(u.Next())(t)
		for kind, m := range map[string]*eigenmap.Model{name: m, name + " and grown": grown} {
			nothing := []string{}
			if m == grown {
				nothing = texts
			}
			u, err := m.UpdateTexts(ctx, nothing)
			if err != nil || u.Drift.Documents != 0 {
				t.Fatalf("%s: %v", kind, err)
			}
			out := t.TempDir()
			if err := u.Save(out); err != nil {
				t.Errorf("%s: %v", kind, err)
				continue
			}
			var want bytes.Buffer
			must.Do(t, m.Encode(&want))
			if !bytes.Equal(content(t, out, eigenmap.ModelName), want.Bytes()) {
				t.Errorf("%s: the saved model is another one", kind)
			}
		}
	}
	t.Chdir(t.TempDir()) // a model in memory has no folder that results could not be in
	u, err := fitted.UpdateTexts(ctx, texts)
	if err == nil {
		err = u.Save(".")
	}
	if err != nil {
		t.Error(err)
	}
}
