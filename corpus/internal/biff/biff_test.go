package biff

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/internal/must"
)

func file(t testing.TB, name string) []byte {
	return must.Get(os.ReadFile(filepath.Join("testdata", name)))(t)
}

func open(data []byte) (*Book, error) {
	in, err := input.New(context.Background(), "f", bytes.NewReader(data), int64(len(data)), input.Limits{MaxBytes: 64 << 20})
	if err != nil {
		return nil, err
	}
	return Open(in)
}

// rows are the cells of a sheet, each with its column.
func rows(b *Book, i int) (list []string, err error) {
	r, err := b.Rows(i)
	if err != nil {
		return nil, err
	}
	for {
		cells, err := r.Next()
		if err == io.EOF {
			return list, nil
		}
		if err != nil {
			return nil, err
		}
		var row []string
		for _, c := range cells {
			value := c.Text
			if c.Style >= 0 {
				value = fmt.Sprintf("%.10g", c.Number)
			}
			row = append(row, fmt.Sprint(c.Column, "=", value))
		}
		list = append(list, strings.Join(row, "|"))
	}
}

// The sheets of xlwt have their texts, also one that other records continue, numbers, and truth.
func TestSheets(t *testing.T) {
	b := must.Get(open(file(t, "sheets.xls")))(t)
	if got := fmt.Sprint(b.Sheets[0].Name, b.Sheets[1].Hidden, b.Sheets[2].Name, b.Sheets[2].Hidden, len(b.Sheets)); got != "ErstetrueZweitefalse 4" {
		t.Error(got)
	}
	got := must.Get(rows(b, 0))(t)
	want := []string{"0=id|1=text|2=score|3=day|4=seen|5=ok|6=class",
		"0=1|1=école à l'est 1 école à l'est|2=2.5|3=45292|4=45292.54522|5=false|6=b",
		"0=2|1=больница 2 больница|2=-3|3=45293|4=45292.58689|5=true|6=a",
		"0=3|1=nurse 3 nurse|2=1e-09|3=45294|4=45292.62855|5=false|6=b",
		"0=4|1=école à l'est 4 " + strings.Repeat("école à l'est", 700) + "|2=123456789.2|3=45295|4=45292.67022|5=true|6=a"}
	for i, w := range want {
		if got[i] != w {
			t.Errorf("row %d is %.200q, not %.200q", i, got[i], w)
		}
	}
	if len(got) != 10 {
		t.Errorf("%d rows", len(got))
	}
	if notes := must.Get(rows(b, 3))(t); fmt.Sprint(notes) != "[0=plain bold]" {
		t.Error(notes)
	}
}

// BIFF5 has texts of its code page, hundredths, and results of formulas; an error is no value.
func TestOldVersion(t *testing.T) {
	b := must.Get(open(file(t, "biff5.xls")))(t)
	got := strings.Join(must.Get(rows(b, 0))(t), "; ")
	if got != "0=name|1=x|2=day|3=sum; 0=имя|1=1.5|2=45000|3=2.25; 0=b|1=1.51|2=45001|3=text; 0=c|1=1.52|2=45002" {
		t.Error(got)
	}
	if b.Formats[1].Code != "yyyy-mm-dd" {
		t.Error(b.Formats)
	}
}

// Results of formulas, as LibreOffice 7.4 stores them.
func TestFormulas(t *testing.T) {
	b := must.Get(open(file(t, "formulas.xls")))(t)
	got := must.Get(rows(b, 0))(t)
	if got[2] != "0=n1 ü|1=1.5|2=1|3=2.5|4=n1 ü x|5=false|7=36526|8=0.01" {
		t.Errorf("%q", got[2])
	}
}

// A spreadsheet with a password, one that was cut off, and other documents are refused.
func TestRefused(t *testing.T) {
	data := file(t, "biff5.xls")
	page := bytes.Replace(data, []byte{0x42, 0, 2, 0}, []byte{0x2f, 0, 2, 0}, 1)
	if _, err := open(page); err == nil || !strings.Contains(err.Error(), "with a password") {
		t.Error(err)
	}
	wide := func(name string) []byte {
		var out []byte
		for _, c := range name {
			out = binary.LittleEndian.AppendUint16(out, uint16(c))
		}
		return out
	}
	name := bytes.Replace(data, wide("Workbook"), wide("WordData"), 1)
	if b, err := open(name); b != nil || err != nil {
		t.Error(b, err)
	}
	at := bytes.Index(data, wide("Workbook"))
	packed := bytes.Clone(data)
	copy(packed[at:], wide("EncryptedPackage"))
	packed[at+64] = 34 // bytes of the name, with its end
	if _, err := open(packed); err == nil || !strings.Contains(err.Error(), "with a password") {
		t.Error(err)
	}
	for n := 600; n < len(data); n += 100 {
		b, err := open(data[:n])
		if b == nil && err == nil {
			continue // no compound file that can be opened
		}
		if err == nil {
			_, err = rows(b, 0)
		}
		if err != nil && !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
}

// Rows that stand in another order are refused.
func TestRowsOutOfOrder(t *testing.T) {
	data := bytes.Replace(file(t, "biff5.xls"), []byte{0x05, 0x02, 8, 0, 3, 0}, []byte{0x05, 0x02, 8, 0, 1, 0}, 1)
	if bytes.Equal(data, file(t, "biff5.xls")) {
		t.Fatal("nothing was changed")
	}
	if _, err := rows(must.Get(open(data))(t), 0); err == nil || !strings.Contains(err.Error(), "row 2: stands behind row 4") {
		t.Error(err)
	}
}

// A cell beyond the last column of Excel 2003 would take a blank for each column before it.
func TestBeyondColumns(t *testing.T) {
	whole := file(t, "biff5.xls")
	data := bytes.Replace(whole, []byte{0xbd, 0, 18, 0, 1, 0, 1, 0}, []byte{0xbd, 0, 18, 0, 1, 0, 255, 0}, 1) // of two cells
	if bytes.Equal(data, whole) {
		t.Fatal("nothing was changed")
	}
	if _, err := rows(must.Get(open(data))(t), 0); err == nil || !strings.Contains(err.Error(), "row 2: has a cell in column 257") {
		t.Error(err)
	}
}

// FuzzOpen reads arbitrary bytes as a spreadsheet.
func FuzzOpen(f *testing.F) {
	for _, name := range []string{"sheets.xls", "biff5.xls", "formulas.xls"} {
		f.Add(file(f, name))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) == 0 {
			return
		}
		b, err := open(data)
		for i := 0; b != nil && err == nil && i < len(b.Sheets); i++ {
			_, err = rows(b, i)
		}
		if err != nil && !errors.Is(err, fs.ErrInvalid) {
			t.Fatal(err)
		}
	})
}
