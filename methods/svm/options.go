package svm

import (
	"cmp"
	"fmt"
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/progress"
)

// Kernel names a kernel.
type Kernel string

// The kernels of rows x and z.
const (
	Linear     Kernel = "linear"     // x·z. The default
	Gaussian   Kernel = "gaussian"   // exp(−γ‖x−z‖²), γ = 1/σ
	Polynomial Kernel = "polynomial" // (γ x·z + offset)^degree
)

// Loss is the cost of an example inside the margin.
type Loss string

// The losses of a slack ξ.
const (
	Hinge        Loss = "hinge"         // ξ. The default
	SquaredHinge Loss = "squared-hinge" // ξ²
)

// Bias is the treatment of b.
type Bias string

// The kinds of b.
const (
	Free    Bias = "free"    // not penalised, as in libsvm and SVMlight. The default
	Feature Bias = "feature" // a constant term of value BiasScale with a weight, as in LIBLINEAR
	None    Bias = "none"    // 0
)

// Solver is the method that trains a machine.
type Solver string

// The solvers.
const (
	// Auto is cd for the linear kernel if rows are sparse, if their kernel matrix exceeds CacheBytes,
	// or if there are three times as many rows as columns and C times their mean squared length is
	// above 0 and at most 300. Else it is smo. The default.
	Auto Solver = "auto"
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
	Kernel Kernel `json:"kernel,omitempty" flag:"kernel" choices:"linear|polynomial|gaussian" default:"linear" help:"kernel of the support vector machines" group:"method"`
	// Sigma is σ of the Gaussian kernel exp(−‖x−z‖²/σ), γ = 1/σ; 0 = d·v, v the variance of all
	// entries of the training rows (1 if they are all equal): scikit-learn's "scale", about 1 for many
	// documents of unit length. libsvm's own default is d.
	Sigma float64 `json:"sigma,omitempty" flag:"sigma" range:">0" when:"kernel=gaussian" unset:"the variance of all entries times the number of terms" help:"σ in the Gaussian kernel exp(-d²/σ)" group:"method"`
	// Degree of the polynomial kernel, at most 64; 0 = 2.
	Degree int `json:"degree,omitempty" flag:"poly-degree" range:">=1" default:"2" when:"kernel=polynomial" help:"degree of the polynomial kernel" group:"method"`
	// Offset of the polynomial kernel; 0 = 1.
	Offset float64 `json:"offset,omitempty" flag:"poly-offset" range:">0" default:"1" when:"kernel=polynomial" help:"constant of the polynomial kernel" group:"method"`
	// Gamma is γ of the polynomial kernel; 0 = 1.
	Gamma float64 `json:"gamma,omitempty" range:">=0"`

	// C is the cost of every example; 0 = 1. Of dense rows whose ‖x−x̄‖² is above 30 on the mean, and
	// C times it too, C counts in a unit that grows with it, for the linear kernel with a free b: from
	// 300 on ‖x−x̄‖² is 30 in it (C times it, of a C below 1), and below at most 53. The larger cost
	// of the rows as they are would take minutes or hours. So it is from as many rows as columns that
	// vary on; up to half as many the unit is 1, and in between it follows their number. It is one
	// unit for all columns, or more and more each column's own, the fewer columns have nearly all of
	// the variance. Model.Primal and Dual are in that unit.
	C float64 `json:"c,omitempty" flag:"c" range:">0" default:"1" help:"C of the support vector machines: the cost of a document inside the margin" group:"method"`
	// Cost, if it is not nil, is C_i of each example in place of C; 0 leaves the example out.
	Cost      []float64 `json:"-"`
	Loss      Loss      `json:"loss,omitempty" choices:"hinge|squared-hinge"` // "" = hinge
	Bias      Bias      `json:"bias,omitempty" choices:"free|feature|none"`   // "" = free
	BiasScale float64   `json:"bias_scale,omitempty" range:">=0"`             // value of the constant term with Bias feature; 0 = 1

	Solver Solver `json:"solver,omitempty"` // "" = auto
	// Tol is the most by which the margin's conditions may fail; 0 = 1e-3.
	Tol float64 `json:"tol,omitempty" range:"0<=x<1"`
	// MaxIter is sweeps at most, each as many steps as there are examples; 0 = 10,000, and where auto
	// takes cd for dense rows as many times more as there are rows per column, 10 at most: a step of
	// cd costs as much less than one of smo.
	MaxIter int `json:"max_iter,omitempty" range:">=1"`
	// CacheBytes bounds the values of the kernel that smo keeps; 0 = 512 MiB, the matrix of 8,192
	// rows.
	CacheBytes int64 `json:"cache_bytes,omitempty" range:">=1"`
	// Seed of the order in which cd visits the examples.
	Seed uint64 `json:"seed,omitempty"`
	// Observer receives the stages "kernel" (rows of the matrix) and "support vectors" (sweeps;
	// machines if there are several classes).
	Observer progress.Observer `json:"-"`
}

