package methodtest

import (
	"math"

	"github.com/eigenmap/eigenmap/internal/option"
	"gonum.org/v1/gonum/mat"
)

// checkNested: if the method says so, the first coordinates of a larger embedding equal a smaller
// embedding, up to a rotation. Inner products of rows do not change under a rotation.
func checkNested(s *suite) {
	if !s.spec.Yields.Nested {
		return
	}
	for _, sm := range s.samples(small) {
		o := s.options()
		if dims := option.Find(option.Of(o), "dims"); dims == nil || dims.IsSet() {
			continue // the number of clusters does not decide the dimensions
		}
		few, more := sm.input(), sm.input()
		few.Clusters, more.Clusters = clusters, clusters+2
		a, errA := s.fit(background, o, few)
		b, errB := s.fit(background, o, more)
		if errA != nil || errB != nil {
			continue // refused for other reasons: other checks see to it
		}
		n, dims := a.Embedding.Dims()
		// Labels and other options may decide the dimensions: then the two embeddings are one.
		decided := sm.input().Given != nil || dims != clusters
		if _, cols := b.Embedding.Dims(); cols != dims+2 && !(decided && cols == dims) {
			s.badf("%s: %d and %d clusters give %d and %d dimensions", sm.name, few.Clusters, more.Clusters, dims, cols)
			continue
		}
		part := mat.DenseCopyOf(b.Embedding.Slice(0, n, 0, dims))
		unit := unitRows(a.Embedding)
		if unit {
			scaleRows(part)
		}
		var of, ofPart mat.Dense
		of.Mul(a.Embedding, a.Embedding.T())
		ofPart.Mul(part, part.T())
		scale := mat.Max(&of)
		of.Sub(&of, &ofPart)
		if worst := math.Max(mat.Max(&of), -mat.Min(&of)); worst > 1e-5*scale {
			s.badf("%s: the first %d of %d coordinates differ from an embedding with %d: inner products differ by %.1e of %.1e", sm.name, dims, dims+2, dims, worst, scale)
		}
	}
}

// unitRows says whether every row has length 1 or 0.
func unitRows(x *mat.Dense) bool {
	n, _ := x.Dims()
	for i := range n {
		if l := mat.Norm(x.RowView(i), 2); l != 0 && math.Abs(l-1) > 1e-9 {
			return false
		}
	}
	return true
}

func scaleRows(x *mat.Dense) {
	n, cols := x.Dims()
	for i := range n {
		if l := mat.Norm(x.RowView(i), 2); l > 0 {
			for j := range cols {
				x.Set(i, j, x.At(i, j)/l)
			}
		}
	}
}
