package model

import (
	"encoding/json"
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// fields goes through what a part keeps, in one order for writing and reading: every method either takes note of the value behind its pointer or sets
// it. A nil array is not written, and one that is not there stays nil. The first error ends it.
type fields struct {
	write    bool
	settings map[string]json.RawMessage
	arrays   []array  // when writing: in order
	from     *archive // when reading
	err      error
}

// setting is a small value, kept as JSON.
func (f *fields) setting(name string, p any) {
	if f.err != nil {
		return
	}
	if f.write {
		f.settings[name], f.err = json.Marshal(p)
		return
	}
	raw, ok := f.settings[name]
	if !ok {
		f.err = invalid.Errorf("the model lacks its setting %q", name)
	} else if err := json.Unmarshal(raw, p); err != nil {
		f.err = invalid.Errorf("the model's setting %q is damaged: %v", name, err)
	}
}

// floats is a vector of finite numbers.
func (f *fields) floats(name string, p *[]float64) {
	if f.write {
		if *p != nil {
			f.arrays = append(f.arrays, array{arrayEntry: arrayEntry{name, typeFloat, []int{len(*p)}}, floats: *p})
		}
		return
	}
	if e := f.find(name, typeFloat, 1); e != nil {
		*p, f.err = f.from.floats(e)
	}
}

// ints is a vector of whole numbers.
func (f *fields) ints(name string, p *[]int) {
	if f.write {
		if *p != nil {
			f.arrays = append(f.arrays, array{arrayEntry: arrayEntry{name, typeInt, []int{len(*p)}}, ints: *p})
		}
		return
	}
	if e := f.find(name, typeInt, 1); e != nil {
		*p, f.err = f.from.ints(e)
	}
}

func (f *fields) columns(name string, p *[]int32) {
	if f.write {
		f.arrays = append(f.arrays, array{arrayEntry: arrayEntry{name, typeIndex, []int{len(*p)}}, indices: *p})
		return
	}
	if e := f.find(name, typeIndex, 1); e != nil {
		*p, f.err = f.from.indices(e)
	}
}

// dense is a matrix of finite numbers with at least one row and column.
func (f *fields) dense(name string, p **mat.Dense) {
	if f.write {
		if *p != nil && !(*p).IsEmpty() {
			r, c := (*p).Dims()
			f.arrays = append(f.arrays, array{arrayEntry: arrayEntry{name, typeFloat, []int{r, c}}, floats: packed(*p)})
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

// pieces writes a matrix whose numbers are told piece by piece, row by row, by each.
func (f *fields) pieces(name string, rows, cols int, each func(func([]float64) error) error) {
	f.arrays = append(f.arrays, array{arrayEntry: arrayEntry{name, typeFloat, []int{rows, cols}}, each: each})
}

// packed are the values of m row by row, without a copy where they stand so.
func packed(m *mat.Dense) []float64 {
	raw := m.RawMatrix()
	if raw.Stride == raw.Cols {
		return raw.Data[:raw.Rows*raw.Cols]
	}
	return mat.DenseCopyOf(m).RawMatrix().Data
}

// rows is a matrix of documents: NAME where it is dense, and NAME.indptr, .indices, .data (as SciPy's csr_array takes them) where it is sparse.
func (f *fields) rows(name string, p *mat.Matrix) {
	shape := name + ".shape"
	if f.write {
		switch x := (*p).(type) {
		case *mat.Dense:
			f.dense(name, &x)
		case *sparse.CSR:
			f.setting(shape, []int{x.NumRows, x.NumCols})
			f.ints(name+".indptr", &x.RowPtr)
			f.columns(name+".indices", &x.Col)
			vals := x.Val
			if vals == nil {
				vals = []float64{}
			}
			f.floats(name+".data", &vals)
		default:
			f.err = invalid.Errorf("the model's rows are a %T, where a *sparse.CSR or *mat.Dense is needed", x)
		}
		return
	}
	if _, isSparse := f.settings[shape]; !isSparse {
		var x *mat.Dense
		if f.dense(name, &x); x != nil {
			*p = x
		}
		return
	}
	var dims []int
	x := new(sparse.CSR)
	f.setting(shape, &dims)
	f.ints(name+".indptr", &x.RowPtr)
	f.columns(name+".indices", &x.Col)
	f.floats(name+".data", &x.Val)
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

// find returns the entry of an array that is to be read, nil where there is none.
func (f *fields) find(name, kind string, dims int) *arrayEntry {
	if f.err != nil {
		return nil
	}
	e := f.from.entries[name]
	if e != nil && (e.Type != kind || len(e.Shape) != dims) {
		f.err = invalid.Errorf("the model's array %q is of type %s and %d dimensions, where %s and %d are right", name, clip(e.Type), len(e.Shape), kind, dims)
		return nil
	}
	return e
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
