package text

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/eigenmap/eigenmap/corpus/internal/counting"
	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
)

// classFolders are the values of ReadOptions.ClassFolder.
var classFolders = []string{"first", "last", "none"}

// textFile is a file of a folder with the id and class of its document.
type textFile struct {
	path      string // inside the folder, with slashes
	id, class string
}

// document is the file's document without its text.
func (f *textFile) document() counting.Document {
	return counting.Document{ID: f.id, HasID: true, Label: f.class, HasLabel: f.class != ""}
}

// folderPlan decides on ids and classes of a folder's files by their paths.
//
// A folder is divided into parts if its sub-folders are named train, test and the like, each with
// folders inside and no two alike: 20news-bydate-train/ and 20news-bydate-test/, or train/ and
// test/ of aclImdb. The folders in the parts are then the classes, except unsup, unlabeled and
// unlabelled, whose files have no class. Ids begin with the part's short name
// (train/alt.atheism/49960), and files beside the class folders are left out.
type folderPlan struct {
	files  []textFile
	parts  map[string]string // folder of a part -> its short name; nil if the folder is not divided
	beside int               // number of files left out beside the class folders
	first  string
	none   string // the folder whose documents have no class

	media      int // number of files left out that are pictures and the like
	firstMedia string

	companions companions

	maildir   bool     // the folder is a mailbox
	classNote []string // says that the names of folders are no classes

	about      int // number of files left out that are words on the texts, or say how they look
	firstAbout string
}

// partWords are the words in a folder's name that make it a part of a collection.
var partWords = map[string]string{
	"train": "train", "training": "train", "test": "test", "testing": "test",
	"dev": "dev", "devel": "dev", "valid": "valid", "validation": "valid", "eval": "eval",
}

var unlabelledFolders = []string{"unsup", "unlabeled", "unlabelled"}

// newFolderPlan arranges the files; their paths are in order.
func newFolderPlan(in *source, paths []string) (*folderPlan, error) {
	l := &folderPlan{}
	paths = l.withoutMaildir(l.withoutMedia(paths), in.opt)
	if dividedInParts(in.opt) {
		l.parts = findParts(paths)
	}
	if l.parts == nil { // else files beside the folders of classes are left out
		paths = l.withoutAbout(paths, in.opt)
	}
	if len(in.opt.Split) > 0 {
		var have []string
		for _, short := range l.parts {
			have = append(have, short)
		}
		slices.Sort(have)
		for _, s := range in.opt.Split {
			if !slices.Contains(have, s) {
				if l.parts == nil {
					return nil, in.Fail("", "the folder is not divided into parts such as train and test, so no part %s can be chosen; leave out ‹split›", message.Clip(s, 40))
				}
				return nil, in.Fail("", "the folder has no part %s; its parts are %s", message.Clip(s, 40), strings.Join(have, ", "))
			}
		}
	}
	for _, path := range paths {
		l.place(path, in.opt)
	}
	if len(l.files) == 0 {
		return nil, in.Fail("", "the parts of the folder hold no files in folders of classes; put one text per file into them")
	}
	l.withoutNames(in.opt)
	if in.opt.LabelHeader != "" { // by which the files have their classes
		for i := range l.files {
			l.files[i].class = ""
		}
		l.classNote = nil
	}
	return l, l.checkIDs(in)
}

// withoutNames takes the classes from the files where nobody asked for them and they are none: one
// folder holds all texts that are in folders, or nearly every text has a folder of its own. What
// nearly all means is as for columns of classes.
func (l *folderPlan) withoutNames(opt ReadOptions) {
	if opt.ClassFolder != "" || l.parts != nil {
		return
	}
	const fewest = 10 // texts
	in, different, last := 0, make(map[string]bool), ""
	for _, f := range l.files {
		if f.class != "" {
			in++
			different[f.class], last = true, f.class
		}
	}
	switch n := len(different); {
	case l.maildir:
	case n == 1 && in < len(l.files):
		l.classNote = []string{fmt.Sprintf("The one folder, %s, holds %d of the %d texts, and its name is no class; ‹class-folder› first takes it for that of these texts.", message.Clip(last, 60), in, len(l.files))}
	case in >= fewest && 10*n > 9*in:
		l.classNote = []string{"The names of the folders are no classes, since hardly two texts are in one folder; ‹class-folder› first takes them."}
	default:
		return
	}
	for i := range l.files {
		l.files[i].class = ""
	}
}

