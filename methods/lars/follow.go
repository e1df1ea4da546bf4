package lars

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/panel"
	"github.com/eigenmap/eigenmap/internal/ranks"
)

// The states of a column.
const (
	isFree = iota
	isActive
	isExcluded // at the bound, but dependent on the active columns
	isConstant
)

const (
	tied     = 1e-11 // of λ: columns so close to the bound at a knot are there
	rounding = 1e-14 // of the lengths multiplied and added: correlations below are noise
	every    = 8     // knots between two corrections of the coefficients
)

// follower computes the path of one response at a time. It reuses its memory for the next.
type follower struct {
	c   *columns
	opt Options

	active *activeSet
	y, r   []float64 // scaled response and residual
	exp    int       // y = scaled·2^exp
	mean   float64   // of y, scaled
	length float64   // ‖y‖
	lambda float64

	// travelled is the distance that the residual has moved so far; |c_j| ≤ high[j] +
	// norm[j]·travelled for free columns.
	travelled float64
	high      []float64
	state     []uint8
	seen      []int32 // the step in which a column was multiplied last
	step      int32
	last      float64 // the length of the last step, in λ
	looked    []candidate
	work      int // multiply-adds since the last check of the context

	kept    map[int32]bool // columns with an open entry in path.Dependent
	entered []int32
	before  []float64
	path    *Path
}

// candidate is a free column multiplied in this step: its correlation c and the slope a = x_jᵀu.
type candidate struct {
	term int32
	c, a float64
}

func newFollower(c *columns, opt Options) *follower {
	return &follower{
		c: c, opt: opt, active: newActiveSet(c, opt.Ridge),
		y: make([]float64, c.n), r: make([]float64, c.n),
		high: make([]float64, c.p), state: make([]uint8, c.p), seen: make([]int32, c.p), kept: map[int32]bool{},
	}
}

// follow returns the path of the response in f.y, unscaled and with finite entries.
func (f *follower) follow(ctx context.Context) (*Path, error) {
	ties, err := f.begin(ctx)
	if err != nil {
		return nil, err
	}
	for stopped := f.stopped(len(ties) == 0); ; stopped = f.stopped(false) {
		if stopped != "" {
			f.path.Stopped = stopped
			return f.path, nil
		}
		if err := ranks.Agree(f.c.share, ctx.Err()); err != nil {
			return nil, err
		}
		if err := f.resolve(ctx, ties); err != nil {
			return nil, err
		}
		if f.opt.PartTies {
			if err := f.part(ctx, ties); err != nil {
				return nil, err
			}
		}
		f.release()
		if f.opt.MaxTerms > 0 && len(f.active.terms) > f.opt.MaxTerms {
			f.path.Stopped = StoppedTerms
			return f.path, nil
		}
		for _, j := range f.entered {
			f.path.Changes = append(f.path.Changes, Change{Knot: f.path.Knots() - 1, Term: j})
		}
		gamma, err := f.stride(ctx)
		if err != nil {
			return nil, err
		}
		ties = f.move(gamma)
		if err := f.record(); err != nil {
			return nil, err
		}
	}
}

// begin scales and centres the response and multiplies it with all columns: one product.
func (f *follower) begin(ctx context.Context) ([]tie, error) {
	c := f.c
	f.mean = 0
	top := []float64{panel.Largest(f.y)}
	ranks.Largest(c.share, top)
	f.exp = exponent(top[0])
	rescale(f.y, -f.exp)
	if c.centred {
		before := c.length(f.y)
		f.mean = centre(c.share, f.y)
		if c.length(f.y) <= 0x1p-50*before {
			clear(f.y)
		}
	}
	copy(f.r, f.y)
	f.length = c.length(f.y)
	f.active.reset()
	f.path = &Path{start: []int{0}, Constant: c.constant}
	f.travelled, f.last, f.step = 0, 0, 0
	clear(f.seen)
	clear(f.kept)
	f.lambda = 0
	first := make([]float64, c.p)
	for j := range c.p {
		first[j] = c.ownDot(j, f.r)
		if err := f.worked(ctx, c.work(j)); err != nil {
			return nil, err
		}
	}
	c.share.Sum(first)
	for j, v := range first {
		f.state[j] = isFree
		if c.norm[j] == 0 {
			f.state[j], f.high[j] = isConstant, math.Inf(-1)
			continue
		}
		f.high[j] = f.correlation(v)
		f.lambda = max(f.lambda, f.high[j])
	}
	var ties []tie
	if f.lambda > f.floor() {
		for j, v := range f.high {
			if v >= f.lambda*(1-tied) {
				ties = append(ties, tie{term: int32(j), sign: f.sign(first[j])})
			}
		}
	}
	return ties, f.record()
}

// correlation is the value compared with the bound: the magnitude of a correlation, or the
// correlation itself if only positive ones count.
func (f *follower) correlation(c float64) float64 {
	if f.opt.Positive {
		return c
	}
	return math.Abs(c)
}

