package matrix

import (
	"encoding/binary"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/hdf"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/sparse"
)

// hdfFile is an opened file of HDF5. Its arrays are the sets of data in it, by their paths; fields
// of records follow the path after a dot.
type hdfFile struct {
	*arrayFile
	file   *hdf.File
	groups map[string]*hdf.Object
	sets   map[string]*hdf.Data
	heads  map[string]*hdf.Object // the objects of sets; those of fields are the records'
	matlab bool
	cells  bool // AnnData
	netCDF bool // netCDF wrote it: numbers that were never written have its default values
}

// mostArrays is the most sets of data of a file that are listed.
const mostArrays = 100000

// openHDF5 lists the sets of data of a file.
func openHDF5(in *source) (*hdfFile, error) {
	file, err := hdf.Open(in.File)
	if err != nil {
		return nil, err
	}
	h := &hdfFile{file: file, groups: map[string]*hdf.Object{"": file.Root}, sets: map[string]*hdf.Data{}, heads: map[string]*hdf.Object{}}
	h.arrayFile = &arrayFile{in: in, writer: "h5py", open: h.open, layout: h.layoutOf, fault: in.Wrap}
	var away []string
	err = file.Walk(func(o *hdf.Object, name, elsewhere string) (bool, error) {
		switch {
		case o == nil:
			away = append(away, message.Clip(name, 60)+" ("+elsewhere+")")
		case name == "#refs#" || name == "#subsystem#": // cells of MATLAB's arrays
			return false, nil
		case o.IsData():
			return false, h.list(o)
		case o.IsGroup():
			if kind, err := o.Attr("CLASS"); err != nil || kind.Text() == "TINDEX" { // an index of PyTables
				return false, err
			}
			h.groups[name] = o
			class, err := o.Attr("MATLAB_class")
			if err != nil {
				return false, err
			}
			h.matlab = h.matlab || class != nil
			if octave, err := o.Attr("OCTAVE_NEW_FORMAT"); err != nil {
				return false, err
			} else if octave != nil {
				return false, in.Fail("", "is HDF5 of Octave, which is not read; load it in Octave and save it again with save('-v7', 'FILE.mat')")
			}
			sparse, err := o.Attr("MATLAB_sparse")
			if sparse != nil {
				h.names = append(h.names, name)
			}
			return sparse == nil, err
		}
		return false, nil
	})
	if err != nil {
		return nil, err
	}
	if away != nil {
		in.Notef("Links are not followed: %s.", message.List(away, 6))
	}
	switch {
	case len(h.names) == 0 && away != nil:
		return nil, in.Fail("", "holds no arrays, but links that are not followed: %s; name the file that holds the numbers", message.List(away, 6))
	case len(h.names) == 0:
		return nil, in.Fail("", "holds no arrays; save the matrix of documents into it")
	}
	if err := h.sizes(); err != nil {
		return nil, err
	}
	return h, h.settleWriter()
}

// settleWriter finds out by the attributes of the root which program wrote the file.
func (h *hdfFile) settleWriter() error {
	properties, err := h.file.Root.Attr("_NCProperties")
	if err != nil {
		return err
	}
	h.netCDF = h.netCDF || properties != nil
	encoding, err := h.file.Root.Attr("encoding-type")
	h.cells = h.groups["obs"] != nil && h.groups["var"] != nil && (h.sets["X"] != nil || h.groups["X"] != nil || encoding.Text() == "anndata")
	return err
}

// sizes lists the sizes of sparse matrices that are attributes of their groups.
func (h *hdfFile) sizes() error {
	for _, name := range slices.Clone(h.names) {
		group, is := strings.CutSuffix(name, "indptr")
		o := h.groups[strings.TrimSuffix(group, "/")]
		if !is || o == nil || h.sets[group+"shape"] != nil {
			continue
		}
		for _, size := range []string{"shape", "h5sparse_shape"} {
			a, err := o.Attr(size)
			if err != nil {
				return err
			}
			if a != nil {
				h.names = append(h.names, group+"shape")
				h.sets[group+"shape"], h.heads[group+"shape"] = a, o
				break
			}
		}
	}
	return nil
}

