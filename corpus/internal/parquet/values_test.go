package parquet

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/internal/must"
)

// writtenColumn is a file of one column that the library of Arrow has written, and the bytes of
// its values; nil: null.
type writtenColumn struct {
	data   []byte
	values [][]byte
	starts []bool // whether a value begins a row
}

// writeColumn writes n random values, with nulls, or of lists of up to three.
func writeColumn(t testing.TB, kind parquet.Type, n int, lists bool, random *rand.Rand, options ...parquet.WriterProperty) writtenColumn {
	t.Helper()
	width := 0
	logical := schema.LogicalType(schema.NoLogicalType{})
	if kind == parquet.Types.FixedLenByteArray {
		width, logical = 2, schema.Float16LogicalType{}
	}
	node, err := schema.NewPrimitiveNodeLogical("element", parquet.Repetitions.Optional, logical, kind, width, -1)
	if err != nil {
		t.Fatal(err)
	}
	var root *schema.GroupNode
	if lists {
		list, err := schema.NewGroupNode("list", parquet.Repetitions.Repeated, schema.FieldList{node}, -1)
		if err == nil {
			var outer *schema.GroupNode
			outer, err = schema.NewGroupNodeLogical("v", parquet.Repetitions.Required, schema.FieldList{list}, schema.NewListLogicalType(), -1)
			if err == nil {
				root, err = schema.NewGroupNode("schema", parquet.Repetitions.Required, schema.FieldList{outer}, -1)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	} else if root, err = schema.NewGroupNode("schema", parquet.Repetitions.Required, schema.FieldList{node}, -1); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	w := file.NewParquetWriter(&out, root, file.WithWriterProps(parquet.NewWriterProperties(options...)))
	column := must.Get(w.AppendRowGroup().NextColumn())(t)
	c := writtenColumn{}
	full := int16(1)
	if lists {
		full = 2
	}
	var levels, repeats []int16
	for i := range n {
		starts := !lists || i%3 == 0 || random.IntN(2) == 0
		c.starts = append(c.starts, starts)
		repeat := int16(1)
		if starts {
			repeat = 0
		}
		repeats = append(repeats, repeat)
		if random.IntN(5) == 0 {
			c.values, levels = append(c.values, nil), append(levels, full-1)
			continue
		}
		c.values, levels = append(c.values, randomValue(kind, random)), append(levels, full)
	}
	if !lists {
		repeats = nil
	}
	writeValues(t, column, c.values, levels, repeats)
	must.Do(t, column.Close())
	must.Do(t, w.Close())
	c.data = out.Bytes()
	return c
}

// randomValue is a value of a kind: often one of few, and extreme ones among them.
func randomValue(kind parquet.Type, random *rand.Rand) []byte {
	v := []uint64{0, 1, 5, math.MaxUint64, 1 << 63, 1<<63 - 1, 1 << 31, 1<<31 - 1, random.Uint64(), random.Uint64() >> 40}[random.IntN(10)]
	b := binary.LittleEndian.AppendUint64(nil, v)
	switch kind {
	case parquet.Types.Boolean:
		return []byte{byte(v & 1)}
	case parquet.Types.Int32:
		return b[:4]
	case parquet.Types.Float: // no NaN: a dictionary has one for all
		return binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(v)))
	case parquet.Types.Double:
		return binary.LittleEndian.AppendUint64(nil, math.Float64bits(float64(v)))
	case parquet.Types.FixedLenByteArray:
		return b[:2]
	case parquet.Types.ByteArray:
		return fmt.Appendf(nil, "%.*s%d", random.IntN(40), "a common beginning of many values, of some length", v%7)
	}
	return b
}

// typed are the values that are not null, as the library takes them.
func typed[T any](values [][]byte, of func([]byte) T) (list []T) {
	for _, v := range values {
		if v != nil {
			list = append(list, of(v))
		}
	}
	return list
}

