package kernelkmeans

import (
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
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

// Init says how a run starts.
type Init string

const (
	// PlusPlus draws rows one after the other with probability proportional to the squared distance in feature space to the
	// nearest one so far, each the best of 2 + ⌊ln K⌋ draws; every row joins the nearest. The default.
	PlusPlus Init = "k-means++"
	// Random draws K different rows, all sets equally likely; every row joins the nearest.
	Random Init = "random"
)

// DefaultMaxBytes is Options.MaxBytes where it is 0.
const DefaultMaxBytes = 1 << 30

// Options of a fit. The zero value of every field but K is its default.
type Options struct {
	K      int    `json:"k" yaml:"k"`           // clusters, 1..rows
	Kernel Kernel `json:"kernel" yaml:"kernel"` // "" = gaussian
	// Width is t of the Gaussian kernel (2σ² in the other notation); 0 = the mean squared distance of two rows, [MeanSquaredDistance].
	Width float64 `json:"width,omitempty" yaml:"width,omitempty"`
	// Degree of the polynomial kernel; 0 = 2.
	Degree int `json:"degree,omitempty" yaml:"degree,omitempty"`
	// Offset of the polynomial kernel; nil = 1. A negative one may make the kernel indefinite.
	Offset *float64 `json:"offset,omitempty" yaml:"offset,omitempty"`
	// Shift ≥ 0 is added to the diagonal of the kernel (Dhillon, Guan and Kulis 2004, section 4.2).
	Shift    float64 `json:"shift,omitempty" yaml:"shift,omitempty"`
	Restarts int     `json:"restarts" yaml:"restarts"` // runs from different starts, the best is kept; 0 = 10
	MaxIter  int     `json:"max_iter" yaml:"max_iter"` // moves of the means in a run at most; 0 = 300
	Init     Init    `json:"init" yaml:"init"`         // "" = k-means++
	Seed     uint64  `json:"seed" yaml:"seed"`         // run r draws from the PCG stream (Seed, r)
	// MaxBytes is the most memory that the kernel matrix may take, 8·n²; 0 = 1 GiB. A matrix that is larger is never formed.
	MaxBytes int64 `json:"max_bytes,omitempty" yaml:"max_bytes,omitempty"`

	// StartRows, where it is not nil, are K rows to start from: one run, and Init, Restarts and Seed mean nothing. It is not written.
	StartRows []int `json:"-" yaml:"-"`
	// StartLabels, where it is not nil, is a clustering to start from, a label in 0..K-1 for each row: one run.
	StartLabels []int `json:"-" yaml:"-"`
	// Observer hears stage "kernel k-means" (runs done of all), stage "kernel rows" while rows of the kernel are computed, and
	// whether the matrix is kept.
	Observer progress.Observer `json:"-" yaml:"-"`
}

// Validate lists everything wrong with the options by themselves; [Fit] adds what depends on the data.
func (o Options) Validate() error {
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, invalid.Errorf(format, args...)) }
	if o.K < 1 {
		bad("the number of clusters must be at least 1, not %d", o.K)
	}
	switch o.Kernel {
	case "", Gaussian, Polynomial, Linear, Precomputed:
	default:
		bad("unknown kernel %q: choose %q, %q, %q or %q", o.Kernel, Gaussian, Polynomial, Linear, Precomputed)
	}
	if !(o.Width >= 0) || math.IsInf(o.Width, 1) {
		bad("the width of the Gaussian kernel is %v; it must be a finite number above 0, or 0 for the mean squared distance", o.Width)
	}
	if o.Degree < 0 || o.Degree > 64 {
		bad("the degree of the polynomial kernel is %d; it must lie between 1 and 64, or be 0 for 2", o.Degree)
	}
	if o.Offset != nil && (math.IsNaN(*o.Offset) || math.IsInf(*o.Offset, 0)) {
		bad("the offset of the polynomial kernel is %v; it must be finite", *o.Offset)
	}
	if !(o.Shift >= 0) || math.IsInf(o.Shift, 1) {
		bad("the shift of the kernel's diagonal is %v; it must be finite and not negative", o.Shift)
	}
	if o.Restarts < 0 {
		bad("the number of restarts must not be negative, but is %d", o.Restarts)
	}
	if o.MaxIter < 0 {
		bad("the number of iterations must not be negative, but is %d", o.MaxIter)
	}
	switch o.Init {
	case "", PlusPlus, Random:
	default:
		bad("unknown start %q: choose %q or %q", o.Init, PlusPlus, Random)
	}
	if o.MaxBytes < 0 {
		bad("the memory for the kernel matrix must not be negative, but is %d bytes", o.MaxBytes)
	}
	if o.StartRows != nil && o.StartLabels != nil {
		bad("both rows and labels to start from are given: leave one of them out")
	}
	return invalid.Join(errs...)
}

func (o Options) withDefaults() Options {
	if o.Kernel == "" {
		o.Kernel = Gaussian
	}
	if o.Degree == 0 {
		o.Degree = 2
	}
	if o.Offset == nil {
		one := 1.0
		o.Offset = &one
	}
	if o.Restarts == 0 {
		o.Restarts = 10
	}
	if o.MaxIter == 0 {
		o.MaxIter = 300
	}
	if o.Init == "" {
		o.Init = PlusPlus
	}
	if o.MaxBytes == 0 {
		o.MaxBytes = DefaultMaxBytes
	}
	if o.StartRows != nil || o.StartLabels != nil {
		o.Restarts = 1
	}
	return o
}

// checkStart checks what is given to start from against n rows.
func (o Options) checkStart(n int) error {
	if o.K > n {
		return invalid.Errorf("%d clusters are asked of %d rows: the number of clusters must lie between 1 and the number of rows", o.K, n)
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
			return invalid.Errorf("the label %d of row %d (counted from 0) to start from is none of 0..%d", l, i, o.K-1)
		}
	}
	return nil
}
