package lecas

import (
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/kernelkmeans"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/le"
	"github.com/eigenmap/eigenmap/progress"
)

// Clustering names the first clustering.
type Clustering string

// The first clusterings.
const (
	KernelKMeans Clustering = "kernel-k-means" // the default
	KMeans       Clustering = "k-means"        // figure 7 of the paper
)

// Denominator says what stands below the squared distance in both heat kernels.
type Denominator string

// The two readings.
const (
	Sigma        Denominator = "sigma"   // exp(−d²/σ_m). The default
	SigmaSquared Denominator = "sigma^2" // exp(−d²/σ_m²)
)

// By says which number of clusters wins.
type By string

// How the silhouettes of the starts are put together.
const (
	ByBest By = "best" // the best one. The default
	ByMean By = "mean" // their mean
)

// Defaults of Search and Options.
const (
	DefaultMinClusters = 2
	DefaultMaxClusters = 10
	DefaultStarts      = 5
	DefaultNeighbors   = 10
)

// Search says how the first clustering is found. The zero value is the default of every field.
type Search struct {
	// Clusters is k1; 0 = the number in MinClusters..MaxClusters with the best silhouette.
	Clusters int `json:"clusters,omitempty" yaml:"clusters,omitempty"`
	// MinClusters and MaxClusters bound the search; 0 = 2 and 10, or the number of rows where that is less.
	MinClusters int `json:"min_clusters,omitempty" yaml:"min_clusters,omitempty"`
	MaxClusters int `json:"max_clusters,omitempty" yaml:"max_clusters,omitempty"`
	// Starts is how many runs each number of clusters gets; 0 = 5.
	Starts int `json:"starts,omitempty" yaml:"starts,omitempty"`
	// By says how the starts' silhouettes decide; "" = best.
	By By `json:"by,omitempty" yaml:"by,omitempty"`
	// Simplified takes silhouettes from distances to the clusters' means: n·k·d in place of n²·d.
	Simplified bool `json:"simplified,omitempty" yaml:"simplified,omitempty"`
	// Clustering is kernel k-means unless set.
	Clustering Clustering `json:"clustering,omitempty" yaml:"clustering,omitempty"`
	// Kernel holds the kernel, its parameters, the memory for its matrix, Init and MaxIter of kernel k-means; K, Restarts, Seed, starts and
	// Observer are set here. Of it, k-means takes MaxIter and Init.
	Kernel kernelkmeans.Options `json:"kernel" yaml:"kernel"`
	Seed   uint64               `json:"seed" yaml:"seed"`
	// Observer hears stages "kernel k-means", "kernel rows", "k-means" and "silhouette", and the number that was chosen.
	Observer progress.Observer `json:"-" yaml:"-"`
}

// Options of Fit. The zero value of every field but LE.Dims is its default.
type Options struct {
	Search Search `json:"search" yaml:"search"`
	// Labels, where it is not nil, is the first clustering itself, a label for each row, and Search means nothing. Labels are
	// arbitrary; a row with a negative one belongs to no cluster and keeps its weights.
	Labels []int `json:"-" yaml:"-"`
	// Sigma is σ_m of both heat kernels; 0 = the mean squared distance of two rows.
	Sigma float64 `json:"sigma,omitempty" yaml:"sigma,omitempty"`
	// Denominator; "" = sigma.
	Denominator Denominator `json:"denominator,omitempty" yaml:"denominator,omitempty"`
	// LE holds the dimensions, the graph and the eigensolver. Here an empty Skip is le.SkipZeros, Graph.Neighbors is 10 where it is 0, an empty
	// Graph.Weight is heat, and Graph.HeatWidth is the denominator above where it is 0.
	LE le.Options `json:"le" yaml:"le"`
}

// Validate lists everything wrong with the options by themselves; [ChooseClusters] adds what depends on the data.
func (s Search) Validate() error {
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, invalid.Errorf(format, args...)) }
	for _, v := range []struct {
		name  string
		value int
	}{{"number of first clusters", s.Clusters}, {"smallest number of first clusters", s.MinClusters},
		{"largest number of first clusters", s.MaxClusters}, {"number of starts", s.Starts}} {
		if v.value < 0 {
			bad("the %s must not be negative, but is %d", v.name, v.value)
		}
	}
	if lo, hi := s.bounds(math.MaxInt); lo > hi {
		bad("the first clusters are to be at least %d and at most %d: exchange the two", lo, hi)
	}
	switch s.By {
	case "", ByBest, ByMean:
	default:
		bad("unknown rule %q for the number of first clusters: choose %q or %q", s.By, ByBest, ByMean)
	}
	switch s.Clustering {
	case "", KernelKMeans, KMeans:
	default:
		bad("unknown first clustering %q: choose %q or %q", s.Clustering, KernelKMeans, KMeans)
	}
	k := s.Kernel
	k.K = max(k.K, 1)
	if k.Kernel == kernelkmeans.Precomputed {
		bad("the first clustering takes a kernel of the data; a precomputed one has no centroids: cluster by it and give the labels")
	}
	errs = append(errs, k.Validate())
	return invalid.Join(errs...)
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

// kmeansInit translates the start.
func (s Search) kmeansInit() kmeans.Init {
	if s.Kernel.Init == kernelkmeans.Random {
		return kmeans.Random
	}
	return kmeans.PlusPlus
}

// Validate lists everything wrong with the options by themselves; [Fit] adds what depends on the data.
func (o Options) Validate() error {
	errs := []error{o.complete(1).Validate(), o.LE.Graph.Validate()}
	if o.Labels == nil {
		errs = append(errs, o.Search.Validate())
	}
	if !(o.Sigma >= 0) || math.IsInf(o.Sigma, 1) {
		errs = append(errs, invalid.Errorf("σ of the heat kernels is %v; it must be a finite number above 0, or 0 for the mean squared distance", o.Sigma))
	}
	switch o.Denominator {
	case "", Sigma, SigmaSquared:
	default:
		errs = append(errs, invalid.Errorf("unknown denominator %q of the heat kernels: choose %q or %q", o.Denominator, Sigma, SigmaSquared))
	}
	return invalid.Join(errs...)
}

// width is the denominator for σ.
func (o Options) width(sigma float64) float64 {
	if o.Denominator == SigmaSquared {
		return sigma * sigma
	}
	return sigma
}

// complete fills in what is different here from le's defaults.
func (o Options) complete(width float64) le.Options {
	e := o.LE
	if e.Skip == "" {
		e.Skip = le.SkipZeros
	}
	if e.Graph.Neighbors == 0 {
		e.Graph.Neighbors = DefaultNeighbors
	}
	if e.Graph.Weight == "" {
		e.Graph.Weight = graph.Heat
	}
	if e.Graph.HeatWidth == 0 && e.Graph.Weight == graph.Heat {
		e.Graph.HeatWidth = width
	}
	return e
}
