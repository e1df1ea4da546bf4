package lapgmm

import (
	"cmp"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/gmm"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
)

// Schedule says how posteriors are smoothed before an M-step. See the package comment.
type Schedule string

// The schedules.
const (
	// Restart keeps the E-step's posterior P, smooths it to F = (1−γ)(1 − γD⁻¹W)⁻¹P, and searches γ
	// anew in every iteration. The default.
	Restart Schedule = "restart"
	// Literal is table 1 of the paper: from the shares and covariances of k-means' clusters, eq.
	// (12) a number of times, with γ from 0.9, smaller by a tenth after every fall.
	Literal Schedule = "literal"
	// Unsmoothed is γ = 0 alone: EM steps, as long as the regularised log-likelihood rises.
	Unsmoothed Schedule = "unsmoothed"
)

// Those of the paper: λ, which is the default of the [Literal] schedule, and the default of
// Options.Graph.Neighbors.
const (
	PaperLambda      = 1000
	DefaultNeighbors = 8
)

// StartFrom says which clusters a fit begins with.
type StartFrom string

// The starts.
const (
	// StartClusters begins with the posteriors of the mixture without the graph, and with the
	// clusters of Laplacian Eigenmaps of the graph. The default.
	StartClusters StartFrom = "gmm-le"
	// StartKMeans begins with the means of k-means alone, as the authors' program does. It is the
	// only one of the literal and the unsmoothed schedule.
	StartKMeans StartFrom = "kmeans"
	// StartAll begins with all of these.
	StartAll StartFrom = "all"
)

// Options of a fit. The zero value of every field but K is its default.
type Options struct {
	K int `json:"k"` // components, 1..rows
	// Lambda is λ, the weight of the graph's penalty; 0: by the rule of the package comment, and
	// PaperLambda for the literal schedule.
	Lambda float64 `json:"lambda,omitempty" flag:"lambda" range:">0" unset:"by a rule that balances what clusters gain and what the graph saves; 1000 with ‹schedule› literal" help:"weight of the graph's penalty against the log-likelihood" group:"method"`
	// Graph of the rows, for [Fit]; Neighbors 0 = 8 (all others if there are fewer), Weight "" =
	// binary.
	Graph graph.Options `json:"graph" flags:"*" group:"graph" defaults:"edge-weight=binary;neighbors=(8, or all others if there are fewer)"`
	// Schedule says how posteriors are smoothed; "" = restart.
	Schedule Schedule `json:"schedule,omitempty" flag:"schedule" choices:"restart|literal|unsmoothed" default:"restart" help:"how posteriors are smoothed: restart (walks with restart), literal (the paper's table 1) or unsmoothed" group:"method"`
	// MaxGamma is the largest γ that [Restart] tries, below 1; 0 = 0.99. Walks of 1/(1−γ) steps on
	// average reach about the root of that many neighbourhoods far; long thin clusters need more.
	MaxGamma float64 `json:"max_gamma,omitempty"`

	// Covariance, Ridge and RidgeKind are as in gmm.Options.
	Covariance gmm.Covariance `json:"covariance,omitempty" flag:"covariance" choices:"full|tied|diagonal|diag|spherical" default:"full" help:"covariances: full, tied (one for all clusters), diagonal (or diag) or spherical" group:"method"`
	Ridge      *float64       `json:"ridge,omitempty" flag:"ridge" range:">=0" unset:"full and tied covariances are drawn towards a sphere by as much as the documents of a cluster are too few for them (Ledoit and Wolf 2004); 1e-06 of others" help:"draws covariances towards a sphere, and keeps them from being singular, as a share of the mean variance; 0: only where one is singular" group:"method"`
	RidgeKind  gmm.RidgeKind  `json:"ridge_kind,omitempty"`

	// StartFrom says which clusters the starts are; "" = gmm-le.
	StartFrom StartFrom `json:"start_from,omitempty" flag:"start-from" choices:"gmm-le|kmeans|all" default:"gmm-le" help:"clusters to start from: gmm-le (of gmm, and of Laplacian Eigenmaps of the graph), kmeans or all" group:"method"`
	// Starts is the number of runs from different k-means centres; 0 = 5.
	Starts int `json:"starts,omitempty" flag:"starts" range:">=1" default:"5" when:"start-from=kmeans,all | schedule=literal,unsmoothed" help:"starts from k-means of ten iterations each; the best of all starts goes on" group:"method"`
	// StartIter is the number of iterations of each start before the best goes on; 0 = 10.
	StartIter int `json:"start_iter,omitempty" range:">=1"`
	// MaxIter bounds the iterations of the kept run in all; 0 = 200.
	MaxIter int `json:"max_iter,omitempty" flag:"em-iter" range:">=1" default:"200" help:"most iterations of the run that is kept" group:"method"`
	// Tol is δ: a run ends if the regularised log-likelihood per row rises by less; 0 = 1e-4.
	Tol float64 `json:"tol,omitempty" flag:"em-tol" range:">0" default:"0.0001" help:"stop when the objective per document improves by less than this" group:"method"`
	// Seed decides the k-means starts.
	Seed uint64 `json:"seed"`
	// KMeansRestarts is the number of runs of k-means of which the best gives the centres of the
	// first start; 0 = 10. Later starts take one run each.
	KMeansRestarts int `json:"kmeans_restarts,omitempty" flag:"restarts" range:">=1" default:"10" help:"starts of the k-means that the first start begins with, of which the best is kept" group:"method"`

	// Start, if it is not nil, holds K×d first means: one start, there, with equal weights and the
	// covariance of all data. It is not written.
	Start *mat.Dense `json:"-"`
	// Observer receives the stages "neighbours", "k-means" and "smoothed mixture": iterations done
	// out of StartIter for each start, then out of MaxIter; and notes.
	Observer progress.Observer `json:"-"`
	// Share divides the rows among the ranks of a team, which call Fit together: x, the graph and what
	// the model says of rows are of the own ones, the rest of all. nil: x has all.
	Share *ranks.Share `json:"-"`
}

