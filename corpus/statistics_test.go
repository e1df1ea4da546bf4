package corpus

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// statFile is a file that pyreadstat, pandas, haven, xlwt or LibreOffice wrote.
func statFile(t testing.TB, name string) string {
	folder := "statfile"
	if strings.HasSuffix(name, ".xls") {
		folder = "biff"
	}
	return string(must.Get(os.ReadFile(filepath.Join("internal", folder, "testdata", name)))(t))
}

// excelXMLOf is a spreadsheet of Excel 2003 in XML of sheets, names and rows in turn.
func excelXMLOf(sheets ...string) string {
	out := "<?xml version=\"1.0\"?>\r\n<?mso-application progid=\"Excel.Sheet\"?>\r\n" +
		`<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet" xmlns:x="urn:schemas-microsoft-com:office:excel">`
	for i := 0; i < len(sheets); i += 2 {
		out += `<Worksheet ss:Name="` + sheets[i] + `"><Table>` + sheets[i+1] + `</Table></Worksheet>`
	}
	return out + "</Workbook>"
}

// excelRow is a row of such a sheet: numbers, dates as 2024-01-31T00:00:00.000, and words.
func excelRow(cells ...string) string {
	out := "<Row>"
	for _, c := range cells {
		kind := "String"
		switch {
		case strings.HasSuffix(c, ".000"):
			kind = "DateTime"
		case strings.Trim(c, "0123456789.-") == "":
			kind = "Number"
		}
		out += `<Cell><Data ss:Type="` + kind + `">` + c + `</Data></Cell>`
	}
	return out + "</Row>"
}

