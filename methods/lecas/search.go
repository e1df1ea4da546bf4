package lecas

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/kernelkmeans"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/metrics"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
)

// Clustering names the first clustering.
type Clustering string

// The first clusterings.
const (
	KernelKMeans Clustering = "kernel-k-means" // the default without labels
	KMeans       Clustering = "k-means"        // figure 7 of the paper
	GivenLabels  Clustering = "labels"         // a cluster per class of the known labels; the default with them
)

// By says which number of clusters wins.
type By string

// How the silhouettes of the starts are combined.
const (
	ByBest By = "best" // the best one. The default
	ByMean By = "mean" // their mean
)

// Defaults of Search.
const (
	DefaultMinClusters = 2
	DefaultMaxClusters = 10
	DefaultStarts      = 5
)

// Search says how the first clustering is found. The zero value of every field is its default.
type Search struct {
	// Clustering is GivenLabels if there are labels, else KernelKMeans.
	Clustering Clustering `json:"clustering,omitempty" flag:"first-clustering" choices:"kernel-k-means|k-means|labels" unset:"labels if they are given, else kernel-k-means" help:"first clustering: kernel-k-means, k-means, or the known labels"`
	// Clusters is k1; 0 = the number in MinClusters..MaxClusters with the best silhouette.
	Clusters int `json:"clusters,omitempty" flag:"first-clusters" range:">=0" unset:"0: the number from 2 to 10 with the best silhouette" when:"first-clustering!=labels" help:"clusters of the first clustering"`
	// Starts is how many runs each number of clusters gets; 0 = 5.
	Starts int `json:"starts,omitempty" flag:"first-starts" range:">=1" default:"5" when:"first-clustering!=labels" help:"starts of the first clustering for each number of clusters"`
	// Simplified takes silhouettes from distances to the clusters' means: n·k·d in place of n²·d.
	Simplified bool `json:"simplified,omitempty" flag:"simplified" default:"false" when:"first-clustering!=labels; first-clusters=0" help:"silhouettes of the first clustering from distances to its means, which takes less time"`
	// Kernel of kernel k-means; "" = gaussian, whose width is the mean squared distance of two rows.
	Kernel kernelkmeans.Kernel `json:"kernel,omitempty" flag:"kernel" choices:"gaussian|polynomial|linear" default:"gaussian" when:"first-clustering=kernel-k-means" help:"kernel of the first clustering"`
	// Degree and Offset are the parameters of the polynomial kernel; 0 and nil = PolyDegree and
	// PolyOffset of the graph, else 2 and 1.
	Degree int      `json:"degree,omitempty"`
	Offset *float64 `json:"offset,omitempty"`
	// MinClusters and MaxClusters bound the search; 0 = 2 and 10, or the number of rows if that is
	// less.
	MinClusters int `json:"min_clusters,omitempty"`
	MaxClusters int `json:"max_clusters,omitempty"`
	// By says how the starts' silhouettes decide; "" = best.
	By By `json:"by,omitempty" choices:"best|mean"`
	// Init and MaxIter are the options of both kinds of k-means; "" = k-means++, 0 = 300.
	Init    kernelkmeans.Init `json:"init,omitempty"`
	MaxIter int               `json:"max_iter,omitempty"`
	Seed    uint64            `json:"seed"`
	// Observer receives the stages "kernel k-means", "kernel rows", "k-means" and "silhouette".
	Observer progress.Observer `json:"-"`
}

// Validate lists everything wrong with the options by themselves; [ChooseClusters] adds what
// depends on the data.
func (s Search) Validate() error {
	errs := invalid.Faults{option.Check(&s)}
	for _, v := range []struct {
		name  string
		value int
	}{{"smallest number of first clusters", s.MinClusters}, {"largest number of first clusters", s.MaxClusters}} {
		if v.value < 0 {
			errs.Addf("the %s must not be negative, but is %d", v.name, v.value)
		}
	}
	if lo, hi := s.bounds(math.MaxInt); lo > hi {
		errs.Addf("the first clusters are to be at least %d and at most %d: exchange the two", lo, hi)
	}
	k := s.kernelOptions()
	k.K = 1
	if k.Kernel != kernelkmeans.Precomputed { // refused above
		errs = append(errs, k.Validate())
	}
	return invalid.Join(errs...)
}

// clustering is the first clustering if none is chosen.
func (s Search) clustering(labeled bool) Clustering {
	switch {
	case s.Clustering != "":
		return s.Clustering
	case labeled:
		return GivenLabels
	}
	return KernelKMeans
}

