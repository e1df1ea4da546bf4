package lars

import (
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/panel"
	"github.com/eigenmap/eigenmap/native"
)

// Bytes estimates the peak memory of [Fit] beside x and y, in bytes: for so many responses on n×p
// data with some number of entries, dense or sparse, and paths to some number of terms.
func Bytes(n, p, entries int, isDense bool, responses, terms int) int64 {
	entry, k := int64(12), min(terms, p)
	if isDense {
		entry = 8
	}
	each := memory.Sum(memory.Bytes(40, n), memory.Bytes(60, p), memory.Bytes(4, k, k))
	return memory.Sum(memory.Bytes(entry, entries), memory.Bytes(each, min(native.Threads(), responses)), PathBytes(responses, terms))
}

// PathBytes is the memory of the paths that [Fit] returns, in bytes.
func PathBytes(responses, terms int) int64 {
	return memory.Sum(memory.Bytes(12, responses, terms, terms), memory.Bytes(128, responses, terms))
}

// RidgeBytes estimates the peak memory of [Ridge] beside x and y, in bytes: for so many responses
// on n×p data with some number of entries, dense or sparse.
func RidgeBytes(n, p, entries int, isDense bool, responses int) int64 {
	q := min(n, p)
	bytes := memory.Sum(memory.Bytes(8*3, n, responses), memory.Bytes(8*4, p, responses))
	if !isDense {
		bytes = memory.Sum(bytes, memory.Bytes(12, entries))
	}
	if memory.Bytes(8, q, q) <= gramBytes {
		bytes = memory.Sum(bytes, panel.GramBytes(q, max(n, p)))
	}
	return bytes
}

// Work is the number of multiplications of [Fit], roughly.
func Work(n, entries, responses, terms int) float64 {
	return float64(responses) * (float64(entries) + 10*float64(n)*float64(terms))
}
