package problem

import "time"

// Stats describes the work that a solve took; eigen.Stats explains the fields.
type Stats struct {
	Solver      string        `json:"solver"`
	Why         string        `json:"why,omitempty"`
	Products    int           `json:"products"`
	Restarts    int           `json:"restarts"`
	Deflated    int           `json:"deflated"`
	Recovered   int           `json:"recovered,omitempty"`
	Missed      float64       `json:"missed,omitempty"`
	Subspace    int           `json:"subspace,omitempty"`
	Block       int           `json:"block,omitempty"`
	Inertia     *Inertia      `json:"inertia,omitempty"`
	ProductTime time.Duration `json:"product_ns"`
	BasisTime   time.Duration `json:"basis_ns"`
	Total       time.Duration `json:"total_ns"`
}

// After adds the work of another solve of the same problem, which came first.
func (s *Stats) After(first Stats) {
	s.Products += first.Products
	s.ProductTime += first.ProductTime
	s.BasisTime += first.BasisTime
	s.Deflated = first.Deflated
}

// Inertia is a count of eigenvalues that proves a result complete; eigen.Inertia explains the
// fields.
type Inertia struct {
	Shift          float64       `json:"shift"`
	Below          int           `json:"below"`
	Copies         int           `json:"copies,omitempty"`
	Width          float64       `json:"width,omitempty"`
	Returned       int           `json:"returned,omitempty"`
	Above          bool          `json:"above,omitempty"`
	Problems       int           `json:"problems,omitempty"`
	Bound          float64       `json:"bound"`
	Factorisations int           `json:"factorisations"`
	Entries        int64         `json:"entries"`
	Flops          float64       `json:"flops"`
	Time           time.Duration `json:"time_ns"`
}
