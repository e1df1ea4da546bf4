package corpus

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/charset"
	"github.com/eigenmap/eigenmap/corpus/internal/entries"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
	"github.com/eigenmap/eigenmap/corpus/internal/matrix"
	"github.com/eigenmap/eigenmap/corpus/internal/network"
	"github.com/eigenmap/eigenmap/corpus/internal/plain"
	"github.com/eigenmap/eigenmap/corpus/internal/records"
	"github.com/eigenmap/eigenmap/corpus/internal/table"
	"github.com/eigenmap/eigenmap/corpus/internal/text"
	"github.com/eigenmap/eigenmap/internal/pattern"
)

// Formats returns the names that ReadOptions.Format may have.
func Formats() []string {
	return []string{"mat", "mtx", "svm", "npy", "npz", "hdf5", "safetensors", "word2vec", "csv", "tsv", "xlsx", "ods", "html", "rds", "sav", "dta", "xpt", "sas7bdat", "xls", "arff", "arrow", "table", "ldac", "uci", "cluto", "graph", "edges", "graphml", "gexf", "gml", "pajek", "dot", "node-link", "triplets", "jsonl", "json", "xml", "lines", "fasttext", "parquet", "reuters", "mbox", "references", "chat", "idx", "folder", "list"}
}

// ParquetNumbers is the Corpus.Format of a Parquet file whose columns of numbers were read. If its
// texts were read, Corpus.Format is "parquet". ReadOptions.Format is "parquet" in both cases.
const ParquetNumbers = "parquet (numbers)"

// XMLNumbers is the Corpus.Format of a file of XML whose records were read as rows of numbers. If
// their texts were read, Corpus.Format is "xml". ReadOptions.Format is "xml" in both cases.
const XMLNumbers = "xml (numbers)"

// TextFormats returns the [Formats] that hold raw text, to which ReadOptions.Text applies.
func TextFormats() []string {
	return []string{"jsonl", "json", "xml", "table", "references", "chat", "lines", "fasttext", "parquet", "reuters", "mbox", "folder", "list"}
}

func knownFormat(name string) bool { return slices.Contains(Formats(), name) }

// UnpackedName cuts the extension of a compression that is unpacked here off the name of a file.
func UnpackedName(path string) string { return input.UnpackedName(path) }

// formatByExtension returns the format of a path's extension, which may be followed by the
// extension of a compression; empty if there is none.
func formatByExtension(path string) string {
	extension := filepath.Ext(input.UnpackedName(strings.ToLower(path)))
	return cmp.Or(matrix.Extensions[extension], text.Extensions[extension])
}

// isTar recognises an archive, if the format asked for may come in one.
func isTar(in *input.File, asked string) (bool, error) {
	if asked != "" && asked != "folder" && asked != "reuters" {
		return false, nil
	}
	head, err := in.Peek(input.HeadSize)
	return err == nil && input.IsTar(head), err
}

// detect returns the format of the content, as ReadOptions.Format and UsualFormat say.
func (o *ReadOptions) detect(in *input.File) (string, error) {
	asked := o.Format
	if empty, err := isEmptyTar(in); err != nil {
		return "", err
	} else if empty {
		return "", input.NoDocuments(in.Fail("", "the archive is empty; put one text per file into it, in one folder for each class"))
	}
	if asked == "folder" {
		return "", in.Fail("", "is a file, where a folder of texts or a .tar of one is needed; name the folder or leave out ‹input-format›")
	}
	if asked != "" {
		if asked == "json" {
			text.TakeList(in)
		}
		return asked, nil
	}
	head, err := in.Peek(input.HeadSize)
	if err != nil {
		return "", err
	}
	if len(head) == 0 {
		return "", input.NoDocuments(in.Fail("", "the file is empty; give a file with at least one document"))
	}
	if f := cmp.Or(matrix.FormatByMagic(head), text.FormatByMagic(head)); f != "" {
		return f, nil
	}
	if o.UsualFormat == "folder" && text.IsOneText(in.Name, head) {
		in.Notef(oneText)
		return "folder", nil
	}
	if biom().Match(head[:min(len(head), 1024)]) {
		return "", in.Fail("", "%s", ownerKind(head))
	}
	if f, err := networkFormat(in, head); f != "" || err != nil {
		return f, err
	}
	if text.TakeList(in) {
		return "json", nil
	}
	if k := fileKind(head); k != "" {
		return "", in.Fail("", "%s", k)
	}
	for _, a := range archives {
		if bytes.HasPrefix(head, []byte(a.magic)) {
			return "", in.Fail("", "is %s, which is not read here; unpack it (a .tar, .tar.gz or .tar.xz may stay packed) and name the file or folder inside", a.kind)
		}
	}
	if reline(in, head) || keyedTexts(in, head) {
		o.Header = cmp.Or(o.Header, table.HeaderYes)
		return "csv", nil
	}
	if f := formatByName(in, head); f != "" {
		return f, nil
	}
	if f, err := likeUsual(in, head, o.UsualFormat); f != "" || err != nil {
		return f, err
	}
	return o.detectByLook(in, head)
}

