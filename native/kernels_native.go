//go:build cgo && !purego

package native

/*
#include "kernels.h"
*/
import "C"

// kernels says how OpenBLAS came to its kernels (kernels.h).
func kernels() Kernels {
	return [...]Kernels{
		C.EIGENMAP_KERNELS_RIGHT:  KernelsOwn,
		C.EIGENMAP_KERNELS_CHOSEN: KernelsChosen,
		C.EIGENMAP_KERNELS_FORCED: KernelsForced,
		C.EIGENMAP_KERNELS_OLD:    KernelsOld,
	}[C.eigenmap_kernels]
}
