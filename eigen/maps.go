package eigen

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/eigen/internal/krylov"
	"github.com/eigenmap/eigenmap/eigen/internal/problem"
	"github.com/eigenmap/eigenmap/eigen/internal/series"
	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// mapSolver is the state of one call of Anchored.Solve.
//
// Ranks divide its eigenproblems of S and of single maps. All else each of them does by itself.
// They agree on what was found before a step that they do together, or that decides how many
// products follow: so they all take the same decisions, and stop in the same place.
type mapSolver struct {
	*Anchored
	opt   Options
	team  ranks.Team // nil: there is one process
	n     int
	theta []float64 // the m largest eigenvalues of S, descending
	r     *series.Resolvent
	t     blas64.General // n×1, D^-1/2 of all border weights
	vt    []float64      // Vᵀt
	low   []float64      // a lower bound of μ for each open map
	stats Stats
	// unsearched is true if some solve reached its limit before the search for missed pairs had
	// ended.
	unsearched bool
}

// mapStage is the progress stage of the maps.
const mapStage = "maps"

// Sizes of Anchored.Solve.
const (
	extraPairs = 10        // eigenpairs of S in addition to one per map
	seriesTail = 1e-13     // allowed truncation error of the series
	steepest   = 400       // longest series
	doublings  = 1         // how often the number of eigenpairs is doubled to shorten the series
	mapBytes   = 256 << 20 // bytes for the blocks of a pass
	mapColumns = 32        // columns of a block, including the border of all groups
)

// solvedMap is the result of one map: x is y at the free points.
type solvedMap struct {
	x               []float64
	atA, atB        float64
	value, residual float64
}

func (a *Anchored) largestDegree(maps []bipartition) float64 {
	largest := 0.0
	for _, d := range a.degree {
		largest = max(largest, d)
	}
	for _, b := range maps {
		largest = max(largest, b.edgeA, b.edgeB)
	}
	return largest
}

// solve computes found for the open maps.
func (s *mapSolver) solve(ctx context.Context, maps []bipartition, open []int, found []solvedMap) error {
	s.t = space.NewBlock(s.n, 1)
	for i := range s.n {
		_, vals := s.border.Row(i)
		for _, v := range vals {
			s.t.Data[i] += v
		}
		s.t.Data[i] /= s.root[i]
	}
	served, rest, err := s.deflate(ctx, maps, open)
	if err != nil {
		return err
	}
	width := mapColumns - 1
	if s.n*mapColumns*8*5 > mapBytes {
		width = mapColumns/4 - 1
	}
	done := 0
	for from := 0; from < len(served); from += width {
		part := served[from:min(from+width, len(served))]
		if err := s.pass(ctx, maps, part, found); err != nil {
			return err
		}
		done += len(part)
		s.opt.Observer.Report(mapStage, int64(done), int64(len(open)), "maps")
	}
	if len(rest) > 0 {
		s.opt.Observer.Notef(mapStage, "the spectrum is too crowded for a series; maps solved separately: %d of %d", len(rest), len(open))
	}
	for _, at := range rest {
		if err := s.alone(ctx, maps[at], &found[at]); err != nil {
			return err
		}
		done++
		s.opt.Observer.Report(mapStage, int64(done), int64(len(open)), "maps")
	}
	return nil
}

// deflate finds the m largest eigenpairs of S, or all of them if S is small, and returns the open
// maps for which the series is short enough.
func (s *mapSolver) deflate(ctx context.Context, maps []bipartition, open []int) (served, rest []int, err error) {
	opt := s.opt
	opt.Start, opt.Which = nil, Smallest
	m := len(open) + extraPairs
	if opt.Solver == Auto && s.n <= problem.SmallProblem || opt.Solver == Dense {
		opt.Solver, m = Dense, s.n
	}
	largest := 1.0
	for _, d := range s.degree {
		largest = max(largest, d)
	}
	for round := 0; ; round++ {
		m = min(m, s.n)
		if opt.Subspace > 0 {
			opt.Subspace = max(opt.Subspace, m+2)
		}
		task := newTask(s.s, s.n, nil, m, opt)
		task.Tol, task.Scaled, task.Top = opt.Tol/largest, false, 1
		p, err := solve(ctx, task, opt)
		if err != nil {
			return nil, nil, err
		}
		products := s.stats.Products + p.Stats.Products
		s.stats = statsOf(p.Stats)
		s.stats.Products = products
		s.unsearched = p.Unsearched
		if m = len(p.Values); m == 0 { // a solver at its limit
			return nil, open, nil
		}
		s.theta = p.Values
		s.r = &series.Resolvent{S: s.s, V: p.Vectors, Top: p.Values[0], Basis: space.NewBasis(s.n, 0, nil, opt.Seed)}
		s.r.Basis.V, s.r.Basis.Size = p.Vectors, m
		s.vt = s.r.Times(s.t).Data
		if m == s.n {
			s.boundMaps(maps, open)
			return open, nil, nil
		}
		if err := ranks.Agree(s.team, s.bound(ctx, opt)); err != nil {
			return nil, nil, err
		}
		low := []float64{s.r.Low}
		s.share(low)
		s.r.Low = low[0]
		s.boundMaps(maps, open)
		served, rest = nil, nil
		for _, at := range open {
			if s.low[at] > s.r.High && s.r.Degree(s.low[at], seriesTail) <= steepest {
				served = append(served, at)
			} else {
				rest = append(rest, at)
			}
		}
		if len(rest) <= len(open)/4 || round == doublings || 2*m > s.n/2 {
			return served, rest, nil
		}
		m *= 2
	}
}