// Validate lists everything wrong with the options by themselves; [Fit] adds what depends on the
// data.
func (o Options) Validate() error {
	errs := []error{option.Check(&o)}
	wrong := func(format string, args ...any) { errs = append(errs, invalid.Errorf(format, args...)) }
	if !(o.MaxGamma >= 0 && o.MaxGamma <= 0.9999) {
		wrong("the largest gamma must lie between 0 and 0.9999, not at %v", o.MaxGamma)
	}
	own := gmm.Options{Ridge: o.Ridge, RidgeKind: o.RidgeKind}
	if o.Ridge != nil && !(*o.Ridge >= 0) {
		own.Ridge = nil // refused above
	}
	errs = append(errs, own.Validate())
	return invalid.Join(errs...)
}

// mixture are the options of the mixture itself.
func (o Options) mixture() gmm.Options {
	return gmm.Options{
		K: o.K, Covariance: o.Covariance, Ridge: o.Ridge, RidgeKind: o.RidgeKind, MaxIter: o.MaxIter, Tol: o.Tol, Seed: o.Seed,
		KMeansRestarts: o.KMeansRestarts, Start: o.Start, Observer: o.Observer, Share: o.Share,
	}
}

func (o Options) withDefaults() Options {
	option.Default(&o)
	o.MaxGamma = cmp.Or(o.MaxGamma, 0.99)
	o.Covariance = o.Covariance.Shape()
	if o.Start != nil {
		o.Starts = 1
	}
	if o.Start != nil || o.Schedule != Restart {
		o.StartFrom = StartKMeans
	}
	if o.Schedule == Literal {
		o.Lambda = cmp.Or(o.Lambda, PaperLambda)
	}
	o.StartIter = cmp.Or(o.StartIter, 10)
	o.StartIter = min(o.StartIter, o.MaxIter)
	return o
}

// graphOptions fills in the defaults of the method's own for a graph of n rows.
func (o Options) graphOptions(n int) graph.Options {
	g := o.Graph
	g.Share = o.Share
	if g.Neighbors == 0 && g.Epsilon == 0 {
		g.Neighbors = max(1, min(DefaultNeighbors, n-1))
	}
	g.Weight = cmp.Or(g.Weight, graph.Binary)
	if g.Observer == nil {
		g.Observer = o.Observer
	}
	return g
}
