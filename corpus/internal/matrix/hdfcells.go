package matrix

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/columns"
	"github.com/eigenmap/eigenmap/corpus/internal/hdf"
	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
)

// readCells reads cells of AnnData: the matrix X, or the array that ‹var› names, with the names of
// the cells and of the genes; a column of obs is the labels.
func (h *hdfFile) readCells() (*draft, error) {
	in := h.in
	name := in.opt.Var
	if name == "" {
		name = "X"
	}
	d, err := h.matrixOf(name)
	if err != nil {
		return nil, err
	}
	d.byRow = true
	cells, genes := d.size()
	about := "var"
	if strings.HasPrefix(name, "raw/") {
		about = "raw/var"
	}
	if d.rowNames, err = h.index("obs", cells); err != nil {
		return nil, err
	}
	if path.Dir(name) != "obsm" {
		names, err := h.index(about, genes)
		if err != nil {
			return nil, err
		}
		if names != nil {
			d.colNames = Distinct(names)
		}
	}
	in.Notef("The file is AnnData: the documents are the cells of obs (%d), the terms the genes of %s, the numbers %s.", cells, about, message.Clip(name, 60))
	var others []string
	for _, folder := range []string{"layers/", "obsm/", "raw/X"} {
		sparse, dense := h.arraysIn(folder)
		others = append(others, append(sparse, dense...)...)
	}
	if others != nil && in.opt.Var == "" {
		in.Notef("‹var› takes other numbers of the cells: %s.", message.List(others, 6))
	}
	d.labels, err = h.cellLabels(cells)
	return d, err
}

// refuseModalities refuses MuData, which holds several AnnData of the same cells, unless one of its
// arrays is asked for.
func (h *hdfFile) refuseModalities() error {
	kind, err := h.file.Root.Attr("encoding-type")
	if err != nil || kind.Text() != "MuData" || h.in.opt.Var != "" {
		return err
	}
	var names []string
	for group := range h.groups {
		if name, is := strings.CutPrefix(group, "mod/"); is && !strings.Contains(name, "/") {
			names = append(names, message.Clip(name, 40))
		}
	}
	slices.Sort(names)
	return h.in.Fail("", "is MuData, which holds several AnnData: %s; write one of them as a file, for instance with python -c \"import mudata; mudata.read('FILE')['NAME'].write_h5ad('NAME.h5ad')\"", message.List(names, 12))
}

// matrixOf reads a matrix by its path: a set of data, or a group of the arrays of a sparse one.
func (h *hdfFile) matrixOf(name string) (*draft, error) {
	in := h.in
	name = strings.Trim(name, "/")
	if h.sets[name] != nil {
		wanted := in.opt
		in.opt.Var, in.opt.LabelVar, in.opt.LabelsGiven = name, "none", true
		notes := len(in.Notes)
		d, _, err := h.readPlain()
		in.opt, in.Notes = wanted, in.Notes[:notes]
		return d, err
	}
	p := sparseParts{prefix: name + "/", data: name + "/data", indices: name + "/indices", indptr: name + "/indptr"}
	if !h.has(p.data, p.indices, p.indptr) {
		sparse, dense := h.arraysIn("")
		if in.opt.Var == "" {
			return nil, in.Fail("", "is AnnData without %s; ‹var› names other numbers of its cells: %s", name, message.List(append(sparse, dense...), 12))
		}
		return nil, in.Fail("‹var› "+message.Clip(name, 60), "there is no such matrix; the file holds %s", message.List(append(sparse, dense...), 12))
	}
	notes := len(in.Notes)
	if h.has(name + "/shape") {
		p.shape = name + "/shape"
	}
	d, err := h.readParts(p)
	in.Notes = in.Notes[:notes]
	if d != nil {
		d.what = "array " + name
	}
	return d, err
}

// index reads the names of a frame's rows, of which there are n; nil if it has none.
func (h *hdfFile) index(frame string, n int) ([]string, error) {
	group := h.groups[frame]
	if group == nil {
		return nil, nil
	}
	name := "_index"
	a, err := group.Attr(name)
	if err != nil {
		return nil, err
	}
	if said := a.Text(); said != "" {
		name = said
	}
	words, err := h.columnWords(frame + "/" + name)
	if err == nil && words != nil && len(words) != n {
		return nil, h.in.Fail(frame+"/"+name, "has %s, where the matrix has %d; write the file again with anndata", message.Plural(len(words), "name", "names"), n)
	}
	return words, err
}