// boundMaps bounds the wanted value of each open map from below by the second Ritz value in the
// span of V and the two border rows.
func (s *mapSolver) boundMaps(maps []bipartition, open []int) {
	s.low = make([]float64, len(maps))
	const width = mapColumns - 1
	for from := 0; from < len(open); from += width {
		part := open[from:min(from+width, len(open))]
		coupling := s.r.Times(s.borders(maps, part, len(part)+1))
		for k, at := range part {
			b := s.bordered(maps[at], coupling, k, series.Moments{}, false)
			s.low[at] = b.Second(-1.001) - 1e-12
		}
	}
	s.share(s.low)
}

// bound sets the interval of the spectrum of S outside V.
func (s *mapSolver) bound(ctx context.Context, opt Options) error {
	last := s.theta[len(s.theta)-1]
	s.r.High = last + 1e-9
	s.r.Low = -1
	if s.n < 20*krylov.ScoutSteps {
		return nil
	}
	low, products, err := krylov.Lowest(ctx, newTask(s.s, s.n, nil, 1, opt))
	s.stats.Products += products
	if err == nil && low > -1 {
		s.r.Low = min(low-0.02*(1-low), last-1e-3)
	}
	return err
}

// share replaces numbers that each rank computed by the numbers of rank 0.
func (s *mapSolver) share(x []float64) { s.team.Share(x) }

// pass solves the maps of one block.
func (s *mapSolver) pass(ctx context.Context, maps []bipartition, part []int, found []solvedMap) error {
	c := len(part)
	cols := c + 1
	if cols > 4 {
		cols = (cols + 3) &^ 3 // whole tiles for the product; the extra columns are zero
	}
	border := s.borders(maps, part, cols)
	coupling := s.r.Times(border)
	mu, right, vectors := make([]float64, cols), space.NewBlock(cols, cols), make([][]float64, c)
	var m series.Moments
	outside := len(s.theta) < s.n
	if outside {
		work := space.NewBlock(s.n, cols)
		space.CopyBlock(work, border)
		var err error
		if m, err = s.r.Moments(ctx, work, s.r.Degree(s.lowest(part), seriesTail)); err != nil {
			return err
		}
	}
	for k := range mu {
		mu[k] = 1
	}
	if err := ranks.Agree(s.team, parallel.For(ctx, c, 1, func(_, k, _ int) error {
		b := s.bordered(maps[part[k]], coupling, k, m, outside)
		mu[k] = b.Second(s.low[part[k]])
		z, err := b.Vector(mu[k])
		if err != nil {
			return err
		}
		vectors[k] = z
		// p·α + q·β of the map, from its own border column and the column of all groups.
		p, q := z[len(s.theta)]/math.Sqrt(b.MassA), z[len(s.theta)+1]/math.Sqrt(b.MassB)
		right.Data[k*cols+k], right.Data[(cols-1)*cols+k] = p-q, q
		return nil
	})); err != nil {
		return err
	}
	s.share(mu)
	x := space.NewBlock(s.n, cols)
	if outside {
		rhs := space.NewBlock(s.n, cols)
		s.gemm(border, right, rhs, 0)
		var err error
		if x, err = s.r.Solve(ctx, rhs, mu, s.r.Degree(slices.Min(mu), seriesTail)); err != nil {
			return err
		}
	}
	inV := space.NewBlock(len(s.theta), cols)
	for k, z := range vectors {
		for j := range s.theta {
			inV.Data[j*cols+k] = z[j]
		}
	}
	s.gemm(s.r.V, inV, x, 1)
	s.stats.Products += s.r.Products
	s.r.Products = 0
	return s.finishMaps(ctx, maps, part, border, x, vectors, found)
}

