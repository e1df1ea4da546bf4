package lars

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// Nets solves elastic nets of as many responses again and again on the same rows, as alternating methods do (package spca): response k of a round is
// expected to be much like response k of the round before. Of the Gram matrix it keeps what each response's paths have met, so that a later round needs
// no product with X but the one for Xᵀy. It serves one call at a time.
type Nets struct {
	c     *columns
	opt   Options // scaled
	kept  []*grams
	limit int64 // bytes for each of kept
	quick []*gramPath
	full  []*follower
	y, c0 blas64.General // scaled and centred responses, n×r; Xᵀ of them, p×r
	exps  []int
}

// Target says where a path is left: at a number of terms, or at a penalty λ > 0; the other is 0.
type Target struct {
	Terms   int
	Penalty float64
}

// beyond is some way past the target, where the path of a reference ends so that later paths may go there.
func (t Target) beyond() Target {
	if t.Terms > 0 {
		t.Terms += 2 + t.Terms/5
	}
	t.Penalty *= 0.8
	return t
}

// Net is the elastic net at a path's target: terms ascending with their coefficients, and the penalty. That is the last knot before the active columns would
// be more than Target.Terms, or the solution at Target.Penalty.
type Net struct {
	Terms        []int32
	Coefficients []float64
	Penalty      float64
}

// NewNets prepares x, n×p, for so many responses: sparse x is transposed, as by [Fit]. Of opt Ridge and Intercept count. memory bounds the bytes of the
// Gram entries kept; a response whose share they outgrow is followed as by Fit, in the rounds where that happens. Errors: as Fit's.
func NewNets(ctx context.Context, x mat.Matrix, responses int, opt Options, memory int64) (*Nets, error) {
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	if responses < 1 || memory < 0 {
		return nil, invalid.Errorf("%d responses and %d bytes for their Gram entries: there must be a response, and no negative memory", responses, memory)
	}
	c, err := newColumns(ctx, x, opt.Intercept)
	if err != nil {
		return nil, err
	}
	s := &Nets{c: c, opt: Options{Ridge: math.Ldexp(opt.Ridge, -2*c.exp), Intercept: opt.Intercept}, limit: memory / int64(responses),
		kept: make([]*grams, responses), exps: make([]int, responses), y: block(c.n, responses), c0: block(c.p, responses)}
	if math.IsInf(s.opt.Ridge, 0) {
		return nil, invalid.Errorf("the ridge penalty %v is too large for a matrix whose values reach 2^%d only: scale the matrix", opt.Ridge, c.exp)
	}
	for k := range s.kept {
		s.kept[k] = newGrams(c)
	}
	workers := parallel.Workers(responses, 1)
	s.quick, s.full = make([]*gramPath, workers), make([]*follower, workers)
	return s, nil
}

// Solve returns the net of each column of y, n×r, at its target. 2·entries·r flops for Xᵀy, and for a path of s steps to k terms with m columns near the
// bound in a step about s·(3k² + 4·m·k) flops, as long as nothing new is met; each new column costs one product with each active one.
//
// A path that meets something out of the ordinary (columns that enter together, near dependence, a penalty that is small beside the first) is followed as by
// [Fit]: results are those of Fit to rounding either way. Which way is taken depends on x and the responses so far only, not on the threads.
// Errors: as Fit's.
func (s *Nets) Solve(ctx context.Context, y *mat.Dense, targets []Target) ([]Net, error) {
	c, responses := s.c, len(s.kept)
	if y == nil || y.IsEmpty() {
		return nil, invalid.Errorf("there are no responses to regress")
	}
	if rows, cols := y.Dims(); rows != c.n || cols != responses || len(targets) != responses {
		return nil, invalid.Errorf("%d × %d responses with %d targets were given for %d × %d", rows, cols, len(targets), c.n, responses)
	}
	for k, t := range targets {
		if t.Terms < 0 || !(t.Penalty >= 0) || math.IsInf(t.Penalty, 0) || (t.Terms > 0) == (t.Penalty > 0) {
			return nil, invalid.Errorf("target %d (counted from 0) is %d terms and penalty %v; give one of them", k, t.Terms, t.Penalty)
		}
	}
	if err := finite(y); err != nil {
		return nil, err
	}
	if err := s.correlate(ctx, y); err != nil {
		return nil, err
	}
	nets := make([]Net, responses)
	return nets, parallel.For(ctx, responses, 1, func(worker, k, _ int) error {
		if s.quick[worker] == nil {
			s.quick[worker] = newGramPath(c, s.opt.Ridge)
		}
		g, t := s.kept[k], targets[k]
		t.Penalty = math.Ldexp(t.Penalty, -s.exps[k]-c.exp)
		if g.bytes > s.limit {
			g.forget()
		}
		q := s.quick[worker]
		for i := range q.y {
			q.y[i] = s.y.Data[i*responses+k]
		}
		var net Net
		var err error
		ok := false
		g.move(q.y, s.exps[k])
		if watched := g.watched(s.opt.Ridge, q.watched); watched != nil {
			q.watched = watched
			if q.margins = nil; g.worn(len(watched)) {
				q.margins = new(margins)
			}
			net, ok, err = q.solve(ctx, g, s.limit, request{correlations: s.c0.Data[k:], pitch: responses, length: norm(q.y), exp: s.exps[k], target: t})
		}
		if err == nil && !ok {
			if net, err = s.follow(ctx, worker, k, t); err != nil {
				if cause := ctx.Err(); cause != nil && errors.Is(err, cause) {
					return err
				}
				return fmt.Errorf("response %d (counted from 0): %w", k, err)
			}
		}
		if err != nil {
			return err
		}
		if !net.unscale(s.exps[k], c.exp) {
			return unheld(c.exp, s.exps[k])
		}
		nets[k] = net
		return nil
	})
}

