package nmf

import "math"

// nnls solves min ½xᵀGx − pᵀx over x ≥ 0 by the active-set method of Lawson and Hanson (1974,
// chapter 23) on the normal equations, as Bro and De Jong (1997) do: the least squares problem
// whose Gram matrix is G. Exact to rounding. Columns that depend on those already chosen stay at
// zero. Memory 8·k² bytes.
type nnls struct {
	gram    block
	free    []int // columns that may be positive, in the order of the factor's rows
	old     []int
	in      []bool
	refused []bool    // columns that depend on the free ones
	l       []float64 // Cholesky factor of gram on the free columns, row-major with k to a row
	z, w    []float64
}

const (
	// dependent is the share of a column's squared length that must be outside the span of the free
	// ones, and wanted the slope below which a column is not freed, relative to the largest of p.
	dependent = 1e-12
	wanted    = 1e-14
)

func newNNLS(gram block) *nnls {
	k := gram.Rows
	return &nnls{gram: gram, free: make([]int, 0, k), in: make([]bool, k), refused: make([]bool, k),
		l: make([]float64, k*k), z: make([]float64, k), w: make([]float64, k)}
}

func (q *nnls) at(i, j int) float64 { return q.gram.Data[i*q.gram.Stride+j] }

// solve sets x. O(k³) for each column that ends up positive; at most 10·k + 10 changes of the free
// set.
func (q *nnls) solve(x, p []float64) {
	clear(x)
	clear(q.in)
	clear(q.refused)
	q.free = q.free[:0]
	largest := 0.0
	for _, v := range p {
		largest = max(largest, v)
	}
	copy(q.w, p)
	for range 10*len(x) + 10 {
		next := -1
		for j, v := range q.w {
			if !q.in[j] && !q.refused[j] && v > wanted*largest && (next < 0 || v > q.w[next]) {
				next = j
			}
		}
		if next < 0 {
			return
		}
		if !q.push(next) {
			q.refused[next] = true
			continue
		}
		clear(q.refused)
		for {
			q.solveFree(p)
			if !q.backOff(x) {
				break
			}
		}
		for r, j := range q.free {
			x[j] = q.z[r]
		}
		for j := range q.w {
			s := p[j]
			for _, t := range q.free {
				s -= q.at(j, t) * x[t]
			}
			q.w[j] = s
		}
	}
}

// push adds column j to the factor; it returns false if the column depends on the free ones.
func (q *nnls) push(j int) bool {
	k, r := len(q.in), len(q.free)
	row := q.l[r*k:]
	rest := q.at(j, j)
	for c, t := range q.free {
		s := q.at(j, t)
		for i := range c {
			s -= row[i] * q.l[c*k+i]
		}
		row[c] = s / q.l[c*k+c]
		rest -= row[c] * row[c]
	}
	if !(rest > dependent*q.at(j, j)) {
		return false
	}
	row[r] = math.Sqrt(rest)
	q.free = append(q.free, j)
	q.in[j] = true
	return true
}

// solveFree sets z to the unconstrained minimum over the free columns.
func (q *nnls) solveFree(p []float64) {
	k := len(q.in)
	for r, j := range q.free {
		s := p[j]
		for i := range r {
			s -= q.l[r*k+i] * q.z[i]
		}
		q.z[r] = s / q.l[r*k+r]
	}
	for r := len(q.free) - 1; r >= 0; r-- {
		s := q.z[r]
		for i := r + 1; i < len(q.free); i++ {
			s -= q.l[i*k+r] * q.z[i]
		}
		q.z[r] = s / q.l[r*k+r]
	}
}

// backOff goes from x towards z as far as x stays non-negative and removes from the free set the
// columns that became zero; false if z itself is positive.
func (q *nnls) backOff(x []float64) bool {
	share, stop := 1.0, -1
	for r, j := range q.free {
		if q.z[r] > 0 {
			continue
		}
		s := 0.0
		if x[j] > 0 {
			s = x[j] / (x[j] - q.z[r])
		}
		if stop < 0 || s < share {
			share, stop = s, j
		}
	}
	if stop < 0 {
		return false
	}
	q.old = append(q.old[:0], q.free...)
	old := q.old
	q.free = q.free[:0]
	for r, j := range old {
		x[j] += share * (q.z[r] - x[j])
		q.in[j] = false
	}
	for _, j := range old {
		if j == stop || !(x[j] > 0) {
			x[j] = 0
			continue
		}
		if !q.push(j) {
			x[j] = 0
		}
	}
	return true
}
