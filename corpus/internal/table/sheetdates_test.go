package table

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/internal/must"
)

// Formats of Excel that show a day, and such that do not.
func TestDateFormats(t *testing.T) {
	for code, want := range map[string]bool{
		"yyyy\\-mm\\-dd": true, "dd.mm.yyyy": true, "[$-409]d\\-mmm\\-yy;@": true, "m/d/yy h:mm": true,
		"General": false, "0.00": false, "#,##0 \"days\"": false, "[Red]0": false, "h:mm:ss": false, "0\\d": false, "": false,
	} {
		if isDateFormat(code) != want {
			t.Errorf("%q: %t", code, !want)
		}
	}
}

// Numbers that a sheet shows as dates are dates; others, and numbers that are no day, stay.
func TestSheetDates(t *testing.T) {
	for from1904, days := range map[string][2]string{
		"0": {"2024-01-31", "1900-01-01|60|1900-03-01|0"}, // number 60 is the 29th of February 1900, which never was
		"1": {"2028-02-01", "1904-01-02|1904-03-01|1904-03-02|1904-01-01"},
	} {
		day, early := days[0], days[1]
		var file bytes.Buffer
		z := zip.NewWriter(&file)
		for name, content := range map[string]string{
			"xl/workbook.xml":          `<workbook><workbookPr date1904="` + from1904 + `"/><sheets><sheet name="a"/></sheets></workbook>`,
			"xl/styles.xml":            `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy\-mm\-dd hh:mm"/></numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/></cellXfs></styleSheet>`,
			"xl/worksheets/sheet1.xml": `<worksheet><sheetData><row><c s="1"><v>45322</v></c><c s="2"><v>45322.5</v></c><c s="0"><v>45322</v></c><c s="1"><v>-3</v></c><c s="1" t="str"><v>soon</v></c><c s="9"><v>7</v></c><c s="1"><v>1</v></c><c s="1"><v>60</v></c><c s="1"><v>61</v></c><c s="1"><v>0</v></c></row><row><c><v>1</v></c></row></sheetData></worksheet>`,
		} {
			w, err := z.Create(name)
			if err == nil {
				_, err = io.WriteString(w, content)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		must.Do(t, z.Close())
		r := must.Get(zip.NewReader(bytes.NewReader(file.Bytes()), int64(file.Len())))(t)
		book := must.Get(OpenBook(input.NewFolder(context.Background(), "a.xlsx", input.Limits{}), r))(t)
		table, done, err := book.OpenFirst(Options{Header: "no"})
		if err != nil {
			t.Fatal(err)
		}
		rec, err := table.Next()
		if got, want := strings.Join(rec, "|"), day+"|"+day+" 12:00:00|45322|-3|soon|7|"+early; got != want || err != nil && !errors.Is(err, io.EOF) {
			t.Errorf("from 1904 %s: %s, not %s; %v", from1904, got, want, err)
		}
		done()
	}
}
