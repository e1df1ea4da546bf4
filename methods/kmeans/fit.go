package kmeans

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/store"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/methods/internal/starts"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

const stage = "k-means"

// Fit clusters the rows of x, n×d, which is a *sparse.CSR or *sparse.Single (its rows are never
// made dense), a *mat.Dense or *sparse.SingleDense (not copied), or any other matrix (copied into a
// dense one). Rows in single precision give the bits of the same rows in double precision. Fit does
// not write x.
//
// Cost: n·k·d multiplications (entries·k for sparse rows) for the first pass over all rows, and a
// fraction of that for each later move of the centres; k-means++ starts take at most (2+⌊ln k⌋)
// times as much.
//
// Errors of the data or the options satisfy fs.ErrInvalid: options as in [Options.Validate], K
// above the number of rows, an empty matrix, starts of another shape, seeds that do not fit the
// rows or the clusters, values that are not finite (a *sparse.NotFiniteError with the place) or
// whose squares overflow. When ctx is done, Fit returns its error.
func Fit(ctx context.Context, x mat.Matrix, opt Options) (*Model, error) {
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	if x != nil && ranks.Count(opt.Share, len(opt.Aside)) > 0 {
		if m, err := fitWithout(ctx, x, opt); m != nil || err != nil {
			return m, err
		}
	}
	opt = opt.withDefaults()
	p, err := newPoints(ctx, x)
	if err == nil {
		err = checkAgainst(p, opt)
	}
	if err == nil {
		n, d := p.dims()
		n = opt.Share.Among(n)
		err = memory.Need(ctx, needed(x, opt, 0), "reduce the columns, or give fewer ‹clusters›", "%s of %s with %s",
			words.Counted(opt.K, "cluster"), words.Counted(n, "row"), words.Counted(d, "column"))
	}
	if err = ranks.Agree(opt.Share, rows.Raised(err, func(i int) int { return opt.Share.First() + i })); err != nil {
		return nil, err
	}
	// One BLAS thread throughout: the goroutines of this package use the cores, and products of
	// small tiles have the same bits at any number of threads.
	defer native.Parallel()()
	if err = ranks.Agree(opt.Share, imagesWithin(ctx, x, p, opt)); err != nil {
		return nil, err
	}
	m, err := fitModel(ctx, p, opt, restartsOf(ctx, x, opt))
	if err != nil {
		return nil, err
	}
	if empty := m.empty(); empty > 0 {
		opt.Observer.Unsettledf(stage, "Empty clusters: %d of %d; the data have fewer distinct rows than clusters, or the iteration limit was reached.", empty, opt.K)
	}
	return m, nil
}

func checkAgainst(p points, opt Options) error {
	n, d := p.dims()
	n = opt.Share.Among(n)
	if opt.K < 1 {
		return invalid.Errorf("the number of clusters must be at least 1, not %d", opt.K)
	}
	if opt.K > n {
		return invalid.Errorf("%d clusters were requested for %d rows: the number of clusters must be between 1 and the number of rows", opt.K, n)
	}
	if err := checkSeeds(n, opt); err != nil || opt.Start == nil {
		return err
	}
	if r, c := opt.Start.Dims(); r != opt.K || c != d {
		return invalid.Errorf("the given starts are %d × %d, but %d clusters of %d columns need %d × %d", r, c, opt.K, d, opt.K, d)
	}
	for j := range opt.K {
		for t, v := range opt.Start.RawRowView(j) {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return &sparse.NotFiniteError{Row: j, Col: t, Value: v}
			}
			if v*v > math.MaxFloat64/16/float64(n)/float64(d) {
				return invalid.Errorf("start %d (counted from 0) is too long, its squared length overflows (column %d is %.3g): divide the data by a constant", j, t, v)
			}
		}
	}
	return nil
}

// Memory estimates the bytes that [Fit] needs in addition to x: for each state of a start the
// centres (8·k·d; for a dense matrix twice, and 4·k·d more from 64 columns and 16 clusters on; for
// a sparse one d also counts empty columns, and k is rounded up to a multiple of 4; for a dense one
// of at most 8 columns and at least 4·k² rows, from 8 clusters on, 24·k² more), the k-means++
// candidates (L = 2+⌊ln k⌋ centres more), and for each row 32 bytes of labels, bounds and changes
// and 8·L of candidate distances; 8·k·d for the model. Each thread, for two states if there are
// several starts, has 8·d and a tile of m rows, at most 128: 8·m·k, for a dense matrix of more than
// 8 columns 8·m·d, and 4·m·(d+k) where there are 4·k·d above. starts.Plan says how many states
// there are. Images of many long rows in at most a quarter of the columns, m, take 4·m + 16 for
// each row, and for each state a copy of the centres; they are left out where that is too much.
func Memory(x mat.Matrix, opt Options) int64 {
	opt = opt.withDefaults()
	p, _ := shape(x)
	return needed(x, opt, opt.imageDirections(p))
}

