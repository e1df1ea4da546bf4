package eigenmap_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/progress"
)

// planted writes texts of three subjects without classes, and labels of some of them: their
// subjects, or drawn ones.
func planted(t *testing.T, right bool) (texts, labels string) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	var lines strings.Builder
	given := "id,label\n"
	for i := range 150 {
		fmt.Fprintf(&lines, `{"id": "d%d", "text": "`, i)
		for range 12 {
			fmt.Fprintf(&lines, "word%c%c ", 'a'+i%3, 'a'+rng.IntN(20))
		}
		lines.WriteString("\"}\n")
		if i < 45 {
			class := i % 3
			if !right {
				class = rng.IntN(3)
			}
			given += fmt.Sprintf("d%d,subject %d\n", i, class)
		}
	}
	dir := t.TempDir()
	texts, labels = filepath.Join(dir, "texts.jsonl"), filepath.Join(dir, "labels.csv")
	for path, text := range map[string]string{texts: lines.String(), labels: given} {
		must.Do(t, os.WriteFile(path, []byte(text), 0o644))
	}
	return texts, labels
}

// Where no other document has a class, methods are judged by known labels that they did not see: by
// right ones all are right, by drawn ones none is better than chance. A method that learns from no
// labels looks for as many clusters as they have classes.
func TestCompareHoldsLabelsOut(t *testing.T) {
	methods := []string{"kmeans", "label-propagation", "lda", "diffusion"}
	for _, right := range []bool{true, false} {
		texts, labels := planted(t, right)
		var opt eigenmap.Options
		set(t, &opt, "labels", labels)
		stages := map[string]bool{}
		opt.Observer = func(e progress.Event) { stages[e.Stage] = true }
		out := must.Get(eigenmap.Compare(context.Background(), texts, opt, eigenmap.CompareOptions{Methods: methods, Seeds: 1}))(t)
		if !stages["hold out labels"] {
			t.Error("no progress while labels are held out")
		}
		last := 2.0
		for _, m := range out.Methods {
			h := m.HeldOut
			if h == nil || h.Documents != 45 || m.Clusters.Mean != 3 || h.Accuracy > last {
				t.Fatalf("%s: %+v, %v clusters", m.Method, h, m.Clusters.Mean)
			}
			last = h.Accuracy
			if right && (h.Accuracy < 0.95 || h.MacroF1 < 0.95) || !right && h.Accuracy > 0.65 {
				t.Errorf("%s, right labels %v: %+v", m.Method, right, h)
			}
		}
		if table := out.Table(); !slices.Contains(table[0], "accuracy, labels held out") || !strings.Contains(out.UnlabeledNote(), "45 known labels") {
			t.Errorf("%q, %q", table[0], out.UnlabeledNote())
		}
	}
}
