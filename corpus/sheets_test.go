package corpus

import (
	"errors"
	"fmt"
	"html"
	"strings"
	"testing"
)

// bookOf is a spreadsheet of sheets, each a name and its rows of words between bars; names that
// begin with a dot are hidden.
func bookOf(sheets ...string) string {
	const relation = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	list, links := "", ""
	var files []string
	for i := 0; i < len(sheets); i += 2 {
		name, state := sheets[i], ""
		if strings.HasPrefix(name, ".") {
			state = ` state="hidden"`
		}
		list += fmt.Sprintf(`<sheet name="%s"%s r:id="r%d"/>`, name, state, i)
		links += fmt.Sprintf(`<Relationship Id="r%d" Target="worksheets/s%d.xml"/>`, i, i)
		rows := ""
		for line := range strings.Lines(sheets[i+1]) {
			rows += "<row>"
			for cell := range strings.SplitSeq(strings.TrimSpace(line), "|") {
				rows += `<c t="inlineStr"><is><t>` + html.EscapeString(cell) + "</t></is></c>"
			}
			rows += "</row>"
		}
		files = append(files, fmt.Sprintf("xl/worksheets/s%d.xml", i), "<worksheet><sheetData>"+rows+"</sheetData></worksheet>")
	}
	return string(zipped(append(files, "xl/workbook.xml", `<workbook xmlns:r="`+relation+`"><sheets>`+list+`</sheets></workbook>`,
		"xl/_rels/workbook.xml.rels", "<Relationships>"+links+"</Relationships>")...))
}

// odsBook is a spreadsheet of OpenDocument with the sheets of bookOf.
func odsBook(sheets ...string) string {
	content := `<office:document-content xmlns:office="o" xmlns:table="t" xmlns:text="x"><office:body><office:spreadsheet>`
	for i := 0; i < len(sheets); i += 2 {
		content += `<table:table table:name="` + sheets[i] + `">`
		for line := range strings.Lines(sheets[i+1]) {
			content += "<table:table-row>"
			for cell := range strings.SplitSeq(strings.TrimSpace(line), "|") {
				content += `<table:table-cell office:value-type="string"><text:p>` + html.EscapeString(cell) + "</text:p></table:table-cell>"
			}
			content += "</table:table-row>"
		}
		content += "</table:table>"
	}
	return string(zipped("mimetype", "application/vnd.oasis.opendocument.spreadsheet", "content.xml", content+"</office:spreadsheet></office:body></office:document-content>"))
}

// Of several sheets those are read that hold the documents: all of one header, whose names may be
// the classes, else the one with texts or the most in it, else the one that is asked for.
func TestSheets(t *testing.T) {
	texts := func(n int, what string) string {
		return "Number|Comment\n" + strings.ReplaceAll(numberedLines(said(n, what)), "\t", "|")
	}
	numbers := func(n int) (out string) {
		out = "p|q\n"
		for i := range n {
			out += fmt.Sprintf("%d.5|%d.25\n", i, i%7)
		}
		return out
	}
	const about = "Comments on cakes\nCreated by|Ann\n"
	for name, c := range map[string]struct {
		sheets    []string
		opt       ReadOptions
		documents int
		classes   string
		note      string
	}{
		"by class":           {[]string{"Cars", texts(30, "cars"), "Cakes", texts(20, "cakes")}, ReadOptions{}, 50, "Cakes Cars", "2 sheets with the same columns are read, Cars, Cakes; ‹var›"},
		"classes unwanted":   {[]string{"Cars", texts(30, "cars"), "Cakes", texts(20, "cakes")}, ReadOptions{LabelColumn: "none"}, 50, "", "2 sheets"},
		"by year":            {[]string{"2023", texts(30, "cars"), "2024", texts(20, "cakes")}, ReadOptions{LabelColumn: "none"}, 50, "", "2 sheets"},
		"behind a title":     {[]string{"Read me", about, "Data", texts(30, "cars"), "Codes", "code|meaning\na|open\nb|closed\n"}, ReadOptions{}, 30, "", "The sheet Data is read, and not Read me, Codes"},
		"behind an empty":    {[]string{"Chart", "", "Data", texts(30, "cars")}, ReadOptions{}, 30, "", "and not Chart"},
		"behind a summary":   {[]string{"Sums", "p|q\n1|2\n", "Raw", numbers(60) + "1|2\n"}, ReadOptions{Var: "Raw"}, 61, "", ""},
		"numbers":            {[]string{"Sums", "group|n\na|30\nb|30\n", "Raw", numbers(60)}, ReadOptions{}, 60, "", "The sheet Raw is read"},
		"hidden":             {[]string{".lists", texts(90, "cakes"), "Data", texts(30, "cars")}, ReadOptions{}, 30, "", ""},
		"asked by name":      {[]string{"A", texts(30, "cars"), "B", texts(20, "cakes")}, ReadOptions{Var: "b"}, 20, "", ""},
		"asked by number":    {[]string{"A", texts(30, "cars"), "B", texts(20, "cakes")}, ReadOptions{Var: "1"}, 30, "", ""},
		"asked for another":  {[]string{"A", texts(30, "cars"), "B", texts(20, "cakes")}, ReadOptions{Var: "C"}, 0, "", "there is no sheet C; ‹var› takes one of A, B"},
		"the first is large": {[]string{"Data", texts(60, "cars"), "Other", "name|remark\nx|a remark of some words that is longer than others\ny|one more remark that has some words as well\n"}, ReadOptions{}, 60, "", "and not Other"},
	} {
		for kind, content := range map[string]string{"a.xlsx": bookOf(c.sheets...), "a.ods": odsBook(c.sheets...)} {
			if kind == "a.ods" && name == "hidden" {
				continue
			}
			opt := c.opt
			opt.Text.MinDF = 1
			got, err := Read(t.Context(), writeFile(t, t.TempDir(), kind, []byte(content)), opt)
			if c.documents == 0 {
				if fault := (*FormatError)(nil); !errors.As(err, &fault) || !strings.Contains(err.Error(), c.note) {
					t.Errorf("%s, %s: %v lacks %q", name, kind, err, c.note)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s, %s: %v", name, kind, err)
				continue
			}
			checkInvariants(t, got)
			if notes := strings.Join(got.Notes, "\n"); got.Len() != c.documents || strings.Join(got.ClassNames, " ") != c.classes || !strings.Contains(notes, c.note) || c.note == "" && strings.Contains(notes, "sheet") {
				t.Errorf("%s, %s: %d documents, classes %q, notes %q", name, kind, got.Len(), got.ClassNames, got.Notes)
			}
		}
	}
}

// numberedLines are lines of a number and a text.
func numberedLines(texts []string) (out string) {
	for i, text := range texts {
		out += fmt.Sprintf("%d\t%s\n", i+1, text)
	}
	return out
}

// The columns beside the texts of several sheets are those of all.
func TestSheetsBeside(t *testing.T) {
	path := writeFile(t, t.TempDir(), "a.xlsx", []byte(bookOf("2023", "text|size\nsome words|1\nmore words|2\n", "2024", "text|size\nother words|2\n")))
	opt := ReadOptions{LabelColumn: "none", Text: TextOptions{MinDF: 1}}
	c, err := Read(t.Context(), path, opt)
	if err != nil || c.Len() != 3 {
		t.Fatalf("%v, %v", c, err)
	}
	beside, _, err := c.ReadColumns(t.Context(), path, opt, nil, 1<<20)
	if err != nil || len(beside) != 1 || beside[0].Name != "size" {
		t.Errorf("%v, %v", beside, err)
	}
}
