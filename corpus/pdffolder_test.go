package corpus

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus/internal/corpustest"
	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/store"
	"github.com/eigenmap/eigenmap/internal/store/storetest"
)

// hasNote reports whether a note of the corpus holds some words.
func hasNote(c *Corpus, words string) bool {
	return slices.ContainsFunc(c.Notes, func(n string) bool { return strings.Contains(n, words) })
}

// PDFs in a folder and in archives are texts, whatever their names, also on ranks; what one gets
// does not depend on the others.
func TestPDFFolder(t *testing.T) {
	corpustest.FakePDFToText(t, "", "")
	files := map[string]string{"-a/-q.pdf": "%PDF-1.4\nthe engine of a car\n", "b c/new\nline.PDF": "%PDF-1.7\nthe oven of a baker\n", "b c/it's $(x) `y`.pdf": "%PDF-1.4\nsome engine\n",
		"b c/noname": "%PDF-1.4\nbread in the oven\n", "b c/packed.pdf.gz": gzipped("%PDF-1.4\nthe oven of a cook\n"), "b c/plain.txt": "bread of a cook\n", "-a/scan.pdf": "%PDF-1.4\n\f\f"}
	opt := ReadOptions{Text: TextOptions{MinDF: 1, StopWords: "none"}}
	for _, path := range packings(t, files) {
		c, err := Read(t.Context(), path, opt)
		if err != nil {
			t.Fatal(path, err)
		}
		checkInvariants(t, c)
		if c.Len() != 6 || !hasNote(c, "5 documents are PDFs, read by pdftotext 99.1.") || !hasNote(c, "scan.pdf is a PDF without text") {
			t.Errorf("%s: %q %q", path, c.IDs, c.Notes)
		}
		countTerms(t, path, c, map[string]float64{"engine": 2, "oven": 3, "bread": 2, "pdf": 0})
		parts, errs := togetherRead(context.Background(), 2, path, opt, nil)
		if err := errors.Join(errs...); err != nil {
			t.Fatal(path, err)
		}
		joined(t, parts, c)
	}
}

// Real PDFs in a folder are read by the program of poppler.
func TestRealPDFFolder(t *testing.T) {
	corpustest.NeedPDFToText(t)
	files := map[string]string{"cut.pdf": "%PDF-1.4\n", "scan.pdf": corpustest.PDF([]string{""}, []string{""})}
	for i := range 20 {
		files[fmt.Sprintf("%c/%d.pdf", 'a'+i%2, i)] = corpustest.PDF([]string{"the engine of a car", "and caf\xe9"}, []string{fmt.Sprintf("unique%dword", i)})
	}
	c := must.Get(Read(t.Context(), makeFolder(t, files), ReadOptions{Text: TextOptions{MinDF: 20}}))(t)
	if slices.Sort(c.Terms); c.Len() != 20 || !slices.Equal(c.Terms, []string{"café", "car", "engine"}) || !hasNote(c, "20 documents are PDFs") || !hasNote(c, "cut.pdf is a PDF that pdftotext does not read") {
		t.Errorf("%d documents, %q, %q", c.Len(), c.Terms, c.Notes)
	}
}

