package svm

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/internal/pairs"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

const stage = "support vectors"

// Trainer has the training rows and their kernel matrix, which needs no targets, for any number of
// machines.
type Trainer struct {
	opt    Options
	data   *pairs.Rows
	kernel kernel
	gram   *gram     // nil for cd
	mean   []float64 // of the rows, which data has less; nil if it has them as they are
	scale  []float64 // what each column of data is divided by; nil if mean is
}

// NewTrainer takes the rows of x, n×d: a *sparse.CSR (or another matrix that lists its entries), a
// *mat.Dense (not copied), or any other matrix (copied). x is not written and must not change while
// machines are trained. Options.Cost has no effect here. Of many dense rows far from 0 the mean is
// taken off a copy: with a free b the machine is the same, and is found sooner. Long rows are
// divided besides ([Options.C]).
//
// Memory: for smo the kernel matrix, at most Options.CacheBytes, and a panel of its rows; 60 bytes
// per row for each machine; for cd, 8 more per row and 16 per column, and 20 per row while it is
// trained; 8 per entry for rows less their mean.
//
// Errors (fs.ErrInvalid): options, an empty matrix, values that are not finite or whose kernel
// overflows.
func NewTrainer(ctx context.Context, x mat.Matrix, opt Options) (*Trainer, error) {
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	data, err := pairs.New(ctx, x)
	if err != nil {
		return nil, err
	}
	return newTrainer(ctx, data, data, opt)
}

// newTrainer is NewTrainer for rows of which those of by, of the same columns, say how long they
// are.
func newTrainer(ctx context.Context, data, by *pairs.Rows, opt Options) (*Trainer, error) {
	data, mean, scale, err := opt.centred(ctx, data, by)
	if err != nil {
		return nil, err
	}
	opt = opt.withDefaults(data.N, data.D, data.Sparse(), meanSquare(data))
	t := &Trainer{opt: opt, data: data, kernel: newKernel(data, opt), mean: mean, scale: scale}
	if t.kernel.name == Gaussian && opt.Sigma == 0 {
		t.opt.Sigma = 1 / t.kernel.gamma
	}
	if opt.Solver == CD {
		if err := checkRows(data); err != nil {
			return nil, err
		}
	}
	if opt.Solver == SMO {
		t.gram, err = newGram(ctx, t.kernel, data, opt.CacheBytes, opt.Observer)
	}
	return t, err
}

// meanSquare is the mean squared length of the rows.
func meanSquare(data *pairs.Rows) float64 { return floats.Sum(data.SqNorm) / float64(data.N) }

// checkRows refuses sparse rows whose columns are not ascending or lie outside the matrix, which a
// handmade sparse.CSR can have: the kernels of row_amd64.s rely on it.
func checkRows(data *pairs.Rows) error {
	for i := range data.N {
		cols, vals := data.Row(i)
		if cols == nil {
			continue
		}
		last := int32(-1)
		for _, j := range cols {
			if j <= last || int(j) >= data.D || len(vals) != len(cols) {
				return invalid.At(i, -1, "the columns of {} are not ascending or lie outside the %d columns of the matrix", data.D)
			}
			last = j
		}
	}
	return nil
}

// Options are those given, with defaults filled in, σ included.
func (t *Trainer) Options() Options { return t.opt }

// Fits refuses more machines than fit the memory that is left under ctx, with scores of the given
// number of rows: 88 bytes per training row and machine, 32 per column, 16 per score.
func (t *Trainer) Fits(ctx context.Context, machines, scored int) error {
	need := machineBytes(t.data.N, t.data.D, machines, scored, t.kernel.name)
	return memory.Need(ctx, need, "take fewer classes", "%d machines of %s and %s", machines, words.Counted(t.data.N, "row"), words.Counted(t.data.D, "column"))
}

// Machine returns a machine for the training rows that has seen no targets: β = 0 and every cost 0.
// Machines of one Trainer may be trained at once, each by one goroutine; machines of different
// streams have different random orders.
func (t *Trainer) Machine(stream uint64) *Machine {
	n := t.data.N
	m := &Machine{
		t: t, stream: stream,
		y: make([]float64, n), cost: make([]float64, n), beta: make([]float64, n), lo: make([]float64, n), hi: make([]float64, n),
	}
	if t.opt.Loss == SquaredHinge {
		m.diag = make([]float64, n)
	}
	if t.opt.Solver == CD {
		m.w = make([]float64, t.data.D)
	} else {
		m.f = make([]float64, n)
	}
	return m
}

