package matrix

import (
	"testing"
)

func FuzzIDX(f *testing.F) {
	f.Add([]byte("\x00\x00\x08\x03\x00\x00\x00\x02\x00\x00\x00\x01\x00\x00\x00\x02\x00\x03\x04\x05"))
	f.Fuzz(func(t *testing.T, data []byte) { fuzzRead(t, data, "idx", Options{}) })
}