// checkFirst refuses a first clustering that does not fit the labels, or options without effect
// beside it, unless they have their default values. labeled says whether there are labels.
func (o Options) checkFirst(labeled bool) error {
	s := o.Search
	of := s.clustering(labeled)
	switch {
	case labeled && of != GivenLabels:
		return invalid.Errorf("‹first-clustering› %s does not use labels: leave ‹labels› and ‹labeled-fraction› out, or give ‹first-clustering› labels", of)
	case !labeled && of == GivenLabels:
		return invalid.Errorf("‹first-clustering› labels needs labels: give ‹labels›, or ‹labeled-fraction› 1 for all labels of the corpus")
	case s.Simplified && s.Clusters > 0:
		return invalid.Errorf("‹simplified› has no effect beside ‹first-clusters› %d, since no silhouettes choose the number: leave one of them out", s.Clusters)
	case s.Kernel != "" && s.Kernel != kernelkmeans.Gaussian && of != KernelKMeans:
		return invalid.Errorf("‹kernel› is an option of kernel k-means: leave it out with ‹first-clustering› %s", of)
	}
	if of != GivenLabels {
		return nil
	}
	for _, f := range []struct {
		name string
		set  bool
	}{{"first-clusters", s.Clusters > 0}, {"first-starts", s.Starts > 0 && s.Starts != DefaultStarts}, {"simplified", s.Simplified}} {
		if f.set {
			return invalid.Errorf("‹%s› has no effect beside ‹first-clustering› labels, which has a cluster per class: leave it out", f.name)
		}
	}
	return nil
}

// withKernelOf takes what is unset of a polynomial kernel from the options of the graph.
func (s Search) withKernelOf(g graph.Options) Search {
	s.Degree = cmp.Or(s.Degree, g.PolyDegree)
	if s.Offset == nil && g.PolyOffset > 0 {
		s.Offset = &g.PolyOffset
	}
	return s
}

// kernelOptions returns the options of kernel k-means; K and Restarts are set later. Parameters of
// other kernels are left out, the polynomial kernel's are written out.
func (s Search) kernelOptions() kernelkmeans.Options {
	k := kernelkmeans.Options{Kernel: s.Kernel, Init: s.Init, MaxIter: s.MaxIter, Seed: s.Seed, Observer: s.Observer}
	k.Kernel = cmp.Or(k.Kernel, kernelkmeans.Gaussian)
	if k.Kernel == kernelkmeans.Polynomial {
		one := 1.0
		k.Degree, k.Offset = s.Degree, s.Offset
		k.Degree = cmp.Or(k.Degree, 2)
		if k.Offset == nil {
			k.Offset = &one
		}
	}
	return k
}

// bounds are the numbers of clusters to try for n rows.
func (s Search) bounds(n int) (lo, hi int) {
	lo, hi = s.MinClusters, s.MaxClusters
	if lo == 0 {
		lo = DefaultMinClusters
		if hi > 0 {
			lo = min(lo, hi)
		}
	}
	if hi == 0 {
		hi = max(lo, min(DefaultMaxClusters, n))
	}
	return lo, hi
}

func (s Search) starts() int {
	if s.Starts == 0 {
		return DefaultStarts
	}
	return s.Starts
}

// kmeansInit is the start of k-means that Init names.
func (s Search) kmeansInit() kmeans.Init {
	if s.Init == kernelkmeans.Random {
		return kmeans.Random
	}
	return kmeans.PlusPlus
}

// Choice is a first clustering and how its number of clusters was found.
type Choice struct {
	Labels   []int // by row, 0..Clusters-1, numbered by falling size
	Clusters int
	// Tried are the numbers of clusters that were tried. Best and Mean are the silhouettes of their
	// starts. If the number was given, Tried is that number and there are no silhouettes.
	Tried      []int
	Best, Mean []float64
	// Kernel is the clustering by kernel k-means, nil after another one.
	Kernel *kernelkmeans.Model
}

// candidate is one run of a clustering.
type candidate struct {
	labels    []int
	objective float64
	kernel    *kernelkmeans.Model
}

