package corpus

import (
	"fmt"
	"testing"

	"github.com/eigenmap/eigenmap/corpus/internal/corpustest"
)

// Files that are often met and not read are named, with what to run.
func TestKindNotRead(t *testing.T) {
	checkKinds(t, []kind{
		{name: "a.net", content: "*Vertices 2\n1 \"a\"\n2 \"b\"\n*Edges\n1 2\n", rows: 2, cols: 2, ids: true, note: "in Pajek"},
		{name: "a.gml", content: "graph [\n  node [\n id 1 ]\n]\n", refused: "all entries are zero"},
		{name: "a.graphml", content: "<?xml version=\"1.0\"?>\n<!-- made by us -->\n<graphml xmlns=\"x\"></graphml>\n", refused: "holds no <graph> of GraphML"},
		{name: "a.gexf", content: "<gexf version=\"1.2\">\n</gexf>\n", refused: "holds no <graph> of GEXF"},
		{name: "a.xml", content: "\ufeff<?xml version=\"1.0\"?><docs><doc>words</doc></docs>\n", refused: "is XML of which no element occurs again"},
		{name: "a.html", content: "<!DOCTYPE html>\n<html><body>words</body></html>\n", refused: "one page of HTML"},
		{name: "a.rtf", content: "{\\rtf1 some words}", refused: "RTF"},
		{name: "a.docx", content: string(zipped("[Content_Types].xml", "<x/>", "word/document.xml", "<x/>")), refused: "Microsoft Office"},
		{name: "a.odt", content: string(zipped("mimetype", "x", "content.xml", "<x/>", "META-INF/manifest.xml", "<x/>")), refused: "LibreOffice"},
		{name: "a.epub", content: string(zipped("mimetype", "x", "META-INF/container.xml", "<x/>")), refused: "EPUB"},
		{name: "a.xlsb", content: string(zipped("xl/workbook.bin", "x")), refused: ".xlsb"},
		{name: "a.yaml", content: "- text: a\n- text: b\n", refused: "is YAML"},
		{name: "a.pdf.gz", content: gzipped("%PDF-1.4\n"), refused: "pdftotext"},
		{name: "labels.csv", content: ",label\n0,p\n1,q\n2,p\n", refused: "‹truth› or ‹labels›"},
		{name: "gold.csv", content: "doc_id,gold\n1,p\n2,q\n3,p\n", refused: "‹truth› or ‹labels›"},
		{name: "a.csv", content: "x,y,label\n", refused: "a header and no lines below"},
		{name: "a.csv", content: "id,text\n", refused: "a header and no lines below"},
		{name: "a.csv", content: "id,x,y\np,1,2\np,2,3\n", refused: "‹id-column› none"},
		{name: "a.csv", content: "id,text\n1,some words\n1,more words\n", refused: "‹id-column› none"},
		{name: "a.csv", content: "id,text\n1,some words\n1,more words\n", opt: ReadOptions{IDColumn: "none"}, rows: 2},
	})
}

