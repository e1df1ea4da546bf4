// Command threads tells how many threads OpenBLAS has when a program begins, how many when three
// are asked for, and an entry of a product that they share.
package main

/*
#cgo LDFLAGS: -lopenblas
#include <cblas.h>
int openblas_get_num_threads(void);
void openblas_set_num_threads(int);
*/
import "C"

import (
	"fmt"

	_ "github.com/eigenmap/eigenmap/native/start"
)

func main() {
	before := C.openblas_get_num_threads()
	C.openblas_set_num_threads(3)
	const n = 600
	ones := make([]C.double, n*n)
	for i := range ones {
		ones[i] = 1
	}
	product := make([]C.double, n*n)
	C.cblas_dgemm(C.CblasRowMajor, C.CblasNoTrans, C.CblasNoTrans, n, n, n, 1, &ones[0], n, &ones[0], n, 0, &product[0], n)
	fmt.Println(before, C.openblas_get_num_threads(), product[n*n-1])
}
