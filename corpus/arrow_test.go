package corpus

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/ipc"
	"github.com/apache/arrow-go/v18/arrow/memory"
	"github.com/eigenmap/eigenmap/internal/must"
)

// arrowFile is a file of Arrow, or a stream, of so many rows in batches of eight: names, texts of
// which one is missing, classes as numbers and words of a dictionary, a vector, and what stands
// beside them.
func arrowFile(t testing.TB, rows int, stream bool, opt ...ipc.Option) []byte {
	t.Helper()
	said := arrow.NewMetadata([]string{"huggingface"}, []string{`{"info": {"features": {"label": {"_type": "ClassLabel", "names": ["cars", "cakes"]}}}}`})
	dictionary := &arrow.DictionaryType{IndexType: arrow.PrimitiveTypes.Int8, ValueType: arrow.BinaryTypes.String}
	schema := arrow.NewSchema([]arrow.Field{
		{Name: "id", Type: arrow.BinaryTypes.LargeString}, {Name: "text", Type: arrow.BinaryTypes.String, Nullable: true}, {Name: "label", Type: arrow.PrimitiveTypes.Int64},
		{Name: "kind", Type: dictionary}, {Name: "emb", Type: arrow.ListOf(arrow.PrimitiveTypes.Float32)},
		{Name: "about", Type: arrow.StructOf(arrow.Field{Name: "size", Type: arrow.PrimitiveTypes.Float64}, arrow.Field{Name: "new", Type: arrow.FixedWidthTypes.Boolean})},
		{Name: "when", Type: arrow.FixedWidthTypes.Timestamp_s},
	}, &said)
	var out bytes.Buffer
	opt = append(opt, ipc.WithSchema(schema))
	var w interface {
		Write(arrow.RecordBatch) error
		Close() error
	} = ipc.NewWriter(&out, opt...)
	if !stream {
		file := must.Get(ipc.NewFileWriter(&out, opt...))(t)
		w = file
	}
	for lo := 0; lo < rows; lo += 8 {
		b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
		for i := lo; i < min(lo+8, rows); i++ {
			b.Field(0).(*array.LargeStringBuilder).Append(fmt.Sprint("d", i))
			if texts := b.Field(1).(*array.StringBuilder); i == 3 {
				texts.AppendNull()
			} else {
				texts.Append([]string{"the engine of a car,\n\"fast\"", "a cake in the oven"}[i%2])
			}
			b.Field(2).(*array.Int64Builder).Append(int64(i % 2))
			must.Do(t, b.Field(3).(*array.BinaryDictionaryBuilder).AppendString([]string{"p", "q"}[i%2]))
			list := b.Field(4).(*array.ListBuilder)
			list.Append(true)
			for k := range 9 {
				list.ValueBuilder().(*array.Float32Builder).Append(float32(k) + float32(i%2)/4)
			}
			about := b.Field(5).(*array.StructBuilder)
			about.Append(true)
			about.FieldBuilder(0).(*array.Float64Builder).Append(float64(i) + .5)
			about.FieldBuilder(1).(*array.BooleanBuilder).Append(i%3 == 0)
			b.Field(6).(*array.TimestampBuilder).AppendTime(time.Unix(int64(i)*86400, 0))
		}
		must.Do(t, w.Write(b.NewRecordBatch()))
	}
	must.Do(t, w.Close())
	return out.Bytes()
}

