package predicting

import (
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/methods/method"
)

// Of two columns of one word, which languages stem apart, the explanation of a document lists the
// better, once; a column without a name is not listed.
func TestExplainedTermsAreListedOnce(t *testing.T) {
	var list []method.Weight
	for _, w := range []method.Weight{{Column: 3, Term: "guten", Weight: 3}, {Column: 1, Weight: 2}, {Column: 4, Term: "guten", Weight: 1}, {Column: 0, Term: "preis", Weight: 0.5}} {
		list = withTerm(list, w)
	}
	if want := []method.Weight{{Column: 3, Term: "guten", Weight: 3}, {Column: 0, Term: "preis", Weight: 0.5}}; !slices.Equal(list, want) {
		t.Errorf("%v, want %v", list, want)
	}
}

// A share of documents is of a new subject where it is beyond what the documents of both sides, of
// which one in twenty is as unlike, have by chance.
func TestManyUnlike(t *testing.T) {
	for _, c := range []struct {
		k, n, m int
		want    bool
	}{
		{19, 180, 300, false}, {19, 180, 1000000, true}, {22, 180, 300, true}, {2, 3, 300, false}, {3, 3, 300, true}, {90, 1000, 5000, false},
	} {
		if got := manyUnlike(c.k, c.n, c.m); got != c.want {
			t.Errorf("%d of %d, of a model of %d documents: %v", c.k, c.n, c.m, got)
		}
	}
}