// columnWords reads a column of a frame as texts: texts, numbers, or categories; nil if it is not
// there.
func (h *hdfFile) columnWords(name string) ([]string, error) {
	if h.groups[name] == nil {
		if h.sets[name] == nil {
			return nil, nil
		}
		return h.plainWords(name)
	}
	codes, values := h.sets[name+"/codes"], h.sets[name+"/categories"]
	if codes != nil && values != nil {
		return h.categories(name+"/codes", name+"/categories")
	}
	if h.sets[name+"/values"] == nil {
		return nil, h.in.Fail(message.Clip(name, 60), "is a column in a form that is not read; write it as texts or categories")
	}
	words, err := h.plainWords(name + "/values")
	if err != nil || h.sets[name+"/mask"] == nil {
		return words, err
	}
	mask, err := h.floats(name + "/mask")
	for k := range min(len(mask), len(words)) {
		if mask[k] != 0 {
			words[k] = ""
		}
	}
	return words, err
}

// plainWords reads a list of texts, numbers, truth values, or old categories, whose values an
// attribute names.
func (h *hdfFile) plainWords(name string) ([]string, error) {
	d := h.sets[name]
	if a, err := h.heads[name].Attr("categories"); err != nil {
		return nil, err
	} else if a != nil && a.Type.Class == hdf.Reference {
		for _, values := range []string{path.Dir(name) + "/__categories/" + path.Base(name)} {
			if h.sets[values] != nil {
				return h.categories(name, values)
			}
		}
	}
	if d.Type.Class != hdf.Enum || !isTruth(d.Type) {
		return h.arrayFile.list(name)
	}
	words, err := d.EnumNames()
	for k := range words {
		words[k] = strings.ToLower(words[k])
	}
	return words, err
}

// isTruth reports whether an enumeration is of truth values, as h5py writes them.
func isTruth(t *hdf.Type) bool {
	return len(t.Names) == 2 && strings.EqualFold(t.Names[0], "false") && strings.EqualFold(t.Names[1], "true")
}

// categories reads a column of codes, of which negative ones are none, and their values.
func (h *hdfFile) categories(codes, values string) ([]string, error) {
	names, err := h.plainWords(values)
	if err != nil {
		return nil, err
	}
	numbers, err := h.floats(codes)
	if err != nil {
		return nil, err
	}
	if err := h.in.Mem.Take(int64(len(numbers)), 16); err != nil {
		return nil, h.in.Wrap(codes, err)
	}
	words := make([]string, len(numbers))
	for k, v := range numbers {
		if v >= float64(len(names)) {
			return nil, h.in.Fail(message.Clip(codes, 60), "row %d has the category %v of %d, the file is damaged; write it again", k+1, v, len(names))
		}
		if v >= 0 {
			words[k] = names[int(v)]
		}
	}
	return words, nil
}

// cellLabels reads the column of obs that is asked for, or the only one of a usual name of classes.
func (h *hdfFile) cellLabels(cells int) (*Labels, error) {
	in := h.in
	want := in.opt.LabelColumn
	if want == "" {
		want = strings.TrimPrefix(in.opt.LabelVar, "obs/")
	}
	list := h.obsColumns()
	if want == columns.None || in.opt.LabelsGiven {
		return nil, nil
	}
	if want != "" && !slices.Contains(list, want) {
		return nil, in.Fail("‹label-column› "+message.Clip(want, 60), "there is no such column in obs; it has %s", message.List(append(list, "no other"), 12))
	}
	if want == "" {
		var usual []string
		for _, name := range list {
			if lexical.NamesClasses(name) && h.hasWords("obs/"+name) {
				usual = append(usual, name)
			}
		}
		if k := slices.IndexFunc(list, func(name string) bool { return slices.Contains(lexical.LabelNames, strings.ToLower(name)) }); k >= 0 {
			usual = list[k : k+1]
		}
		switch {
		case len(usual) == 1:
			want = usual[0]
			in.LabelNotef("The labels are from the column %s of obs; ‹label-column› names another, or none.", message.Clip(want, 60))
		case len(usual) > 1:
			in.Notef("Each of the columns %s of obs may hold the classes, and none is read; ‹label-column› names one.", message.List(usual, 6))
			return nil, nil
		case len(list) > 0:
			in.Notef("No column of obs is read as labels; ‹label-column› names one: %s.", message.List(list, 6))
			return nil, nil
		default:
			return nil, nil
		}
	}
	words, err := h.columnWords("obs/" + want)
	if err != nil {
		return nil, err
	}
	return &Labels{What: "column " + message.Clip(want, 60) + " of obs", File: in.Name, Without: "read without labels by ‹label-column› none", Words: words, Rows: cells, Cols: 1}, nil
}