// Machine is a dual solution of training rows, from which others are started: targets and costs may
// change between two Solves.
type Machine struct {
	t      *Trainer
	stream uint64
	y      []float64
	cost   []float64
	beta   []float64
	lo, hi []float64 // the box of β
	diag   []float64 // D, nil for the hinge
	w      []float64 // cd: Σ β x
	f      []float64 // smo: Kβ
	sum    float64   // cd: Σβ
	before float64   // cd: |Σβ| when the centre was last moved
	length float64   // cd: squared length of the bias feature, ρ or BiasScale²
	least  float64   // cd: the least ρ, the mean squared length of the rows
	centre float64   // cd: the b that a free one is drawn to
	bias   float64
	whole  bool    // cd: leaves no coordinate out, for tests
	state  *screen // cd: of the last Solve, and of the values since then; nil before it
	visits int     // of rows, in all
	sweeps int     // the same, in passes over all rows
	spoken time.Time

	// Observer receives the sweeps of stage "support vectors", from the goroutine that trains.
	Observer progress.Observer
}

// swept counts a sweep and reports it, a few times a second.
func (m *Machine) swept() {
	m.visited(m.t.data.N)
}

// visited counts visits of single rows; n of them are a sweep.
func (m *Machine) visited(rows int) {
	m.visits += rows
	m.sweeps = (m.visits + m.t.data.N - 1) / m.t.data.N
	if m.Observer == nil {
		return
	}
	if now := time.Now(); now.Sub(m.spoken) > 200*time.Millisecond {
		m.spoken = now
		m.Observer.Report(stage, int64(m.sweeps), 0, "sweeps")
	}
}

// Set gives targets ±1 and costs, and the β to start from (nil: what the machine has), cut to the
// box and, with a free b, shrunk on one side to sum zero. Nothing is kept of the slices. O(entries)
// for cd; for smo a row of the kernel for every β that changes.
//
// Errors (fs.ErrInvalid): slices of another length than the rows, targets other than ±1, costs that
// are negative, not finite or overflow with the kernel; the context's, after which the machine must
// be set again from a β that is given.
func (m *Machine) Set(ctx context.Context, y, cost, beta []float64) error {
	n := m.t.data.N
	if len(y) != n || len(cost) != n || beta != nil && len(beta) != n {
		return invalid.Errorf("%d targets, %d costs and %d coefficients are given for %d rows", len(y), len(cost), len(beta), n)
	}
	total, rows, squares, longest := 0.0, 0, 0.0, 0.0
	for i, v := range y {
		if v != 1 && v != -1 {
			return invalid.Errorf("the target of row %d (counted from 0) is %v: give 1 or -1", i, v)
		}
		if !(cost[i] >= 0) || math.IsInf(cost[i], 1) {
			return invalid.Errorf("the cost of row %d (counted from 0) is %v: give a finite number, not negative", i, cost[i])
		}
		if cost[i] > 0 {
			total, rows = total+cost[i], rows+1
			squares += m.t.data.SqNorm[i] / float64(n)
			longest = max(longest, m.t.data.SqNorm[i])
		}
	}
	if m.t.gram != nil {
		longest = slices.Max(m.t.gram.diag)
	}
	// What is summed: β·K, and the objective β·K·β.
	if limit := math.MaxFloat64 / 1024; !(longest*max(1, total) < limit) || m.t.opt.Loss == Hinge && !(longest*max(1, total)*max(1, total) < limit) {
		return invalid.Errorf("costs of %.3g in all and kernel values up to %.3g overflow: give smaller costs, or divide the data by a constant", total, longest)
	}
	if beta == nil {
		beta = slices.Clone(m.beta)
	} else {
		beta = slices.Clone(beta)
	}
	for i, c := range cost {
		lo, hi := m.box(y[i], c)
		beta[i] = min(max(beta[i], lo), hi) + 0 // no -0
	}
	if m.t.opt.Bias == Free {
		balance(beta)
	}
	for i, c := range cost {
		m.setRow(i, y[i], c, beta[i])
	}
	switch m.t.opt.Bias {
	case Free:
		m.length = squares * float64(n) / float64(max(1, rows))
		m.length = cmp.Or(m.length, 1)
		m.least = m.length
	case Feature:
		m.length = m.t.opt.BiasScale * m.t.opt.BiasScale
	}
	if m.w != nil {
		m.restart(beta)
		return nil
	}
	return m.move(ctx, beta)
}

