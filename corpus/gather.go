package corpus

import (
	"bytes"
	"context"
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/corpus/internal/statfile"
	"github.com/eigenmap/eigenmap/corpus/internal/table"
	"github.com/eigenmap/eigenmap/corpus/internal/text"
)

// member is a file of a folder or of an archive.
type member struct {
	path string // inside the folder, with slashes
	size int64  // bytes on the disk
	open func() (*input.File, func(), error)
	look func() (*input.File, func(), error) // open, but its bytes are not counted as progress
	odd  bool                                // it is no file, such as a link to a folder
	// format is that of a table whose name does not say it; "": the name does.
	format string
	beside []string // files that are left out where this one is read for a folder
}

// base is the name of the file without extensions.
func (m member) base() string {
	name := path.Base(input.UnpackedName(m.path))
	return strings.TrimSuffix(name, path.Ext(name))
}

// Bounds of what is gathered: the most files of lines that are classes, each in so many parts and
// of so many lines, and the most classes by the names of files.
const (
	mostLineFiles = 5
	mostLineParts = 4
	leastLines    = 20
	mostFileNames = 50
)

// folderMembers are the files below a folder that are not hidden, in the order of their paths.
func folderMembers(in *input.File, root string) (list []member, err error) {
	err = filepath.WalkDir(root, func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case name != root && input.IsHidden(e.Name()):
			if e.IsDir() {
				return fs.SkipDir
			}
			return nil
		case e.IsDir():
			return in.Ctx.Err()
		}
		info, err := os.Stat(name)
		if err != nil || !info.Mode().IsRegular() {
			list = append(list, member{path: name, odd: true})
			return nil
		}
		inner, err := filepath.Rel(root, name)
		open := func() (*input.File, func(), error) { return in.Part(name) }
		look := func() (*input.File, func(), error) {
			return input.Open(in.Ctx, name, input.Limits{MaxBytes: in.Mem.Limit})
		}
		list = append(list, member{path: filepath.ToSlash(inner), size: info.Size(), open: open, look: look})
		return err
	})
	return list, err
}

// gatherable are the files of a folder that hold many documents each, or one in JSON.
type gatherable struct {
	tables, objects, lines []member
	others                 int // files that are neither pictures nor words on the data
	odd                    int // names of no files
}

// sortMembers tells the files by their names. Empty files have no documents.
func sortMembers(list []member) (g gatherable) {
	for _, m := range list {
		kind := path.Ext(input.UnpackedName(strings.ToLower(m.path)))
		switch {
		case m.odd:
			g.odd++
		case m.size == 0 || text.IsMedia(m.path) || text.IsAbout(m.path):
		case kind == ".csv" || kind == ".tsv":
			g.tables = append(g.tables, m)
		case kind == ".arrow" || kind == ".feather":
			m.format = "arrow"
			g.tables = append(g.tables, m)
		case slices.Contains(statfile.Formats(), formatByExtension(m.path)):
			m.format = formatByExtension(m.path)
			g.tables = append(g.tables, m)
		case kind == ".json" || kind == ".jsonl" || kind == ".ndjson":
			g.objects = append(g.objects, m)
		case kind == ".txt" || formatByExtension(m.path) == "" && !isOtherKind(kind):
			g.lines = append(g.lines, m)
		default:
			g.others++
		}
	}
	return g
}

// isOtherKind reports whether files with an extension are texts by its name: documents, pages and
// programs, whose lines are no documents.
func isOtherKind(extension string) bool {
	return slices.Contains([]string{".md", ".markdown", ".mdown", ".mkd", ".rst", ".html", ".htm", ".docx", ".odt", ".fodt", ".pptx", ".odp", ".fodp", ".doc", ".ppt", ".xls", ".epub", ".pdf", ".rtf", ".eml", ".msg", ".srt", ".vtt", ".cha", ".textgrid", ".tex", ".bib", ".ipynb",
		".c", ".h", ".cc", ".cpp", ".hpp", ".cs", ".css", ".go", ".java", ".js", ".jl", ".kt", ".lua", ".m", ".php", ".pl", ".py", ".r", ".rb", ".rs", ".scala", ".sh", ".sql", ".swift", ".ts", ".yaml", ".yml", ".toml", ".ini", ".cfg"}, extension)
}

// gathered is a corpus in several files that each hold documents: a table of the rows of all, or
// JSON lines of the objects of all.
type gathered struct {
	table *table.Table
	lines *input.File
	opt   ReadOptions
	close func()
}

