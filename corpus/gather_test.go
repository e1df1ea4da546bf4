package corpus

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// said are n lines of words on a subject.
func said(n int, about string) (lines []string) {
	for i := range n {
		lines = append(lines, fmt.Sprintf("some %s words %s and more of them, %d", about, strings.Repeat("again ", i%5*(i%5)), i))
	}
	return lines
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
		raw, err := json.Marshal(map[string]any{name: text, "number": i})
		if err != nil {
			t.Fatal(err)
		}
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
			for _, term := range strings.Fields(c.missing) {
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
	c, err := Read(t.Context(), dir, ReadOptions{Text: TextOptions{MinDF: 1}})
	if err != nil {
		t.Fatal(err)
	}
	wantNote(t, c, "The classes are the names of the files")
	beside, _, err := c.ReadColumns(t.Context(), dir, ReadOptions{Text: TextOptions{MinDF: 1}}, nil, 1<<20)
	if err != nil || len(beside) == 0 || beside[0].Name != "size" {
		t.Errorf("%v, %v", beside, err)
	}
}
