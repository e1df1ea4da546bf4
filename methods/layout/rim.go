package layout

import (
	"cmp"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

const (
	// smallPart is how many times as large the largest component is at least than a small one.
	smallPart = 50
	// sectors is the number of directions in which the rim of the crowd is measured.
	sectors = 48
	// shoreShare is the room between the crowd and what lies at its rim, and gapShare the room
	// between two islands there, as shares of the crowd's radius; mostRounds is how many rounds
	// nodes without an edge take about at most.
	shoreShare, gapShare, mostRounds = 1. / 12, 1. / 40, 3
	// mostPart is the largest diameter of a small component, as a share of the crowd's radius.
	mostPart = 1. / 4
)

// island is a small component: nodes without an edge to the crowd, or to any node.
type island struct {
	nodes    []int32
	x, y     float64 // its middle
	diameter float64
}

// toRim closes the gaps in the crowd and moves the small components of w, and the nodes without an
// edge, to its rim. The crowd is all other nodes. Nothing pulls them to the crowd: the pushes
// alone would carry them ever further out, where they take the room of the map from the others, or
// leave them among documents with which they have nothing in common.
//
// The islands go around the crowd, the largest first, each by its own shape and with the same gap
// to the next one; where one round is too short for them they begin another one outside of it. The
// distance of a round follows the outline of the crowd.
func toRim(w *sparse.CSR, places *mat.Dense) {
	label, count := w.Components()
	data := places.RawMatrix().Data
	sizes := make([]int, count)
	for _, c := range label {
		sizes[c]++
	}
	largest := slices.Max(sizes)
	if largest == 1 && count > 1 {
		circle(places) // nothing has an edge
		return
	}
	small := func(c int32) bool { return count > 1 && (sizes[c] == 1 || sizes[c]*smallPart <= largest) }
	byLabel := make(map[int32]*island)
	var islands []*island
	var crowd []int32
	for i, c := range label {
		if !small(c) {
			crowd = append(crowd, int32(i))
			continue
		}
		if byLabel[c] == nil {
			byLabel[c] = &island{}
			islands = append(islands, byLabel[c]) // by their first nodes
		}
		byLabel[c].nodes = append(byLabel[c].nodes, int32(i))
	}
	closeGaps(data, crowd)
	if len(islands) == 0 {
		return
	}
	out := outlineOf(data, crowd)
	for _, s := range islands {
		s.measure(data, mostPart*out.radius)
	}
	slices.SortStableFunc(islands, func(a, b *island) int { return cmp.Compare(len(b.nodes), len(a.nodes)) })
	out.place(data, islands)
}

// circle places all nodes on one circle.
func circle(places *mat.Dense) {
	n, _ := places.Dims()
	for i := range n {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / float64(n))
		places.Set(i, 0, extent*cos)
		places.Set(i, 1, extent*sin)
	}
}

// measure finds the middle and the diameter of an island, and shrinks one that is larger than
// most.
func (s *island) measure(data []float64, most float64) {
	s.x, s.y, s.diameter = 0, 0, 0
	for _, i := range s.nodes {
		s.x += data[2*i] / float64(len(s.nodes))
		s.y += data[2*i+1] / float64(len(s.nodes))
	}
	for _, i := range s.nodes {
		s.diameter = max(s.diameter, 2*math.Hypot(data[2*i]-s.x, data[2*i+1]-s.y))
	}
	if s.diameter <= most {
		return
	}
	share := most / s.diameter
	for _, i := range s.nodes {
		data[2*i], data[2*i+1] = s.x+share*(data[2*i]-s.x), s.y+share*(data[2*i+1]-s.y)
	}
	s.diameter = most
}

// outline is how far the crowd reaches from its middle in each direction.
type outline struct {
	x, y   float64
	reach  [sectors]float64
	radius float64 // the mean reach
}

// outlineOf measures some nodes. In each sector the reach is the largest of it and its neighbours.
func outlineOf(data []float64, crowd []int32) *outline {
	o := &outline{}
	for _, i := range crowd {
		o.x += data[2*i] / float64(len(crowd))
		o.y += data[2*i+1] / float64(len(crowd))
	}
	var reach [sectors]float64
	for _, i := range crowd {
		dx, dy := data[2*i]-o.x, data[2*i+1]-o.y
		s := sectorOf(math.Atan2(dy, dx))
		reach[s] = max(reach[s], math.Hypot(dx, dy))
	}
	for s := range reach {
		o.reach[s] = max(reach[s], reach[(s+1)%sectors], reach[(s+sectors-1)%sectors])
		o.radius += o.reach[s] / sectors
	}
	if o.radius == 0 {
		o.radius = 1 // all at one place
	}
	for s := range o.reach {
		o.reach[s] = max(o.reach[s], o.radius/4) // also where the crowd has nothing
	}
	return o
}

// sectorOf is the sector of an angle.
func sectorOf(angle float64) int {
	s := int(math.Floor(angle / (2 * math.Pi) * sectors))
	return (s%sectors + sectors) % sectors
}

// around is the length of a round at some distance from the crowd.
func (o *outline) around(beyond float64) (length float64) {
	for _, r := range o.reach {
		length += 2 * math.Pi / sectors * (r + beyond)
	}
	return length
}

// angle is where a share of the length of a round is passed.
func (o *outline) angle(beyond, share float64) float64 {
	left := share * o.around(beyond)
	for s, r := range o.reach {
		arc := 2 * math.Pi / sectors * (r + beyond)
		if left < arc || s == sectors-1 {
			return 2 * math.Pi / sectors * (float64(s) + left/arc)
		}
		left -= arc
	}
	return 0
}

// place moves the islands around the crowd.
func (o *outline) place(data []float64, islands []*island) {
	gap := min(gapShare*o.radius, mostRounds*2*math.Pi*o.radius/float64(len(islands)))
	beyond := shoreShare * o.radius // the distance of the round from the crowd
	for len(islands) > 0 {
		round := o.around(beyond)
		count, taken, widest := 0, 0., 0.
		for count < len(islands) && (count == 0 || taken+islands[count].diameter+gap <= round) {
			taken += islands[count].diameter + gap
			widest = max(widest, islands[count].diameter)
			count++
		}
		spare := max(0, round-taken) / float64(count) // of the last round, which then goes all around
		at := 0.
		for _, s := range islands[:count] {
			wide := s.diameter + gap + spare
			angle := o.angle(beyond, (at+wide/2)/max(round, taken))
			at += wide
			r := o.reach[sectorOf(angle)] + beyond + s.diameter/2
			sin, cos := math.Sincos(angle)
			dx, dy := o.x+r*cos-s.x, o.y+r*sin-s.y
			for _, i := range s.nodes {
				data[2*i], data[2*i+1] = data[2*i]+dx, data[2*i+1]+dy
			}
		}
		islands = islands[count:]
		beyond += widest + gap
	}
}
