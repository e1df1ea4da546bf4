package eigenmap_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/eigenmap/eigenmap"
	"github.com/eigenmap/eigenmap/internal/must"
)

// A single file of any kind of text goes where it goes as one file of a folder, with a model of a
// folder.
func TestPredictOneFile(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string) string {
		t.Helper()
		path := filepath.Join(dir, name)
		err := os.MkdirAll(filepath.Dir(path), 0o700)
		if err == nil {
			err = os.WriteFile(path, []byte(content), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		return path
	}
	topics := []string{"engine wheel brake gear road lorry", "flour oven sugar cake bread butter"}
	for i := range 40 {
		write(fmt.Sprintf("train/%d.txt", i), topics[i%2]+fmt.Sprintf(" word%d word%d", i%7, i%5))
	}
	var opt eigenmap.Options
	for _, o := range [][2]string{{"method", "kmeans"}, {"clusters", "2"}} {
		must.Do(t, opt.Set(o[0], o[1]))
	}
	r := must.Get(eigenmap.Cluster(t.Context(), filepath.Join(dir, "train"), opt))(t)
	m := must.Get(r.Model(t.Context()))(t)
	must.Do(t, r.Save(filepath.Join(dir, "out")))
	for name, content := range map[string]string{"a.html": "<!DOCTYPE html>\n<html>\n<body>\n%s</body></html>\n", "a.rtf": `{\rtf1 %s}`, "a.eml": "From: a@b.c\nSubject: x\n\n%s\n", "a.txt": "%s\n", "a.md": "# %s\n", "a.tex": "\\begin{document}\n%s\n\\end{document}\n"} {
		for k, topic := range topics {
			file := write(name, fmt.Sprintf(content, topic))
			write("new/"+name, fmt.Sprintf(content, topic))
			one, err := eigenmap.Predict(t.Context(), filepath.Join(dir, "out"), file)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			all, err := eigenmap.Predict(t.Context(), filepath.Join(dir, "out"), filepath.Join(dir, "new"))
			if err != nil {
				t.Fatal(name, err)
			}
			want, err := m.PredictTexts(t.Context(), []string{topic})
			if err != nil {
				t.Fatal(name, err)
			}
			if len(one.Labels) != 1 || one.Labels[0] != all.Labels[0] || one.Labels[0] != want.Labels[0] {
				t.Errorf("%s of topic %d: %v alone, %v in a folder, %v as a text", name, k, one.Labels, all.Labels, want.Labels)
			}
			must.Do(t, os.RemoveAll(filepath.Join(dir, "new")))
		}
	}
}
