package text

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/counting"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/corpus/internal/records"
	"github.com/eigenmap/eigenmap/internal/regular"
)

// partFormats are the formats of which several files make one corpus.
var partFormats = []string{"jsonl", "parquet", xmlFormat}

// partNames are these formats in words.
var partNames = map[string]string{"jsonl": "JSON lines", "parquet": "Parquet", xmlFormat: "XML"}

// listFormat is the format of a file that lists the files of a corpus.
const listFormat = "list"

// part is one file of a corpus of several.
type part struct {
	path   string
	format string // one of partFormats
	size   int64  // bytes on the disk; an empty file has no documents
	packed bool   // it is compressed
	// unpacked is the bytes of its content, of compressed JSON lines that several ranks read; else 0.
	unpacked int64
	about    int64       // about the bytes of its content, of compressed JSON lines beside such; else 0
	info     os.FileInfo // of the file when it was looked at
	bytes    []int64     // of each group of rows of a file of Parquet, for divided reading
	chunks   [][]extent  // of each group, its columns that are read
	footer   int64       // the byte at which the footer of a file of Parquet begins
}

// slice is what is read of a part here: the lines that begin in the bytes [lo, hi) of the content
// of JSON lines, or the groups of rows [lo, hi) of Parquet; all of it if hi is 0.
type slice struct {
	part
	lo, hi int64
}

// whole are the slices of all parts.
func whole(parts []part) []slice {
	slices := make([]slice, len(parts))
	for i, p := range parts {
		slices[i].part = p
	}
	return slices
}

// FolderParts lists the files of a folder that are one corpus, in the byte order of their names:
// the files of JSON lines or of Parquet in the folder itself. If there is none by name, files
// *.json, and beside a file _SUCCESS those without an extension, are JSON lines if their first line
// is a document. Names that begin with a dot are left out, and so are other files whose names begin
// with an underscore, such as _SUCCESS. It is nil for a folder of texts or of Reuters-21578, which
// format "folder" or "reuters" makes of every folder. A format of [Parts] takes its files alone;
// without a format the folder must not be readable in two ways, but for words on the data, and
// files of Parquet in folders below are parts too.
func FolderParts(dir, format string) ([]string, error) {
	if format != "" && !Parts(format) {
		return nil, nil
	}
	entries, err := os.ReadDir(dir) // sorted
	if err != nil {
		return nil, input.OpenError(dir, err)
	}
	paths, err := chooseParts(dir, format, entries, func(e fs.DirEntry) (string, error) { return extensionOf(e.Name()), nil })
	if err != nil || paths != nil {
		return paths, err
	}
	paths, some, err := looseParts(dir, format, entries)
	if err == nil && (paths == nil || !some) && (format == "" || format == xmlFormat) {
		if paths, err = xmlParts(dir, format, entries); err != nil || paths != nil {
			return paths, err
		}
	}
	if !some && format == "" {
		return deepParts(dir)
	}
	if paths == nil && err == nil && format != "" {
		err = input.Failf(dir, "", "holds no file of %s in itself; name another folder, or a file", partNames[format])
	}
	return paths, err
}

// looseParts is the files of JSON lines under other names than theirs; some says that one of them
// has a document, or that all are the output of a job.
func looseParts(dir, format string, entries []fs.DirEntry) (paths []string, some bool, err error) {
	job := slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == jobMark })
	some = job // an empty file is a part only beside others
	paths, err = chooseParts(dir, format, entries, func(e fs.DirEntry) (string, error) {
		path := filepath.Join(dir, e.Name())
		if !looseName(e.Name(), job) {
			return "", nil
		}
		if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
			return "", nil // what reads the folder skips or refuses it
		}
		first, whole, err := firstLine(path)
		if err != nil || len(first) > 0 && (first[0] != '{' || whole && !hasField(first, "text")) {
			return "", err
		}
		some = some || len(first) > 0
		return "jsonl", nil
	})
	return paths, some, err
}

