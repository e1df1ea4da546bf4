package lars

import "math"

// grams are the entries of the Gram matrix that the paths of one response have met: of columns that were active with those that were near the bound.
type grams struct {
	c     *columns
	id    []int32     // of a column from 1, 0 for one not met
	met   []int32     // columns by id − 1
	rows  [][]float64 // by id − 1: products with met, as far as they were needed; nil for a column that was never active
	bytes int64
	fails int // paths in a row that could not be followed

	reference
}

func newGrams(c *columns) *grams {
	return &grams{c: c, reference: reference{moved: math.Inf(1), before: math.Inf(1)}}
}

// know returns the place of column j.
func (g *grams) know(j int32) int32 {
	if g.id == nil {
		g.id = make([]int32, g.c.p)
	}
	if g.id[j] == 0 {
		g.met, g.rows = append(g.met, j), append(g.rows, nil)
		g.id[j] = int32(len(g.met))
	}
	return g.id[j] - 1
}

// forget drops what is kept.
func (g *grams) forget() {
	for _, j := range g.met {
		g.id[j] = 0
	}
	g.met, g.rows, g.bytes = nil, nil, 0
}

// extend makes the row of the column at place i reach all columns met, and returns the multiply-adds. vec is n zeros and is so again.
func (g *grams) extend(i int32, vec []float64) (work int) {
	row := g.rows[i]
	if len(row) == len(g.met) {
		return 0
	}
	c, a := g.c, int(g.met[i])
	if cap(row) < len(g.met) {
		g.bytes += 8 * int64(len(g.met)+len(g.met)/4-cap(row))
		row = append(make([]float64, 0, len(g.met)+len(g.met)/4), row...)
	}
	c.add(a, 1, vec)
	for _, j := range g.met[len(row):] {
		row = append(row, c.dot(int(j), vec)-float64(c.n)*c.shift(a)*c.shift(int(j)))
		work += c.work(int(j))
	}
	c.erase(a, vec)
	g.rows[i] = row
	return work + 2*c.work(a)
}
