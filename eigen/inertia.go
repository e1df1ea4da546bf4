package eigen

import (
	"fmt"
	"time"

	"github.com/eigenmap/eigenmap/eigen/internal/factor"
	"github.com/eigenmap/eigenmap/internal/words"
)

// Inertia is the count that proves a result complete: by Sylvester's law of inertia the number of
// negative pivots of a sparse LDLᵀ factorisation of A − σM is the number of eigenvalues below σ.
type Inertia struct {
	// Shift is σ; Below is the number of eigenvalues below it, known zeros included.
	Shift float64 `json:"shift"`
	Below int     `json:"below"`
	// Copies counts the eigenvalues within Width of the last one that are not in the result: copies
	// of it, as far as residuals and the rounding of the count can say. Shift then lies below all of
	// them, and Below counts the pairs before them.
	Copies int     `json:"copies,omitempty"`
	Width  float64 `json:"width,omitempty"`
	// Returned is the number of pairs in the result, if more were found: values so close to the last
	// one that no count was possible between them. All Below are known then.
	Returned int `json:"returned,omitempty"`
	// Above is true if the largest eigenvalues were wanted: Below then counts those above Shift.
	Above bool `json:"above,omitempty"`
	// Problems is the number of eigenproblems, if there are several (the maps of constraints): each
	// has Below eigenvalues below its shift, the largest of which is Shift.
	Problems int `json:"problems,omitempty"`
	// Bound is the largest error of an eigenvalue for which the count is proved.
	Bound float64 `json:"bound"`
	// Factorisations, Entries of one factor and Flops of one factorisation are the cost.
	Factorisations int     `json:"factorisations"`
	Entries        int64   `json:"entries"`
	Flops          float64 `json:"flops"`
	// Time is the wall-clock time.
	Time time.Duration `json:"time_ns"`
}

// String says what was counted: "inertia: 30 eigenvalues below 0.0412, as found".
func (c Inertia) String() string {
	side := "below"
	if c.Above {
		side = "above"
	}
	text := fmt.Sprintf("inertia: %s %s %.4g, as found", words.Plural(c.Below, "eigenvalue", "eigenvalues"), side, c.Shift)
	if c.Problems > 1 {
		text += fmt.Sprintf(", in each of %s", words.Plural(c.Problems, "map", "maps"))
	}
	if c.Returned > 0 {
		text += fmt.Sprintf(", the first %d of which are the result", c.Returned)
	}
	if c.Copies > 0 {
		text += fmt.Sprintf(", and %s of the last value within %.1e", words.Plural(c.Copies, "further copy", "further copies"), c.Width)
	}
	return text
}

// InertiaError is the error if the eigenvalues counted by inertia are not as many as those found.
type InertiaError struct {
	Shift          float64
	Counted, Found int
	// Above is true if the eigenvalues above Shift were counted (the largest were wanted).
	Above bool
}

// Error gives both numbers and a way out.
func (e *InertiaError) Error() string { return (*factor.Mismatch)(e).Error() }