// list adds a set of data, or the fields of records.
func (h *hdfFile) list(o *hdf.Object) error {
	d, err := o.Data()
	if err != nil {
		return err
	}
	class, err := o.Attr("MATLAB_class")
	if err != nil {
		return err
	}
	h.matlab = h.matlab || class != nil
	if size, err := h.ofNetCDF(o); size || err != nil {
		return err
	}
	add := func(name string, d *hdf.Data) {
		h.names = append(h.names, name)
		h.sets[name], h.heads[name] = d, o
	}
	if _, why := d.Type.Number(); d.Type.Class == hdf.Compound && why != "complex" {
		for k, f := range d.Type.Fields {
			add(o.Path+"."+f.Name, d.Field(k))
		}
	} else {
		add(o.Path, d)
	}
	if len(h.names) > mostArrays {
		return h.in.Fail("", "holds more than %d arrays; write the matrix and its labels alone", mostArrays)
	}
	return h.in.Mem.Take(1000, 1)
}

// ofNetCDF notes whether netCDF wrote a set of data, and reports whether it is the size of a
// dimension and no data.
func (h *hdfFile) ofNetCDF(o *hdf.Object) (size bool, err error) {
	for _, name := range []string{"_Netcdf4Dimid", "_Netcdf4Coordinates", "NAME"} {
		a, err := o.Attr(name)
		if err != nil {
			return false, err
		}
		size = name == "NAME" && strings.HasPrefix(a.Text(), "This is a netCDF dimension but not a netCDF variable")
		h.netCDF = h.netCDF || size || a != nil && name != "NAME"
	}
	return size, nil
}

// readHDF5 reads a matrix from HDF5: a file of MATLAB's level 7.3, cells of AnnData, Loom or 10x
// Genomics, a frame of pandas, or the arrays of any program, chosen as in .npz.
func readHDF5(in *source) (*draft, error) {
	h, err := openHDF5(in)
	if err != nil {
		return nil, err
	}
	if err := h.refuseNetwork(); err != nil {
		return nil, err
	}
	if err := h.refuseModalities(); err != nil {
		return nil, err
	}
	switch {
	case h.cells:
		return h.readCells()
	case in.opt.Var == "" && h.sets["matrix"] != nil && h.groups["row_attrs"] != nil && h.groups["col_attrs"] != nil:
		return h.readLoom()
	case in.opt.Var == "" && h.sets["matrix/barcodes"] != nil && h.sets["matrix/indptr"] != nil:
		return h.readTenx()
	}
	if err := h.refuseSeveral(); err != nil {
		return nil, err
	}
	if in.opt.LabelVar == "" && in.opt.LabelColumn != "" {
		in.opt.LabelVar = in.opt.LabelColumn
	}
	d, err := h.read()
	if err != nil {
		return nil, err
	}
	return d, h.nameFrame(d)
}

// refuseNetwork refuses the weights of a neural network, of which no matrix has a row for each
// document, unless one is asked for.
func (h *hdfFile) refuseNetwork() error {
	_, weights := h.groups["model_weights"]
	_, layers := h.groups["_layer_checkpoint_dependencies"]
	for _, name := range []string{"keras_version", "layer_names"} {
		a, err := h.file.Root.Attr(name)
		if err != nil {
			return err
		}
		weights = weights || a != nil
	}
	slots := strings.HasSuffix(strings.ToLower(h.in.Name), ".weights.h5") && h.groups["layers"] != nil
	if h.in.opt.Var != "" || !weights && !layers && !slots {
		return nil
	}
	var names []string
	for _, name := range h.names {
		if d := h.sets[name]; d != nil && len(d.Dims) == 2 {
			names = append(names, fmt.Sprintf("%s (%d×%d)", message.Clip(name, 80), d.Dims[0], d.Dims[1]))
		}
	}
	if names == nil {
		names = []string{"no matrix"}
	}
	return h.in.Fail("", "holds the weights of a neural network (Keras), and no rows of documents; if the rows of one of its arrays are documents, as of an embedding of words, name it with ‹var›: %s", message.List(names, 6))
}

// refuseSeveral refuses a file with a sparse matrix in parts and other matrices, none of which is
// asked for.
func (h *hdfFile) refuseSeveral() error {
	if h.in.opt.Var != "" {
		return nil
	}
	sparse, others := h.arraysIn("")
	if len(sparse) == 0 || len(sparse)+len(others) == 1 {
		return nil
	}
	return h.in.Fail("", "holds several matrices; name one with ‹var›: %s", message.List(append(sparse, others...), 12))
}

// arraysIn are the sparse matrices in parts and the dense ones whose paths begin so.
func (h *hdfFile) arraysIn(prefix string) (sparse, dense []string) {
	for _, name := range h.names {
		if !strings.HasPrefix(name, prefix) {
			continue
		}
		if at, is := strings.CutSuffix(name, "/indptr"); is {
			sparse = append(sparse, at)
		} else if d := h.sets[name]; d != nil && len(d.Dims) == 2 {
			dense = append(dense, name)
		}
	}
	return sparse, dense
}

