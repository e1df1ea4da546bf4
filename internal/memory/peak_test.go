package memory

import "testing"

// The peak rises by an array that is written, and a reset lets it fall again.
func TestPeak(t *testing.T) {
	if Peak() == 0 || !ResetPeak() {
		t.Skip("the system does not say")
	}
	before := Peak()
	const size = 64 << 20
	block := make([]byte, size)
	for i := 0; i < size; i += 4096 {
		block[i] = byte(i >> 12)
	}
	if rise := Peak() - before; rise < size*9/10 {
		t.Errorf("%d bytes were written, and the peak rose by %d", size, rise)
	}
	if block[4096] != 1 {
		t.Error("the block is lost")
	}
}
