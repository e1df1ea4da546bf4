package corpus

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// pageTableOf returns an HTML table of the rows. Bars separate the cells of a row.
func pageTableOf(rows ...string) string {
	out := "<table border=1>\n"
	for i, row := range rows {
		cell := "td"
		if i == 0 {
			cell = "th"
		}
		out += "<tr>"
		for c := range strings.SplitSeq(row, "|") {
			out += "<" + cell + ">" + c + "</" + cell + ">"
		}
		out += "</tr>\n"
	}
	return out + "</table>\n"
}

// excelPage is a page as programs write it for Excel.
func excelPage(body string) string {
	return `<html xmlns:x="urn:schemas-microsoft-com:office:excel" xmlns="http://www.w3.org/TR/REC-html40"><head><meta http-equiv=Content-Type content="text/html; charset=windows-1252"><style>td {color: red}</style></head><body>` + body + "</body></html>"
}

var (
	pageNumbers = pageTableOf("a|b|kind", "1|2|p", "3|4|q", "2|3|p")
	pageTexts   = pageTableOf("id|text|label", "1|<b>green</b> house<br>blue&nbsp;sky|x", "2|a <a href=u>red</a> fish|y", "3|old\n stone|x")
)

// Tables in HTML are tables, as programs write them with the name .xls or pages show them.
func TestKindPage(t *testing.T) {
	spans := `<table><tr><th rowspan=2>site</th><th colspan=2>size</th></tr><tr><th>low</th><th>high</th></tr>` +
		`<tr><td rowspan=2>oak</td><td>1</td><td>2</td></tr><tr><td>3</td><td>4</td></tr><tr><td>elm<td>5<td>6<tr><td rowspan=0>ash<td>7<td>8<tr><td>9<td>8</table>`
	shown := `<table><tr><td>a<td>b</tr><tr><td x:num="1234.5">1.234,50</td><td sdval="2.25">2,3</td></tr><tr><td x:num="45322">31.01.2024</td><td x:num>7</td></tr></table>`
	layout := "<table><tr><td>menu</td><td>" + pageNumbers + "</td></tr><tr><td>foot</td><td></td></tr></table>"
	long := strings.Repeat("many words of a page that tells of other things. ", 30)
	checkKinds(t, []kind{
		{name: "a.xls", content: excelPage(pageNumbers), rows: 3, cols: 2, classes: 2, terms: "a b", note: "The table 1 is read, of 4 rows and 3 columns."},
		{name: "a.html", content: "<!DOCTYPE html>\n<html><title>Numbers</title><body><h1>Numbers</h1>" + pageNumbers + "</body></html>", rows: 3, cols: 2, classes: 2},
		{name: "a", content: pageNumbers, rows: 3, cols: 2, classes: 2},
		{name: "a.xls", content: "<?xml version='1.0'?><!DOCTYPE html><html><body>" + pageNumbers + "</body></html>", rows: 3, cols: 2, classes: 2},
		{name: "a.xls", content: "<meta charset=utf-8><style>x</style>" + pageTexts, rows: 3, classes: 2, ids: true, terms: "blue fish green house old red sky stone"},
		{name: "a.xls", content: excelPage(pageTexts), rows: 3, classes: 2, ids: true, terms: "blue fish green house"},
		{name: "a.xls", content: excelPage(pageTableOf("id|text", "1|caf\xe9 noir", "2|th\xe9 vert")), rows: 2, ids: true, terms: "café noir thé vert"},
		{name: "a.xls", content: wideText("<html><body>"+pageTexts+"</body></html>", false), rows: 3, classes: 2, ids: true, terms: "blue fish green house"},
		{name: "a.html", content: pageNumbers, opt: ReadOptions{Format: "html"}, rows: 3, cols: 2, classes: 2},
		{name: "a.html", content: "<html><body>" + long + pageNumbers + "</body></html>", opt: ReadOptions{Format: "html"}, rows: 3, cols: 2, classes: 2},
		{name: "a.html", content: "<html><body>" + long + pageNumbers + "</body></html>", refused: "of 4 rows and 3 columns, holds less than half of its text: ‹input-format› html"},
		{name: "a.xls", content: excelPage(long + pageNumbers), rows: 3, cols: 2, classes: 2},
		{name: "a.html", content: "<html><body>" + layout + "</body></html>", rows: 3, cols: 2, classes: 2, note: "The table 2 is read, of 4 rows and 3 columns, and not 1; ‹var›"},
		{name: "a.xls", content: spans, opt: ReadOptions{LabelColumn: "none", IDColumn: "none"}, rows: 5, cols: 2, terms: "low high"},
		{name: "a.xls", content: shown, opt: ReadOptions{Missing: MissingMean, LabelColumn: "none", IDColumn: "none"}, rows: 2, cols: 1, terms: "b"},
		{name: "a.xls", content: pageTableOf("report|2024", "by|me") + pageTableOf("a|b", "1|2", "2|3", "4|5", "7|8", "9|9", "3|3", "1|1", "0|2"), rows: 8, cols: 2, note: "The table 2 is read"},
		{name: "a.xls", content: pageTableOf("a|b", "1|2", "2|3", "4|5") + pageTableOf("c|d", "1|2", "2|3"), refused: "several tables of like sizes, 1 (4×2) and 2 (3×2); ‹var› names"},
		{name: "a.xls", content: pageTableOf("a|b", "1|2", "2|3", "4|5") + pageTableOf("c|d", "1|2", "2|3"), opt: ReadOptions{Var: "2"}, rows: 2, cols: 2, terms: "c d"},
		{name: "a.xls", content: pageTableOf("a|b", "1|2", "2|3", "4|5"), opt: ReadOptions{Var: "9"}, refused: "there is no table 9"},
		{name: "a.xls", content: pageTableOf("a|b", "1|2", "2|3", "4|5") + pageTableOf("a|b", "6|2"), rows: 4, cols: 2, note: "2 tables with the same columns are read, 1, 2"},
		{name: "a.xls", content: strings.Replace(pageTableOf("a|b", "1|2", "2|3"), "<tr>", "<caption>Oaks</caption><tr>", 1) + strings.Replace(pageTableOf("a|b", "6|2", "7|1"), "<tr>", "<caption>Elms</caption><tr>", 1), rows: 4, cols: 2, classes: 2, note: "names of the tables"},
		{name: "a.html", content: "<!DOCTYPE html>\n<p>" + strings.Repeat("words of a page ", 20) + pageNumbers, refused: "; its table, of 4 rows and 3 columns, holds less than half"},
		{name: "a.xls", content: excelPage("<p>no data</p>"), refused: "without a table of two rows"},
		{name: "a.html", content: "<!DOCTYPE html>\n<html><body>words</body></html>\n", refused: "is one page of HTML; put it into a folder"},
		{name: "a.xls", content: pageTexts[:len(pageTexts)/2], refused: "ends inside a table, it was cut off"},
		{name: "a.md", content: "<div>\n" + pageNumbers + "</div>\nA text.\n", refused: "is one text"},
		{name: "a.xls", content: "<table><tr><td>a</td></tr><tr>" + strings.Repeat("<td>1", 17000) + "</table>", refused: "more than 16384 cells"},
		{name: "a.xls", content: "<table><tr><td>a<tr>" + strings.Repeat("<td colspan=1000>1", 17) + "</table>", refused: "beyond column 16384"},
		{name: "a.xls", content: "<table><tr>" + strings.Repeat("<td rowspan=0>1", 1000) + strings.Repeat("<tr><td>2", 3000) + "</table>", refused: "repeat many more values"},
		{name: "a.xls", content: strings.Repeat("<table><tr><td>", 200), refused: "tables inside one another"},
	})
}

