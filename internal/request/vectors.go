package request

import (
	"slices"

	"github.com/eigenmap/eigenmap/internal/invalid"
)

// checkVectors refuses views that do not fit the vectors.
func (r *Request) checkVectors() error {
	v := &r.Vectors
	switch {
	case v.File != "" && v.Rows != nil:
		return invalid.Errorf("vectors are given in memory and by ‹vectors›: give them in one way")
	case v.Model != "" && (v.File != "" || v.Rows != nil):
		return invalid.Errorf("the vectors are given and made by ‹vectors-model›: leave one of the two out")
	case v.Model != "" && r.Graph != "":
		return invalid.Errorf("‹vectors-model› has no effect beside ‹graph›, because the graph is already there: leave it out")
	case r.Graph != "" && r.WithVectors():
		return invalid.Errorf("‹vectors› has no effect beside ‹graph›, because the graph is already there: leave it out")
	case len(v.Views) > 0 && !r.WithVectors():
		return invalid.Errorf("‹views› has no effect without ‹vectors› or ‹vectors-model›: leave it out")
	case len(v.Views) > 0 && !slices.Contains(v.Views, "vectors"):
		return invalid.Errorf("‹views› words compares documents by their terms alone: leave ‹vectors› out")
	}
	return nil
}
