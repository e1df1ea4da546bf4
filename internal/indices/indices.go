// Package indices lists the numbers of n values, in their order or sorted by what they number.
package indices

import (
	"cmp"
	"slices"
)

// UpTo returns the numbers 0 to n − 1.
func UpTo(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = i
	}
	return list
}

// By returns the numbers 0 to n − 1 sorted by compare, of which equal ones keep their order.
func By(n int, compare func(a, b int) int) []int {
	list := UpTo(n)
	slices.SortStableFunc(list, compare)
	return list
}

// Falling returns the numbers of values, those of the largest first and equal ones in their order.
func Falling[T cmp.Ordered](values []T) []int {
	return By(len(values), func(a, b int) int { return cmp.Compare(values[b], values[a]) })
}

// Ints converts numbers.
func Ints(list []int32) []int {
	ints := make([]int, len(list))
	for i, v := range list {
		ints[i] = int(v)
	}
	return ints
}