// setRow gives row i its target, its cost and their box. The screen forgets it, unless β stays at
// the same end of its box.
func (m *Machine) setRow(i int, y, cost, beta float64) {
	lo, hi := m.box(y, cost)
	if m.state != nil && !m.stays(i, y, beta, lo, hi) {
		m.state.slack[i] = 0
	}
	m.y[i], m.cost[i], m.lo[i], m.hi[i] = y, cost, lo, hi
	if m.diag == nil {
		return
	}
	m.diag[i] = 0
	if cost > 0 {
		m.diag[i] = 1 / (2 * cost)
	}
}

// box is the range of the coefficient of a row with this target and cost.
func (m *Machine) box(y, cost float64) (lo, hi float64) {
	if m.diag != nil && cost > 0 {
		cost = math.Inf(1)
	}
	if y < 0 {
		return -cost, 0
	}
	return 0, cost
}

// stays says whether row i keeps its target and the end of its box at which β is, so that its
// condition remains what it was.
func (m *Machine) stays(i int, y, beta, lo, hi float64) bool {
	return m.y[i] == y && m.lo[i] < m.hi[i] && lo < hi && (m.beta[i] == m.lo[i] && beta == lo || m.beta[i] == m.hi[i] && beta == hi)
}

// balance shrinks the larger side so that Σβ = 0.
func balance(beta []float64) {
	plus, minus := 0.0, 0.0
	for _, v := range beta {
		if v > 0 {
			plus += v
		} else {
			minus -= v
		}
	}
	if math.Abs(plus-minus) <= 1e-13*(plus+minus) {
		return
	}
	for i, v := range beta {
		if v > 0 && plus > minus {
			beta[i] = v * (minus / plus)
		} else if v < 0 && minus > plus {
			beta[i] = v * (plus / minus)
		}
	}
}

// restart brings w to another β: by the differences if they are few, else afresh.
func (m *Machine) restart(beta []float64) {
	differ, support := 0, 0
	for i, b := range beta {
		if b != m.beta[i] {
			differ++
		}
		if b != 0 {
			support++
		}
	}
	afresh := few*differ >= support
	if afresh {
		clear(m.w)
		clear(m.beta)
	}
	m.sum = 0
	for i, b := range beta {
		m.sum += b
		if e := b - m.beta[i]; e != 0 {
			m.axpy(i, e)
			m.beta[i] = b
		}
	}
}

// few is how many times more rows than those that change their β must have one that is not 0, so
// that w is moved by the differences.
const few = 4