// open reads the head of a set of data.
func (h *hdfFile) open(name string) (*arrayMember, error) {
	place := "array " + message.Clip(name, 60)
	m := &arrayMember{npyArray: &npyArray{order: binary.LittleEndian}, place: place, r: io.NopCloser(strings.NewReader("")), single: true}
	if h.sets[name] == nil && h.groups[name] != nil {
		return m, h.openSparse(m, name)
	}
	d := h.sets[name]
	if d == nil {
		return nil, h.in.Fail(place, "is missing; write the matrix again with %s", h.writer)
	}
	m.dims, m.count = d.Dims, d.Count
	if h.matlab {
		if done, err := h.openMatlab(m, d, name); done || err != nil {
			return m, err
		}
	}
	switch {
	case d.Type.IsText():
		m.text, m.words = 'S', d.Texts
		return m, nil
	case len(d.Dims) == 1 && d.Type.Class == hdf.Enum && !isTruth(d.Type):
		m.text, m.words = 'U', d.EnumNames
		return m, nil
	}
	return m, h.openNumbers(m, d, name)
}

// openNumbers opens an array of numbers, or says why it is none.
func (h *hdfFile) openNumbers(m *arrayMember, d *hdf.Data, name string) error {
	number, why := d.Type.Number()
	if why != "" {
		m.problem = why
		return nil
	}
	unsigned, err := h.heads[name].Attr("_Unsigned")
	if err != nil {
		return err
	}
	if unsigned.Text() == "true" { // as netCDF marks bytes that its older forms cannot say
		same := *number
		same.Signed, number = false, &same
	}
	m.order, m.kind = number.Order, kindOf(number)
	m.width = int64(number.Size)
	gaps, err := h.gaps(name, number)
	if err != nil {
		return h.in.Wrap(m.place, err)
	}
	scale, packed, why, err := h.scaling(name)
	if err != nil {
		return h.in.Wrap(m.place, err)
	}
	if why != "" {
		m.kind, m.problem = noKind, why
		return nil
	}
	m.start = d.Open
	if packed {
		told := false
		m.start = func() (io.Reader, int64, error) {
			if !told {
				h.in.Notef("The numbers of %s are unpacked as its attributes say: times %v (scale_factor), plus %v (add_offset).", message.Clip(name, 60), scale.factor, scale.offset)
			}
			told = true
			return d.Open()
		}
	}
	if gaps != nil || packed {
		m.mark(gaps, scale, m.start)
	}
	return nil
}

// kindOf is the kind of a type of numbers.
func kindOf(t *hdf.Type) numKind {
	switch {
	case t.Class == hdf.Float && t.Size == 2 && t.Exponent == 8:
		return kindBFloat16
	case t.Class == hdf.Float:
		return map[int]numKind{2: kindFloat16, 4: kindFloat32, 8: kindFloat64}[t.Size]
	case t.Signed:
		return map[int]numKind{1: kindInt8, 2: kindInt16, 4: kindInt32, 8: kindInt64}[t.Size]
	}
	return map[int]numKind{1: kindUint8, 2: kindUint16, 4: kindUint32, 8: kindUint64}[t.Size]
}

// layoutOf is the layout that a group says of its sparse matrix, as AnnData and h5sparse do.
func (h *hdfFile) layoutOf(prefix string) (string, error) {
	o := h.groups[strings.TrimSuffix(prefix, "/")]
	if o == nil || !strings.HasSuffix(prefix, "/") {
		return "", nil
	}
	for _, name := range []string{"encoding-type", "h5sparse_format"} {
		a, err := o.Attr(name)
		if err != nil {
			return "", err
		}
		switch a.Text() {
		case "csr_matrix", "csr":
			return "csr", nil
		case "csc_matrix", "csc":
			return "csc", nil
		}
	}
	return "", nil
}

