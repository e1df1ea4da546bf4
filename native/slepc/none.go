//go:build !slepc || !cgo || purego

package slepc

import (
	"context"
	"time"
)

// Available reports whether this build has SLEPc.
const Available = false

// World is the ranks of an MPI run; this build has none.
type World struct{ ranks }

type ranks interface {
	Rank() int
	Size() int
	Sum(x []float64)
	Share(x []float64)
	Exchange(parts [][]byte) [][]byte
}

// Start is an error that names the build with SLEPc.
func Start() (*World, error) {
	return nil, ErrNotBuilt
}

// NewMatrix makes no matrix in this build.
func (*World) NewMatrix(Rows) (Matrix, error) { _, err := Start(); return nil, err }

// LocalSize is 1 in this build.
func (*World) LocalSize() int { return 1 }

// Wait does nothing in this build.
func (*World) Wait(context.Context, time.Duration) error { return nil }

// Traffic is nothing in this build.
func (*World) Traffic() Traffic { return Traffic{} }

// Stop does nothing in this build.
func Stop() {}

// Abort does nothing in this build.
func Abort(int) {}
