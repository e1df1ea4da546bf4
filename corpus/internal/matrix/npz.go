package matrix

import (
	"archive/zip"
	"errors"
	"io"
	"io/fs"
	"math"
	"path"
	"slices"
	"strings"
	"syscall"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/sparse"
	"github.com/klauspost/compress/flate"
	"gonum.org/v1/gonum/mat"
)

// arrayFile is an opened file of named arrays: an archive of NumPy's, or HDF5.
type arrayFile struct {
	in     *source
	names  []string // in the order of the file
	writer string   // what writes a sparse matrix so that it is read
	// open reads the head of an array, which the file must have.
	open func(name string) (*arrayMember, error)
	// fault makes an error of reading an array a sentence.
	fault func(place string, err error) error
	// layout is the layout, csr or csc, that the file says of a sparse matrix in parts, whose names
	// begin so; "" if it says none. It may be nil.
	layout func(prefix string) (string, error)
}

// zippedArrays is an archive of NumPy arrays.
type zippedArrays struct {
	in      *source
	size    int64
	members map[string]*zip.File // by name without .npy
}

// sparseWriter writes sparse matrices of SciPy into an archive.
const sparseWriter = "scipy.sparse.save_npz"

// openNPZ opens an archive, which has at least one array.
func openNPZ(in *source) (*arrayFile, error) {
	at, size, err := in.Random()
	if err != nil {
		return nil, err
	}
	archive, err := zip.NewReader(at, size)
	if err != nil {
		return nil, zipError(in, "", err)
	}
	archive.RegisterDecompressor(zip.Deflate, flate.NewReader)
	members := &zippedArrays{in: in, size: size, members: make(map[string]*zip.File)}
	z := &arrayFile{in: in, writer: sparseWriter, open: members.open}
	z.fault = func(place string, err error) error { return zipError(in, place, err) }
	for _, f := range archive.File {
		if name, ok := strings.CutSuffix(f.Name, ".npy"); ok && members.members[name] == nil {
			members.members[name] = f
			z.names = append(z.names, name)
		}
	}
	if len(z.names) == 0 {
		return nil, in.Fail("", "is a zip archive without NumPy arrays; unpack it, or write the corpus with scipy.sparse.save_npz")
	}
	return z, nil
}

// readNPZ reads SciPy's sparse matrices (csr, csc, coo) and archives of plain arrays. Labels, terms
// and names of documents and classes come from arrays of the usual names.
func readNPZ(in *source) (*draft, error) {
	z, err := openNPZ(in)
	if err != nil {
		return nil, err
	}
	return z.read()
}

// read reads the matrix, its labels and its names.
func (z *arrayFile) read() (d *draft, err error) {
	var labels string
	parts, found := z.parts()
	switch {
	case z.has("format", "shape", "data") && z.in.opt.Var == "":
		if d, err = z.readSparse(); err != nil {
			return nil, err
		}
		labels, err = z.sparseLabels()
	case found:
		if d, err = z.readParts(parts); err != nil {
			return nil, err
		}
		labels, err = z.sparseLabels()
	default:
		d, labels, err = z.readPlain()
	}
	if err != nil {
		return nil, err
	}
	if labels != "" {
		if d.labels, err = z.readLabels(labels); err != nil {
			return nil, err
		}
	}
	return d, z.readNames(d, labels)
}

func (z *arrayFile) has(names ...string) bool {
	for _, n := range names {
		if !slices.Contains(z.names, n) {
			return false
		}
	}
	return true
}

// zipError makes an error of the archive's reader a sentence.
func zipError(in *source, place string, err error) error {
	switch {
	case errors.Is(err, zip.ErrFormat), errors.Is(err, zip.ErrChecksum):
		return &input.FormatError{File: in.Name, Place: place, Why: "the archive is damaged or cut off; copy or write it again", Err: err}
	case errors.Is(err, zip.ErrAlgorithm):
		return &input.FormatError{File: in.Name, Place: place, Why: "the archive's compression is not known; write it with numpy.savez_compressed", Err: err}
	}
	var system syscall.Errno
	if err = in.Wrap(place, err); errors.Is(err, fs.ErrInvalid) || errors.As(err, &system) || in.Ctx.Err() != nil {
		return err
	}
	// The remaining errors are from offsets in the archive that lead outside it.
	return &input.FormatError{File: in.Name, Place: place, Why: "the archive is damaged; copy or write it again", Err: err}
}

