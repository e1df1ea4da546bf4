package parallel

import (
	"context"
	"slices"
)

// sortGrain is the number of items that one goroutine sorts at a time.
const sortGrain = 1 << 13

// Sort sorts items by an order in which no two are equal: parts of them on several goroutines,
// which are then merged two by two. Cost: O(n·log n). Memory: as much as the items. It returns the
// context's error, and then the items are in no order.
func Sort[T any](ctx context.Context, items []T, compare func(a, b T) int) error {
	n := len(items)
	err := For(ctx, n, sortGrain, func(_, lo, hi int) error {
		slices.SortFunc(items[lo:hi], compare)
		return nil
	})
	if err != nil || n <= sortGrain {
		return err
	}
	from, to := items, make([]T, n)
	for width := sortGrain; width < n; width *= 2 {
		err := For(ctx, n, 2*width, func(_, lo, hi int) error {
			merge(to[lo:hi], from[lo:min(lo+width, hi)], from[min(lo+width, hi):hi], compare)
			return nil
		})
		if err != nil {
			return err
		}
		from, to = to, from
	}
	copy(items, from)
	return nil
}

// merge fills out with the items of two lists in order.
func merge[T any](out, a, b []T, compare func(a, b T) int) {
	for k := range out {
		if len(b) == 0 || len(a) > 0 && compare(a[0], b[0]) < 0 {
			out[k], a = a[0], a[1:]
		} else {
			out[k], b = b[0], b[1:]
		}
	}
}
