package corpus

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"gonum.org/v1/gonum/mat"
)

// odsOf is a spreadsheet of OpenDocument with these rows of its first sheet.
func odsOf(rows string) string {
	content := `<?xml version="1.0" encoding="UTF-8"?><office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:calcext="urn:x"><office:body><office:spreadsheet>` +
		`<table:table table:name="First"><table:table-column table:number-columns-repeated="4"/>` + rows + `</table:table><table:table table:name="Second"><table:table-row><table:table-cell office:value-type="string"><text:p>other</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet></office:body></office:document-content>`
	return string(zipped("mimetype", "application/vnd.oasis.opendocument.spreadsheet", "content.xml", content, "META-INF/manifest.xml", "<x/>"))
}

// odsRow is a row of cells: numbers, or words.
func odsRow(repeated string, cells ...any) string {
	row := "<table:table-row" + repeated + ">"
	for _, c := range cells {
		switch c := c.(type) {
		case nil:
			row += "<table:table-cell/>"
		case float64, int:
			row += fmt.Sprintf(`<table:table-cell office:value-type="float" office:value="%v"><text:p>shown</text:p></table:table-cell>`, c)
		case string:
			if !strings.HasPrefix(c, "<") {
				c = `<table:table-cell office:value-type="string" calcext:value-type="string"><office:annotation><text:p>a comment</text:p></office:annotation><text:p>` + c + `</text:p></table:table-cell>`
			}
			row += c
		}
	}
	return row + "</table:table-row>"
}

// The first sheet of a spreadsheet of OpenDocument is a table, with repeated cells and rows.
func TestODS(t *testing.T) {
	const (
		tail    = `<table:table-cell table:number-columns-repeated="16000"/>`
		percent = `<table:table-cell office:value-type="percentage" office:value="0.125"><text:p>12.5%</text:p></table:table-cell>`
		twice   = `<table:table-cell table:number-columns-repeated="2" office:value-type="float" office:value="7"><text:p>7</text:p></table:table-cell>`
		failed  = `<table:table-cell office:value-type="string" office:string-value="" calcext:value-type="error"><text:p>#N/A</text:p></table:table-cell>`
		noon    = `<table:table-cell office:value-type="time" office:time-value="PT12H00M00S"><text:p>12:00</text:p></table:table-cell>`
	)
	rows := "<table:table-header-rows>" + odsRow("", "name", "x", "y", "z", tail) + "</table:table-header-rows>" +
		odsRow("", "a &amp; b", 1.5, percent, noon) + odsRow(` table:number-rows-repeated="900000"`, tail) + odsRow("", "c", failed, 2, 4) +
		odsRow("", "d", twice, 3) + odsRow(` table:number-rows-repeated="2"`, nil, 5, 6, 8) + odsRow(` table:number-rows-repeated="100000"`, tail)
	opt := ReadOptions{Missing: MissingMean, IDColumn: "none", LabelColumn: "none"}
	got := readNamed(t, "a.ods", odsOf(rows), opt)
	want := readNamed(t, "a.csv", "name,x,y,z\na & b,1.5,0.125,0.5\nc,,2,4\nd,7,7,3\n,5,6,8\n,5,6,8\n", opt)
	if !mat.Equal(got.X, want.X) || strings.Join(got.Terms, " ") != "x y z" || got.Format != "ods" {
		t.Errorf("format %s, terms %q, notes %q\n%v\nnot\n%v", got.Format, got.Terms, got.Notes, mat.Formatted(got.X), mat.Formatted(want.X))
	}
	wantNote(t, got, "The sheet First is read, and not Second")
}

// flatODSOf is a spreadsheet of OpenDocument in one file, as LibreOffice writes it, with a hidden
// sheet before the one with these rows.
func flatODSOf(rows string) string {
	return `<?xml version="1.0" encoding="UTF-8"?>
<office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:style="urn:s" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:t" xmlns:calcext="urn:x" office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.spreadsheet">
<office:automatic-styles><style:style style:name="ta1" style:family="table"><style:table-properties table:display="true"/></style:style><style:style style:name="ta2" style:family="table"><style:table-properties table:display="false"/></style:style></office:automatic-styles>
<office:body><office:spreadsheet><table:table table:name="Lists" table:style-name="ta2">` + odsRow("", "hidden", "words") + odsRow("", 8, 9) + odsRow("", 8, 9) + `</table:table><table:table table:name="Data" table:style-name="ta1">` + rows + `</table:table></office:spreadsheet></office:body></office:document>`
}

// packedGzip is a text that gzip packed.
func packedGzip(s string) string {
	var out bytes.Buffer
	z := gzip.NewWriter(&out)
	z.Write([]byte(s))
	z.Close()
	return out.String()
}

