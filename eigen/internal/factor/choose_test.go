package factor

import (
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/sparse"
)

// Level by level a path costs 4 operations an edge and 1 for the first point, and a complete graph
// of n points two levels, 1 and n − 1; components add up.
func TestOperationsByLevels(t *testing.T) {
	const path, full = 7, 5
	b := sparse.NewBuilder(path+full+1, path+full+1)
	link := func(i, j int) {
		b.Add(i, j, 1)
		b.Add(j, i, 1)
	}
	for i := range path - 1 {
		link(i, i+1)
	}
	for i := range full {
		for j := range i {
			link(path+i, path+j)
		}
	}
	a := must.Get(b.Build())(t)
	level, depth, flops := levels(a)
	if want := 4.0*(path-1) + 1 + full*full + (full-1)*(full-1)*(full-1) + 1; flops != want {
		t.Errorf("%v operations, want %v", flops, want)
	}
	for i := range path {
		if from := min(level[0], level[path-1]); from != 0 || level[i]+level[path-1-i] != path-1 || depth[i] != path {
			t.Errorf("point %d of the path has level %d of %d", i, level[i], depth[i])
		}
	}
	sum := int32(0)
	for i := path; i < path+full; i++ {
		if sum += level[i]; depth[i] != 2 {
			t.Errorf("point %d of the complete graph has depth %d", i, depth[i])
		}
	}
	if sum != full-1 || level[path+full] != 0 || depth[path+full] != 1 {
		t.Errorf("levels %v, depths %v", level, depth)
	}
}
