//go:build amd64 && !purego

package approx

import (
	"github.com/eigenmap/eigenmap/methods/graph/internal/exact"
	"golang.org/x/sys/cpu"
)

var haveAVX = cpu.X86.HasAVX2 && cpu.X86.HasFMA

// sparseArgs holds the arguments of sparseProductsAVX.
type sparseArgs struct {
	first *int
	block *exact.TermBlock
	open  *float32
	js    *int32
	count int
	out   *float32
}

// denseArgs holds the arguments of denseDistancesAVX.
type denseArgs struct {
	rows  *denseStep
	steps int
	own   *denseStep
	js    *int32
	count int
	out   *float32
}

//go:noescape
func sparseProductsAVX(a *sparseArgs)

//go:noescape
func denseDistancesAVX(a *denseArgs)

// sparseProducts is sparseProductsGo. The caller guarantees rows and terms.
func sparseProducts(first []int, block []exact.TermBlock, open []float32, js []int32, out []float32) {
	if !haveAVX || len(js) == 0 || len(block) == 0 {
		sparseProductsGo(first, block, open, js, out)
		return
	}
	_ = out[:len(js)]
	sparseProductsAVX(&sparseArgs{&first[0], &block[0], &open[0], &js[0], len(js), &out[0]})
}

// denseDistances is denseDistancesGo. The caller guarantees the rows.
func denseDistances(rows []denseStep, steps, i int, js []int32, out []float32) {
	if !haveAVX || len(js) == 0 || steps == 0 {
		denseDistancesGo(rows, steps, i, js, out)
		return
	}
	_ = out[:len(js)]
	denseDistancesAVX(&denseArgs{&rows[0], steps, &rows[i*steps], &js[0], len(js), &out[0]})
}
