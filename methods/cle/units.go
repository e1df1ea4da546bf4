package cle

import (
	"slices"

	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/links"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// units are what is placed: single points, and groups of linked points as wholes.
type units struct {
	of       []int32 // unit of each point; -1 is isolated
	count    int
	group    []int32 // of each unit; -1 is a single point
	mass     []float64
	kept     []int // points in units, ascending
	isolated []int
}

func newUnits(g *graph.Graph, groups *links.Groups) *units {
	n := len(g.Degrees)
	u := &units{of: make([]int32, n)}
	mass := make([]float64, groups.Count)
	for i, c := range groups.Group {
		if c >= 0 {
			mass[c] += g.Degrees[i]
		}
	}
	number := make([]int32, groups.Count)
	for c := range number {
		number[c] = -1
	}
	for i, c := range groups.Group {
		switch {
		case c < 0 && g.Degrees[i] == 0, c >= 0 && mass[c] == 0:
			u.of[i] = -1
			u.isolated = append(u.isolated, i)
			continue
		case c >= 0 && number[c] >= 0:
			u.of[i] = number[c]
		default:
			u.of[i] = int32(u.count)
			u.group, u.mass = append(u.group, c), append(u.mass, g.Degrees[i])
			if c >= 0 {
				number[c], u.mass[u.count] = u.of[i], mass[c]
			}
			u.count++
		}
		u.kept = append(u.kept, i)
	}
	return u
}

// dimensions is how many coordinates there can be.
func (u *units) dimensions() int {
	// With two-sided groups there is one more for their common middle and one less for the constant.
	return u.count
}

// basis is P for two classes, with columns orthogonal in the degrees: the indicator of each single
// point and group of must-links, the signs ±1 of each two-sided group, and last the indicator of
// all two-sided groups without its part along their signs, which moves their common middle.
func (u *units) basis(groups *links.Groups, degree []float64) *sparse.CSR {
	plus, minus := make([]float64, u.count), make([]float64, u.count)
	restOf := func(i int, v int32) float64 {
		if groups.Side[i] > 0 {
			return 2 * minus[v] / u.mass[v]
		}
		return 2 * plus[v] / u.mass[v]
	}
	for i, v := range u.of {
		if v >= 0 && u.group[v] >= 0 && groups.TwoSided[u.group[v]] {
			if groups.Side[i] > 0 {
				plus[v] += degree[i]
			} else {
				minus[v] += degree[i]
			}
		}
	}
	// If every group has all its weight on one side, the middle is no unknown of its own.
	middle := slices.ContainsFunc(u.kept, func(i int) bool {
		v := u.of[i]
		return u.group[v] >= 0 && groups.TwoSided[u.group[v]] && degree[i] > 0 && restOf(i, v) > 0
	})
	p := &sparse.CSR{NumRows: len(u.of), NumCols: u.count, RowPtr: make([]int, 1, len(u.of)+1)}
	if middle {
		p.NumCols++
	}
	for i, v := range u.of {
		if v >= 0 {
			c := u.group[v]
			if c < 0 || !groups.TwoSided[c] {
				p.Col, p.Val = append(p.Col, v), append(p.Val, 1)
			} else {
				side := float64(groups.Side[i])
				p.Col, p.Val = append(p.Col, v), append(p.Val, side)
				if rest := restOf(i, v); middle && rest != 0 {
					p.Col, p.Val = append(p.Col, int32(u.count)), append(p.Val, rest)
				}
			}
		}
		p.RowPtr = append(p.RowPtr, len(p.Col))
	}
	return p
}

// spread returns a matrix with a row for every point, in which the points in units have their rows
// of y.
func (u *units) spread(y *mat.Dense) *mat.Dense {
	_, k := y.Dims()
	out := mat.NewDense(len(u.of), k, nil)
	for at, i := range u.kept {
		copy(out.RawRowView(i), y.RawRowView(at))
	}
	return out
}
