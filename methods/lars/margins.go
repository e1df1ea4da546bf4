package lars

import (
	"math"
	"slices"
)

// margins are, for every column, how far its correlation stayed within the bound on a path: λ − |c_j| or less at every λ down to the path's end. A
// column's correlation is multiplied out at some knots; from there it moves by the column's length times that of the residual's path at most.
type margins struct {
	residuals [][]float64
	at, to    []knot // where each residual was taken, and the last knot before the next
}

// knot is a place of a path.
type knot struct{ lambda, travelled float64 }

// due is the part of λ that the residual may move between two residuals taken.
const due = 0.25

// observe is to be called at every knot; residual is asked for where one is due.
func (m *margins) observe(lambda, travelled float64, residual func() []float64) {
	here, last := knot{lambda, travelled}, len(m.at)-1
	if last >= 0 {
		m.to[last] = here
		if travelled-m.at[last].travelled <= due*lambda {
			return
		}
	}
	m.residuals = append(m.residuals, slices.Clone(residual()))
	m.at, m.to = append(m.at, here), append(m.to, here)
}

// least returns the margins: one product of Xᵀ with all residuals, some twenty.
func (m *margins) least(c *columns) []float64 {
	k := len(m.residuals)
	r, products := block(c.n, k), block(c.p, k)
	for t, from := range m.residuals {
		for i, v := range from {
			r.Data[i*k+t] = v
		}
	}
	c.multiply(products, r)
	least := make([]float64, c.p)
	for j := range least {
		least[j] = math.Inf(1)
		for t, v := range products.Data[j*k:][:k] {
			least[j] = min(least[j], m.to[t].lambda-math.Abs(v)-(m.to[t].travelled-m.at[t].travelled)*c.norm[j])
		}
	}
	return least
}

// reference is a path of a response to which later ones of the same response are compared. At one λ the residuals of two responses, those of the rows that
// the ridge adds included, are projections on one convex set (all residuals within the bound), so they differ by at most what the
// responses do: a column whose margin is more than its length times that never reaches the bound, down to the reference's end.
type reference struct {
	margins []float64 // nil where there is none
	y       []float64 // its response, scaled by 2^-exp
	exp     int
	end     float64 // its last λ
	short   bool    // a path went on below end
	served  int
	first   int     // columns watched when it first served
	away    float64 // of the present response

	last   []float64 // the response of the last round
	moved  float64   // how far the present one is from it
	before float64   // moved, when the last reference was made
}

// move takes note of a round's response.
func (r *reference) move(y []float64, exp int) {
	r.away, r.moved = math.Inf(1), math.Inf(1)
	if exp != r.exp {
		r.margins, r.last, r.exp = nil, nil, exp
	}
	if r.last == nil {
		r.last = make([]float64, len(y))
	} else {
		r.moved = distance(y, r.last)
	}
	copy(r.last, y)
	if r.margins != nil {
		r.away = distance(y, r.y)
	}
}

// worthwhile tells whether a new reference can be expected to serve for some rounds.
func (r *reference) worthwhile() bool { return r.short || r.served >= 2 || r.moved < r.before/2 }

// worn tells that so many columns are to be watched that a new reference is worth its cost, if worthwhile.
func (r *reference) worn(watched int) bool {
	if r.served == 0 {
		r.first = watched
	}
	return watched > r.first+r.first/2+500 && r.worthwhile()
}

// refer makes a path that has ended at λ = end the reference.
func (g *grams) refer(least []float64, end float64, y []float64, exp int) {
	g.forget() // of columns that are not watched any more new rows would need products, too
	r := &g.reference
	r.margins, r.y, r.exp, r.end, r.short, r.served, r.before = least, append(r.y[:0], y...), exp, end, false, 0, r.moved
}

func distance(a, b []float64) float64 {
	sum := 0.0
	for i, v := range a {
		sum += (v - b[i]) * (v - b[i])
	}
	return math.Sqrt(sum)
}

// watched lists, into room, the columns that may reach the bound on the way to the reference's end; nil where there is no reference or they
// are more than is worth it.
func (g *grams) watched(ridge float64, room []int32) []int32 {
	if g.margins == nil || g.fails >= tries {
		return nil
	}
	room = room[:0]
	for j, m := range g.margins {
		if l := g.c.norm[j]; l > 0 && m <= math.Sqrt(l*l+ridge)*g.away*(1+1e-9)+1e-9*g.end {
			room = append(room, int32(j))
		}
	}
	if len(room) == 0 || len(room) > max(500, g.c.p/4) {
		return nil
	}
	return room
}