// A cell that reaches over rows stands in each of them, and one that reaches over columns in the
// first.
func TestPageSpans(t *testing.T) {
	const page = `<table><tr><th>id<th>text<th>class<tr><td>1<td rowspan=2>green house<td>x<tr><td>2<td>y<tr><td>3<td colspan=2>red fish</table>`
	c := readNamed(t, "a.xls", page, ReadOptions{LabelColumn: "class", Text: TextOptions{MinDF: 1}})
	if got := fmt.Sprint(c.ClassNames, c.Labels, c.IDs); got != "[x y] [0 1 -1] [1 2 3]" {
		t.Error(got)
	}
	checkMatrix(t, c.X, [][]float64{{0, 1, 1, 0}, {0, 1, 1, 0}, {1, 0, 0, 1}})
}

// What a page does not show in a cell, such as a key to sort by, is left out up to the cell's end.
func TestPageHidden(t *testing.T) {
	const page = `<table><tr><th>a<th>b<tr><td><span style="color: red; Display:none">00<span>7</span></span>7<td><div hidden>x</div>.5<tr><td><span style=display:none>03<td>4<tr><td><b>2</b><td>1</table>`
	c := readNamed(t, "a.xls", page, ReadOptions{LabelColumn: "none", IDColumn: "none", Missing: MissingMean})
	checkMatrix(t, c.X, [][]float64{{7, .5}, {4.5, 4}, {2, 1}})
}

// Other columns of a page's table stand beside the documents, and new documents come as a page too.
func TestPageBeside(t *testing.T) {
	path := writeFile(t, t.TempDir(), "a.xls", []byte(pageTableOf("id|text|town", "1|green house|Ulm", "2|red fish|Bonn", "3|old stone|Ulm")))
	c := must.Get(Read(t.Context(), path, ReadOptions{Text: TextOptions{MinDF: 1}}))(t)
	list, _, err := c.ReadColumns(t.Context(), path, ReadOptions{}, []string{"town"}, 1<<20)
	must.Do(t, err)
	if len(list) != 1 || list[0].Name != "town" {
		t.Fatalf("%+v", list)
	}
	if guessed := GuessedColumns(t.Context(), path, ReadOptions{}); guessed.GuessedID != "id" || !slices.Equal(guessed.GuessedText, []string{"text"}) {
		t.Errorf("%+v", guessed)
	}
}

// FuzzPage reads arbitrary bytes as a page of HTML.
func FuzzPage(f *testing.F) {
	for _, seed := range []string{pageNumbers, pageTexts, excelPage(pageNumbers), "<table><tr><td rowspan=0>1<td colspan=3>2<tr><td>3</table>", "<table><caption>a<tr><td><table><tr><td>1<tr><td>2"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		fuzzRead(t, data, "html", ReadOptions{Text: TextOptions{MinDF: 1}})
	})
}
