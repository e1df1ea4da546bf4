package store

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"hash"
	"math"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Key identifies the inputs of a piece: a SHA-256.
type Key [sha256.Size]byte

// String is the key in hexadecimal digits.
func (k Key) String() string { return hex.EncodeToString(k[:]) }

// Hasher makes the key of some inputs. Every input is hashed with its length, so that different
// lists of inputs have different keys.
type Hasher struct {
	h   hash.Hash
	buf []byte
}

// NewHasher starts a key; kind names what is made of the inputs.
func NewHasher(kind string) *Hasher {
	h := &Hasher{h: sha256.New(), buf: make([]byte, 0, 1<<15)}
	h.Text(kind)
	return h
}

// Text adds a text.
func (h *Hasher) Text(s string) {
	h.length(len(s))
	h.h.Write([]byte(s))
}

// Value adds a value in its JSON form: options without functions.
func (h *Hasher) Value(v any) {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // an option that cannot be written is a fault of the program
	}
	h.Text(string(text))
}

func (h *Hasher) length(n int) {
	h.h.Write(binary.LittleEndian.AppendUint64(nil, uint64(n)))
}

// bits adds numbers without their count.
func (h *Hasher) bits(v []float64) {
	h.some(len(v), func(k int) uint64 { return math.Float64bits(v[k]) })
}

func (h *Hasher) numbers(n int, at func(k int) uint64) {
	h.length(n)
	h.some(n, at)
}

func (h *Hasher) some(n int, at func(k int) uint64) {
	for k := 0; k < n; {
		h.buf = h.buf[:0]
		for ; k < n && len(h.buf) < cap(h.buf); k++ {
			h.buf = binary.LittleEndian.AppendUint64(h.buf, at(k))
		}
		h.h.Write(h.buf)
	}
}

// Floats adds numbers by their bits.
func (h *Hasher) Floats(v []float64) {
	h.numbers(len(v), func(k int) uint64 { return math.Float64bits(v[k]) })
}

// Ints adds whole numbers.
func (h *Hasher) Ints(v []int) { h.numbers(len(v), func(k int) uint64 { return uint64(v[k]) }) }

// Indices adds whole numbers.
func (h *Hasher) Indices(v []int32) { h.numbers(len(v), func(k int) uint64 { return uint64(v[k]) }) }

// Matrix adds a *sparse.CSR, or any other matrix row by row. Rows in single precision have the key
// of their values in double precision, since the same is computed of both.
func (h *Hasher) Matrix(x mat.Matrix) {
	if s, ok := x.(*sparse.CSR); ok {
		h.Text("sparse")
		h.Ints([]int{s.NumRows, s.NumCols})
		h.Ints(s.RowPtr)
		h.Indices(s.Col)
		h.Floats(s.Val)
		return
	}
	if s, ok := x.(*sparse.Single); ok {
		p := s.Pattern()
		h.Text("sparse")
		h.Ints([]int{p.NumRows, p.NumCols})
		h.Ints(p.RowPtr)
		h.Indices(p.Col)
		h.length(s.NNZ())
		var buf []float64
		for i := range p.NumRows {
			buf = s.Values(i, buf)
			h.bits(buf)
		}
		return
	}
	if s, ok := x.(*sparse.Counts); ok {
		h.counts(s)
		return
	}
	h.Text("dense")
	n, cols := x.Dims()
	h.Ints([]int{n, cols})
	row := make([]float64, cols)
	for i := range n {
		mat.Row(row, i, x)
		h.Floats(row)
	}
}

// hashedRows is how many rows of counts are hashed together.
const hashedRows = 4096

// counts adds a matrix of counts, whose key is not the one of the same matrix as a CSR.
func (h *Hasher) counts(x *sparse.Counts) {
	h.Text("counts")
	n, cols := x.Dims()
	h.Ints([]int{n, cols})
	rows := make([]int, 0, hashedRows)
	for lo := 0; lo < n; lo += hashedRows {
		rows = rows[:0]
		for i := lo; i < min(lo+hashedRows, n); i++ {
			rows = append(rows, i)
		}
		h.Matrix(x.Select(rows))
	}
}

// Key is the key of what was added.
func (h *Hasher) Key() (k Key) {
	h.h.Sum(k[:0])
	return k
}

// Rows is the key of the rows of a matrix.
func Rows(x mat.Matrix) Key {
	h := NewHasher("rows 1")
	h.Matrix(x)
	return h.Key()
}

// FloatBits are numbers whose JSON form is their bits: exact, and short in time.
type FloatBits []float64

// MarshalJSON implements json.Marshaler.
func (v FloatBits) MarshalJSON() ([]byte, error) {
	if v == nil {
		return []byte("null"), nil
	}
	b := make([]byte, 0, 8*len(v))
	for _, x := range v {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
	}
	return json.Marshal(b)
}

// UnmarshalJSON implements json.Unmarshaler.
func (v *FloatBits) UnmarshalJSON(text []byte) error {
	var b []byte
	if err := json.Unmarshal(text, &b); err != nil || b == nil {
		return err
	}
	if len(b)%8 != 0 {
		return invalid.Errorf("%d bytes are no list of numbers", len(b))
	}
	*v = make(FloatBits, len(b)/8)
	for k := range *v {
		(*v)[k] = math.Float64frombits(binary.LittleEndian.Uint64(b[8*k:]))
	}
	return nil
}
