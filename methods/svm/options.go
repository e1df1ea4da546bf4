package svm

import (
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/progress"
)

// Kernel names a kernel.
type Kernel string

// The kernels of rows x and z.
const (
	Linear     Kernel = "linear"     // x·z. The default
	Gaussian   Kernel = "gaussian"   // exp(−γ‖x−z‖²)
	Polynomial Kernel = "polynomial" // (γ x·z + offset)^degree
)

// Loss is what an example inside the margin costs.
type Loss string

// The losses of a slack ξ.
const (
	Hinge        Loss = "hinge"         // ξ. The default
	SquaredHinge Loss = "squared-hinge" // ξ²
)

// Bias says what becomes of b.
type Bias string

// The kinds of b.
const (
	Free    Bias = "free"    // not penalised, as in libsvm and SVMlight. The default
	Feature Bias = "feature" // a constant term of value BiasScale with a weight, as in LIBLINEAR
	None    Bias = "none"    // 0
)

// Solver says how.
type Solver string

// The solvers.
const (
	Auto Solver = "auto" // cd for the linear kernel where rows are sparse or their kernel matrix exceeds CacheBytes, else smo. The default
	CD   Solver = "cd"
	SMO  Solver = "smo"
)

// Defaults of zero values.
const (
	DefaultC          = 1
	DefaultTol        = 1e-3 // libsvm's and SVMlight's
	DefaultMaxIter    = 10_000
	DefaultCacheBytes = 512 << 20
)

// Options of a fit. The zero value is a linear machine with hinge loss, C = 1 and a free b.
type Options struct {
	Kernel Kernel `json:"kernel,omitempty" yaml:"kernel,omitempty"` // "" = linear
	// Gamma is γ of the Gaussian and the polynomial kernel; 0 = 1/(d·v), v the variance of all entries of the training rows (1 where
	// they are all equal): scikit-learn's "scale", about 1 for many documents of unit length. libsvm's own default is 1/d.
	Gamma float64 `json:"gamma,omitempty" yaml:"gamma,omitempty"`
	// Degree of the polynomial kernel; 0 = 2.
	Degree int `json:"degree,omitempty" yaml:"degree,omitempty"`
	// Offset of the polynomial kernel, not negative; nil = 1.
	Offset *float64 `json:"offset,omitempty" yaml:"offset,omitempty"`

	C float64 `json:"c,omitempty" yaml:"c,omitempty"` // cost of every example; 0 = 1
	// Cost, where it is not nil, is C_i of each example in place of C; 0 leaves the example out.
	Cost      []float64 `json:"-" yaml:"-"`
	Loss      Loss      `json:"loss,omitempty" yaml:"loss,omitempty"`             // "" = hinge
	Bias      Bias      `json:"bias,omitempty" yaml:"bias,omitempty"`             // "" = free
	BiasScale float64   `json:"bias_scale,omitempty" yaml:"bias_scale,omitempty"` // value of the constant term with Bias feature; 0 = 1

	Solver Solver `json:"solver,omitempty" yaml:"solver,omitempty"` // "" = auto
	// Tol is by how much the margin's conditions may fail; 0 = 1e-3.
	Tol float64 `json:"tol,omitempty" yaml:"tol,omitempty"`
	// MaxIter is sweeps at most, each as many steps as there are examples; 0 = 10,000.
	MaxIter int `json:"max_iter,omitempty" yaml:"max_iter,omitempty"`
	// CacheBytes bounds the values of the kernel that smo keeps; 0 = 512 MiB, the matrix of 8,192 rows.
	CacheBytes int64 `json:"cache_bytes,omitempty" yaml:"cache_bytes,omitempty"`
	// MaxMemory bounds what machines of several classes take besides the kernel, in bytes; 0 = 16 GiB.
	MaxMemory int64 `json:"max_memory,omitempty" yaml:"max_memory,omitempty"`
	// Seed of the order in which cd goes through the examples.
	Seed uint64 `json:"seed,omitempty" yaml:"seed,omitempty"`
	// Observer hears the stages "kernel" (rows of the matrix) and "support vectors" (sweeps; machines with several classes).
	Observer progress.Observer `json:"-" yaml:"-"`
}

