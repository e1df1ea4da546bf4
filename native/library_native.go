//go:build cgo && !purego && !canary

package native

import "gonum.org/v1/netlib/blas/netlib"

// The C libraries, without canaries around their operands (canary_native.go).
var (
	cblas   netlib.Implementation
	clapack lapacke
	carpack arpackLibrary
)
