package corpus

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus/internal/corpustest"
	"github.com/eigenmap/eigenmap/internal/must"
)

// wordFile is a document of Word with a title and these paragraphs.
func wordFile(title string, paragraphs ...string) string {
	const relation = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	var body strings.Builder
	for _, p := range paragraphs {
		body.WriteString("<w:p><w:r><w:t>" + p + "</w:t></w:r></w:p>")
	}
	return string(zipped("[Content_Types].xml", "<Types/>",
		"_rels/.rels", `<Relationships><Relationship Id="a" Type="`+relation+`/officeDocument" Target="word/document.xml"/><Relationship Id="b" Type="x/core-properties" Target="core.xml"/></Relationships>`,
		"core.xml", `<c xmlns:dc="d"><dc:title>`+title+`</dc:title></c>`,
		"word/document.xml", `<w:document xmlns:w="w"><w:body>`+body.String()+`</w:body></w:document>`))
}

// bookFile is a book of these chapters.
func bookFile(chapters ...string) string {
	members := []string{"META-INF/container.xml", `<container><rootfile full-path="b.opf"/></container>`}
	items, spine := "", ""
	for i, c := range chapters {
		items += fmt.Sprintf(`<item id="c%d" href="c%d" media-type="application/xhtml+xml"/>`, i, i)
		spine += fmt.Sprintf(`<itemref idref="c%d"/>`, i)
		members = append(members, fmt.Sprintf("c%d", i), `<html><head><title>head</title><script>no</script></head><body><p>`+c+`</p></body></html>`)
	}
	return string(zipped(append(members, "b.opf", `<package><manifest>`+items+`</manifest><spine>`+spine+`</spine></package>`)...))
}

// flatFile is a text of OpenDocument as one file of XML.
func flatFile(body string) string {
	return `<?xml version="1.0" encoding="UTF-8"?>` + "\n" + `<office:document xmlns:office="o" xmlns:t="t"><office:body><office:text>` + body + `</office:text></office:body></office:document>`
}

// officeFolder are documents of programs in two classes, with strange files among them.
func officeFolder() map[string]string {
	whole := wordFile("", "words")
	return map[string]string{
		"cars/1.docx": wordFile("Wheels", "the engine of a car", "brakes &amp; gears"), "cars/2.rtf": `{\rtf1\ansi the engine {\b of} a lorry\par}`, "cars/3.txt": "the engine of a bus",
		"cakes/1.epub": bookFile("a cake in the oven", "flour &amp; sugar"), "cakes/2.html": "<p>a cake in the oven</p>", "cakes/3.docx.gz": gzipped(wordFile("", "a cake in the oven")),
		"cakes/a.pdf": "%PDF-1.4\n", "cars/b.pdf": "%PDF-1.7\n", "cars/old.doc": "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00", "cars/cut.docx": whole[:len(whole)/2], "cars/cut.gz": gzipped("words and more words")[:25],
		"cars/empty.docx": wordFile(""), "cars/core": "\x7fELF\x00", "cakes/photo.jpg": "x", "cakes/p.ps": "%!PS-Adobe-3.0\n(cake) show\n", "cars/inner.zip": string(zipped("a", "b")), "cars/wide.txt": wideText("\ufeffthe engine of a tram\n", false), "cars/z.ipynb": "{", "cars/b.fodt": flatFile("<t:p>the engine of a train</t:p>"),
	}
}

// packings are the files as a folder, a tar, a packed tar and a zip, in any order.
func packings(t *testing.T, files map[string]string) []string {
	t.Helper()
	var members []string
	for name, content := range files {
		members = append(members, "top/"+name, content)
	}
	dir := t.TempDir()
	return []string{makeFolder(t, files), writeFile(t, dir, "a.tar", tarred(members...)),
		writeFile(t, dir, "a.tar.gz", []byte(gzipped(string(tarred(members...))))), writeFile(t, dir, "a.zip", zipped(members...))}
}

// countTerms checks how often terms are in a corpus.
func countTerms(t *testing.T, path string, c *Corpus, want map[string]float64) {
	t.Helper()
	for term, times := range want {
		n := 0.0
		if j := slices.Index(c.Terms, term); j >= 0 {
			for i := range c.Len() {
				n += c.X.At(i, j)
			}
		}
		if n != times {
			t.Errorf("%s: %q is there %v times, want %v", path, term, n, times)
		}
	}
}

// Documents of programs in a folder, a tar, a packed tar and a zip are texts; strange files among
// them are left out, each kind with a note, also on ranks.
func TestOfficeFolder(t *testing.T) {
	corpustest.NoPDFToText(t)
	files := officeFolder()
	opt := ReadOptions{Text: TextOptions{MinDF: 1, StopWords: "none"}}
	for _, path := range packings(t, files) {
		c, err := Read(t.Context(), path, opt)
		if err != nil {
			t.Fatal(path, err)
		}
		checkInvariants(t, c)
		if want := "cakes/1.epub:cakes cakes/2.html:cakes cakes/3.docx:cakes cars/1.docx:cars cars/2.rtf:cars cars/3.txt:cars cars/b.fodt:cars cars/wide.txt:cars"; classOf(c) != want {
			t.Errorf("%s: %s", path, classOf(c))
		}
		countTerms(t, path, c, map[string]float64{"engine": 5, "tram": 1, "train": 1, "oven": 3, "wheels": 1, "gears": 1, "sugar": 1, "lorry": 1, "head": 0, "script": 0, "amp": 0, "rtf": 0, "docx": 0})
		for _, note := range []string{"cakes/a.pdf, is a PDF", "pdftotext", "2 files of one kind are left out: the first, ", "cars/old.doc is a damaged file of an old program of Microsoft Office", "cars/cut.docx is a damaged document", "cars/cut.gz: the file ends too early",
			"cars/empty.docx is a document without text", "cars/core is not text", "cars/inner.zip is an archive of zip", "1 more file is left out for other reasons, the first of them ", "1 file is left out, by their names pictures"} {
			if !hasNote(c, note) {
				t.Errorf("%s: no note %q: %q", path, note, c.Notes)
			}
		}
		parts, errs := togetherRead(context.Background(), 2, path, opt, nil)
		if err := errors.Join(errs...); err != nil {
			t.Fatal(path, err)
		}
		joined(t, parts, c)
	}
}

