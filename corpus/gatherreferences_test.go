package corpus

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// A folder, or an archive of it, of files of references of any format is all of the references: it
// was a text for each file. Among other files they stay texts, with a note.
func TestFolderOfReferences(t *testing.T) {
	dir := t.TempDir()
	var bib, ris strings.Builder
	for i := range 6 {
		fmt.Fprintf(&bib, "@article{key%d,\n title = {Bees and pollen %d},\n abstract = {Pollen of the hive},\n}\n\n", i, i)
		fmt.Fprintf(&ris, "TY  - JOUR\nTI  - Glaciers and snow %d\nAB  - Snow melts on ice\nID  - r%d\nER  - \n\n", i, i)
	}
	ris.WriteString("TY  - JOUR\nPY  - 2024\nER  - \n")
	for name, text := range map[string]string{"first/scopus.bib": bib.String(), "second/pubmed.txt": ris.String(), "README": "A search of May"} {
		must.Do(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700))
		must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	archive := filepath.Join(t.TempDir(), "search.tar")
	must.Do(t, os.WriteFile(archive, tarred("first/scopus.bib", bib.String(), "second/pubmed.txt", ris.String(), "README", "A search of May"), 0o600))
	for _, path := range []string{dir, archive} {
		c := must.Get(Read(t.Context(), path, ReadOptions{}))(t)
		if c.Len() != 12 || c.IDs[0] != "key0" || c.IDs[11] != "r5" || c.Labels != nil || !hasNote(c, "2 files of references") || !hasNote(c, "pubmed.txt: A further entry is left out: it has neither title nor abstract") {
			t.Errorf("%s: %d documents %v, labels %v, notes %v", path, c.Len(), c.IDs, c.Labels, c.Notes)
		}
	}
	for i := range 5 {
		must.Do(t, os.WriteFile(filepath.Join(dir, fmt.Sprint(i, ".txt")), []byte("A text of snow and bees"), 0o600))
	}
	if c := must.Get(Read(t.Context(), dir, ReadOptions{}))(t); !hasNote(c, "scopus.bib holds references and is one text") || c.Len() != 7 {
		t.Errorf("among texts: %d documents, notes %v", c.Len(), c.Notes)
	}
}
