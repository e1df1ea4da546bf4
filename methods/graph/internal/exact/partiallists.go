package exact

import (
	"bytes"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/ranks"
)

// partialLists are the nearest candidates of rows so far, of which there may be fewer than K:
// nearest first, ties by lower number.
type partialLists struct {
	*Lists
	count []int32
}

func newPartialLists(n, k int) *partialLists { return &partialLists{NewLists(n, k), make([]int32, n)} }

// lengthened copies the lists to lists with room for k candidates.
func (g *Lists) lengthened(k int) *partialLists {
	l := newPartialLists(g.N, k)
	for i := range g.N {
		index, dist2, dot := g.Row(i)
		copy(l.Index[i*k:], index)
		copy(l.Dist2[i*k:], dist2)
		copy(l.Dot[i*k:], dot)
		l.count[i] = int32(g.K)
	}
	return l
}

// add merges candidates into the list of row i; scratch has room for 2·K.
func (l *partialLists) add(i int, found, scratch []Neighbour) {
	lo := i * l.K
	all := scratch[:0]
	for c := lo; c < lo+int(l.count[i]); c++ {
		all = append(all, Neighbour{l.Index[c], l.Dist2[c], l.Dot[c]})
	}
	all = append(all, found...)
	slices.SortFunc(all, nearerFirst)
	all = all[:min(len(all), l.K)]
	l.Put(i, all)
	l.count[i] = int32(len(all))
}

// last is the squared distance that a candidate of row i must not exceed.
func (l *partialLists) last(i int) float64 {
	if int(l.count[i]) < l.K {
		return math.Inf(1)
	}
	return l.Dist2[(i+1)*l.K-1]
}

// encode writes the candidates of all rows.
func (l *partialLists) encode() []byte {
	var out bytes.Buffer
	var part []byte
	for i, n := range l.count {
		part = le.AppendUint32(part[:0], uint32(n))
		for c := i * l.K; c < i*l.K+int(n); c++ {
			part = AppendNeighbour(part, Neighbour{l.Index[c], l.Dist2[c], l.Dot[c]})
		}
		out.Write(part)
	}
	return out.Bytes()
}

// decodeLists reads lists of k candidates, each with room for k.
func decodeLists(b []byte, k int) *partialLists {
	l := &partialLists{Lists: &Lists{K: k}}
	for c := ranks.Message(b); len(c) > 0; l.N++ {
		n := int(c.Uint32())
		l.count = append(l.count, int32(n))
		for q := range k {
			var v Neighbour
			if q < n {
				v = CutNeighbour(&c)
			}
			l.Index, l.Dist2, l.Dot = append(l.Index, v.J), append(l.Dist2, v.Dist2), append(l.Dot, v.Dot)
		}
	}
	return l
}

// AppendNeighbour writes a neighbour for another rank, in 20 bytes.
func AppendNeighbour(b []byte, v Neighbour) []byte {
	b = le.AppendUint32(b, uint32(v.J))
	b = le.AppendUint64(b, math.Float64bits(v.Dist2))
	return le.AppendUint64(b, math.Float64bits(v.Dot))
}

// CutNeighbour takes a neighbour off a message.
func CutNeighbour(c *ranks.Message) Neighbour {
	return Neighbour{int32(c.Uint32()), c.Float64(), c.Float64()}
}