// correlate sets y, exps and c0.
func (s *Nets) correlate(ctx context.Context, y *mat.Dense) error {
	r := s.y.Cols
	column := make([]float64, s.c.n)
	for k := range r {
		mat.Col(column, k, y)
		s.exps[k], _ = s.c.respond(column)
		for i, v := range column {
			s.y.Data[i*r+k] = v
		}
	}
	s.c.multiply(s.c0, s.y)
	return ctx.Err()
}

// follow is the net of a path as Fit follows it, scaled.
func (s *Nets) follow(ctx context.Context, worker, k int, t Target) (n Net, err error) {
	if s.full[worker] == nil {
		s.full[worker] = newFollower(s.c, s.opt)
	}
	f, g := s.full[worker], s.kept[k]
	copy(f.y, s.quick[worker].y)
	f.opt.MaxTerms, f.opt.MinPenalty = t.Terms, math.Ldexp(t.Penalty, s.c.exp) // of responses scaled already
	if f.margins = nil; g.worthwhile() {
		on := t.beyond()
		f.opt.MaxTerms, f.opt.MinPenalty = on.Terms, math.Ldexp(on.Penalty, s.c.exp)
		f.margins = new(margins)
	}
	path, err := f.follow(ctx)
	if err != nil {
		return n, err
	}
	if f.margins != nil {
		least := f.margins.least(s.c)
		rescale(least, f.exp)
		g.refer(least, math.Ldexp(f.lambda, f.exp), s.quick[worker].y, s.exps[k])
	}
	n.Penalty = t.Penalty
	var terms []int32
	var values []float64
	if t.Terms > 0 {
		knot := path.before(t.Terms)
		n.Penalty = math.Ldexp(path.Penalty[knot], -s.c.exp)
		terms, values, _ = path.At(knot)
	} else {
		terms, values, _ = path.AtPenalty(math.Ldexp(t.Penalty, s.c.exp))
	}
	n.Terms, n.Coefficients = terms, slices.Clone(values)
	rescale(n.Coefficients, s.c.exp)
	return n, nil
}

// before is the first knot at which more than k terms become active, or the last one.
func (p *Path) before(k int) int {
	active := 0
	for i, e := range p.Changes {
		if active++; e.Left {
			active -= 2
		}
		if last := i+1 == len(p.Changes) || p.Changes[i+1].Knot > e.Knot; last && active > k {
			return e.Knot
		}
	}
	return p.Knots() - 1
}

// unscale brings the net to the units of the data and tells whether float64 holds it.
func (n *Net) unscale(y, x int) bool {
	held := true
	for i, v := range n.Coefficients {
		n.Coefficients[i] = math.Ldexp(v, y-x)
		held = held && !math.IsInf(n.Coefficients[i], 0) && n.Coefficients[i] != 0
	}
	was := n.Penalty
	n.Penalty = math.Ldexp(was, y+x)
	return held && !math.IsInf(n.Penalty, 0) && (n.Penalty != 0 || was == 0)
}
