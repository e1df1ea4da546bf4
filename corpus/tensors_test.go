package corpus

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// tensorFile is a file of safetensors with a head and arrays.
func tensorFile(head, arrays string) string {
	return string(binary.LittleEndian.AppendUint64(nil, uint64(len(head)))) + head + arrays
}

// floats32 are numbers in single precision, their low bytes first.
func floats32(numbers ...float64) string {
	var out []byte
	for _, v := range numbers {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(float32(v)))
	}
	return string(out)
}

const (
	oneTensor  = `{"__metadata__":{"format":"pt"},"emb":{"dtype":"F32","shape":[3,2],"data_offsets":[0,24]}}  `
	twoTensors = `{"b":{"dtype":"F16","shape":[2,2],"data_offsets":[24,32]},"a":{"dtype":"F32","shape":[3,2],"data_offsets":[0,24]},"bias":{"dtype":"F32","shape":[2],"data_offsets":[32,40]}}`
)

var (
	sixNumbers  = floats32(1, .5, -2, 3, 0, 7)
	halves      = "\x00\x3c\x00\x40\x00\xc2\x00\x38" // 1, 2, -3, .5 in float16
	binaryWords = "3 2\nriver " + floats32(1, .5) + "old_stone " + floats32(-2, 3) + "\ncaf\u00e9 " + floats32(0, 7)
)

// Arrays of safetensors and binary files of word2vec are rows of numbers; of several arrays one is
// named.
func TestKindTensors(t *testing.T) {
	two := tensorFile(twoTensors, sixNumbers+halves+floats32(1, 2))
	offset := func(from, to int, kind, shape string) string {
		return tensorFile(fmt.Sprintf(`{"emb":{"dtype":%q,"shape":%s,"data_offsets":[%d,%d]}}`, kind, shape, from, to), sixNumbers)
	}
	checkKinds(t, []kind{
		{name: "a.safetensors", content: tensorFile(oneTensor, sixNumbers), rows: 3, cols: 2, note: "rows of the array emb (3×2, F32)"},
		{name: "a", content: tensorFile(oneTensor, sixNumbers), rows: 3, cols: 2},
		{name: "a.safetensors", content: tensorFile(oneTensor, sixNumbers), opt: ReadOptions{Format: "safetensors"}, rows: 3, cols: 2},
		{name: "a.safetensors.gz", content: packedGzip(tensorFile(oneTensor, sixNumbers)), rows: 3, cols: 2},
		{name: "a.safetensors", content: two, refused: "holds several matrices; name one with ‹var›: a (F32 3×2), b (F16 2×2), bias (F32 2)"},
		{name: "a.safetensors", content: two, opt: ReadOptions{Var: "b"}, rows: 2, cols: 2},
		{name: "a.safetensors", content: strings.Replace(two, `"F16"`, `"I16"`, 1), rows: 3, cols: 2, note: "(3×2, F32), and not b (I16 2×2), bias (F32 2)."},
		{name: "a.safetensors", content: two, opt: ReadOptions{Var: "c"}, refused: "there is no such array; the file holds a (F32 3×2)"},
		{name: "a.safetensors", content: two, opt: ReadOptions{Var: "bias"}, refused: "is no matrix of F16"},
		{name: "a.safetensors", content: two[:len(two)-20], opt: ReadOptions{Var: "b"}, refused: "the file was cut off"},
		{name: "a.safetensors", content: two[:40], refused: "or is cut off"},
		{name: "a.safetensors.gz", content: packedGzip(two[:len(two)-20]), opt: ReadOptions{Var: "b"}, refused: "ends too early"},
		{name: "a.safetensors", content: "abc", refused: "shorter than the head"},
		{name: "a.safetensors", content: tensorFile(`{"emb": nonsense      }`, sixNumbers), refused: "its head is no JSON object"},
		{name: "a.safetensors", content: tensorFile(`{"emb": 3, "other": 4}`, sixNumbers), refused: "has an entry in the head that cannot be read"},
		{name: "a.safetensors", content: offset(0, 20, "F32", "[3,2]"), refused: "which does not fit"},
		{name: "a.safetensors", content: offset(-8, 16, "F32", "[3,2]"), refused: "which does not fit"},
		{name: "a.safetensors", content: offset(0, 24, "F32", "[4611686018427387905,4]"), refused: "which does not fit"},
		{name: "a.safetensors", content: offset(0, 0, "F32", "[0,2]"), refused: "it is empty (0×2)"},
		{name: "a.safetensors", content: offset(0, 24, "I64", "[3,1]"), refused: "holds no matrix of F16, BF16, F32 or F64, but emb (I64 3×1)"},
		{name: "a.bin", content: binaryWords, rows: 3, cols: 2, ids: true, note: "Each word of the file is a document"},
		{name: "a.bin.gz", content: packedGzip(binaryWords), rows: 3, cols: 2, ids: true},
		{name: "a.bin", content: binaryWords, opt: ReadOptions{IDColumn: "none"}, rows: 3, cols: 2},
		{name: "a.bin", content: binaryWords[:len(binaryWords)-2], refused: "word 3: the file ends here, it was cut off"},
		{name: "a.bin.gz", content: packedGzip(binaryWords[:len(binaryWords)-2]), refused: "word 3: the file ends here, it was cut off"},
		{name: "a.bin", content: strings.Replace(binaryWords, "3 2\n", "2 2\n", 1), refused: "goes on after the 2 vectors"},
		{name: "a.bin", content: strings.Replace(binaryWords, "3 2\n", "999999999999999999 999999999\n", 1), refused: "beyond 2147483647 rows"},
		{name: "a.bin", content: "3 2\n" + strings.Repeat("x\x00", 3000), refused: "has more than 4096 bytes"},
		{name: "a.bin", content: "4 2\nriver " + floats32(1, .5) + "old stone " + floats32(-2, 3) + "sea " + floats32(.1, .2) + "fish " + floats32(.3, .4), refused: "word 3: what stands here is no word: the word before it holds a blank"},
		{name: "a.bin", content: "4 2\nriver " + floats32(1, .5) + "\nold stone-wall " + floats32(-2, 3) + "\nsea " + floats32(.1, .2) + "\nfish " + floats32(.3, .4) + "\n", refused: "word 3: what stands here is no word"},
		{name: "a.bin", content: "2 2\nriver " + floats32(1, .5) + "\nstr\xf6me " + floats32(-2, 3) + "\n", rows: 2, cols: 2, ids: true},
		{name: "a.bin", content: "1,2\n3,4\n", opt: ReadOptions{Format: "word2vec"}, refused: "no binary file of word2vec"},
	})
}

