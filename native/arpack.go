package native

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/blas/blas64"

	"github.com/eigenmap/eigenmap/internal/invalid"
)

// ErrNoARPACK is the error of [SymARPACK] in a build without cgo. It is a wrong request
// (fs.ErrInvalid).
var ErrNoARPACK = invalid.Errorf("ARPACK is not in this program, which was built without cgo or with the tag purego: use the solver lanczos, or build with cgo")

// ARPACKOptions are the options of [SymARPACK]. The zero value computes the largest eigenvalues to
// machine precision from a fixed random start.
type ARPACKOptions struct {
	// Which is "LA" (default) for the algebraically largest eigenvalues, or "SA" for the smallest.
	Which string
	// NCV is the size of the Lanczos basis, in (k, n]; 0 means min(n, max(2k+1, 20)).
	NCV int
	// Tol bounds the error of each eigenvalue relative to its magnitude; 0 means machine precision.
	Tol float64
	// MaxIter is the largest number of restarts; 0 means 10n.
	MaxIter int
	// Start is the first vector, of length n and not in the operator's null space (info -9); nil
	// means a fixed random one.
	Start []float64
	// Check is called before each product and while waiting for another call. An error stops the
	// iteration and is returned. May be nil.
	Check func() error
}

// ARPACKResult is the result of [SymARPACK].
type ARPACKResult struct {
	// Values are the converged eigenvalues, ascending. Vectors is n×len(Values), each column a unit
	// eigenvector of arbitrary sign.
	Values  []float64
	Vectors blas64.General
	// Converged is len(Values): k, or less if the restarts were used up.
	Converged int
	// Iterations counts restarts; Products counts calls of product.
	Iterations int
	Products   int
	// Random counts the random vectors that ARPACK drew because the basis spanned an invariant
	// subspace. They come from a sequence that the whole process shares, so a result with Random
	// above 0 does not repeat its bits.
	Random int
}

// ARPACKError is a failure that ARPACK reports.
type ARPACKError struct {
	// Routine is "dsaupd" or "dseupd"; Info is its code.
	Routine string
	Info    int
}

func (e *ARPACKError) Error() string {
	return fmt.Sprintf("ARPACK's %s failed with info %d: %s", e.Routine, e.Info, e.text())
}

// text returns the meaning of the code in ARPACK's documentation.
func (e *ARPACKError) text() string {
	switch e.Info {
	case 1:
		return "the largest number of restarts is used up before all eigenvalues converged"
	case 3:
		return "no shifts could be applied in a restart; a larger basis (NCV) may help"
	case -1:
		return "the order of the matrix must be positive"
	case -2:
		return "the number of eigenvalues must be positive"
	case -3:
		return "the basis (NCV) must be larger than the number of eigenvalues and at most the order of the matrix"
	case -4:
		return "the number of restarts must be positive"
	case -5:
		return "which eigenvalues are wanted is not one of LM, SM, LA, SA and BE"
	case -6:
		return "the kind of problem (BMAT) is neither I nor G"
	case -7:
		return "the private workspace is too short"
	case -8:
		return "LAPACK did not find the eigenvalues of the tridiagonal matrix"
	case -9:
		return "the starting vector is zero, or the operator takes it to zero"
	case -10:
		return "the mode is not one of 1 to 5"
	case -11:
		return "mode and kind of problem do not fit each other"
	case -12:
		return "the shift strategy is neither 0 nor 1"
	case -13:
		return "a single eigenvalue cannot be taken from both ends"
	case -14:
		return "no eigenvalue was found to sufficient accuracy"
	case -15:
		return "the form of the vectors (HOWMNY) is neither A nor S"
	case -16:
		return "selected vectors are not supported"
	case -17:
		return "dseupd counts another number of converged eigenvalues than dsaupd"
	case -9999:
		return "no Lanczos factorisation could be built; another start or a larger basis (NCV) may help"
	}
	return "a code that ARPACK's documentation does not list"
}

// complete checks the options for a matrix of order n and fills in the defaults.
func (o ARPACKOptions) complete(n, k int) (ARPACKOptions, error) {
	var errs invalid.Faults
	switch o.Which {
	case "":
		o.Which = "LA"
	case "LA", "SA":
	default:
		errs.Addf("ARPACK's eigenvalues must be LA or SA, not %q", o.Which)
	}
	if k < 1 || k >= n {
		errs.Addf("ARPACK finds 1 to n-1 = %d eigenvalues, not %d: use the solver dense for all of them", n-1, k)
	}
	if n > math.MaxInt32 {
		errs.Addf("the order %d is too large for ARPACK's 32-bit integers", n)
	}
	if o.NCV == 0 {
		o.NCV = min(n, max(2*k+1, 20))
	} else if o.NCV <= k || o.NCV > n {
		errs.Addf("ARPACK's basis must be larger than the %d eigenvalues wanted and at most the order %d, not %d", k, n, o.NCV)
	}
	if !(o.Tol >= 0) {
		errs.Addf("the tolerance must be zero or more, not %v", o.Tol)
	}
	if o.MaxIter < 0 {
		errs.Addf("the number of restarts must be zero (for the default) or more, not %d", o.MaxIter)
	} else if o.MaxIter == 0 {
		o.MaxIter = 10 * n
	}
	o.MaxIter = min(o.MaxIter, math.MaxInt32)
	switch {
	case o.Start == nil:
		random := rand.New(rand.NewPCG(0, uint64(n)))
		o.Start = make([]float64, max(n, 0))
		for i := range o.Start {
			o.Start[i] = 2*random.Float64() - 1
		}
	case len(o.Start) != n:
		errs.Addf("the starting vector has %d entries, the matrix has order %d", len(o.Start), n)
	case notFinite(o.Start) >= 0:
		errs.Addf("the starting vector must be finite, but entry %d is not", notFinite(o.Start))
	default:
		o.Start = append([]float64(nil), o.Start...) // ARPACK overwrites it
	}
	return o, invalid.Join(errs...)
}