// Validate lists everything wrong with the options by themselves; [Fit] adds what depends on the data.
func (o Options) Validate() error {
	var errs []error
	bad := func(format string, args ...any) { errs = append(errs, invalid.Errorf(format, args...)) }
	positive := func(name string, v float64) {
		if !(v >= 0) || math.IsInf(v, 1) {
			bad("%s is %v; it must be a finite number above 0, or 0 for its default", name, v)
		}
	}
	switch o.Kernel {
	case "", Linear, Gaussian, Polynomial:
	default:
		bad("unknown kernel %q: choose %q, %q or %q", string(o.Kernel), string(Linear), string(Gaussian), string(Polynomial))
	}
	switch o.Loss {
	case "", Hinge, SquaredHinge:
	default:
		bad("unknown loss %q: choose %q or %q", string(o.Loss), string(Hinge), string(SquaredHinge))
	}
	switch o.Bias {
	case "", Free, Feature, None:
	default:
		bad("unknown kind of bias %q: choose %q, %q or %q", string(o.Bias), string(Free), string(Feature), string(None))
	}
	switch o.Solver {
	case "", Auto, SMO:
	case CD:
		if o.Kernel != "" && o.Kernel != Linear {
			bad("the solver %q is for the linear kernel: choose %q for %q", string(CD), string(SMO), string(o.Kernel))
		}
	default:
		bad("unknown solver %q: choose %q, %q or %q", string(o.Solver), string(Auto), string(CD), string(SMO))
	}
	positive("gamma", o.Gamma)
	positive("the cost C", o.C)
	positive("the scale of the bias", o.BiasScale)
	if o.Degree < 0 || o.Degree > 64 {
		bad("the degree of the polynomial kernel is %d; it must lie between 1 and 64, or be 0 for 2", o.Degree)
	}
	if o.Offset != nil && (!(*o.Offset >= 0) || math.IsInf(*o.Offset, 1)) {
		bad("the offset of the polynomial kernel is %v; it must be finite and not negative", *o.Offset)
	}
	if !(o.Tol >= 0 && o.Tol < 1) {
		bad("the tolerance must be at least 0 and below 1, not %v", o.Tol)
	}
	if o.MaxIter < 0 || o.CacheBytes < 0 || o.MaxMemory < 0 {
		bad("sweeps (%d), bytes of the cache (%d) and memory (%d) must not be negative", o.MaxIter, o.CacheBytes, o.MaxMemory)
	}
	return invalid.Join(errs...)
}

// withDefaults needs to know the rows for the solver: short dense rows are much alike, and coordinate descent then needs many sweeps.
func (o Options) withDefaults(rows int, sparse bool) Options {
	if o.Kernel == "" {
		o.Kernel = Linear
	}
	if o.Degree == 0 {
		o.Degree = 2
	}
	if o.Offset == nil {
		one := 1.0
		o.Offset = &one
	}
	if o.C == 0 {
		o.C = DefaultC
	}
	if o.Loss == "" {
		o.Loss = Hinge
	}
	if o.Bias == "" {
		o.Bias = Free
	}
	if o.BiasScale == 0 {
		o.BiasScale = 1
	}
	if o.Tol == 0 {
		o.Tol = DefaultTol
	}
	if o.MaxIter == 0 {
		o.MaxIter = DefaultMaxIter
	}
	if o.CacheBytes == 0 {
		o.CacheBytes = DefaultCacheBytes
	}
	if o.MaxMemory == 0 {
		o.MaxMemory = 16 << 30
	}
	if o.Solver == "" || o.Solver == Auto {
		o.Solver = SMO
		if o.Kernel == Linear && (sparse || !fits(rows, o.CacheBytes)) {
			o.Solver = CD
		}
	}
	return o
}
