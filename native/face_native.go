//go:build cgo && !purego

package native

/*
#cgo LDFLAGS: -lopenblas -llapacke -larpack -lm
#include <cblas.h>

void ilaver_(int *major, int *minor, int *patch);
*/
import "C"

import (
	"fmt"
	"strings"
	"sync"
)

func available() []Engine { return []Engine{openBLAS{}, goEngine{}} }

// config is OpenBLAS' description of itself, read once: openblas_get_config appends to a buffer of
// the whole process, and calls at the same time mix their texts.
var config = sync.OnceValue(func() string { return strings.TrimSpace(C.GoString(C.openblas_get_config())) })

// libraries fills in the libraries of the native build.
func libraries(info *Information) {
	var major, minor, patch C.int
	C.ilaver_(&major, &minor, &patch)
	info.BLAS = config()
	info.LAPACK = fmt.Sprintf("%d.%d.%d", major, minor, patch)
	info.Core = C.GoString(C.openblas_get_corename())
	info.Kernels = kernels()
	info.CGO = true
	if info.Backend == (goEngine{}).Name() {
		goLibraries(info)
	}
}
