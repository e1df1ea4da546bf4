package npy

import (
	"encoding/binary"
	"strings"
	"testing"
)

// The header says its own length, ends with a line break before a multiple of 64 bytes, and names
// the shape as Python does.
func TestHeader(t *testing.T) {
	for want, shape := range map[string][]int{"()": nil, "(7,)": {7}, "(3, 20)": {3, 20}, "(123456789, 1234567)": {123456789, 1234567}} {
		head := Header(Float64, shape...)
		if len(head)%64 != 0 || int(binary.LittleEndian.Uint16(head[8:])) != len(head)-10 || head[len(head)-1] != '\n' {
			t.Errorf("%v: %q", shape, head)
		}
		if text := string(head); !strings.HasPrefix(text, "\x93NUMPY\x01\x00") || !strings.Contains(text, "{'descr': '<f8', 'fortran_order': False, 'shape': "+want+", }") {
			t.Errorf("%v: %q", shape, head)
		}
	}
}
