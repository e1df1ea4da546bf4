package corpus

import (
	"archive/zip"
	"bytes"
	"regexp"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
)

// fileKinds are files that are often met and not read, by the bytes that they begin with, and what
// to run.
var fileKinds = []struct{ magic, say string }{
	{"%PDF-", "is a PDF; make a text of it, for instance with pdftotext, and put it into a folder of texts"},
	{"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "is an old file of Microsoft Office (.xls or .doc); save a table as .xlsx or .csv, or a text as plain text"},
	{"SQLite format 3\x00", "is a database of SQLite; write the table out, for instance with sqlite3 -csv -header FILE 'select * from TABLE' > table.csv"},
	{"\x80\x03", pickle}, {"\x80\x04", pickle}, {"\x80\x05", pickle},
	{"ARROW1", "is a file of Arrow (Feather); write it as Parquet, for instance with pandas' to_parquet"},
	{"RDX2\n", rData}, {"RDX3\n", rData},
	{"# Created by Octave", "is a text file of Octave; load it there and save it again with save('-v7', 'FILE.mat')"},
	{"{\\rtf", "is a document in RTF; save it as plain text, for instance with pandoc -t plain, and put it into a folder of texts"},
}

const (
	pickle = "is a pickle of Python, which is not read for safety; save the matrix with scipy.sparse.save_npz or numpy.save"
	rData  = "is a file of R's save or saveRDS; write the table out with write.csv(x, 'table.csv')"
	toList = "; write it as a list of edges, for instance with python -c \"import networkx as n; n.write_weighted_edgelist(n.read_%s('FILE'), 'FILE.edges')\""
)

// textKinds are files of text that are often met and not read, by the first line that is neither
// blank nor a comment.
var textKinds = []struct {
	first *regexp.Regexp
	say   string
}{
	{regexp.MustCompile(`(?i)^@relation\s`), "is a table of Weka (ARFF); convert it: python -c \"from scipy.io import arff; import pandas; pandas.DataFrame(arff.loadarff('FILE')[0]).to_csv('FILE.csv', index=False)\", where classes are then written b'...'"},
	{regexp.MustCompile(`(?i)^\*vertices(\s|$)`), "is a graph of Pajek" + strings.Replace(toList, "%s", "pajek", 1)},
	{regexp.MustCompile(`^graph\s*(\[|$)|^Creator\s`), "is a graph in GML" + strings.Replace(toList, "%s", "gml", 1)},
	{regexp.MustCompile(`<graphml[\s>]`), "is a graph in GraphML" + strings.Replace(toList, "%s", "graphml", 1)},
	{regexp.MustCompile(`<gexf[\s>]`), "is a graph of Gephi (GEXF)" + strings.Replace(toList, "%s", "gexf", 1)},
	{regexp.MustCompile(`(?i)^<(!doctype html|html)[\s>]`), "is one page of HTML; put it into a folder of texts, one text per file, and name the folder"},
	{regexp.MustCompile(`^<\?xml\s`), "is XML; write its documents as JSON lines, {\"text\": \"...\"} each, or as texts in a folder, one per file"},
}

// fileKind says what a file is that is often met and not read, by its first bytes, and what to run;
// "" for another.
func fileKind(head []byte) string {
	for _, k := range fileKinds {
		if bytes.HasPrefix(head, []byte(k.magic)) {
			return k.say
		}
	}
	return ""
}

// textKind is fileKind of a file of text whose format is not known by its name.
func textKind(head []byte) string {
	head = bytes.TrimPrefix(head, []byte(input.ByteOrderMark))
	for len(head) > 0 && (bytes.IndexByte([]byte("%# \t\r\n"), head[0]) >= 0) {
		_, head, _ = bytes.Cut(head, []byte("\n"))
	}
	line, _, _ := bytes.Cut(head, []byte("\n"))
	if bytes.HasPrefix(head, []byte("<?xml")) {
		line = head[:min(len(head), 1024)] // the element that says what it is comes later
	}
	for _, k := range textKinds {
		if k.first.Match(line) {
			return k.say
		}
	}
	return ""
}

// officeKind says what an archive of zip is that holds one document of an office program or a book,
// and what to run; "" for another.
func officeKind(z *zip.Reader) string {
	for _, f := range z.File {
		switch f.Name {
		case "word/document.xml", "ppt/presentation.xml":
			return "is a document of Microsoft Office; save it as plain text, for instance with pandoc -t plain, and put it into a folder of texts"
		case "META-INF/container.xml":
			return "is a book (EPUB); make texts of it, for instance with pandoc -t plain, and put them into a folder of texts"
		case "META-INF/manifest.xml":
			return "is a document of LibreOffice; save a table as .xlsx or .csv, or a text as plain text in a folder of texts"
		case "xl/workbook.bin":
			return "is a binary spreadsheet of Excel (.xlsb); save it as .xlsx or .csv"
		}
	}
	return ""
}