// xmlParts is the files *.xml of a folder that hold records, by the first of them; nil if they are
// one text each. Those of a folder with others must have many records: a project of programs has
// lists of settings in XML, and a law or a play has sections.
func xmlParts(dir, format string, entries []fs.DirEntry) ([]string, error) {
	const asked = 3
	looked := 0
	others := slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		return !input.IsHidden(e.Name()) && !strings.HasPrefix(e.Name(), "_") && (e.IsDir() || !records.Named(e.Name()))
	})
	for _, e := range entries {
		if !records.Named(e.Name()) || input.IsHidden(e.Name()) || e.IsDir() || looked == asked || format != "" {
			continue
		}
		looked++
		if holds, err := holdsRecords(filepath.Join(dir, e.Name()), others); err != nil || !holds {
			return nil, err
		}
	}
	return chooseParts(dir, format, entries, func(e fs.DirEntry) (string, error) {
		if records.Named(e.Name()) {
			return xmlFormat, nil
		}
		return extensionOf(e.Name()), nil
	})
}

// holdsRecords reports whether the records of a file of XML are found and are documents rather than
// sections of one; with many there must be many of them.
func holdsRecords(path string, many bool) (bool, error) {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() || info.Size() == 0 {
		return false, nil // what reads the folder skips or refuses it
	}
	in, done, err := input.Open(context.Background(), path, input.Limits{})
	if err != nil {
		return false, err
	}
	defer done()
	r, err := records.Open(in, nil, nil, "", in.Mem.Limit/lineShare)
	if err == nil {
		return r.Choice().Many || r.Choice().Listed && !many, nil
	}
	if errors.Is(err, records.ErrNone) {
		return false, nil
	}
	var fault *input.FormatError
	if errors.As(err, &fault) { // said again where the file is read
		return !many, nil
	}
	return false, err
}

// jobMark is the file that Hadoop and Spark write beside the output of a job that is done.
const jobMark = "_SUCCESS"

// looseName says whether a file may hold JSON lines under another name than theirs: *.json, or one
// without an extension in the output of a job.
func looseName(name string, job bool) bool {
	switch filepath.Ext(input.UnpackedName(strings.ToLower(name))) {
	case ".json":
		return true
	case "":
		return job && !strings.HasPrefix(name, "_")
	}
	return false
}

// firstLine is the first line of a file, packed or not, that is not blank; whole is false if only
// its first bytes were looked at. It is empty if there is none.
func firstLine(path string) (line []byte, whole bool, err error) {
	if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Size() == 0 {
		return nil, true, nil
	}
	in, done, err := input.Open(context.Background(), path, input.Limits{})
	if err != nil {
		return nil, false, err
	}
	defer done()
	head, err := in.Peek(longestFirst)
	if err != nil {
		return nil, false, err
	}
	rest := bytes.TrimLeft(bytes.TrimPrefix(head, []byte(input.ByteOrderMark)), " \t\r\n")
	line, _, cut := bytes.Cut(rest, []byte("\n"))
	return bytes.TrimSpace(slices.Clone(line)), cut || len(head) < longestFirst, nil
}

// longestFirst is how many bytes of a file are looked at for its first line.
const longestFirst = 64 << 10