func (f *follower) sign(c float64) float64 {
	if f.opt.Positive {
		return 1
	}
	return math.Copysign(1, c)
}

// floor is the penalty below which all correlations are rounding errors, since r is the difference
// of y and the terms of X_A·b.
func (f *follower) floor() float64 {
	lengths := f.length
	for i, j := range f.active.terms {
		lengths += math.Abs(f.active.b[i]) * f.c.norm[j]
	}
	return rounding * lengths * f.c.largest
}

// refer stores the correlation of a free column at the present residual, for later bounds.
func (f *follower) refer(j int, reach float64) {
	f.high[j] = reach - f.c.norm[j]*f.travelled
}

// stopped is the reason for which the path ends at the last knot recorded, "" if it goes on.
func (f *follower) stopped(orthogonal bool) string {
	o, residual := f.opt, f.c.length(f.r)
	switch {
	case orthogonal:
		return StoppedOrthogonal
	case f.lambda == 0:
		return StoppedComplete
	case f.lambda <= f.least():
		return StoppedPenalty
	case o.MaxResidual > 0 && residual <= o.MaxResidual*f.length*(1+1e-14):
		return StoppedResidual
	case f.lambda <= f.floor():
		return StoppedRounding
	case f.path.Knots() > o.maxSteps(f.c.all, f.c.p):
		return StoppedSteps
	}
	return ""
}

// least is MinPenalty, scaled.
func (f *follower) least() float64 { return math.Ldexp(f.opt.MinPenalty, -f.exp-f.c.exp) }

// stride returns how far λ falls until the next event: a column reaches the bound, a coefficient
// reaches zero, or the path ends. It multiplies the columns, into f.looked, whose correlation may
// reach the bound by their last value and its bound. The distance tried doubles until it contains
// the nearest event. At most one product with Xᵀ, mostly a small part of it; 24·p bytes per round.
func (f *follower) stride(ctx context.Context) (float64, error) {
	c := f.c
	f.step++
	f.looked = f.looked[:0]
	speed := c.length(f.active.u)
	best := f.limit(speed)
	try := f.last
	if try == 0 {
		try = 0.02 * f.lambda
	}
	for {
		try = min(try, best)
		bound := (f.lambda - try) * (1 - 1e-9)
		reach := f.travelled + try*speed + 10*rounding*f.length
		from := len(f.looked)
		for j, h := range f.high {
			if h+c.norm[j]*reach < bound || f.state[j] != isFree || f.seen[j] == f.step {
				continue
			}
			f.seen[j] = f.step
			k := candidate{term: int32(j)}
			k.c, k.a = c.ownDots(j, f.r, f.active.u)
			f.looked = append(f.looked, k)
			if err := f.worked(ctx, 2*c.work(j)); err != nil {
				return 0, err
			}
		}
		f.add(f.looked[from:])
		for _, k := range f.looked[from:] {
			best = min(best, f.hit(k))
		}
		if err := f.worked(ctx, c.p); err != nil {
			return 0, err
		}
		if try >= best {
			f.last = best
			return best, nil
		}
		try *= 2
	}
}

// add replaces the products of candidates with the own rows by those with the rows of all ranks.
func (f *follower) add(list []candidate) {
	if !f.c.share.Divided() {
		return
	}
	both := make([]float64, 0, 2*len(list))
	for _, k := range list {
		both = append(both, k.c, k.a)
	}
	f.c.share.Sum(both)
	for i := range list {
		list[i].c, list[i].a = both[2*i], both[2*i+1]
	}
}

// worked checks the context every few milliseconds of work. Ranks look at it together, at each
// knot.
func (f *follower) worked(ctx context.Context, madds int) error {
	if f.work += madds; f.work < 1<<22 || f.c.share.Divided() {
		return nil
	}
	f.work = 0
	return ctx.Err()
}

// hit is how far λ falls until the column reaches the bound, λ itself if it does not before zero.
func (f *follower) hit(k candidate) float64 {
	gamma := f.lambda
	side := func(c, slope float64) {
		if slope > inward {
			if g := max(0, f.lambda-c) / slope; g < f.lambda*(1-1e-10) {
				gamma = min(gamma, g)
			}
		}
	}
	side(k.c, 1-k.a)
	if !f.opt.Positive {
		side(-k.c, 1+k.a)
	}
	return gamma
}

// limit is how far λ falls at most, without regard to the columns that are not active.
func (f *follower) limit(speed float64) float64 {
	best := f.lambda - f.least()
	if least := f.opt.MaxResidual * f.length; least > 0 {
		// The first γ with ‖r − γu‖ = least.
		along := f.c.sum(inner(f.r, f.active.u))
		over := f.c.square(f.r) - least*least
		if root := along*along - speed*speed*over; root >= 0 && over >= 0 {
			if g := over / (along + math.Sqrt(root)); g >= 0 {
				best = min(best, g)
			}
		}
	}
	if !f.opt.LAR {
		for i := range f.active.terms {
			best = min(best, f.crossing(i))
		}
	}
	return best
}