// A cancelled read of PDFs ends with the context's error.
func TestPDFFolderCancelled(t *testing.T) {
	corpustest.FakePDFToText(t, "", "exec sleep 600")
	files := make(map[string]string)
	for i := range 100 {
		files[fmt.Sprint(i)] = "%PDF-1.4\n"
	}
	ctx, cancel := context.WithCancel(t.Context())
	dir := makeFolder(t, files)
	go cancel()
	if _, err := Read(ctx, dir, ReadOptions{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// A PDF that asks for more than a document may have ends no folder unless any text of its length
// would.
func TestPDFTooLong(t *testing.T) {
	corpustest.FakePDFToText(t, "", "cat >/dev/null; yes words")
	files := map[string]string{"a.pdf": "%PDF-1.4\n", "b.txt": "some words", "c.txt": "more words"}
	c, err := Read(t.Context(), makeFolder(t, files), ReadOptions{MaxBytes: 1 << 30, Text: TextOptions{MinDF: 1}})
	if err != nil || c.Len() != 2 || !hasNote(c, "a.pdf is a PDF that prints more than 64 MB") {
		t.Error(c, err)
	}
	_, err = Read(t.Context(), makeFolder(t, files), ReadOptions{MaxBytes: 16 << 20})
	wantFault(t, err, "a.pdf", "is longer than")
}

// A stored corpus is of the program that read its PDFs: with none, or another version, they are
// read again. One without PDFs stays.
func TestStoredPDF(t *testing.T) {
	texts := makeFolder(t, map[string]string{"1": "some words", "2": "more words"})
	for _, pack := range []bool{false, true} {
		corpustest.NoPDFToText(t)
		pdfs := makeFolder(t, map[string]string{"1": "some words", "2": "more words", "3.pdf": "%PDF-1.4\nmany words\n"})
		if pack {
			pdfs = writeFile(t, t.TempDir(), "a.zip", zipped("1", "some words", "2", "more words", "3.pdf", "%PDF-1.4\nmany words\n"))
		}
		s := storetest.Open(t)
		ctx := store.With(context.Background(), s)
		pieces := func(path string, docs int) int {
			t.Helper()
			c, err := Read(ctx, path, ReadOptions{Text: TextOptions{MinDF: 1}})
			if err != nil || c.Len() != docs {
				t.Fatal(c, err)
			}
			return len(storetest.Files(t, s))
		}
		if before := pieces(pdfs, 2); pieces(pdfs, 2) != before {
			t.Error("the same files are another piece")
		}
		before := pieces(texts, 2)
		corpustest.FakePDFToText(t, "", "")
		if pieces(texts, 2) != before {
			t.Error("texts depend on pdftotext")
		}
		after := pieces(pdfs, 3)
		if after == before || pieces(pdfs, 3) != after {
			t.Error("with pdftotext there is no piece of its own")
		}
		corpustest.FakePDFToText(t, "pdftotext version 99.2\nPoppler", "")
		if pieces(pdfs, 3) == after {
			t.Error("another version takes the piece of the first")
		}
	}
}

// A single file is one text where the earlier documents were the files of a folder, whatever it is.
func TestOneTextAsInFolder(t *testing.T) {
	corpustest.FakePDFToText(t, "", "")
	words := "many pleasant words"
	for name, content := range map[string]string{
		"a.pdf": "%PDF-1.4\n" + words, "a.pdf.gz": gzipped("%PDF-1.4\n" + words), "noname": "%PDF-1.4\n" + words, "a.docx": wordFile("", words), "a.epub": bookFile(words), "a.rtf": `{\rtf1 ` + words + `}`,
		"a.fodt": flatFile("<t:p>" + words + "</t:p>"), "a.html": "<!DOCTYPE html>\n<html>\n<body>\n" + words + "</body></html>\n", "a.md": "# many\n\npleasant *words*\n", "a.txt": words, "b.txt": "many\npleasant\nwords\n", "c.txt": "many, pleasant words\n",
		"a.eml": "From: a@b\nSubject: many\n\npleasant words\n", "a.srt": "1\n00:00:01,000 --> 00:00:02,500\n" + words + "\n", "a.ipynb": `{"cells": [{"cell_type": "markdown", "source": ["many\n", "*pleasant* words"]}]}`,
		"a.zip": string(zipped("x/a.docx", wordFile("", words))), "b.zip": string(zipped("a.pdf", "%PDF-1.4\n"+words)),
	} {
		path := writeFile(t, t.TempDir(), name, []byte(content))
		opt := ReadOptions{Text: TextOptions{MinDF: 1}, UsualFormat: "folder"}
		c, err := Read(t.Context(), path, opt)
		if err != nil {
			t.Error(name, err)
			continue
		}
		others := slices.DeleteFunc(slices.Clone(c.Terms), func(term string) bool {
			return slices.Contains([]string{"mani", "many", "pleasant", "word", "words"}, term)
		})
		if want := UnpackedName(name); c.Len() != 1 || c.Format != "folder" || !slices.Contains(c.Terms, "pleasant") || len(others) > 0 || c.IDs[0] != want && !strings.HasSuffix(name, ".zip") {
			t.Errorf("%s: %q %q %s %q", name, c.IDs, c.Terms, c.Format, c.Notes)
		}
	}
	for name, content := range map[string]string{"a.csv": "id,text\n1,some words\n2,more words\n", "a.jsonl": "{\"text\": \"some words\"}\n{\"text\": \"more words\"}\n", "a.tar": string(tarred("x/1", "some words", "x/2", "more words"))} {
		c, err := Read(t.Context(), writeFile(t, t.TempDir(), name, []byte(content)), ReadOptions{Text: TextOptions{MinDF: 1}, UsualFormat: "folder"})
		if err != nil || c.Len() != 2 {
			t.Error(name, c, err)
		}
	}
	for name, content := range map[string]string{"a.pdf": "%PDF-1.4\n\f", "a.docx": wordFile(""), "a.odt": string(zipped("META-INF/manifest.xml", "x", "content.xml", "<x/>"))} {
		_, err := Read(t.Context(), writeFile(t, t.TempDir(), name, []byte(content)), ReadOptions{UsualFormat: "folder"})
		wantFault(t, err, name, "text")
	}
}