// dividedInParts says whether a folder of train, test and the like is divided into parts.
func dividedInParts(opt ReadOptions) bool {
	return opt.ClassFolder == "" || opt.ClassFolder == "first" || len(opt.Split) > 0
}

// checkIDs refuses two files that would be one document, such as a text and its compressed copy.
func (l *folderPlan) checkIDs(in *source) error {
	file := make(map[string]string, len(l.files))
	for _, f := range l.files {
		if other, twice := file[f.id]; twice {
			return in.Fail("", "the files %s and %s would both be the document %s; remove or rename one of them", message.Clip(other, 120), message.Clip(f.path, 120), message.Clip(f.id, 120))
		}
		file[f.id] = f.path
	}
	return nil
}

// place makes the document of one file, or leaves it out.
func (l *folderPlan) place(path string, opt ReadOptions) {
	f := textFile{path: path, id: lexical.Tidy(input.UnpackedName(path))}
	folders, inside := path, false
	if at := strings.LastIndexByte(path, '/'); at >= 0 {
		folders, inside = path[:at], true
	} else {
		folders = ""
	}
	if l.parts != nil {
		part, below, deep := strings.Cut(folders, "/")
		short := l.parts[part]
		if len(opt.Split) > 0 && short != "" && !slices.Contains(opt.Split, short) {
			return
		}
		if !deep {
			if l.beside++; l.beside == 1 {
				l.first = path
			}
			return
		}
		f.id = lexical.Tidy(short + input.UnpackedName(path[len(part):]))
		folders = below
	}
	if inside {
		switch opt.ClassFolder {
		case "none":
		case "last":
			f.class = folders[strings.LastIndexByte(folders, '/')+1:]
		default:
			f.class, _, _ = strings.Cut(folders, "/")
		}
	}
	f.class = lexical.Tidy(f.class)
	if l.parts != nil && slices.Contains(unlabelledFolders, f.class) {
		l.none, f.class = f.class, ""
	}
	l.files = append(l.files, f)
}

// findParts maps the first folders of the files to the short names of their parts; nil if one is
// not a part or has no folder inside.
func findParts(paths []string) map[string]string {
	parts := make(map[string]string)
	deep := make(map[string]bool)
	short := make(map[string]string) // short name -> folder
	for _, path := range paths {
		top, rest, inside := strings.Cut(path, "/")
		if !inside {
			continue
		}
		if strings.Contains(rest, "/") {
			deep[top] = true
		}
		if _, seen := parts[top]; seen {
			continue
		}
		name := partName(top)
		if name == "" || short[name] != "" {
			return nil
		}
		parts[top], short[name] = name, top
	}
	if len(parts) == 0 || len(deep) < len(parts) {
		return nil
	}
	return parts
}

// partName returns the short name of a part by the last word of its folder that names one; empty if
// none does.
func partName(folder string) string {
	words := strings.FieldsFunc(strings.ToLower(folder), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	for i := len(words) - 1; i >= 0; i-- {
		if name := partWords[words[i]]; name != "" {
			return name
		}
	}
	return ""
}

// unread lists the parts that were left out.
func (l *folderPlan) unread(split []string) (parts []string) {
	for _, short := range l.parts {
		if len(split) > 0 && !slices.Contains(split, short) {
			parts = append(parts, short)
		}
	}
	slices.Sort(parts)
	return parts
}

// notes describes the parts, and the files that are left out.
func (l *folderPlan) notes() []string {
	if l.parts == nil {
		return slices.Concat(l.mediaNote(), l.companions.notes(), l.aboutNote(), l.classNote)
	}
	var parts []string
	for folder, short := range l.parts {
		n := 0
		for _, f := range l.files {
			if strings.HasPrefix(f.path, folder+"/") {
				n++
			}
		}
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", short, n))
		}
	}
	slices.Sort(parts)
	notes := []string{fmt.Sprintf("The folder is divided into parts, and the folders in these are the classes (‹class-folder› last or none overrules): %s.", strings.Join(parts, ", "))}
	notes = slices.Concat(notes, l.mediaNote(), l.companions.notes())
	if l.none != "" {
		notes = append(notes, fmt.Sprintf("The documents in folders %s have no class.", l.none))
	}
	if l.beside > 0 {
		notes = append(notes, fmt.Sprintf("%s beside the folders of classes left out (first: %s).", message.Plural(l.beside, "file", "files"), message.Clip(l.first, 120)))
	}
	return notes
}
