package copies

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/sparse"
)

// Bounds of [Near].
const (
	nearShare  = 0.9 // of the columns of two rows together
	bands      = 8   // of hashes: two rows are compared if all hashes of a band agree
	bandHashes = 4
)

// NearBytes is the memory that [Near] takes for n rows.
func NearBytes(n int) int64 { return memory.Bytes(32, n) }

// hashed is a row and the hash of its columns in a band.
type hashed struct {
	key uint64
	row int32
}

// Near finds rows that share nine tenths of their columns with an earlier one, equal ones among
// them: nearly all, since rows are compared if hashes of their columns agree (MinHash). found gets
// each such row once, and that earlier one. Of the rows that have one hash each is compared with
// the first and with the one before it, so equal rows without number cost no squares.
//
// Time: O(entries) and n log n for each of eight bands of hashes. Memory: [NearBytes].
func Near(ctx context.Context, x *sparse.CSR, found func(row, earlier int)) error {
	list := make([]hashed, 0, x.NumRows)
	known := make([]bool, x.NumRows)
	for band := range bands {
		list = list[:0]
		for i := range x.NumRows {
			if i%4096 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			if cols, _ := x.Row(i); len(cols) > 0 {
				list = append(list, hashed{bandKey(cols, uint64(band)), int32(i)})
			}
		}
		slices.SortFunc(list, func(a, b hashed) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.row, b.row)) })
		first := 0
		for k := 1; k < len(list); k++ {
			if list[k].key != list[first].key {
				first = k
				continue
			}
			row := int(list[k].row)
			for _, other := range []int{int(list[first].row), int(list[k-1].row)} {
				if !known[row] && sharedColumns(x, row, other) >= nearShare {
					known[row] = true
					found(row, other)
				}
			}
		}
	}
	return nil
}

// bandKey joins the least hashes of the columns under the functions of a band.
func bandKey(cols []int32, band uint64) (key uint64) {
	for k := range uint64(bandHashes) {
		least := uint64(math.MaxUint64)
		for _, j := range cols {
			least = min(least, mixed(uint64(j)<<8|band<<3|k))
		}
		key = mixed(key ^ least)
	}
	return key
}

// mixed spreads the bits of a number (the finalizer of splitmix64).
func mixed(z uint64) uint64 {
	z += 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// sharedColumns is the share of the columns of two rows together that both have.
func sharedColumns(x *sparse.CSR, a, b int) float64 {
	left, _ := x.Row(a)
	right, _ := x.Row(b)
	both, i, j := 0, 0, 0
	for i < len(left) && j < len(right) {
		switch {
		case left[i] == right[j]:
			both++
			i++
			j++
		case left[i] < right[j]:
			i++
		default:
			j++
		}
	}
	return float64(both) / float64(len(left)+len(right)-both)
}