// chooseParts is the files of a folder whose kind is a format of [Parts], nil if there is none.
func chooseParts(dir, format string, entries []fs.DirEntry, kindOf func(e fs.DirEntry) (string, error)) ([]string, error) {
	var paths, kinds []string
	others, first := 0, ""
	for _, e := range entries {
		name := e.Name()
		if input.IsHidden(name) {
			continue
		}
		kind, err := kindOf(e)
		switch {
		case err != nil:
			return nil, err
		case strings.HasPrefix(name, "_") && !Parts(kind):
		case format == "" && !Parts(kind) && !e.IsDir() && (IsAbout(name) || IsMedia(name)):
		case !Parts(kind) || e.IsDir() || format != "" && kind != format:
			if others++; others == 1 {
				first = name
			}
		default:
			paths = append(paths, filepath.Join(dir, name))
			kinds = append(kinds, kind)
		}
	}
	if len(paths) == 0 || format == "" && areFew(len(paths), others) {
		return nil, nil
	}
	if format == "" && others > 0 {
		return nil, input.Failf(dir, "", "holds %s (first: %s) and %s (first: %s), so it can be read as these files or as a folder of texts; give ‹input-format› %s to read the former alone, or folder to read every file as one text",
			message.Plural(len(paths), "file of documents", "files of documents"), message.Clip(filepath.Base(paths[0]), 60), message.Plural(others, "other name", "other names"), message.Clip(first, 60), kinds[0])
	}
	if k := slices.IndexFunc(kinds, func(kind string) bool { return kind != kinds[0] }); k >= 0 {
		return nil, input.Failf(dir, "", "holds %s and %s (first: %s and %s), which may be the same documents twice; give ‹input-format› %s or %s, or a .list of the files",
			partNames[kinds[0]], partNames[kinds[k]], message.Clip(filepath.Base(paths[0]), 60), message.Clip(filepath.Base(paths[k]), 60), kinds[0], kinds[k])
	}
	seen := make(map[string]string, len(paths))
	for _, p := range paths {
		name := input.UnpackedName(p)
		if other, twice := seen[name]; twice {
			return nil, input.Failf(dir, "", "the files %s and %s would be the same documents twice; remove one of them", message.Clip(filepath.Base(other), 120), message.Clip(filepath.Base(p), 120))
		}
		seen[name] = p
	}
	return paths, nil
}

// Parts says whether several files of a format can be one corpus.
func Parts(format string) bool { return slices.Contains(partFormats, format) }

// extensionOf is the format of a file's name; "" if the name has none of [Extensions].
func extensionOf(name string) string {
	return Extensions[filepath.Ext(input.UnpackedName(strings.ToLower(name)))]
}

// ReadParts reads several files of JSON lines or of Parquet as one corpus, in their order. file is
// the folder that holds them. The result has the format of the files. Memory is as for [Read].
func ReadParts(file *input.File, paths []string, opt ReadOptions) (*counting.Collection, error) {
	in := &source{File: file, opt: opt}
	parts, err := in.parts(paths, nil)
	if err != nil {
		return nil, err
	}
	c, err := in.readParts(parts)
	if err == nil {
		c.Notes = append([]string{PartsNote(paths, false)}, c.Notes...)
	}
	return finish(file, c, formatOf(parts), err)
}

// formatOf returns the format that all parts have, else the format of a list.
func formatOf(parts []part) string {
	for _, p := range parts {
		if p.format != parts[0].format {
			return listFormat
		}
	}
	return parts[0].format
}

// PartsNote says which files a corpus is in, and whether a list gave their order.
func PartsNote(paths []string, list bool) string {
	order := "in the order of their names"
	if list {
		order = "in the order of the list"
	}
	if len(paths) == 1 {
		return fmt.Sprintf("The corpus is the file %s.", message.Clip(filepath.Base(paths[0]), 120))
	}
	return fmt.Sprintf("The corpus is %d files, %s to %s, %s.", len(paths), message.Clip(filepath.Base(paths[0]), 60), message.Clip(filepath.Base(paths[len(paths)-1]), 60), order)
}

// readList reads the files that a list names, one path per line, relative to the folder of the
// list. Empty lines and lines that begin with # are ignored.
func readList(in *source) (*counting.Collection, error) {
	paths, places, err := in.listed()
	if err != nil {
		return nil, err
	}
	parts, err := in.parts(paths, places)
	if err != nil {
		return nil, err
	}
	c, err := in.readParts(parts)
	if err != nil {
		return nil, err
	}
	c.Format = formatOf(parts)
	c.Notes = append([]string{PartsNote(paths, true)}, c.Notes...)
	return c, nil
}

// Listed are the files that a list names, each of a format of [Parts].
func Listed(file *input.File, opt ReadOptions) ([]string, error) {
	in := &source{File: file, opt: opt}
	paths, places, err := in.listed()
	if err == nil {
		_, err = in.parts(paths, places)
	}
	return paths, err
}

// Named are the paths in a list, whatever is there; nil for a file that is no list.
func Named(file *input.File) []string {
	paths, _, _ := (&source{File: file}).listed()
	return paths
}

