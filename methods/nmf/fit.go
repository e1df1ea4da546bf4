package nmf

import (
	"context"
	"sync"
	"time"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/store"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
)

const (
	stage = "nmf"
	// sideBySide is the memory up to which restarts run at the same time, each with factors of its
	// own; above it they run one after the other with their rows in parallel.
	sideBySide = 2 << 30
	// maxFactor bounds the numbers of a factor to 16 GiB.
	maxFactor = 1 << 31
)

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
		opt.Observer.Unsettledf(stage, "The factorisation stopped at iteration %d before it converged, with the projected gradient at %.2g of the start's (tolerance %.2g): allow more iterations or a larger tolerance.", model.Iterations, model.KKT, opt.Tol)
	}
	if u := ranks.Count(opt.Share, len(model.Unplaced)); u > 0 {
		opt.Observer.Warnf(stage, "%d of %d documents have no topic, because no topic has a term of theirs; they are in cluster 0.", u, opt.Share.Among(p.n))
	}
	if empty := model.empty(); empty > 0 {
		opt.Observer.Warnf(stage, "%d of %d topics are no document's largest: ask for fewer.", empty, opt.Dims)
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
	if opt.Dims > maxFactor/max(n, m) {
		return invalid.Errorf("factors of %d × %d and %d × %d do not fit: ask for fewer topics", n, opt.Dims, opt.Dims, m)
	}
	if err := memory.Check(Bytes(own, m, opt), memory.Left(ctx), "ask for fewer topics (‹dims›)", "%s of %s and %s",
		words.Counted(opt.Dims, "topic"), words.Counted(n, "document"), words.Counted(m, "term")); err != nil {
		return err
	}
	return opt.checkStart(own, m)
}

// Bytes estimates the peak memory of [Fit] on n×m rows of a matrix, in bytes: the factors of every
// restart that runs and of the best one. The matrix and its transpose are not counted.
func Bytes(n, m int, opt Options) int64 {
	flights := 2
	if besides(n, m, opt) {
		flights = native.Threads() + 1
	}
	return memory.Bytes(runBytes(n, m, opt), flights)
}

// besides says whether the restarts run at the same time. Ranks that divide the rows make the same
// calls in one order.
func besides(n, m int, opt Options) bool {
	threads := native.Threads()
	return !opt.Share.Divided() && threads > 1 && opt.Restarts >= threads && int64(threads+1)*runBytes(n, m, opt) <= sideBySide
}

// fit runs all restarts and returns the one with the lowest objective, the earliest on a tie.
func fit(ctx context.Context, p *problem, opt Options, finished *store.Restarts) (best *run, bestAt int, err error) {
	n, m := p.size()
	ctx, stopped := opt.Share.Watch(ctx)
	outer, inner, workers := parallel.Loop(parallel.Serial), parallel.Loop(parallel.For), native.Threads()
	if besides(n, m, opt) {
		outer, inner, workers = parallel.For, parallel.Serial, 1
	}
	count := newCounter(opt)
	var mu sync.Mutex
	var spare []*run
	err = outer(ctx, opt.Restarts, 1, func(_, at, _ int) error {
		mu.Lock()
		var r *run
		if s := len(spare); s > 0 {
			r, spare = spare[s-1], spare[:s-1]
		}
		mu.Unlock()
		if r == nil {
			r = newRun(p, opt.Dims, opt.Solver, workers, inner)
		}
		counted := 0
		took, err := r.play(ctx, at, opt, finished, func(int) error {
			counted++
			count.add(1)
			return stopped()
		})
		if err != nil {
			return err
		}
		count.add(opt.MaxIter - counted)
		mu.Lock()
		defer mu.Unlock()
		if took > 0 {
			whole := best == nil || r.objective() <= best.objective()
			if err := finished.Write(at, took, func(e *store.Encoder) { r.encode(e, whole) }); err != nil {
				return err
			}
		}
		if f := r.objective(); best == nil || f < best.objective() || f == best.objective() && at < bestAt {
			best, bestAt, r = r, at, best
		}
		if r != nil {
			spare = append(spare, r)
		}
		return nil
	})
	if err != nil {
		return nil, 0, err
	}
	finished.Note(opt.Observer, stage, opt.Restarts)
	if best.bare {
		// Its piece has the objective alone, and that of a better one was lost.
		if _, err := best.play(ctx, bestAt, opt, nil, func(int) error { return stopped() }); err != nil {
			return nil, 0, err
		}
	}
	return best, bestAt, nil
}

// objective is the last one, of the scaled data.
func (r *run) objective() float64 { return r.history[len(r.history)-1] }

// counter reports the iterations of all restarts together, a few times per second.
type counter struct {
	mu          sync.Mutex
	to          progress.Observer
	done, total int64
	next        time.Time
}

func newCounter(opt Options) *counter {
	t := &counter{to: opt.Observer, total: int64(opt.Restarts) * int64(opt.MaxIter)}
	t.add(0)
	return t
}

// add counts iterations that are done, or not needed.
func (t *counter) add(iterations int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.done += int64(iterations)
	if now := time.Now(); t.done == t.total || now.After(t.next) {
		t.to.Report(stage, t.done, t.total, "iterations")
		t.next = now.Add(200 * time.Millisecond)
	}
}
