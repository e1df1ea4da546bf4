package corpus

import (
	"fmt"
	"strings"
	"testing"
)

// The names of files and folders are the classes of what they hold; parts of a corpus, such as
// train and test, are none, and the pieces that split wrote are none.
func TestGatheredClasses(t *testing.T) {
	lines := func(n int, what string) string { return strings.Join(said(n, what), "\n") + "\n" }
	jsonLines := func(n int, what, more string) (out string) {
		for _, text := range said(n, what) {
			out += fmt.Sprintf("{\"text\": %q%s}\n", text, more)
		}
		return out
	}
	even := func(what string) (out string) { // lines of 70 to 79 signs
		words := "a " + what + " of some kind that we saw or bought in one or another long old town near " + what
		for i := range 40 {
			out += words[:70+i*7%10] + "\n"
		}
		return out
	}
	cars, cakes := lines(30, "cars"), lines(30, "cakes")
	tables := [2]string{numberedTexts(said(30, "cars")), numberedTexts(said(30, "cakes"))}
	for name, c := range map[string]struct {
		files     map[string]string
		documents int
		classes   string
	}{
		"tables in parts":          {map[string]string{"train/pos.csv": tables[0], "train/neg.csv": tables[1], "test/pos.csv": tables[0], "test/neg.csv": tables[1]}, 120, "neg pos"},
		"folders in parts":         {map[string]string{"train/pos/a.csv": tables[0], "train/neg/b.csv": tables[1], "test/pos/c.csv": tables[0], "test/neg/d.csv": tables[1]}, 120, "neg pos"},
		"lines in parts":           {map[string]string{"train/pos.txt": cars, "train/neg.txt": cakes, "dev/pos.txt": cars, "dev/neg.txt": cakes, "test/pos.txt": cars, "test/neg.txt": cakes}, 180, "neg pos"},
		"JSON lines in parts":      {map[string]string{"train/pos.jsonl": jsonLines(30, "cars", ""), "train/neg.jsonl": jsonLines(30, "cakes", ""), "test/pos.jsonl": jsonLines(9, "cars", "")}, 69, "neg pos"},
		"parts in names":           {map[string]string{"pos_train.csv": tables[0], "neg_train.csv": tables[1], "pos_test.csv": tables[0], "neg_test.csv": tables[1]}, 120, "neg pos"},
		"files of no shared class": {map[string]string{"data/articles.csv": tables[0], "test/questions.csv": tables[1]}, 60, ""},
		"JSON lines by class":      {map[string]string{"spam.jsonl": jsonLines(30, "cars", ""), "ham.jsonl": jsonLines(30, "cakes", "")}, 60, "ham spam"},
		"JSON lines with classes":  {map[string]string{"spam.jsonl": jsonLines(3, "cars", `, "label": "u"`), "ham.jsonl": jsonLines(3, "cakes", `, "label": "v"`)}, 6, "u v"},
		"JSON lines of parts":      {map[string]string{"train.jsonl": jsonLines(30, "cars", ""), "test.jsonl": jsonLines(30, "cakes", "")}, 60, ""},
		"pieces of JSON lines":     {map[string]string{"corpus_aa.jsonl": jsonLines(30, "cars", ""), "corpus_ab.jsonl": jsonLines(30, "cakes", "")}, 60, ""},
		"pieces of tables":         {map[string]string{"xaa.csv": tables[0], "xab.csv": tables[1]}, 60, ""},
		"classes as extensions":    {map[string]string{"rt-polarity.pos": cars, "rt-polarity.neg": cakes, "README.txt": "About it."}, 60, "neg pos"},
		"classes within names":     {map[string]string{"plot.tok.gt9.5000": cars, "quote.tok.gt9.5000": cakes}, 60, "plot quote"},
		"lines of parts":           {map[string]string{"train.txt": cars, "test.txt": cakes}, 60, ""},
		"tables called texts":      {map[string]string{"train.txt": "u\t" + strings.ReplaceAll(cars[:len(cars)-1], "\n", "\nu\t"), "test.txt": "v\t" + strings.ReplaceAll(cakes[:len(cakes)-1], "\n", "\nv\t")}, 60, "u v"},
		"even lines":               {map[string]string{"pos.txt": even("cars"), "neg.txt": even("cakes")}, 80, "neg pos"},
		"a program":                {map[string]string{"main.c": cars, "main.h": cakes}, 2, ""},
	} {
		var archive []string
		for path, content := range c.files {
			archive = append(archive, path, content)
		}
		for _, path := range []string{makeFolder(t, c.files), writeFile(t, t.TempDir(), "a.zip", zipped(archive...))} {
			if strings.HasSuffix(path, ".zip") && strings.Contains(name, "JSON lines") && !strings.Contains(name, "by class") {
				continue // shards are in folders
			}
			got, err := Read(t.Context(), path, ReadOptions{Text: TextOptions{MinDF: 1}})
			if err != nil {
				t.Errorf("%s: %s: %v", name, path, err)
				continue
			}
			checkInvariants(t, got)
			if got.Len() != c.documents || strings.Join(got.ClassNames, " ") != c.classes {
				t.Errorf("%s: %d documents, classes %q, notes %q", name, got.Len(), got.ClassNames, got.Notes)
			}
		}
	}
}

// Where lines may be documents and are not taken so, a note says what to do.
func TestOneTextIsNoted(t *testing.T) {
	list := strings.Repeat("anna\nberta\nclara\ndora\n", 10)
	c, err := Read(t.Context(), makeFolder(t, map[string]string{"pos.txt": list, "neg.txt": strings.ToUpper(list)}), ReadOptions{Text: TextOptions{MinDF: 1}})
	if err != nil || c.Len() != 2 {
		t.Fatalf("%v, %v", c, err)
	}
	wantNote(t, c, "If each line is a text, join the files")
}

// Ranks read the classes of files of JSON lines as one process does.
func TestNamedLinesByRanks(t *testing.T) {
	files := map[string]string{}
	for _, class := range []string{"spam", "ham"} {
		for _, text := range said(30, class) {
			files[class+".jsonl"] += fmt.Sprintf("{\"text\": %q}\n", text)
		}
	}
	parts, errs := togetherRead(t.Context(), 3, makeFolder(t, files), ReadOptions{Text: TextOptions{MinDF: 1}}, nil)
	for r, c := range parts {
		if errs[r] != nil || c.Documents() != 60 || strings.Join(c.ClassNames, " ") != "ham spam" {
			t.Errorf("rank %d: %v, %v", r, c, errs[r])
		}
	}
}

// Such files are read in blocks too, with the same documents and classes.
func TestNamedLinesInBlocks(t *testing.T) {
	files := map[string]string{}
	for _, class := range []string{"spam", "ham"} {
		for _, text := range said(30, class) {
			files[class+".jsonl"] += fmt.Sprintf("{\"text\": %q}\n", text)
		}
	}
	dir := makeFolder(t, files)
	seen := 0
	all, err := Survey(t.Context(), dir, ReadOptions{Text: TextOptions{MinDF: 1}}, func(docs []Document) error {
		seen += len(docs)
		return nil
	})
	if err != nil || seen != 60 || all.Documents != 60 || strings.Join(all.ClassNames, " ") != "ham spam" {
		t.Errorf("%d documents, %v, %v", seen, all, err)
	}
	blocks, err := ReadBlocks(t.Context(), dir, ReadOptions{Text: TextOptions{MinDF: 1}}, func(string) error { return nil })
	if err != nil || blocks != nil {
		t.Errorf("%v, %v, want none: the files are read whole", blocks, err)
	}
}