// listed are the files that a list names, and its lines that name them.
func (in *source) listed() (paths, places []string, err error) {
	first := make(map[string]int)
	for r := input.NewLines(in.File); ; {
		line, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, nil, err
		}
		if r.Number == 1 {
			if wide := input.WideEncoding(line); wide != "" {
				return nil, nil, in.Fail("", "%s", input.WideRefusal(wide))
			}
		}
		name := strings.TrimSpace(strings.TrimPrefix(string(line), input.ByteOrderMark))
		if name == "" || strings.HasPrefix(name, "#") {
			continue
		}
		if strings.ContainsRune(name, 0) || len(name) > longestPath {
			return nil, nil, in.Fail(r.Place(), "is not the path of a file; write one path per line, or give the file's format with ‹input-format›")
		}
		if !filepath.IsAbs(name) {
			name = filepath.Join(filepath.Dir(in.Path), filepath.FromSlash(name))
		}
		if err := in.Mem.Take(counting.DocumentBytes+int64(len(name)), 2); err != nil {
			return nil, nil, in.Wrap(r.Place(), err)
		}
		name = filepath.Clean(name)
		if k, twice := first[name]; twice {
			return nil, nil, in.Fail(r.Place(), "names the file that is in %s already; name each file once", places[k])
		}
		first[name] = len(paths)
		paths, places = append(paths, name), append(places, r.Place())
	}
	if len(paths) == 0 {
		return nil, nil, input.NoDocuments(in.Fail("", "names no file; write one path per line"))
	}
	return paths, places, nil
}

// longestPath is the most bytes of a path in a list.
const longestPath = 4096

// parts looks at the files of a corpus: their formats and sizes. places are the lines of a list
// that name them; nil for a folder.
func (in *source) parts(paths, places []string) ([]part, error) {
	parts := make([]part, len(paths))
	var seen []os.FileInfo
	for i, path := range paths {
		if err := in.Ctx.Err(); err != nil {
			return nil, err
		}
		p, err := in.look(path)
		if err != nil && places != nil && errors.Is(err, fs.ErrNotExist) {
			way := "check the path, which is relative to the list's folder"
			if strings.ContainsAny(path, "*?[") {
				way = "write one path per line; patterns are not expanded"
			}
			return nil, input.Failf(in.Name, places[i], "names %s, which is not there; %s", message.Clip(path, 200), way)
		}
		if err != nil {
			return nil, err
		}
		if same := slices.IndexFunc(seen, func(other os.FileInfo) bool { return os.SameFile(other, p.info) }); same >= 0 {
			return nil, input.Failf(in.Name, placeOf(places, i), "%s and %s are one file; name it once", message.Clip(path, 200), message.Clip(parts[same].path, 200))
		}
		if p.format == "" {
			file, place := path, ""
			if places != nil {
				file, place = in.Name, places[i]
			}
			return nil, input.Failf(file, place, "%s is neither JSON lines, Parquet nor XML of records; leave it out", message.Clip(filepath.Base(path), 120))
		}
		parts[i], seen = p, append(seen, p.info)
	}
	return parts, nil
}

// placeOf is the line of a list that names file i; "" of a folder.
func placeOf(places []string, i int) string {
	if places == nil {
		return ""
	}
	return places[i]
}

// look finds the format of a file by its content, else by its name; "" for none.
func (in *source) look(path string) (part, error) {
	f, size, err := regular.Open(path)
	if err != nil {
		return part{}, input.OpenError(path, err)
	}
	defer f.Close()
	head := make([]byte, 512)
	n, err := io.ReadFull(f, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return part{}, (&input.File{Ctx: in.Ctx, Name: path}).Wrap("", err)
	}
	head = head[:n]
	info, err := f.Stat()
	if err != nil {
		return part{}, input.OpenError(path, err)
	}
	p := part{path: path, format: FormatByMagic(head), size: size, packed: input.IsPacked(head), info: info}
	if p.format == "" {
		p.format = extensionOf(path)
	}
	if p.format == "json" {
		p.format = "" // by the first line
	}
	if p.format == "" {
		first, _, err := firstLine(path)
		if err != nil {
			return part{}, err
		}
		if bytes.HasPrefix(first, []byte("{")) || len(first) == 0 && looseName(filepath.Base(path), true) {
			p.format = "jsonl"
		} else if records.Looks(first) || records.Named(path) && bytes.HasPrefix(first, []byte("<")) {
			p.format = xmlFormat
		}
	}
	if !Parts(p.format) {
		p.format = ""
	}
	return p, nil
}

