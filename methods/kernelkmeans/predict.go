package kernelkmeans

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/internal/pairs"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/model"
	"github.com/eigenmap/eigenmap/native"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Rule is a kernel with its parameters and the number of clusters found with it.
type Rule struct {
	K      int      `json:"k"`
	Kernel Kernel   `json:"kernel"`
	Width  float64  `json:"width,omitempty"`  // of the Gaussian kernel
	Degree int      `json:"degree,omitempty"` // of the polynomial kernel
	Offset *float64 `json:"offset,omitempty"`
	Shift  float64  `json:"shift,omitempty"`
}

// newRule keeps what the kernel of options with their defaults depends on.
func newRule(o Options, k int) Rule {
	r := Rule{K: k, Kernel: o.Kernel, Shift: o.Shift}
	switch o.Kernel {
	case Gaussian:
		r.Width = o.Width
	case Polynomial:
		r.Degree, r.Offset = o.Degree, o.Offset
	}
	return r
}

func (r Rule) options() Options {
	return Options{K: r.K, Kernel: r.Kernel, Width: r.Width, Degree: r.Degree, Offset: r.Offset, Shift: r.Shift}.withDefaults()
}

// String is the kernel in words: "Gaussian kernel of σ 0.8612".
func (r Rule) String() string {
	switch r.Kernel {
	case Gaussian, "":
		return fmt.Sprintf("Gaussian kernel of σ %.4g", r.Width)
	case Polynomial:
		o := r.options()
		return fmt.Sprintf("polynomial kernel (%g + x·y)^%d", *o.Offset, o.Degree)
	case Precomputed:
		return "kernel as given"
	}
	return string(r.Kernel) + " kernel"
}

// Predictor puts new rows into the cluster of the nearest mean in feature space. The means are
// given by the training rows, their clusters and the kernel. A Predictor may be used by several
// goroutines.
type Predictor struct {
	Rule   Rule
	X      mat.Matrix // training rows; nil if the kernel is precomputed
	Labels []int      // cluster of each training row, 0..K-1
	// MeanLengths are the squared lengths of the means, 0 for empty clusters. If they are nil
	// they are computed when they are first needed: n²·d flops.
	MeanLengths []float64

	guard sync.Mutex
	data  *pairs.Rows // X, when it is first needed
	obs   progress.Observer
}

var _ method.Placer = (*Predictor)(nil)

// Predictor is the part of the model that Predict needs, nil of an empty model.
func (m *Model) Predictor() *Predictor { return m.predictor }

// Predict calls Predict of the model's [Predictor]. For the training rows it returns the Labels of
// a converged model, but for rows as near to two means.
func (m *Model) Predict(ctx context.Context, x mat.Matrix) ([]int, error) {
	if m.predictor == nil {
		return nil, errNotFitted
	}
	return m.predictor.Predict(ctx, x, m.predictor.obs)
}

// Predict returns the nearest mean of every row of x, the lower number on a tie. If the kernel is
// precomputed, x has a row for each new point and a column for each training row: their kernel,
// without the shift. Cost: the kernel of new rows with training rows, a panel of training rows at
// a time, and 8·K bytes per new row. Errors are as for [Fit].
func (p *Predictor) Predict(ctx context.Context, x mat.Matrix, obs progress.Observer) ([]int, error) {
	if p.Rule.Kernel == Precomputed {
		defer native.Parallel()()
		return p.predictGiven(ctx, x)
	}
	labels, _, err := p.predict(ctx, x, obs)
	return labels, err
}

