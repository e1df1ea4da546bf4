package corpus

import (
	"fmt"
	"strings"
	"testing"
)

// The only file of a folder or an archive that holds documents is read as if it were named, with
// what lies beside it. Other folders are read as before.
func TestSoleFile(t *testing.T) {
	texts := "text,stars\n" + strings.Repeat("engine wheel car,1\nchord song piano,5\n", 20)
	bag := "2\n3\n4\n1 1 2\n1 2 1\n2 2 1\n2 3 4\n"
	for name, c := range map[string]struct {
		files           map[string]string
		opt             ReadOptions
		documents       int // 0: refused
		format, refused string
		archive         bool // also read from an archive
	}{
		"a table and README":     {files: map[string]string{"data.csv": texts, "README.md": "about", "LICENSE": "free"}, documents: 40, format: "table", archive: true},
		"in a folder below":      {files: map[string]string{"raw/data.csv": texts, "README.md": "about", "fig.png": "\x89PNG"}, documents: 40, format: "table", archive: true},
		"a table alone":          {files: map[string]string{"data.csv": texts}, documents: 40, format: "table", archive: true},
		"a bag of words":         {files: map[string]string{"docword.kos.txt": bag, "vocab.kos.txt": "car\nwheel\nsong\n", "README": "about"}, documents: 2, format: "uci"},
		"a matrix, labels":       {files: map[string]string{"x.svm": "1:1 2:1\n2:1 3:1\n", "x.labels.csv": "id,label\n1,a\n2,b\n", "x.terms.txt": "car\nwheel\nsong\n"}, documents: 2, format: "svm"},
		"every file as one text": {files: map[string]string{"data.csv": texts, "a.txt": "car"}, opt: ReadOptions{Format: "folder"}, documents: 2, format: "folder"},
		"a model of a folder":    {files: map[string]string{"all.txt": "engine\nsong\n"}, opt: ReadOptions{UsualFormat: "folder"}, documents: 1, format: "folder"},
		"other columns":          {files: map[string]string{"a.csv": texts, "b.csv": "user,age\na,1\nb,2\n"}, refused: "a table in a folder of texts"},
		"a table among texts":    {files: map[string]string{"a.csv": texts, "b.txt": "car", "c.txt": "song"}, refused: "a table in a folder of texts"},
		"of another table":       {files: map[string]string{"x.csv": texts, "y.labels.csv": "id,label\n1,a\n"}, refused: "a table in a folder of texts"},
	} {
		c.opt.Text.MinDF = 1
		ways := map[string]string{"folder": makeFolder(t, c.files)}
		if c.archive {
			var inside []string
			for file, content := range c.files {
				inside = append(inside, "top/"+file, content)
			}
			ways["archive"] = writeFile(t, t.TempDir(), "a.zip", zipped(inside...))
		}
		for way, path := range ways {
			got, err := Read(t.Context(), path, c.opt)
			if err != nil {
				if c.refused == "" || !strings.Contains(err.Error(), c.refused) {
					t.Errorf("%s, %s: %v", name, way, err)
				}
				continue
			}
			if said := fmt.Sprintf("%d of %s", got.Len(), got.Format); said != fmt.Sprintf("%d of %s", c.documents, c.format) {
				t.Errorf("%s, %s: %s; notes %q", name, way, said, got.Notes)
			}
			if c.format == "uci" && strings.Join(got.Terms, " ") != "car wheel song" {
				t.Errorf("%s: terms %q", name, got.Terms)
			}
			if c.format == "svm" && (got.Labels == nil || len(got.Terms) != 3) {
				t.Errorf("%s: labels %v, terms %q", name, got.Labels, got.Terms)
			}
		}
		for way, path := range ways {
			if c.format != "table" {
				continue
			}
			n, opt := 0, c.opt
			opt.beside = way == "archive" // as the texts of a page are read
			if _, err := Survey(t.Context(), path, opt, func(docs []Document) error { n += len(docs); return nil }); err != nil || n != c.documents {
				t.Errorf("%s, %s: %d documents one after the other: %v", name, way, n, err)
			}
		}
	}
}