// Tables of programs of statistics and old spreadsheets are read as what they mean.
func TestStatisticsKinds(t *testing.T) {
	region := ReadOptions{LabelColumn: "region"}
	sav, dta, xpt, xls := statFile(t, "codes.sav"), statFile(t, "stata118.dta"), statFile(t, "sas5.xpt"), statFile(t, "sheets.xls")
	table := statFile(t, "haven.sas7bdat")
	// A format of one of Excel's numbers of days with a code of its own, as gnumeric writes it.
	xlsOfFormat := strings.ReplaceAll(statFile(t, "biff5.xls"), "\xa4\x00\x0ayyyy-mm-dd", "\x32\x00\x0a#,##0.0000")
	xlsOfFormat = strings.ReplaceAll(xlsOfFormat, "\xe0\x00\x10\x00\x00\x00\xa4\x00", "\xe0\x00\x10\x00\x00\x00\x32\x00")
	plain := excelXMLOf("A", excelRow("name", "x", "z")+excelRow("p", "1", "2.5")+excelRow("q", "3", "-1"))
	rows := excelXMLOf("Front", excelRow("made for a test"), "Data", excelRow("id", "text", "day")+excelRow("1", "green house", "2024-01-31T00:00:00.000")+
		`<Row ss:Index="9"><Cell><Data ss:Type="Number">2</Data></Cell><Cell><ss:Data ss:Type="String" xmlns="http://www.w3.org/TR/REC-html40">red <B>fish</B></ss:Data><Comment><ss:Data>a remark</ss:Data></Comment></Cell></Row>`)
	checkKinds(t, []kind{
		{name: "a.sav", content: sav, opt: region, rows: 8, classes: 2, ids: true, note: "hold the labels: region, sex."},
		{name: "a.zsav", content: statFile(t, "zlib.zsav"), opt: region, rows: 8, classes: 2, ids: true, note: "score (0 not at all, 10 fully)"},
		{name: "a.dat", content: sav, opt: region, rows: 8, classes: 2, ids: true},
		{name: "a.sav.gz", content: gzipped(sav), opt: region, rows: 8, classes: 2, ids: true},
		{name: "a.zip", content: string(zipped("data/a.sav", sav)), opt: region, rows: 8, classes: 2, ids: true, note: "data/a.sav"},
		{name: "a.sav", content: sav, opt: ReadOptions{Format: "sav", TextColumn: []string{"answer"}, LabelColumn: "sex"}, rows: 8, classes: 2, ids: true},
		{name: "a.sav", content: dta, opt: ReadOptions{Format: "sav"}, refused: "is not a file of SPSS (.sav)"},
		{name: "a.dta", content: dta, opt: region, rows: 8, classes: 3, ids: true, note: "numbers too: age (99 no answer)"},
		{name: "a.dta", content: statFile(t, "kinds117big.dta"), opt: ReadOptions{LabelColumn: "kind", TextColumn: []string{"text"}, IDColumn: "of_long"}, rows: 8, classes: 2, ids: true},
		{name: "a.dta", content: "k\x02\x01\x00\x00", refused: "of a release before 8"},
		{name: "a.xpt", content: xpt, opt: region, rows: 8, classes: 3, ids: true},
		{name: "a.xpt", content: statFile(t, "sas8.xpt"), opt: ReadOptions{Var: "survey", LabelColumn: "region"}, rows: 8, classes: 3, ids: true},
		{name: "a.xpt", content: xpt, opt: ReadOptions{Var: "other"}, refused: "there is no data set other; ‹var› takes one of SURVEY"},
		{name: "a.sas7bdat", content: table, opt: region, rows: 8, classes: 2, ids: true},
		{name: "a.dat", content: gzipped(table), opt: ReadOptions{Format: "sas7bdat", LabelColumn: "region"}, rows: 8, classes: 2, ids: true},
		{name: "a.sas7bdat", content: table[:9000], refused: "cut off"},
		{name: "a.sas7bcat", content: strings.Repeat("\x00", 12) + "\xc2\xea\x81\x63", refused: "holds formats of SAS"},
		{name: "a.xls", content: xls, rows: 12, classes: 2, ids: true, note: "2 sheets with the same columns are read, Erste, Zweite, and not Notes"},
		{name: "a.xls", content: xls, opt: ReadOptions{Var: "Zweite"}, rows: 3, classes: 2, ids: true},
		{name: "a.bin", content: gzipped(xls), opt: ReadOptions{Format: "xls"}, rows: 12, classes: 2, ids: true},
		{name: "a.xls", content: xls, opt: ReadOptions{Var: "hidden"}, refused: "there is no sheet hidden"},
		{name: "a.xls", content: xls[:9000], refused: "cut off"},
		{name: "a.xls", content: xls[:4096], refused: "damaged"},
		{name: "a.doc", content: strings.ReplaceAll(xls, "W\x00o\x00r\x00k\x00b\x00o\x00o\x00k\x00", "W\x00o\x00r\x00d\x00D\x00o\x00c\x00u\x00"), refused: "is one document of Word or PowerPoint before 2007"},
		{name: "a.xls", content: xlsOfFormat, opt: ReadOptions{TextColumn: []string{"none"}}, rows: 3, cols: 2, classes: 2, terms: "x day", ids: true},
		{name: "a.xls", content: statFile(t, "formulas.xls"), rows: 60, cols: 4, ids: true, terms: "x y sum share"},
		{name: "a.zip", content: string(zipped("a.xls", xls)), rows: 12, classes: 2, ids: true},
		{name: "a.xml", content: plain, rows: 2, cols: 2, ids: true, terms: "x z"},
		{name: "a.xls", content: plain, opt: ReadOptions{Format: "xls"}, rows: 2, cols: 2, ids: true},
		{name: "a.xml", content: rows, rows: 2, ids: true, terms: "fish green house red", note: "The sheet Data is read, and not Front"},
		{name: "a.xml", content: strings.Replace(excelXMLOf("A", excelRow("name", "x")+excelRow("\xe9t\xe9", "1")+excelRow("q", "3")), `"1.0"`, `"1.0" encoding="windows-1252"`, 1), rows: 2, cols: 1, ids: true},
		{name: "a.xml", content: strings.Replace(excelXMLOf("A", excelRow("a", "x")+excelRow("1", "1"), "B", excelRow("b", "y")+excelRow("2", "2")), "</Table></Worksheet><Worksheet", "</Table><WorksheetOptions><Visible>SheetHidden</Visible></WorksheetOptions></Worksheet><Worksheet", 1),
			opt: ReadOptions{LabelColumn: "none", IDColumn: "none"}, rows: 1, cols: 2, terms: "b y"},
		{name: "a.xml", content: plain[:len(plain)-60], refused: "is damaged"},
		{name: "a.xml", content: strings.Replace(plain, "<Cell>", `<Cell ss:Index="20000">`, 1), refused: "beyond column 16384"},
	})
}

