package sparse

import (
	"github.com/eigenmap/eigenmap/internal/vecmath"
	jb "github.com/james-bowman/sparse"
	"gonum.org/v1/gonum/mat"
)

// Stored returns x as a *CSR or a *mat.Dense, the two kinds of rows that methods work on: such a
// matrix itself, a CSR of one that [Is] sparse, and a dense copy of any other. An empty x that is
// not sparse becomes an empty *mat.Dense. Rows in single precision are copied to double precision
// ([Single], [SingleDense]); [Kept] leaves them as they are.
//
// Errors (fs.ErrInvalid): x is nil; values of a sparse matrix that is copied are not finite
// (*NotFiniteError). Values of other matrices are not looked at.
func Stored(x mat.Matrix) (mat.Matrix, error) {
	switch x := x.(type) {
	case nil:
		return nil, &ShapeError{Why: "there is no matrix"}
	case *CSR, *mat.Dense:
		return x, nil
	case *Single:
		return x.Double(), nil
	case *SingleDense:
		return x.Double(), nil
	}
	if Is(x) {
		return FromMatrix(x)
	}
	if r, c := x.Dims(); r == 0 || c == 0 {
		return &mat.Dense{}, nil
	}
	return mat.DenseCopyOf(x), nil
}

// Kept is [Stored] that leaves rows in single precision as they are, for work that reads these.
func Kept(x mat.Matrix) (mat.Matrix, error) {
	if IsSingle(x) {
		return x, nil
	}
	return Stored(x)
}

// IsSingle says whether a matrix is stored in single precision.
func IsSingle(x mat.Matrix) bool {
	switch x.(type) {
	case *Single, *SingleDense:
		return true
	}
	return false
}

// ToSingle stores a matrix in single precision: what [Is] sparse as a *[Single], any other as a
// *[SingleDense]. Errors are as for [Stored] and [NewSingle].
func ToSingle(x mat.Matrix) (mat.Matrix, error) {
	x, err := Kept(x)
	if err != nil {
		return nil, err
	}
	switch x := x.(type) {
	case *CSR:
		return NewSingle(x)
	case *mat.Dense:
		return NewSingleDense(x)
	case *SingleDense:
		if x.Wide {
			narrow := *x
			narrow.Wide = false
			return &narrow, nil
		}
	}
	return x, nil
}

// CheckFinite refuses values that are not finite (*NotFiniteError) of a matrix as [Stored] returns
// or [Kept] returns it.
func CheckFinite(x mat.Matrix) error {
	if IsSingle(x) {
		return nil
	}
	if s, ok := x.(*CSR); ok {
		return s.CheckFinite()
	}
	m := x.(*mat.Dense).RawMatrix()
	return firstFault(m.Rows, func(from, to int) error {
		for i := from; i < to; i++ {
			row := m.Data[i*m.Stride : i*m.Stride+m.Cols]
			if vecmath.Finite(row) {
				continue
			}
			for j, v := range row {
				if !finite(v) {
					return &NotFiniteError{Row: i, Col: j, Value: v}
				}
			}
		}
		return nil
	})
}

// Is says whether a matrix is sparse: a *CSR, a *Single, one that lists its entries
// (mat.NonZeroDoer), or the transpose of such a matrix. A dense copy of it may be far larger than
// it.
func Is(x mat.Matrix) bool {
	switch x := x.(type) {
	case *CSR, *Single, *jb.CSR, mat.NonZeroDoer:
		return true
	case mat.Transpose:
		return Is(x.Matrix)
	}
	return false
}
