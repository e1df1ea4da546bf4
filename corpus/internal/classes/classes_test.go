package classes

import (
	"math"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
	"pgregory.net/rapid"
)

func TestClassesOfWords(t *testing.T) {
	for _, c := range []struct {
		words, names []string
		labels       []int
	}{
		{[]string{"b", "a", "", "b"}, []string{"a", "b"}, []int{1, 0, -1, 1}},
		{[]string{"10", "9", "-1", "9.0"}, []string{"-1", "9", "10"}, []int{2, 1, 0, 1}},
		{[]string{"10", "9", "x"}, []string{"10", "9", "x"}, []int{0, 1, 2}},
		{[]string{"inf", "1"}, []string{"1", "inf"}, []int{1, 0}},
		{[]string{"-0", "0"}, []string{"0"}, []int{0, 0}},
		{[]string{"", ""}, nil, []int{-1, -1}},
	} {
		labels, names := OfWords(c.words)
		if !slices.Equal(labels, c.labels) || !slices.Equal(names, c.names) {
			t.Errorf("%q: labels %v of %q, want %v of %q", c.words, labels, names, c.labels, c.names)
		}
	}
}

// The class of a document is the class of its value, and the classes are in the order of the
// values.
func TestClassesOfNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		vals := rapid.SliceOf(rapid.OneOf(rapid.Float64Range(-3, 3), rapid.Custom(func(t *rapid.T) float64 {
			return float64(rapid.IntRange(-2, 2).Draw(t, "v"))
		}), rapid.Just(math.NaN()))).Draw(t, "values")
		labels, names, err := OfNumbers(vals)
		if err != nil {
			t.Fatal(err)
		}
		for i, a := range vals {
			if (labels[i] < 0) != (a != a) {
				t.Fatalf("value %v has class %d", a, labels[i])
			}
			if labels[i] >= 0 {
				if v, ok := lexical.Number(names[labels[i]]); !ok || v != a {
					t.Fatalf("value %v is in class %q", a, names[labels[i]])
				}
			}
			for j, b := range vals {
				if a < b && labels[i] >= labels[j] || a == b && labels[i] != labels[j] {
					t.Fatalf("classes of %v and %v are %d and %d", a, b, labels[i], labels[j])
				}
			}
		}
	})
}
