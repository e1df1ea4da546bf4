package corpus

import (
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// Each reference of a search is a document of its title and abstract, and each message of a chat
// one of its text. References have columns, as the rows of a table do.
func TestKindEntries(t *testing.T) {
	ris := "TY  - JOUR\nTI  - Cats\nAB  - sleep long\nKW  - pets\nDO  - 7\nER  - \nTY  - JOUR\nTI  - Dogs\nAB  - bark loud\nKW  - guards\nDO  - 7\nER  - \n"
	chat := "26/01/2020, 4:19 pm - Ann created group\n26/01/2020, 4:20 pm - Ann: cats sleep\n26/01/2020, 4:21 pm - Bob: dogs bark\n26/01/2020, 4:22 pm - Ann: <Media omitted>\n"
	bib := "Written by a program\n\n@article{a, title={Cats}, abstract={sleep}}\n@article{b, title={Dogs}, abstract={bark}}\n"
	columns := func(names string) ReadOptions { return ReadOptions{TextColumn: strings.Split(names, ",")} }
	checkKinds(t, []kind{
		{name: "a.ris", content: ris, rows: 2, ids: true, terms: "bark cats dogs long loud sleep", note: "The file has 2 references (RIS): the texts are their titles and abstracts"},
		{name: "a.txt", content: "\ufeff" + strings.ReplaceAll(ris, "\n", "\r\n"), rows: 2, ids: true, terms: "bark cats dogs long loud sleep"},
		{name: "a.ris", content: ris, opt: columns("keywords"), rows: 2, ids: true, terms: "guards pets"},
		{name: "a.ris", content: ris, opt: columns("title,keywords"), rows: 2, ids: true, terms: "cats dogs guards pets"},
		{name: "a.ris", content: ris, opt: ReadOptions{LabelColumn: "type"}, rows: 2, ids: true, classes: 1},
		{name: "a.ris.gz", content: gzipped(ris), rows: 2, ids: true},
		{name: "a.ris", content: strings.ReplaceAll(ris, "sleep", "schl\xe4ft"), rows: 2, ids: true, terms: "bark cats dogs long loud schläft", note: "Windows-1252"},
		{name: "a.txt", content: "PMID- 12\nTI  - Cats\nAB  - sleep\n\nPMID- 13\nTI  - Dogs\n", rows: 2, ids: true, terms: "cats dogs sleep", note: "MEDLINE"},
		{name: "savedrecs.txt", content: "\ufeffFN Clarivate Analytics Web of Science\nVR 1.0\nPT J\nTI Cats\nUT W:1\nER\n\nPT J\nTI Dogs\nUT W:2\nER\n\nEF\n", rows: 2, ids: true, terms: "cats dogs"},
		{name: "a.bib", content: bib, rows: 2, ids: true, terms: "bark cats dogs sleep", note: "BibTeX"},
		{name: "a.txt", content: bib, opt: ReadOptions{Format: "references"}, refused: "is no file of references"},
		{name: "a.bib", content: bib + "@article{a, title={Cats}\n\n", refused: "line 5: the entry of BibTeX that begins here does not end"},
		{name: "a.bib", content: "% nothing\n", refused: "begins as references (BibTeX) do, and none of its entries has a text"},
		{name: "a.txt", content: "@anna{you} are great\nand so am I\n", refused: "give its format with ‹input-format›, such as lines"},
		{name: "a.txt", content: "A preface\nTY  - my love is gone\nand more\n", refused: "cannot be recognised"},
		{name: "a.ris", content: ris + "PMID- 12\nTI  - Birds\n", refused: "line 13: begins references (MEDLINE), in a file of references (RIS)"},
		{name: "a.ris", content: strings.TrimSuffix(ris, "ER  - \n") + "FN Clarivate Analytics Web of Science\nVR 1.0\nPT J\nTI Birds\nER\n", refused: "a.ris: line 12: begins references (Web of Science)"},
		{name: "a.nbib", content: "PMID- 12\nTI  - Birds\n\n" + ris, refused: "line 4: begins references (RIS), in a file of references (MEDLINE)"},
		{name: "a.ris", content: ris + "Written by hand\nand more\n", rows: 2, ids: true, note: "2 lines are outside of the entries and left out (first: line 13"},
		{name: "a.txt", content: chat, rows: 2, terms: "bark cats dogs sleep", note: "The file has 2 messages of WhatsApp"},
		{name: "a.txt", content: chat, rows: 2, note: "2 further entries are left out: they have no text of a person."},
		{name: "a.txt", content: chat, opt: ReadOptions{LabelColumn: "sender"}, rows: 2, classes: 2},
		{name: "a.txt", content: chat, opt: ReadOptions{Format: "lines"}, rows: 4},
		{name: "app.log", content: "one line\nanother line\n", rows: 2, note: "by its name a log"},
	})
}

// The page shows the columns beside the texts of references.
func TestEntriesColumns(t *testing.T) {
	path := writeFile(t, t.TempDir(), "a.ris", []byte("TY  - JOUR\nTI  - Cats\nPY  - 2019\nT2  - Pets\nER  - \nTY  - BOOK\nTI  - Dogs\nPY  - 2020\nER  - \n"))
	opt := ReadOptions{}
	opt.Text.MinDF = 1
	c := must.Get(Read(t.Context(), path, opt))(t)
	list, _, err := c.ReadColumns(t.Context(), path, opt, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, column := range list {
		found[column.Name] = true
	}
	if !found["year"] || !found["type"] || !found["journal"] {
		t.Errorf("columns %v", found)
	}
}

// What programs write for a missing text makes an empty document, words of people do not.
func TestKindMissingTexts(t *testing.T) {
	table := func(text string) string {
		return "id,text,more\n1,some words here,x\n2," + text + ",y\n3,more words here,x\n"
	}
	list := []kind{}
	for _, mark := range []string{"nan", "NaN", "NA", "NULL", "null", "<NA>", "#N/A", " nan "} {
		list = append(list, kind{name: "a.csv", content: table(mark), opt: ReadOptions{TextColumn: []string{"text"}, LabelColumn: "none"}, rows: 3, ids: true, note: "1 document has no text, which is null or missing (line 3, id 2)"})
	}
	checkKinds(t, append(list,
		kind{name: "a.csv", content: table("none"), rows: 3, ids: true, opt: ReadOptions{TextColumn: []string{"text"}, LabelColumn: "none"}, note: "1 document has no terms (row 2)"},
		kind{name: "a.csv", content: table("nan"), opt: ReadOptions{TextColumn: []string{"text", "more"}, IDColumn: "id"}, rows: 3, ids: true, note: "1 document has no terms (row 2)"},
		kind{name: "a.csv", content: "text,n\nnan,1\nnan,2\n", opt: ReadOptions{TextColumn: []string{"text"}}, refused: "the texts of all 2 documents are null or missing"},
	))
}

// Subtitles in a folder are texts of what is spoken.
func TestSubtitlesInFolder(t *testing.T) {
	dir := makeFolder(t, map[string]string{"a.srt": "1\n00:00:01,000 --> 00:00:02,500\nGood morning\n", "b.vtt": "WEBVTT\n\n00:01.000 --> 00:02.000\nGood evening\n"})
	opt := ReadOptions{}
	opt.Text.MinDF = 1
	c, err := Read(t.Context(), dir, opt)
	if err != nil || strings.Join(c.Terms, " ") != "evening good morning" {
		t.Fatalf("%v, %v", c, err)
	}
}

// Pictures beside texts are left out of a folder and of its archive; a folder of nothing else is
// refused by what they are.
func TestFolderWithPictures(t *testing.T) {
	files := map[string]string{"a/one.md": "some *words*", "a/plan.PNG": "\x89PNG\x00\x00", "b/two.txt": "more words", "b/font.woff2": "wOF2\x00"}
	opt := ReadOptions{}
	opt.Text.MinDF = 1
	c, err := Read(t.Context(), makeFolder(t, files), opt)
	if err != nil || c.Len() != 2 || !strings.Contains(strings.Join(c.Notes, " "), "2 files are left out, by their names pictures, sound, films or fonts (first: a/plan.PNG).") {
		t.Errorf("%v, %v", c, err)
	}
	packed := writeFile(t, t.TempDir(), "a.zip", zipped("a/one.md", "some words", "a/plan.png", "\x89PNG\x00\x00", "b/two.txt", "more words"))
	if c, err := Read(t.Context(), packed, opt); err != nil || c.Len() != 2 {
		t.Errorf("zip: %v, %v", c, err)
	}
	if _, err := Read(t.Context(), makeFolder(t, map[string]string{"a.png": "\x89PNG\x00\x00"}), opt); err == nil || !strings.Contains(err.Error(), "NUL") {
		t.Errorf("pictures alone: %v", err)
	}
}

// A table whose fields have quotes and no quotes around them is refused with a command that works.
func TestBareQuotes(t *testing.T) {
	path := writeFile(t, t.TempDir(), "a.csv", []byte("id,text\n1,some words here\n2,the \"good\" words here\n"))
	if _, err := Read(t.Context(), path, ReadOptions{}); err == nil || !strings.Contains(err.Error(), "line 3") || !strings.Contains(err.Error(), "csv.reader(sys.stdin, delimiter=','") {
		t.Errorf("%v", err)
	}
}