// obsColumns are the columns of obs but for the index.
func (h *hdfFile) obsColumns() (list []string) {
	index := "_index"
	if a, err := h.groups["obs"].Attr(index); err == nil && a.Text() != "" {
		index = a.Text()
	}
	for _, name := range h.names {
		name, in := strings.CutPrefix(name, "obs/")
		if !in {
			continue
		}
		name, _, inside := strings.Cut(name, "/")
		if name == index || name == "__categories" || inside && slices.Contains(list, name) {
			continue
		}
		list = append(list, name)
	}
	return list
}

// hasWords reports whether a column holds texts or categories.
func (h *hdfFile) hasWords(name string) bool {
	if d := h.sets[name]; d != nil {
		a, err := h.heads[name].Attr("categories")
		return d.Type.IsText() || err == nil && a != nil
	}
	return h.groups[name] != nil
}

// readLoom reads cells of Loom, which are the columns of its matrix.
func (h *hdfFile) readLoom() (*draft, error) {
	d, err := h.matrixOf("matrix")
	if err != nil {
		return nil, err
	}
	return h.turned(d, "Loom", []string{"col_attrs/CellID", "col_attrs/obs_names", "col_attrs/cell_names"}, []string{"row_attrs/Gene", "row_attrs/var_names", "row_attrs/gene_names"})
}

// readTenx reads cells of 10x Genomics, which are the columns of its matrix.
func (h *hdfFile) readTenx() (*draft, error) {
	notes := len(h.in.Notes)
	p := sparseParts{prefix: "matrix/", data: "matrix/data", indices: "matrix/indices", indptr: "matrix/indptr", shape: "matrix/shape"}
	layout := h.layout
	h.layout = func(string) (string, error) { return "csc", nil }
	d, err := h.readParts(p)
	h.layout, h.in.Notes = layout, h.in.Notes[:notes]
	if err != nil {
		return nil, err
	}
	return h.turned(d, "10x Genomics", []string{"matrix/barcodes"}, []string{"matrix/features/name", "matrix/gene_names", "matrix/features/id"})
}

// turned makes the columns of a matrix of genes and cells its rows, with the first lists of names
// that are there.
func (h *hdfFile) turned(d *draft, what string, cells, genes []string) (*draft, error) {
	d.flipped = !d.flipped
	d.byRow = true
	rows, cols := d.size()
	for _, side := range []struct {
		lists []string
		n     int
		names *[]string
	}{{cells, rows, &d.rowNames}, {genes, cols, &d.colNames}} {
		for _, name := range side.lists {
			if h.sets[name] == nil {
				continue
			}
			words, err := h.plainWords(name)
			if err != nil {
				return nil, err
			}
			if len(words) != side.n {
				return nil, h.in.Fail(name, "has %s, where the matrix has %d; write the file again", message.Plural(len(words), "name", "names"), side.n)
			}
			*side.names = Distinct(words)
			break
		}
	}
	h.in.Notef("The file is of %s: the documents are its cells (%d), and the terms its genes.", what, rows)
	return d, nil
}

// Distinct are names of which those that occur again have a number behind them, as scanpy writes
// them.
func Distinct(names []string) []string {
	seen := make(map[string]bool, len(names))
	out := make([]string, len(names))
	for i, name := range names {
		unique := name
		for k := 1; seen[unique]; k++ {
			unique = fmt.Sprintf("%s-%d", name, k)
		}
		seen[unique], out[i] = true, unique
	}
	return out
}
