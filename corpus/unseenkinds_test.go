package corpus

import (
	"fmt"
	"strings"
	"testing"
)

// Rows that end with a separator, as Web of Science writes them, have no names before the header.
// Totals, means and remarks below a table of numbers are no rows, and numbers of classes in the
// first or last column of texts without a header are the classes.
func TestKindEndsOfTables(t *testing.T) {
	numbers := func(header, last string) string {
		out := header
		for i := range 20 {
			out += fmt.Sprintf("r%d,%d,%d\n", i, 10+i, 7*i%13)
		}
		return out + last // the sums are 390 and 108, the means 19.5 and 5.4
	}
	texts := func(row string, args ...func(i int) any) string {
		out := ""
		for i := range 40 {
			var list []any
			for _, arg := range args {
				list = append(list, arg(i))
			}
			out += fmt.Sprintf(row, list...)
		}
		return out
	}
	words := func(i int) any {
		return fmt.Sprintf("some words of %s that follow one another in row %d", []string{"cars", "cakes"}[i%2], i)
	}
	code := func(i int) any { return i%4 + 1 }
	number := func(i int) any { return i * 7 % 11 }
	const head = "name,x,z\n"
	animals := texts("n%d\t%d\t%d\t%s\n", func(i int) any { return i }, number, code, func(i int) any { return []string{"bird", "fish"}[i%2] })
	checkKinds(t, []kind{
		{name: "a.tsv", content: "PT\tTI\tAB\n" + texts("J\tA title\t%s\t\n", words), rows: 40, note: "column 3 (AB)"},
		{name: "a.csv", content: "x,z,w\n1,2,4,\n3,5,4,\n2,2,7,\n", rows: 3, cols: 3, terms: "x z w"},
		{name: "a.csv", content: numbers(head, ""), rows: 20, cols: 2, ids: true},
		{name: "a.csv", content: numbers(head, "Total,390,108\n"), rows: 20, cols: 2, ids: true, note: `The last line (line 22, "Total") left out`},
		{name: "a.csv", content: numbers(head, "Summe:,390,108\nDurchschnitt,19.5,5.4\n"), rows: 20, cols: 2, ids: true, note: `The last 2 lines (from line 22, "Summe:") left out`},
		{name: "a.csv", content: numbers(head, "Total,390,108\n\nSource: a survey\n* provisional\n"), rows: 20, cols: 2, ids: true, note: "2 lines below the table"},
		{name: "a.csv", content: numbers(head, "Source: a survey,,\n"), rows: 20, cols: 2, ids: true, note: "1 line below the table"},
		{name: "a.csv", content: numbers("A table,,\n"+head, "Total,390,108\n"), rows: 20, cols: 2, ids: true},
		{name: "a.csv", content: numbers(head, "Total,391,1\n"), rows: 21, cols: 2, ids: true},
		{name: "a.csv", content: numbers(head, "Togo,390,108\n"), rows: 21, cols: 2, ids: true, note: "The last row is the sum"},
		// Titles and what a report says of itself stand above the header.
		{name: "a.csv", content: "\"Data Source\",\"Indicators\",\n\n\"Updated\",\"2024-03-28\",\n\n" + regions(",,,"), rows: 12, cols: 2, ids: true, note: "2 lines above the header, of a title or remarks, passed over (first: Data Source Indicators)"},
		{name: "a.csv", content: "Report of regions\n\"January 1, 2024\"\n" + regions(",,"), rows: 12, cols: 2, ids: true, note: "2 lines above the header"},
		{name: "a.tsv", content: "#1.2\n12\t2\n" + strings.ReplaceAll(regions(",,"), ",", "\t"), rows: 12, cols: 2, ids: true, note: "1 line above the header"},
		{name: "a.csv", content: "text\n" + strings.Repeat("red,green,blue,black,white\n", 9), refused: "fields where the first line has 1"},
		{name: "a.csv", content: "units,n\n" + strings.Repeat("5,\\N\n7,3\n", 8), opt: ReadOptions{Missing: MissingMean}, rows: 16, cols: 2, note: "8 missing cells"},
		{name: "a.csv", content: regions("") + "Total: all regions,158,990\n", rows: 12, cols: 2, ids: true, note: "The last line"},
		{name: "a.csv", content: groupSums("Subtotal ", "", ""), rows: 12, cols: 2, ids: true, note: "5 lines (first: line 5, \"Subtotal North\") left out: by names and numbers the sums of those above; other names"},
		{name: "a.csv", content: groupSums("Total ", ",,\n", "%s,,\n"), rows: 12, cols: 2, ids: true, note: "with 8 lines without a number"},
		{name: "a.csv", content: strings.Replace(groupSums("Total ", "", ""), "South1,", "Total Care,3,4\nSouth1,", 1), rows: 18, cols: 2, ids: true},
		// Texts that begin with such a word, and numbers that add up by chance, are documents.
		{name: "a.csv", content: "text,label\nI like it very much,0\nIt broke after a day,1\nWorks as they said,0\nTotal disappointment for all of us,1\nGreat value for money,0\nBad smell in the box,1\nFine gift for children,0\ntotal rubbish so avoid it,1\na nice and warm jacket,0\n", rows: 9, classes: 2},
		{name: "a.csv", content: "review,stars\nIt is a bad one,1\nIt is a poor one,1\nTotal waste of my time,2\nA nice place to be,3\nA poor place to be,1\nTotal joy for the family,4\nA fine place to be,4\n", opt: ReadOptions{TextColumn: []string{"review"}}, rows: 7},
		{name: "a.csv", content: "film,x,y,z\na,1,0,0\nb,0,1,0\ntotal recall,1,1,0\nc,0,0,1\nd,1,0,0\ntotal eclipse,1,0,1\ne,1,1,1\n", rows: 7, cols: 3, ids: true},
		{name: "a.csv", content: "kind,x,y\n" + texts("%s,%d,%.1f\n", func(i int) any { return []string{"total", "part"}[i%2] }, code, func(i int) any { return 1.5 * float64(i) }) + "total,100,1170\n", rows: 41, cols: 2, classes: 2},
		{name: "a.csv", content: "size,x,y,z\n" + texts("%s,1,2,%d\n", func(i int) any { return []string{"small", "large"}[i%2] }, number) + "average,1,2,9\n", rows: 41, cols: 3},
		{name: "a.csv", content: "name,x,y,z\n" + texts("r%d,%d,0,0\n", func(i int) any { return i }, code) + "Total,100,0,0\n", rows: 40, cols: 3, ids: true, note: `"Total") left out`},
		{name: "a.log", content: strings.Repeat("2001:db8::1 gets some words 2001:db8::2\n", 4), rows: 4},
		{name: "a.csv", content: numbers(head, "Togo,,\n"), refused: "2 cells are missing"},
		{name: "a.tab", content: "name\tlegs\tsize\ttype\nstring\tcontinuous\tdiscrete\tdiscrete\nmeta\t\t\tclass\n" + animals, rows: 40, cols: 2, classes: 2, ids: true, note: "in which Orange says"},
		{name: "a.csv", content: texts("%d,A title,%s\n", code, words), rows: 40, classes: 4, note: "The classes are column 1"},
		{name: "a.csv", content: texts("%s,A title,%d\n", words, code), rows: 40, classes: 4, note: "The classes are column 3"},
		{name: "a.csv", content: texts("%d,A title,%s\n", number, func(i int) any { return strings.Repeat(words(i).(string)+" ", 2) }), rows: 40, classes: 0},
	})
}

