package kmeans

import "math"

// nearby lists for each centre all centres by their distance from it, for rows of few columns. A
// row within u of centre a has its two nearest centres within 2u + s of a, where s is the distance
// from a to the nearest other centre: that one is at most u + s from the row, and a centre farther
// from a is farther from the row (the ball of exponions, Newling and Fleuret 2016, "Fast k-means
// with accurate bounds").
type nearby struct {
	k     int
	apart []float64 // k×k, 0 on the diagonal
	list  []beside  // k×k
}

// beside is a centre and its distance from another one.
type beside struct {
	away   float64
	centre int32
}

// leastNearby is the least number of centres for which the lists pay for themselves.
const leastNearby = 8

// nearby reports whether rows like these are compared only with the near ones of k centres.
func (p *densePoints) nearby(k int) bool {
	return p.x.Cols <= fewColumns && k >= leastNearby && k <= p.x.Rows/(4*k)
}

// newNearby returns nil if rows are compared with all centres.
func newNearby(p points, k int) *nearby {
	dense, ok := p.(*densePoints)
	if !ok || !dense.nearby(k) {
		return nil
	}
	b := &nearby{k: k, apart: make([]float64, k*k), list: make([]beside, k*k)}
	for at := range b.list {
		b.list[at].centre = int32(at % k)
	}
	return b
}

// set takes the squared distance of two centres; nil does nothing.
func (b *nearby) set(i, j int, squared float64) {
	if b != nil {
		b.apart[i*b.k+j] = math.Sqrt(squared)
		b.apart[j*b.k+i] = b.apart[i*b.k+j]
	}
}

// of returns the centres by their distance from centre a, this and its copies first.
func (b *nearby) of(a int) []beside { return b.list[a*b.k : (a+1)*b.k : (a+1)*b.k] }

// sort orders the lists by the distances that were set. Centres move little, so that the order
// before is nearly the new one. nil does nothing.
func (b *nearby) sort() {
	if b == nil {
		return
	}
	for a := range b.k {
		list := b.of(a)
		for at := range list {
			j := list[at].centre
			away, to := b.apart[a*b.k+int(j)], at
			for ; to > 0 && list[to-1].away > away; to-- {
				list[to] = list[to-1]
			}
			list[to] = beside{away, j}
		}
	}
}

// chooseNearby is choose for a row that has a cluster, among the centres near that one. Distances
// in few columns have the same bits in a tile, so that clusters and bounds are the same too.
func (r *run) chooseNearby(i int, s *scratch) {
	c, list := r.c.(*denseCenters), r.nearby.of(int(r.label[i]))
	// The factor is more than the rounding of the bounds, of the distances and of what is compared.
	limit := (2*r.upper[i] + list[1].away) * (1 + 8*r.rel)
	var best int
	var first, second float64
	if single := c.p.single; single != nil {
		best, first, second = twoNearest(single.Row(i), c.c, list, limit)
	} else {
		best, first, second = twoNearest(c.p.row(i, nil), c.c, list, limit)
	}
	r.found(i, best, first, second, 0, s)
}

// twoNearest compares x with the centres of the list up to the limit. It returns the nearest one,
// the lower on a tie, and the squared distances of this and of the next one.
func twoNearest[T float32 | float64](x []T, centers []float64, list []beside, limit float64) (best int, first, second float64) {
	first, second = math.Inf(1), math.Inf(1)
	for _, e := range list {
		if e.away > limit {
			break
		}
		j := int(e.centre)
		v := sqDist(x, centers[j*len(x):(j+1)*len(x)])
		if v < first || v == first && j < best {
			best, first, second = j, v, first
		} else if v < second {
			second = v
		}
	}
	return best, first, second
}
