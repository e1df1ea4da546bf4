//go:build amd64 && !purego

package space

import "golang.org/x/sys/cpu"

// tallArgs holds the arguments of the kernels in tall_amd64.s.
type tallArgs struct {
	v       *float64
	vStride int // bytes
	rows    int
	columns int      // of v, at least one
	w       *float64 // rows×4, rows×2
	h       *float64 // columns×4, columns×2
}

//go:noescape
func tallDots4(a *tallArgs)

//go:noescape
func tallSubtract4(a *tallArgs)

//go:noescape
func tallDots2(a *tallArgs)

//go:noescape
func tallSubtract2(a *tallArgs)

var haveTall = cpu.X86.HasAVX2 && cpu.X86.HasFMA
