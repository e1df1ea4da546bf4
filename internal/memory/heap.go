package memory

import (
	"os"
	"runtime/debug"
)

// LimitHeap makes the garbage collector work harder near the end of what the machine has, unless
// GOMEMLIMIT sets another limit.
func LimitHeap() {
	const least = 64 << 20 // below it there would be nothing but collecting
	if free := Available(); free != Unknown && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(max(least, free-free/10))
	}
}