// Files and streams of Arrow are tables: texts, or numbers with the vector alone, whatever packs
// them.
func TestArrow(t *testing.T) {
	for name, data := range map[string][]byte{
		"a.feather": arrowFile(t, 24, false), "lz4.arrow": arrowFile(t, 24, false, ipc.WithLZ4()), "zstd": arrowFile(t, 24, true, ipc.WithZstd()),
		"a.arrows.gz": []byte(gzipped(string(arrowFile(t, 24, true)))), "replaced": arrowFile(t, 24, true, ipc.WithDictionaryDeltas(true)),
	} {
		t.Run(name, func(t *testing.T) {
			path := writeFile(t, t.TempDir(), name, data)
			c, err := Read(t.Context(), path, ReadOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if want := []string{"cake", "car", "engine", "fast", "oven"}; c.Len() != 24 || c.ID(5) != "d5" || !slices.Equal(c.Terms, want) || !slices.Equal(c.ClassNames, []string{"cakes", "cars"}) || c.Labels[3] != 0 {
				t.Errorf("%d documents, %q, terms %q, classes %q %v; %q", c.Len(), c.ID(5), c.Terms, c.ClassNames, c.Labels, c.Notes)
			}
			if c, err = Read(t.Context(), path, ReadOptions{TextColumn: []string{"none"}, LabelColumn: "kind"}); err != nil {
				t.Fatal(err)
			}
			if rows, cols := c.X.Dims(); rows != 24 || cols != 9 || c.Terms[8] != "emb.8" || c.X.At(5, 8) != 8.25 || !slices.Equal(c.ClassNames, []string{"p", "q"}) {
				t.Errorf("%d×%d, terms %q, %v, classes %q; %q", rows, cols, c.Terms, c.X.At(5, 8), c.ClassNames, c.Notes)
			}
			columns, _, err := c.ReadColumns(t.Context(), path, ReadOptions{TextColumn: []string{"none"}, LabelColumn: "kind"}, nil, 0)
			if err != nil || !slices.ContainsFunc(columns, func(c Column) bool { return c.Name == "when" }) {
				t.Errorf("%v: %+v", err, columns)
			}
		})
	}
}

// A damaged file of Arrow is an error of the file or read as what it then says, and takes no more
// memory than is allowed.
func TestArrowDamaged(t *testing.T) {
	for _, stream := range []bool{false, true} {
		whole := arrowFile(t, 24, stream, ipc.WithZstd())
		read := func(data []byte) {
			_, err := readBytes(data, "", ReadOptions{Text: TextOptions{MinDF: 1}, MaxBytes: 64 << 20})
			if err != nil && !errors.Is(err, fs.ErrInvalid) {
				t.Errorf("%v", err)
			}
		}
		for n := 8; n < len(whole); n += 307 {
			read(whole[:n])
		}
		for n := 8; n < len(whole); n += 53 {
			data := slices.Clone(whole)
			data[n] ^= []byte{0x01, 0x80, 0xff}[n%3]
			read(data)
		}
	}
	_, err := readBytes(arrowFile(t, 24, true)[:2000], "", ReadOptions{})
	if err == nil || !strings.Contains(err.Error(), "damaged") && !strings.Contains(err.Error(), "too early") {
		t.Errorf("a file that is cut off: %v", err)
	}
}

// A file of few bytes whose schema says that lists have any number of numbers takes no memory for
// them.
func TestArrowLongLists(t *testing.T) {
	file := func(width int32, rows int) []byte {
		schema := arrow.NewSchema([]arrow.Field{{Name: "emb", Type: arrow.FixedSizeListOf(width, arrow.PrimitiveTypes.Int8), Nullable: true}, {Name: "x", Type: arrow.PrimitiveTypes.Float32}}, nil)
		var out bytes.Buffer
		w := ipc.NewWriter(&out, ipc.WithSchema(schema), ipc.WithZstd())
		if rows > 0 {
			b := array.NewRecordBuilder(memory.DefaultAllocator, schema)
			for range rows {
				b.Field(0).AppendNull()
				b.Field(1).(*array.Float32Builder).Append(1)
			}
			must.Do(t, w.Write(b.NewRecordBatch()))
		}
		must.Do(t, w.Close())
		return out.Bytes()
	}
	for name, c := range map[string]struct {
		data []byte
		say  string
	}{"no rows": {file(1<<28, 0), "no rows"}, "a missing list": {file(1<<20, 1), "memory"}} {
		if _, err := readBytes(c.data, "", ReadOptions{MaxBytes: 64 << 20}); err == nil || !strings.Contains(err.Error(), c.say) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
