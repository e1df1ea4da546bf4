package plsa

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/store"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/methods/internal/starts"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
)

const stage = "plsa"

// Fit fits the model to the term counts x, documents × terms: a *sparse.CSR, or any other matrix,
// whose entries above 0 are copied into one. Entries are counts or weights (tf-idf), finite and not
// negative. x is not written.
//
// Cost of an iteration: 4·entries·K flops and terms·K logarithms for [Clustering], in two sparse
// products; for [Aspect] 6·entries·K flops and one logarithm per entry. See [Memory] for the bytes.
//
// Errors of the data or the options satisfy fs.ErrInvalid: options as in [Options.Validate], an
// empty matrix, K above the number of documents, labels of another length or of K and above,
// entries that are negative or not finite (named by row and column), counts that sum to more than
// 1e200 or less than 1e-200, a model that needs more memory than is
// left. When ctx is done, Fit returns
// its error.
func Fit(ctx context.Context, x mat.Matrix, opt Options) (*Model, error) {
	if err := opt.Validate(); err != nil {
		return nil, err
	}
	opt = opt.withDefaults()
	c, err := checked(ctx, x, opt)
	if err != nil {
		return nil, err
	}
	defer native.Parallel()()
	pr := newProblem(c, opt)
	if !pr.drawn() {
		opt.Restarts = 1
	}
	noteLabels(pr, opt)
	best, at, err := fit(ctx, pr, opt, restartsOf(ctx, pr, opt))
	if err != nil {
		return nil, err
	}
	if !best.converged {
		opt.Observer.Advisef(progress.Convergence, stage, "em-iter=*4", "The objective still rises at iteration %d: allow more of them, or a larger tolerance.", best.iterations)
	}
	return newModel(ctx, pr, best, at, opt)
}

// checked returns the counts if they fit the options. An error on one rank is returned on all.
func checked(ctx context.Context, x mat.Matrix, opt Options) (*counts, error) {
	ctx, stopped := opt.Share.Watch(ctx)
	err := checkAgainst(ctx, x, opt)
	var c *counts
	if err == nil {
		c, err = readCounts(ctx, x)
	}
	if err == nil && opt.Kind == Aspect && c.x.NNZ() > math.MaxInt32 {
		err = invalid.Errorf("%d counts are more than the aspect model takes (%d): use the clustering model or fewer documents", c.x.NNZ(), math.MaxInt32)
	}
	if err = rows.Agreed(opt.Share, err); err != nil {
		return nil, err
	}
	if err := c.join(opt.Share); err != nil {
		return nil, err
	}
	return c, stopped()
}

func checkAgainst(ctx context.Context, x mat.Matrix, opt Options) error {
	own, p, err := dims(x)
	if err != nil {
		return err
	}
	n := opt.Share.Among(own)
	if opt.K < 1 {
		return invalid.Errorf("the number of clusters must be at least 1, not %d", opt.K)
	}
	if opt.K > n {
		return invalid.Errorf("%d clusters of %d documents are not possible: the number of clusters must lie between 1 and the number of documents", opt.K, n)
	}
	if opt.Labels != nil && len(opt.Labels) != own {
		return invalid.Errorf("there are %d labels for %d documents; give one for each, negative if it is not known", len(opt.Labels), own)
	}
	for i, y := range opt.Labels {
		if y >= opt.K {
			return invalid.Errorf("document %d (counted from 0) has the label %d, but labels of %d classes are 0 to %d, or negative if there is none", i, y, opt.K, opt.K-1)
		}
	}
	return memory.Need(ctx, Memory(x, opt), "reduce the terms, the clusters or the restarts", "%s of %s with %s",
		words.Counted(opt.K, "cluster"), words.Counted(n, "document"), words.Counted(p, "term"))
}

func newProblem(c *counts, opt Options) *problem {
	n, p := c.x.Dims()
	pr := &problem{counts: c, share: opt.Share, n: n, p: p, k: opt.K, class: make([]int32, n), seeds: make([]int, opt.K)}
	pr.pseudo = opt.Smoothing
	if c.terms > 0 { // else any number gives the same Θ
		pr.pseudo *= c.total / float64(c.terms)
	}
	for i := range pr.class {
		pr.class[i] = -1
		if opt.Labels != nil && opt.Labels[i] >= 0 {
			pr.class[i] = int32(opt.Labels[i])
			pr.seeds[opt.Labels[i]]++
			pr.labelled++
		}
	}
	pr.seeds, pr.labelled = ranks.Counts(opt.Share, pr.seeds), ranks.Count(opt.Share, pr.labelled)
	pr.rows, pr.cols = newBands(c.x, opt.K), newBands(c.x.Transpose(), opt.K)
	if pr.drawn() {
		pr.norms = c.x.RowNorms()
	}
	return pr
}

// noteLabels notes the classes without a label, unless no labels are given.
func noteLabels(pr *problem, opt Options) {
	if opt.Labels == nil || !pr.drawn() {
		return
	}
	var without []string
	for c, s := range pr.seeds {
		if s == 0 {
			without = append(without, fmt.Sprint(c))
		}
	}
	if len(without) == pr.k {
		opt.Observer.Notef(stage, "None of the %d documents has a label: the %d clusters start from documents drawn by the seed and are numbered by falling weight.", pr.share.Among(pr.n), pr.k)
		return
	}
	count, which := len(without), strings.Join(without[:min(len(without), 10)], ", ")
	if count > 10 {
		which += ", ..."
	}
	opt.Observer.Warnf(stage, "Classes without a labelled document: %d of %d (%s); they start from unlabelled documents drawn by the seed.", count, pr.k, which)
}

// fit returns the start with the highest objective and its number.
func fit(ctx context.Context, pr *problem, opt Options, finished *store.Restarts) (*state, int, error) {
	var m steps
	if opt.Kind == Aspect {
		m = newAspects(pr)
	} else {
		m = newMixture(pr)
	}
	plan := starts.Plan{Count: opt.Restarts, Share: opt.Share, Finished: finished, Observer: opt.Observer, Stage: stage, Steps: opt.MaxIter, Unit: "iterations"}
	best, at, err := starts.Best(ctx, plan, func(int, parallel.Loop) *start { return &start{newState(pr), pr, m, opt} })
	if err != nil {
		return nil, 0, err
	}
	return best.state, at, nil
}

// start is the state of a start of the problem, with what its steps take.
type start struct {
	*state
	pr  *problem
	m   steps
	opt Options
}

// Play implements [starts.State].
func (s *start) Play(ctx context.Context, t *starts.Turn) error {
	if t.Done {
		return nil
	}
	if !t.Resumed {
		// What a refused piece may have left between the columns.
		clear(s.q.Data)
		clear(s.theta.Data)
		if err := s.pr.start(ctx, s.state, rand.New(rand.NewPCG(s.opt.Seed, uint64(t.Start)))); err != nil {
			return err
		}
	}
	return em(ctx, s.m, s.state, t.Resumed, s.opt.MaxIter, s.opt.Tol, func(done int) error {
		if err := t.Step(done); err != nil {
			return err
		}
		return t.Save()
	})
}

// Score implements [starts.State].
func (s *start) Score() []float64 { return []float64{-s.history[len(s.history)-1]} }