// lowest returns the smallest of the lower bounds of some maps.
func (s *mapSolver) lowest(part []int) float64 {
	low := 1.0
	for _, at := range part {
		low = min(low, s.low[at])
	}
	return low
}

// borders returns the block of the maps' border columns h = D^-1/2 W_ul 1_A. Its last column is t;
// the columns in between are zero.
func (s *mapSolver) borders(maps []bipartition, part []int, cols int) blas64.General {
	indicator := space.NewBlock(s.groups, cols)
	for g := range s.groups {
		for k, at := range part {
			if maps[at].inA[g] {
				indicator.Data[g*cols+k] = 1
			}
		}
		indicator.Data[g*cols+cols-1] = 1
	}
	h := space.NewBlock(s.n, cols)
	s.border.MulBlock(h, indicator)
	for i, r := range s.root {
		row := h.Data[i*cols:][:cols]
		for k := range row {
			row[k] /= r
		}
	}
	return h
}

func (s *mapSolver) bordered(b bipartition, coupling blas64.General, k int, m series.Moments, outside bool) *series.Bordered {
	out := &series.Bordered{
		Theta: s.theta, ToA: make([]float64, len(s.theta)), ToB: make([]float64, len(s.theta)),
		MassA: b.massA, MassB: b.massB, SA: 1 - b.edgeA/b.massA, SB: 1 - b.edgeB/b.massB,
	}
	for j := range s.theta {
		h := coupling.Data[j*coupling.Stride+k]
		out.ToA[j], out.ToB[j] = h/math.Sqrt(b.massA), (s.vt[j]-h)/math.Sqrt(b.massB)
	}
	if outside {
		out.Corner = func(mu float64) (hh, th, tt float64) {
			v := s.r.At(mu, m.HH[k], m.TH[k], m.TT)
			return v[0], v[1], v[2]
		}
	}
	return out
}

// gemm sets c = a·b + beta·c in panels of rows.
func (s *mapSolver) gemm(a, b, c blas64.General, beta float64) {
	if a.Cols == 0 {
		return
	}
	engine := native.Default()
	grain := max(512, (a.Rows+255)/256)
	space.MustRun(parallel.For(context.Background(), a.Rows, grain, func(_, lo, hi int) error {
		engine.Gemm(blas.NoTrans, blas.NoTrans, 1, space.Rows(a, lo, hi), b, beta, space.Rows(c, lo, hi))
		return nil
	}))
}

// finishMaps converts u = M^1/2 y to y, M-orthogonal to the constant and of unit M-norm. It
// recomputes λ and the residual with the Laplacian of the map, and solves maps that miss the
// tolerance separately.
func (s *mapSolver) finishMaps(ctx context.Context, maps []bipartition, part []int, border, u blas64.General, vectors [][]float64, found []solvedMap) error {
	su := space.NewBlock(s.n, u.Cols)
	s.s.MulBlock(su, u)
	s.stats.Products += u.Cols
	limit := max(s.opt.Tol, 1e-13*s.largestDegree(maps))
	t := s.t.Data
	residuals := make([]float64, len(part))
	if err := ranks.Agree(s.team, parallel.For(ctx, len(part), 1, func(_, k, _ int) error {
		b := maps[part[k]]
		rootA, rootB := math.Sqrt(b.massA), math.Sqrt(b.massB)
		m := len(s.theta)
		p, q := vectors[k][m], vectors[k][m+1]
		// The constant is u0 = (√D, √m_A, √m_B)/√vol.
		volume, along := b.massA+b.massB, rootA*p+rootB*q
		for i, r := range s.root {
			volume += s.degree[i]
			along += r * u.Data[i*u.Stride+k]
		}
		along /= volume
		p, q = p-along*rootA, q-along*rootB
		norm := p*p + q*q
		x := make([]float64, s.n) // u without the constant
		for i, r := range s.root {
			x[i] = u.Data[i*u.Stride+k] - along*r
			norm += x[i] * x[i]
		}
		norm = math.Sqrt(norm)
		// L y at the free points is √D(x − Sx − h p/√m_A − (t−h) q/√m_B); S√D = √D − t.
		atA, atB := p/rootA/norm, q/rootB/norm
		ly := make([]float64, s.n)
		flowA, flowB := b.edgeA*atA, b.edgeB*atB
		value := 0.0
		for i, r := range s.root {
			h := border.Data[i*border.Stride+k]
			sx := su.Data[i*su.Stride+k] - along*(r-t[i])
			x[i] /= norm
			ly[i] = r * (x[i] - sx/norm - h*atA - (t[i]-h)*atB)
			flowA -= h * x[i]
			flowB -= (t[i] - h) * x[i]
			x[i] /= r // from here x is y
			value += x[i] * ly[i]
		}
		value = max(0, value+atA*flowA+atB*flowB)
		square := func(v float64) float64 { return v * v }
		residual := square(flowA-value*b.massA*atA) + square(flowB-value*b.massB*atB)
		length := atA*atA + atB*atB
		for i, d := range s.degree {
			residual += square(ly[i] - value*d*x[i])
			length += x[i] * x[i]
		}
		residuals[k] = math.Sqrt(residual / length)
		found[part[k]] = solvedMap{x: x, atA: atA, atB: atB, value: value, residual: residuals[k]}
		return nil
	})); err != nil {
		return err
	}
	s.share(residuals)
	for k, at := range part {
		if residuals[k] <= limit {
			continue
		}
		s.opt.Observer.Notef(mapStage, "the series left a map with a residual of %.1e; it is solved separately", found[at].residual)
		if err := s.alone(ctx, maps[at], &found[at]); err != nil {
			return err
		}
	}
	return nil
}