// ChooseClusters clusters the rows of x for every number of clusters in question, from several
// starts each, and takes the clustering with the best silhouette in Euclidean distance. If the
// number is given it takes the clustering with the lowest objective. All kernel k-means runs share
// the rows of the kernel, and all silhouettes share the distances.
//
// Cost: n²·d for the kernel if its matrix is kept (a few times that otherwise), n²·d for
// exact silhouettes, and n² additions per run for each of the two. Errors: a wrong request
// (fs.ErrInvalid), wrong data as in kernelkmeans.Fit, and the context's error.
func ChooseClusters(ctx context.Context, x mat.Matrix, s Search) (*Choice, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	if s.Clustering == GivenLabels {
		return nil, invalid.Errorf("known labels are a first clustering themselves: choose %q or %q to search for one", KernelKMeans, KMeans)
	}
	if x == nil {
		return nil, invalid.Errorf("there is no data matrix")
	}
	n, _ := x.Dims()
	lo, hi := s.bounds(n)
	if s.Clusters > 0 {
		lo, hi = s.Clusters, s.Clusters
	}
	if hi > n {
		return nil, invalid.Errorf("%d first clusters are more than the %d rows: ask for at most as many as there are rows", hi, n)
	}
	c := &Choice{}
	for k := lo; k <= hi; k++ {
		c.Tried = append(c.Tried, k)
	}
	runs, err := s.run(ctx, x, c.Tried)
	if err != nil {
		return nil, err
	}
	best := runs[0][0]
	if len(c.Tried) == 1 {
		for _, r := range runs[0] {
			if r.objective < best.objective {
				best = r
			}
		}
	} else if best, err = c.compare(ctx, x, runs, s); err != nil {
		return nil, err
	}
	c.Labels, c.Kernel = best.labels, best.kernel
	for _, l := range c.Labels {
		c.Clusters = max(c.Clusters, l+1)
	}
	return c, nil
}

// run clusters for every number of ks.
func (s Search) run(ctx context.Context, x mat.Matrix, ks []int) ([][]candidate, error) {
	out := make([][]candidate, len(ks))
	if s.Clustering != KMeans {
		o := s.kernelOptions()
		o.Restarts = s.starts()
		models, err := kernelkmeans.FitEach(ctx, x, o, ks)
		if err != nil {
			return nil, err
		}
		for q := range ks {
			for _, m := range models[q] {
				out[q] = append(out[q], candidate{m.Labels, m.Objective, m})
			}
		}
		return out, nil
	}
	rng := rand.New(rand.NewPCG(s.Seed, 1))
	for q, k := range ks {
		for range s.starts() {
			m, err := kmeans.Fit(ctx, x, kmeans.Options{K: k, Restarts: 1, MaxIter: s.MaxIter, Init: s.kmeansInit(), Seed: rng.Uint64(), Observer: s.Observer})
			if err != nil {
				return nil, err
			}
			out[q] = append(out[q], candidate{m.Labels, m.Objective, nil})
		}
	}
	return out, nil
}

// compare takes the run with the best silhouette among the runs with the best number of clusters.
func (c *Choice) compare(ctx context.Context, x mat.Matrix, runs [][]candidate, s Search) (candidate, error) {
	scores, err := s.silhouettes(ctx, x, runs)
	if err != nil {
		return candidate{}, err
	}
	var chosen candidate
	top := math.Inf(-1)
	for q, of := range runs {
		best, mean, run := math.Inf(-1), 0.0, of[0]
		for r, v := range scores[q] {
			mean += v / float64(len(of))
			if v > best {
				best, run = v, of[r]
			}
		}
		c.Best, c.Mean = append(c.Best, best), append(c.Mean, mean)
		score := best
		if s.By == ByMean {
			score = mean
		}
		if score > top {
			top, chosen = score, run
		}
	}
	return chosen, nil
}

// silhouettes scores all runs; equal labelings once.
func (s Search) silhouettes(ctx context.Context, x mat.Matrix, runs [][]candidate) ([][]float64, error) {
	scores := make([][]float64, len(runs))
	if s.Simplified {
		for q, of := range runs {
			for _, r := range of {
				v, err := metrics.SimplifiedSilhouette(ctx, x, r.labels)
				if err != nil {
					return nil, err
				}
				scores[q] = append(scores[q], v.Mean)
			}
		}
		return scores, nil
	}
	var different [][]int
	of := make([][]int, len(runs))
	for q, group := range runs {
		first := len(different)
		for _, r := range group {
			at := first
			for at < len(different) && !slices.Equal(different[at], r.labels) {
				at++
			}
			if at == len(different) {
				different = append(different, r.labels)
			}
			of[q] = append(of[q], at)
		}
	}
	values, err := metrics.SilhouetteEach(ctx, x, different, s.Observer)
	if err != nil {
		return nil, err
	}
	for q := range runs {
		for _, at := range of[q] {
			scores[q] = append(scores[q], values[at].Mean)
		}
	}
	return scores, nil
}
