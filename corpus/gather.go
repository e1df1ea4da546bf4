package corpus

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
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
}

// base is the name of the file without extensions.
func (m member) base() string {
	name := path.Base(input.UnpackedName(m.path))
	return strings.TrimSuffix(name, path.Ext(name))
}

// Bounds of what is gathered: the most files of lines that are classes, of which each has so many
// lines, and the most classes by the names of files.
const (
	mostLineFiles = 5
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
		case m.size == 0 || text.IsMedia(m.path) || isAbout(m.base()):
		case kind == ".csv" || kind == ".tsv":
			g.tables = append(g.tables, m)
		case kind == ".json":
			g.objects = append(g.objects, m)
		case kind == ".txt":
			g.lines = append(g.lines, m)
		default:
			g.others++
		}
	}
	return g
}

// isAbout reports whether a file without its extension is one of words on the data beside it, such
// as README or LICENSE-data; citations are data.
func isAbout(base string) bool {
	base = strings.ToLower(base)
	return slices.ContainsFunc([]string{"readme", "license", "licence", "copying", "citation", "changelog", "notice", "datasheet"}, func(name string) bool {
		rest, is := strings.CutPrefix(base, name)
		return is && (rest == "" || strings.ContainsAny(rest[:1], "-_. 0123456789"))
	})
}

// gathered is a corpus in several files that each hold documents: a table of the rows of all, or
// JSON lines of the objects of all.
type gathered struct {
	table *table.Table
	lines *input.File
	opt   ReadOptions
	close func()
}

// gather finds out whether the files of a folder or an archive are one corpus: tables with the same
// columns, files of JSON, or two to five texts with a document on each line. Their folders or names
// are the classes, if these are words and the documents have no other. It returns nil if the files
// are others, which are texts. labelled says that the labels are given.
func gather(in *input.File, list []member, opt ReadOptions, labelled bool) (*gathered, error) {
	if opt.Format != "" || opt.Vectors || opt.Split != nil || opt.outline != nil {
		return nil, nil
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
	case opt.UsualFormat != "folder" && len(g.lines) > 1 && len(g.lines) <= mostLineFiles && g.others+len(g.tables)+len(g.objects) == 0:
		out, err := gatherLines(in, g.lines, opt, labelled)
		return found(out, 0, err)
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

// classesOf returns the class of each file: its folder, where there are several, or its name; nil
// if neither are classes. Files beside the folders are left out of kept.
func classesOf(list []member, names bool) (kept []member, classes []string) {
	shared := strings.Split(path.Dir(list[0].path), "/")
	for _, m := range list {
		dirs := strings.Split(path.Dir(m.path), "/")
		n := 0
		for n < min(len(shared), len(dirs)) && shared[n] == dirs[n] {
			n++
		}
		shared = shared[:n]
	}
	prefix := ""
	if len(shared) > 0 && shared[0] != "." {
		prefix = strings.Join(shared, "/") + "/"
	}
	var folders []string
	inner, beside := int64(0), int64(0)
	for _, m := range list {
		if folder, _, inside := strings.Cut(strings.TrimPrefix(m.path, prefix), "/"); inside {
			kept, folders = append(kept, m), append(folders, folder)
			inner += m.size
		} else {
			beside += m.size
		}
	}
	if beside > inner && len(slices.Compact(slices.Sorted(slices.Values(folders)))) == 1 {
		return list, nil // the folder is beside the files
	}
	if len(folders) > 0 {
		if areClasses(folders, mostFileNames*mostFileNames, true) {
			return kept, folders
		}
		return kept, nil
	}
	if !names {
		return list, nil
	}
	for _, m := range list {
		classes = append(classes, m.base())
	}
	if !areClasses(classes, mostFileNames, false) {
		classes = nil
	}
	return list, classes
}

// partWords are names of files and folders that are parts of a corpus, and no classes.
var partWords = []string{"train", "training", "test", "testing", "dev", "devel", "val", "valid", "validation", "eval", "evaluation", "unlabeled", "unlabelled", "data", "part", "all", "full", "sample", "new", "old"}

// areClasses reports whether folders or files are named by classes. There are two names or more.
// They do not name parts of a corpus, and names of files have no numbers. A single one may hold a
// word of parts, as new_york does, and of many, such as channels of Slack, some may be called test.
func areClasses(names []string, most int, folders bool) bool {
	distinct := slices.Compact(slices.Sorted(slices.Values(names)))
	if len(distinct) < 2 || len(distinct) > most || !folders && len(distinct) < len(names) {
		return false
	}
	if !folders && slices.ContainsFunc(distinct, func(name string) bool { return strings.ContainsAny(name, "0123456789") }) {
		return false
	}
	rests := make(map[string]int) // what is beside a word of parts, such as spam of spam_train, and how often
	for _, name := range distinct {
		words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return strings.ContainsRune("-_. 0123456789", r) })
		n := len(words)
		if words = slices.DeleteFunc(words, isPart); len(words) < n {
			rests[strings.Join(words, " ")]++
		}
	}
	parts := 0
	for rest, n := range rests {
		if n > 1 || rest == "" && !folders {
			parts += n
		}
	}
	const few = 5 // names, of which some of parts make all of them parts
	return parts == 0 || len(distinct) > few && 2*parts < len(distinct)
}

// isPart reports whether a word in lower case is one of partWords.
func isPart(word string) bool { return slices.Contains(partWords, word) }

// expect adds the bytes of the files of a folder to those that progress is reported of.
func expect(in *input.File, list []member) {
	if in.Stream != nil { // an archive, which was read
		return
	}
	for _, m := range list {
		in.Expect(m.size)
	}
}

// noteMembers says which files are the corpus, and where its classes are from.
func noteMembers(in *input.File, list []member, what string, all int, classes []string) {
	say := fmt.Sprintf("The corpus is %d %s, %s to %s, in the order of their paths", len(list), what, message.Clip(list[0].path, 60), message.Clip(list[len(list)-1].path, 60))
	if len(list) == 1 {
		say = fmt.Sprintf("The corpus is the file %s", message.Clip(list[0].path, 120))
	}
	if all > len(list) {
		say += fmt.Sprintf("; %s beside the folders left out", message.Plural(all-len(list), "file", "files"))
	}
	in.Notef("%s; ‹input-format› folder takes each file for one text.", say)
	if classes == nil {
		return
	}
	from := "names of the files"
	for i, m := range list {
		if classes[i] != m.base() {
			from = "names of the folders"
		}
	}
	in.LabelNotef("The classes are the %s; ‹label-column› none leaves them out.", from)
}
