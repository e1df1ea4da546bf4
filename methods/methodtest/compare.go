package methodtest

import (
	"fmt"
	"math"
	"reflect"

	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// difference says where two results have other bits, "" if nowhere.
func difference(a, b *method.Fitted) string {
	if a == nil || b == nil {
		return "one of them has no result"
	}
	if d := denseDifference("embedding", a.Embedding, b.Embedding); d != "" {
		return d
	}
	if d := denseDifference("soft labels", a.Soft, b.Soft); d != "" {
		return d
	}
	if (a.Values == nil) != (b.Values == nil) {
		return "one of them has values of the coordinates"
	}
	if a.Values != nil {
		if d := floatDifference("value", a.Values.Values, b.Values.Values); d != "" {
			return d
		}
	}
	return clusterDifference(a.Clusters, b.Clusters)
}

func clusterDifference(a, b *method.Clusters) string {
	if a == nil || b == nil {
		if a != b {
			return "one of them has clusters"
		}
		return ""
	}
	if !reflect.DeepEqual(a.Labels, b.Labels) {
		return "the labels differ"
	}
	if !reflect.DeepEqual(a.Sizes, b.Sizes) {
		return fmt.Sprintf("the sizes are %v and %v", a.Sizes, b.Sizes)
	}
	if math.Float64bits(a.Objective) != math.Float64bits(b.Objective) {
		return fmt.Sprintf("the objectives are %v and %v", a.Objective, b.Objective)
	}
	if d := denseDifference("centres", a.Centers, b.Centers); d != "" {
		return d
	}
	if !reflect.DeepEqual(a.Certainty, b.Certainty) {
		return "the certainties differ"
	}
	return denseDifference("posterior", a.Posterior, b.Posterior)
}

// placementDifference is difference of placements.
func placementDifference(a, b *method.Placement) string {
	if d := denseDifference("embedding", a.Embedding, b.Embedding); d != "" {
		return d
	}
	if d := denseDifference("posterior", a.Posterior, b.Posterior); d != "" {
		return d
	}
	switch {
	case !reflect.DeepEqual(a.Labels, b.Labels):
		return fmt.Sprintf("the labels are %v and %v", a.Labels, b.Labels)
	case len(a.Isolated) != len(b.Isolated) || len(a.Isolated) > 0 && !reflect.DeepEqual(a.Isolated, b.Isolated):
		return fmt.Sprintf("the isolated rows are %v and %v", a.Isolated, b.Isolated)
	case len(a.Known) != len(b.Known) || len(a.Known) > 0 && !reflect.DeepEqual(a.Known, b.Known):
		return fmt.Sprintf("the rows that equal training rows are %v and %v", a.Known, b.Known)
	case !reflect.DeepEqual(a.Certainty, b.Certainty):
		return fmt.Sprintf("the certainties are %v and %v", a.Certainty, b.Certainty)
	}
	return ""
}

func denseDifference(what string, a, b *mat.Dense) string {
	if a == nil || b == nil {
		if a != b {
			return "one of them has no " + what
		}
		return ""
	}
	n, d := a.Dims()
	if r, c := b.Dims(); r != n || c != d {
		return fmt.Sprintf("%s: %d × %d and %d × %d", what, n, d, r, c)
	}
	for i := range n {
		if text := floatDifference(fmt.Sprintf("%s, row %d, column", what, i), a.RawRowView(i), b.RawRowView(i)); text != "" {
			return text
		}
	}
	return ""
}

func floatDifference(what string, a, b []float64) string {
	if len(a) != len(b) {
		return fmt.Sprintf("%s: %d and %d numbers", what, len(a), len(b))
	}
	for i, v := range a {
		if math.Float64bits(v) != math.Float64bits(b[i]) {
			return fmt.Sprintf("%s %d: %v and %v", what, i, v, b[i])
		}
	}
	return ""
}

// worst is the largest difference of two matrices of one shape in the given rows of a, all of them
// if rows is nil; row i of b belongs to row rows[i] of a. It is +Inf if the shapes do not fit.
func worst(a, b *mat.Dense, rows []int) float64 {
	n, d := b.Dims()
	r, c := a.Dims()
	if c != d || rows == nil && r != n || rows != nil && len(rows) != n {
		return math.Inf(1)
	}
	most := 0.0
	for i := range n {
		at := i
		if rows != nil {
			at = rows[i]
		}
		for j, v := range b.RawRowView(i) {
			if gap := math.Abs(v - a.At(at, j)); !(gap <= most) {
				most = gap
			}
		}
	}
	return most
}

// largest is the largest magnitude in a matrix.
func largest(a *mat.Dense) float64 {
	return max(math.Abs(mat.Max(a)), math.Abs(mat.Min(a)))
}

// infinite says which part of a result has a number that is not finite, "" if none.
func infinite(out *method.Fitted) string {
	parts := map[string]*mat.Dense{"embedding": out.Embedding, "soft labels": out.Soft}
	if c := out.Clusters; c != nil {
		parts["centres"], parts["posterior"] = c.Centers, c.Posterior
	}
	for name, m := range parts {
		if m == nil {
			continue
		}
		n, _ := m.Dims()
		for i := range n {
			for j, v := range m.RawRowView(i) {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					return fmt.Sprintf("%s, row %d, column %d, is %v", name, i, j, v)
				}
			}
		}
	}
	return ""
}

// deepCopy copies a value with everything that its exported fields point to, functions excepted.
func deepCopy(v reflect.Value) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			out.Set(reflect.New(v.Type().Elem()))
			out.Elem().Set(deepCopy(v.Elem()))
		}
	case reflect.Slice:
		if !v.IsNil() {
			out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
			for i := range v.Len() {
				out.Index(i).Set(deepCopy(v.Index(i)))
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				out.Field(i).Set(deepCopy(v.Field(i)))
			}
		}
	}
	return out
}

// copied are options or another pointer to a struct, copied deeply.
func copied[T any](p T) T { return deepCopy(reflect.ValueOf(p)).Interface().(T) }

// sameRows says whether two matrices have the same storage and the same bits.
func sameRows(a, b mat.Matrix) bool {
	switch x := a.(type) {
	case nil:
		return b == nil
	case *mat.Dense:
		y, ok := b.(*mat.Dense)
		return ok && denseDifference("", x, y) == ""
	case *sparse.CSR:
		y, ok := b.(*sparse.CSR)
		return ok && reflect.DeepEqual(x, y)
	}
	return false
}
