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

// NearBytes is the memory that [Near] takes for n rows and so many columns.
func NearBytes(n, cols int) int64 { return memory.Bytes(32, n) + memory.Bytes(8*bandHashes, cols) }

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
// Time: O(entries + columns) and n log n for each of eight bands of hashes. Memory: [NearBytes].
func Near(ctx context.Context, x *sparse.CSR, found func(row, earlier int)) error {
	list := make([]hashed, 0, x.NumRows)
	known := make([]bool, x.NumRows)
	hashes := make([]columnHashes, x.NumCols)
	for band := range bands {
		hashColumns(hashes, uint64(band))
		list = list[:0]
		for i := range x.NumRows {
			if i%4096 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			if cols, _ := x.Row(i); len(cols) > 0 {
				list = append(list, hashed{bandKey(cols, hashes), int32(i)})
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

// columnHashes are the hashes of a column under the functions of a band.
type columnHashes [bandHashes]uint64

// hashColumns sets the hashes of all columns under the functions of a band. Most columns have many
// entries, so they are computed once.
func hashColumns(hashes []columnHashes, band uint64) {
	for j := range hashes {
		for k := range uint64(bandHashes) {
			hashes[j][k] = mixed(uint64(j)<<8 | band<<3 | k)
		}
	}
}

// bandKey joins the least hashes of the columns under the functions of a band.
func bandKey(cols []int32, hashes []columnHashes) (key uint64) {
	a, b, c, d := uint64(math.MaxUint64), uint64(math.MaxUint64), uint64(math.MaxUint64), uint64(math.MaxUint64)
	for _, j := range cols {
		h := &hashes[j]
		a, b, c, d = min(a, h[0]), min(b, h[1]), min(c, h[2]), min(d, h[3])
	}
	for _, least := range [bandHashes]uint64{a, b, c, d} {
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
