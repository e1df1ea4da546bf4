// Package npy has the header of NumPy's .npy files, which every writer of them shares.
package npy

import (
	"encoding/binary"
	"strconv"
	"strings"
)

// Float64 is the type of a float64, little-endian.
const Float64 = "<f8"

// Header is the header, in version 1, of an array in C order, of a type and a shape as NumPy names
// them; no shape is one value. As NumPy does, it fills up with spaces so that the values begin at a
// multiple of 64 bytes.
func Header(descr string, shape ...int) []byte {
	numbers := make([]string, len(shape))
	for k, n := range shape {
		numbers[k] = strconv.Itoa(n)
	}
	tuple := strings.Join(numbers, ", ")
	if len(shape) == 1 {
		tuple += ","
	}
	dict := "{'descr': '" + descr + "', 'fortran_order': False, 'shape': (" + tuple + "), }"
	dict += strings.Repeat(" ", 63-(10+len(dict))%64) + "\n"
	head := binary.LittleEndian.AppendUint16([]byte("\x93NUMPY\x01\x00"), uint16(len(dict)))
	return append(head, dict...)
}