// networkFormat returns the format of a graph that the beginning of a file says; "" for none.
func networkFormat(in *input.File, head []byte) (string, error) {
	if f := network.Look(head); f != "" {
		return f, nil
	}
	if graph, err := network.LooksNodeLink(in); err != nil || !graph {
		return "", err
	}
	return "node-link", nil
}

// formatByName returns the format that the extension of a file says, as its first bytes say more;
// "" for another extension.
func formatByName(in *input.File, head []byte) string {
	switch f := formatByExtension(in.Name); {
	case (f == "json" || f == "jsonl") && (text.IsJSONArray(head) || text.IsJSONTexts(head)):
		return "json"
	case f == "json":
		return "jsonl"
	case f == "reuters" && !text.IsReuters(head) && records.Looks(head):
		return "xml"
	case f == "reuters" && !text.IsReuters(head):
		return ""
	case f == "mat" && matrix.LooksLikeCLUTO(head):
		in.Notef("The file is text and no file of MATLAB; it is read as a matrix of CLUTO.")
		return "cluto"
	default:
		return f
	}
}

// isNamedXML reports whether a file is XML by its name or its prolog, and begins with a tag.
func isNamedXML(in *input.File, look []byte) bool {
	look = bytes.TrimLeft(bytes.TrimPrefix(look, []byte(input.ByteOrderMark)), " \t\r\n")
	return bytes.HasPrefix(look, []byte("<?xml")) || records.Named(in.Name) && bytes.HasPrefix(look, []byte("<"))
}

// detectByLook is detect for a file whose name and first bytes do not say what it is.
func (o *ReadOptions) detectByLook(in *input.File, head []byte) (string, error) {
	const single = "put it into a folder of texts, one text per file, and name the folder"
	if strings.EqualFold(filepath.Ext(in.Name), ".eml") && !text.LooksLikeMbox(head) {
		return "", in.Fail("", "is one message; %s", single)
	}
	wide := input.WideEncoding(head)
	if charset.IsWide(head) {
		if err := charset.Stream(in, charset.Auto); err != nil {
			return "", err
		}
		var err error
		if head, err = in.Peek(input.HeadSize); err != nil {
			return "", err
		}
		if reline(in, head) {
			o.Header = cmp.Or(o.Header, table.HeaderYes)
			return "csv", nil
		}
	}
	if plain.IsSubtitles(in.Name, head) {
		return "", in.Fail("", "is subtitles of one recording; those of several are texts in a folder, to be named; for a text of each line, write them with %s, and give ‹input-format› lines", plain.SubtitleLines(in.Name, head))
	}
	look, err := in.Peek(table.LookedAt)
	if err != nil {
		return "", err
	}
	if f := entries.Format(in.Name, look); f != "" {
		return f, nil
	}
	if k := kindByName(in.Name, textKind(head)); k != "" {
		return "", in.Fail("", "%s", k)
	}
	if isPage(in, look) {
		return "html", nil
	}
	if table.IsARFF(look) {
		return "arff", nil
	}
	if records.Looks(look) || isNamedXML(in, look) {
		return "xml", nil
	}
	if text.LooksLikeFastText(bytes.TrimPrefix(look, []byte(input.ByteOrderMark))) {
		in.Notef("Most lines begin with __label__, so the format is fasttext, and words so begun are labels; ‹input-format› lines takes them for words.")
		return "fasttext", nil
	}
	if f := formatByLook(look); f != "" {
		in.Notef("The format %s was recognised by the content.", f)
		return f, nil
	}
	if strings.EqualFold(filepath.Ext(input.UnpackedName(in.Name)), ".log") && wide == "" && bytes.IndexByte(head, 0) < 0 {
		in.Notef("The file is by its name a log, of which each line is a document.")
		return "lines", nil
	}
	formats := strings.Join(Formats(), ", ")
	switch {
	case wide != "":
		return "", in.Fail("", "the format cannot be recognised, it %s; or give the format with ‹input-format› (%s)", input.WideRefusal(wide), formats)
	case bytes.IndexByte(head, 0) < 0 && bytes.Count(bytes.TrimSpace(head), []byte("\n")) > 0:
		return "", in.Fail("", "the format cannot be recognised by name or content; if each line is a document, give ‹input-format› lines; if it is one text, %s; else give the format with ‹input-format› (%s)", single, formats)
	case bytes.IndexByte(head, 0) < 0:
		return "", in.Fail("", "the format cannot be recognised by name or content; if it is a text, %s; else give the format with ‹input-format› (%s)", single, formats)
	}
	return "", in.Fail("", "the format cannot be recognised by name or content; give it with ‹input-format› (%s)", formats)
}

