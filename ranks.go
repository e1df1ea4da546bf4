package eigenmap

import (
	"context"
	"strings"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/ranks"
)

// checkRanks refuses what the ranks of an MPI run cannot do together.
func (r *request) checkRanks(ctx context.Context) error {
	size := ranks.From(ctx).Size()
	switch {
	case size == 1:
		return nil
	case r.withMethod() && !r.spec.Divided:
		var names []string
		for _, s := range Methods() {
			if s.Divided {
				names = append(names, s.Name)
			}
		}
		return invalid.Errorf("the method %s is not divided among ranks, of which there are %d, because %s: start it without mpirun, or choose one of %s",
			r.spec.Name, size, r.spec.Whole, strings.Join(names, ", "))
	case r.Work != "":
		return invalid.Errorf("‹work› keeps the stages of one process, and there are %d ranks: leave it out, or start without mpirun", size)
	case r.inSingle():
		return invalid.Errorf("‹precision› single is for one process, and there are %d ranks, which divide the documents: leave it out, or start without mpirun", size)
	}
	return nil
}