// crossing is how far λ falls until the active coefficient at place i is zero.
func (f *follower) crossing(i int) float64 {
	a := f.active
	if b, d := a.s[i]*a.b[i], a.s[i]*a.d[i]; d < 0 {
		return max(0, b) / -d
	}
	return math.Inf(1)
}

// move goes to the next knot and returns the columns that are at the bound there with coefficient
// zero. Columns whose coefficients have become zero leave, after which dependent columns may be
// independent.
func (f *follower) move(gamma float64) []tie {
	a := f.active
	for i, d := range a.d {
		if !f.opt.LAR && f.crossing(i) <= gamma*(1+1e-12) {
			a.b[i] = -a.s[i] * math.SmallestNonzeroFloat64 // to leave below
			continue
		}
		a.b[i] += gamma * d
	}
	for i, v := range a.u {
		f.r[i] -= gamma * v
	}
	f.travelled += gamma * f.c.length(a.u)
	from := f.lambda
	f.lambda -= gamma
	if end := f.least(); gamma == from-end {
		f.lambda = end
	}
	ties := f.arrived(gamma)
	polished := false
	for dropped := false; ; {
		for i := len(a.terms) - 1; i >= 0; i-- {
			if s := a.s[i]; !f.opt.LAR && s*a.b[i] < 0 {
				ties = append(ties, tie{term: a.terms[i], sign: s})
				f.path.Changes = append(f.path.Changes, Change{Knot: f.path.Knots(), Term: a.terms[i], Left: true})
				f.remove(i)
				dropped, polished = true, false
			}
		}
		if polished || !dropped && f.lambda != f.least() && f.path.Knots()%every != 0 && a.factor.worst >= conditioned {
			if dropped {
				ties = f.readmit(ties)
			}
			return ties
		}
		a.polish(f.y, f.r, f.lambda) // which may show that a coefficient next to zero is zero
		polished = true
	}
}

// arrived updates the columns in f.looked to the knot at the distance γ and returns those at the
// bound.
func (f *follower) arrived(gamma float64) []tie {
	var ties []tie
	for _, k := range f.looked {
		c := k.c - gamma*k.a
		f.refer(int(k.term), f.correlation(c))
		sign := f.sign(c)
		if f.lambda-sign*c <= tied*f.lambda {
			ties = append(ties, tie{term: k.term, sign: sign})
		}
	}
	return ties
}

// exclude keeps a dependent column out. One that was readmitted at this knot counts as excluded
// throughout.
func (f *follower) exclude(j int32) {
	f.state[j] = isExcluded
	if !f.kept[j] {
		f.kept[j] = true
		f.path.Dependent = append(f.path.Dependent, Dependent{Term: j, From: f.path.Knots() - 1, Until: -1})
	}
}

// readmit makes the columns free that were dependent before a drop, and adds those at the bound to
// the ties.
func (f *follower) readmit(ties []tie) []tie {
	for _, k := range f.path.Dependent {
		if k.Until >= 0 {
			continue
		}
		c := f.c.dot(int(k.Term), f.r)
		f.state[k.Term] = isFree
		f.refer(int(k.Term), f.correlation(c))
		if sign := f.sign(c); sign*c >= f.lambda*(1-dependence) {
			ties = append(ties, tie{term: k.Term, sign: sign})
		}
	}
	return ties
}

// release records which of the columns readmitted at the last knot are independent now.
func (f *follower) release() {
	for i := range f.path.Dependent {
		if k := &f.path.Dependent[i]; k.Until < 0 && f.state[k.Term] != isExcluded {
			k.Until = f.path.Knots() - 1
			delete(f.kept, k.Term)
		}
	}
}

// record adds a knot to the path, in the units of the data.
func (f *follower) record() error {
	p, a := f.path, f.active
	from := len(p.terms)
	intercept := f.mean
	for i, j := range a.terms {
		if a.b[i] != 0 {
			p.terms = append(p.terms, j)
			p.values = append(p.values, a.b[i])
			intercept -= f.c.mean[j] * a.b[i]
		}
	}
	sortPairs(p.terms[from:], p.values[from:])
	held := true
	unscale := func(v float64, e int) float64 {
		out := math.Ldexp(v, e)
		held = held && !math.IsInf(out, 0) && (out != 0 || v == 0)
		return out
	}
	for i := from; i < len(p.values); i++ {
		p.values[i] = unscale(p.values[i], f.exp-f.c.exp)
	}
	p.start = append(p.start, len(p.terms))
	p.Penalty = append(p.Penalty, unscale(f.lambda, f.exp+f.c.exp))
	p.Residual = append(p.Residual, math.Ldexp(f.c.length(f.r), f.exp))
	p.intercepts = append(p.intercepts, math.Ldexp(intercept, f.exp))
	if !held {
		return invalid.Errorf("the penalties or coefficients of this path are no numbers that a float64 holds (values of the matrix reach 2^%d, of the response 2^%d): scale the data",
			f.c.exp, f.exp)
	}
	return nil
}
