package lars

import "sort"

// The values of [Path].Stopped.
const (
	StoppedComplete   = "the penalty is zero"          // the last knot is the unpenalised (or ridge) solution
	StoppedTerms      = "the terms asked for are in"   // MaxTerms
	StoppedPenalty    = "the smallest penalty"         // MinPenalty
	StoppedResidual   = "the largest residual"         // MaxResidual
	StoppedSteps      = "the steps ran out"            // MaxSteps
	StoppedOrthogonal = "no column correlates with it" // X̃ᵀy is zero but for rounding, or (Positive) not above
	StoppedRounding   = "the penalty is rounding"      // λ is below the rounding of correlations
)

// Change is a term that enters or leaves the active set at a knot. Its coefficient is zero at that
// knot.
type Change struct {
	Knot int
	Term int32
	Left bool
}

// Dependent is a column that reached the bound but was kept out, being a linear combination of
// active ones: from knot From until knot Until, where a drop made it independent, or -1 if it
// stayed out to the end.
type Dependent struct {
	Term        int32
	From, Until int
}

// Path is the path of one response: its knots. 12 bytes per coefficient that is not zero, 40 per
// knot. Between two knots all coefficients are linear in the penalty.
type Path struct {
	// Penalty is λ at each knot, falling; at the first knot the first term enters, and all
	// coefficients are zero.
	Penalty []float64
	// Residual is ‖y − Xb − intercept‖ at each knot.
	Residual []float64
	// Changes are the entries and drops by knot, Dependent the columns kept out, Constant those that
	// are zero (or constant under Intercept), ascending: one slice for all paths of a Fit.
	Changes   []Change
	Dependent []Dependent
	Constant  []int32
	// Parted are the columns that a broken tie at MaxTerms left out under Options.PartTies, ascending.
	// From there it is the path of the other columns.
	Parted []int32
	// Stopped is the reason for which the path ended.
	Stopped string

	start      []int // knot t holds terms[start[t]:start[t+1]], ascending
	terms      []int32
	values     []float64
	intercepts []float64
}

// Knots is the number of knots, at least 1.
func (p *Path) Knots() int { return len(p.Penalty) }

// Terms is the number of coefficients that are not zero at a knot.
func (p *Path) Terms(knot int) int { return p.start[knot+1] - p.start[knot] }

// At returns the coefficients at a knot: terms ascending with their coefficients, none of them
// zero, and the intercept. The slices belong to the path: do not write them.
func (p *Path) At(knot int) (terms []int32, coefficients []float64, intercept float64) {
	lo, hi := p.start[knot], p.start[knot+1]
	return p.terms[lo:hi:hi], p.values[lo:hi:hi], p.intercepts[knot]
}

// WithTerms returns the last knot with at most k coefficients that are not zero.
func (p *Path) WithTerms(k int) (knot int) {
	for knot = p.Knots() - 1; knot > 0 && p.Terms(knot) > k; knot-- {
	}
	return knot
}

// AtPenalty returns the coefficients at any penalty by linear interpolation, as [Path.At] does at a
// knot. For a penalty below all knots it returns the last knot's. Under [Options].LAR they are
// coefficients of the LAR path.
func (p *Path) AtPenalty(penalty float64) (terms []int32, coefficients []float64, intercept float64) {
	after := sort.Search(p.Knots(), func(t int) bool { return p.Penalty[t] <= penalty })
	if after == p.Knots() {
		return p.At(after - 1)
	}
	if after == 0 || p.Penalty[after] == penalty {
		return p.At(after)
	}
	share := (p.Penalty[after-1] - penalty) / (p.Penalty[after-1] - p.Penalty[after])
	at, av, ai := p.At(after - 1)
	bt, bv, bi := p.At(after)
	for len(at) > 0 || len(bt) > 0 {
		var term int32
		var v float64
		switch {
		case len(bt) == 0 || len(at) > 0 && at[0] < bt[0]:
			term, v, at, av = at[0], (1-share)*av[0], at[1:], av[1:]
		case len(at) == 0 || bt[0] < at[0]:
			term, v, bt, bv = bt[0], share*bv[0], bt[1:], bv[1:]
		default:
			term, v = at[0], (1-share)*av[0]+share*bv[0]
			at, av, bt, bv = at[1:], av[1:], bt[1:], bv[1:]
		}
		if v != 0 {
			terms, coefficients = append(terms, term), append(coefficients, v)
		}
	}
	return terms, coefficients, (1-share)*ai + share*bi
}
