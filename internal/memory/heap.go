package memory

import (
	"context"
	"os"
	"runtime/debug"
)

// LimitHeap makes the garbage collector work harder near the end of what the context and the
// machine allow, unless GOMEMLIMIT sets another limit.
func LimitHeap(ctx context.Context) {
	const least = 64 << 20 // below it there would be nothing but collecting
	if free := Left(ctx); free != Unknown && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(max(least, free-free/10))
	}
}
