//go:build slepc && cgo && !purego

package eigen

import (
	"context"
	"os"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/native/slepc"
)

// TestMain ends MPI, without which mpirun reports a failure.
func TestMain(m *testing.M) {
	code := m.Run()
	if code != 0 {
		slepc.Abort(code)
	}
	slepc.Stop()
	os.Exit(code)
}

// TestMPI runs under mpirun (make test-slepc) or alone: SLEPc, and block Lanczos on PETSc's matrix,
// find what one process does.
func TestMPI(t *testing.T) {
	world := must.Get(slepc.Start())(t)
	ctx := ranks.With(context.Background(), world)
	for sender := range world.Size() { // the others have nothing to say
		parts := make([][]byte, world.Size())
		if sender == world.Rank() {
			for to := range parts {
				parts[to] = []byte{byte(sender), byte(to)}
			}
		}
		for from, got := range world.Exchange(parts) {
			if want := from == sender; want != (len(got) == 2) || want && got[1] != byte(world.Rank()) {
				t.Errorf("rank %d got %v of rank %d, not of %d alone", world.Rank(), got, from, sender)
			}
		}
	}
	checkDivided(t, ctx, SLEPc)
	checkDivided(t, ctx, Lanczos)
	checkShared(t, world, SLEPc)
	checkShared(t, world, Lanczos)
	t.Logf("rank %d of %d received %+v bytes", world.Rank(), world.Size(), world.Traffic())
}