// unchanged refuses parts whose files are not what they were when they were looked at: what was
// planned by that, or read, would not be of one content.
func unchanged(parts []part) error {
	for _, p := range parts {
		info, err := os.Stat(p.path)
		if err != nil {
			return input.OpenError(p.path, err)
		}
		if !os.SameFile(info, p.info) || info.Size() != p.info.Size() || !info.ModTime().Equal(p.info.ModTime()) {
			return input.Failf(p.path, "", "changed while it was read: run the command again when nothing writes to it")
		}
	}
	return nil
}

// readParts counts the documents of several files.
func (in *source) readParts(parts []part) (*counting.Collection, error) {
	if len(parts) > 1 {
		in.opt.PageColumns = nil // each may have other columns
	}
	if err := in.lookAtParts(parts); err != nil {
		return nil, in.blame(parts, err)
	}
	in.partNotes = true
	_, c, err := in.countTexts(in.slices(whole(parts), len(parts) > 1), nil)
	if err != nil {
		return nil, in.blame(parts, err)
	}
	in.Finished()
	return c, nil
}

// slices emits the documents of slices of files.
func (in *source) slices(list []slice, several bool) func(emit func(counting.Batch) bool) error {
	for _, s := range list {
		if s.hi > 0 && s.format == "jsonl" && !s.packed {
			in.Expect(s.hi - s.lo)
		} else {
			in.Expect(s.size)
		}
	}
	return func(emit func(counting.Batch) bool) error {
		for _, s := range list {
			more := true
			err := in.slice(s, several, func(b counting.Batch) bool {
				more = emit(b)
				return more
			})
			if err != nil || !more {
				return err
			}
		}
		return nil
	}
}

// slice emits the documents of one slice.
func (in *source) slice(s slice, several bool, emit func(counting.Batch) bool) error {
	if s.size == 0 {
		return nil
	}
	open := in.Part
	if s.hi > 0 && s.format == "jsonl" && !s.packed {
		open = func(path string) (*input.File, func(), error) { return in.Section(path, max(0, s.lo-1)) }
	}
	file, done, err := open(s.path)
	if err != nil {
		return err
	}
	defer done()
	from := &counting.Origin{Ctx: in.Ctx, File: s.path, Several: several, Unit: "line"}
	if s.format == "parquet" {
		from.Unit = "row"
		rows, err := in.openParquet(file, from)
		if err != nil {
			return err
		}
		defer rows.close()
		if s.hi > 0 {
			rows.next, rows.until = int(s.lo), min(rows.until, int(s.hi))
		}
		return rows.batches(emit)
	}
	if s.format == xmlFormat {
		x, err := in.openRecords(file)
		if err == nil {
			x.from.Several = several
			err = x.batches(emit)
		}
		if in.partNotes {
			in.Notes = append(in.Notes, file.Notes...)
		}
		return file.Wrap("", err)
	}
	lines := in.jsonLines(file, from)
	if lines.until = s.hi; s.packed && s.hi == s.unpacked { // to the checksum behind the content
		lines.until = 0
	}
	if s.lo > 0 {
		var err error
		if s.packed { // what is before it is unpacked too
			_, err = io.CopyN(io.Discard, file.Stream, s.lo-1)
		}
		if err == nil {
			err = lines.skip(s.lo)
		}
		if err != nil {
			return file.Wrap("", err)
		}
	}
	return file.Wrap("", lines.batches(emit))
}

// blame is [input.File.Blame] of the part that an error is about.
func (in *source) blame(parts []part, err error) error {
	for _, p := range parts {
		if p.size == 0 || !input.IsAbout(err, p.path) {
			continue
		}
		if file, done, failed := in.Part(p.path); failed == nil {
			defer done()
			return file.Blame(err)
		}
	}
	return err
}