// arrayMember is an array being read.
type arrayMember struct {
	*npyArray
	place  string
	r      io.ReadCloser
	backed int64 // most bytes of its data
	// start opens r and says backed, of a file in which that is not done with the head; nil: it was.
	start  func() (r io.Reader, backed int64, err error)
	single bool // it may be read in single precision
	// sparse reads a sparse matrix, by columns; nil: it is none.
	sparse func() (*sparse.CSR, error)
}

// variable describes the array for the choice among several.
func (m *arrayMember) variable(name string) variable {
	v := m.npyArray.variable(name)
	v.sparse = m.sparse != nil
	return v
}

// open reads the header of an array.
func (z *zippedArrays) open(name string) (*arrayMember, error) {
	place := "array " + message.Clip(name, 60)
	f := z.members[name]
	if f == nil {
		return nil, z.in.Fail(place, "is missing; write the matrix again with %s", sparseWriter)
	}
	r, err := f.Open()
	if err != nil {
		return nil, zipError(z.in, place, err)
	}
	a, err := readNPYHeader(z.in, place, r)
	if err != nil {
		r.Close()
		return nil, zipError(z.in, place, err)
	}
	m := &arrayMember{npyArray: a, place: place, r: r, backed: z.most(f) - a.header}
	if a.width > 0 && a.count > max(m.backed, 0)/a.width {
		r.Close()
		return nil, zipError(z.in, place, io.ErrUnexpectedEOF)
	}
	return m, nil
}

// mostDeflated is the most bytes that deflate makes of one byte.
const mostDeflated = 1032

// most bounds the bytes of an array by the archive's own number and by what its compressed bytes
// can hold, so that an array is read into memory taken once and a wrong header takes none.
func (z *zippedArrays) most(f *zip.File) int64 {
	packed := min(f.CompressedSize64, uint64(z.size))
	if f.Method == zip.Deflate {
		packed *= mostDeflated
	}
	return int64(min(packed, f.UncompressedSize64))
}

// close reads to the end, which verifies the checksum.
func (m *arrayMember) close(z *arrayFile) error {
	defer m.r.Close()
	n, err := io.Copy(io.Discard, io.LimitReader(m.r, 1))
	if err != nil {
		return z.fault(m.place, err)
	}
	if n > 0 {
		return z.in.Fail(m.place, "goes on after the data that its header names, the file is damaged; write it again")
	}
	return nil
}

// started opens an array at the start of its data.
func (z *arrayFile) started(name string) (*arrayMember, error) {
	m, err := z.open(name)
	if err != nil || m.start == nil {
		return m, err
	}
	r, backed, err := m.start()
	if err != nil {
		return nil, z.fault(m.place, err)
	}
	m.r, m.backed = io.NopCloser(r), backed
	return m, nil
}

// readMember reads an array of numbers; read reads its data.
func readMember[T any](z *arrayFile, name string, read func(m *arrayMember) (T, error)) (T, error) {
	var none T
	m, err := z.started(name)
	if err != nil {
		return none, err
	}
	if v := m.variable(name); m.kind == noKind && m.sparse == nil {
		m.r.Close()
		return none, z.in.Fail(m.place, "is %s, where numbers are needed; save it as numbers", v.problem)
	}
	out, err := read(m)
	if err != nil {
		m.r.Close()
		return none, z.fault(m.place, err)
	}
	return out, m.close(z)
}

