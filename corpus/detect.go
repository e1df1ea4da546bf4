package corpus

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
)

// Formats returns the names that ReadOptions.Format may have.
func Formats() []string {
	return []string{"mat", "mtx", "svm", "npy", "npz", "csv", "tsv", "jsonl", "reuters", "mbox", "idx", "folder"}
}

// TextFormats returns those of [Formats] that hold raw text, to which ReadOptions.Text applies.
func TextFormats() []string { return []string{"jsonl", "reuters", "mbox", "folder"} }

func knownFormat(name string) bool { return slices.Contains(Formats(), name) }

// extensions maps a lower-case extension to its format.
var extensions = map[string]string{
	".mat": "mat", ".mtx": "mtx", ".mm": "mtx",
	".svm": "svm", ".libsvm": "svm", ".svmlight": "svm",
	".npy": "npy", ".npz": "npz", ".csv": "csv", ".tsv": "tsv",
	".jsonl": "jsonl", ".ndjson": "jsonl", ".sgm": "reuters", ".sgml": "reuters", ".mbox": "mbox", ".idx": "idx",
}

// formatByExtension returns the format that a path's extension says, looking below .gz and .xz; "" for none.
func formatByExtension(path string) string {
	lower := strings.ToLower(path)
	return extensions[filepath.Ext(unpackedName(lower))]
}

// headSize is how much of a file is looked at to recognise its format.
const headSize = 4096

// detect returns the format of the content.
func detect(in *input) (string, error) {
	if empty, err := in.isEmptyTar(); err != nil {
		return "", err
	} else if empty {
		return "", in.fail("", "the archive is empty; put one text a file into it, in one folder for each class")
	}
	if in.opt.Format == "folder" {
		return "", in.fail("", "is a file, where a folder of texts or a .tar of one is needed; name the folder or leave out --input-format")
	}
	if in.opt.Format != "" {
		return in.opt.Format, nil
	}
	head, err := in.peek(headSize)
	if err != nil {
		return "", err
	}
	if len(head) == 0 {
		return "", in.fail("", "the file is empty; give a file with at least one document")
	}
	if f := formatByMagic(head); f != "" {
		return f, nil
	}
	for _, a := range archives {
		if bytes.HasPrefix(head, []byte(a.magic)) {
			return "", in.fail("", "is %s, which is not read here; unpack it (a .tar, .tar.gz or .tar.xz may stay packed) and name the file or folder inside", a.kind)
		}
	}
	if f := formatByExtension(in.name); f != "" {
		return f, nil
	}
	const single = "one text a file belongs into a folder: put this one into one, with the others, and name the folder"
	if strings.EqualFold(filepath.Ext(in.name), ".eml") && !looksLikeMbox(head) {
		return "", in.fail("", "is one message; %s", single)
	}
	if f := formatByLook(head); f != "" {
		in.notef("The format %s was recognised by the content.", f)
		return f, nil
	}
	formats := strings.Join(Formats(), ", ")
	switch wide := wideEncoding(head); {
	case wide != "":
		return "", in.fail("", "the format cannot be told, it %s; or say the format with --input-format (%s)", wideRefusal(wide), formats)
	case bytes.IndexByte(head, 0) < 0:
		return "", in.fail("", "the format cannot be told from name or content; if it is a text, %s; else say the format with --input-format (%s)", single, formats)
	}
	return "", in.fail("", "the format cannot be told from name or content; say it with --input-format (%s)", formats)
}

// isEmptyTar recognises an archive without entries by its name and the zeros that end every archive.
func (in *input) isEmptyTar() (bool, error) {
	const end = 1024
	name := unpackedName(strings.ToLower(in.name))
	if ext := filepath.Ext(name); ext != ".tar" && ext != ".tgz" && ext != ".txz" {
		return false, nil
	}
	head, err := in.peek(end)
	return err == nil && len(head) == end && len(bytes.TrimLeft(head, "\x00")) == 0, err
}

var archives = []struct{ magic, kind string }{
	{"\xfd7zXZ\x00", "compressed with xz twice"},
	{"BZh", "compressed with bzip2"},
	{"\x28\xb5\x2f\xfd", "compressed with zstd"},
	{"7z\xbc\xaf\x27\x1c", "a 7z archive"},
	{"\x1f\x8b", "compressed with gzip twice"},
}

// formatByMagic recognises formats that begin with a signature.
func formatByMagic(head []byte) string {
	switch {
	case bytes.HasPrefix(head, []byte("%%MatrixMarket")):
		return "mtx"
	case bytes.HasPrefix(head, []byte("\x93NUMPY")):
		return "npy"
	case bytes.HasPrefix(head, []byte("PK\x03\x04")), bytes.HasPrefix(head, []byte("PK\x05\x06")):
		return "npz"
	case bytes.HasPrefix(head, []byte("<!DOCTYPE lewis")), bytes.HasPrefix(head, []byte(reutersOpen+" ")):
		return "reuters"
	case bytes.HasPrefix(head, []byte("MATLAB ")), isHDF5(head):
		return "mat"
	case len(head) >= 4 && head[0] == 0 && head[1] == 0 && idxKinds[head[2]].size() > 0 && head[3] >= 1 && head[3] <= 4:
		return "idx"
	}
	return ""
}

// isHDF5 recognises HDF5, which may begin after a user block of 512 bytes or a power of two times that.
func isHDF5(head []byte) bool {
	magic := []byte("\x89HDF\r\n\x1a\n")
	for off := 0; off+len(magic) <= len(head); off = max(512, 2*off) {
		if bytes.HasPrefix(head[off:], magic) {
			return true
		}
	}
	return false
}

// formatByLook guesses text formats from the first line that says something.
func formatByLook(head []byte) string {
	if bytes.IndexByte(head, 0) >= 0 {
		return ""
	}
	if looksLikeMbox(head) {
		return "mbox"
	}
	head = bytes.TrimPrefix(head, []byte("\ufeff"))
	for len(head) > 0 {
		line, rest, whole := bytes.Cut(head, []byte("\n"))
		head = rest
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		if line[0] == '{' {
			return "jsonl"
		}
		fields := bytes.Fields(line)
		if len(fields) > 1 {
			_, _, pair, err := parsePair(fields[1])
			if pair && err == nil {
				return "svm"
			}
		}
		if bytes.ContainsAny(line, "\t") {
			return "tsv"
		}
		if bytes.ContainsAny(line, ",;") || len(fields) > 1 && allNumbers(fields, whole) {
			return "csv"
		}
		// A line that holds a label alone says nothing about what follows it.
		if len(fields) > 1 {
			return ""
		}
	}
	return ""
}

// allNumbers reports whether every field is a number; the last may be cut off by the end of the head.
func allNumbers(fields [][]byte, whole bool) bool {
	if !whole {
		fields = fields[:len(fields)-1]
	}
	for _, f := range fields {
		if _, ok := parseNumber(string(f)); !ok {
			return false
		}
	}
	return true
}
