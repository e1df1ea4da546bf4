package corpus

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
)

// nameSet are files that are one corpus, and what their names say.
type nameSet struct {
	list    []member // without the files beside folders
	beside  int      // how many those are
	classes []string // of each file; nil: their names are no classes
	from    string   // what the classes are, such as "names of the files"
	parts   bool     // the names are parts of a corpus, such as train and test
}

// without are the files without classes.
func (n nameSet) without() nameSet {
	n.classes = nil
	return n
}

// classesOf finds the class of each file: its folder, where there are several, or its name. Folders
// that are parts of a corpus hold files or folders that are the classes. Files beside the folders
// are left out.
func classesOf(list []member) nameSet {
	kept, folders, beside := inFolders(list)
	n := nameSet{list: kept, beside: len(list) - len(kept)}
	if beside {
		n.list, n.beside = list, 0
		return n
	}
	if one := differing(folders); len(one) == 1 { // beside smaller files
		inner := classesOf(kept)
		inner.beside += n.beside
		return inner
	}
	if folders != nil {
		const most = mostFileNames * mostFileNames
		if n.classes, n.from = classNames(folders, most, true), "names of the folders"; n.classes == nil && areParts(folders) {
			n.parts = true
			n.inParts(folders)
		}
		return n
	}
	bases := fileNames(list)
	if len(differing(bases)) < len(bases) {
		return n
	}
	n.classes, n.from, n.parts = classNames(bases, mostFileNames, false), "names of the files", areParts(bases)
	return n
}

// inFolders returns the files that are in folders below the one that all share, with their folders;
// nil folders if there are none. beside says that one folder is beside larger files.
func inFolders(list []member) (kept []member, folders []string, beside bool) {
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
	inner, outer := int64(0), int64(0)
	for _, m := range list {
		if folder, _, inside := strings.Cut(strings.TrimPrefix(m.path, prefix), "/"); inside {
			kept, folders = append(kept, m), append(folders, folder)
			inner += m.size
		} else {
			outer += m.size
		}
	}
	if folders == nil {
		return list, nil, false
	}
	return kept, folders, outer > inner && len(differing(folders)) == 1
}

// inParts takes the folders or names of files inside folders that are parts of a corpus, such as
// those of train/spam.csv, for the classes, if some are in several parts.
func (n *nameSet) inParts(folders []string) {
	inner := slices.Clone(n.list)
	for i, m := range inner {
		at := strings.Index("/"+m.path, "/"+folders[i]+"/")
		inner[i].path = m.path[at+len(folders[i])+1:]
	}
	below := func(m member) bool { return strings.Contains(m.path, "/") }
	names, from := fileNames(inner), "names of the files"
	if all := !slices.ContainsFunc(inner, func(m member) bool { return !below(m) }); all {
		for i, m := range inner {
			names[i], _, _ = strings.Cut(m.path, "/")
		}
		from = "names of the folders"
	} else if slices.ContainsFunc(inner, below) {
		return
	}
	in := make(map[string]string) // a part in which a class is
	again := false
	for i, name := range names {
		part, known := in[name]
		again, in[name] = again || known && part != folders[i], folders[i]
	}
	if again {
		n.classes = classNames(names, mostFileNames, false)
		n.from = from + " in " + message.List(differing(folders), 4)
	}
}

// fileNames are the names of files without extensions. Where these are equal or have digits, as of
// reviews.pos and reviews.neg, they are what differs between the separators of the whole names.
func fileNames(list []member) []string {
	bases, whole := make([]string, len(list)), make([]string, len(list))
	for i, m := range list {
		bases[i], whole[i] = m.base(), path.Base(input.UnpackedName(m.path))
	}
	if len(list) < 2 || len(differing(bases)) == len(bases) && !slices.ContainsFunc(bases, hasDigit) || len(differing(whole)) < len(whole) {
		return bases
	}
	const separators = "-_. "
	first := whole[0]
	start, end := 0, 0 // of what all begin and end with
	for at := 1; at <= len(first) && !slices.ContainsFunc(whole, func(name string) bool { return !strings.HasPrefix(name, first[:at]) }); at++ {
		if strings.ContainsRune(separators, rune(first[at-1])) {
			start = at
		}
	}
	for at := 1; at <= len(first) && !slices.ContainsFunc(whole, func(name string) bool { return !strings.HasSuffix(name, first[len(first)-at:]) }); at++ {
		if strings.ContainsRune(separators, rune(first[len(first)-at])) {
			end = at
		}
	}
	names := make([]string, len(list))
	for i, name := range whole {
		if start+end >= len(name) {
			return bases
		}
		names[i] = name[start : len(name)-end]
	}
	return names
}

