package corpus

import (
	"archive/zip"
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// sheetOf is a spreadsheet of one sheet with these rows of numbers.
func sheetOf(t *testing.T, rows ...string) string {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	part := func(name, content string) {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write([]byte(content))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	sheet := "<worksheet><sheetData>"
	for _, r := range rows {
		sheet += "<row>"
		for v := range strings.SplitSeq(r, ",") {
			sheet += "<c><v>" + v + "</v></c>"
		}
		sheet += "</row>"
	}
	part("[Content_Types].xml", `<Types/>`)
	part("xl/workbook.xml", `<workbook xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="a" sheetId="1" r:id="r1"/></sheets></workbook>`)
	part("xl/_rels/workbook.xml.rels", `<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/></Relationships>`)
	part("xl/worksheets/sheet1.xml", sheet+"</sheetData></worksheet>")
	must.Do(t, z.Close())
	return out.String()
}

// Whether the first row is a header is a guess that the user can settle, in every kind of table.
func TestHeaderAsked(t *testing.T) {
	yes, no, auto := ReadOptions{Header: "yes"}, ReadOptions{Header: "no"}, ReadOptions{Header: "auto"}
	years := "2001,2004,2008\n1.5,2,3\n4,5.5,6\n7,8,9.5\n"
	texts := "good words here,x\nmore words here,y\nother words here,x\nmore words again,y\n"
	for _, c := range []struct {
		name, content string
		opt           ReadOptions
		rows          int
		terms, note   string
	}{
		{"a.csv", years, ReadOptions{}, 4, "", "There is no header; ‹header› yes takes the first line for one."},
		{"a.csv", years, auto, 4, "", "There is no header"},
		{"a.csv", years, no, 4, "", ""},
		{"a.csv", years, yes, 3, "2001 2004 2008", ""},
		{"a.tsv", strings.ReplaceAll(years, ",", "\t"), yes, 3, "2001 2004 2008", ""},
		{"a.csv", strings.ReplaceAll(years, ",", " "), yes, 3, "2001 2004 2008", ""},
		{"a.xlsx", sheetOf(t, "2001,2004", "1.5,2", "3,4.5"), yes, 2, "2001 2004", ""},
		{"a.xlsx", sheetOf(t, "2001,2004", "1.5,2", "3,4.5"), ReadOptions{}, 3, "", "‹header› yes takes the first row"},
		{"a.csv", texts, ReadOptions{}, 4, "", "‹header› yes"},
		{"a.csv", texts, yes, 3, "", ""},
		{"a.csv", "text,kind\n" + texts, no, 5, "", ""},
		{"a.csv", "text,kind\n" + texts, ReadOptions{}, 4, "", "‹header› no"},
	} {
		c.opt.Text.MinDF = 1
		got := readNamed(t, c.name, c.content, c.opt)
		if got.Len() != c.rows || c.terms != "" && strings.Join(got.Terms, " ") != c.terms {
			t.Errorf("%q, %+v: %d rows, terms %q", c.content[:min(40, len(c.content))], c.opt.Header, got.Len(), got.Terms)
		}
		if c.note != "" {
			wantNote(t, got, c.note)
		} else if slices.ContainsFunc(got.Notes, func(n string) bool { return strings.Contains(n, "‹header›") }) {
			t.Errorf("what was asked for is called a guess: %q", got.Notes)
		}
	}
	wantFault(t, ReadOptions{Header: "maybe"}.Validate(), "yes, no or auto")
	_, err := readBytes([]byte("1,2\n"), "csv", yes)
	wantFault(t, err, "a header and no lines below")
}

// The first row whose first field alone is empty is the header of a table that names its rows, as R
// and pandas write it, also above words alone and above numbers that are names. A missing value in
// the first row is none.
func TestHeaderWithCorner(t *testing.T) {
	const header, data = "The first line is a header", "There is no header"
	for name, c := range map[string]struct {
		content string
		note    string
	}{
		"words alone":         {",month,use\n1,m1,u2\n2,m2,u1\n3,m1,u1\n", header},
		"quoted":              {"\"\",\"name\",\"party\"\n\"1\",\"Ford\",\"R\"\n\"2\",\"Nixon\",\"R\"\n\"3\",\"Carter\",\"D\"\n", header},
		"years above numbers": {",1940,1945,1950\nFood and Tobacco,22.2,44.5,59.6\nPersonal Care,1.04,1.98,2.45\n", header},
		"two scales":          {",142.2,144.8,147.3\n9.4,0,1,0\n9.5,0,2,1\n9.6,1,0,0\n", header},
		"a missing number":    {",5,3\n4,1,2\n8,7,6\n", data},
		"a missing name":      {",x,u2\nb,y,u1\nc,x,u1\n", data},
		"names twice":         {",u,v\nb,y,u1\nb,x,u1\n", data},
	} {
		opt := ReadOptions{Categories: true, LabelColumn: "none", Missing: MissingMedian}
		got := readNamed(t, "a.csv", c.content, opt)
		if !strings.HasPrefix(strings.Join(got.Notes, "\n"), c.note) {
			t.Errorf("%s: %q", name, got.Notes)
		}
	}
	_, err := readBytes([]byte("\"\",\"a\",\"b\"\n"), "csv", ReadOptions{})
	wantFault(t, err, "a header and no lines below")
}
