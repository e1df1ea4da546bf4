//go:build slepc && cgo && !purego

package eigen

import (
	"context"
	"os"
	"testing"

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
	world, err := slepc.Start()
	if err != nil {
		t.Fatal(err)
	}
	ctx := ranks.With(context.Background(), world)
	checkDivided(t, ctx, SLEPc)
	checkDivided(t, ctx, Lanczos)
	t.Logf("rank %d of %d received %+v bytes", world.Rank(), world.Size(), world.Traffic())
}
