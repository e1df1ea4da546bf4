package corpus

import (
	"archive/tar"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/klauspost/compress/zstd"
	"golang.org/x/text/encoding/unicode"
)

// filePackers compress by zstd and by bzip2; the latter needs the program of the system.
var filePackers = map[string]func(t *testing.T, data []byte) []byte{
	".zst": func(t *testing.T, data []byte) []byte {
		w := must.Get(zstd.NewWriter(nil))(t)
		return w.EncodeAll(data, nil)
	},
	".bz2": func(t *testing.T, data []byte) []byte {
		path, err := exec.LookPath("bzip2")
		if err != nil {
			t.Skip("there is no bzip2")
		}
		c := exec.Command(path, "-c")
		c.Stdin = bytes.NewReader(data)
		out := must.Get(c.Output())(t)
		return out
	},
}

// tarOf is an archive of two texts.
func tarOf(t *testing.T) []byte {
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, f := range [][2]string{{"a/1.txt", "gardens with flowers"}, {"b/2.txt", "engines with wheels"}} {
		must.Do(t, w.WriteHeader(&tar.Header{Name: f[0], Size: int64(len(f[1])), Mode: 0o600}))
		w.Write([]byte(f[1]))
	}
	w.Close()
	return out.Bytes()
}

// Every format of texts has the same content packed by bzip2 and zstd as unpacked.
func TestPackedTexts(t *testing.T) {
	mail := "From a@x.org Thu Feb  5 22:34:43 2009\nSubject: gardens\n\nflowers and gardens\n\nFrom b@x.org Thu Feb  5 22:34:44 2009\nSubject: engines\n\nwheels of engines\n"
	wires := `<!DOCTYPE lewis SYSTEM "lewis.dtd">` + "\n" + `<REUTERS TOPICS="YES" LEWISSPLIT="TRAIN" CGISPLIT="x" OLDID="1" NEWID="1"><DATE>x</DATE><TOPICS><D>grain</D></TOPICS><TEXT><TITLE>GARDENS</TITLE><BODY>flowers of gardens</BODY></TEXT></REUTERS>` + "\n"
	for name, data := range map[string][]byte{
		"a.jsonl": []byte(`{"id":"p","text":"gardens with flowers","label":"x"}` + "\n" + `{"id":"q","text":"engines with wheels","label":"y"}` + "\n"),
		"a.json":  []byte(`[{"id":"p","text":"gardens with flowers"},{"id":"q","text":"engines with wheels"}]`),
		"a.csv":   []byte("id,text,label\np,gardens with flowers,x\nq,engines with wheels,y\n"),
		"a.tsv":   []byte("id\ttext\np\tgardens with flowers\nq\tengines with wheels\n"),
		"a.lines": []byte("gardens with flowers\nengines with wheels\n"),
		"a.mbox":  []byte(mail),
		"a.sgm":   []byte(wires),
		"a.tar":   tarOf(t),
	} {
		opt := ReadOptions{Text: TextOptions{MinDF: 1}}
		if name == "a.lines" {
			opt.Format = "lines"
		}
		want, err := Read(t.Context(), writeFile(t, t.TempDir(), name, data), opt)
		if err != nil {
			t.Fatal(name, err)
		}
		for extension, pack := range filePackers {
			t.Run(name+extension, func(t *testing.T) {
				got := must.Get(Read(t.Context(), writeFile(t, t.TempDir(), name+extension, pack(t, data)), opt))(t)
				sameDocuments(t, got, want)
			})
		}
	}
}

// JSON in UTF-16 with a byte-order mark is what it is in UTF-8, with a note.
func TestWideJSON(t *testing.T) {
	lines := `{"id":"p","text":"Gärten mit Blumen 😀"}` + "\n" + `{"id":"q","text":"engines with wheels"}` + "\n"
	array := `[{"id":"p","text":"Gärten mit Blumen 😀"},` + "\n" + ` {"id":"q","text":"engines with wheels"}]`
	for _, end := range []unicode.Endianness{unicode.LittleEndian, unicode.BigEndian} {
		for name, text := range map[string]string{"a.jsonl": lines, "a.json": array, "b.json": lines, "a.ndjson": lines, "a": array} {
			wide := must.Get(unicode.UTF16(end, unicode.UseBOM).NewEncoder().String(text))(t)
			opt := ReadOptions{Text: TextOptions{MinDF: 1}}
			want := readNamed(t, name, text, opt)
			got := readNamed(t, name, wide, opt)
			if !slices.Contains(got.Notes, "The file is UTF-16.") || got.Format != want.Format {
				t.Errorf("%s: format %s, notes %q", name, got.Format, got.Notes)
			}
			got.Notes = want.Notes
			sameDocuments(t, got, want)
			cut := wide[:len(wide)-len(wide)/3]
			if _, err := Read(t.Context(), writeFile(t, t.TempDir(), name, []byte(cut)), opt); err == nil {
				t.Errorf("%s: a file that was cut off is read", name)
			} else {
				checkFault(t, err)
			}
			parts, errs := togetherRead(t.Context(), 2, writeFile(t, t.TempDir(), name, []byte(wide)), opt, nil)
			if errs[0] != nil || errs[1] != nil || parts[0].Total != 2 {
				t.Errorf("%s by ranks: %v", name, errs)
			}
		}
	}
}

// Markdown in a folder is its text.
func TestMarkdownFolder(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.md":     "# Gardens\n\nSee [the flowers](https://example.org/hidden) and ![tulips](x.png)\n\n```go\nfunc plant() {}\n```\n\n| tree | bush |\n|---|---|\n| oak | rose |\n",
		"b.md.zst": string(filePackers[".zst"](t, []byte("* one *wheel*\n* two&nbsp;**wheels**\n\n<div class=\"hidden\">engine</div>\n"))),
		"c.txt":    "# plain ![link](x.png)",
	} {
		must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	c := must.Get(Read(t.Context(), dir, ReadOptions{Text: TextOptions{MinDF: 1, Language: "none", StopWords: "none"}}))(t)
	terms := strings.Join(c.Terms, " ")
	for _, want := range []string{"gardens", "flowers", "func", "plant", "oak", "rose", "wheel", "wheels", "engine", "png"} {
		if !slices.Contains(c.Terms, want) {
			t.Errorf("%s is not among %s", want, terms)
		}
	}
	for j, term := range c.Terms {
		for i := range 2 {
			if c.X.At(i, j) != 0 && slices.Contains([]string{"https", "hidden", "example", "div", "go", "nbsp", "png"}, term) {
				t.Errorf("document %s has %s", c.ID(i), term)
			}
		}
	}
}

// FuzzWideTexts reads arbitrary text as JSON in UTF-16 and as Markdown in a folder.
func FuzzWideTexts(f *testing.F) {
	f.Add("\xff\xfe{\x00}\x00", false)
	f.Add("# a\n\n```\nb\n```\n[c](d) <e>f</e> &amp;", true)
	f.Fuzz(func(t *testing.T, data string, markdown bool) {
		opt := ReadOptions{Text: TextOptions{MinDF: 1}, MaxBytes: fuzzMemory}
		dir := t.TempDir()
		path := writeFile(t, dir, "a.json", []byte(data))
		if markdown {
			path = dir
			must.Do(t, os.Rename(filepath.Join(dir, "a.json"), filepath.Join(dir, "a.md")))
		}
		if _, err := Read(t.Context(), path, opt); err != nil {
			checkFault(t, err)
		}
	})
}
