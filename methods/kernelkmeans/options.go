package kernelkmeans

import (
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/progress"
)

// Kernel names a kernel.
type Kernel string

// The kernels of rows x and y.
const (
	Gaussian    Kernel = "gaussian"    // exp(−‖x−y‖²/t). The default
	Polynomial  Kernel = "polynomial"  // (offset + x·y)^degree
	Linear      Kernel = "linear"      // x·y: ordinary k-means
	Precomputed Kernel = "precomputed" // the data are the kernel: a symmetric n×n matrix, dense or sparse
)

// Init is the rule for starts.
type Init string

const (
	// PlusPlus draws rows one after the other with probability proportional to the squared
	// distance in feature space to the nearest one so far, each the best of 2 + ⌊ln K⌋ draws;
	// every row joins the nearest. The default.
	PlusPlus Init = "k-means++"
	// Random draws K different rows, all sets equally likely; every row joins the nearest.
	Random Init = "random"
)

// Options of a fit. The zero value of every field but K is its default.
type Options struct {
	// K is the number of clusters, from 1 to the number of rows. The contract of package method
	// sets it.
	K int `json:"k" range:">=1"`
	// Kernel is Gaussian unless set.
	Kernel Kernel `json:"kernel" flag:"kernel" choices:"gaussian|polynomial|linear" default:"gaussian" help:"kernel of two documents" group:"kernel"`
	// Width is t of the Gaussian kernel (2σ² in the other notation); 0 = the mean squared
	// distance of two rows, [MeanSquaredDistance].
	Width float64 `json:"width,omitempty" flag:"sigma" range:">0" when:"kernel=gaussian" unset:"the mean of d² over all pairs of documents" help:"σ in the Gaussian kernel exp(-d²/σ)" group:"kernel"`
	// Degree of the polynomial kernel, at most 64; 0 = 2.
	Degree int `json:"degree,omitempty" flag:"poly-degree" range:">=1" default:"2" when:"kernel=polynomial" help:"degree of the polynomial kernel" group:"kernel"`
	// Offset of the polynomial kernel; nil = 1. A negative one, which the command line does not
	// take, may make the kernel indefinite.
	Offset *float64 `json:"offset,omitempty" flag:"poly-offset" range:">0" default:"1" when:"kernel=polynomial" help:"constant of the polynomial kernel" group:"kernel"`
	// Shift ≥ 0 is added to the diagonal of the kernel (Dhillon, Guan and Kulis 2004, section 4.2).
	Shift float64 `json:"shift,omitempty" flag:"kernel-shift" range:">0" unset:"none" help:"what is added to the diagonal of a kernel that is not positive semidefinite, such as a graph" group:"method"`
	// Restarts is the number of runs from different starts, of which the best is kept; 0 = 10.
	Restarts int `json:"restarts" flag:"restarts" range:">=1" default:"10" help:"starts, of which the best is kept" group:"method"`
	// MaxIter is the most moves of the means in a run; 0 = 300.
	MaxIter int `json:"max_iter" flag:"kmeans-iter" range:">=1" default:"300" help:"most iterations of one start of k-means" group:"method"`
	// Init is the rule for starts; "" = k-means++.
	Init Init   `json:"init" flag:"init" choices:"k-means++|random" default:"k-means++" help:"how k-means starts" group:"method"`
	Seed uint64 `json:"seed"` // run r draws from the PCG stream (Seed, r)

	// StartRows, if it is not nil, are K rows to start from: one run, and Init, Restarts and Seed
	// have no effect. It is not written.
	StartRows []int `json:"-"`
	// StartLabels, if it is not nil, is a clustering to start from, a label in 0..K-1 for each
	// row: one run.
	StartLabels []int `json:"-"`
	// Observer receives stage "kernel k-means" (runs done of all) and stage "kernel rows" while
	// rows of the kernel are computed, and a note if the kernel matrix is too large to be kept.
	Observer progress.Observer `json:"-"`
}

// Validate lists everything that is wrong with the options by themselves; [Fit] adds what depends
// on the data.
func (o Options) Validate() error {
	named := o // the options as the command line has them
	if named.Offset = nil; o.Kernel == Precomputed {
		named.Kernel = ""
	}
	errs := invalid.Faults{option.Check(&named)}
	if o.Degree > 64 {
		errs.Addf("the degree of the polynomial kernel is %d; it must lie between 1 and 64, or be 0 for 2", o.Degree)
	}
	if o.Offset != nil && (math.IsNaN(*o.Offset) || math.IsInf(*o.Offset, 0)) {
		errs.Addf("the offset of the polynomial kernel is %v; it must be finite", *o.Offset)
	}
	if o.StartRows != nil && o.StartLabels != nil {
		errs.Addf("both rows and labels to start from are given: leave one of them out")
	}
	return invalid.Join(errs...)
}

func (o Options) withDefaults() Options {
	option.Default(&o)
	if o.StartRows != nil || o.StartLabels != nil {
		o.Restarts = 1
	}
	return o
}

// checkStart checks what is given to start from against n rows.
func (o Options) checkStart(n int) error {
	if o.K < 1 {
		return invalid.Errorf("the number of clusters must be at least 1, not %d", o.K)
	}
	if o.K > n {
		return invalid.Errorf("%d rows cannot give %d clusters: the number of clusters must lie between 1 and the number of rows", n, o.K)
	}
	if o.StartRows != nil && len(o.StartRows) != o.K {
		return invalid.Errorf("%d rows to start from are given for %d clusters", len(o.StartRows), o.K)
	}
	for _, i := range o.StartRows {
		if i < 0 || i >= n {
			return invalid.Errorf("row %d to start from does not exist: rows count from 0 to %d", i, n-1)
		}
	}
	if o.StartLabels != nil && len(o.StartLabels) != n {
		return invalid.Errorf("%d labels to start from are given for %d rows", len(o.StartLabels), n)
	}
	for i, l := range o.StartLabels {
		if l < 0 || l >= o.K {
			return invalid.At(i, -1, "the label %d of {} to start from is none of 0..%d", l, o.K-1)
		}
	}
	return nil
}
