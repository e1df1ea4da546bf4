package papers

import (
	"testing"

	"github.com/eigenmap/eigenmap/native"
)

// The number of threads is one until the last of several runs has ended, in any order.
func TestOneThreadEach(t *testing.T) {
	before := native.Threads()
	defer native.SetThreads(before)
	native.SetThreads(3)
	first, second := oneThreadEach(), oneThreadEach()
	first()
	if n := native.Threads(); n != 1 {
		t.Errorf("%d threads while a run computes", n)
	}
	third := oneThreadEach()
	second()
	third()
	if n := native.Threads(); n != 3 {
		t.Errorf("%d threads after all runs", n)
	}
}