// predict is Predict by rows, with how sure the clusters are.
func (p *Predictor) predict(ctx context.Context, x mat.Matrix, obs progress.Observer) (labels []int, sure method.Certainty, err error) {
	defer native.Parallel()()
	k, lengths, err := p.prepare(ctx)
	if err != nil {
		return nil, sure, err
	}
	if err := sameColumns(x, k.data.D, "the kernel k-means model was fitted on"); err != nil {
		return nil, sure, err
	}
	fresh, err := pairs.Like(ctx, x, k.data)
	if err != nil {
		return nil, sure, err
	}
	diagonal, err := k.diagonal(fresh)
	if err != nil {
		return nil, sure, err
	}
	panel := pairs.NewPanel(k.data, fresh)
	panel.ToApart = true
	e := &engine{n: fresh.N, obs: obs, src: &computed{k: k, panel: panel}}
	e.makeTiles()
	sums := p.zeros(fresh.N)
	err = e.each(ctx, pairs.Span(0, k.data.N), func(first, lo, hi int, part [][]float64) {
		for q, values := range part {
			floats.Add(sums[p.Labels[first+q]][lo:hi], values)
		}
	})
	if err != nil {
		return nil, sure, err
	}
	return p.nearest(ctx, diagonal, sums, lengths)
}

// predictGiven predicts from rows of the kernel.
func (p *Predictor) predictGiven(ctx context.Context, x mat.Matrix) ([]int, error) {
	if err := sameColumns(x, len(p.Labels), "the kernel of the training data has"); err != nil {
		return nil, err
	}
	given := &kernel{opt: p.Rule.options()}
	if err := given.store(x); err != nil {
		return nil, err
	}
	sums := p.zeros(given.rows())
	for i := range given.rows() {
		given.visitRow(i, func(j int, v float64) { sums[p.Labels[j]][i] += v })
	}
	labels, _, err := p.nearest(ctx, make([]float64, given.rows()), sums, p.MeanLengths)
	return labels, err
}

// prepare returns the kernel of the training rows and the lengths of the means.
func (p *Predictor) prepare(ctx context.Context) (*kernel, []float64, error) {
	p.guard.Lock()
	defer p.guard.Unlock()
	if p.data == nil {
		data, err := pairs.New(ctx, p.X)
		if err != nil {
			return nil, nil, err
		}
		p.data = data
	}
	k := &kernel{opt: p.Rule.options(), x: p.X, data: p.data}
	if p.MeanLengths == nil {
		lengths, err := p.measured(ctx, k)
		if err != nil {
			return nil, nil, err
		}
		p.MeanLengths = lengths
	}
	return k, p.MeanLengths, nil
}

// measured computes the squared lengths of the means from the kernel among the training rows.
func (p *Predictor) measured(ctx context.Context, k *kernel) ([]float64, error) {
	// Every row of the kernel is needed once: no matrix is formed.
	e, err := newEngine(ctx, k)
	if err != nil {
		return nil, err
	}
	r := newRun(e, p.Rule.K, 0)
	for i, c := range p.Labels {
		r.label[i] = int32(c)
	}
	r.count()
	if err := e.update(ctx, []*run{r}); err != nil {
		return nil, err
	}
	e.measure(r)
	_, lengths := means(r.size, r.within)
	for c, size := range r.size {
		if size == 0 {
			lengths[c] = 0
		}
	}
	return lengths, nil
}

func (p *Predictor) zeros(n int) [][]float64 {
	sums := make([][]float64, p.Rule.K)
	for c := range sums {
		sums[c] = make([]float64, n)
	}
	return sums
}

// nearest labels new rows by their sums of the kernel with the rows of each cluster. diagonal is
// the kernel of each row with itself.
func (p *Predictor) nearest(ctx context.Context, diagonal []float64, sums [][]float64, lengths []float64) ([]int, method.Certainty, error) {
	n := len(diagonal)
	labels, sizes := make([]int, n), method.SizesOf(p.Labels, p.Rule.K)
	sure := method.Certainty{Distance: make([]float64, n), Confidence: make([]float64, n)}
	err := parallel.For(ctx, n, 1024, func(_, lo, hi int) error {
		for i := lo; i < hi; i++ {
			least, next := math.Inf(1), math.Inf(1)
			for c, size := range sizes {
				if size == 0 {
					continue
				}
				g := lengths[c] - 2/float64(size)*sums[c][i]
				if g < least {
					labels[i], least, next = c, g, least
				} else {
					next = min(next, g)
				}
			}
			sure.Distance[i] = math.Sqrt(max(0, diagonal[i]+least))
			sure.Confidence[i] = method.Separation(sure.Distance[i], math.Sqrt(max(0, diagonal[i]+next)))
		}
		return nil
	})
	return labels, sure, err
}

