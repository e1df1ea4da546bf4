package exact

import (
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Traits are what the rows of a search have in common, on all ranks: scores of a pair of sparse
// rows depend on them. See sparseRows.
type Traits struct {
	Unit, whole bool
	Negative    bool // some entries are below 0, or too small for a screen
	screened    bool // tiles are searched in float32 first
}

// Measurer measures pairs of rows that other ranks sent, in double precision.
func (r Traits) Measurer(x mat.Matrix) Measurer {
	s, ok := x.(*sparse.CSR)
	if !ok {
		return denseMeasure{&denseRows{x: x.(*mat.Dense).RawMatrix()}}
	}
	m := &sparseRows{x: s, rows: s, unit: r.Unit, whole: r.whole, signed: r.Negative}
	m.measureNorms()
	return sparseMeasure{m}
}

// TeamPoints makes the own rows ready for a search with the traits that the rows of all ranks have
// in common. All ranks call it.
func TeamPoints(team ranks.Team, x mat.Matrix, ids []int32) (Points, Traits, error) {
	p, err := newPoints(x)
	if ids != nil {
		err = rows.Raised(err, func(i int) int { return int(ids[i]) })
	}
	if err = ranks.Agree(team, err); err != nil || p.s == nil {
		return p, Traits{}, err
	}
	// A rank without rows agrees to anything. A screen of tiles pays if it does so for one rank.
	m := p.s
	has := allOf(team, m.unit, m.whole, !m.signed)
	t := Traits{Unit: has[0], whole: has[1], Negative: !has[2]}
	if team.Size() > 1 {
		t.screened = t.Unit && !allOf(team, !m.common())[0]
		m.unit, m.whole, m.signed = t.Unit, t.whole, t.Negative
		m.measureNorms()
	}
	return p, t, nil
}

// allOf reports for each statement whether it holds on all ranks.
func allOf(team ranks.Team, statements ...bool) []bool {
	count := make([]float64, len(statements))
	for i, holds := range statements {
		if !holds {
			count[i] = 1
		}
	}
	team.Sum(count)
	for i, c := range count {
		statements[i] = c == 0
	}
	return statements
}
