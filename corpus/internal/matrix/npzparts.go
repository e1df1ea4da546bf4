package matrix

import (
	"path"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"gonum.org/v1/gonum/mat"
)

// sparseParts are the names of the arrays of a sparse matrix that was saved part by part, with
// numpy.savez, and not by scipy.sparse.save_npz. "" is an array that is not there.
type sparseParts struct{ prefix, data, indices, indptr, row, col, coords, shape string }

// What the arrays of a sparse matrix are called, and what may stand between such a word and what it
// is a part of, as in X_data or train.indptr.
var (
	partNames = []string{"data", "indices", "indptr", "row", "col", "coords", "shape"}
	partJoins = []string{"_", ".", "/", "-", ""}
)

// parts finds the arrays of a sparse matrix. With ‹var› they must begin with its name.
func (z *arrayFile) parts() (found sparseParts, ok bool) {
	var others []string
	for _, name := range z.names {
		prefix, data := strings.CutSuffix(name, "data")
		if !data {
			continue
		}
		if v := z.in.opt.Var; v != "" && (prefix == "" || strings.TrimRight(prefix, "_./-") != v) {
			continue
		}
		var p sparseParts
		for k, at := range []*string{&p.data, &p.indices, &p.indptr, &p.row, &p.col, &p.coords, &p.shape} {
			if z.has(prefix + partNames[k]) {
				*at = prefix + partNames[k]
			}
		}
		if prefix != "" && !slices.ContainsFunc(partJoins[:4], func(join string) bool { return strings.HasSuffix(prefix, join) }) {
			continue
		}
		if p.indices != "" && p.indptr != "" || p.row != "" && p.col != "" || p.coords != "" {
			if p.prefix = prefix; !ok {
				found, ok = p, true
			} else {
				others = append(others, strings.TrimRight(prefix, "_./-"))
			}
		}
	}
	if others != nil {
		z.in.Notef("The documents are from the sparse matrix %s; ‹var› takes another (%s).", message.Clip(strings.TrimRight(found.prefix, "_./-"), 60), message.List(others, 6))
	}
	return found, ok
}

// readParts reads a sparse matrix from its arrays. Without its shape the largest numbers give the
// sizes; whether its pointers are of rows or of columns is seen by their number, and rows are meant
// where it fits both.
func (z *arrayFile) readParts(p sparseParts) (*draft, error) {
	a := compressedArrays{what: "the matrix of the arrays " + p.data + ", ...", major: -1, minor: -1, repair: "call m.sum_duplicates() before it is saved if the sum is meant"}
	if p.shape != "" {
		shape, err := z.shape(p.shape)
		if err != nil {
			return nil, err
		}
		if len(shape) != 2 {
			return nil, z.in.Fail("array "+p.shape, "the matrix has %s, where two are needed; write documents × terms", message.Plural(len(shape), "dimension", "dimensions"))
		}
		if err := z.in.checkShape("array "+p.shape, shape[0], shape[1], shape[0]); err != nil {
			return nil, err
		}
		a.major, a.minor = int(shape[0]), int(shape[1])
	}
	d := &draft{what: a.what, group: path.Dir(strings.TrimRight(p.prefix, "/"))}
	var err error
	if p.indices != "" && p.indptr != "" {
		d.flipped, err = z.readPointers(p, &a)
		if err == nil {
			d.x, err = a.matrix(z.in)
		}
	} else {
		d.x, err = z.readCoordinates(p, &a)
	}
	return d, err
}

// readPointers reads the arrays of a CSR or CSC matrix; flipped says that it is CSC.
func (z *arrayFile) readPointers(p sparseParts, a *compressedArrays) (flipped bool, err error) {
	if a.ptr, err = arrayIntegers[int](z, p.indptr); err != nil {
		return false, err
	}
	if a.idx, err = arrayIntegers[int32](z, p.indices); err != nil {
		return false, err
	}
	if a.val, err = z.floats(p.data); err != nil {
		return false, err
	}
	rows, cols := a.major, a.minor
	layout := ""
	if z.layout != nil {
		if layout, err = z.layout(p.prefix); err != nil {
			return false, err
		}
	}
	switch n := len(a.ptr) - 1; {
	case layout == "csc" && rows >= 0:
		a.major, a.minor, a.byColumn, flipped = cols, rows, true, true
	case layout == "csr" && rows >= 0:
	case layout == "csc":
		a.major, a.minor, a.byColumn, flipped = n, largest(a.idx)+1, true, true
	case rows < 0:
		a.major, a.minor = n, largest(a.idx)+1
		z.in.Notef("The arrays %s, %s and %s are a sparse matrix by rows, of %d×%d without an array shape.", p.data, p.indices, p.indptr, a.major, a.minor)
	case n == rows:
		z.in.Notef("The arrays %s, %s and %s are a sparse matrix by rows (CSR).", p.data, p.indices, p.indptr)
		if rows == cols {
			z.in.Notef("As it has as many rows as columns, it could be one by columns (CSC); then give ‹transpose›.")
		}
	case n == cols:
		z.in.Notef("The arrays %s, %s and %s are a sparse matrix by columns (CSC).", p.data, p.indices, p.indptr)
		a.major, a.minor, a.byColumn, flipped = cols, rows, true, true
	}
	if err := z.in.checkShape(a.what, int64(a.major), int64(a.minor), int64(a.major)); err != nil {
		return false, err
	}
	return flipped, nil
}

// largest is the largest of some numbers; -1 for none.
func largest(list []int32) int {
	if len(list) == 0 {
		return -1
	}
	return int(slices.Max(list))
}

// readCoordinates reads the arrays of a COO matrix: rows and columns in two arrays, or in the two
// rows of one.
func (z *arrayFile) readCoordinates(p sparseParts, a *compressedArrays) (mat.Matrix, error) {
	var row, col []int32
	var err error
	if p.coords != "" {
		m, err := z.open(p.coords)
		if err != nil {
			return nil, err
		}
		m.r.Close()
		if len(m.dims) != 2 || m.dims[0] != 2 || m.fortran {
			return nil, z.in.Fail(m.place, "has another shape than 2 rows, of the rows and of the columns of the entries; write documents × terms")
		}
		both, err := arrayIntegers[int32](z, p.coords)
		if err != nil {
			return nil, err
		}
		row, col = both[:len(both)/2:len(both)/2], both[len(both)/2:]
	} else {
		if row, err = arrayIntegers[int32](z, p.row); err != nil {
			return nil, err
		}
		if col, err = arrayIntegers[int32](z, p.col); err != nil {
			return nil, err
		}
	}
	if a.major < 0 {
		a.major, a.minor = largest(row)+1, largest(col)+1
	}
	z.in.Notef("The arrays are the coordinates and values of a sparse matrix (COO).")
	return z.coordinates(a, row, col, p.data)
}
