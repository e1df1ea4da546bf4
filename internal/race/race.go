// Package race says whether a program is built with the race detector, under which a fit takes ten
// times as long. It is for tests that need fewer cases there: the others run without it.
package race

import "slices"

// Beyond returns the number of the case from which on a test takes its cases: n under the race
// detector, where the cases before share no other memory than those behind, and 0 without it.
func Beyond(n int) int {
	if On {
		return n
	}
	return 0
}

// Threads returns the numbers of threads at which a test runs: those given, in their order, but
// under the race detector not 1, which shares nothing.
func Threads(counts ...int) []int {
	return slices.DeleteFunc(counts, func(n int) bool { return On && n == 1 })
}
