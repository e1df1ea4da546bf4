package tsvm

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/svm"
)

// search is the label switching of one class.
type search struct {
	machine *svm.Machine
	opt     Options
	open    []int32   // unlabelled documents
	y       []float64 // targets
	cost    []float64
	values  []float64

	positive, switched int
	history            []Step
	objective          float64
	unsolved           error // the last solution's, if it stopped early
}

func newSearch(t *svm.Trainer, opt Options, stream uint64, known []int, class int, open []int32) *search {
	n := len(known)
	s := &search{machine: t.Machine(stream), opt: opt, open: open, y: make([]float64, n), cost: make([]float64, n), values: make([]float64, n)}
	for i, k := range known {
		s.y[i] = -1
		if k == class {
			s.y[i] = 1
		}
		if k != labels.Unknown {
			s.cost[i] = opt.SVM.C
		}
	}
	return s
}

// run is Joachims' algorithm of section 4.
func (s *search) run(ctx context.Context, positive int, told func(total int)) error {
	if err := s.set(ctx, nil); err != nil {
		return err
	}
	sweeps, err := s.solve(ctx, 0)
	if err != nil {
		return err
	}
	s.record(0, 0, 0, sweeps)
	if len(s.open) == 0 {
		told(1)
		return s.unsolved
	}
	s.assign(positive)
	levels := s.levels()
	for _, level := range levels {
		if err := s.level(ctx, level); err != nil {
			return err
		}
		told(len(levels))
	}
	return s.unsolved
}

// assign makes the first of the ranking positive, the lower index on a tie.
func (s *search) assign(positive int) {
	s.positive = positive
	ranking := slices.Clone(s.open)
	slices.SortStableFunc(ranking, func(a, b int32) int { return cmp.Compare(s.values[b], s.values[a]) })
	for _, i := range ranking[:positive] {
		s.y[i] = 1
	}
}

// levels are C*₋ and C*₊ from the start to C*. With one side only both costs are the same.
func (s *search) levels() [][2]float64 {
	ratio := 1.0
	if s.positive > 0 && s.positive < len(s.open) {
		ratio = float64(s.positive) / float64(len(s.open)-s.positive)
	}
	end := s.opt.CStar
	const least = 0x1p-60 // of C*: sixty levels at most, also if the start underflows
	minus := max(end*s.opt.Start, end*least, math.SmallestNonzeroFloat64)
	plus := max(min(end, minus*ratio), end*least, math.SmallestNonzeroFloat64)
	out := [][2]float64{{minus, plus}}
	for minus < end || plus < end {
		minus, plus = min(2*minus, end), min(2*plus, end)
		out = append(out, [2]float64{minus, plus})
	}
	return out
}

// level trains with other costs and switches until no pair may.
func (s *search) level(ctx context.Context, costs [2]float64) error {
	beta := s.machine.Beta()
	for _, i := range s.open {
		before, after := s.cost[i], s.costOf(int(i), costs)
		s.cost[i] = after
		// A coefficient at its bound will be at the new bound again, most of all while costs are small.
		if s.y[i]*s.values[i] < 1 && s.y[i]*beta[i] >= before && s.opt.SVM.Loss != svm.SquaredHinge {
			beta[i] = s.y[i] * after
		}
	}
	if err := s.set(ctx, beta); err != nil {
		return err
	}
	sweeps, err := s.solve(ctx, 0)
	if err != nil {
		return err
	}
	s.record(costs[0], costs[1], 0, sweeps)
	for range s.opt.MaxSteps {
		pairs := s.candidates()
		if len(pairs) == 0 {
			break
		}
		kept, err := s.step(ctx, pairs, costs)
		if err != nil || !kept {
			return err
		}
	}
	return nil
}

func (s *search) costOf(i int, costs [2]float64) float64 {
	if s.y[i] > 0 {
		return costs[1]
	}
	return costs[0]
}

// candidates are the pairs (positive, negative) that may change places, largest slacks first, the
// lower index on a tie. Slacks that exceed 2 by less than the solver's tolerance are left alone.
func (s *search) candidates() [][2]int32 {
	var plus, minus []int32
	slack := func(i int32) float64 { return 1 - s.y[i]*s.values[i] }
	for _, i := range s.open {
		if slack(i) > 0 {
			if s.y[i] > 0 {
				plus = append(plus, i)
			} else {
				minus = append(minus, i)
			}
		}
	}
	by := func(a, b int32) int { return cmp.Compare(slack(b), slack(a)) }
	slices.SortStableFunc(plus, by)
	slices.SortStableFunc(minus, by)
	most := min(len(plus), len(minus))
	if s.opt.Pairs > 0 {
		most = min(most, s.opt.Pairs)
	}
	var out [][2]int32
	for q := range most {
		if slack(plus[q])+slack(minus[q]) <= 2+2*s.opt.SVM.Tol {
			break
		}
		out = append(out, [2]int32{plus[q], minus[q]})
	}
	return out
}

// step switches pairs and says whether the switch was kept.
func (s *search) step(ctx context.Context, pairs [][2]int32, costs [2]float64) (kept bool, err error) {
	before, old := s.objective, s.machine.Beta()
	values, unsolved := slices.Clone(s.values), s.unsolved
	beta := slices.Clone(old)
	flip := func() {
		for _, p := range pairs {
			for _, i := range p {
				s.y[i] = -s.y[i]
				s.cost[i] = s.costOf(int(i), costs)
			}
		}
	}
	flip()
	for _, p := range pairs { // the new positive takes the place of the old one, within the same box and the same sum
		beta[p[0]], beta[p[1]] = old[p[1]], old[p[0]]
	}
	if err := s.set(ctx, beta); err != nil {
		return false, err
	}
	total := 0
	for tol := s.opt.SVM.Tol; tol >= s.opt.SVM.Tol*1e-6; tol /= 10 {
		sweeps, err := s.solve(ctx, tol)
		if err != nil {
			return false, err
		}
		total += sweeps
		if s.objective < before {
			s.switched += len(pairs)
			s.record(costs[0], costs[1], len(pairs), total)
			return true, nil
		}
	}
	flip()
	if err := s.set(ctx, old); err != nil {
		return false, err
	}
	if _, err := s.solve(ctx, 0); err != nil {
		return false, err
	}
	copy(s.values, values)
	s.objective, s.unsolved = before, unsolved
	return false, nil
}

func (s *search) set(ctx context.Context, beta []float64) error {
	return s.machine.Set(ctx, s.y, s.cost, beta)
}

// solve brings values and objective up to date. A machine that ran out of sweeps goes on with what
// it has.
func (s *search) solve(ctx context.Context, tol float64) (sweeps int, err error) {
	sweeps, s.unsolved = s.machine.Solve(ctx, tol)
	var stopped *svm.NotConvergedError
	if s.unsolved != nil && !errors.As(s.unsolved, &stopped) {
		return sweeps, s.unsolved
	}
	if err := s.machine.Refresh(ctx, s.values); err != nil {
		return sweeps, err
	}
	s.objective, _ = s.machine.Objective(s.values)
	return sweeps, nil
}

func (s *search) record(minus, plus float64, pairs, sweeps int) {
	s.history = append(s.history, Step{CostMinus: minus, CostPlus: plus, Pairs: pairs, Objective: s.objective, Sweeps: sweeps})
}
