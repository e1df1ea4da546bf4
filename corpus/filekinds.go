package corpus

import (
	"archive/zip"
	"bytes"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/text"
	"github.com/eigenmap/eigenmap/internal/pattern"
)

// fileKinds are files that are often met and not read, by the bytes that they begin with, and what
// to run.
var fileKinds = []struct{ magic, say string }{
	{"%PDF-", "is one PDF; " + withOthers + " (PDFs are read where pdftotext is installed, of Debian's poppler-utils)"},
	{"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "is one document of Word or PowerPoint before 2007 (.doc, .ppt) or one message of Outlook (.msg), or a damaged file of these or of Excel; of a text, " + withOthers + "; save a table as .xlsx or .csv"},
	{"SQLite format 3\x00", "is a database of SQLite; write the table out, for instance with sqlite3 -csv -header FILE 'select * from TABLE' > table.csv"},
	{"\x80\x02", pickle}, {"\x80\x03", pickle}, {"\x80\x04", pickle}, {"\x80\x05", pickle},
	{"FEA1", "is a file of Feather in its first version; write it anew, with pandas.read_feather('FILE').to_feather('FILE')"},
	{"Obj\x01", "is a file of Avro; write it as JSON lines, for instance with python -c \"import fastavro, json; [print(json.dumps(r, default=str)) for r in fastavro.reader(open('FILE', 'rb'))]\" > FILE.jsonl"},
	{"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\xc2\xea\x81\x63", "holds formats of SAS and no table; name the table (.sas7bdat), whose columns then hold codes without labels"},
	{"\x04\x22\x4d\x18", "is compressed with lz4; unpack it with lz4 -d"},
	{"IxFI", faiss}, {"IxF2", faiss}, {"IxFl", faiss}, {"IwFl", faiss}, {"IwPQ", faiss}, {"IHNf", faiss}, {"IHNs", faiss}, {"IxMp", faiss},
	{"# Created by Octave", "is a text file of Octave; load it there and save it again with save('-v7', 'FILE.mat')"},
	{"{\\rtf", "is one document in RTF; " + withOthers},
	{"\x1e{", "is a sequence of JSON texts; take out what separates them, with tr -d '\\036' < FILE > FILE.jsonl"},
	{"#FORMAT=WebAnno", "holds annotated tokens, as INCEpTION and WebAnno export them; take the sentences out, with sed -n 's/^#Text=//p' FILE > FILE.txt" + eachLine},
	{"\\_sh ", toolbox}, {"\\lx ", toolbox},
	{"MSH|^~\\&|", "holds messages of HL7; take their texts out, with tr '\\r' '\\n' < FILE | awk -F'|' '$1 == \"OBX\" && $6 {print $6} $1 == \"NTE\" && $4 {print $4}' > FILE.txt" + eachLine},
}

const (
	withOthers = "put it into a folder with the others, one document per file, and name the folder"

	statistics = "is a file of "
	toCSV      = "; write it as a table, for instance with python -c \"import pandas; pandas.read_"
	inCSV      = ".to_csv('FILE.csv', index=False)\""

	pickle   = "is a pickle of Python, which is not read for safety; if you trust it, write its array, with python -c \"import joblib, numpy; numpy.save('FILE.npy', joblib.load('FILE'))\", or its table, with python -c \"import joblib; joblib.load('FILE')" + inCSV
	faiss    = "is an index of faiss; write its vectors out, for instance with python -c \"import faiss, numpy; i = faiss.read_index('FILE'); numpy.save('FILE.npy', i.reconstruct_n(0, i.ntotal))\""
	eachLine = ", and give ‹input-format› lines"
	toolbox  = "is a file of Toolbox or FLEx, whose lines begin with a mark; take the lines of one out, such as \\ge, with sed -n 's/^\\\\ge *//p' FILE > FILE.txt" + eachLine

	yaml = "is YAML; write it as JSON, for instance with python -c \"import json, yaml; json.dump(yaml.safe_load(open('FILE')), open('FILE.json', 'w'), default=str)\""
)

// textKinds are files of text that are often met and not read, by a regular expression of the first
// line that is neither blank nor a comment.
var textKinds = []struct{ first, say string }{
	{`^>>(graph6|sparse6|digraph6)<<`, "is a graph in graph6, sparse6 or digraph6; write it in GraphML, for instance with python -c \"import networkx as n; n.write_graphml(n.read_graph6('FILE'), 'FILE.graphml')\", where read_sparse6 reads the second"},
	{`(?i)^dl\s+(n|nr|format)\s*=`, "is a graph of UCINET (DL); write it in GraphML, for instance with python -c \"import igraph; igraph.Graph.Read_DL('FILE').write_graphml('FILE.graphml')\""},
	{`^window\.YTD\.`, "is a part of an archive of Twitter; cut off what stands before its array, with sed '1s/^[^=]*= *//' FILE > FILE.json"},
	{`^(var|let|const)\s+[\w.$]+\s*=\s*[\[{]|^(module\.exports|export default)\s*=?\s*[\[{]`, "is JSON in a program of JavaScript; cut off what stands around it, with sed -e '1s/^[^[{]*//' -e '$s/; *$//' FILE > FILE.json"},
	{`(?i)^<!doctype netscape-bookmark-file`, "is a list of bookmarks; take their names out, with sed -n 's/.*<A [^>]*>\\(.*\\)<\\/A>.*/\\1/p' FILE > FILE.txt, and give ‹input-format› lines"},
	{`^1(-\d+)?\t[^\t]+\t[^\t]*\t[^\t]*\t[^\t]*\t[^\t]*\t(\d+|_)\t[^\t]*\t[^\t]*\t[^\t]*$`, "is a treebank (CoNLL-U); take its sentences out, with sed -n 's/^# text = //p' FILE > FILE.txt, and give ‹input-format› lines"},
	{`^(msgid|msgctxt) "`, "is a catalogue of translated messages (gettext); take the messages out, with msgattrib --translated --no-wrap FILE | sed -n 's/^msgstr \"\\(..*\\)\"$/\\1/p' > FILE.txt, and give ‹input-format› lines"},
	{`^BEGIN:VCALENDAR`, "is a calendar; take what its entries are called out, with sed -n 's/^SUMMARY[^:]*://p' FILE > FILE.txt, and give ‹input-format› lines"},
	{`^Package: \S+$`, "is an index of Debian's packages; take what they are out, with sed -n 's/^Description: //p' FILE > FILE.txt, and give ‹input-format› lines"},
	{`^- ("[^"]*"|[\w.-]+):( |$)`, yaml}, {`^---$`, yaml},
	{`^WARC/\d`, "is an archive of pages (WARC, or WET of their texts); write its texts as JSON lines, for instance with python -c \"import json, warcio; [print(json.dumps({'id': r.rec_headers['WARC-Target-URI'], 'text': r.content_stream().read().decode('utf-8', 'replace')})) for r in warcio.ArchiveIterator(open('FILE', 'rb')) if r.rec_type in ('conversion', 'response')]\" > FILE.jsonl"},
	{`^commit [0-9a-f]{40}( \(.*\))?$`, "is a log of git; write a line for each change, with git log --format='%h%x09%an%x09%aI%x09%s' > log.tsv"},
	{`^format-version: \d`, "is an ontology in OBO; take its definitions out, with sed -n 's/^def: \"\\(.*\\)\" \\[.*/\\1/p' FILE > FILE.txt, and give ‹input-format› lines"},
	{`(?i)^(pragma foreign_keys ?=|begin transaction;|create table (if not exists )?[^\s(]+\s*(\(|$)|create database \S+.*;|insert into [^\s(]+\s*(\(|values\b)|drop (table|database) \S.*;|set (sql_mode|statement_timeout) ?=|/\*!\d+ set |-- (mysql|mariadb|postgresql) )`, "is a dump of a database in SQL; load it and write the table out, of SQLite with sqlite3 new.db < FILE and sqlite3 -csv -header new.db 'select * from TABLE' > table.csv"},
}

// firstLines are the compiled expressions of textKinds, made when a file is first asked for: the
// start of the program does without them.
var firstLines = sync.OnceValue(func() []*regexp.Regexp {
	list := make([]*regexp.Regexp, 0, len(textKinds)+len(ownerKinds))
	for _, k := range slices.Concat(textKinds, ownerKinds) {
		list = append(list, regexp.MustCompile(k.first))
	}
	return list
})

// kindByName is what [textKind] says of a file, if its name does not say that the file is one text
// of Markdown or LaTeX, which have lines like those of YAML and others, or a plain text of notes.
func kindByName(name, say string) string {
	plain := path.Ext(input.UnpackedName(strings.ToLower(name))) == ".txt"
	switch {
	case say != "" && text.IsMarkup(name):
		return "is one text; " + withOthers
	case say == yaml && plain:
		return ""
	}
	return say
}

// fileKind says what a file is that is often met and not read, by its first bytes, and what to run;
// "" for another.
func fileKind(head []byte) string {
	for _, k := range fileKinds {
		if bytes.HasPrefix(head, []byte(k.magic)) {
			return k.say
		}
	}
	if k := ownerKind(head); k != "" {
		return k
	}
	switch first, _, _ := bytes.Cut(head, []byte("\n")); {
	case marcLeader().Match(head):
		return "is a catalogue of a library (MARC); write it as XML, for instance with python -c \"import pymarc; w = pymarc.XMLWriter(open('FILE.xml', 'wb')); [w.write(r) for r in pymarc.MARCReader(open('FILE', 'rb')) if r]; w.close()\""
	case geoLine().Match(head):
		return "is a series of GEO; take its table out, with grep -v '^!' FILE | grep . > FILE.tsv; its rows are genes, and ‹transpose› compares the samples"
	case eurostatLine().Match(first):
		return "is a table of Eurostat, with marks behind numbers and a colon for missing ones; write it as a table, with sed -E -e '1s/\\\\[^\\t]*//' -e '1!s/\\t *:[^\\t]*/\\t/g' -e 's/ +[a-z]*(\\t|$)/\\1/g' -e 's/,/_/g' FILE > FILE.new.tsv, and give ‹missing› median or drop-rows"
	case isZlib(head):
		return pickle
	case bytes.HasPrefix(head, []byte("ORC")) && bytes.IndexByte(head, 0) >= 0:
		return "is a file of ORC; write it as Parquet, for instance with python -c \"import pyarrow.orc as o, pyarrow.parquet as p; p.write_table(o.read_table('FILE'), 'FILE.parquet')\""
	case bytes.Contains(head[:min(len(head), 512)], []byte("SPSSPORT")): // behind titles and a table of characters
		return statistics + "SPSS; write it as a table, for instance with python -c \"import pyreadstat; pyreadstat.read_por('FILE')[0]" + inCSV
	}
	return ""
}

// marcLeader is the beginning of a record of MARC 21 or UNIMARC, before its directory.
var marcLeader = pattern.Lazy(`^[0-9]{5}[a-z][a-z][ a-z][ a-z0-9][ a9]22[0-9]{5}[ -~]{3}45[0-9 ]{2}[0-9]{12}`)

// geoLine begins a series of the Gene Expression Omnibus.
var geoLine = pattern.Lazy(`^!(Series|Sample)_`)

// eurostatLine is the first line of a table of Eurostat: names joined by commas, and the one of the
// columns after a backslash.
var eurostatLine = pattern.Lazy(`^[A-Za-z_,0-9]+\\(TIME_PERIOD|time|TIME)[ \t]`)

// pageInParts is the beginning of a page with its pictures in one file (MHTML).
var pageInParts = pattern.Lazy(`(?is)^(from: <saved by .{0,900}?)?mime-version:.{0,900}?content-type:\s*multipart/related`)

// isZlib recognises what zlib compressed, as joblib does.
func isZlib(head []byte) bool {
	return len(head) > 2 && head[0] == 'x' && (int(head[0])<<8+int(head[1]))%31 == 0 && bytes.IndexByte(head, 0) >= 0 && !utf8.Valid(head[:len(head)/2])
}

// textKind is fileKind of a file of text whose format is not known by its name.
func textKind(head []byte) string {
	head = bytes.TrimPrefix(head, []byte(input.ByteOrderMark))
	for len(head) > 0 && (bytes.IndexByte([]byte("%# \t\r\n"), head[0]) >= 0) {
		_, head, _ = bytes.Cut(head, []byte("\n"))
	}
	line, rest, _ := bytes.Cut(head, []byte("\n"))
	if bytes.HasPrefix(head, []byte("<?xml")) {
		line = head[:min(len(head), 1024)] // the element that says what it is comes later
	}
	line = bytes.TrimRight(line, "\r")
	if pageInParts().Match(head) {
		return "is a page in one file (MHTML), as browsers and Excel save it; open it there and save it as .html, a table as .xlsx or .csv"
	}
	for i, first := range firstLines() {
		if first.Match(line) {
			return slices.Concat(textKinds, ownerKinds)[i].say
		}
	}
	if k := blockKind(head); k != "" {
		return k
	}
	switch {
	case bytes.Count(head, []byte("\n%\n")) >= 2:
		return "holds texts between lines of %; write a line each, with awk 'BEGIN {RS = \"\\n%\\n\"} {gsub(/\\n/, \" \"); print}' FILE > FILE.txt, and give ‹input-format› lines"
	case bytes.HasPrefix(line, []byte("/*")): // a comment of SQL
		_, rest, _ = bytes.Cut(head, []byte("*/"))
	case !bytes.HasPrefix(line, []byte("--")):
		return ""
	}
	return textKind(rest)
}

// officeKind says what an archive of zip is that holds one document of an office program or a book,
// and what to run; "" for another.
func officeKind(z *zip.Reader) string {
	if k := ownerArchive(z); k != "" {
		return k
	}
	for _, f := range z.File {
		if strings.HasSuffix(f.Name, "/data.pkl") {
			return "is a file of PyTorch (torch.save), which is not read for safety; save the array with numpy.save('FILE.npy', torch.load('FILE').numpy())"
		}
		switch f.Name {
		case "word/document.xml", "ppt/presentation.xml":
			return "is one document of Microsoft Office; " + withOthers
		case "META-INF/container.xml":
			return "is one book (EPUB); " + withOthers
		case "META-INF/manifest.xml":
			return "is one document of LibreOffice; save a table as .ods, .xlsx or .csv; of a text or slides, " + withOthers
		case "xl/workbook.bin":
			return "is a binary spreadsheet of Excel (.xlsb); save it as .xlsx or .csv"
		}
	}
	return ""
}