// Files of statistics with the same columns in a folder are one table, as other tables are, and one
// file among words on it is the corpus.
func TestStatisticsFolder(t *testing.T) {
	dir := makeFolder(t, map[string]string{"north/a.sav": statFile(t, "codes.sav"), "south/b.sav": statFile(t, "plain.sav")})
	c := must.Get(Read(t.Context(), dir, ReadOptions{Text: TextOptions{MinDF: 1}}))(t)
	if got := fmt.Sprint(c.Documents(), c.ClassNames); got != "16 [north south]" {
		t.Error(got)
	}
	dir = makeFolder(t, map[string]string{"a.xls": statFile(t, "sheets.xls"), "README.txt": "words on it"})
	c = must.Get(Read(t.Context(), dir, ReadOptions{Text: TextOptions{MinDF: 1}}))(t)
	if got := fmt.Sprint(c.Documents(), c.ClassNames); got != "12 [a b]" {
		t.Error(got)
	}
}

// A column that holds labels in one file of a folder and numbers in another holds numbers in both.
func TestStatisticsWaves(t *testing.T) {
	dir := makeFolder(t, map[string]string{"a.sav": statFile(t, "wave2.sav"), "b.sav": statFile(t, "wave1.sav")})
	c := must.Get(Read(t.Context(), dir, ReadOptions{LabelColumn: "none"}))(t)
	if got := fmt.Sprint(c.Documents(), c.Terms, c.X.At(1, 0), c.X.At(7, 0)); got != "12 [item z] 10 3" {
		t.Error(got)
	}
	if notes := strings.Join(c.Notes, "|"); !strings.Contains(notes, "Columns hold numbers in all tables, since in some of them too few values have labels: item.") {
		t.Error(notes)
	}
}

// The weights of SPSS's rows are no term.
func TestStatisticsWeights(t *testing.T) {
	data := []byte(statFile(t, "wave1.sav"))
	data[76] = 3 // the third column
	path := writeFile(t, t.TempDir(), "a.sav", data)
	c := must.Get(Read(t.Context(), path, ReadOptions{}))(t)
	if notes := strings.Join(c.Notes, "|"); fmt.Sprint(c.Terms) != "[item]" || !strings.Contains(notes, "The file weights its rows by z, which is no term") || strings.Contains(notes, "list of numbers") {
		t.Error(c.Terms, notes)
	}
}

// They are lists of labels, too.
func TestStatisticsLabels(t *testing.T) {
	for name, column := range map[string]string{"codes.sav": "region", "stata119.dta": "region", "sas8.xpt": "region", "sheets.xls": "class"} {
		path := writeFile(t, t.TempDir(), name, []byte(statFile(t, name)))
		l := must.Get(ReadLabeling(t.Context(), path, column))(t)
		want := map[string]string{"codes.sav": "p1 Öst", "stata119.dta": "p1 Öst", "sas8.xpt": "p1 2", "sheets.xls": "2 a"}[name]
		if got := l.IDs[1] + " " + l.Labels[1]; got != want {
			t.Errorf("%s: %s, not %s", name, got, want)
		}
	}
}

// FuzzOldSheets reads arbitrary bytes as an old spreadsheet.
func FuzzOldSheets(f *testing.F) {
	f.Add([]byte(statFile(f, "biff5.xls")))
	f.Add([]byte(excelXMLOf("A", excelRow("name", "x", "z")+excelRow("p", "1", "2.5")+excelRow("q", "3", "-1"))))
	f.Fuzz(func(t *testing.T, data []byte) {
		fuzzRead(t, data, "xls", ReadOptions{Text: TextOptions{MinDF: 1}})
	})
}
