package corpus

import (
	"archive/zip"
	"bytes"
	"testing"
)

// zipped is an archive of files.
func zipped(files ...string) []byte {
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for i := 0; i+1 < len(files); i += 2 {
		w, _ := z.Create(files[i])
		w.Write([]byte(files[i+1]))
	}
	z.Close()
	return out.Bytes()
}

// sheet is a spreadsheet of one sheet with these rows, in the XML of its format.
func sheet(shared, rows string) []byte {
	const relation = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
	return zipped("xl/workbook.xml", `<workbook xmlns:r="`+relation+`"><sheets><sheet name="One" r:id="rId1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels", `<Relationships><Relationship Id="rId1" Target="worksheets/sheet7.xml"/></Relationships>`,
		"xl/sharedStrings.xml", "<sst>"+shared+"</sst>", "xl/worksheets/sheet7.xml", "<worksheet><sheetData>"+rows+"</sheetData></worksheet>")
}

// A spreadsheet is the table that it shows, of texts or of numbers.
func TestSheet(t *testing.T) {
	numbers := sheet("<si><t>x</t></si><si><t>y</t></si><si><r><t>k</t></r><r><t>ind</t></r></si><si><t>p</t></si><si><t>q</t></si>",
		`<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="s"><v>2</v></c></row>`+
			`<row r="2"><c r="A2"><v>1.5</v></c><c r="B2"><v>2</v></c><c r="C2" t="s"><v>3</v></c></row>`+
			`<row r="4"><c r="A4"><f>1+1</f><v>2</v></c><c r="B4"><v>-1E-1</v></c><c r="C4" t="s"><v>4</v></c></row>`+
			`<row r="5"><c r="A5"><v>0</v></c><c r="B5"><v>7</v></c><c r="C5" t="inlineStr"><is><t>p</t></is></c></row>`)
	c := readNamed(t, "a.xlsx", string(numbers), ReadOptions{})
	checkMatrix(t, c.X, [][]float64{{1.5, 2}, {2, -.1}, {0, 7}})
	if len(c.ClassNames) != 2 || c.Terms[1] != "y" {
		t.Errorf("classes %q, terms %q", c.ClassNames, c.Terms)
	}
	texts := sheet("", `<row><c t="inlineStr"><is><t>id</t></is></c><c t="inlineStr"><is><t>text</t></is></c></row>`+
		`<row><c><v>1</v></c><c t="inlineStr"><is><t>garden words</t><rPh><t>spoken</t></rPh></is></c></row><row><c><v>2</v></c><c t="inlineStr"><is><t>engine words</t></is></c></row>`)
	c = readNamed(t, "a.xlsx", string(texts), ReadOptions{Text: TextOptions{MinDF: 1}})
	if c.Format != "table" || c.Len() != 2 || len(c.Terms) != 3 {
		t.Errorf("%s, %d documents, terms %q", c.Format, c.Len(), c.Terms)
	}
	_, err := Read(t.Context(), writeFile(t, t.TempDir(), "a.xlsx", sheet("", `<row><c t="s"><v>9</v></c></row>`)), ReadOptions{})
	wantFault(t, err, "names a text that is not there")
}

// An archive of zip is its one file, or the folder that it holds.
func TestZip(t *testing.T) {
	one := zipped("__MACOSX/._a.csv", "x", "data/a.csv", "id,a,b\np,1,0\nq,0,2\n")
	checkMatrix(t, readNamed(t, "a.zip", string(one), ReadOptions{}).X, [][]float64{{1, 0}, {0, 2}})
	many := zipped("a/1.txt", "some words", "a/2.txt", "more words", "b/3.txt", "other words")
	if c := readNamed(t, "a.zip", string(many), ReadOptions{Text: TextOptions{MinDF: 1}}); c.Len() != 3 || len(c.ClassNames) != 2 {
		t.Errorf("%d documents, classes %q", c.Len(), c.ClassNames)
	}
	_, err := Read(t.Context(), writeFile(t, t.TempDir(), "a.zip", zipped(".hidden", "x")), ReadOptions{})
	wantFault(t, err, "empty")
}

// FuzzFormats reads arbitrary bytes in each of the formats whose readers have no target elsewhere.
func FuzzFormats(f *testing.F) {
	formats := []string{"csv", "tsv", "table", "json", "lines", "fasttext", "ldac", "uci", "cluto", "graph", "edges", "triplets", "xlsx", ""}
	for i, seed := range []string{"sep=;\nx;y\n1,5;2\n", "a\t\"b\nc\"\td\n1\t2\t3\n", "id,text\n1,\"some words\"\n", `[{"text": "a b", "label": [1, NaN]}]`, "one\ntwo words\n",
		"2 0:1 3:2\n1 1:1\n", "2\n3\n2\n1 1 1\n2 3 4\n", "2 3 2\n1 1\n2 4\n", "3 2 001\n2 1\n1 1 3 2\n2 2\n", "a b 1\nb c 2\n", "1 1 2\n2 1 3\n", "x y\n 1 2\n3  4\n"} {
		f.Add([]byte(seed), uint8(i))
	}
	f.Add(sheet("<si><t>x</t></si>", `<row><c t="s"><v>0</v></c></row><row><c><v>1</v></c></row>`), uint8(11))
	f.Add(zipped("a.csv", "1,2\n3,4\n"), uint8(12))
	f.Add([]byte(`["some words", "more \"words\""]`), uint8(3))
	f.Add([]byte("2 3\na 1 2 3\nb 4 5 6\n"), uint8(0))
	f.Add([]byte("0,1,2\nTrue,False,5\nFalse,True,7\n"), uint8(12))
	f.Add([]byte("\x28\xb5\x2f\xfd\x04\x00\x09\x00\x00"), uint8(0))
	f.Add([]byte("BZh91AY&SY\x00\x00"), uint8(0))
	f.Fuzz(func(t *testing.T, data []byte, format uint8) {
		fuzzRead(t, data, formats[int(format)%len(formats)], ReadOptions{Text: TextOptions{MinDF: 1}})
	})
}

// FuzzLabelList reads arbitrary bytes as a list of labels, of lines or of JSON.
func FuzzLabelList(f *testing.F) {
	f.Add([]byte(",label\np,x\n"))
	f.Add([]byte(`{"id": 1, "label": "x"}`))
	f.Add([]byte(`[{"id": 1, "label": ["x"]}]`))
	f.Add([]byte("1 a\n2 b\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		l, err := readLabelingLimited(t.Context(), writeFile(t, t.TempDir(), "l", data), "", fuzzMemory)
		if err != nil {
			checkFault(t, err)
			return
		}
		if len(l.Labels) != len(l.Lines) || l.IDs != nil && len(l.IDs) != len(l.Labels) {
			t.Fatalf("%d labels, %d lines, %d ids", len(l.Labels), len(l.Lines), len(l.IDs))
		}
	})
}
