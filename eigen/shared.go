package eigen

import (
	"encoding/binary"
	"slices"

	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/native/slepc"
	"github.com/eigenmap/eigenmap/sparse"
)

// Shared is a graph of which each rank of a team has the rows of its own points.
type Shared struct {
	Share *ranks.Share
	// W has a row for each own point and a column for each point of all ranks: symmetric over the
	// ranks, not negative, without a diagonal, columns ascending.
	W *sparse.CSR
	// Component is the connected component of each own point, numbered by the lowest point of all,
	// joined by the sets; Components is their number.
	Component  []int32
	Components int
	// Set is the set of each own point, −1 for none, of Sets sets: every two points of a set are
	// joined by an edge of Weight on top of W. nil without sets.
	Set    []int32
	Sets   int
	Weight float64
}

// Gather returns the weights of all ranks' points, and the members of the sets, to every rank: 12
// bytes per entry of W. All ranks call it.
func (s Shared) Gather() (w *sparse.CSR, members [][]int32) {
	var own []byte
	for i := range s.W.NumRows {
		cols, vals := s.W.Row(i)
		set := int32(-1)
		if s.Set != nil {
			set = s.Set[i]
		}
		own = binary.LittleEndian.AppendUint32(own, uint32(set))
		own = binary.LittleEndian.AppendUint32(own, uint32(len(cols)))
		for _, c := range cols {
			own = binary.LittleEndian.AppendUint32(own, uint32(c))
		}
		own = append(own, ranks.Bytes(vals)...)
	}
	n := s.Share.Total()
	w = &sparse.CSR{NumRows: n, NumCols: n, RowPtr: []int{0}}
	members = make([][]int32, s.Sets)
	for _, part := range ranks.Gather(s.Share, own) {
		for len(part) > 0 {
			set, entries := int32(binary.LittleEndian.Uint32(part)), int(binary.LittleEndian.Uint32(part[4:]))
			if part = part[8:]; set >= 0 {
				members[set] = append(members[set], int32(len(w.RowPtr)-1))
			}
			w.Col = append(w.Col, ranks.Ints(part[:4*entries])...)
			w.Val = append(w.Val, ranks.Floats(part[4*entries:12*entries])...)
			w.RowPtr = append(w.RowPtr, len(w.Col))
			part = part[12*entries:]
		}
	}
	return w, members
}

// NewSharedPencil makes the pencil L y = λ D y of a shared graph. All ranks make it and call its
// methods together; it has the degrees and components of the own points, and Result.Vectors has a
// row for each own point. Results agree with one process's up to rounding. Each rank has W, a
// scaled copy of it and the ghosts of a product.
//
// Every rank also has 24 bytes per component.
//
// The solvers are lanczos (auto) and slepc. Errors: a rank with fewer than 8 points, and weights
// that overflow.
func NewSharedPencil(g Shared) (*Pencil, error) {
	share, own := g.Share, g.W.NumRows
	least := []float64{-float64(own)}
	if ranks.Largest(share, least); -least[0] < leastRows {
		return nil, invalid.Errorf("a rank has %d of the eigenproblem's %d rows, too few: start fewer than %d ranks", int(-least[0]), share.Total(), share.Size())
	}
	size := make([]float64, g.Sets)
	for _, s := range g.Set {
		if s >= 0 {
			size[s]++
		}
	}
	share.Sum(size)
	p := &Pencil{degree: g.W.RowSums(), label: g.Component, count: g.Components,
		space: space.Space{Share: share}, setSize: size}
	for i, s := range g.Set {
		if s >= 0 {
			p.degree[i] += g.Weight * (size[s] - 1)
		}
	}
	if err := p.weigh(nil, cliques{}); err != nil {
		return nil, err
	}
	p.connect(g.Component, g.Components, cliques{})
	part := slepc.Rows{N: share.Total(), First: share.First(), RowPtr: g.W.RowPtr, Col: g.W.Col, Val: g.W.Val}
	if g.Sets > 0 {
		part.Set, part.Sets, part.Weight, part.Scale = g.Set, g.Sets, g.Weight, slices.Repeat([]float64{1}, own)
	}
	w := newGhosted(share, part)
	p.w = dividedOperator{w, share.Total()}
	p.s = dividedOperator{w.scaled(p), share.Total()}
	return p, nil
}

// scaled is S of the pencil of the weights a.
func (a *ghosted) scaled(p *Pencil) *ghosted {
	s := *a
	s.part.Val = make([]float64, len(a.part.Val))
	factor := a.extended(space.AsBlock(p.invSqrt, len(p.invSqrt), 1)).Data
	for i := range a.local.NumRows {
		lo, hi := a.local.RowPtr[i], a.local.RowPtr[i+1]
		for k := lo; k < hi; k++ {
			s.part.Val[k] = a.part.Val[k] * p.invSqrt[i] * factor[a.local.Col[k]]
		}
	}
	s.local = &sparse.CSR{NumRows: a.local.NumRows, NumCols: a.local.NumCols, RowPtr: a.local.RowPtr, Col: a.local.Col, Val: s.part.Val}
	if a.part.Sets > 0 {
		s.part.Scale = p.invSqrt
	}
	s.part.Labels, s.part.Label, s.part.Height = p.known.Count, p.known.Label, p.known.Weight
	return &s
}
