//go:build linux && cgo && !purego

package start

/*
#include "start.h"
*/
import "C"

// Least is the least address space, in bytes, with which the program begins to work.
const Least int64 = C.LEAST_ADDRESS_SPACE