// Pictures in Parquet are no classes of the texts beside them.
func TestParquetPictures(t *testing.T) {
	var pictures, captions []any
	for i := range 20 {
		pictures, captions = append(pictures, "\x89PNG\r\n\x00\x01"), append(captions, fmt.Sprintf("some words on picture %d", i%7))
	}
	data := pqFile(t, 20, []pqColumn{pqStrings("picture", pictures...), pqStrings("caption", captions...)})
	c, err := Read(t.Context(), writeFile(t, t.TempDir(), "a.parquet", data), ReadOptions{Text: TextOptions{MinDF: 1}})
	if err != nil || c.Len() != 20 || c.Labels != nil {
		t.Errorf("%v, %v", c, err)
	}
}

// A text whose UTF-8 was written in UTF-8 once more is read as it was meant, and as it is in an
// encoding that is asked for.
func TestTextsEncodedTwice(t *testing.T) {
	content := `{"text": "Voil\u00c3\u00a0 caf\u00c3\u00a9"}` + "\n" + `{"text": "Voilà, ça va"}` + "\n"
	path := writeFile(t, t.TempDir(), "a.jsonl", []byte(content))
	plain := TextOptions{MinDF: 1, Language: "none", StopWords: "none"}
	c, err := Read(t.Context(), path, ReadOptions{Text: plain})
	if err != nil || strings.Join(c.Terms, " ") != "café va voilà ça" {
		t.Fatalf("%v, %v", c, err)
	}
	wantNote(t, c, "1 text was written in UTF-8 twice")
}