// wideJSON recognises JSON in UTF-16 by its byte-order mark, or by the zero beside its first
// character, if the format asked for may be JSON: it returns utf-16le or utf-16be, or "".
func wideJSON(in *input.File, asked string) (encoding string, err error) {
	if asked != "" && asked != "json" && asked != "jsonl" {
		return "", nil
	}
	head, err := in.Peek(512)
	if err != nil || input.WideJSON(head) != "UTF-16" {
		return "", err
	}
	encoding = "utf-16le"
	if head[0] == 0 || head[0] == 0xfe {
		encoding = "utf-16be"
	}
	wide, _ := charset.New(encoding)
	text, _, _ := wide.Decode(head[:len(head)/2*2])
	text = strings.TrimLeft(strings.TrimPrefix(text, input.ByteOrderMark), " \t\r\n")
	if strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[") {
		return encoding, nil
	}
	return "", nil
}

// isEmptyTar recognises an archive without entries by its name and the zeros that end every
// archive.
func isEmptyTar(in *input.File) (bool, error) {
	const end = 1024
	name := input.UnpackedName(strings.ToLower(in.Name))
	if ext := filepath.Ext(name); ext != ".tar" && ext != ".tgz" && ext != ".txz" && ext != ".tbz2" && ext != ".tzst" {
		return false, nil
	}
	head, err := in.Peek(end)
	return err == nil && len(head) == end && len(bytes.TrimLeft(head, "\x00")) == 0, err
}

// archives are the signatures of packed files that are not read.
var archives = []struct{ magic, kind string }{
	{"\xfd7zXZ\x00", "compressed with xz twice"},
	{"BZh", "compressed with bzip2 twice, or cut off"},
	{"\x28\xb5\x2f\xfd", "compressed with zstd twice"},
	{"Rar!\x1a\x07", "a RAR archive"},
	{"7z\xbc\xaf\x27\x1c", "a 7z archive"},
	{"\x1f\x8b", "compressed with gzip twice"},
}

// almostArray matches the beginning of arrays that are no JSON, as Python prints them.
var almostArray = pattern.Lazy(`^\[\s*(\{|(` + almostValues + `)\s*[,\]])`)

const almostValues = `NaN|nan|-?Infinity|-?inf|None|True|False|undefined|'[^'\n]*'`

// beginsArray reports whether a text in brackets is the beginning of a JSON array, or of one that
// is meant as such, and not of a line such as "[10:21] Ann: ..." or "[INFO] ...".
func beginsArray(head []byte) bool {
	head = bytes.TrimLeft(head, " \t\r\n")
	if almostArray().Match(head) {
		return true
	}
	d := json.NewDecoder(bytes.NewReader(head))
	for range 3 { // the bracket and two of what is within
		t, err := d.Token()
		if rest := bytes.TrimLeft(head[d.InputOffset():], " \t\r\n"); t == json.Delim(']') && len(rest) > 0 && bytes.IndexByte([]byte("[{,"), rest[0]) < 0 {
			return false // a time before a line of a log
		}
		if errors.As(err, new(*json.SyntaxError)) {
			return bytes.HasSuffix(bytes.TrimSpace(head[:d.InputOffset()]), []byte(",")) // as in [1, NaN]
		} else if err != nil {
			return d.InputOffset() > 0
		}
	}
	return true
}

// formatByLook guesses a format of text from the first lines that are neither blank nor comments.
func formatByLook(head []byte) string {
	if bytes.IndexByte(head, 0) >= 0 {
		return ""
	}
	if text.LooksLikeMbox(head) {
		return "mbox"
	}
	head = bytes.TrimPrefix(head, []byte(input.ByteOrderMark))
	if input.OldLineEnds(head) {
		head = bytes.ReplaceAll(head, []byte("\r"), []byte("\n"))
	}
	if f := matrix.FormatOfText(head); f != "" {
		return f
	}
	all := head
	for len(head) > 0 {
		line, rest, whole := bytes.Cut(head, []byte("\n"))
		array := head
		head = rest
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		if list, ok := lexical.Vector(string(line)); ok && len(list) > 1 {
			return "csv"
		}
		if line[0] == '[' && beginsArray(array) {
			return "json"
		}
		if line[0] == '{' {
			return "jsonl"
		}
		format, decided := matrix.FormatOfLine(line, whole)
		switch {
		case !decided:
			continue
		case (format == "" || format == "csv") && table.Looks(all):
			return "csv"
		case format == "csv" && whole:
			return ""
		}
		return format
	}
	return ""
}

// ReadsSingle reports whether files of the format are read in single precision as they come, with
// ReadOptions.Single; other dense files are converted once they were read in double precision. A
// .npy file in Fortran's order is too, and one that is transposed.
func ReadsSingle(format string) bool {
	return slices.Contains([]string{"idx", "npy", "hdf5", "safetensors", "word2vec"}, format)
}
