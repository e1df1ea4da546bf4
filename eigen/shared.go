package eigen

import (
	"context"
	"encoding/binary"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/eigen/internal/krylov"
	"github.com/eigenmap/eigenmap/eigen/internal/problem"
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

// leastRows is the number of rows that each rank must have.
const leastRows = 8

// NewSharedPencil makes the pencil L y = λ D y of a shared graph. All ranks make it and call its
// methods together; it has the degrees and components of the own points, and the rows of
// Result.Vectors are those of the own points. Results agree with those of one process up to
// rounding. Each rank has W, a scaled copy of it and the ghosts of a product.
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

// solveShared runs a solver on the ranks' rows of the task; the vectors are those of the own rows.
func solveShared(ctx context.Context, t problem.Task, name Solver) (problem.Pairs, error) {
	d, dividing := t.Space.Of().(divider)
	if a, ok := ghostedOf(t.Op); ok && dividing {
		m, err := d.NewMatrix(a.part)
		if err = ranks.Agree(t.Space.Share, err); err != nil {
			return problem.Pairs{}, err
		}
		defer m.Close()
		t.Op, t.Matrix = dividedOperator{m, t.Whole()}, m
	}
	if t.Space.Rank() > 0 {
		t.Observer = nil
	}
	ctx, t.Outer = context.WithoutCancel(ctx), ctx
	switch {
	case name == Lanczos:
		return krylov.Lanczos(ctx, t)
	case name == SLEPc && t.Matrix != nil:
		return krylov.BySLEPc(ctx, t)
	case name == SLEPc && dividing:
		return problem.Pairs{}, invalid.Errorf("‹solver› slepc needs a graph that is given by its edges: use ‹solver› lanczos")
	}
	return problem.Pairs{}, invalid.Errorf("‹solver› %s does not work on rows that are divided among ranks: use lanczos or slepc", name)
}

// ghostedOf is an operator that is a matrix of which each rank has its rows.
func ghostedOf(op problem.Operator) (*ghosted, bool) {
	if d, ok := op.(dividedOperator); ok {
		a, ok := d.Divided.(*ghosted)
		return a, ok
	}
	return nil, false
}

// overflows reports whether the masses' sum, of all ranks, is infinite.
func (p *Pencil) overflows() bool {
	total := 0.0
	for _, m := range p.mass {
		total += m
	}
	return math.IsInf(p.space.Summed([]float64{total})[0], 0)
}
