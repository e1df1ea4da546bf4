package layout

import (
	"math"
	"slices"
)

const (
	// mostCells is the number of squares that decide the widest gap: the documents fill about so
	// many of that side, or half as many as there are documents if that is less.
	mostCells = 24
	// fewestNodes is the number of nodes from which on gaps are closed.
	fewestNodes = 8
	// cellsPerGap is how many sides of a cell the widest gap is. A cell stands for its documents.
	cellsPerGap = 4
)

// closeGaps moves the groups of some nodes that are far from all others nearer to them, until the
// gap is the one that [widestGap] allows. Groups that no edge joins, or hardly any weight, push
// each other apart and nothing pulls them back: of few documents, which take little room, a group
// would leave the others a corner of the map.
//
// The largest group stays. The nearest of the others approaches it, then the one that is then the
// nearest, and so on. Each group keeps its shape, and no two come to lie nearer than about the
// widest gap. Places without a wider gap are left alone.
//
// Time: some 15 passes over the nodes. Memory: some 10 bytes per node.
func closeGaps(data []float64, nodes []int32) {
	if len(nodes) < fewestNodes {
		return
	}
	most := widestGap(data, nodes)
	if most == 0 {
		return
	}
	groups := groupsOf(data, nodes, most)
	if len(groups) < 2 {
		return
	}
	first := 0
	for g := range groups {
		if groups[g].size() > groups[first].size() {
			first = g
		}
	}
	placed := groups[first]
	rest := slices.Delete(groups, first, first+1)
	near := make([]way, len(rest)) // from each of the others to what is placed
	for g := range rest {
		near[g] = rest[g].wayTo(placed)
	}
	for len(rest) > 0 {
		next := 0
		for g := range near {
			if near[g].length < near[next].length {
				next = g
			}
		}
		moved := rest[next]
		rest, near = slices.Delete(rest, next, next+1), slices.Delete(near, next, next+1)
		moved.approach(placed, most)
		placed = append(placed, moved...)
		for g := range rest {
			if to := rest[g].wayTo(moved); to.length < near[g].length {
				near[g] = to
			}
		}
	}
	for _, c := range placed {
		for _, i := range c.nodes {
			data[2*i], data[2*i+1] = data[2*i]+c.dx, data[2*i+1]+c.dy
		}
	}
}

// widestGap returns the side of squares of which the nodes fill [mostCells], or half as many as
// there are nodes; 0 if all lie at one place. The area that the nodes fill sets the gap, and the
// empty room between them does not.
func widestGap(data []float64, nodes []int32) float64 {
	low, high := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
	for _, i := range nodes {
		for c := range low {
			v := data[2*int(i)+c]
			low[c], high[c] = min(low[c], v), max(high[c], v)
		}
	}
	side := max(high[0]-low[0], high[1]-low[1])
	want := min(mostCells, len(nodes)/2)
	least, most := side*1e-6, side
	filled := make(map[[2]int32]bool)
	for most > 1.01*least {
		at := math.Sqrt(least * most)
		clear(filled)
		for _, i := range nodes {
			if len(filled) >= want {
				break
			}
			filled[[2]int32{int32((data[2*i] - low[0]) / at), int32((data[2*i+1] - low[1]) / at)}] = true
		}
		if len(filled) >= want {
			least = at
		} else {
			most = at
		}
	}
	return least
}

// cell is the nodes in a small square: their mean place, and how far they are moved.
type cell struct {
	nodes        []int32
	x, y, dx, dy float64
}

// group is the cells that steps of at most the widest gap join.
type group []*cell

// groupsOf returns the groups of some nodes, in the order of their first nodes.
func groupsOf(data []float64, nodes []int32, most float64) []group {
	at := make(map[[2]int64]*cell)
	var cells []*cell
	for _, i := range nodes {
		x, y := data[2*i], data[2*i+1]
		key := [2]int64{int64(math.Floor(x / most * cellsPerGap)), int64(math.Floor(y / most * cellsPerGap))}
		c := at[key]
		if c == nil {
			c = &cell{}
			at[key], cells = c, append(cells, c)
		}
		c.nodes = append(c.nodes, i)
		c.x += (x - c.x) / float64(len(c.nodes))
		c.y += (y - c.y) / float64(len(c.nodes))
	}
	var groups []group
	for len(cells) > 0 {
		g := group{cells[0]}
		cells = cells[1:]
		for k := 0; k < len(g); k++ {
			cells = slices.DeleteFunc(cells, func(c *cell) bool {
				near := math.Hypot(c.x-g[k].x, c.y-g[k].y) <= most
				if near {
					g = append(g, c)
				}
				return near
			})
		}
		groups = append(groups, g)
	}
	return groups
}

// size returns the number of nodes.
func (g group) size() (n int) {
	for _, c := range g {
		n += len(c.nodes)
	}
	return n
}

// middle returns the mean place of the nodes.
func (g group) middle() (x, y float64) {
	n := float64(g.size())
	for _, c := range g {
		x += c.x * float64(len(c.nodes)) / n
		y += c.y * float64(len(c.nodes)) / n
	}
	return x, y
}

// way is the shortest way from a cell of one group to a cell of another.
type way struct{ length, dx, dy float64 }

// wayTo returns the shortest way to other cells.
func (g group) wayTo(others group) way {
	least := way{math.Inf(1), 0, 0}
	for _, a := range g {
		for _, b := range others {
			dx, dy := b.x-a.x, b.y-a.y
			if d2 := dx*dx + dy*dy; d2 < least.length {
				least = way{d2, dx, dy}
			}
		}
	}
	least.length = math.Sqrt(least.length)
	return least
}

// approach moves the group towards the middle of others until it is some room away from them, and
// then, where it has passed between them, to the nearest. One that lies nearer than that goes
// outwards first.
func (g group) approach(others group, room float64) {
	toX, toY := others.middle()
	x, y := g.middle()
	far := math.Hypot(toX-x, toY-y)
	if far == 0 {
		return
	}
	ux, uy := (toX-x)/far, (toY-y)/far
	for g.wayTo(others).length < room {
		g.move(-room*ux, -room*uy)
		far += room
	}
	// A step by what is left of the way to the nearest never leads too near to any.
	for far > 0 {
		step := min(far, g.wayTo(others).length-room)
		if step < room/100 {
			return
		}
		g.move(step*ux, step*uy)
		far -= step
	}
	if to := g.wayTo(others); to.length > room {
		g.move(to.dx*(1-room/to.length), to.dy*(1-room/to.length))
	}
}

// move moves the cells.
func (g group) move(dx, dy float64) {
	for _, c := range g {
		c.x, c.y, c.dx, c.dy = c.x+dx, c.y+dy, c.dx+dx, c.dy+dy
	}
}
