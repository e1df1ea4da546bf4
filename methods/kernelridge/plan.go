package kernelridge

import (
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/methods/internal/pairs"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Bytes estimates the peak memory of [Fit] in bytes: n rows of p columns, of which m have a label,
// with so many bytes of entries, and K classes.
func Bytes(n, m, p, classes int, entries int64) int64 {
	used, looked := min(m, mostUsed), min(m, mostLooked)
	system := memory.Bytes(8*2, used, used)     // distances and kernel
	search := memory.Bytes(8*5, looked, looked) // with eigenvectors and their work space
	search = memory.Sum(memory.Bytes(8, used, used), search)
	return memory.Sum(entries, max(system, search), pairs.PanelBytes(used, p, false), memory.Bytes(8*4, used, classes), memory.Bytes(8*2, n, classes))
}

// sizeOf is the memory of the entries of rows.
func sizeOf(x mat.Matrix) int64 {
	if a, ok := x.(*sparse.CSR); ok {
		return memory.Bytes(12, a.NNZ())
	}
	n, p := x.Dims()
	return memory.Bytes(8, n, p)
}

// Plan implements method.Planner.
func (o *Options) Plan(in *method.Input, at method.Rates) ([]method.Stage, error) {
	n, p := in.X.Dims()
	classes, m := len(in.Given.Names), min(in.Labelled(), mostUsed)
	entries := memory.Bytes(8, m, p)
	if in.Sparse() {
		entries = memory.Bytes(12, int(at.Of(m, n).Entries))
	}
	looked := float64(min(m, mostLooked))
	work := float64(len(widths))*9*looked*looked*looked/2 + float64(m)*float64(m)*float64(m)/6
	bytes := Bytes(n, m, p, classes, entries)
	keeps := memory.Sum(entries, memory.Bytes(8, n+m, classes))
	return []method.Stage{{Name: stage, Seconds: at.Blocks(work) + at.Pairs(float64(n+m)*float64(m), n), Bytes: bytes, Keeps: keeps}}, nil
}