// alone solves one map as a contraction. It keeps the result of the series if that is better.
func (s *mapSolver) alone(ctx context.Context, b bipartition, m *solvedMap) error {
	p, err := s.pencil(b)
	if err != nil {
		return err
	}
	opt := s.opt
	opt.K, opt.SkipNull, opt.Which, opt.Start, opt.Observer = 1, true, Smallest, nil, nil
	opt.Verify = false // all maps are verified together
	r, err := p.Solve(ctx, opt)
	var stopped *NotConvergedError
	if err != nil && !errors.As(err, &stopped) {
		return err
	}
	s.stats.Products += r.Stats.Products
	s.stats.Missed += r.Stats.Missed
	s.unsearched = s.unsearched || stopped != nil && stopped.Unsearched
	if len(r.Values) == 0 {
		if m.x == nil { // no result at all: the residual shows it
			m.x, m.residual = make([]float64, s.n), 2*s.largestDegree([]bipartition{b})
		}
		return nil
	}
	if m.x != nil && r.Residuals[0] >= m.residual {
		return nil
	}
	z := r.Vectors
	*m = solvedMap{x: make([]float64, s.n), atA: z.At(s.n, 0), atB: z.At(s.n+1, 0), value: r.Values[0], residual: r.Residuals[0]}
	for i := range m.x {
		m.x[i] = z.At(i, 0)
	}
	return nil
}

// pencil is the pencil of one map.
func (s *mapSolver) pencil(b bipartition) (*Pencil, error) {
	if s.whole != nil {
		return s.factoredMap(b)
	}
	return NewPencil(s.merged(b))
}

// merged builds the graph of one map: the free points, then A, then B, with their masses.
func (s *mapSolver) merged(b bipartition) (*sparse.CSR, []float64) {
	n := s.n
	upper := &sparse.CSR{NumRows: n + 2, NumCols: n + 2, RowPtr: make([]int, 1, n+3)}
	for i := range n {
		cols, vals := s.s.(*sparse.CSR).Row(i)
		for k, j := range cols {
			if int(j) > i {
				upper.Col, upper.Val = append(upper.Col, j), append(upper.Val, vals[k]*s.root[i]*s.root[j])
			}
		}
		var side [2]float64
		groups, weights := s.border.Row(i)
		for k, g := range groups {
			if b.inA[g] {
				side[0] += weights[k]
			} else {
				side[1] += weights[k]
			}
		}
		for at, v := range side {
			if v > 0 {
				upper.Col, upper.Val = append(upper.Col, int32(n+at)), append(upper.Val, v)
			}
		}
		upper.RowPtr = append(upper.RowPtr, len(upper.Col))
	}
	upper.RowPtr = append(upper.RowPtr, len(upper.Col), len(upper.Col))
	return addTransposed(upper), append(append(make([]float64, 0, n+2), s.degree...), b.massA, b.massB)
}

// factoredMap is the pencil of one map: the free points, then A and B, which are apart.
func (s *mapSolver) factoredMap(b bipartition) (*Pencil, error) {
	node := make([]int32, len(s.group))
	for i, g := range s.group {
		switch {
		case g < 0:
			node[i] = -1
		case b.inA[g]:
			node[i] = int32(s.n)
		default:
			node[i] = int32(s.n) + 1
		}
	}
	for at, i := range s.free {
		node[i] = int32(at)
	}
	apart := make([]bool, s.n+2)
	apart[s.n], apart[s.n+1] = true, true
	f, err := NewFactor(mergeRows(s.whole.rows, node, s.n+2), apart)
	if err != nil {
		return nil, err
	}
	return NewFactoredPencil(f, append(slices.Clone(s.degree), b.massA, b.massB))
}
