package exact

import "cmp"

// Lists hold the K nearest neighbours of N rows in flat arrays: the neighbours of row i at [i·K,
// (i+1)·K), nearest first, ties by lower index. 20 bytes per neighbour.
type Lists struct {
	N, K  int
	Index []int32
	Dist2 []float64 // squared Euclidean distance
	Dot   []float64 // dot product
}

// Row returns the neighbours of row i as views. Do not write to them.
func (g *Lists) Row(i int) (index []int32, dist2, dot []float64) {
	lo, hi := i*g.K, (i+1)*g.K
	return g.Index[lo:hi:hi], g.Dist2[lo:hi:hi], g.Dot[lo:hi:hi]
}

// NewLists makes lists of k neighbours for n rows.
func NewLists(n, k int) *Lists {
	return &Lists{N: n, K: k, Index: make([]int32, n*k), Dist2: make([]float64, n*k), Dot: make([]float64, n*k)}
}

// set writes the list of row i.
func (g *Lists) set(i int, list []candidate, measure func(i, j int, score float64) (dist2, dot float64)) {
	for c, r := range list {
		at := i*g.K + c
		g.Index[at] = r.j
		g.Dist2[at], g.Dot[at] = measure(i, int(r.j), r.score)
	}
}

// Neighbour is one entry of a list: a row, its squared distance and the dot product.
type Neighbour struct {
	J          int32
	Dist2, Dot float64
}

// nearerFirst orders neighbours by distance, ties by lower number.
func nearerFirst(a, b Neighbour) int {
	return cmp.Or(cmp.Compare(a.Dist2, b.Dist2), cmp.Compare(a.J, b.J))
}

// Put writes the first neighbours of row i; later ones stay as they are.
func (g *Lists) Put(i int, list []Neighbour) {
	for c, v := range list {
		at := i*g.K + c
		g.Index[at], g.Dist2[at], g.Dot[at] = v.J, v.Dist2, v.Dot
	}
}

// Number replaces the rows of the lists by their numbers ids; nil keeps them.
func (g *Lists) Number(ids []int32) {
	if ids == nil {
		return
	}
	for at, j := range g.Index {
		g.Index[at] = ids[j]
	}
}

// Last returns the squared distance of the last neighbour of every row.
func (g *Lists) Last() []float64 {
	d := make([]float64, g.N)
	for i := range d {
		d[i] = g.Dist2[(i+1)*g.K-1]
	}
	return d
}

// replace sets the lists of rows to found, which has one neighbour more: the row itself, which is
// left out, or one to spare.
func (g *Lists) replace(rows []int, found *Lists) {
	for r, i := range rows {
		index, dist2, dot := found.Row(r)
		at := i * g.K
		for c, left := 0, g.K; left > 0; c++ {
			if int(index[c]) == i {
				continue
			}
			g.Index[at], g.Dist2[at], g.Dot[at] = index[c], dist2[c], dot[c]
			at++
			left--
		}
	}
}

// marked lists the rows that are marked, ascending.
func marked(rows []bool) []int {
	var list []int
	for i, is := range rows {
		if is {
			list = append(list, i)
		}
	}
	return list
}

// mostOpen is the share of rows that a screen may leave undecided before all rows are searched in
// float64.
const mostOpen = 0.4
