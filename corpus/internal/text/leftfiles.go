package text

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/internal/pattern"
)

// leftFiles are the files of a folder or an archive that are left out since no text can be made of
// them, with what is wrong with each. One strange file does not end the reading of many.
type leftFiles struct {
	root string // what the names of the files begin with
	mu   sync.Mutex
	why  map[string]string // of a file, by its path
	many map[string]bool   // files that may hold many documents, which show by their content
	// boxes are mailboxes of several messages, which are not left out: each is one text.
	boxes map[string]bool
}

// errMany marks the error of a file that may hold many documents.
var errMany = errors.New("a file of many documents")

func newLeftFiles(root string) *leftFiles {
	return &leftFiles{root: filepath.Clean(root), why: make(map[string]string), many: make(map[string]bool), boxes: make(map[string]bool)}
}

// mostReasons is how many reasons are told, each with a file.
const mostReasons = 8

// wrongWith puts the path of a file before what is wrong with it.
func wrongWith(path, why string) string {
	if !strings.HasPrefix(why, "is ") {
		path += ":"
	}
	return path + " " + why
}

// strangeness is what is wrong with the content of a file, of the error of its reading; "" of
// another error: one of the system, of the memory or of the context.
func strangeness(err error) string {
	var format *input.FormatError
	if !errors.As(err, &format) || errors.Is(err, input.ErrMemory) {
		return ""
	}
	return format.Why
}

// path is the path of a file inside the folder or the archive.
func (l *leftFiles) path(name string) string {
	return strings.TrimPrefix(filepath.ToSlash(strings.TrimPrefix(filepath.Clean(name), l.root)), "/")
}

// add leaves out a file; many says that it may hold many documents.
func (l *leftFiles) add(name, why string, many bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	path := l.path(name)
	if l.why[path] = why; many {
		l.many[path] = true
	}
}

// mailbox notes that a file is a mailbox of several messages.
func (l *leftFiles) mailbox(name string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.boxes[l.path(name)] = true
}

// has reports whether a file is left out, whose path follows outer in its name.
func (l *leftFiles) has(outer string, f textFile) bool {
	if len(l.why) == 0 {
		return false
	}
	_, out := l.why[l.path(filepath.Join(outer, filepath.FromSlash(f.path)))]
	return out
}

// without takes the files that are left out from the plan, whose paths follow outer in the names of
// files, and from order, which has numbers of the plan's files: it returns those that stay, with
// their new numbers.
func (l *leftFiles) without(order []int, plan *folderPlan, outer string) []int {
	number := make([]int, len(plan.files)) // of a file among those that stay; -1 for none
	kept := plan.files[:0:0]
	for i, f := range plan.files {
		number[i] = -1
		if !l.has(outer, f) {
			number[i] = len(kept)
			kept = append(kept, f)
		}
	}
	plan.files = kept
	stay := order[:0:0]
	for _, i := range order {
		if number[i] >= 0 {
			stay = append(stay, number[i])
		}
	}
	return stay
}

// none returns the error of a folder or an archive all of whose files are left out, or in which
// files that may hold many documents are not few beside the texts; else err, which then names what
// is left out. outer is as for without.
func (l *leftFiles) none(in *source, plan *folderPlan, outer string, err error) error {
	texts := 0
	for _, f := range plan.files {
		if !l.has(outer, f) {
			texts++
		}
	}
	if texts > 0 && (len(l.many) == 0 || areFew(len(l.many), texts)) {
		var format *input.FormatError
		if len(l.why) > 0 && errors.As(err, &format) {
			format.Why += "; " + strings.Join(sentences(l.reasons()), "; ")
		}
		return err
	}
	reasons := l.reasons()
	if texts > 0 {
		reasons = slices.DeleteFunc(reasons, func(r reason) bool { return !l.many[r.first] })
	}
	if texts > 0 || len(l.why) == 1 {
		return input.Failf(filepath.Join(l.root, filepath.FromSlash(reasons[0].first)), "", "%s", reasons[0].why)
	}
	return input.NoDocuments(in.Fail("", "none of its files is read as a text; %s", strings.Join(sentences(reasons), "; ")))
}

// reason is something that is wrong with files, and the first of them.
type reason struct {
	why, first string
	files      int
}

// details matches what differs in a sentence between files that have the same wrong with them: what
// a program says of each.
var details = pattern.Lazy(`\([^()]*\)`)

// reasons are what is wrong with the files, beginning with what most files have. Sentences that
// differ inside of parentheses alone are one reason, with the words on the first file.
func (l *leftFiles) reasons() (list []reason) {
	paths := make([]string, 0, len(l.why))
	for path := range l.why {
		paths = append(paths, path)
	}
	slices.SortFunc(paths, comparePaths)
	at := make(map[string]int)
	for _, path := range paths {
		why := l.why[path]
		kind := details().ReplaceAllString(why, "")
		i, known := at[kind]
		if !known {
			i = len(list)
			at[kind] = i
			list = append(list, reason{why: why, first: path})
		}
		list[i].files++
	}
	slices.SortStableFunc(list, func(a, b reason) int { return b.files - a.files })
	return list
}

// sentences say how many files have each reason.
func sentences(list []reason) (say []string) {
	for i, r := range list {
		first := message.Clip(r.first, 120)
		switch {
		case i == mostReasons:
			files := 0
			for _, more := range list[i:] {
				files += more.files
			}
			return append(say, fmt.Sprintf("%s left out for other reasons, the first of them %s", message.Plural(files, "more file is", "more files are"), first))
		case r.files == 1:
			say = append(say, "1 file is left out: "+wrongWith(first, r.why))
		default:
			say = append(say, fmt.Sprintf("%s of one kind are left out: the first, %s", message.Plural(r.files, "file", "files"), wrongWith(first+",", r.why)))
		}
	}
	return say
}

// notes say what was left out, and which mailboxes are one text.
func (l *leftFiles) notes() []string {
	say := sentences(l.reasons())
	for i := range say {
		say[i] += "."
	}
	if len(l.boxes) > 0 {
		first := slices.MinFunc(slices.Collect(maps.Keys(l.boxes)), comparePaths)
		what := message.Plural(len(l.boxes), "file is a mailbox of several messages and read as one text", "files are mailboxes of several messages and read as one text each")
		say = append(say, fmt.Sprintf("%s (first: %s); name the mailbox itself to read each message as a document.", what, message.Clip(first, 120)))
	}
	return say
}