func arrayIntegers[T int | int32](z *arrayFile, name string) ([]T, error) {
	return readMember(z, name, func(m *arrayMember) ([]T, error) {
		if !m.kind.isInteger() {
			return nil, z.in.Fail(m.place, "holds no integers; write the matrix again with %s", z.writer)
		}
		return readIndices[T](m.r, z.in.Mem, m.count, m.kind, m.order, m.backed)
	})
}

func (z *arrayFile) floats(name string) ([]float64, error) {
	return readMember(z, name, func(m *arrayMember) ([]float64, error) {
		if m.sparse != nil {
			return nil, z.in.Fail(m.place, "is sparse, where a list or a dense matrix is needed; save it as one")
		}
		return readFloats(m.r, z.in.Mem, m.count, m.kind, m.order, m.backed)
	})
}

// readSparse reads the arrays of scipy.sparse.save_npz.
func (z *arrayFile) readSparse() (*draft, error) {
	format, err := z.readWords("format")
	if err != nil {
		return nil, err
	}
	shape, err := z.shape("shape")
	if err != nil {
		return nil, err
	}
	if len(format) != 1 || len(shape) != 2 {
		return nil, z.in.Fail("array shape", "the matrix has %s, where two are needed; write documents × terms", message.Plural(len(shape), "dimension", "dimensions"))
	}
	if err := z.in.checkShape("array shape", shape[0], shape[1], shape[0]); err != nil {
		return nil, err
	}
	rows, cols := int(shape[0]), int(shape[1])
	a := compressedArrays{what: "the matrix", major: rows, minor: cols, repair: "call m.sum_duplicates() before scipy.sparse.save_npz if the sum is meant"}
	d := &draft{what: a.what}
	switch format[0] {
	case "csc":
		a.major, a.minor, a.byColumn, d.flipped = cols, rows, true, true
		fallthrough
	case "csr":
		if a.ptr, err = arrayIntegers[int](z, "indptr"); err != nil {
			return nil, err
		}
		if a.idx, err = arrayIntegers[int32](z, "indices"); err != nil {
			return nil, err
		}
		if a.val, err = z.floats("data"); err != nil {
			return nil, err
		}
		d.x, err = a.matrix(z.in)
	case "coo":
		d.x, err = z.readCOO(&a)
	default:
		return nil, z.in.Fail("array format", "the layout %q is not read; write the matrix with save_npz(file, m.tocsr())", message.Clip(format[0], 20))
	}
	return d, err
}

// shape reads the size of a sparse matrix.
func (z *arrayFile) shape(name string) ([]int64, error) {
	return readMember(z, name, func(m *arrayMember) ([]int64, error) {
		if !m.kind.isInteger() || m.count > 8 {
			return nil, z.in.Fail(m.place, "is not the two sizes of a matrix; write the matrix again with %s", z.writer)
		}
		return readArray(m.r, z.in.Mem, m.count, m.kind.size(), m.backed, 8, func(dst []int64, src []byte) error {
			for i := range dst {
				dst[i] = m.kind.integer(src[i*m.kind.size():], m.order)
				if m.kind == kindUint64 && dst[i] < 0 {
					dst[i] = math.MaxInt64
				}
			}
			return nil
		})
	})
}

// readCOO reads coordinates.
func (z *arrayFile) readCOO(a *compressedArrays) (mat.Matrix, error) {
	row, err := arrayIntegers[int32](z, "row")
	if err != nil {
		return nil, err
	}
	col, err := arrayIntegers[int32](z, "col")
	if err != nil {
		return nil, err
	}
	return z.coordinates(a, row, col, "data")
}

