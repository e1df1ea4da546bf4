package svm

import (
	"cmp"
	"context"
	"errors"
	"sync"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/methods/internal/pairs"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
)

// Fit trains a machine on the rows of x with targets y of 1 and −1; x as [NewTrainer] takes it.
//
// Cost: cd some tens of sweeps of 2 to 4 flops an entry; smo the kernel matrix (or the rows
// of it that are needed), and a few steps for each example. Memory as in NewTrainer.
//
// Errors: fs.ErrInvalid as of NewTrainer and [Machine.Set]; the context's; and *NotConvergedError,
// with the model of what was reached.
func Fit(ctx context.Context, x mat.Matrix, y []float64, opt Options) (*Model, error) {
	t, err := NewTrainer(ctx, x, opt)
	if err != nil {
		return nil, err
	}
	cost := opt.Cost
	if cost == nil {
		cost = make([]float64, t.data.N)
		for i := range cost {
			cost[i] = t.opt.C
		}
	}
	m := t.Machine(0)
	m.Observer = t.opt.Observer
	if err := m.Set(ctx, y, cost, nil); err != nil {
		return nil, err
	}
	_, unsolved := m.Solve(ctx, 0)
	if err := fatal(unsolved); err != nil {
		return nil, err
	}
	t.opt.Observer.Report(stage, int64(m.sweeps), 0, "sweeps")
	e, err := t.Models(ctx, []*Machine{m})
	if err != nil {
		return nil, err
	}
	return e.Machines[0], unsolved
}

// fatal is err unless a model comes with it.
func fatal(err error) error {
	var stopped *NotConvergedError
	if errors.As(err, &stopped) {
		return nil
	}
	return err
}

// OneVsRest trains a machine for each class, 0 to classes−1, on the rows that have a label
// (labels.Unknown: none), and scores all rows of x. methods/graphssl can start from the scores.
// Options.Cost has a cost for every row of x; a Sigma of 0 is set by the labelled rows.
// Machine.Beta and Support count the labelled rows, in their order.
//
// Cost: machines run side by side and have the kernel in common; then a kernel value for every row
// and support vector.
//
// Errors are as for [Fit], and fs.ErrInvalid for labels that labels.Check refuses.
func OneVsRest(ctx context.Context, x mat.Matrix, known []int, classes int, opt Options) (*Ensemble, error) {
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	all, err := pairs.New(ctx, x)
	if err != nil {
		return nil, err
	}
	if _, err := labels.Check(known, all.N, classes, nil); err != nil {
		return nil, err
	}
	if opt.Cost != nil && len(opt.Cost) != all.N {
		return nil, invalid.Errorf("%d costs are given for %d rows", len(opt.Cost), all.N)
	}
	opt.Observer = serial(opt.Observer)
	var labelled, class []int
	for i, k := range known {
		if k != labels.Unknown {
			labelled, class = append(labelled, i), append(class, k)
		}
	}
	data, err := pairs.New(ctx, subset(all, labelled))
	if err != nil {
		return nil, invalid.Selected(err, labelled)
	}
	t, err := newTrainer(ctx, data, all, opt)
	if err != nil {
		return nil, invalid.Selected(err, labelled)
	}
	if err := t.Fits(ctx, classes, all.N); err != nil {
		return nil, err
	}
	cost := make([]float64, len(labelled))
	for q, i := range labelled {
		cost[q] = t.opt.C
		if opt.Cost != nil {
			cost[q] = opt.Cost[i]
		}
	}
	machines, unsolved, err := t.each(ctx, class, cost, classes, opt.Observer)
	if err != nil {
		return nil, err
	}
	e, err := t.Models(ctx, machines)
	if err != nil {
		return nil, err
	}
	if e.Scores, err = e.Decision(ctx, x); err != nil {
		return nil, err
	}
	e.Labels = rows.Largest(e.Scores)
	return e, cmp.Or(unsolved...)
}

// each trains a machine for each class against the others, side by side: class and cost are of each
// row of the trainer. unsolved has the *NotConvergedError of a machine that was not solved.
func (t *Trainer) each(ctx context.Context, class []int, cost []float64, classes int, obs progress.Observer) (machines []*Machine, unsolved []error, err error) {
	machines, unsolved = make([]*Machine, classes), make([]error, classes)
	var lock sync.Mutex // of the count and its report, so that reports come in the order of the counts
	done := int64(0)
	err = parallel.For(ctx, classes, 1, func(_, c, _ int) error {
		y := make([]float64, len(class))
		for q, k := range class {
			y[q] = -1
			if k == c {
				y[q] = 1
			}
		}
		m := t.Machine(uint64(c))
		if err := m.Set(ctx, y, cost, nil); err != nil {
			return err
		}
		_, unsolved[c] = m.Solve(ctx, 0)
		machines[c] = m
		lock.Lock()
		done++
		obs.Report(stage, done, int64(classes), "machines")
		lock.Unlock()
		return fatal(unsolved[c])
	})
	return machines, unsolved, err
}
