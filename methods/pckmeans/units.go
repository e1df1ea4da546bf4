package pckmeans

import (
	"context"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/links"
)

// units are the rows that links concern: groups of must-links, and single rows with cannot-links.
type units struct {
	rows  [][]int // of each unit
	apart [][]int // units that each one cannot be with, ascending
	class []int   // of the known labels of its rows; labels.Unknown
}

// newUnits makes the units, and refuses labels that contradict links. name names a row in messages.
func newUnits(g *links.Groups, known []int, name func(int) string) (*units, error) {
	u := &units{}
	of := make(map[int]int) // row to unit
	group := make(map[int32]int)
	add := func(i int) int {
		if at, ok := of[i]; ok {
			return at
		}
		at := len(u.rows)
		if k := g.Group[i]; k >= 0 {
			if seen, ok := group[k]; ok {
				at = seen
			} else {
				group[k] = at
			}
		}
		if at == len(u.rows) {
			u.rows, u.apart, u.class = append(u.rows, nil), append(u.apart, nil), append(u.class, labels.Unknown)
		}
		u.rows[at], of[i] = append(u.rows[at], i), at
		return at
	}
	for i, k := range g.Group {
		if k >= 0 {
			add(i)
		}
	}
	for _, l := range g.Apart {
		a, b := add(l.A), add(l.B)
		u.apart[a], u.apart[b] = append(u.apart[a], b), append(u.apart[b], a)
	}
	for at, rows := range u.rows {
		slices.Sort(u.apart[at])
		u.apart[at] = slices.Compact(u.apart[at])
		for _, i := range rows {
			if known == nil || known[i] == labels.Unknown {
				continue
			}
			if c := u.class[at]; c != labels.Unknown && c != known[i] {
				return nil, invalid.Errorf("must-links join %s to documents with the label of another class: remove one of these links, or correct a label", name(i))
			}
			u.class[at] = known[i]
		}
	}
	for at, others := range u.apart {
		for _, b := range others {
			if c := u.class[at]; at < b && c != labels.Unknown && c == u.class[b] {
				return nil, invalid.Errorf("%s and %s have labels of one class, and links keep them apart: remove one of these links, or correct a label", name(u.rows[at][0]), name(u.rows[b][0]))
			}
		}
	}
	return u, nil
}

// weigh places the units so that none gains by a move to another cluster: cost is unit × clusters,
// and each cannot-link inside a cluster costs weight. place has where they are, and is changed.
func (u *units) weigh(cost [][]float64, place []int, weight float64) {
	for range 100 {
		moved := false
		for at := range u.rows {
			if u.class[at] != labels.Unknown {
				place[at] = u.class[at]
				continue
			}
			full := slices.Clone(cost[at])
			for _, b := range u.apart[at] {
				full[place[b]] += weight
			}
			if best := slices.Index(full, slices.Min(full)); full[best] < full[place[at]] {
				place[at], moved = best, true
			}
		}
		if !moved {
			return
		}
	}
}

// mostSteps bounds the search of [units.enforce].
const mostSteps = 200_000

// enforce places the units with all cannot-links kept, cheaply.
func (u *units) enforce(ctx context.Context, cost [][]float64, name func(int) string) ([]int, error) {
	if len(u.rows) == 0 {
		return nil, nil
	}
	k := len(cost[0])
	s := newColoring(u, cost, k)
	for at, c := range u.class {
		if c != labels.Unknown {
			s.put(at, c, 1)
		}
	}
	found := s.search(ctx)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case !found && s.steps < mostSteps:
		return nil, invalid.Errorf("no %d clusters keep all cannot-links: at %s every cluster has a document that it cannot be with; give more ‹clusters›, or ‹links› weigh", k, name(u.rows[s.stuck][0]))
	case !found:
		return nil, invalid.Errorf("no way was found to keep all cannot-links in %d clusters, as at %s: give more ‹clusters›, or ‹links› weigh", k, name(u.rows[s.stuck][0]))
	}
	u.weigh(cost, s.place, math.Inf(1))
	return s.place, nil
}
