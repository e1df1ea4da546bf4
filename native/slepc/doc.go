// Package slepc finds eigenpairs with SLEPc on matrices whose rows are divided among the ranks of
// an MPI run, and is the team of these ranks ([World]).
//
// It needs the build tag slepc and cgo (make build-slepc). Without them [Available] is false and
// [Start] is an error that names the build.
//
// MPI, PETSc and SLEPc start with the first call of [Start], on one locked thread, which makes all
// later calls. PETSc's signal handlers stay off: they would take over Go's signals. OpenBLAS gets
// one thread.
//
// Sizes: PETSc's default indices have 32 bits, so a matrix has at most 2³¹−1 rows, and a rank at
// most 2³¹−1 entries.
package slepc

import (
	"os"
	"strconv"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"gonum.org/v1/gonum/blas/blas64"
)

// ErrNotBuilt is the error of [Start] in a build without SLEPc.
var ErrNotBuilt = invalid.Errorf("‹solver› slepc: this program was built without SLEPc: make deps-slepc build-slepc makes bin/eigenmap-slepc, which has it; or leave ‹solver› out")

// Rows are the rows [First, First+len(RowPtr)−1) of a symmetric matrix S of order N, and what is
// known of all of it. Every rank has its own. Columns are numbered in the whole matrix.
type Rows struct {
	N, First int
	RowPtr   []int
	Col      []int32
	Val      []float64

	// Set is the set of each row, −1 for none, of Sets sets; nil without sets. Every two rows i, j of
	// a set have Weight·Scale_i·Scale_j on top of the entries.
	Set    []int32
	Sets   int
	Scale  []float64
	Weight float64

	// Label and Height give Labels orthonormal eigenvectors that are known: vector c has Height at the
	// rows with label c. [Matrix.Largest] moves their eigenvalues below all others.
	Label  []int32
	Labels int
	Height []float64
}

// Matrix is a matrix whose rows are divided. Its methods are collective.
type Matrix interface {
	// MulBlock sets dst = S·x for the own rows of blocks of vectors.
	MulBlock(dst, x blas64.General)
	// NNZ is the number of entries of all ranks' rows.
	NNZ() int
	// Largest finds eigenpairs at the upper end, beside those that are known.
	Largest(Request) (Found, error)
	// Close frees the memory of PETSc.
	Close()
}

// Request is what [Matrix.Largest] is to find.
type Request struct {
	K        int     // pairs
	Subspace int     // basis vectors, 0: SLEPc chooses
	Tol      float64 // of ‖Su − μu‖ for unit u; of its ratio to |μ| if Relative
	Relative bool
	MaxIter  int
	Start    []float64 // own rows of the first vector
}

// Found are the pairs that met the tolerance: values descending, and the own rows of unit vectors
// as columns.
type Found struct {
	Values     []float64
	Vectors    blas64.General
	Iterations int
	Products   int
	Subspace   int
}

// Traffic counts the bytes that this rank has received.
type Traffic struct {
	Exchanged int64 // parts of other ranks: candidates of neighbours, eigenvectors, clusters
	Summed    int64 // results of sums: projections and norms
	Products  int64 // rows of vectors that products with its own rows need
}

// launchers are variables that the starters of MPI programs set: Open MPI's and MPICH's mpirun, and
// srun with PMI-2 and PMIx.
var launchers = []string{"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMI_RANK", "PMIX_RANK"}

// sizes are the variables of launchers that hold the number of processes.
var sizes = []string{"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS"}

// Processes returns the number of processes that mpirun or srun started this one with; 1 if neither
// did, or if it is not known.
func Processes() int {
	if !Launched() {
		return 1
	}
	for _, name := range sizes {
		if n, err := strconv.Atoi(os.Getenv(name)); err == nil && n > 0 {
			return n
		}
	}
	return 1
}

// Launched reports whether mpirun or srun started this process.
func Launched() bool {
	for _, name := range launchers {
		if os.Getenv(name) != "" {
			return true
		}
	}
	return false
}
