package corpustest

import (
	"math"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// CheckInvariants checks what holds for every corpus, whatever file it is from.
func CheckInvariants(t *testing.T, x mat.Matrix, labels []int, classNames, terms, ids []string) {
	t.Helper()
	n, m := x.Dims()
	if n < 1 || m < 1 {
		t.Fatalf("a corpus of %d×%d", n, m)
	}
	if labels != nil && len(labels) != n || ids != nil && len(ids) != n || terms != nil && len(terms) != m {
		t.Fatalf("%d×%d, but %d labels, %d ids and %d terms", n, m, len(labels), len(ids), len(terms))
	}
	switch x := x.(type) {
	case *sparse.CSR:
		if _, err := sparse.NewCSR(x.NumRows, x.NumCols, x.RowPtr, x.Col, x.Val); err != nil {
			t.Fatal(err)
		}
	case *mat.Dense:
		for _, v := range x.RawMatrix().Data {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				t.Fatalf("entry %v", v)
			}
		}
	default:
		t.Fatalf("matrix of type %T", x)
	}
	sizes := make([]int, len(classNames))
	for i, l := range labels {
		if l < -1 || l >= len(sizes) {
			t.Fatalf("document %d has class %d of %d", i+1, l, len(sizes))
		}
		if l >= 0 {
			sizes[l]++
		}
	}
	for k, s := range sizes {
		if s == 0 {
			t.Fatalf("class %q has no documents", classNames[k])
		}
	}
	if labels != nil && len(sizes) == 0 {
		t.Fatal("labels without classes")
	}
	sorted := slices.Clone(classNames)
	if slices.Sort(sorted); len(slices.Compact(sorted)) != len(classNames) {
		t.Fatalf("class names %q repeat", classNames)
	}
}
