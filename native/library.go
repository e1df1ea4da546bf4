//go:build !canary

package native

import (
	blasgo "gonum.org/v1/gonum/blas/gonum"
	lapackgo "gonum.org/v1/gonum/lapack/gonum"
)

// gonum's kernels, without canaries around their operands (canary.go).
var (
	goBLAS   blasgo.Implementation
	goLAPACK lapackgo.Implementation
)
