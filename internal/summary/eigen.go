package summary

import (
	"fmt"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/method"
)

// Eigen is how an eigenproblem was solved.
type Eigen struct {
	Solver      string  `json:"solver"`
	Why         string  `json:"why,omitempty"`
	Products    int     `json:"products"`
	Restarts    int     `json:"restarts"`
	Deflated    int     `json:"deflated"`
	MaxResidual float64 `json:"max_residual"`
	// Inertia is the count of eigenvalues that proves the result complete; nil if none was made.
	Inertia *eigen.Inertia `json:"inertia,omitempty"`
}

// OfValues says how the values of coordinates were found; nil if no eigenproblem was solved.
func OfValues(v *method.Values) *Eigen {
	if v == nil || v.Stats == nil {
		return nil
	}
	return &Eigen{Solver: string(v.Stats.Solver), Why: v.Stats.Why, Products: v.Stats.Products,
		Restarts: v.Stats.Restarts, Deflated: v.Stats.Deflated, MaxResidual: v.Worst(), Inertia: v.Stats.Inertia}
}

// String is the solution in one line.
func (s *Eigen) String() string {
	text := ""
	if s.Solver != "" { // else there was nothing to solve
		text = s.Solver
		if s.Why != "" {
			text += " (" + s.Why + ")"
		}
		text += ", "
	}
	text += fmt.Sprintf("largest residual %.1e", s.MaxResidual)
	if s.Products > 0 {
		text += ", " + words.Counted(s.Products, "product")
	}
	if s.Deflated > 0 {
		text += fmt.Sprintf(", %s known from the components", words.Plural(s.Deflated, "null vector", "null vectors"))
	}
	if s.Inertia != nil {
		text += ", " + s.Inertia.String()
	}
	return text
}