// A folder of nothing that is read is an error, which says what makes texts of its files; so is one
// of too few terms, which names what is left out.
func TestFolderOfPDF(t *testing.T) {
	corpustest.NoPDFToText(t)
	files := map[string]string{"a/1.pdf": "%PDF-1.4\n", "a/2.pdf": "%PDF-1.4\n", "b/3.pdf": "%PDF-1.4\n"}
	_, err := Read(t.Context(), makeFolder(t, files), ReadOptions{})
	wantFault(t, err, "none of its files is read as a text", "3 files of one kind are left out: the first, a/1.pdf, is a PDF", "pdftotext")
	if !errors.Is(err, ErrNoDocuments) {
		t.Errorf("%v is not ErrNoDocuments", err)
	}
	path := writeFile(t, t.TempDir(), "a.tar", tarred("a/1.pdf", "%PDF-1.4\n", "a/2.pdf", "%PDF-1.4\n"))
	_, errs := togetherRead(context.Background(), 2, path, ReadOptions{}, nil)
	for _, err := range errs {
		wantFault(t, err, "none of its files is read as a text", "pdftotext")
	}
	files["c.txt"] = "words"
	_, err = Read(t.Context(), makeFolder(t, files), ReadOptions{})
	wantFault(t, err, "‹min-df›", "3 files of one kind are left out")
}

// A document that unpacks to more than a text may have is refused as any longer text is.
func TestOfficeBomb(t *testing.T) {
	bomb := wordFile("", strings.Repeat("words ", 1<<20))
	if len(bomb) > 1<<16 {
		t.Fatalf("%d bytes", len(bomb))
	}
	for _, path := range []string{makeFolder(t, map[string]string{"a.docx": bomb, "b.txt": "words"}), writeFile(t, t.TempDir(), "a.tar", tarred("a.docx", bomb, "b.txt", "words"))} {
		_, err := Read(t.Context(), path, ReadOptions{MaxBytes: 16 << 20})
		wantFault(t, err, "a.docx", "is longer than")
	}
}

// Files of many documents are left out where they are few beside the texts, and refused elsewhere.
func TestFolderManyDocuments(t *testing.T) {
	opt := ReadOptions{Text: TextOptions{MinDF: 1}}
	for _, strange := range []string{"rows.jsonl", "d/rows.jsonl", "table.csv", "d/table.tsv.gz", "d/x.parquet", "all.list", "d/tool.json"} {
		files := map[string]string{strange: "[1, 2]"}
		for i := range 11 {
			files[fmt.Sprintf("%d.txt", i)] = "some words"
		}
		c, err := Read(t.Context(), makeFolder(t, files), opt)
		if err != nil {
			t.Fatal(strange, err)
		}
		if c.Len() != 11 || !slices.ContainsFunc(c.Notes, func(n string) bool { return strings.Contains(n, strange+" is ") }) {
			t.Errorf("%q: %q", c.IDs, c.Notes)
		}
		delete(files, "1.txt")
		if _, err = Read(t.Context(), makeFolder(t, files), opt); err == nil {
			t.Errorf("%s among 10 texts is read", strange)
		}
		opt := opt
		opt.Format = "folder"
		if c, err = Read(t.Context(), makeFolder(t, files), opt); err != nil || c.Len() != 11 {
			t.Errorf("%s with ‹input-format› folder: %v", strange, err)
		}
	}
}

// One document alone is no corpus.
func TestOneDocument(t *testing.T) {
	for name, content := range map[string]string{"a.docx": wordFile("", "words"), "a.epub": bookFile("words"), "a.rtf": `{\rtf1 words}`, "a.pdf": "%PDF-1.4\n", "a.odt": string(zipped("META-INF/manifest.xml", "x", "content.xml", "x"))} {
		_, err := Read(t.Context(), writeFile(t, t.TempDir(), name, []byte(content)), ReadOptions{})
		wantFault(t, err, name, "put it into a folder with the others")
	}
}

// A link to nothing in a folder of texts is left out with a note.
func TestFolderLostLink(t *testing.T) {
	dir := makeFolder(t, map[string]string{"1": "some words", "2": "more words"})
	if err := os.Symlink("nowhere", filepath.Join(dir, "lost")); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	c := must.Get(Read(t.Context(), dir, ReadOptions{Text: TextOptions{MinDF: 1}}))(t)
	if c.Len() != 2 || !slices.Contains(c.Notes, "1 link to a file that does not exist is left out (first: lost); restore their targets.") {
		t.Errorf("%q: %q", c.IDs, c.Notes)
	}
}