// Width implements model.Part: the rows keep their own coordinates.
func (*Predictor) Width() int { return 0 }

// Place implements method.Placer: Predict, but a row that equals a training row gets its cluster.
func (p *Predictor) Place(ctx context.Context, x mat.Matrix, obs progress.Observer) (*method.Placement, error) {
	if n, _ := x.Dims(); n == 0 {
		return new(method.Placement), nil
	}
	found, sure, err := p.predict(ctx, x, obs)
	if err != nil {
		return nil, err
	}
	same, err := graph.Same(ctx, x, p.X, obs)
	if err != nil {
		return nil, err
	}
	out := &method.Placement{Labels: found, Certainty: sure, Isolated: rows.WithoutEntries(x)}
	for i, j := range same {
		if j < 0 {
			continue
		}
		found[i] = p.Labels[j]
		if _, none := slices.BinarySearch(out.Isolated, i); !none {
			out.Known = append(out.Known, i)
		}
	}
	return out, nil
}

// Fields implements model.Part.
func (p *Predictor) Fields(f *model.Fields) {
	f.Rows("training", &p.X)
	f.Ints("clusters", &p.Labels)
	p.RuleFields(f, "")
}

// RuleFields visits kernel and lengths of the means, under names that begin with prefix, for a part
// that keeps training rows and clusters itself and sets X and Labels afterwards. Files of earlier
// versions lack the lengths: MeanLengths stays nil.
func (p *Predictor) RuleFields(f *model.Fields, prefix string) {
	f.Setting(prefix+"kernel", &p.Rule)
	f.Floats(prefix+"mean_lengths", &p.MeanLengths)
}

// Check implements model.Part.
func (p *Predictor) Check(of model.Frame) error {
	if of.Clusters == 0 {
		return invalid.Errorf("the model lacks its clusters")
	}
	return invalid.Join(of.CheckTraining(p.X), of.CheckLabels("clusters", p.Labels, 0, of.Clusters), p.CheckRule(of.Clusters))
}

// CheckRule refuses a kernel that is not of k clusters, of rows and of possible parameters, and
// lengths of means that are not as many.
func (p *Predictor) CheckRule(k int) error {
	r := p.Rule
	errs := []error{Options{K: r.K, Kernel: r.Kernel, Width: r.Width, Degree: r.Degree, Offset: r.Offset, Shift: r.Shift}.Validate()}
	if r.K != k {
		errs = append(errs, invalid.Errorf("the model has a kernel of %d clusters where it has %d", r.K, k))
	}
	if r.Kernel == Precomputed {
		errs = append(errs, invalid.Errorf("the model's kernel is not one of its rows"))
	}
	if p.MeanLengths != nil && len(p.MeanLengths) != k {
		errs = append(errs, invalid.Errorf("the model has the lengths of %d means of %d clusters", len(p.MeanLengths), k))
	}
	return invalid.Join(errs...)
}

// visitRow calls visit for the stored values of row i.
func (k *kernel) visitRow(i int, visit func(j int, v float64)) {
	if k.graph != nil {
		cols, vals := k.graph.Row(i)
		for p, j := range cols {
			visit(int(j), vals[p])
		}
		return
	}
	for j, v := range k.dense.Data[i*k.dense.Stride : i*k.dense.Stride+k.dense.Cols] {
		visit(j, v)
	}
}

func (e *engine) makeTiles() {
	e.tiles = make([][]float64, parallel.Workers(e.n, columns))
	if _, there := e.src.(*stored); there {
		return
	}
	for w := range e.tiles {
		e.tiles[w] = make([]float64, e.src.size()*columns)
	}
}
