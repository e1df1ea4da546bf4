package parquet

import (
	"encoding/binary"
	"testing"
)

// TestDeltaEnd: a list that ends with its data is whole, and sizes that no writer gives are refused
// before anything is divided by them.
func TestDeltaEnd(t *testing.T) {
	list := func(size, minis, total uint64, rest ...byte) []byte {
		var b []byte
		for _, v := range []uint64{size, minis, total, 0} {
			b = binary.AppendUvarint(b, v)
		}
		return append(b, rest...)
	}
	block := []byte{0, 1, 0, 0, 0, 7, 7, 7, 7} // least difference, four widths, 32 values of one bit
	whole := list(128, 4, 33, block...)
	if n, end, ok := deltaEnd(whole); !ok || n != 33 || end != len(whole) {
		t.Errorf("%d values in %d of %d bytes, %v", n, end, len(whole), ok)
	}
	if n, end, ok := deltaEnd(append(whole, 1, 2)); !ok || n != 33 || end != len(whole) {
		t.Errorf("with more behind: %d values in %d of %d bytes, %v", n, end, len(whole), ok)
	}
	for _, wrong := range [][]byte{whole[:len(whole)-1], list(0, 4, 33, block...), list(128, 0, 33, block...), list(4, 128, 33, block...),
		list(1<<21, 4, 33, block...), list(128, 4, 1<<32, block...), list(128, 4, 33, 0, 65, 0, 0, 0)} {
		if _, _, ok := deltaEnd(wrong); ok {
			t.Errorf("%v is taken for a list", wrong)
		}
	}
}
