package gmm

import (
	"math"

	rowpanel "github.com/eigenmap/eigenmap/internal/panel"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// panel is the scratch of one goroutine: up to rows rows of d numbers that are centred and
// multiplied by L⁻ᵀ, and their squared norms.
type panel struct {
	engine  native.Engine
	rows, d int
	data    []float64 // rows×d
	piece   []float64 // rows×leaf
	n       int       // rows in use
	filled  int       // columns in use
	id      []int32   // which rows of x they are
	q       []float64 // squared norms of the columns solved so far
	limit   []float64 // a row whose q exceeds its limit drops out
	bounded bool      // whether any limit is finite
	apart   bool      // the bits of a row do not depend on the other rows
}

// solveRows is the length of the panels of the E-step: half a megabyte, with which gemm is near its
// peak, and which stays in the cache of a core beside the factor.
func solveRows(d int) int { return max(64, min(1024, 1<<16/d/8*8)) }

// syrkRows is the length of the panels of the M-step: the same, but at most as many rows as a syrk
// takes that is not cut into tiles.
func syrkRows(d int) int {
	return max(64, min(solveRows(d), int(1.9e7/float64(d)/float64(d))/8*8))
}

func newPanel(engine native.Engine, d int) *panel {
	rows := max(solveRows(d), syrkRows(d))
	return &panel{
		engine: engine, rows: rows, d: d,
		data: make([]float64, rows*d), piece: make([]float64, rows*leaf),
		id: make([]int32, rows), q: make([]float64, rows), limit: make([]float64, rows),
	}
}

// scratch keeps the panels of the goroutines.
type scratch struct {
	panels []*panel
	apart  bool // see panel
}

// of returns the panels of the given number of goroutines.
func (s *scratch) of(workers, d int) []*panel {
	engine := native.Default()
	for len(s.panels) < workers {
		s.panels = append(s.panels, newPanel(engine, d))
	}
	for _, p := range s.panels {
		p.engine, p.apart = engine, s.apart
	}
	return s.panels
}

// panelBytes is the memory of a panel.
func panelBytes(d int) int64 {
	return int64(max(solveRows(d), syrkRows(d))) * (8*int64(d+leaf) + 4 + 16)
}

// source is the origin of a panel's rows: row i of x less the centre.
type source struct {
	x      blas64.General
	centre []float64
}

// fill sets columns [o, o+w) of the panel's rows.
func (p *panel) fill(s *source, o, w int) {
	p.filled = o + w
	centre := s.centre[o : o+w]
	for r, i := range p.id[:p.n] {
		dst := p.data[r*p.d+o : r*p.d+o+w]
		src := s.x.Data[int(i)*s.x.Stride+o:][:len(dst)]
		c := centre[:len(dst)]
		for j, v := range src {
			dst[j] = v - c[j]
		}
	}
}

// stripe is the width in columns up to which products with the columns to the left are delayed:
// rows that drop out earlier save them.
const stripe = 4 * leaf

// mahalanobis sets q to (x−c)ᵀΣ⁻¹(x−c) for the panel's rows, whose id, limit and n are set; rows
// that exceed their limits drop out early. n·d² flops at most.
func (p *panel) mahalanobis(f factor, s *source) {
	clear(p.q[:p.n])
	for o := 0; o < p.d && p.n > 0; o += stripe {
		w := min(stripe, p.d-o)
		p.fill(s, o, w)
		if o > 0 {
			p.subtract(f, 0, o, w)
		}
		p.solve(f, o, w)
		p.drop()
	}
}

// solve multiplies columns [o, o+w) by the inverse transpose of that diagonal block of L, and adds
// the squares to q: the left half, the products with the columns below it, the right half.
func (p *panel) solve(f factor, o, w int) {
	if w <= leaf {
		p.solveLeaf(f, o, w)
		return
	}
	h := leaf
	for 2*h < w {
		h *= 2
	}
	p.solve(f, o, h)
	p.drop()
	if p.n > 0 {
		p.subtract(f, o, o+h, w-h)
		p.solve(f, o+h, w-h)
	}
}

// subtract subtracts the part of the solved columns [from, to) from the w columns after them.
func (p *panel) subtract(f factor, from, to, w int) {
	p.gemm(-1, part(p.data[from:], p.n, to-from, p.d), part(f.block[to*f.d+from:], w, to-from, f.d), 1, part(p.data[to:], p.n, w, p.d))
}

// gemm is c = alpha·a·bᵀ + beta·c.
func (p *panel) gemm(alpha float64, a, b blas64.General, beta float64, c blas64.General) {
	if p.apart {
		rowpanel.MulRows(blas.Trans, alpha, a, b, beta, c)
		return
	}
	p.engine.Gemm(blas.NoTrans, blas.Trans, alpha, a, b, beta, c)
}

func (p *panel) solveLeaf(f factor, o, w int) {
	p.gemm(1, part(p.data[o:], p.n, w, p.d), f.leafAt(o), 0, part(p.piece, p.n, w, w))
	for r := range p.n {
		y := p.piece[r*w : (r+1)*w]
		copy(p.data[r*p.d+o:], y)
		s := 0.0
		for _, v := range y {
			s += v * v
		}
		p.q[r] += s
	}
}

// drop removes the rows beyond their limits.
func (p *panel) drop() {
	if !p.bounded {
		return
	}
	kept := 0
	for r := range p.n {
		if p.q[r] > p.limit[r] {
			continue
		}
		if kept < r {
			copy(p.data[kept*p.d:][:p.filled], p.data[r*p.d:][:p.filled])
			p.id[kept], p.q[kept], p.limit[kept] = p.id[r], p.q[r], p.limit[r]
		}
		kept++
	}
	p.n = kept
}

// never is the log-posterior below which a component has no share in a row: e^-80, some 2e-35, is
// nineteen digits below the rounding of the sums that it would enter. Rows leave negligible
// components after few columns then, and the M-step does not multiply them.
const never = -80.0

// limitFor returns the q above which a component's joint log-density constant − q/2 is negligible
// relative to reference.
func limitFor(constant, reference float64) float64 {
	if math.IsInf(reference, -1) {
		return math.Inf(1)
	}
	return 2 * (constant - reference - never)
}
