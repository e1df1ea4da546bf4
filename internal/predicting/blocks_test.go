package predicting_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/internal/predicting"
)

// topics writes n texts of three topics, every tenth of them of words that no other has, with
// labels.
func topics(t *testing.T, file string, n int, seed uint64) string {
	t.Helper()
	r, out := rand.New(rand.NewPCG(seed, 7)), new(bytes.Buffer)
	for i := range n {
		topic := r.IntN(3)
		var text []string
		for range 9 {
			text = append(text, fmt.Sprintf("word%d", 100*topic+r.IntN(40)))
		}
		if i%10 == 9 {
			text = []string{fmt.Sprintf("new%d", r.IntN(9)), fmt.Sprintf("new%d", r.IntN(9))}
		}
		fmt.Fprintf(out, "{\"id\":\"d%d-%d\",\"label\":\"t%d\",\"text\":%q}\n", seed, i, topic, strings.Join(text, " "))
	}
	if err := os.WriteFile(file, out.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

// saved is all files of a folder but the run's own description, and a value as JSON without times.
func saved(t *testing.T, dir string, v any) map[string]string {
	t.Helper()
	files := map[string]string{}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		files[e.Name()] = string(text)
	}
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var said map[string]any
	if err := json.Unmarshal(text, &said); err != nil {
		t.Fatal(err)
	}
	delete(said, "timings")
	text, _ = json.Marshal(said)
	files["JSON"] = string(text)
	return files
}

// TestBlocksOfAnySize: predictions, explanations and updates have the same bytes whatever the size
// of the blocks in which documents are placed, whether the method places by rows or by coordinates.
func TestBlocksOfAnySize(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	fit, file := topics(t, filepath.Join(dir, "fit.jsonl"), 90, 1), topics(t, filepath.Join(dir, "new.jsonl"), 41, 2)
	same := func(name string) string { return name }
	for _, method := range []string{"le", "kmeans", "gmm", "plsa"} {
		run, err := eigenmap.Cluster(ctx, fit, eigenmap.Options{Method: method, Clusters: 3})
		if err != nil {
			t.Fatal(err)
		}
		model := filepath.Join(dir, method)
		if err := run.Save(model); err != nil {
			t.Fatal(err)
		}
		var want map[string]string
		for _, size := range []int{100, 41, 40, 7, 1} {
			undo := predicting.SetBlockItems(size)
			got := map[string]string{}
			p, err := eigenmap.Predict(ctx, model, file)
			if err != nil {
				t.Fatal(err)
			}
			why, err := p.Explain(ctx, 0, 9, 40)
			if err != nil {
				t.Fatal(err)
			}
			u, err := eigenmap.Update(ctx, model, file)
			if err != nil {
				t.Fatal(err)
			}
			undo()
			for name, save := range map[string]func(string) error{"predict": p.Save, "update": u.Save} {
				out := filepath.Join(t.TempDir(), name)
				if err := save(out); err != nil {
					t.Fatal(err)
				}
				v := any(p.JSON(same, nil))
				if name == "update" {
					v = u.JSON(same, nil)
				}
				for file, text := range saved(t, out, v) {
					got[name+" "+file] = text
				}
			}
			text, _ := json.Marshal(why)
			got["explain"] = string(text)
			if want == nil {
				if want = got; method == "le" && u.Added == 0 {
					t.Error("the model did not grow")
				}
			}
			for name, text := range want {
				if got[name] != text {
					t.Errorf("%s in blocks of %d: %s differs:\n%.300s\n%.300s", method, size, name, got[name], text)
				}
			}
			if len(got) != len(want) {
				t.Errorf("%s in blocks of %d: %d results in place of %d", method, size, len(got), len(want))
			}
		}
	}
}
