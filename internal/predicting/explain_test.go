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
