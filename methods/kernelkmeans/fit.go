package kernelkmeans

import (
	"context"
	"slices"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/mat"
)

// Fit clusters the rows of x, n×d: a *sparse.CSR (or another matrix that lists its entries), a
// *mat.Dense (not copied), or any other matrix (copied). If the kernel is precomputed, x is the
// kernel, n×n and symmetric; a sparse one is a graph. x is not written, and the model keeps it
// for Predict.
//
// Errors of the data or the options satisfy fs.ErrInvalid: options as in [Options.Validate], K
// below 1 or above the number of rows, a start that does not fit, an empty matrix, a precomputed
// kernel that is not square or symmetric, values that are not finite (*sparse.NotFiniteError) or
// whose kernel overflows. When ctx is done, Fit returns its error.
func Fit(ctx context.Context, x mat.Matrix, opt Options) (*Model, error) {
	all, err := FitEach(ctx, x, opt, []int{opt.K})
	if err != nil {
		return nil, err
	}
	best := all[0][0]
	for _, m := range all[0] {
		if m.Objective < best.Objective {
			best = m
		}
	}
	if best.Indefinite {
		opt.Observer.Warnf(stage, "The kernel is not positive semidefinite: the objective rose after %d moves, and the run ended there; a shift of the diagonal mends it.", best.Iterations)
	}
	empty := 0
	for _, s := range best.Sizes {
		if s == 0 {
			empty++
		}
	}
	if empty > 0 {
		opt.Observer.Unsettledf(stage, "Empty clusters: %d of %d; the data have fewer distinct rows in feature space than clusters, or the iterations ran out.", empty, opt.K)
	}
	return best, nil
}

// FitEach fits every number of clusters in ks (opt.K has no effect) and returns for each number
// the models of all restarts, in their order. Rows of the kernel are computed once for all of
// them. Memory: 8·k+20 bytes per row and restart besides the kernel; runs go in groups that keep
// it below a quarter of what the kernel may take, or one by one if a run needs more.
func FitEach(ctx context.Context, x mat.Matrix, opt Options, ks []int) ([][]*Model, error) {
	for _, k := range ks {
		opt.K = k
		if err := opt.Validate(); err != nil {
			return nil, err
		}
	}
	opt = opt.withDefaults()
	k, err := newKernel(ctx, x, opt)
	if err != nil {
		return nil, err
	}
	k.most = min(matrixBytes, memory.Left(ctx))
	for _, c := range ks {
		opt.K = c
		if err := opt.checkStart(k.rows()); err != nil {
			return nil, err
		}
	}
	if len(ks) > 0 {
		need := runBytes(k.rows(), slices.Max(ks))
		if err := memory.Need(ctx, need, "give fewer ‹clusters›", "kernel k-means of %s", words.Counted(k.rows(), "document")); err != nil {
			return nil, err
		}
	}
	defer native.Parallel()()
	e, err := newEngine(ctx, k)
	if err != nil {
		return nil, err
	}
	models := make([][]*Model, len(ks))
	done, total := 0, len(ks)*opt.Restarts
	over := func() { done++; opt.Observer.Report(stage, int64(done), int64(total), "runs") }
	opt.Observer.Report(stage, 0, int64(total), "runs")
	var group []*run
	var of []int
	flush := func() error {
		if err := e.iterate(ctx, group, opt.MaxIter, over); err != nil {
			return err
		}
		for q, r := range group {
			models[of[q]] = append(models[of[q]], newModel(e, k, r))
		}
		group, of = group[:0], of[:0]
		return nil
	}
	taken := int64(0)
	for q, c := range ks {
		for restart := range opt.Restarts {
			if need := runBytes(e.n, c); len(group) > 0 && taken+need > k.most/4 {
				if err := flush(); err != nil {
					return nil, err
				}
				taken = 0
			}
			taken += runBytes(e.n, c)
			r := newRun(e, c, restart)
			if err := e.start(ctx, r, opt); err != nil {
				return nil, err
			}
			group, of = append(group, r), append(of, q)
		}
	}
	return models, flush()
}
