package main

import (
	"os"
	"runtime/debug"

	"github.com/eigenmap/eigenmap/internal/memory"
)

// methodMemory is what methods may take by default, on a machine that has it.
const methodMemory = 16 << 30

// allowed is the limit for work whose default is most bytes: 0, which stands for the default, or what the machine has where that is less.
func allowed(most int64) int64 {
	if limit := memory.Limit(most); limit < most {
		return limit
	}
	return 0
}

// limitHeap makes the garbage collector work harder near the end of what the machine has, unless GOMEMLIMIT says another limit.
func limitHeap() {
	const least = 64 << 20 // below it there would be nothing but collecting
	if free := memory.Available(); free != memory.Unknown && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(max(least, free-free/10))
	}
}
