package corpus

import (
	"context"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/matrix"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/corpus/internal/text"
)

// manyDocuments are extensions of files that hold many documents, beside those of formats.
var manyDocuments = strings.Fields(".data .dat .xml .xls .zip .tar .tgz .arrow .feather")

// holdsMany reports whether a file holds many documents, by its name.
func holdsMany(name string) bool {
	kind := path.Ext(input.UnpackedName(strings.ToLower(name)))
	base := path.Base(name)
	return formatByExtension(name) != "" || slices.Contains(manyDocuments, kind) || strings.Contains(base, "-idx3-") || strings.Contains(base, "docword")
}

// besides are the names of the files, in the folder of a file of this name, that hold what it has
// no place for: labels, and the names of terms and documents.
func besides(name string) []string {
	list := slices.Concat(matrix.IDXLabelNames(name), []string{besideName(name, labelsSuffix), besideName(name, termsSuffix)}, besideTenx(name))
	if kind := path.Ext(input.UnpackedName(name)); strings.Contains(name, "docword") || kind == ".dat" || kind == ".ldac" {
		list = append(list, matrix.VocabularyNames(name)...)
	}
	return list
}

// soleFile is the file of a folder that holds the documents where the others are words on them,
// pictures, and files that lie beside it as [besides] says; nil where several hold documents or
// none does. An archive has no files beside another.
func soleFile(list []member, opt ReadOptions, archive bool) *member {
	if opt.Format != "" || opt.UsualFormat == "folder" || opt.Split != nil {
		return nil
	}
	var data []member
	for _, m := range list {
		if !m.odd && m.size > 0 && !text.IsMedia(m.path) && !text.IsAbout(m.path) {
			data = append(data, m)
		}
	}
	for i, m := range data {
		if !holdsMany(m.path) {
			continue
		}
		own := besides(path.Base(m.path))
		other := func(j int) bool {
			at := data[j].path
			return j != i && (archive || path.Dir(at) != path.Dir(m.path) || !slices.Contains(own, path.Base(at)))
		}
		j := 0
		for j < len(data) && !other(j) {
			j++
		}
		if j == len(data) {
			return &m
		}
	}
	return trainTable(data, opt)
}

// trainTable is the table of a contest whose rows have the classes, such as train.csv, where the
// others have fewer columns, such as test.csv, or are an answer to hand in (sample_submission.csv);
// nil of other files. One text that is smaller than the table may lie beside them.
func trainTable(data []member, opt ReadOptions) *member {
	g := sortMembers(data)
	if g.others+len(g.objects) > 0 || len(g.lines) > 1 {
		return nil
	}
	train := -1
	for i, m := range g.tables {
		switch {
		case hasWord(m, "train"):
			if train >= 0 {
				return nil
			}
			train = i
		case !hasWord(m, "test") && !isSubmission(m):
			return nil
		}
	}
	if train < 0 || len(g.tables) < 2 {
		return nil
	}
	m := g.tables[train]
	if len(g.lines) > 0 && g.lines[0].size > m.size {
		return nil
	}
	columns, err := headerOf(m, opt)
	if err != nil {
		return nil
	}
	m.beside = nil
	for i, other := range g.tables {
		if i == train {
			continue
		}
		names, err := headerOf(other, opt)
		if err != nil || len(names) >= len(columns) || !isSubmission(other) && slices.ContainsFunc(names, func(name string) bool { return !slices.Contains(columns, name) }) {
			return nil
		}
		m.beside = append(m.beside, other.path)
	}
	return &m
}

// hasWord reports whether a word of the name of a file begins so, as in X_train.csv and test2.csv.
func hasWord(m member, begin string) bool {
	words := strings.FieldsFunc(strings.ToLower(m.base()), func(r rune) bool { return !unicode.IsLetter(r) })
	return slices.ContainsFunc(words, func(word string) bool { return strings.HasPrefix(word, begin) })
}

// isSubmission reports whether a table is an answer to hand in to a contest, by its name.
func isSubmission(m member) bool { return strings.Contains(strings.ToLower(m.base()), "submission") }

// headerOf is the header of a table.
func headerOf(m member, opt ReadOptions) ([]string, error) {
	t, done, err := openMember(m, m.look, opt)
	if err != nil {
		return nil, err
	}
	defer done()
	return slices.Clone(t.Header), nil
}

// note says that the file is read in place of the folder or the archive.
func (m member) note() string {
	why := ", the only file that holds some"
	if len(m.beside) > 0 {
		why = ", whose rows have more columns than those of " + message.List(m.beside, 4) + ", which are left out"
	}
	return "The documents are those of " + message.Clip(m.path, 120) + why + "; ‹input-format› folder reads every file as one text."
}

// readSole reads the only file of documents in a folder; nil if there is none or are several.
func readSole(ctx context.Context, root string, list []member, opt ReadOptions, given *Labeling) (*Corpus, error) {
	m := soleFile(list, opt, false)
	if m == nil {
		return nil, nil
	}
	c, err := readFile(ctx, filepath.Join(root, filepath.FromSlash(m.path)), opt, given)
	if err != nil {
		return nil, err
	}
	c.Notes = append([]string{m.note()}, c.Notes...)
	return c, nil
}

// readSoleInside is readSole of an archive.
func readSoleInside(in *input.File, list []member, opt ReadOptions, given *Labeling) (*Corpus, error) {
	m := soleFile(list, opt, true)
	if m == nil {
		return nil, nil
	}
	inside, done, err := m.open()
	if err != nil {
		return nil, err
	}
	defer done()
	c, err := readInput(inside, opt, given)
	if err != nil {
		return nil, inside.Blame(err)
	}
	c.Notes = slices.Concat(in.Notes, []string{m.note()}, c.Notes)
	return c, nil
}
