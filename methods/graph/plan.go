package graph

import "github.com/eigenmap/eigenmap/internal/memory"

// IndexBytes estimates what the search for neighbours takes beside its lists, in bytes: the index
// of the entries of sparse rows, or dense rows in float32.
func IndexBytes(entries int, isSparse bool) int64 {
	if isSparse {
		return memory.Bytes(14, entries)
	}
	return memory.Bytes(4, entries)
}

// KeptBytes estimates the memory of a finished graph of k neighbours of n documents.
func KeptBytes(n, k int) int64 { return memory.Bytes(2*12, n, k) }

// CompleteBytes estimates the peak memory of [BuildComplete] beside the rows.
func CompleteBytes(entries int) int64 { return memory.Bytes(36, entries) }

// Approximate reports whether the neighbours of n documents are searched approximately.
func (o Options) Approximate(n int) bool { return o.Search.approximate(n) }