// shape is x without what is computed of it, and the memory of a copy that is made of it.
func shape(x mat.Matrix) (p points, copied int64) {
	switch x := x.(type) {
	case sparse.Rows:
		return sparseShape(x), 0
	case *mat.Dense, *sparse.SingleDense:
		return denseShape(x), 0
	}
	n, d := x.Dims()
	return &densePoints{x: blas64.General{Rows: n, Cols: d}}, memory.Bytes(8, n, d)
}

// needed is Memory with images of m coordinates.
func needed(x mat.Matrix, opt Options, m int) int64 {
	n, d := x.Dims()
	p, copied := shape(x)
	each := int64(8) // the model's
	if opt.Share.Divided() {
		each += 16 // sums of a move
	}
	copied = memory.Sum(copied, memory.Bytes(each, opt.K, d))
	// The best state keeps its workers' memory beside the one that runs; side by side, each has one.
	workers := native.Threads() * min(2, opt.Restarts)
	each = memory.Sum(memory.Bytes(8, d), p.tileBytes(opt.K))
	if m > 0 {
		each = memory.Sum(each, memory.Bytes(4, tileRows(opt.K, d), m+opt.K))
		copied = memory.Sum(copied, imageBytes(n, d, m))
	}
	return memory.Sum(copied, memory.Bytes(8, n), opt.starts(p, n, m).Bytes(), memory.Bytes(each, workers), memory.Bytes(8, d))
}

// imagesWithin gives dense rows images where these pay for themselves and the memory allows it. The
// result is the same without them.
func imagesWithin(ctx context.Context, x mat.Matrix, p points, opt Options) error {
	m, need := opt.imageDirections(p), Memory(x, opt)
	if m == 0 || need > memory.UpTo(ctx, need) {
		return nil
	}
	return p.(*densePoints).makeImages(ctx, m)
}

// stateBytes is the memory of the state of one start on n own rows, with images of m coordinates.
func stateBytes(p points, n, m int, opt Options) int64 {
	_, d := p.dims()
	b := memory.Sum(p.bytes(opt.K), memory.Bytes(32, n), viewBytes(m, opt.K, d))
	if opt.Start == nil && opt.Init == PlusPlus {
		L := candidates(opt.K)
		b = memory.Sum(b, p.bytes(L), memory.Bytes(8, L, n), viewBytes(m, L, d))
	}
	return b
}

// fitModel is the model of the best start.
func fitModel(ctx context.Context, p points, opt Options, finished *store.Restarts) (*Model, error) {
	seeds := newSeeds(opt)
	if seeds.open(opt.K) == 0 {
		opt.Restarts = 1
	}
	n, _ := p.dims()
	plan := opt.starts(p, n, opt.imageDirections(p))
	plan.Finished, plan.Observer, plan.Stage, plan.Steps, plan.Unit = finished, opt.Observer, stage, 1, "restarts"
	if opt.placesMany() {
		plan.Steps, plan.Unit = opt.K, "centres"
	}
	best, _, err := starts.Best(ctx, plan, func(workers int, each parallel.Loop) *run {
		r := newRun(p, opt.K, workers, each)
		r.opt, r.seeds, r.share, r.total = opt, seeds, opt.Share, opt.Share.Among(n)
		return r
	})
	if err != nil {
		return nil, err
	}
	return newModel(best, opt.Seeds == nil), nil
}

// placesMany reports whether k-means++ places so many centres that each is a step of the progress:
// a start may take minutes, most of them for placing.
func (o Options) placesMany() bool { return o.K >= manyCentres && o.Start == nil && o.Init == PlusPlus }

// manyCentres is the least number of centres of which each is a step of the progress.
const manyCentres = 100

// starts is the plan of the starts on n own rows, with images of m coordinates.
func (o Options) starts(p points, n, m int) starts.Plan {
	return starts.Plan{Count: o.Restarts, Share: o.Share, StateBytes: stateBytes(p, n, m, o)}
}

// Play implements [starts.State].
func (r *run) Play(ctx context.Context, t *starts.Turn) error {
	if t.Done {
		r.group()
		return nil
	}
	r.stopped, r.placing = t.Stopped, func(int) error { return t.Stopped() }
	if r.opt.placesMany() {
		r.placing = t.Step
	}
	if err := t.Step(0); err != nil {
		return err
	}
	if err := r.start(ctx, t.Start, r.opt); err != nil {
		return err
	}
	return r.lloyd(ctx, r.opt.MaxIter)
}

// Score implements [starts.State].
func (r *run) Score() []float64 { return []float64{r.objective} }

// start places the first centres of a restart.
func (r *run) start(ctx context.Context, restart int, opt Options) error {
	if opt.Start != nil {
		for j := range r.k {
			r.c.set(j, opt.Start.RawRowView(j))
		}
		return nil
	}
	if err := r.placeSeeds(ctx); err != nil || r.seeds.open(r.k) == 0 {
		return err
	}
	rng := rand.New(rand.NewPCG(opt.Seed, uint64(restart)))
	if opt.Init == Random {
		r.startRandom(rng)
		return nil
	}
	return r.startPlusPlus(ctx, rng)
}
