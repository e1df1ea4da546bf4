package eigen

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Constant is the value at every point of the constant eigenvector, the one of M-length 1: one over
// the root of the mass of all points, of all ranks. The ranks call it together.
func (p *Pencil) Constant() float64 { return 1 / math.Sqrt(floats.Sum(p.volumes())) }

// DropConstant replaces the null vectors in r, a result of Solve with all of them, by one fewer
// vectors that are M-orthogonal to the constant. It shifts the other columns down, in the memory of
// r.Vectors, whose rows are adjacent. Column j separates component j+1 (in r's order, by falling
// mass) from all components before it.
func (p *Pencil) DropConstant(r *Result) {
	n, k := r.Vectors.Dims()
	if k < 2 {
		r.Vectors, r.Values, r.Residuals = new(mat.Dense), nil, nil
		return
	}
	zeros := min(k, p.count)
	place := make([]int, p.count) // column of the component's indicator, none for the solver's
	for c := range place {
		place[c] = zeros
	}
	volume := p.volumes()
	for at, c := range p.heaviest[:zeros] {
		place[c] = at
	}
	raw := r.Vectors.RawMatrix()
	for i := range n { // a shorter row ends before the next longer one begins
		row := raw.Data[i*(k-1) : (i+1)*(k-1)]
		copy(row[zeros-1:], raw.Data[i*raw.Stride+zeros:i*raw.Stride+k])
		clear(row[:zeros-1])
	}
	out := mat.NewDense(n, k-1, raw.Data[:n*(k-1)])
	before := 0.0
	for j := 1; j < zeros; j++ {
		before += volume[p.heaviest[j-1]]
		inside, outside := contrast(before, volume[p.heaviest[j]])
		for i, c := range p.label {
			switch at := place[c]; {
			case at < j:
				out.Set(i, j-1, outside)
			case at == j:
				out.Set(i, j-1, inside)
			}
		}
	}
	p.space.CanonicalSigns(out.RawMatrix())
	r.Vectors, r.Values, r.Residuals = out, r.Values[1:], r.Residuals[1:]
}
