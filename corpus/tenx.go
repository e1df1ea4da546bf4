package corpus

import (
	"bytes"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/matrix"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/corpus/internal/text"
)

// The names of the three files of a matrix of cells as 10x Genomics writes them, which may follow a
// prefix and be packed.
const tenxMatrix, tenxCells = "matrix.mtx", "barcodes.tsv"

var tenxGenes = []string{"features.tsv", "genes.tsv"}

// tenx is a matrix of counts of genes in cells with the names of both: its rows are genes.
type tenx struct{ matrix, cells, genes member }

// tenxOf finds the matrices among files, each with the two files of names beside it. others is how
// many further files there are that are no words on the data.
func tenxOf(list []member) (found []tenx, others int) {
	at := make(map[string]member, len(list))
	for _, m := range list {
		if name := input.UnpackedName(m.path); at[name].path != name { // of a file and its packed copy the file
			at[name] = m
		}
	}
	for _, m := range list {
		if at[input.UnpackedName(m.path)].path != m.path {
			continue
		}
		prefix, is := strings.CutSuffix(input.UnpackedName(m.path), tenxMatrix)
		cells, named := at[prefix+tenxCells]
		if !is || !named {
			continue
		}
		for _, name := range tenxGenes {
			if genes, named := at[prefix+name]; named {
				found = append(found, tenx{m, cells, genes})
				break
			}
		}
	}
	for _, m := range list {
		if !text.IsAbout(m.path) {
			others++
		}
	}
	return found, others - 3*len(found)
}

// areInside reports whether all files are in a folder or below it, such as the one that an archive
// was made of.
func areInside(list []member, folder string) bool {
	return folder == "." || !slices.ContainsFunc(list, func(m member) bool { return !m.odd && !strings.HasPrefix(m.path, folder+"/") })
}

// readTenx reads a folder or an archive that holds a matrix of 10x Genomics, alone or with other
// files beside it, such as one of what is known of the cells; nil of another one.
func readTenx(in *input.File, list []member, opt ReadOptions, given *Labeling) (*Corpus, error) {
	if opt.Format != "" || opt.Vectors || opt.Split != nil {
		return nil, nil
	}
	found, others := tenxOf(list)
	switch {
	case len(found) == 0 || others > 0 && (len(found) > 1 || !areInside(list, path.Dir(found[0].matrix.path))):
		return nil, nil
	case opt.outline != nil:
		return nil, errWhole
	case len(found) > 1:
		return nil, in.Fail("", "holds %d matrices of 10x Genomics, the first in %s; name the folder of one, or join them into one, for instance with anndata.concat", len(found), message.Clip(path.Dir(found[0].matrix.path), 80))
	}
	if others > 0 {
		in.Notef("%s beside the matrix and its names left out.", message.Plural(others, "file", "files"))
	}
	expect(in, []member{found[0].matrix})
	return found[0].read(in, opt, given)
}

// read makes the corpus: the cells are its documents and the genes its terms.
func (x tenx) read(in *input.File, opt ReadOptions, given *Labeling) (*Corpus, error) {
	if opt.share != nil {
		return nil, opt.share.NoTexts()
	}
	rows, cols, err := x.size()
	if err != nil {
		return nil, err
	}
	cells, err := firstFields(x.cells, 0, rows, cols)
	if err != nil {
		return nil, err
	}
	genes, err := firstFields(x.genes, 1, rows, cols)
	if err != nil {
		return nil, err
	}
	turned := rows == len(cells) && cols == len(genes) && rows != cols // written with cells as rows
	if !turned && (rows != len(genes) || cols != len(cells)) {
		place := x.matrix.path
		if in.Path != "" && filepath.Base(in.Path) == place { // the file that is read
			place = ""
		}
		return nil, in.Fail(place, "is %d×%d, but %s names %d genes and %s %d cells; copy the three files of one matrix", rows, cols, path.Base(x.genes.path), len(genes), path.Base(x.cells.path), len(cells))
	}
	file, done, err := x.matrix.open()
	if err != nil {
		return nil, err
	}
	defer done()
	file.Observer = in.Observer
	opt.Transpose = !turned
	c, err := readMatrixOf(file, "mtx", opt, given, matrix.Options{Names: matrix.Distinct(genes)})
	if err != nil {
		return nil, file.Blame(err)
	}
	in.Finished()
	c.Name = in.Name
	if cells = matrix.Distinct(cells); c.kept != nil {
		cells = matrix.Picked(cells, c.kept)
	}
	c.IDs = cells
	c.Notes = slices.Concat([]string{fmt.Sprintf("The files are those of 10x Genomics: the documents are the cells that %s names, and the terms the genes of %s.", path.Base(x.cells.path), path.Base(x.genes.path))}, in.Notes, c.Notes)
	return c, nil
}

// size reads the sizes that the matrix begins with.
func (x tenx) size() (rows, cols int, err error) {
	in, done, err := x.matrix.look()
	if err != nil {
		return 0, 0, err
	}
	defer done()
	rows, cols, _, _, err = matrix.MtxSize(in)
	return rows, cols, in.Blame(err)
}

// firstFields reads a field of each line of a file, or the first one where there are fewer: of as
// many lines as the matrix has rows or columns, below one more, which is a header. Blank lines at
// the end are none.
func firstFields(m member, field, rows, cols int) (list []string, err error) {
	in, done, err := m.look()
	if err != nil {
		return nil, err
	}
	defer done()
	for lines := input.NewLines(in); ; {
		line, err := lines.Next()
		if err == io.EOF {
			for len(list) > 0 && list[len(list)-1] == "" {
				list = list[:len(list)-1]
			}
			if n := len(list) - 1; n > 0 && n+1 != rows && n+1 != cols && (n == rows || n == cols) {
				list = list[1:]
			}
			return list, nil
		}
		if err != nil {
			return nil, in.Wrap(lines.Place(), err)
		}
		fields := bytes.Split(bytes.TrimRight(line, "\r\n"), []byte("\t"))
		name := strings.Trim(string(fields[min(field, len(fields)-1)]), `"`)
		if list, err = input.Push(in.Mem, list, int64(len(name))+16, name); err != nil {
			return nil, in.Wrap(lines.Place(), err)
		}
	}
}

// besideTenx are the names that the two files of names beside a matrix may have; nil of a matrix of
// another name.
func besideTenx(path string) (list []string) {
	prefix, is := strings.CutSuffix(filepath.Base(input.UnpackedName(path)), tenxMatrix)
	if !is {
		return nil
	}
	for _, name := range append([]string{tenxCells}, tenxGenes...) {
		list = append(list, prefix+name, prefix+name+".gz")
	}
	return list
}

// tenxBeside is the matrix that a file is, if the two files of names are beside it; nil otherwise.
func tenxBeside(in *input.File) *tenx {
	opened := func(at string) member {
		open := func() (*input.File, func(), error) {
			file, done, err := input.Open(in.Ctx, at, input.Limits{MaxBytes: in.Mem.Limit})
			if err == nil {
				file.Path = at
			}
			return file, done, err
		}
		return member{path: filepath.Base(at), open: open, look: open}
	}
	var list []member
	for _, name := range besideTenx(in.Path) {
		if at, is := in.Sibling(name); is {
			list = append(list, opened(at))
		}
	}
	if len(list) == 0 {
		return nil
	}
	if found, _ := tenxOf(append(list, opened(in.Path))); len(found) > 0 {
		return &found[0]
	}
	return nil
}
