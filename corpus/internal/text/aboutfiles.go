package text

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
)

// aboutNames are the names, without an extension, of files on the data or the texts beside them,
// and openNames those that more words may follow, as in README_en or LICENSE-data.
var (
	openNames  = strings.Fields("readme license licence copying")
	aboutNames = slices.Concat(openNames, strings.Fields("changelog changes contributing authors notice datasheet"))
)

// savedNames are the files that the package datasets of Hugging Face writes beside its data, and
// Index, a file in folders of UCI.
var savedNames = strings.Fields("dataset_dict.json dataset_info.json dataset_infos.json state.json Index")

// wordsExtensions are extensions of texts that a person reads. A file of aboutNames is on the data
// if it has one of them: authors.csv is data.
var wordsExtensions = append(strings.Fields(".txt .md .markdown .rst .html .htm .pdf .rtf .docx .odt .bib .cff .tex"), "")

// IsAbout reports whether a file is one of words on the data beside it, by its name: README,
// LICENSE-data, wine.names and the like.
func IsAbout(p string) bool {
	if slices.Contains(savedNames, path.Base(p)) {
		return true
	}
	kind := extension(p)
	name := strings.TrimSuffix(path.Base(input.UnpackedName(strings.ToLower(p))), kind)
	words := slices.Contains(wordsExtensions, kind)
	if kind == ".names" || name == "citation" && words && kind != ".txt" || words && slices.Contains(aboutNames, name) {
		return true
	}
	return slices.ContainsFunc(openNames, func(begin string) bool {
		rest, is := strings.CutPrefix(name, begin)
		return is && (rest == "" || strings.ContainsAny(rest[:1], "-_. 0123456789"))
	})
}

// supportExtensions are the extensions of files that say how texts are built or look: types and
// styles of XML, styles and programs of pages, and settings and projects of programs that annotate.
var supportExtensions = strings.Fields(".dtd .xsd .xsl .xslt .rng .rnc .css .js .conf .qde")

// sourceExtensions are those of programs, among which each file is a text of its own.
var sourceExtensions = strings.Fields(".c .h .cc .cpp .hpp .cs .go .java .js .jsx .jl .kt .lua .m .php .pl .py .r .rb .rs .scala .sh .sql .swift .ts .tsx .vue .css .scss .xsd .xsl .xslt")

// besideTexts is how many texts there are for each file beside them that is left out, or more.
const besideTexts = 2

// withoutAbout are the paths of a folder's files but for words on the texts and what builds them,
// of which it takes note. They stay where they are not few, where the texts are programs or have
// the same extension, as pages of documentation have, and where the user says that all are texts.
func (l *folderPlan) withoutAbout(paths []string, opt ReadOptions) []string {
	if opt.Format != "" {
		return paths
	}
	kinds := make(map[string]int) // of the extensions of the other files
	texts, programs := 0, 0
	for _, p := range paths {
		kind := extension(p)
		if IsAbout(p) || isSupport(p) {
			continue
		}
		texts++
		kinds[kind]++
		if slices.Contains(sourceExtensions, kind) {
			programs++
		}
	}
	if 3*programs > texts {
		return paths
	}
	first := ""
	kept := slices.DeleteFunc(slices.Clone(paths), func(p string) bool {
		out := isSupport(p) || IsAbout(p) && (isPlain(p) || 2*kinds[extension(p)] < texts)
		if out && first == "" {
			first = p
		}
		return out
	})
	if left := len(paths) - len(kept); left > 0 && besideTexts*left <= len(kept) {
		l.about, l.firstAbout = left, first
		return kept
	}
	return paths
}

// extension is the extension of a file, which may be packed.
func extension(p string) string { return path.Ext(input.UnpackedName(strings.ToLower(p))) }

// isPlain reports whether a file has no mark-up by its name, and so is no page of documentation.
func isPlain(p string) bool { kind := extension(p); return kind == "" || kind == ".txt" }

// isSupport reports whether a file says how texts are built or look, by its name.
func isSupport(p string) bool {
	return slices.Contains(supportExtensions, extension(p)) || strings.EqualFold(path.Base(p), "Makefile")
}

// aboutNote says which files are left out; nil if there are none.
func (l *folderPlan) aboutNote() []string {
	if l.about == 0 {
		return nil
	}
	const all = "; ‹input-format› folder reads every file as one text."
	first := message.Clip(l.firstAbout, 120)
	if l.about == 1 {
		return []string{fmt.Sprintf("%s is left out, which by its name is about the texts or says how they look%s", first, all)}
	}
	return []string{fmt.Sprintf("%d files are left out, which by their names are about the texts or say how they look (first: %s)%s", l.about, first, all)}
}
