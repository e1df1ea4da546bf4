package job

import (
	"fmt"
	"slices"

	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// noteEqual warns of documents that are all the same, which no method can tell apart.
func (j *Job) noteEqual() {
	if n := j.Corpus.Len(); !j.Corpus.Divided() && n > 1 && allEqual(j.X) {
		j.Warn(fmt.Sprintf("All %s are the same: what tells them apart in the results, clusters and coordinates, is arbitrary.", words.Counted(n, "document")))
	}
}

// allEqual reports whether all rows are equal. It ends at the first that differs.
func allEqual(x mat.Matrix) bool {
	n, _ := x.Dims()
	switch x := x.(type) {
	case sparse.Rows:
		p := x.Pattern()
		first := slices.Clone(x.Values(0, nil))
		cols := func(i int) []int32 { return p.Col[p.RowPtr[i]:p.RowPtr[i+1]] }
		var buf []float64
		for i := 1; i < n; i++ {
			if !slices.Equal(cols(i), cols(0)) {
				return false
			}
			if buf = x.Values(i, buf); !slices.Equal(buf, first) {
				return false
			}
		}
	case *mat.Dense:
		for i := 1; i < n; i++ {
			if !slices.Equal(x.RawRowView(i), x.RawRowView(0)) {
				return false
			}
		}
	case *sparse.SingleDense:
		for i := 1; i < n; i++ {
			if !slices.Equal(x.Row(i), x.Row(0)) {
				return false
			}
		}
	default:
		return false
	}
	return true
}
