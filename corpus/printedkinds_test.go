package corpus

import (
	"fmt"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// Tables as programs print them, and texts with their keys, are read as the tables that they are.
func TestPrintedKinds(t *testing.T) {
	mysql := strings.Join([]string{
		"+----+-------+-------------------------------+",
		"| id | topic | body                          |",
		"+----+-------+-------------------------------+",
		"| 1  | cars  | an engine \"turns\" the wheels  |",
		"| 2  | cakes | sugar | flour and more sugar  |",
		"| 3  | cakes | sugar in the dough            |",
		"+----+-------+-------------------------------+",
		"3 rows in set (0.00 sec)", ""}, "\n")
	psql := strings.Join([]string{
		" id | topic |            body             ",
		"----+-------+-----------------------------",
		"  1 | cars  | an engine turns the wheels",
		"  2 | cakes | sugar | flour and more sugar",
		"  3 | cakes | sugar in the dough",
		"(3 rows)", "", ""}, "\n")
	markdown := "| id | topic | body |\n|---:|:---:|---|\n| 1 | cars | an engine turns the wheels |\n| 2 | cakes | sugar \\| flour and more sugar |\n| 3 | cakes | sugar in the dough |\n"
	var labels, records strings.Builder
	for i := range 25 {
		fmt.Fprintf(&records, "\"k%d\": {\"title\": \"some words\", \"text\": \"of engine %d\"},\n", i, i)
		fmt.Fprintf(&labels, ",\n  \"key%d\": \"some words of engine %d\"", i, i)
	}
	checkKinds(t, []kind{
		{name: "a.txt", content: mysql, rows: 3, ids: true, note: "as a table as MySQL prints it"},
		{name: "a.out", content: strings.ReplaceAll(mysql, "\n", "\r\n"), rows: 3, ids: true},
		{name: "a.txt", content: strings.Replace(mysql, "the dough ", "the", 1) + "| 4 |\n", refused: "line 9: has not the 3 cells"},
		{name: "a.txt", content: psql, rows: 3, ids: true, note: "as psql prints it"},
		{name: "a.txt", content: strings.Replace(psql, "the wheels", "the       +\n    |       | wheels  ", 1), refused: "psql --csv"},
		{name: "a.md", content: markdown, rows: 3, ids: true, note: "a table of Markdown"},
		{name: "a.md", content: markdown + "\nWords below it.\n", refused: "a"},
		{name: "a.rst", content: "+----+----+\n| a  | b  |\n+----+----+\n| c  | d  |\n+----+----+\n| e  | f  |\n+----+----+\n", refused: "cannot be recognised"},
		{name: "a.gmt", content: "SET_A\thttp://a\tTP53\tBRCA1\tEGFR\nSET_B\t\tTP53\tKRAS\nSET_C\tnone\tKRAS\n", rows: 3, ids: true, note: "sets of genes"},
		{name: "a.properties", content: "a = some words\nb = of an engine\nc = the end\\", rows: 3, ids: true},
		{name: "a.properties", content: manyOf("key%d = some words of engine %[1]d\n") + "lost words\n", refused: "line 20001: has no = or :"},
		{name: "a.gmt", content: manyOf("SET%d\tnone\tTP53\tKRAS\n") + "SET\n", refused: "line 20001: has no tab"},
		{name: "a.properties", content: "# words\n! more\nmenu.open = Open the file\nmenu.long: The file is \\\n    written anew\nmenu\\ two=caf\\u00e9 of words\n\n", rows: 3, ids: true, note: "with their keys"},
		{name: "a.json", content: "{\n \"app\": {\"title\": \"Some engine\"" + labels.String() + "\n }\n}\n", rows: 26, ids: true, note: "one object of texts with their keys"},
		{name: "a.json", content: "{\n \"n\": 1, \"app\": {\"title\": \"Some engine\"" + labels.String() + "\n }\n}\n", refused: "several lines"},
		{name: "a.json", content: "{\n" + records.String() + "\"z\": {\"title\": \"z z\"}\n}\n", refused: "several lines"},
		{name: "a.tsv", content: "unit,geo\\TIME_PERIOD\t2000 \t2001 \nPC,AT\t11.8 e\t: \nPC,BE\t1.5 \t2 b\n", refused: "is a table of Eurostat"},
	})
}

// manyOf is 20,000 lines by a pattern of their number, more than the first look at a file takes.
func manyOf(line string) string {
	var out strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&out, line, i)
	}
	return out.String()
}

// What the lines of a file of properties hold is what Java reads in it.
func TestProperties(t *testing.T) {
	content := "a.b = one two\\nthree\nc\\:d: \\u00e9t\\u00e9 \\\\ \\\n   et \\ud83d\\ude00\nempty=\n"
	c := must.Get(corpusOf(t, "x.properties", content+strings.Repeat("# end\n", 3)))(t)
	if got := strings.Join(c.IDs, " "); got != "a.b c:d empty" {
		t.Errorf("ids %q", got)
	}
	if got := strings.Join(c.Snippets, "/"); !strings.HasPrefix(got, "one two three/été \\ et 😀/") {
		t.Errorf("texts %q", got)
	}
}

// corpusOf reads a file of the content with all words and the beginnings of texts.
func corpusOf(t *testing.T, name, content string) (*Corpus, error) {
	t.Helper()
	return Read(t.Context(), writeFile(t, t.TempDir(), name, []byte(content)), ReadOptions{Snippets: 60, Text: TextOptions{MinDF: 1, StopWords: "none", Language: "none"}})
}