// coordinates makes the matrix of rows, columns and the array of the values.
func (z *arrayFile) coordinates(a *compressedArrays, row, col []int32, data string) (mat.Matrix, error) {
	rows, cols := a.major, a.minor
	val, err := z.floats(data)
	if err != nil {
		return nil, err
	}
	if len(row) != len(val) || len(col) != len(val) {
		return nil, z.in.Fail("the matrix", "it has %d rows, %d columns and %d values, the file is damaged; write it again", len(row), len(col), len(val))
	}
	if err := z.in.checkShape("array shape", int64(rows), int64(cols), int64(len(val))); err != nil {
		return nil, err
	}
	t := triplets{in: z.in, row: row, col: col, val: val, gaps: true}
	for k := range val {
		if row[k] < 0 || int(row[k]) >= rows || col[k] < 0 || int(col[k]) >= cols {
			return nil, a.outside(z.in)
		}
	}
	x, err := t.csr(rows, cols)
	return x, a.explain(z.in, err, func(i, j int) (first, second int64) { return t.twice(int32(i), int32(j)) })
}

// variables describes all arrays, in the order of names.
func (z *arrayFile) variables() ([]variable, error) {
	vars := make([]variable, len(z.names))
	for k, name := range z.names {
		m, err := z.open(name)
		if err != nil {
			return nil, err
		}
		m.r.Close()
		vars[k] = m.variable(name)
	}
	return vars, nil
}

// readPlain reads an archive of plain arrays.
func (z *arrayFile) readPlain() (*draft, string, error) {
	vars, err := z.variables()
	if err != nil {
		return nil, "", err
	}
	data, labels, err := chooseVariables(z.in, vars)
	if err != nil {
		return nil, "", err
	}
	d := &draft{what: "array " + vars[data].name, group: path.Dir(vars[data].name)}
	d.x, err = readMember(z, vars[data].name, func(m *arrayMember) (x mat.Matrix, err error) {
		switch {
		case m.sparse != nil:
			d.flipped = true
			x, err = m.sparse()
		case m.single && z.in.opt.inSingle(m.kind) && !m.fortran && !z.in.opt.Transpose:
			x, err = m.asSingle(z.in, m.place, m.r, m.backed)
		default:
			x, d.flipped, err = m.matrix(z.in, m.place, m.r, m.backed)
		}
		return x, err
	})
	if err != nil || labels < 0 {
		return d, "", err
	}
	return d, vars[labels].name, nil
}

// sparseLabels finds the array of labels that belongs to a sparse matrix; empty for none.
func (z *arrayFile) sparseLabels() (string, error) {
	want := z.in.opt.LabelVar
	if want == "none" && !z.has(want) {
		return "", nil
	}
	if want != "" {
		if !z.has(want) {
			return "", z.in.Fail("‹label-var› "+message.Clip(want, 60), "there is no such array; the file holds %s", message.List(z.names, 12))
		}
		return want, nil
	}
	for _, n := range append([]string{"labels"}, anyLabelNames...) {
		if z.has(n) {
			if !z.in.opt.LabelsGiven {
				z.in.LabelNotef("The labels are from array %s.", n)
			}
			return n, nil
		}
	}
	return "", nil
}

func (z *arrayFile) readLabels(name string) (*Labels, error) {
	m, err := z.open(name)
	if err != nil {
		return nil, err
	}
	m.r.Close()
	v := m.variable(name)
	l := &Labels{What: m.place, File: z.in.Name, Without: labelVarNone, Rows: int(v.rows), Cols: int(v.cols)}
	switch {
	case v.isEmpty() || len(m.dims) == 0:
		return nil, z.in.Fail(m.place, "holds no labels; choose others with ‹label-var›, or none of them with ‹label-var› none")
	case v.text:
		l.Words, err = z.readWords(name)
		return l, err
	case !v.numeric:
		return nil, z.in.Fail(m.place, "is %s, where labels are needed; save it with labels.astype(str)", v.problem)
	}
	if l.Nums, err = z.floats(name); err != nil {
		return nil, err
	}
	if !m.fortran && !l.isVector() {
		d := draft{x: mat.NewDense(l.Rows, l.Cols, l.Nums)}
		if err := d.transpose(z.in); err != nil {
			return nil, z.in.Wrap(m.place, err)
		}
		l.Nums = d.x.(*mat.Dense).RawMatrix().Data
	}
	return l, nil
}
