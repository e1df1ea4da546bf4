package factor

import (
	"fmt"

	"github.com/eigenmap/eigenmap/internal/words"
)

// Mismatch is the error if a count disagrees with what was found; eigen.InertiaError explains the
// fields.
type Mismatch struct {
	Shift          float64
	Counted, Found int
	Above          bool
}

// Error gives both numbers and a way out.
func (e *Mismatch) Error() string {
	side, way := "below", "an eigenpair was missed: use another solver or seed, or a smaller tolerance"
	if e.Above {
		side = "above"
	}
	if e.Counted < e.Found {
		way = "the result holds a pair that is no eigenpair: use a smaller tolerance or another solver"
	}
	return fmt.Sprintf("by inertia %s %s %.6g, but %d were found; %s", words.Plural(e.Counted, "eigenvalue lies", "eigenvalues lie"), side, e.Shift, e.Found, way)
}

// Unverified is the error if no shift gave a count that rounding leaves certain.
type Unverified struct{ bound, margin float64 }

// Error gives the bound of the rounding and a way out.
func (e *Unverified) Error() string {
	return fmt.Sprintf("the count of eigenvalues by inertia is not certain: rounding of the factorisation may move eigenvalues by %.1e, and the shift lies %.1e from the last one; leave out ‹verify›, or ask for another number of eigenpairs", e.bound, e.margin)
}

// tally is a count by inertia: of an operator within bound of the given one, as many eigenvalues as
// above says exceed tau.
type tally struct {
	tau, bound float64
	above      int
}

// shortfall is the error of a count that exceeds the number of values found above its tau. If
// beyond is set, the values found are as many as were asked for, and only finding the others
// decides whether they belong to the result.
type shortfall struct {
	tally
	found  int
	beyond bool
}

func (e *shortfall) Error() string {
	return (&Mismatch{Shift: e.tau, Counted: e.above, Found: e.found}).Error()
}