// The numbers of all types are read as they are, and words are the names of their vectors.
func TestTensorNumbers(t *testing.T) {
	head := func(kind string, bytes int) string {
		return fmt.Sprintf(`{"emb":{"dtype":%q,"shape":[2,2],"data_offsets":[0,%d]}}`, kind, bytes)
	}
	double := ""
	for _, v := range []float64{1, 2, -3, .5} {
		double += string(binary.LittleEndian.AppendUint64(nil, math.Float64bits(v)))
	}
	for kind, content := range map[string]string{"F16": halves, "BF16": "\x80\x3f\x00\x40\x40\xc0\x00\x3f", "F32": floats32(1, 2, -3, .5), "F64": double} {
		c := readNamed(t, "a.safetensors", tensorFile(head(kind, len(content)), content), ReadOptions{})
		checkMatrix(t, c.X, [][]float64{{1, 2}, {-3, .5}})
		single := must.Get(Read(t.Context(), writeFile(t, t.TempDir(), "a", []byte(tensorFile(head(kind, len(content)), content))), ReadOptions{Single: true}))(t)
		if x := single.X; fmt.Sprint(x.At(0, 1), x.At(1, 0), x.At(1, 1)) != "2 -3 0.5" {
			t.Errorf("%s: in single precision %v", kind, x)
		}
	}
	c := readNamed(t, "a.bin", binaryWords, ReadOptions{})
	checkMatrix(t, c.X, [][]float64{{1, .5}, {-2, 3}, {0, 7}})
	if got := strings.Join(c.IDs, " "); got != "river old_stone caf\u00e9" {
		t.Error(got)
	}
	path := writeFile(t, t.TempDir(), "a.safetensors", []byte(tensorFile(twoTensors, sixNumbers+halves+floats32(1, 2))))
	c = must.Get(ReadVectors(t.Context(), path, ReadOptions{VectorColumn: "b"}))(t)
	checkMatrix(t, c.X, [][]float64{{1, 2}, {-3, .5}})
	_, err := ReadVectors(t.Context(), path, ReadOptions{})
	wantFault(t, err, "name one with ‹vectors-column›")
	path = writeFile(t, t.TempDir(), "a.RData", []byte(rSave("d", rNumbers, "m", rMatrix)))
	_, err = ReadVectors(t.Context(), path, ReadOptions{})
	wantFault(t, err, "‹vectors-column› names one")
}

// FuzzTensors reads arbitrary bytes as arrays of safetensors and as a file of word2vec.
func FuzzTensors(f *testing.F) {
	f.Add([]byte(tensorFile(oneTensor, sixNumbers)), false)
	f.Add([]byte(tensorFile(twoTensors, sixNumbers+halves)), false)
	f.Add([]byte(binaryWords), true)
	f.Fuzz(func(t *testing.T, data []byte, words bool) {
		format := "safetensors"
		if words {
			format = "word2vec"
		}
		fuzzRead(t, data, format, ReadOptions{})
	})
}
