package softlda

import (
	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/panel"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Planned is the stage of [Fit] for rows x that hold their sizes alone and so many classes.
func Planned(x mat.Matrix, at method.Rates, classes int) method.Stage {
	const products = 100
	n, d := x.Dims()
	isSparse := sparse.Is(x)
	entry := int64(8) // the weighted rows
	if isSparse {
		entry = 20 // their values, and the transpose
	}
	q, places := min(n, d), memory.Bytes(8, n, classes-1)
	stage := method.Stage{Bytes: memory.Sum(memory.Bytes(entry, at.Entries), memory.Bytes(3*8, n, classes), memory.Bytes(4*8, d, classes)), Keeps: places,
		Seconds: at.Passes(float64(at.Entries), float64(products*classes))}
	if memory.Bytes(8, q, q) <= directBytes(isSparse) {
		stage.Bytes = memory.Sum(stage.Bytes, panel.GramBytes(q, max(n, d)))
		// Products of dense matrices are some twenty times as fast as those with blocks of vectors.
		const blocks = 20
		gram := float64(q)
		if !isSparse {
			gram /= blocks
		}
		stage.Seconds = at.Passes(float64(at.Entries), gram) + at.Passes(float64(q)*float64(q), float64(q)/6/blocks)
	}
	return stage
}
