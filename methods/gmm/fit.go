package gmm

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"strings"

	"github.com/eigenmap/eigenmap/internal/indices"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/methods/internal/starts"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
)

const stage = "mixture"

// Bound is the value of a mixture after an M-step, per row: LogLikelihood is the mean of log
// p(x_i), Objective the same less the prior's penalty divided by n. Raised marks an M-step that
// raised a ridge: its Objective is not comparable with the one before.
type Bound struct {
	LogLikelihood float64 `json:"log_likelihood"`
	Objective     float64 `json:"objective"`
	Raised        bool    `json:"raised,omitempty"`
}

// Model is a fitted mixture. Components are numbered by falling Sizes, ties by falling weight, then
// by their number in the start. If the caller gave the start, they keep its numbers.
type Model struct {
	*Mixture
	// Posterior is P(k|x_i), n×K, eq. (8), under the mixture as it is. Labels is the greatest
	// component of each row (the lower on a tie), Sizes their counts.
	Posterior *mat.Dense
	Labels    []int
	Sizes     []int
	// LogLikelihood is log P(X), the sum over the rows; Objective is the same less the prior's
	// penalty; AIC and BIC are computed from LogLikelihood.
	LogLikelihood, Objective float64
	AIC, BIC                 float64
	// History begins with the start's mixture and has one entry for each M-step since, of the run
	// that is kept.
	History    []Bound
	Iterations int  // M-steps after the start's
	Converged  bool // the last step raised the Objective per row by less than Tol
	Restart    int  // which run is kept, from 0
	// Shrinkage is the weight of the prior against a component of average size, in [0, 1].
	Shrinkage float64
}

// Fit fits a mixture to the rows of x, n×d: k-means, the M-step on its clusters, then EM. The last
// E-step is taken with the mixture returned, so labels and posteriors belong to it.
//
// Errors of the data or the options satisfy fs.ErrInvalid: options as in [Options.Validate], K
// below 1 or above the number of rows, an empty matrix, starts of another shape, values that are
// not finite (a *sparse.NotFiniteError with the place) or whose squares overflow, a request for
// more memory than allowed, a sparse matrix too large to be made dense. When ctx is done, Fit
// returns its error.
func Fit(ctx context.Context, x mat.Matrix, opt Options) (*Model, error) {
	e, err := NewEstimator(ctx, x, opt)
	if err != nil {
		return nil, err
	}
	m, err := e.Fit(ctx)
	if err != nil {
		return nil, err
	}
	m.Notes(opt.Observer, e.all)
	if empty := m.Empty(); empty > 0 {
		opt.Observer.Warnf(stage, "%d of %d components %s the likeliest of no row: ask for fewer.", empty, opt.K, words.Verb(empty, "is", "are"))
	}
	if !m.Converged {
		opt.Observer.Advisef(progress.Convergence, stage, "em-iter=*4", "EM stopped at iteration %d before the bound had settled: raise the number of iterations or the tolerance.", m.Iterations)
	}
	return m, nil
}

// Fit runs EM from the starts of the options and keeps the best run, as the function [Fit] does,
// without notes. The mixture of the model has memory of its own.
func (e *Estimator) Fit(ctx context.Context) (*Model, error) {
	w := &work{m: e.NewMixture(), posterior: e.responsibilities()}
	if err := e.Settle(ctx, w.m); err != nil {
		return nil, err
	}
	plan := starts.Plan{
		Count: e.opt.Restarts, Share: e.opt.Share, Finished: e.restartsOf(ctx),
		Observer: e.opt.Observer, Stage: stage, Steps: e.opt.MaxIter, Unit: "iterations", Each: true,
	}
	best, at, err := starts.Best(ctx, plan, func(int, parallel.Loop) *run { return &run{e: e, work: w, made: e.responsibilities()} })
	if err != nil {
		return nil, err
	}
	if err := best.restore(ctx); err != nil {
		return nil, err
	}
	return e.model(best, at), nil
}

func (e *Estimator) model(r *run, number int) *Model {
	m := &Model{
		Mixture: r.m, Posterior: r.posterior,
		History: r.history, Iterations: len(r.history) - 1, Converged: r.converged, Restart: number, Shrinkage: e.Shrinkage(),
	}
	last := r.history[len(r.history)-1]
	n := float64(e.all)
	m.LogLikelihood, m.Objective = last.LogLikelihood*n, last.Objective*n
	p := float64(m.Parameters())
	m.AIC, m.BIC = 2*p-2*m.LogLikelihood, p*math.Log(n)-2*m.LogLikelihood
	m.label(e.opt.Share)
	if e.opt.Start == nil && e.opt.StartPosterior == nil {
		order := indices.By(m.k, func(a, b int) int {
			return cmp.Or(cmp.Compare(m.Sizes[b], m.Sizes[a]), cmp.Compare(m.Weights[b], m.Weights[a]))
		})
		m.Reorder(order)
		room := make([]float64, m.k)
		for i := range e.n {
			row := m.Posterior.RawRowView(i)
			copy(room, row)
			for k, from := range order {
				row[k] = room[from]
			}
		}
		m.label(e.opt.Share)
	}
	return m
}

// label sets Labels and Sizes from the Posterior.
func (m *Model) label(share *ranks.Share) {
	m.Labels = rows.Largest(m.Posterior)
	m.Sizes = ranks.Counts(share, method.SizesOf(m.Labels, m.k))
}

// Empty counts the components without rows.
func (m *Model) Empty() int {
	empty := 0
	for _, size := range m.Sizes {
		if size == 0 {
			empty++
		}
	}
	return empty
}

// which lists the positions that are true.
func which(set []bool) (at []int) {
	for k, v := range set {
		if v {
			at = append(at, k)
		}
	}
	return at
}

// list prints the first few numbers.
func list(numbers []int) string {
	var b strings.Builder
	for i, v := range numbers {
		switch {
		case i == 8:
			return b.String() + ", …"
		case i > 0:
			b.WriteString(", ")
		}
		fmt.Fprint(&b, v)
	}
	return b.String()
}
