//go:build cgo && !purego

package native

/*
#include "integers.h"
*/
import "C"

import (
	"errors"
	"sync"
)

// Usable returns an error if the BLAS of this process has 64-bit integers, where this package calls
// one with 32-bit integers: a host that links such a library may put it in place of ours, unless
// ours is inside the library under private names (make lib).
func Usable() error { return usable() }

var usable = sync.OnceValue(func() error {
	if C.eigenmap_wide_integers() != 0 {
		return errors.New("the BLAS of this process has 64-bit integers, and this library was built for the system's with 32-bit ones: link only one, or build the library with OpenBLAS inside (make lib, with the archives of OpenBLAS, LAPACKE and ARPACK)")
	}
	return nil
})