func writeValues(t testing.TB, column file.ColumnChunkWriter, values [][]byte, levels, repeats []int16) {
	t.Helper()
	little := binary.LittleEndian
	var err error
	switch w := column.(type) {
	case *file.BooleanColumnChunkWriter:
		_, err = w.WriteBatch(typed(values, func(b []byte) bool { return b[0] != 0 }), levels, repeats)
	case *file.Int32ColumnChunkWriter:
		_, err = w.WriteBatch(typed(values, func(b []byte) int32 { return int32(little.Uint32(b)) }), levels, repeats)
	case *file.Int64ColumnChunkWriter:
		_, err = w.WriteBatch(typed(values, func(b []byte) int64 { return int64(little.Uint64(b)) }), levels, repeats)
	case *file.Float32ColumnChunkWriter:
		_, err = w.WriteBatch(typed(values, func(b []byte) float32 { return math.Float32frombits(little.Uint32(b)) }), levels, repeats)
	case *file.Float64ColumnChunkWriter:
		_, err = w.WriteBatch(typed(values, func(b []byte) float64 { return math.Float64frombits(little.Uint64(b)) }), levels, repeats)
	case *file.ByteArrayColumnChunkWriter:
		_, err = w.WriteBatch(typed(values, func(b []byte) parquet.ByteArray { return b }), levels, repeats)
	case *file.FixedLenByteArrayColumnChunkWriter:
		_, err = w.WriteBatch(typed(values, func(b []byte) parquet.FixedLenByteArray { return b }), levels, repeats)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// openValues opens the only column of a file.
func openValues(data []byte) (*Values, error) {
	size := int64(len(data))
	end := data[:size-8]
	footer, err := ReadFooter(end[len(end)-int(binary.LittleEndian.Uint32(data[size-8:])):])
	if err != nil {
		return nil, err
	}
	if len(footer.Leaves) != 1 || len(footer.Groups) != 1 {
		return nil, errFooter
	}
	p := &File{In: &input.File{Mem: input.NewBudget(64 << 20)}, Footer: footer, At: bytes.NewReader(data), Size: size}
	pages, err := p.Open(0, 0)
	return &Values{Pages: pages, Leaf: &footer.Leaves[0], Budget: p.In.Mem}, err
}

// TestParquetEncodings: every type in every encoding that the library writes, in both versions of
// pages, with nulls and in lists, many pages long, is read as it was written.
func TestParquetEncodings(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	e := parquet.Encodings
	for kind, list := range map[parquet.Type][]parquet.Encoding{
		parquet.Types.Boolean:           {e.Plain, e.RLE},
		parquet.Types.Int32:             {e.Plain, e.DeltaBinaryPacked, e.ByteStreamSplit},
		parquet.Types.Int64:             {e.Plain, e.DeltaBinaryPacked, e.ByteStreamSplit},
		parquet.Types.Float:             {e.Plain, e.ByteStreamSplit},
		parquet.Types.Double:            {e.Plain, e.ByteStreamSplit},
		parquet.Types.ByteArray:         {e.Plain, e.DeltaLengthByteArray, e.DeltaByteArray},
		parquet.Types.FixedLenByteArray: {e.Plain, e.ByteStreamSplit},
	} {
		for _, encoding := range append(list, e.PlainDict) {
			for k, version := range []parquet.DataPageVersion{parquet.DataPageV1, parquet.DataPageV2, parquet.DataPageV1, parquet.DataPageV2} {
				options := []parquet.WriterProperty{parquet.WithDataPageVersion(version), parquet.WithDataPageSize(300), parquet.WithBatchSize(64), parquet.WithDictionaryDefault(encoding == e.PlainDict)}
				if encoding != e.PlainDict {
					options = append(options, parquet.WithEncoding(encoding))
				}
				c := writeColumn(t, kind, 1000, k > 1, random, options...)
				r := must.Get(openValues(c.data))(t)
				for i, want := range c.values {
					more, err := r.Next()
					starts := r.Repeat == 0
					got, present, err2 := r.Read()
					if err != nil || err2 != nil || !more || present != (want != nil) || starts != c.starts[i] || !bytes.Equal(got, want) {
						t.Fatalf("%v, %v, pages %v, lists %v: value %d is %q, %v, %v, %v, %v; want %q", kind, encoding, version, k > 1, i, got, more, present, err, err2, want)
					}
				}
				if more, err := r.Next(); more || err != nil {
					t.Errorf("%v, %v: the column goes on: %v", kind, encoding, err)
				}
			}
		}
	}
}

// TestParquetValuesDamaged changes bytes of files of one column: nothing that decodes values
// panics, and none of it goes on for ever.
func TestParquetValuesDamaged(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	e := parquet.Encodings
	for kind, list := range map[parquet.Type][]parquet.Encoding{
		parquet.Types.Boolean:   {e.RLE},
		parquet.Types.Int64:     {e.DeltaBinaryPacked, e.PlainDict},
		parquet.Types.Float:     {e.ByteStreamSplit},
		parquet.Types.ByteArray: {e.Plain, e.DeltaLengthByteArray, e.DeltaByteArray, e.PlainDict},
	} {
		for _, encoding := range list {
			options := []parquet.WriterProperty{parquet.WithDictionaryDefault(encoding == e.PlainDict), parquet.WithStats(false)}
			if encoding != e.PlainDict {
				options = append(options, parquet.WithEncoding(encoding))
			}
			whole := writeColumn(t, kind, 200, true, random, options...).data
			for at := 4; at < len(whole)-8; at++ {
				data := slices.Clone(whole)
				data[at] = []byte{0, 0xff, data[at] ^ 1, data[at] ^ 0x80, byte(random.Uint32())}[random.IntN(5)]
				length := int(binary.LittleEndian.Uint32(data[len(data)-8:]))
				if !Sound(data[len(data)-8-length : len(data)-8]) {
					continue
				}
				r, err := openValues(data)
				if err != nil {
					continue
				}
				for read := 0; err == nil; read++ {
					var more bool
					if more, err = r.Next(); err == nil && !more {
						err = io.EOF
					}
					if err == nil {
						_, _, err = r.Read()
					}
					if read > 1<<20 {
						t.Fatalf("%v, %v, byte %d: the column does not end", kind, encoding, at)
					}
				}
			}
		}
	}
}

// TestBitsAt: bits of any width from any place are those that single bits make.
func TestBitsAt(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	data := binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, random.Uint64()), random.Uint64())
	for width := range 65 {
		for at := 0; at+width <= 8*len(data); at++ {
			want := uint64(0)
			for k := range width {
				want |= uint64(data[(at+k)/8]>>((at+k)%8)&1) << k
			}
			if got := bitsAt(data, at, width); got != want {
				t.Fatalf("%d bits from %d: %x, want %x", width, at, got, want)
			}
		}
	}
}

// TestOldLevels: levels of old files have no runs, and their bits begin at the highest of each
// byte.
func TestOldLevels(t *testing.T) {
	b := bitReader{width: 2, packed: []byte{0b00_01_10_11, 0b11_00_00_00}, run: 5, backwards: true}
	for i, want := range []int{0, 1, 2, 3, 3} {
		if got, err := b.level(3); err != nil || got != want {
			t.Errorf("level %d is %d, %v; want %d", i, got, err, want)
		}
	}
}
