package tsvm

import (
	"cmp"
	"context"
	"errors"
	"sync"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/svm"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
)

const stage = "transduction"

// Model are scores and labels of all documents, and the machines.
type Model struct {
	// Scores are the decision values, n×classes.
	Scores *mat.Dense
	// Labels are the classes of the largest score, the lower one on a tie; given labels stay.
	Labels []int
	// Targets are the ±1 of each document for each class that the machines were trained with in the
	// end, n×classes.
	Targets *mat.Dense
	// Positive is num+ by class: the unlabelled documents whose target is 1.
	Positive []int
	// Switches are pairs that changed places, by class.
	Switches []int
	// History are the steps of each class.
	History [][]Step
	// Machines has one machine for each class, with its objective. Options.Sigma is set there.
	Machines []*svm.Model
	Options  Options // with defaults filled in

	ensemble *svm.Ensemble
}

// Step is an intermediate solution. The objective falls from step to step as long as CostMinus and
// CostPlus stay.
type Step struct {
	CostMinus float64 `json:"cost_minus"` // C*₋
	CostPlus  float64 `json:"cost_plus"`  // C*₊
	Pairs     int     `json:"pairs"`      // that changed places before it; 0 where a level begins
	Objective float64 `json:"objective"`
	Sweeps    int     `json:"sweeps"` // of the solver
}

// Fit trains on the rows of x, n of them, with labels 0 to classes−1 or labels.Unknown, at least
// one of each class. x is as for svm.NewTrainer.
//
// It takes the memory of svm.NewTrainer, and 100 bytes per document and class.
//
// Errors: fs.ErrInvalid for wrong options, for labels that labels.Check refuses and for data that
// svm.NewTrainer refuses; the context's; and *svm.NotConvergedError if a machine took more than
// Options.SVM.MaxIter sweeps, with the model of what was reached.
func Fit(ctx context.Context, x mat.Matrix, known []int, classes int, opt Options) (*Model, error) {
	if x == nil {
		return nil, invalid.Errorf("there are no documents: the matrix is nil")
	}
	n, _ := x.Dims()
	of, unfit := labels.Check(known, n, classes, nil)
	if err := invalid.Join(opt.Validate(), unfit); err != nil {
		return nil, err
	}
	if opt.Positive != nil && len(opt.Positive) != classes {
		return nil, invalid.Errorf("%d shares of documents are given for %d classes: give one for each, or none", len(opt.Positive), classes)
	}
	opt = opt.withDefaults()
	opt.SVM.Observer = opt.Observer
	trainer, err := svm.NewTrainer(ctx, x, opt.SVM)
	if err != nil {
		return nil, err
	}
	if err := trainer.Fits(ctx, classes, n); err != nil {
		return nil, err
	}
	opt.SVM = trainer.Options()
	opt.SVM.Observer = nil
	var open []int32
	for i, k := range known {
		if k == labels.Unknown {
			open = append(open, int32(i))
		}
	}
	m := &Model{Options: opt, Targets: mat.NewDense(n, classes, nil), Positive: make([]int, classes), Switches: make([]int, classes), History: make([][]Step, classes)}
	machines, unsolved := make([]*svm.Machine, classes), make([]error, classes)
	told := teller(opt.Observer, classes)
	err = parallel.For(ctx, classes, 1, func(_, c, _ int) error {
		s := newSearch(trainer, opt, uint64(c), known, c, open)
		share := float64(len(of[c])) / float64(n-len(open))
		if opt.Positive != nil {
			share = opt.Positive[c]
		}
		err := s.run(ctx, count(share, len(open)), func(total int) { told(c, total) })
		var stopped *svm.NotConvergedError
		if err != nil && !errors.As(err, &stopped) {
			return err
		}
		unsolved[c], machines[c] = err, s.machine
		m.Positive[c], m.Switches[c], m.History[c] = s.positive, s.switched, s.history
		for i, v := range s.y {
			m.Targets.Set(i, c, v)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if m.ensemble, err = trainer.Models(ctx, machines); err != nil {
		return nil, err
	}
	m.Scores, m.Labels, m.Machines = m.ensemble.Scores, labels.Keep(m.ensemble.Labels, known), m.ensemble.Machines
	return m, cmp.Or(unsolved...)
}

// count is num+: the share of open documents, rounded, with one on either side if there are two.
func count(share float64, open int) int {
	plus := int(share*float64(open) + 0.5)
	if open >= 2 {
		return max(1, min(open-1, plus))
	}
	return plus
}

// teller reports levels of all classes, from any goroutine. How many a class has is known from its
// first on; the others are taken to have as many as the one with most of those known.
func teller(obs progress.Observer, classes int) func(class, total int) {
	var mu sync.Mutex
	done, most, of := int64(0), 0, make([]int, classes)
	return func(class, total int) {
		mu.Lock()
		defer mu.Unlock()
		done++
		of[class], most = total, max(most, total)
		all := 0
		for _, levels := range of {
			if levels == 0 {
				levels = most
			}
			all += levels
		}
		obs.Report(stage, done, int64(all), "levels")
	}
}

// Placer decides new documents by the machines.
func (m *Model) Placer() *svm.Placer { return m.ensemble.Placer() }