// nameFrame takes the names of rows and columns that pandas keeps beside the numbers of a frame.
func (h *hdfFile) nameFrame(d *draft) error {
	name := strings.TrimPrefix(d.what, "array ")
	if h.sets["obs.index"] != nil && h.sets["var.index"] != nil && d.rowNames == nil { // AnnData before 0.7
		rows, cols := d.size()
		var err error
		if d.rowNames, err = h.frameNames("obs.index", rows); err == nil && d.colNames == nil {
			d.colNames, err = h.frameNames("var.index", cols)
		}
		return err
	}
	group, block := path.Split(name)
	number, ok := strings.CutSuffix(block, "_values")
	if table, _, is := strings.Cut(name, ".values_block_"); is && d.rowNames == nil {
		rows, _ := d.size()
		h.noteTypes(name, table+".", "")
		var err error
		d.rowNames, err = h.frameNames(table+".index", rows)
		return err
	}
	if !ok || !strings.HasPrefix(number, "block") || !slices.Contains(h.names, group+"axis1") {
		return nil
	}
	rows, cols := d.size()
	ids, err := h.frameNames(group+"axis1", rows)
	if err != nil {
		return err
	}
	terms, err := h.frameNames(group+number+"_items", cols)
	if err != nil {
		return err
	}
	if d.rowNames == nil {
		d.rowNames = ids
	}
	if d.colNames == nil {
		d.colNames = terms
	}
	h.noteTypes(name, group+"block", "_values")
	return nil
}

// noteTypes names the other columns of a frame of pandas, which are in arrays whose names begin and
// end so.
func (h *hdfFile) noteTypes(name, begins, ends string) {
	var others []string
	for _, n := range h.names {
		if strings.HasPrefix(n, begins) && strings.HasSuffix(n, ends) && n != name && n != begins+"index" {
			others = append(others, message.Clip(n, 60))
		}
	}
	if others != nil {
		h.in.Notef("Array %s has some of the columns of a frame of pandas; left out are those in %s: df.to_parquet writes a file with all of them.", message.Clip(name, 60), message.List(others, 6))
	}
}

// frameNames reads the names of n rows or columns of a frame; nil if there are none, or they only
// count.
func (h *hdfFile) frameNames(name string, n int) ([]string, error) {
	if !slices.Contains(h.names, name) {
		return nil, nil
	}
	m, err := h.open(name)
	if err != nil || m.problem != "" || len(m.dims) != 1 || m.count != int64(n) {
		return nil, err
	}
	words, err := h.arrayFile.list(name)
	for k, w := range words {
		if m.text != 0 || w != fmt.Sprint(k) {
			return words, err
		}
	}
	return nil, err
}

// openSparse opens a sparse matrix of MATLAB: a group of data, ir and jc.
func (h *hdfFile) openSparse(m *arrayMember, name string) error {
	rows, err := h.groups[name].Attr("MATLAB_sparse")
	if err != nil || rows == nil {
		return err
	}
	sizes, err := rows.Ints(1)
	if err != nil || len(sizes) != 1 {
		return h.in.Wrap(m.place, err)
	}
	jc := h.sets[name+"/jc"]
	if jc == nil {
		if child, err := h.groups[name].Child("jc"); err != nil {
			return err
		} else if child != nil {
			if jc, err = child.Data(); err != nil {
				return err
			}
		}
	}
	cols := int64(0)
	if jc != nil {
		cols = max(0, jc.Count-1)
	}
	m.dims, m.count = []int64{sizes[0], cols}, sizes[0]
	m.sparse = func() (*sparse.CSR, error) { return h.readSparse(m, name) }
	return nil
}

// readSparse reads a sparse matrix of MATLAB.
func (h *hdfFile) readSparse(m *arrayMember, name string) (*sparse.CSR, error) {
	rows, cols := m.dims[0], m.dims[1]
	if err := h.in.checkShape(m.place, rows, cols, rows); err != nil {
		return nil, err
	}
	a := compressedArrays{what: m.place, major: int(cols), minor: int(rows), byColumn: true, repair: "write the matrix again with one"}
	for _, part := range []string{"jc", "ir", "data"} {
		o, err := h.groups[name].Child(part)
		if err != nil {
			return nil, err
		}
		if o == nil && part != "jc" { // of a matrix of zeros
			continue
		}
		if o == nil {
			return nil, h.in.Fail(m.place, "has no pointers jc, the file is damaged; save it again")
		}
		full := name + "/" + part
		if h.sets[full], err = o.Data(); err != nil {
			return nil, err
		}
		h.heads[full], h.names = o, append(h.names, full)
	}
	var err error
	if a.ptr, err = arrayIntegers[int](h.arrayFile, name+"/jc"); err != nil {
		return nil, err
	}
	if h.sets[name+"/ir"] != nil && h.sets[name+"/data"] != nil {
		if a.idx, err = arrayIntegers[int32](h.arrayFile, name+"/ir"); err != nil {
			return nil, err
		}
		if a.val, err = h.floats(name + "/data"); err != nil {
			return nil, err
		}
	}
	return a.matrix(h.in)
}