// Text describes the kernel and the cost in words. The defaults of the options must be filled in,
// as a fit does.
func (o Options) Text() string {
	text := string(o.Kernel) + " kernel"
	switch o.Kernel {
	case Gaussian:
		text = fmt.Sprintf("Gaussian kernel of σ %.4g", o.Sigma)
	case Polynomial:
		text = fmt.Sprintf("polynomial kernel (%g + x·y)^%d", o.Offset, o.Degree)
	}
	return fmt.Sprintf("%s, C %g", text, o.C)
}

// Validate lists everything that is wrong with the options by themselves; [Fit] adds errors that
// depend on the data.
func (o Options) Validate() error {
	errs := invalid.Faults{option.Check(&o)}
	switch o.Solver {
	case "", Auto, SMO:
	case CD:
		if o.Kernel != "" && o.Kernel != Linear {
			errs.Addf("the solver %q is for the linear kernel: choose %q for %q", string(CD), string(SMO), string(o.Kernel))
		}
	default:
		errs.Addf("unknown solver %q: choose %q, %q or %q", string(o.Solver), string(Auto), string(CD), string(SMO))
	}
	if o.Sigma > 0 && math.IsInf(1/o.Sigma, 1) {
		errs.Addf("sigma is %v: it is too small, for its inverse overflows", o.Sigma)
	}
	if o.Degree > 64 {
		errs.Addf("the degree of the polynomial kernel is %d; it must lie between 1 and 64, or be 0 for 2", o.Degree)
	}
	return invalid.Join(errs...)
}

const (
	// slim is how many times more dense rows than columns coordinate descent needs: a visit costs d,
	// a step of smo n. With 1.4 (COIL20) it takes 2.4 times as long as smo, with 3.8 (FG-NET) to 53
	// (Msplice) a half to a quarter, with 1,000 normal rows a tenth.
	slim = 3
	// many is the number of dense rows from which on coordinate descent is taken. With fewer the
	// kernel matrix takes 8 MB at most, smo some milliseconds, and where it ends depends less on the
	// order of the rows: tsvm's search over 240 rows follows it to the same place more often.
	many = 1000
	// steep is the largest C·‖x‖² of the mean dense row at which coordinate descent is quick. With
	// 600 (normal rows) it is still twenty times as fast as smo, but on Madelon with its own lengths,
	// some 10,000, it is several times slower.
	steep = 300
	// mostTimes bounds how many times DefaultMaxIter coordinate descent takes on dense rows. With
	// columns of scales from 1 to 1e-7, C·‖x‖² = 290 and labels at random it needs 51,000 sweeps of
	// 300 rows and 20 columns, and is then three times as fast as smo, which needs 3,200.
	mostTimes = 10
)

// withDefaults fills in the defaults. The solver depends on the rows: square is their mean squared
// length, which matters if they are dense.
func (o Options) withDefaults(rows, columns int, sparse bool, square float64) Options {
	option.Default(&o)
	if o.Gamma == 0 && o.Kernel == Polynomial {
		o.Gamma = 1
	}
	o.Loss = cmp.Or(o.Loss, Hinge)
	o.Bias = cmp.Or(o.Bias, Free)
	o.BiasScale = cmp.Or(o.BiasScale, 1)
	o.Tol = cmp.Or(o.Tol, DefaultTol)
	o.CacheBytes = cmp.Or(o.CacheBytes, DefaultCacheBytes)
	if o.Solver == "" || o.Solver == Auto {
		o.Solver = SMO
		quick := sparse || !fits(rows, o.CacheBytes) || rows >= max(many, slim*columns) && square > 0 && o.C*square <= steep
		if o.Kernel == Linear && quick {
			o.Solver = CD
		}
		if o.Solver == CD && !sparse && o.MaxIter == 0 {
			o.MaxIter = DefaultMaxIter * min(max(1, rows/max(1, columns)), mostTimes)
		}
	}
	o.MaxIter = cmp.Or(o.MaxIter, DefaultMaxIter)
	return o
}