// A spreadsheet of OpenDocument in one file is read as one in an archive, without hidden sheets.
func TestKindFlatODS(t *testing.T) {
	table := odsRow("", "a", "b", "kind") + odsRow("", 1, 2, "p") + odsRow("", 3, 4, "q") + odsRow("", 2, 3, "p")
	texts := odsRow("", "id", "text") + odsRow("", 1, "green house") + odsRow("", 2, "a red fish")
	whole := flatODSOf(table)
	checkKinds(t, []kind{
		{name: "a.fods", content: whole, rows: 3, cols: 2, classes: 2, terms: "a b"},
		{name: "a.xml", content: whole, rows: 3, cols: 2, classes: 2, terms: "a b"},
		{name: "a.fods.gz", content: packedGzip(whole), rows: 3, cols: 2, classes: 2, terms: "a b"},
		{name: "a.fods", content: whole, opt: ReadOptions{Format: "ods"}, rows: 3, cols: 2, classes: 2},
		{name: "a.fods", content: whole, opt: ReadOptions{Format: "xlsx"}, refused: "is a spreadsheet (.ods)"},
		{name: "a.fods", content: flatODSOf(texts), rows: 2, ids: true, terms: "fish green house red"},
		{name: "a.fods", content: whole[:strings.Index(whole, ">q<")], refused: "is damaged; save it again"},
		{name: "a.fods", content: whole[:strings.Index(whole, "<table:table ")], refused: "has no sheet"},
		{name: "a.fods", content: "a,b\n1,2\n", refused: "is not a spreadsheet"},
		{name: "a.fods", content: flatODSOf(odsRow(` table:number-rows-repeated="2000000000"`, 1, 2)), refused: "more than 1048576 rows"},
		{name: "a.fods", content: flatODSOf(odsRow("", `<table:table-cell table:number-columns-repeated="2000000000" office:value-type="float" office:value="7"/>`)), refused: "beyond column 16384"},
	})
	l := must.Get(ReadLabeling(t.Context(), writeFile(t, t.TempDir(), "a.fods", []byte(flatODSOf(odsRow("", "id", "label")+odsRow("", "x", "p")+odsRow("", "y", "q")))), ""))(t)
	if strings.Join(l.IDs, " ") != "x y" || strings.Join(l.Labels, " ") != "p q" {
		t.Errorf("ids %q, labels %q", l.IDs, l.Labels)
	}
}

// A sheet that the program hides is not read.
func TestHiddenSheetOfODS(t *testing.T) {
	flat := flatODSOf(odsRow("", "a", "b") + odsRow("", 1, 2) + odsRow("", 3, 5))
	content := string(zipped("mimetype", "application/vnd.oasis.opendocument.spreadsheet", "content.xml", flat))
	if c := readNamed(t, "a.ods", content, ReadOptions{}); strings.Join(c.Terms, " ") != "a b" || strings.Contains(strings.Join(c.Notes, " "), "Lists") {
		t.Errorf("terms %q, notes %q", c.Terms, c.Notes)
	}
}

// Dates are dates, texts are texts with their paragraphs, and damage is named.
func TestKindODS(t *testing.T) {
	date := func(at string) string {
		return `<table:table-cell office:value-type="date" office:date-value="` + at + `"><text:p>shown</text:p></table:table-cell>`
	}
	truth := `<table:table-cell office:value-type="boolean" office:boolean-value="true"><text:p>TRUE</text:p></table:table-cell>`
	table := odsRow("", "a", "b", "kind") + odsRow("", 1, 2, "p") + odsRow("", 3, 4, "q") + odsRow("", 2, 3, "p")
	texts := odsRow("", "id", "text") + odsRow("", 1, "green<text:s text:c=\"2\"/>house</text:p><text:p>blue<text:line-break/>sky") + odsRow("", 2, "a red <text:span>fi</text:span>sh")
	checkKinds(t, []kind{
		{name: "a.ods", content: odsOf(table), rows: 3, cols: 2, classes: 2},
		{name: "a", content: odsOf(table), rows: 3, cols: 2, classes: 2},
		{name: "a.ods", content: odsOf(table), opt: ReadOptions{Format: "ods"}, rows: 3, cols: 2, classes: 2},
		{name: "a.ods", content: odsOf(table), opt: ReadOptions{Format: "xlsx"}, refused: "is a spreadsheet (.ods)"},
		{name: "a.ods", content: odsOf(texts), rows: 2, ids: true, terms: "blue fish green house red sky"},
		{name: "a.ods", content: odsOf(odsRow("", "when", "a", "b") + odsRow("", date("2024-01-31"), 1, 2) + odsRow("", date("2024-02-28T12:00:00"), 2, 3) + odsRow("", date("2024-01-31"), 2, 5)), rows: 3, cols: 2, note: "dates"},
		{name: "a.ods", content: odsOf(odsRow("", "t", "u", "a") + odsRow("", truth, truth, 2) + odsRow("", truth, truth, 3)), rows: 2, cols: 3},
		{name: "a.ods", content: odsOf(""), refused: "no rows"},
		{name: "a.ods", content: odsOf(odsRow(` table:number-rows-repeated="2000000000"`, 1, 2)), refused: "more than 1048576 rows"},
		{name: "a.ods", content: odsOf(odsRow(` table:number-rows-repeated="1048576"`, `<table:table-cell table:number-columns-repeated="16000" office:value-type="float" office:value="7"/>`)), refused: "repeats rows of more than 67108864 cells"},
		{name: "a.ods", content: odsOf(odsRow("", `<table:table-cell table:number-columns-repeated="2000000000" office:value-type="float" office:value="7"/>`)), refused: "beyond column 16384"},
		{name: "a.ods", content: string(zipped("mimetype", "application/vnd.oasis.opendocument.spreadsheet", "content.xml", "<a><table:table x='1'><table:table-row>")), refused: "damaged"},
		{name: "a.ods", content: string(zipped("mimetype", "application/vnd.oasis.opendocument.spreadsheet")), refused: "lacks its part content.xml"},
		{name: "a.ods", content: "a,b\n1,2\n", refused: "is not a spreadsheet"},
	})
}