// Files that are not read name a command that makes one that is.
func TestKindMoreWaysOut(t *testing.T) {
	long := strings.Repeat("\"some words of a text\", ", 30) + "\"the last one\""
	record := "product/id: B00%d\nreview/text: some long words of it\n\n"
	residues := "ACGTACGTACGTACGTACGT\n"
	checkKinds(t, []kind{
		{name: "a.index", content: "IxFI\x40\x00\x00\x00\x00", refused: "faiss.read_index"},
		{name: "a.warc", content: "WARC/1.0\r\nWARC-Type: warcinfo\r\n\r\n", refused: "warcio"},
		{name: "a.txt", content: "commit " + strings.Repeat("0a", 20) + "\nAuthor: A <a@x.org>\n\n    Words\n", refused: "git log --format"},
		{name: "a.fasta", content: strings.Repeat(">p1 a protein\n"+residues, 4), refused: "sequences in FASTA"},
		{name: "a.fastq", content: strings.Repeat("@p1\n"+residues+"+\n"+strings.Repeat("I", 20)+"\n", 3), refused: "sequences in FASTQ"},
		{name: "a.txt", content: strings.Repeat("A book (An author)\r\n- page 3\r\n\r\nsome words\r\n==========\r\n", 4), refused: "lines of =========="},
		{name: "a.txt", content: strings.Repeat("A title of a part\n=================\nsome words\nof it\n\n", 4), refused: "format cannot be recognised"},
		{name: "a.dat", content: strings.Repeat("1::A film (1999)::Drama|War\n", 4), refused: "sed 's/::/\\t/g'"},
		{name: "a.txt", content: fmt.Sprintf(record, 1) + fmt.Sprintf(record, 2) + fmt.Sprintf(record, 3), refused: "sed -n 's|^review/text: *||p' FILE"},
		{name: "a.json", content: `{"spam": [` + long + `], "ham": ["other words of it"]}`, refused: "{label: $k, text: .}"},
		{name: "a.json", content: `{"text": {"0": "some words", "1": "more words"}, "label": {"0": "p", "1": "q"}}`, refused: "map_values(.[$i])"},
		{name: "a.json", content: `{"columns": ["text"], "data": [["some words"], ["more"]]}`, refused: "transpose"},
		{name: "a.json", content: `{"k1": {"title": "a", "body": "some words"}, "k2": {"title": "b", "body": "words"}, "k3": {"title": "c", "body": "words"}}`, refused: "{id: .key} + .value"},
		{name: "a.jsonl", content: "[0.5, 1.5]\n[2.5, 3.5]\n", refused: "@csv"},
		{name: "a.json", content: `{"data": [{"index": 0, "embedding": [0.5, 1.5, 2.5]}]}`, refused: `.["embedding"]? // empty | @csv`},
		{name: "a.vtt", content: "WEBVTT\n\n1\n00:00.000 --> 00:09.000\n<v Ann>Words\n", refused: "sed -E"},
	})
}

// groupSums is a table of four groups of three rows, each with its sum below, and the sum of all.
func groupSums(name, below, above string) string {
	out := "region,units,cost\n"
	var all [2]int
	for g, group := range []string{"North", "South", "East", "West"} {
		var sum [2]int
		if above != "" {
			out += fmt.Sprintf(above, group)
		}
		for i := range 3 {
			x, y := 7*g+i*i+1, 90-5*i*g
			out += fmt.Sprintf("%s%d,%d,%d\n", group, i, x, y)
			sum[0], sum[1] = sum[0]+x, sum[1]+y
		}
		out += fmt.Sprintf("%s%s,%d,%d\n%s", name, group, sum[0], sum[1], below)
		all[0], all[1] = all[0]+sum[0], all[1]+sum[1]
	}
	return out + fmt.Sprintf("Grand Total,%d,%d\n", all[0], all[1])
}

// regions is groupSums without its sums, and with empty columns between the first and the others.
func regions(between string) (out string) {
	for line := range strings.Lines(groupSums("Total ", "", "")) {
		if name, rest, _ := strings.Cut(line, ","); !strings.Contains(name, "Total") {
			out += name + between + "," + rest
		}
	}
	return out
}
