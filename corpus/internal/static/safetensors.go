package static

import (
	"encoding/binary"
	"encoding/json"
	"maps"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/corpus/internal/safetensors"
)

// Types that arrays may have, and the bytes of a number of each: vectors and weights, and rows of
// tokens.
var (
	numberSize = map[string]int64{"F64": 8, "F32": 4, "F16": 2, "BF16": 2, "I8": 1}
	rowSize    = map[string]int64{"I32": 4, "I64": 8}
)

// tensors is the head of a file with a table of vectors.
type tensors struct {
	path    string
	start   int64              // of the arrays
	table   safetensors.Array  // tokens × width
	weights *safetensors.Array // of each token; nil: 1
	mapping *safetensors.Array // the row of each token; nil: its number
	unknown bool               // the token for what is not known has a vector of its own that counts
}

// readHead reads the head of a file and finds the table.
func readHead(path string) (*tensors, error) {
	f, size, err := input.OpenRegular(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	fail := func(format string, args ...any) error { return input.Failf(path, "", format, args...) }
	list, start, err := safetensors.ReadHead(f, size)
	if err != nil {
		return nil, fail("%v; copy the model again", err)
	}
	t := &tensors{path: path, start: start}
	find := func(name string, dims int, types map[string]int64) (*safetensors.Array, error) {
		raw, ok := list[name]
		if !ok {
			return nil, nil
		}
		a := new(safetensors.Array)
		if err := json.Unmarshal(raw, a); err != nil {
			return nil, fail("the entry of the array %s in its head cannot be read: %v", name, err)
		}
		if types[a.Type] == 0 {
			return nil, fail("the array %s is of the type %s, which is not read there; it must be of %s", name, message.Clip(a.Type, 40), strings.Join(slices.Sorted(maps.Keys(types)), ", "))
		}
		if len(a.Shape) != dims || !a.Holds(types[a.Type], size-t.start) {
			return nil, fail("the array %s has the shape %v of %s in the bytes %d to %d of %d; it must be a whole array of %d dimensions", name, a.Shape, a.Type, a.Offsets[0], a.Offsets[1], size-t.start, dims)
		}
		return a, nil
	}
	table, err := find("embeddings", 2, numberSize)
	if err == nil && table == nil {
		t.unknown = true
		table, err = find("embedding.weight", 2, numberSize)
	}
	if err == nil && table == nil {
		err = fail("it has no array embeddings or embedding.weight, a vector for each token, so it is no model of static embeddings")
	}
	if err != nil {
		return nil, err
	}
	t.table = *table
	if t.weights, err = find("weights", 1, numberSize); err == nil {
		t.mapping, err = find("mapping", 1, rowSize)
	}
	return t, err
}

// read reads numbers from on, as many as out has.
func (t *tensors) read(f *os.File, a *safetensors.Array, from int64, out []float32, buffer []byte) error {
	size := numberSize[a.Type]
	buffer = buffer[:int64(len(out))*size]
	if _, err := f.ReadAt(buffer, t.start+a.Offsets[0]+from*size); err != nil {
		return input.Failf(t.path, "", "it cannot be read: %v", err)
	}
	little := binary.LittleEndian
	for j := range out {
		at := buffer[int64(j)*size:]
		switch a.Type {
		case "F64":
			out[j] = float32(math.Float64frombits(little.Uint64(at)))
		case "F32":
			out[j] = math.Float32frombits(little.Uint32(at))
		case "F16":
			out[j] = half(little.Uint16(at))
		case "BF16":
			out[j] = math.Float32frombits(uint32(little.Uint16(at)) << 16)
		case "I8":
			out[j] = float32(int8(at[0]))
		}
	}
	return nil
}

// half is the value of a float16 (IEEE 754 binary16).
func half(b uint16) float32 {
	sign, exponent, fraction := uint32(b>>15)<<31, uint32(b>>10)&31, uint32(b)&1023
	switch exponent {
	case 0: // zero, or below the normal numbers: fraction · 2⁻²⁴
		return math.Float32frombits(sign | math.Float32bits(float32(fraction)*0x1p-24))
	case 31:
		return math.Float32frombits(sign | 0x7f800000 | fraction<<13)
	}
	return math.Float32frombits(sign | (exponent+112)<<23 | fraction<<13)
}

// integers reads an array of whole numbers.
func (t *tensors) integers(f *os.File, a *safetensors.Array) ([]int64, error) {
	size := rowSize[a.Type]
	buffer := make([]byte, int64(a.Shape[0])*size)
	if _, err := f.ReadAt(buffer, t.start+a.Offsets[0]); err != nil {
		return nil, input.Failf(t.path, "", "it cannot be read: %v", err)
	}
	out := make([]int64, a.Shape[0])
	for i := range out {
		if size == 4 {
			out[i] = int64(int32(binary.LittleEndian.Uint32(buffer[4*i:])))
		} else {
			out[i] = int64(binary.LittleEndian.Uint64(buffer[8*i:]))
		}
	}
	return out, nil
}
