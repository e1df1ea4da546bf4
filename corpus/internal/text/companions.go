package text

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
)

// companions are files beside texts that are no documents of their own: of texts of the same name,
// such as the annotations 1.ann or the data 1.json of 1.txt, and of saved pages, such as
// page_files/style.css of page.html.
type companions struct {
	texts, pages           int
	firstOfText, firstPage string
}

// fewestPairs is from how many texts with a companion on these are left out, and pairedShare the
// divisor of the texts that may lack one.
const (
	fewestPairs = 3
	pairedShare = 3
)

// pageFolders are the ends of the names of the folders in which browsers save the files of a page.
var pageFolders = strings.Fields("_files .files -Dateien _Dateien _fichiers _archivos -filer _bestanden")

// without are the paths of a folder's files but for companions. All stay where the user says that
// all are texts.
func (c *companions) without(paths []string, opt ReadOptions) []string {
	if opt.Format != "" {
		return paths
	}
	return c.withoutPaired(c.withoutPageFiles(paths))
}

// withoutPageFiles leaves out the folders beside saved pages.
func (c *companions) withoutPageFiles(paths []string) []string {
	pages := make(map[string]bool)
	for _, p := range paths {
		if kind := extension(p); kind == ".html" || kind == ".htm" || kind == ".xhtml" {
			pages[stem(p)] = true
		}
	}
	if len(pages) == 0 {
		return paths
	}
	return slices.DeleteFunc(slices.Clone(paths), func(p string) bool {
		for at, r := range p {
			if r != '/' {
				continue
			}
			for _, end := range pageFolders {
				if page, is := strings.CutSuffix(p[:at], end); is && pages[page] {
					if c.pages++; c.pages == 1 {
						c.firstPage = p
					}
					return true
				}
			}
		}
		return false
	})
}

// withoutPaired leaves out files of one extension that lie beside texts (.txt) of the same names,
// if at least two thirds of the texts have such a file, and as many of the files have a text.
func (c *companions) withoutPaired(paths []string) []string {
	const texts = ".txt"
	names := make(map[string]bool) // of the texts
	for _, p := range paths {
		if extension(p) == texts {
			names[stem(p)] = true
		}
	}
	all, paired := make(map[string]int), make(map[string]int) // files of an extension
	for _, p := range paths {
		kind := extension(p)
		if all[kind]++; names[stem(p)] {
			paired[kind]++
		}
	}
	most := func(n, of int) bool { return pairedShare*(of-n) <= of }
	return slices.DeleteFunc(slices.Clone(paths), func(p string) bool {
		kind := extension(p)
		if kind == texts || !names[stem(p)] || paired[kind] < fewestPairs || !most(paired[kind], len(names)) || !most(paired[kind], all[kind]) {
			return false
		}
		if c.texts++; c.texts == 1 {
			c.firstOfText = p
		}
		return true
	})
}

// stem is the path of a file without its extension, which may be packed.
func stem(p string) string {
	p = input.UnpackedName(p)
	return strings.TrimSuffix(p, path.Ext(p))
}

// notes say which files are left out.
func (c *companions) notes() (say []string) {
	const all = "; ‹input-format› folder reads every file as one text."
	if c.pages > 0 {
		say = append(say, fmt.Sprintf("%s left out, in folders that browsers save beside pages (first: %s)%s", message.Plural(c.pages, "file is", "files are"), message.Clip(c.firstPage, 120), all))
	}
	if c.texts > 0 {
		say = append(say, fmt.Sprintf("%s left out beside a text (.txt) of the same name (first: %s)%s", message.Plural(c.texts, "file is", "files are"), message.Clip(c.firstOfText, 120), all))
	}
	return say
}

// planFolder decides on the documents of the files at paths inside root, a folder or an archive,
// without their companions and without files that hold many documents by their names.
func (in *source) planFolder(root string, paths []string) (*folderPlan, error) {
	var beside companions
	paths, err := in.refuseNames(filepath.Clean(root), beside.without(paths, in.opt))
	if err != nil {
		return nil, err
	}
	plan, err := newFolderPlan(in, paths)
	if plan != nil {
		plan.companions = beside
	}
	return plan, err
}
