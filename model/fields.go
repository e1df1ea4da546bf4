package model

import (
	"encoding/json"
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Fields visits what a [Part] keeps, in one order for writing and reading: each method either
// records the value behind its pointer or sets it. A nil array is not written, and one that the
// file lacks stays nil. The first error ends the visit.
type Fields struct {
	write    bool
	prefix   string // of all names, within a part of a part
	settings map[string]json.RawMessage
	arrays   []array  // when writing: in order
	divided  []string // names of OfDocuments
	from     *archive // when reading
	err      error
}

// Writing says whether the visit writes a file; else it reads one.
func (f *Fields) Writing() bool { return f.write }

// OfDocuments names the arrays and the Rows that have something of each training document: one
// entry or row of each, or a list of numbers of documents. Where ranks divide the documents, each
// writes what it has of them, and the arrays of the ranks one after the other are the model's.
func (f *Fields) OfDocuments(names ...string) {
	for _, name := range names {
		f.divided = append(f.divided, f.prefix+name)
	}
}

// In visits the fields of a part of this part. Their names begin with a name of it, so that several
// parts of one part may have fields of the same name.
func (f *Fields) In(name string, part interface{ Fields(*Fields) }) {
	outer := f.prefix
	f.prefix += name + "."
	part.Fields(f)
	f.prefix = outer
}

// Fail ends the visit with an error, unless it has ended already.
func (f *Fields) Fail(err error) {
	if f.err == nil {
		f.err = err
	}
}

// Has says whether the file that is read has a setting or an array of this name. A part reads with
// it what files of earlier versions do not have.
func (f *Fields) Has(name string) bool {
	if f.write {
		return false
	}
	_, isSetting := f.settings[f.prefix+name]
	return isSetting || f.from.entries[f.prefix+name] != nil
}

// Setting is a small value, kept as JSON.
func (f *Fields) Setting(name string, p any) {
	if f.err != nil {
		return
	}
	if f.write {
		f.settings[f.prefix+name], f.err = json.Marshal(p)
		return
	}
	raw, ok := f.settings[f.prefix+name]
	if !ok {
		f.err = invalid.Errorf("the model lacks its setting %q", name)
	} else if err := json.Unmarshal(raw, p); err != nil {
		f.err = invalid.Errorf("the model's setting %q is damaged (%s)", name, words.WrongJSON(err))
	}
}

// Floats is a vector of finite numbers.
func (f *Fields) Floats(name string, p *[]float64) {
	if f.write {
		if *p != nil {
			f.arrays = append(f.arrays, array{arrayEntry: arrayEntry{f.prefix + name, typeFloat, []int{len(*p)}}, floats: *p})
		}
		return
	}
	if e := f.find(name, typeFloat, 1); e != nil {
		*p, f.err = f.from.floats(e)
	}
}

// Ints is a vector of whole numbers.
func (f *Fields) Ints(name string, p *[]int) {
	if f.write {
		if *p != nil {
			f.arrays = append(f.arrays, array{arrayEntry: arrayEntry{f.prefix + name, typeInt, []int{len(*p)}}, ints: *p})
		}
		return
	}
	if e := f.find(name, typeInt, 1); e != nil {
		*p, f.err = f.from.ints(e)
	}
}

func (f *Fields) columns(name string, p *[]int32) {
	if f.write {
		f.arrays = append(f.arrays, array{arrayEntry: arrayEntry{f.prefix + name, typeIndex, []int{len(*p)}}, indices: *p})
		return
	}
	if e := f.find(name, typeIndex, 1); e != nil {
		*p, f.err = f.from.indices(e)
	}
}

// Dense is a matrix of finite numbers with at least one row and one column.
func (f *Fields) Dense(name string, p **mat.Dense) {
	if f.write {
		if *p != nil && !(*p).IsEmpty() {
			r, c := (*p).Dims()
			f.arrays = append(f.arrays, array{arrayEntry: arrayEntry{f.prefix + name, typeFloat, []int{r, c}}, floats: packed(*p)})
		}
		return
	}
	e := f.find(name, typeFloat, 2)
	if e == nil {
		return
	}
	if e.Shape[0] == 0 || e.Shape[1] == 0 {
		f.err = invalid.Errorf("the model's array %q is empty", name)
		return
	}
	vals, err := f.from.floats(e)
	if f.err = err; err == nil {
		*p = mat.NewDense(e.Shape[0], e.Shape[1], vals)
	}
}

// Pieces writes a matrix whose numbers come piece by piece, row by row, from each, so that no copy
// of the whole is made. It is read with Dense.
func (f *Fields) Pieces(name string, rows, cols int, each func(func([]float64) error) error) {
	f.arrays = append(f.arrays, array{arrayEntry: arrayEntry{f.prefix + name, typeFloat, []int{rows, cols}}, each: each})
}

// packed are the values of m row by row, without a copy if they are stored so.
func packed(m *mat.Dense) []float64 {
	raw := m.RawMatrix()
	if raw.Stride == raw.Cols {
		return raw.Data[:raw.Rows*raw.Cols]
	}
	return mat.DenseCopyOf(m).RawMatrix().Data
}

// Rows is a matrix of documents, *mat.Dense or *sparse.CSR, or the same in single precision, which
// is written in double precision and read so: the array NAME if it is dense, and NAME.indptr,
// NAME.indices and NAME.data, as SciPy's csr_array takes them, if it is sparse.
func (f *Fields) Rows(name string, p *mat.Matrix) {
	if f.write {
		f.writeRows(name, *p)
		return
	}
	shape := name + ".shape"
	if _, isSparse := f.settings[f.prefix+shape]; !isSparse {
		var x *mat.Dense
		if f.Dense(name, &x); x != nil {
			*p = x
		}
		return
	}
	var dims []int
	x := new(sparse.CSR)
	f.Setting(shape, &dims)
	f.Ints(name+".indptr", &x.RowPtr)
	f.columns(name+".indices", &x.Col)
	f.Floats(name+".data", &x.Val)
	if f.err != nil {
		return
	}
	if len(dims) != 2 || len(x.RowPtr) == 0 {
		f.err = invalid.Errorf("the model's rows have no shape")
		return
	}
	x, err := sparse.NewCSR(dims[0], dims[1], x.RowPtr, x.Col, x.Val)
	if err != nil {
		f.err = invalid.Errorf("the model's rows are damaged: %w", err)
		return
	}
	*p = x
}

func (f *Fields) writeRows(name string, m mat.Matrix) {
	switch x := m.(type) {
	case *mat.Dense:
		f.Dense(name, &x)
	case *sparse.SingleDense:
		f.Pieces(name, x.NumRows, x.NumCols, func(piece func([]float64) error) error {
			row := make([]float64, x.NumCols)
			for i := range x.NumRows {
				x.Values(i, row)
				if err := piece(row); err != nil {
					return err
				}
			}
			return nil
		})
	case *sparse.Single:
		p := x.Pattern()
		f.Setting(name+".shape", []int{p.NumRows, p.NumCols})
		f.Ints(name+".indptr", &p.RowPtr)
		f.columns(name+".indices", &p.Col)
		f.arrays = append(f.arrays, array{arrayEntry: arrayEntry{f.prefix + name + ".data", typeFloat, []int{x.NNZ()}}, each: func(piece func([]float64) error) error {
			var row []float64
			for i := range p.NumRows {
				row = x.Values(i, row)
				if err := piece(row); err != nil {
					return err
				}
			}
			return nil
		}})
	case *sparse.CSR:
		f.Setting(name+".shape", []int{x.NumRows, x.NumCols})
		f.Ints(name+".indptr", &x.RowPtr)
		f.columns(name+".indices", &x.Col)
		vals := x.Val
		if vals == nil {
			vals = []float64{}
		}
		f.Floats(name+".data", &vals)
	default:
		f.Fail(invalid.Errorf("the model's rows are a %T; a *sparse.CSR or *mat.Dense is needed", x))
	}
}

// CSR is a sparse matrix, stored as Rows stores one.
func (f *Fields) CSR(name string, p **sparse.CSR) {
	if f.write {
		f.writeRows(name, *p)
		return
	}
	var m mat.Matrix
	f.Rows(name, &m)
	*p, _ = m.(*sparse.CSR)
}

// find returns the entry of an array that is to be read, nil if there is none.
func (f *Fields) find(name, kind string, dims int) *arrayEntry {
	if f.err != nil {
		return nil
	}
	e := f.from.entries[f.prefix+name]
	if e != nil && (e.Type != kind || len(e.Shape) != dims) {
		f.err = invalid.Errorf("the model's array %q is of type %s and %d dimensions, where %s and %d are right", name, clip(e.Type), len(e.Shape), kind, dims)
		return nil
	}
	return e
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
