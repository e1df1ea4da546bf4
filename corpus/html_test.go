package corpus

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// Tags, scripts, styles and comments of HTML files in a folder are no words.
func TestFolderOfHTML(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a/one.html": "<!doctype html><html><head><title>Harbour</title><style>body{color:teal}</style></head><body class=wide>" +
			"<p>caf&eacute; <b>boat</b></p><script>var banner=1</script><!-- hidden --></body></html>",
		"a/two.txt":  "<p>literal boat",
		"b/page.txt": "<html><body>harbour</body></html>",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		must.Do(t, os.MkdirAll(filepath.Dir(path), 0o777))
		must.Do(t, os.WriteFile(path, []byte(text), 0o666))
	}
	c := must.Get(Read(t.Context(), dir, ReadOptions{Text: TextOptions{MinDF: 1, Language: "none", StopWords: "none"}}))(t)
	if want := []string{"boat", "café", "harbour", "literal"}; !slices.Equal(c.Terms, want) {
		t.Errorf("the terms are %q, want %q", c.Terms, want)
	}
}
