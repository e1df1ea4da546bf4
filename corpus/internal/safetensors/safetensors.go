// Package safetensors reads the heads of files of safetensors: 8 bytes with the length of the head
// (little-endian), the head, which is a JSON object of a type, a shape and a range of bytes for
// each array, and the arrays, in row order.
package safetensors

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"

	"github.com/eigenmap/eigenmap/internal/memory"
)

// mostHead is the largest head that is read; the reference library allows as much.
const mostHead = 100 << 20

// Array is the entry of an array in a head.
type Array struct {
	Type    string   `json:"dtype"`
	Shape   []int    `json:"shape"`
	Offsets [2]int64 `json:"data_offsets"` // from the end of the head
}

// Is reports whether a file is one of safetensors by its first bytes.
func Is(head []byte) bool {
	return len(head) > 10 && bytes.Equal(head[5:8], make([]byte, 3)) && head[8] == '{' && head[9] == '"'
}

// ReadHead reads the head of a file of so many bytes; below 0: not known. It returns its entries by
// name, and the byte at which the arrays begin. The error says what is wrong, to follow the name of
// the file.
func ReadHead(r io.Reader, size int64) (list map[string]json.RawMessage, start int64, err error) {
	var long [8]byte
	if _, err := io.ReadFull(r, long[:]); err != nil {
		return nil, 0, fmt.Errorf("it is shorter than the head of a file of safetensors")
	}
	length := binary.LittleEndian.Uint64(long[:])
	if length > mostHead || size >= 0 && int64(length) > size-8 {
		return nil, 0, fmt.Errorf("its head would take %d bytes of %d, so it is no file of safetensors or is cut off", length, max(size, 0))
	}
	head, err := io.ReadAll(io.LimitReader(r, int64(length)))
	if err != nil {
		return nil, 0, err
	}
	if uint64(len(head)) < length {
		return nil, 0, fmt.Errorf("it ends inside its head, it was cut off")
	}
	if err := json.Unmarshal(bytes.TrimSpace(head), &list); err != nil {
		return nil, 0, fmt.Errorf("its head is no JSON object (%v), so it is no file of safetensors", err)
	}
	return list, 8 + int64(length), nil
}

// Holds reports whether the array has the bytes that its shape takes with numbers of a size, among
// so many bytes of arrays.
func (a *Array) Holds(size, bytes int64) bool {
	count, whole := memory.Bytes(size, a.Shape...), true
	for _, n := range a.Shape {
		whole = whole && n > 0 && n <= math.MaxInt32
	}
	return whole && a.Offsets[0] >= 0 && a.Offsets[1] <= bytes && a.Offsets[1]-a.Offsets[0] == count
}