// move brings Kβ to another β.
func (m *Machine) move(ctx context.Context, beta []float64) error {
	for i, b := range beta {
		if b == m.beta[i] {
			continue
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		floats.AddScaled(m.f, b-m.beta[i], m.t.gram.row(i))
		m.t.gram.done(i)
		m.beta[i] = b
	}
	return nil
}

// axpy adds s·x_i to w.
func (m *Machine) axpy(i int, s float64) {
	cols, vals := m.t.data.Row(i)
	if !m.t.data.Sparse() {
		floats.AddScaled(m.w, s, vals)
		return
	}
	addRow(cols, vals, m.w, s)
}

// dot is w·x_i.
func (m *Machine) dot(i int) float64 {
	cols, vals := m.t.data.Row(i)
	if !m.t.data.Sparse() {
		return floats.Dot(m.w, vals)
	}
	return dotRow(cols, vals, m.w)
}

// fetch starts to bring row i into the cache, if it is sparse.
func (m *Machine) fetch(i int) {
	if m.t.data.Sparse() {
		fetchRow(m.t.data.Row(i))
	}
}

// Solve goes on from the β that there is until the conditions hold to tol (0: Options.Tol), and
// returns how many sweeps that took. When Options.MaxIter sweeps are not enough the error is a
// *NotConvergedError, and the machine keeps the solution that they reached.
func (m *Machine) Solve(ctx context.Context, tol float64) (sweeps int, err error) {
	tol = cmp.Or(tol, m.t.opt.Tol)
	before := m.sweeps
	switch {
	case m.w != nil:
		err = m.descend(ctx, tol)
	case m.t.opt.Bias == Free:
		err = m.pairwise(ctx, tol)
	default:
		err = m.single(ctx, tol)
	}
	return m.sweeps - before, err
}

// Beta returns a copy of the coefficients α_i y_i.
func (m *Machine) Beta() []float64 { return slices.Clone(m.beta) }

// Values sets dst to f at all training rows, including rows of cost 0.
func (m *Machine) Values(ctx context.Context, dst []float64) error {
	if m.state != nil {
		m.state.move(m.w, m.bias)
	}
	return m.values(ctx, dst, func(int) bool { return false })
}

// Refresh is Values for a dst that has f of an earlier solution. It leaves those rows alone that
// have a cost, are outside the margin, y·f > 1, by dst, and surely are so now: of other rows, and
// of all rows with β ≠ 0, dst is f. [Machine.Objective] needs no more.
func (m *Machine) Refresh(ctx context.Context, dst []float64) error {
	if m.state == nil {
		return m.Values(ctx, dst)
	}
	length, shift := m.state.move(m.w, m.bias)
	return m.values(ctx, dst, func(i int) bool {
		m.state.spend(i, m.t.data.SqNorm[i], length, shift)
		return m.state.slack[i] > 0 && m.lo[i] < m.hi[i] && m.beta[i] == 0 && m.y[i]*dst[i] > 1
	})
}

// values sets dst to f at the rows that spared does not name.
func (m *Machine) values(ctx context.Context, dst []float64, spared func(i int) bool) error {
	if m.f != nil {
		for i, v := range m.f {
			dst[i] = v + m.bias
		}
		return ctx.Err()
	}
	err := parallel.For(ctx, m.t.data.N, max(1, min(4096, (1<<18)/m.t.data.Work())), func(_, lo, hi int) error {
		for i := lo; i < hi; i++ {
			if spared(i) {
				continue
			}
			dst[i] = m.dot(i) + m.bias
			if m.state != nil {
				m.state.slack[i] = m.spare(i, m.slope(i, dst[i]))
			}
		}
		return nil
	})
	if err != nil {
		m.state = nil // some rows have the slack of the values before
	}
	return err
}

// Objective returns both sides for the values f that Values gave: the primal objective at w and b,
// never below the optimum, and the dual one at β, never above it but for what Σβ misses of zero.
func (m *Machine) Objective(values []float64) (primal, dual float64) {
	square, linear, own, loss := 0.0, 0.0, 0.0, 0.0 // ‖w‖² with the bias feature, Σ yβ, ΣDβ², costs
	for i, f := range values {
		if b := m.beta[i]; b != 0 {
			square += b * (f - m.bias)
			linear += m.y[i] * b
			if m.diag != nil {
				own += m.diag[i] * b * b
			}
		}
		if slack := 1 - m.y[i]*f; slack > 0 && m.cost[i] > 0 {
			if m.diag != nil {
				slack *= slack
			}
			loss += m.cost[i] * slack
		}
	}
	if m.t.opt.Bias == Feature {
		square += m.bias * (m.bias / m.length)
	}
	square = max(0, square)
	return square/2 + loss, linear - (square+own)/2
}

// violation is by how much the worst gradient points into the box.
func (m *Machine) violation(values []float64) float64 {
	worst := 0.0
	for i, f := range values {
		worst = max(worst, math.Abs(m.inward(i, m.slope(i, f))))
	}
	return worst
}

// slope is the gradient of the dual at β_i, with f the value of row i.
func (m *Machine) slope(i int, f float64) float64 {
	g := f - m.y[i]
	if m.diag != nil {
		g += m.diag[i] * m.beta[i]
	}
	return g
}

// inward is the gradient g at β_i, or 0 if descent would leave the box.
func (m *Machine) inward(i int, g float64) float64 {
	if g > 0 && m.beta[i] <= m.lo[i] || g < 0 && m.beta[i] >= m.hi[i] {
		return 0
	}
	return g
}

// serial makes an observer that several goroutines may call.
func serial(obs progress.Observer) progress.Observer {
	if obs == nil {
		return nil
	}
	var mu sync.Mutex
	return func(e progress.Event) {
		mu.Lock()
		defer mu.Unlock()
		obs(e)
	}
}