// gather finds out whether the files of a folder or an archive are one corpus: tables with the
// same columns, files of references or of JSON, mailboxes, or texts of two to five classes with a
// document on each line. Their folders or names are the classes, if these are words and the
// documents have no other, but not of mailboxes and references. It returns nil if the files are
// others, which are texts. labelled says that the labels are given.
func gather(in *input.File, list []member, opt ReadOptions, labelled bool) (*gathered, error) {
	if opt.Format != "" || opt.Vectors || opt.Split != nil || opt.outline != nil {
		return nil, nil
	}
	if out, err := gatherMail(in, list, opt); out != nil || err != nil {
		return out, err
	}
	out, references, err := gatherReferences(in, list, opt)
	if out != nil || err != nil {
		return out, err
	}
	g := sortMembers(list)
	few := func(n, others int) bool { return n > 0 && (others == 0 || 10*others < n) }
	found := func(out *gathered, others int, err error) (*gathered, error) {
		if out != nil && others > 0 {
			in.Notef("%s of another kind in the folder left out.", message.Plural(others, "file", "files"))
		}
		if out != nil && g.odd > 0 {
			in.Notef("%s left out: links to folders or to nothing, or neither files nor folders.", message.Plural(g.odd, "name in the folder", "names in the folder"))
		}
		return out, err
	}
	besideTables, besideObjects := g.others+len(g.objects)+len(g.lines), g.others+len(g.tables)+len(g.lines)
	switch {
	case len(g.tables) > 1 && few(len(g.tables), besideTables):
		out, err := gatherTables(in, g.tables, opt, labelled)
		return found(out, besideTables, err)
	case few(len(g.objects), besideObjects):
		out, err := gatherObjects(in, g.objects, opt, labelled)
		return found(out, besideObjects, err)
	case opt.UsualFormat != "folder" && len(g.lines) > 1 && len(g.lines) <= mostLineFiles*mostLineParts && g.others+len(g.tables)+len(g.objects) == 0:
		out, err := gatherLines(in, g.lines, opt, labelled)
		return found(out, 0, err)
	}
	if references != "" {
		in.Notef("%s holds references and is one text, since not all files of the folder are such; read alone it is a document for each reference.", message.Clip(references, 60))
	}
	return nil, nil
}

// readMembers reads what gather finds; nil if it finds nothing.
func readMembers(in *input.File, list []member, opt ReadOptions, given *Labeling) (*Corpus, error) {
	g, err := gather(in, list, opt, given != nil)
	if g == nil || err != nil {
		return nil, err
	}
	defer g.close()
	if g.lines != nil {
		return readInput(g.lines, g.opt, given)
	}
	defer in.Finished()
	return readRows(in, g.table, "csv", g.opt, given)
}

// passMembers is pass of what gather finds; false if it finds nothing.
func (c *Contents) passMembers(in *input.File, list []member, opt ReadOptions) (bool, error) {
	g, err := gather(in, list, opt, false)
	if g == nil || err != nil {
		return false, err
	}
	defer g.close()
	if g.lines != nil {
		return true, c.passFile(g.lines, g.opt)
	}
	return true, c.passTable(in, g.table, g.opt)
}

// expect adds the bytes of the files of a folder to those that progress is reported of.
func expect(in *input.File, list []member) {
	if in.Stream != nil { // an archive, which was read
		return
	}
	for _, m := range list {
		in.Expect(m.size)
	}
}

// mostNamed is the divisor of the memory that may be taken, for the bytes of files of JSON lines
// whose names are classes, and shortName the fewest letters of such a name.
const (
	mostNamed = 8
	shortName = 3
)

// folderParts is text.FolderParts without files of JSON lines whose names are the classes of their
// documents, such as spam.jsonl and ham.jsonl: gather reads these. They fit into memory, and their
// first documents have no classes, and fields of the same names.
func folderParts(ctx context.Context, root string, opt ReadOptions) ([]string, error) {
	paths, err := text.FolderParts(root, opt.Format)
	if err != nil || paths == nil || opt.Format != "" || opt.Vectors || opt.Labels != "" || opt.LabelColumn != "" || opt.Split != nil || opt.Usual.Label != "" && opt.Usual.Label != classColumn {
		return paths, err
	}
	in := input.NewFolder(ctx, root, opt.limits())
	list, err := folderMembers(in, root)
	if err != nil {
		return nil, in.Wrap("", err)
	}
	g, bytes := sortMembers(list), int64(0)
	if len(g.objects) < len(paths) || g.others+len(g.tables)+len(g.lines) > 0 || len(classesOf(g.objects).classes) == 0 {
		return paths, nil
	}
	var fields []string // of the first file
	for _, m := range g.objects {
		if kind := path.Ext(input.UnpackedName(strings.ToLower(m.path))); kind == ".json" {
			return paths, nil
		}
		bytes += m.size
		names, err := fieldNames(m)
		if err != nil || slices.ContainsFunc(names, hasClasses) || len(m.base()) < shortName {
			return paths, err
		}
		both := 0
		for _, name := range names {
			if slices.Contains(fields, name) {
				both++
			}
		}
		if fields == nil {
			fields, both = names, len(names)
		}
		if both == 0 || 2*both < max(len(names), len(fields)) {
			return paths, nil
		}
	}
	if bytes > in.Mem.Limit/mostNamed {
		return paths, nil
	}
	return nil, nil
}

// fieldNames are the names of the fields of the first objects of a file of JSON lines, sorted.
func fieldNames(m member) ([]string, error) {
	in, done, err := m.look()
	if err != nil {
		return nil, err
	}
	defer done()
	head, err := in.Peek(input.HeadSize)
	if err != nil {
		return nil, err
	}
	names := make(map[string]bool)
	for line := range bytes.Lines(head) {
		var object map[string]json.RawMessage
		if json.Unmarshal(line, &object) == nil {
			for name := range object {
				names[name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(names)), nil
}
