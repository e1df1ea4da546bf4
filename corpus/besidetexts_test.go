package corpus

import (
	"archive/tar"
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// Files on the texts beside them are left out where they are few and of another kind.
func TestFilesBesideTexts(t *testing.T) {
	some := func(n int, name string, more ...string) map[string]string {
		files := make(map[string]string)
		for i := range n {
			files[fmt.Sprintf(name, i)] = "some words of an engine"
		}
		for _, name := range more {
			files[name] = "words about these"
		}
		return files
	}
	for name, c := range map[string]struct {
		files map[string]string
		opt   ReadOptions
		left  string // the documents left out
	}{
		"a licence and others": {files: some(12, "%d.txt", "README", "LICENSE", "COPYING.txt", "Makefile", "CHANGELOG.md"), left: "CHANGELOG.md COPYING.txt LICENSE Makefile README"},
		"plays":                {files: some(8, "%d.xml", "README", "play.dtd", "play.css"), left: "README play.css play.dtd"},
		"packed":               {files: some(8, "a/%d.txt", "readme.txt", "b/README"), left: "b/README readme.txt"},
		"every file":           {files: some(8, "%d.txt", "README"), opt: ReadOptions{Format: "folder"}},
		"READMEs":              {files: some(8, "project%d/README")},
		"READMEs and licences": {files: some(8, "project%d/README.md", "a.txt", "b.txt")},
		"documentation":        {files: some(8, "%d.md", "README.md", "CHANGELOG.md")},
		"programs":             {files: some(8, "%d.go", "README", "site.css", "Makefile")},
		"pages of programs":    {files: some(3, "%d.html", "a.js", "b.js", "c.css", "d.css")},
		"citations and others": {files: some(8, "%d.txt", "notice-1.txt", "citation.txt", "readmes.txt", "read.txt")},
	} {
		c.opt.Text.MinDF = 1
		dir := makeFolder(t, c.files)
		for way, path := range map[string]string{"folder": dir, "archive": writeFile(t, t.TempDir(), "a.tar.gz", []byte(gzipped(archiveOf(t, c.files))))} {
			got, err := Read(t.Context(), path, c.opt)
			if err != nil {
				t.Errorf("%s, %s: %v", name, way, err)
				continue
			}
			var left []string
			for f := range c.files {
				if !slices.Contains(got.IDs, f) {
					left = append(left, f)
				}
			}
			slices.Sort(left)
			if strings.Join(left, " ") != c.left || strings.Contains(strings.Join(got.Notes, " "), "about the texts") != (c.left != "") {
				t.Errorf("%s, %s: without %q, want %q; notes %q", name, way, left, c.left, got.Notes)
			}
		}
	}
}

// Files *.sgml that are not Reuters-21578 are texts with marks.
func TestOtherSGML(t *testing.T) {
	page := func(words string) string {
		return "<!DOCTYPE DOCUMENT SYSTEM \"icon.dtd\" []>\n<DOCUMENT title=\"lost\">\n<HEAD weight=\"bold\">" + words + "</HEAD>\n<BLOCK>Take one tablet.</BLOCK>\n</DOCUMENT>\n"
	}
	files := map[string]string{"a.sgml": page("asthma"), "b.sgml": page("captopril"), "c.SGM": page("insulin"), "icon.dtd": "<!ELEMENT lost>"}
	for way, path := range map[string]string{"folder": makeFolder(t, files), "archive": writeFile(t, t.TempDir(), "a.tar", []byte(archiveOf(t, files)))} {
		c, err := Read(t.Context(), path, ReadOptions{Text: TextOptions{MinDF: 1, Language: "none"}})
		if err != nil {
			t.Errorf("%s: %v", way, err)
			continue
		}
		if got := strings.Join(c.Terms, " "); c.Len() != 3 || got != "asthma captopril insulin tablet take" {
			t.Errorf("%s: %d documents, terms %q", way, c.Len(), got)
		}
	}
	_, err := Read(t.Context(), writeFile(t, t.TempDir(), "a.sgml", []byte(page("asthma"))), ReadOptions{})
	wantFault(t, err, "a.sgml", "put it into a folder of texts")
}

// archiveOf is an archive of files.
func archiveOf(t *testing.T, files map[string]string) string {
	t.Helper()
	var b bytes.Buffer
	w := tar.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Mode: 0o644, Size: int64(len(files[name]))})
		if err == nil {
			_, err = w.Write([]byte(files[name]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	must.Do(t, w.Close())
	return b.String()
}
