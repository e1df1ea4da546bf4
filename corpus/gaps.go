package corpus

import (
	"math/big"

	"github.com/eigenmap/eigenmap/sparse"
)

// gapsOf are of each document here the columns without a value, ascending.
func (c *Corpus) gapsOf() [][]int32 {
	of := make([][]int32, c.Len())
	for j, list := range c.gaps {
		for _, i := range list {
			of[i] = append(of[i], int32(j))
		}
	}
	return of
}

// gapsIn are the gaps among the given documents, in their order.
// Cost O(documents + columns + gaps).
func (c *Corpus) gapsIn(rows []int) [][]int32 {
	if c.gaps == nil {
		return nil
	}
	of := c.gapsOf()
	out := make([][]int32, len(c.gaps))
	for at, i := range rows {
		for _, j := range of[i] {
			out[j] = append(out[j], int32(at))
		}
	}
	return out
}

// gapsBetween are the gaps among the documents from lo up to hi, counted from lo.
func (c *Corpus) gapsBetween(lo, hi int) [][]int32 {
	if c.gaps == nil {
		return nil
	}
	out := make([][]int32, len(c.gaps))
	for j, list := range c.gaps {
		for _, i := range list {
			if int(i) >= lo && int(i) < hi {
				out[j] = append(out[j], i-int32(lo))
			}
		}
	}
	return out
}

// given is what is known of the values of a corpus that were given, where others were filled.
type given struct {
	all  []int   // of each column the gaps of all documents; nil: there are none
	in   [][]int // of each group of documents
	fill []uint64
}

// givenIn counts the gaps of all documents and of groups of them. If the documents are divided
// among ranks, the call is collective.
func (s *spread) givenIn(members [][]int) *given {
	g := new(given)
	c := s.corpus
	if f := c.Filling; f == nil || f.Values == nil || len(f.Values) != len(s.scale) {
		return g
	}
	n := make([]int, len(s.scale))
	for j, list := range c.gaps {
		n[j] = len(list)
	}
	g.all = c.sumInts(n)
	of := c.gapsOf()
	for _, rows := range members {
		n := make([]int, len(s.scale))
		for _, i := range rows {
			for _, j := range of[i] {
				n[j]++
			}
		}
		g.in = append(g.in, c.sumInts(n))
	}
	_, single := c.X.(*sparse.SingleDense)
	for j, v := range c.Filling.Values {
		if single {
			v = float64(float32(v))
		}
		q := uint64(0)
		if g.all[j] > 0 {
			q = s.step(j, v)
		}
		g.fill = append(g.fill, q)
	}
	return g
}

// gaps are how many documents of group k, or of all if it is below 0, have no value of column j.
func (g *given) gaps(k, j int) int {
	switch {
	case g.all == nil:
		return 0
	case k < 0:
		return g.all[j]
	}
	return g.in[k][j]
}

// without takes the filled values of so many documents out of sums of the steps of column j.
func (g *given) without(j, gaps int, sum, squares *big.Int) {
	if gaps == 0 {
		return
	}
	q, n := new(big.Int).SetUint64(g.fill[j]), big.NewInt(int64(gaps))
	sum.Sub(sum, new(big.Int).Mul(n, q))
	squares.Sub(squares, n.Mul(n, q.Mul(q, q)))
}
