package nmf

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/store"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/internal/starts"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
)

const stage = "nmf"

// Fit factorises x, n×m with entries of at least 0: a *sparse.CSR (never made dense), a *mat.Dense,
// a matrix that lists its entries (mat.NonZeroDoer, copied into a CSR), or any other (copied into a
// dense one). x is not written; its values are copied once, and once more transposed if it is
// sparse.
//
// Errors of the data or the options satisfy fs.ErrInvalid: options as in [Options.Validate], fewer
// topics than 1 or more than min(n, m), an empty matrix, *NegativeError, *sparse.NotFiniteError,
// and entries all below 1e-150 or above 1e150. When ctx is done, Fit returns its error. Iterations
// that run out are no error: see [Model].Converged; the Observer gets a note.
//
// The package comment gives the cost.
func Fit(ctx context.Context, x mat.Matrix, opt Options) (*Model, error) {
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	if opt.Dims < 1 {
		return nil, invalid.Errorf("the number of topics is %d; it must be at least 1", opt.Dims)
	}
	opt = opt.withDefaults()
	data, err := readRows(x)
	if err == nil {
		err = checkSizes(ctx, data, opt)
	}
	if err = ranks.Agree(opt.Share, err); err != nil {
		return nil, err
	}
	// One BLAS thread throughout: this package's goroutines use the cores.
	defer native.Parallel()()
	p, zero, err := newProblem(ctx, opt.Share, data, opt.Weighting, paddedWidth(opt.Dims))
	if err != nil {
		return nil, err
	}
	if zero {
		return zeroModel(p, opt), nil
	}
	best, at, err := fit(ctx, p, opt, restartsOf(ctx, x, opt))
	if err != nil {
		return nil, err
	}
	model := newModel(best, at)
	if !model.Converged {
		opt.Observer.Advisef(progress.Convergence, stage, "nmf-iter=*4", "The factorisation stopped at iteration %d before it converged, with the projected gradient at %.2g of the start's (tolerance %.2g): allow more iterations or a larger tolerance.", model.Iterations, model.KKT, opt.Tol)
	}
	if u := ranks.Count(opt.Share, len(model.Unplaced)); u > 0 {
		opt.Observer.Warnf(stage, "%d of %d documents %s no topic, because none of %s terms is in a topic, and %s in cluster 0.", u, opt.Share.Among(p.n), words.Verb(u, "has", "have"), words.Verb(u, "its", "their"), words.Verb(u, "is", "are"))
	}
	if empty := model.empty(); empty > 0 {
		opt.Observer.Warnf(stage, "%d of %d topics %s no document's largest: ask for fewer.", empty, opt.Dims, words.Verb(empty, "is", "are"))
	}
	return model, nil
}

// checkSizes refuses what the rows are too few, or the memory is too little, for.
func checkSizes(ctx context.Context, data rowData, opt Options) error {
	own, m := data.dims()
	n := opt.Share.Among(own)
	if opt.Dims > min(n, m) {
		return invalid.Errorf("%d topics were asked of a %d × %d matrix: it gives 1 to %d", opt.Dims, n, m, min(n, m))
	}
	if err := memory.Need(ctx, Bytes(own, m, opt), "ask for fewer topics (‹dims›)", "%s of %s and %s",
		words.Counted(opt.Dims, "topic"), words.Counted(n, "document"), words.Counted(m, "term")); err != nil {
		return err
	}
	return opt.checkStart(own, m)
}

// Bytes estimates the peak memory of [Fit] on n×m rows of a matrix, in bytes: the factors of every
// start that runs and of the best one, and the model. The matrix and its transpose are not counted.
func Bytes(n, m int, opt Options) int64 {
	return memory.Sum(opt.starts(n, m).Bytes(), memory.Bytes(8, n, opt.Dims), memory.Bytes(8, m, opt.Dims))
}

// starts is the plan of the starts on n own rows and m columns.
func (o Options) starts(n, m int) starts.Plan {
	return starts.Plan{Count: o.Restarts, Share: o.Share, StateBytes: runBytes(n, m, o)}
}

// fit returns the best start and its number.
func fit(ctx context.Context, p *problem, opt Options, finished *store.Restarts) (*run, int, error) {
	plan := opt.starts(p.size())
	plan.Finished, plan.Observer, plan.Stage, plan.Steps, plan.Unit = finished, opt.Observer, stage, opt.MaxIter, "iterations"
	return starts.Best(ctx, plan, func(workers int, each parallel.Loop) *run {
		r := newRun(p, opt.Dims, opt.Solver, workers, each)
		r.opt = opt
		return r
	})
}

// Play implements [starts.State].
func (r *run) Play(ctx context.Context, t *starts.Turn) error {
	if t.Done {
		return nil
	}
	clear(r.a.f.Data) // what a refused piece may have left between the columns
	clear(r.b.f.Data)
	if err := r.start(ctx, t.Start, r.opt); err != nil {
		return err
	}
	if math.IsNaN(r.startNorm) || math.IsInf(r.startNorm, 1) {
		return invalid.Errorf("the given start is too large for its product to be computed: divide it by a constant")
	}
	return r.factorise(ctx, r.opt, t.Step)
}

// Score implements [starts.State].
func (r *run) Score() []float64 { return []float64{r.objective()} }

// objective is the last one, of the scaled data.
func (r *run) objective() float64 { return r.history[len(r.history)-1] }
