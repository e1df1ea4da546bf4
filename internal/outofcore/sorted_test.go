package outofcore

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// Lines come in the order of their numbers, equal ones as they were added, in memory and from runs
// on the disk.
func TestSortedLines(t *testing.T) {
	defer func(held int) { sortedHeld = held }(sortedHeld)
	for _, held := range []int{SortedBytes, 2000, 1} {
		sortedHeld = held
		r := rand.New(rand.NewPCG(1, 2))
		var s Sorted
		type item struct {
			key  float64
			line []byte
		}
		var want []item
		for i := range 500 {
			line := binary.BigEndian.AppendUint64(nil, uint64(i))
			want = append(want, item{float64(r.IntN(40)) / 8, line[:8-i%3]})
			must.Do(t, s.Add(want[i].key, want[i].line))
		}
		slices.SortStableFunc(want, func(a, b item) int { return cmp.Compare(a.key, b.key) })
		k := 0
		err := s.Each(func(line []byte) error {
			if !bytes.Equal(line, want[k].line) {
				t.Fatalf("%d bytes held: line %d is %x, not %x", held, k, line, want[k].line)
			}
			k++
			return nil
		})
		s.Close()
		if err != nil || k != len(want) {
			t.Errorf("%d bytes held: %d of %d lines, %v", held, k, len(want), err)
		}
	}
	var none Sorted
	if err := none.Each(func([]byte) error { t.Error("a line of none"); return nil }); err != nil {
		t.Error(err)
	}
}
