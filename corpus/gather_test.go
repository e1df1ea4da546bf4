package corpus

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// said are n lines of words on a subject.
func said(n int, about string) (lines []string) {
	for i := range n {
		lines = append(lines, fmt.Sprintf("some %s words %s and more of them, %d", about, strings.Repeat("again ", i%5*(i%5)), i))
	}
	return lines
}

// coded are n rows without a header: a number of a class, a title and words on a subject.
func coded(n int, about string) (out string) {
	for i, text := range said(n, about) {
		out += fmt.Sprintf("%d,A title,\"%s\"\n", i%3+1, text)
	}
	return out
}

// verses are lines of which some go on in the next.
func verses(texts []string) (out string) {
	for i, text := range texts {
		text = strings.Join(strings.Fields(text)[:2+i%3*3], " ")
		if i%4 == 0 {
			text += ","
		}
		out += text + "\n"
	}
	return out
}

// numberedTexts is a table of ids and texts.
func numberedTexts(texts []string) string {
	out := "id,text\n"
	for i, text := range texts {
		out += fmt.Sprintf("%d,\"%s\"\n", i, text)
	}
	return out
}

// Files of many documents that are one corpus are read as such, in a folder and in an archive of
// it; folders and names of files are the classes where they are words. Others are what they were.
func TestGathered(t *testing.T) {
	cars, cakes := said(30, "cars"), said(30, "cakes")
	lines := func(list []string) string { return strings.Join(list, "\n") + "\n" }
	object := func(i int, name, text string) string {
		raw := must.Get(json.Marshal(map[string]any{name: text, "number": i}))(t)
		return string(raw)
	}
	objects := func(name string, texts []string) string {
		var list []string
		for i, text := range texts {
			list = append(list, object(i, name, text))
		}
		return "[" + strings.Join(list, ",\n ") + "]"
	}
	message := func(text string, more string) string {
		return `{"type": "message", "user": "U01", "ts": "1704272400.000100", "text": "` + text + `"` + more + `}`
	}
	join := message("<@U01> has joined the channel", `, "subtype": "channel_join"`)
	measures := func(first float64) string {
		out := "x;y;z\n"
		for i := range 20 {
			out += strings.ReplaceAll(fmt.Sprintf("%.2f;%.2f;%.2f\n", first+float64(i%5)/7, first-float64(i%3)/9, float64(i)/11), ".", ",")
		}
		return out
	}
	for name, c := range map[string]struct {
		files                  map[string]string
		documents, classes     int
		term, missing, refused string
	}{
		"tables by class":            {files: map[string]string{"spam.csv": numberedTexts(cars), "ham.csv": numberedTexts(cakes), "README.md": "About it."}, documents: 60, classes: 2, term: "cars"},
		"tables in folders":          {files: map[string]string{"p/1.tsv": "text\tn\n" + cars[0] + "\t1\n", "p/2.tsv": "text\tn\n" + cars[1] + "\t2\n", "q/1.tsv": "text\tn\n" + cakes[0] + "\t1\n"}, documents: 3, classes: 2},
		"tables of parts":            {files: map[string]string{"train.csv": numberedTexts(cars), "test.csv": numberedTexts(cakes)}, documents: 60},
		"tables with classes":        {files: map[string]string{"p.csv": "text,label\nsome words,u\nother words,v\n", "q.csv": "text,label\nsome words,w\n"}, documents: 3, classes: 3},
		"tables by year":             {files: map[string]string{"2023.csv": numberedTexts(cars), "2024.csv": numberedTexts(cakes)}, documents: 60},
		"tables of numbers":          {files: map[string]string{"walk.csv": measures(1), "run.csv": measures(5)}, documents: 40, classes: 2, term: "x"},
		"tables of other columns":    {files: map[string]string{"a.csv": numberedTexts(cars), "b.csv": "user,age\na,1\nb,2\n"}, refused: "a table in a folder of texts"},
		"tables called citations":    {files: map[string]string{"citations.csv": numberedTexts(cars), "notices.csv": numberedTexts(cakes), "LICENSE-data.txt": "Words."}, documents: 60, classes: 2},
		"tables of cities":           {files: map[string]string{"new_york.csv": numberedTexts(cars), "london.csv": numberedTexts(cakes)}, documents: 60, classes: 2},
		"tables of named parts":      {files: map[string]string{"news_train.csv": numberedTexts(cars), "news_test.csv": numberedTexts(cakes)}, documents: 60},
		"tables without a header":    {files: map[string]string{"train.csv": coded(30, "cars"), "test.csv": coded(30, "cakes")}, documents: 60, classes: 3, missing: "title"},
		"classes without a header":   {files: map[string]string{"p.csv": strings.ReplaceAll(coded(30, "cars"), "1,", "8,"), "q.csv": strings.ReplaceAll(coded(30, "cakes"), "1,", "8,")}, documents: 60, classes: 2},
		"verses":                     {files: map[string]string{"p.txt": verses(cars), "q.txt": verses(cakes)}, documents: 2},
		"lines by class":             {files: map[string]string{"pos.txt": lines(cars), "neg.txt": lines(cakes)}, documents: 60, classes: 2, term: "cakes"},
		"texts with blank lines":     {files: map[string]string{"pos.txt": strings.Join(cars, "\n\n"), "neg.txt": strings.Join(cakes, "\n\n")}, documents: 2},
		"texts of few lines":         {files: map[string]string{"pos.txt": lines(cars[:9]), "neg.txt": lines(cakes[:9])}, documents: 2},
		"wrapped texts":              {files: map[string]string{"pos.txt": strings.Repeat("a line of about the same length as others\n", 40), "neg.txt": strings.Repeat("one more line as long as those of the other\n", 40)}, documents: 2},
		"more texts":                 {files: map[string]string{"a.txt": lines(cars), "b.txt": lines(cakes), "c.txt": lines(cars), "d.txt": lines(cakes), "e.txt": lines(cars), "f.txt": lines(cakes)}, documents: 6},
		"lists of JSON":              {files: map[string]string{"pos.json": objects("review", cars), "neg.json": objects("review", cakes)}, documents: 60, classes: 2, term: "cars"},
		"one object in each":         {files: map[string]string{"a.json": object(1, "textContent", cars[0]), "b.json": object(2, "textContent", cars[1]), "c.json": object(3, "textContent", cakes[0])}, documents: 3, term: "cars"},
		"objects in folders":         {files: map[string]string{"p/a.json": object(1, "body", cars[0]), "p/b.json": object(2, "body", cars[1]), "q/c.json": object(3, "body", cakes[0])}, documents: 3, classes: 2},
		"JSON that is none":          {files: map[string]string{"p/a.json": "some words", "q/b.json": "some words"}, documents: 2, classes: 2},
		"a list in an object":        {files: map[string]string{"x/message_1.json": `{"participants": [{"name": "Ann"}], "messages": ` + objects("content", cars) + `, "title": "Ann"}`}, documents: 30},
		"channels of Slack":          {files: map[string]string{"users.json": `[{"id": "U01", "name": "ann"}]`, "general/2024-01-03.json": "[" + join + "," + message("", "") + "," + message("", `, "attachments": [{"fallback": "some words of a program"}]`) + "," + message("see &lt;b&gt; at <https://example.org|the long page>, <@U01>", "") + "]", "cars/2024-01-03.json": "[" + message(cars[0], "") + "]", "cars/2024-01-04.json": "[" + message(cars[1], "") + "]"}, documents: 4, classes: 2, term: "program", missing: "joined u01 lt https"},
		"a channel called data":      {files: map[string]string{"general/1.json": "[" + message(cars[0], "") + "]", "data-science/1.json": "[" + message(cakes[0], "") + "]"}, documents: 2, classes: 2},
		"JSON beside a small folder": {files: map[string]string{"reviews.json": objects("text", cars), "more/a.json": objects("text", cakes[:1])}, documents: 31},
		"JSON beside as many texts":  {files: map[string]string{"a.json": objects("text", cars), "b.txt": "some words", "c.txt": "other words"}, refused: "is JSON"},
		"objects of another kind":    {files: map[string]string{"p/a.json": `["some words"]`, "p/b.json": `["other words"]`}, refused: "is JSON"},
		"an object that is cut off":  {files: map[string]string{"p/a.json": `{"body": "some words"`, "p/b.json": object(1, "body", "more words")}, refused: "cut off"},
		"a list that holds a number": {files: map[string]string{"p/a.json": `[{"body": "some words"}, 7]`}, refused: "something else than objects"},
	} {
		var archive []string
		for path, content := range c.files {
			archive = append(archive, path, content)
		}
		for way, path := range map[string]string{"folder": makeFolder(t, c.files), "zip": writeFile(t, t.TempDir(), "a.zip", zipped(archive...))} {
			if way == "zip" && len(c.files) == 1 {
				continue
			}
			at := name + ", " + way
			got, err := Read(t.Context(), path, ReadOptions{Text: TextOptions{MinDF: 1}})
			if c.refused != "" {
				if err == nil || !strings.Contains(err.Error(), c.refused) {
					t.Errorf("%s: %v lacks %q", at, err, c.refused)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s: %v", at, err)
				continue
			}
			checkInvariants(t, got)
			terms := " " + strings.Join(got.Terms, " ") + " "
			if got.Len() != c.documents || len(got.ClassNames) != c.classes || c.term != "" && !strings.Contains(terms, " "+c.term+" ") {
				t.Errorf("%s: %d documents, classes %q, terms %q, notes %q", at, got.Len(), got.ClassNames, got.Terms, got.Notes)
			}
			for term := range strings.FieldsSeq(c.missing) {
				if strings.Contains(terms, " "+term+" ") {
					t.Errorf("%s: the term %s", at, term)
				}
			}
		}
	}
}

// Labels that are given, a column that is asked for and every file as one text go before what the
// names of files say; the columns beside the texts are read too.
func TestGatheredAsked(t *testing.T) {
	dir := makeFolder(t, map[string]string{"spam.csv": "text,size\nsome words,1\nmore words,2\n", "ham.csv": "text,size\nother words,3\n"})
	for want, opt := range map[string]ReadOptions{
		"1:ham 2:spam 3:spam":       {},
		"1: 2: 3:":                  {LabelColumn: "none"},
		"1:3 2:1 3:2":               {LabelColumn: "size"},
		"1:x 2:y 3:x":               {Labels: writeFile(t, t.TempDir(), "l.txt", []byte("x\ny\nx\n"))},
		"ham.csv:ham spam.csv:spam": {Format: "folder"},
	} {
		opt.Text.MinDF = 1
		c, err := Read(t.Context(), dir, opt)
		if opt.Format != "" {
			want = "ham.csv: spam.csv:"
		}
		if err != nil || classOf(c) != want {
			t.Errorf("%+v: %v, %v, want %s", opt, c, err, want)
		}
	}
	c := must.Get(Read(t.Context(), dir, ReadOptions{Text: TextOptions{MinDF: 1}}))(t)
	wantNote(t, c, "The classes are the names of the files")
	beside, _, err := c.ReadColumns(t.Context(), dir, ReadOptions{Text: TextOptions{MinDF: 1}}, nil, 1<<20)
	if err != nil || len(beside) == 0 || beside[0].Name != "size" {
		t.Errorf("%v, %v", beside, err)
	}
}

// An archive gives its files in the order of a folder. A note names a link to a folder.
func TestGatheredOrder(t *testing.T) {
	files := map[string]string{"a/x.csv": "text,n\nsome words,1\n", "a-b/x.csv": "text,n\nother words,2\n", "a.b/x.csv": "text,n\nmore words,3\n"}
	var archive []string
	for path, content := range files {
		archive = append(archive, path, content)
	}
	dir := makeFolder(t, files)
	opt := ReadOptions{Text: TextOptions{MinDF: 1}}
	for _, path := range []string{dir, writeFile(t, t.TempDir(), "a.zip", zipped(archive...))} {
		c, err := Read(t.Context(), path, opt)
		if want := "1:a 2:a-b 3:a.b"; err != nil || classOf(c) != want {
			t.Errorf("%s: %v, %v, want %s", path, c, err, want)
			continue
		}
		wantNote(t, c, "The classes are the names of the folders")
	}
	for i := range 20 {
		writeFile(t, dir, fmt.Sprintf("a/y%d.csv", i), []byte("text,n\nsome words,1\n"))
	}
	writeFile(t, dir, "words.txt", []byte("some words\n"))
	if c, err := Read(t.Context(), dir, opt); err != nil || c.Len() != 23 {
		t.Errorf("%v, %v", c, err)
	} else {
		wantNote(t, c, "1 file of another kind in the folder left out")
	}
	if err := os.Symlink(t.TempDir(), filepath.Join(dir, "link")); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	c := must.Get(Read(t.Context(), dir, opt))(t)
	wantNote(t, c, "1 name in the folder left out: links to folders")
}

// Ranks read what one process reads.
func TestGatheredByRanks(t *testing.T) {
	cars, cakes := said(40, "cars"), said(50, "cakes")
	objects := func(texts []string) string {
		return "[{\"text\": \"" + strings.Join(texts, "\"},\n{\"text\": \"") + "\"}]"
	}
	for name, files := range map[string]map[string]string{
		"tables": {"spam.csv": numberedTexts(cars), "ham.csv": numberedTexts(cakes)},
		"JSON":   {"spam.json": objects(cars), "ham.json": objects(cakes)},
		"lines":  {"spam.txt": strings.Join(cars, "\n"), "ham.txt": strings.Join(cakes, "\n")},
		"one":    {"README": "about", "all.csv": "text,class\n" + strings.Join(cars, ",spam\n") + ",spam\n" + strings.Join(cakes, ",ham\n") + ",ham\n"},
	} {
		var archive []string
		for path, content := range files {
			archive = append(archive, path, content)
		}
		for _, path := range []string{makeFolder(t, files), writeFile(t, t.TempDir(), "a.zip", zipped(archive...))} {
			opt := ReadOptions{Text: TextOptions{MinDF: 1}}
			whole := must.Get(Read(t.Context(), path, opt))(t)
			parts, errs := togetherRead(t.Context(), 3, path, opt, nil)
			if err := errors.Join(errs...); err != nil {
				t.Errorf("%s, %s: %v", name, path, err)
				continue
			}
			total := 0
			for r, c := range parts {
				if total += c.Len(); c.Documents() != whole.Len() || strings.Join(c.Terms, " ") != strings.Join(whole.Terms, " ") || strings.Join(c.ClassNames, " ") != "ham spam" || strings.Join(c.Notes, "\n") != strings.Join(whole.Notes, "\n") {
					t.Errorf("%s, %s, rank %d: %d documents, %q, %q; want %q", name, path, r, c.Documents(), c.ClassNames, c.Notes, whole.Notes)
				}
			}
			if total != whole.Len() {
				t.Errorf("%s, %s: %d documents of %d", name, path, total, whole.Len())
			}
		}
	}
}