// So are files of other programs, by their first bytes; a text that begins alike is none.
func TestKindOfOtherPrograms(t *testing.T) {
	tensors := "\x10\x00\x00\x00\x00\x00\x00\x00{\"emb\":{}}      \x00\x00"
	checkKinds(t, []kind{
		{name: "a.pkl", content: "\x80\x02cnumpy\n", refused: "pickle"},
		{name: "a.feather", content: "FEA1\x00\x00", refused: "Feather"},
		{name: "a.arrows", content: "\xff\xff\xff\xff\x10\x00\x00\x00", refused: "damaged"},
		{name: "a.orc", content: "ORC\x0a\x00\x01", refused: "file of ORC"},
		{name: "a.orc", content: "ORC words\nmore words\n", opt: ReadOptions{Format: "lines"}, rows: 2},
		{name: "a.avro", content: "Obj\x01\x04", refused: "fastavro"},
		{name: "a.sav", content: "$FL2@(#)", refused: "cut off"},
		{name: "a.dta", content: "<stata_dta><header>", refused: "cut off"},
		{name: "a.xpt", content: "HEADER RECORD*******LIBRARY HEADER", refused: "cut off"},
		{name: "a.rds", content: gzipped("X\n\x00\x00\x00\x03"), refused: "was cut off"},
		{name: "a.lz4", content: "\x04\x22\x4d\x18\x40", refused: "lz4 -d"},
		{name: "a.rar", content: "Rar!\x1a\x07\x01", refused: "RAR archive"},
		{name: "a.safetensors", content: tensors, refused: "holds no matrix of F16"},
		{name: "a.mrc", content: "00102nam a2200049 a 4500001000800000245001500008\x1eoc00001\x1e10\x1faA title.\x1e\x1d", refused: "pymarc"},
		{name: "a.txt", content: "00102 words of a text\nand more of them\n", opt: ReadOptions{Format: "lines"}, rows: 2},
		{name: "GSE1_series_matrix.txt", content: "!Series_title\t\"T\"\n!series_matrix_table_begin\n\"ID_REF\"\t\"GSM1\"\n", refused: "grep -v '^!' FILE"},
		{name: "a.xls", content: "<html xmlns:x=\"urn:schemas-microsoft-com:office:excel\"><body><table><tr><td>a</td></tr></table></body></html>", refused: "without a table of two rows or more"},
		{name: "a.xls", content: "<?xml version=\"1.0\"?>\n<?mso-application progid=\"Excel.Sheet\"?>\n<Workbook xmlns=\"urn:schemas-microsoft-com:office:spreadsheet\"><Worksheet><Table><Row><Cell><Data>a</Data></Cell><Cell><Data>b</Data></Cell></Row><Row><Cell><Data>1</Data></Cell><Cell><Data>2</Data></Cell></Row></Table></Worksheet></Workbook>", opt: ReadOptions{LabelColumn: "none", IDColumn: "none"}, rows: 1, cols: 2},
		{name: "a.xml", content: "<?xml version=\"1.0\"?>\n<ss:Workbook xmlns:ss=\"urn:schemas-microsoft-com:office:spreadsheet\"><Row>a</Row><Row>b</Row></ss:Workbook>", refused: "the spreadsheet has no sheet"},
		{name: "a.xls", content: "MIME-Version: 1.0\nX-Document-Type: Workbook\nContent-Type: multipart/related; boundary=\"b\"\n\n--b\nContent-Type: text/html\n\n<html><table><tr><td>1</table>\n--b--\n", refused: "one file (MHTML)"},
		{name: "bookmarks.html", content: "<!DOCTYPE NETSCAPE-Bookmark-file-1>\n<TITLE>Bookmarks</TITLE>\n<DL><DT><A HREF=\"x\">a page</A>\n</DL>\n", refused: "list of bookmarks"},
		{name: "a.bin", content: "2 3\nword \x00\x00\x00\x3f", refused: "counts 2 vectors of 3 numbers"},
		{name: "a.pt", content: string(zipped("archive/data.pkl", "\x80\x02}", "archive/data/0", "\x00")), refused: "PyTorch"},
		{name: "a.dot", content: "digraph G {\n  a -> b;\n}\n", rows: 2, cols: 2, ids: true, note: "have a direction"},
		{name: "a.g6", content: ">>graph6<<B?\n", refused: "read_graph6"},
		{name: "a.dl", content: "dl n=2 format=fullmatrix\ndata:\n0 1\n1 0\n", refused: "Read_DL"},
		{name: "a.srt", content: "1\n00:00:01,000 --> 00:00:02,500\nGood morning.\n", refused: "of one recording"},
		{name: "wiki.xml", content: "<mediawiki xml:lang=\"en\">\n<page></page>\n</mediawiki>\n", refused: "has no string text"},
		{name: "tweets.js", content: "window.YTD.tweets.part0 = [ {\n \"tweet\": {} } ]\n", refused: "sed"},
		{name: "a.txt", content: "\x1e{\"text\": \"words\"}\n", refused: "sequence of JSON"},
		{name: "a.txt", content: "<b>some</b> words\n<i>more</i> words\n", refused: "‹input-format› lines"},
	})
}

// Of several matrices and lists in a file those that are not read are named with their options.
func TestOtherVariables(t *testing.T) {
	matrix := func(rows, cols int) []byte {
		data := make([]byte, 8*rows*cols)
		for k := range rows * cols {
			data[8*k+6], data[8*k+7] = byte(16*(k%5)), 0x3f+byte(k%2)
		}
		return corpustest.NPY("'<f8'", "False", fmt.Sprintf("(%d, %d)", rows, cols), data)
	}
	labels := corpustest.NPY("'|u1'", "False", "(4,)", []byte{0, 1, 0, 1})
	for _, c := range []struct {
		members []any
		note    string
		classes int
	}{
		{[]any{"A", matrix(4, 3), "B", matrix(4, 5)}, "without labels; ‹var› takes another (B).", 0},
		{[]any{"X_train", matrix(4, 3), "y_train", labels, "X_test", matrix(2, 3)}, "the labels from y_train (4×1); ‹var› takes another (X_test).", 2},
		{[]any{"train_data", matrix(4, 3), "train_labels", labels, "test_data", matrix(2, 3)}, "the labels from train_labels (4×1); ‹var› takes another (test_data).", 2},
		{[]any{"emb", matrix(4, 3), "groups", labels}, "without labels; ‹label-var› takes labels (groups).", 0},
		{[]any{"X", matrix(4, 3), "y", labels}, "the labels from y (4×1).", 2},
	} {
		got := readNamed(t, "a.npz", string(corpustest.NPZ(t, c.members...)), ReadOptions{})
		wantNote(t, got, c.note)
		if len(got.ClassNames) != c.classes {
			t.Errorf("%s: classes %q", c.note, got.ClassNames)
		}
	}
}
