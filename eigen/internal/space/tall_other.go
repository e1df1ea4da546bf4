//go:build !amd64 || purego

package space

type tallArgs struct {
	v             *float64
	vStride       int
	rows, columns int
	w, h          *float64
}

func tallDots4(*tallArgs)     {}
func tallSubtract4(*tallArgs) {}
func tallDots2(*tallArgs)     {}
func tallSubtract2(*tallArgs) {}

const haveTall = false