// differing are the different ones of some names, sorted.
func differing(names []string) []string { return slices.Compact(slices.Sorted(slices.Values(names))) }

// hasDigit reports whether a name has a digit.
func hasDigit(name string) bool { return strings.ContainsAny(name, "0123456789") }

// partWords are names of files and folders that are parts of a corpus, and no classes.
var partWords = []string{"train", "training", "test", "testing", "dev", "devel", "val", "valid", "validation", "eval", "evaluation", "unlabeled", "unlabelled", "data", "part", "all", "full", "sample", "new", "old"}

// withoutPart is a name in lower case without the words of parts, such as spam of spam_train; some
// says that it has one.
func withoutPart(name string) (rest string, some bool) {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return strings.ContainsRune("-_. 0123456789", r) })
	n := len(words)
	words = slices.DeleteFunc(words, func(word string) bool { return slices.Contains(partWords, word) })
	return strings.Join(words, " "), len(words) < n
}

// areParts reports whether names are all of parts of one corpus, such as train and test.
func areParts(names []string) bool {
	first, _ := withoutPart(names[0])
	return len(differing(names)) > 1 && !slices.ContainsFunc(names, func(name string) bool {
		rest, some := withoutPart(name)
		return !some || rest != first
	})
}

// classNames returns the class of each folder or file by its name; nil if the names are no classes.
// There are two or more, names of files have no numbers, and they do not name parts of a corpus. A
// single one may hold a word of parts, as new_york does, and of many, such as channels of Slack,
// some may be called test. Of spam_train, ham_train and spam_test the classes are spam and ham.
func classNames(names []string, most int, folders bool) []string {
	different := differing(names)
	if len(different) < 2 || len(different) > most || !folders && (slices.ContainsFunc(different, hasDigit) || areCut(different)) {
		return nil
	}
	rests := make(map[string]int) // what is beside a word of parts, and how often
	for _, name := range different {
		if rest, some := withoutPart(name); some {
			rests[rest]++
		}
	}
	parts, all := 0, 0
	for rest, n := range rests {
		if all += n; n > 1 || rest == "" && !folders {
			parts += n
		}
	}
	const few = 5 // names, of which some of parts make all of them parts
	if parts == 0 || len(different) > few && 2*parts < len(different) {
		return names
	}
	if all < len(different) || len(rests) < 2 || slices.Contains(slices.Collect(maps.Keys(rests)), "") {
		return nil
	}
	classes := make([]string, len(names))
	for i, name := range names {
		classes[i], _ = withoutPart(name)
	}
	return classes
}

// areCut reports whether sorted names are as split names the pieces of a file: they have
// one beginning and end with aa, ab, ac and so on.
func areCut(names []string) bool {
	const digits = 2
	for i, name := range names {
		at := len(name) - digits
		if at < 0 || name[:at] != names[0][:len(names[0])-digits] || name[at] != byte('a'+i/26) || name[at+1] != byte('a'+i%26) {
			return false
		}
	}
	return true
}

// noteMembers says which files are the corpus, and where its classes are from.
func noteMembers(in *input.File, n nameSet, what string) {
	list := n.list
	say := fmt.Sprintf("The corpus is %d %s, %s to %s, in the order of their paths", len(list), what, message.Clip(list[0].path, 60), message.Clip(list[len(list)-1].path, 60))
	if len(list) == 1 {
		say = fmt.Sprintf("The corpus is the file %s", message.Clip(list[0].path, 120))
	}
	if n.beside > 0 {
		say += fmt.Sprintf("; %s beside the folders left out", message.Plural(n.beside, "file", "files"))
	}
	in.Notef("%s; ‹input-format› folder takes each file for one text.", say)
	if n.classes != nil {
		in.LabelNotef("The classes are the %s; ‹label-column› none leaves them out.", cmp.Or(n.from, "names of the files"))
	}
}
