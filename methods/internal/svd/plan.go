package svd

import (
	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/method"
)

// PanelBytes is the memory of the panels in which dense rows are centred, n×d, in bytes.
func PanelBytes(n, d int) int64 {
	return min(memory.Bytes(8, n, d), max(memory.Bytes(8, 256, d), 8*panelSize))
}

// Planned is the stage of k dimensions of a matrix of d columns and of n rows that are here, with
// the transpose of sparse rows.
func Planned(share *ranks.Share, n, d, k int, isDense bool, solver eigen.Solver, at method.Rates) method.Stage {
	// For each dimension: 6 to 13 for 10 and 50 of TDT2 and of Debian's descriptions, 21 for 50 of
	// 20,000 abstracts. Dense rows have a matrix of their products, 256 columns 9 in all.
	products := 12 * float64(k)
	if isDense {
		products = min(products, 0.04*float64(min(share.Among(n), d)))
	}
	bytes := Bytes(share, n, d, k, isDense, solver)
	if !isDense {
		bytes = memory.Sum(bytes, memory.Bytes(12, int(float64(at.Entries)/float64(share.Among(n))*float64(n))))
	}
	return method.Stage{Name: "svd", Bytes: bytes, Keeps: memory.Sum(memory.Bytes(8, n, k), memory.Bytes(8, d, k)),
		Seconds: at.Passes(float64(at.Entries), products), Helps: []string{"‹dims›"}}
}

// GramSeconds are the seconds of the products of q rows or columns with each other.
func GramSeconds(at method.Rates, q int) float64 {
	if at.Dense {
		return at.Blocks(float64(at.Entries) * float64(q))
	}
	return at.Passes(float64(at.Entries), float64(q))
}
