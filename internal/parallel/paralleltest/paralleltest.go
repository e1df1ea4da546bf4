// Package paralleltest checks that results do not depend on the number of threads.
package paralleltest

import (
	"reflect"
	"testing"

	"github.com/eigenmap/eigenmap/internal/race"
	"github.com/eigenmap/eigenmap/native"
)

// Same does the work at each number of threads (see [race.Threads]) and fails where its result is
// another than at the first one by reflect.DeepEqual, which compares the bits of all numbers but
// zeros. It says of what case, and leaves the number of threads as it was.
func Same[R any](t testing.TB, of any, threads []int, work func() R) {
	t.Helper()
	defer native.SetThreads(native.Threads())
	var first R
	for i, n := range race.Threads(threads...) {
		native.SetThreads(n)
		if r := work(); i == 0 {
			first = r
		} else if !reflect.DeepEqual(r, first) {
			t.Errorf("%+v: another result on %d threads", of, n)
		}
	}
}
