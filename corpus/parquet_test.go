package corpus

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/compress"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/must"
)

// pqColumn is a column of a file that a test writes; nil among the values is null.
type pqColumn struct {
	name    string
	kind    parquet.Type
	logical schema.LogicalType
	values  []any
}

func pqStrings(name string, values ...any) pqColumn {
	return pqColumn{name, parquet.Types.ByteArray, schema.StringLogicalType{}, values}
}

// pqFile writes columns, group rows into each group of rows; 0: all.
func pqFile(t testing.TB, group int, columns []pqColumn, options ...parquet.WriterProperty) []byte {
	t.Helper()
	return pqFileSaying(t, group, columns, "", options...)
}

// pqFileSaying is pqFile with metadata of Hugging Face, or of pandas.
func pqFileSaying(t testing.TB, group int, columns []pqColumn, features string, options ...parquet.WriterProperty) []byte {
	t.Helper()
	var fields schema.FieldList
	for _, c := range columns {
		if c.logical == nil {
			c.logical = schema.NoLogicalType{}
		}
		node := must.Get(schema.NewPrimitiveNodeLogical(c.name, parquet.Repetitions.Optional, c.logical, c.kind, 0, -1))(t)
		fields = append(fields, node)
	}
	root := must.Get(schema.NewGroupNode("schema", parquet.Repetitions.Required, fields, -1))(t)
	var out bytes.Buffer
	w := file.NewParquetWriter(&out, root, file.WithWriterProps(parquet.NewWriterProperties(options...)))
	n := len(columns[0].values)
	if group == 0 {
		group = max(1, n)
	}
	for lo := 0; lo < n; lo += group {
		g := w.AppendRowGroup()
		for _, c := range columns {
			column := must.Get(g.NextColumn())(t)
			writePQ(t, column, c.values[lo:min(n, lo+group)])
			column.Close()
		}
		g.Close()
	}
	if features != "" {
		key := "huggingface"
		if strings.Contains(features, "index_columns") {
			key = "pandas"
		}
		must.Do(t, w.AppendKeyValueMetadata(key, features))
	}
	must.Do(t, w.Close())
	return out.Bytes()
}

func writePQ(t testing.TB, column file.ColumnChunkWriter, values []any) {
	levels := make([]int16, len(values))
	var texts []parquet.ByteArray
	var int32s []int32
	var int64s []int64
	var doubles []float64
	var bools []bool
	for i, v := range values {
		if v == nil {
			continue
		}
		levels[i] = 1
		switch v := v.(type) {
		case string:
			texts = append(texts, parquet.ByteArray(v))
		case int32:
			int32s = append(int32s, v)
		case int64:
			int64s = append(int64s, v)
		case float64:
			doubles = append(doubles, v)
		case bool:
			bools = append(bools, v)
		}
	}
	var err error
	switch w := column.(type) {
	case *file.ByteArrayColumnChunkWriter:
		_, err = w.WriteBatch(texts, levels, nil)
	case *file.Int32ColumnChunkWriter:
		_, err = w.WriteBatch(int32s, levels, nil)
	case *file.Int64ColumnChunkWriter:
		_, err = w.WriteBatch(int64s, levels, nil)
	case *file.Float64ColumnChunkWriter:
		_, err = w.WriteBatch(doubles, levels, nil)
	case *file.BooleanColumnChunkWriter:
		_, err = w.WriteBatch(bools, levels, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// manyRows are n rows of a corpus, and the lines of JSON of the same documents.
func manyRows(n int) (columns []pqColumn, lines string) {
	text, id, label := pqStrings("text"), pqStrings("ID"), pqStrings("label")
	var b strings.Builder
	for i := range n {
		words := fmt.Sprintf("word%c other%c common %s", 'a'+i%26, 'a'+i%7, strings.Repeat("again ", i%50))
		text.values = append(text.values, words)
		id.values = append(id.values, fmt.Sprint("d", i))
		var class any
		if i%3 > 0 {
			class = fmt.Sprint("c", i%3)
			fmt.Fprintf(&b, `{"id":"d%d","text":%q,"label":"c%d"}`+"\n", i, words, i%3)
		} else {
			fmt.Fprintf(&b, `{"id":"d%d","text":%q}`+"\n", i, words)
		}
		label.values = append(label.values, class)
	}
	return []pqColumn{label, {"year", parquet.Types.Int32, nil, make([]any, n)}, text, id}, b.String()
}

// TestParquet: a file of Parquet is read as the JSON lines of the same documents, whatever its
// encoding, compression and groups of rows.
func TestParquet(t *testing.T) {
	columns, lines := manyRows(3000)
	want := readLines(t, lines, TextOptions{MinDF: 1})
	for name, options := range map[string][]parquet.WriterProperty{
		"plain":        {parquet.WithDictionaryDefault(false), parquet.WithCompression(compress.Codecs.Uncompressed)},
		"dictionary":   {parquet.WithCompression(compress.Codecs.Snappy), parquet.WithDataPageSize(1000), parquet.WithBatchSize(64)},
		"zstd, pages":  {parquet.WithCompression(compress.Codecs.Zstd), parquet.WithDataPageVersion(parquet.DataPageV2), parquet.WithDataPageSize(1000), parquet.WithBatchSize(64)},
		"gzip":         {parquet.WithCompression(compress.Codecs.Gzip), parquet.WithDictionaryDefault(false)},
		"brotli":       {parquet.WithCompression(compress.Codecs.Brotli)},
		"lz4":          {parquet.WithCompression(compress.Codecs.Lz4Raw)},
		"delta":        {parquet.WithDictionaryDefault(false), parquet.WithEncoding(parquet.Encodings.DeltaByteArray), parquet.WithEncodingFor("year", parquet.Encodings.DeltaBinaryPacked)},
		"delta length": {parquet.WithDictionaryDefault(false), parquet.WithEncoding(parquet.Encodings.DeltaLengthByteArray), parquet.WithEncodingFor("year", parquet.Encodings.Plain), parquet.WithDataPageVersion(parquet.DataPageV2)},
	} {
		for _, group := range []int{0, 700} {
			data := pqFile(t, group, columns, options...)
			c, err := readBytes(data, "", ReadOptions{Text: TextOptions{MinDF: 1}, MaxBytes: 32 << 20})
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			sameDocuments(t, c, want)
			if c.Format != "parquet" {
				t.Error(c.Format)
			}
		}
	}
	c, err := readBytes([]byte(gzipped(string(pqFile(t, 0, columns)))), "", ReadOptions{Text: TextOptions{MinDF: 1}})
	if err != nil {
		t.Fatal(err)
	}
	sameDocuments(t, c, want)
	half := len(columns[0].values) / 2
	var first, second []pqColumn
	for _, c := range columns {
		first = append(first, pqColumn{c.name, c.kind, c.logical, c.values[:half]})
		second = append(second, pqColumn{c.name, c.kind, c.logical, c.values[half:]})
	}
	dir := makeFolder(t, map[string]string{"part-0.parquet": string(pqFile(t, 400, first)), "part-1.snappy.parquet": string(pqFile(t, 0, second)), "_SUCCESS": ""})
	if c, err = Read(t.Context(), dir, ReadOptions{Text: TextOptions{MinDF: 1}}); err != nil {
		t.Fatal(err)
	}
	sameDocuments(t, c, want)
	if c.Format != "parquet" {
		t.Error(c.Format)
	}
}

// TestParquetValues: ids and labels of other types.
func TestParquetValues(t *testing.T) {
	text := pqStrings("text", "some words", "some words", "some words")
	for _, tc := range []struct {
		id, label pqColumn
		want      string
	}{
		{pqColumn{"id", parquet.Types.Int64, nil, []any{int64(-5), int64(1 << 60), nil}}, pqColumn{"label", parquet.Types.Double, nil, []any{1.0, math.NaN(), 0.5}}, "-5:1 1152921504606846976: 3:0.5"},
		{pqColumn{"id", parquet.Types.Int32, schema.NewIntLogicalType(32, false), []any{int32(-1), int32(7), int32(8)}}, pqColumn{"label", parquet.Types.ByteArray, nil, []any{"x", " y\n", nil}}, "4294967295:x 7:y 8:"},
		{pqColumn{"id", parquet.Types.Int32, schema.NullLogicalType{}, []any{nil, nil, nil}}, pqColumn{"label", parquet.Types.Int32, schema.NullLogicalType{}, []any{nil, nil, nil}}, "1: 2: 3:"},
		{pqStrings("other", nil, nil, nil), pqColumn{"Label", parquet.Types.Int32, schema.NewIntLogicalType(8, true), []any{int32(3), nil, int32(20)}}, "1:3 2: 3:20"},
	} {
		c, err := readBytes(pqFile(t, 2, []pqColumn{text, tc.id, tc.label}), "", ReadOptions{})
		if err != nil || classOf(c) != tc.want {
			t.Errorf("%q, %v; want %q", classOf(c), err, tc.want)
		}
	}
	c := must.Get(readBytes(pqFile(t, 0, []pqColumn{pqStrings("text", "some words", "some w\xffrds words")}), "", ReadOptions{Text: TextOptions{MinDF: 1}}))(t)
	wantNote(t, c, "first: row 2)")
}

func TestParquetErrors(t *testing.T) {
	text := pqStrings("text", "some words", "some words", "some words")
	whole := pqFile(t, 0, []pqColumn{text})
	secret := bytes.Clone(whole)
	copy(secret[len(secret)-4:], "PARE")
	hidden := bytes.Clone(whole)
	copy(hidden[len(hidden)-4:], "PARX")
	long := bytes.Clone(whole)
	binary.LittleEndian.PutUint32(long[len(long)-8:], 1<<31)
	for name, tc := range map[string]struct {
		data []byte
		want []string
	}{
		"no text":     {pqFile(t, 0, []pqColumn{{"n", parquet.Types.Int32, schema.DateLogicalType{}, []any{int32(1)}}, pqStrings("id", "x")}), []string{"has no column of texts; its columns are id, n; name the one of texts with ‹text-column›"}},
		"nulls":       {pqFile(t, 2, []pqColumn{pqStrings("text", nil, nil, nil)}), []string{"the texts of all 3 documents are null"}},
		"a number":    {pqFile(t, 0, []pqColumn{{"text", parquet.Types.Int32, nil, []any{int32(1)}}}), []string{"column text", "type int32, where a string is needed"}},
		"a timestamp": {pqFile(t, 0, []pqColumn{text, {"id", parquet.Types.Int64, schema.NewTimestampLogicalType(true, schema.TimeUnitNanos), []any{int64(1), int64(2), int64(3)}}}), []string{"column id", "timestamp", "string or a number"}},
		"id twice":    {pqFile(t, 2, []pqColumn{text, pqStrings("id", "a", "b", "a")}), []string{"row 3", `the id "a" already belongs to row 1`}},
		"no texts":    {pqFile(t, 0, []pqColumn{{"text", parquet.Types.Int32, schema.NullLogicalType{}, []any{nil}}}), []string{"column text", "every text is null"}},
		"encrypted":   {secret, []string{"is encrypted"}},
		"cut off":     {whole[:len(whole)-9], []string{"cut off"}},
		"end missing": {hidden, []string{"end of the file of Parquet is missing"}},
		"footer":      {long, []string{"the footer", "longer than the file"}},
		"short":       {[]byte("PAR1PAR1"), []string{"shorter than any"}},
		"no rows":     {pqFile(t, 0, []pqColumn{pqStrings("text")}), []string{"holds no documents"}},
		"too long":    {pqFile(t, 0, []pqColumn{pqStrings("text", "some words", strings.Repeat("words ", 100_000))}, parquet.WithDictionaryDefault(false)), []string{"row 2", "longer than"}},
	} {
		_, err := readBytes(tc.data, "", ReadOptions{MaxBytes: 4 << 20})
		if err == nil || !errors.As(err, new(*FormatError)) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		wantFault(t, err, tc.want...)
		if name == "no text" && strings.Contains(err.Error(), "footer") {
			t.Error(err)
		}
	}
	_, err := readBytes([]byte("no parquet, but named so"), "parquet", ReadOptions{})
	wantFault(t, err, "is not a file of Parquet")
	_, err = Read(t.Context(), filepath.Join(makeFolder(t, map[string]string{"x.parquet": "words and words and"}), "x.parquet"), ReadOptions{})
	wantFault(t, err, "is not a file of Parquet")
	many, _ := manyRows(30000)
	_, err = readBytes(pqFile(t, 0, many, parquet.WithDataPageSize(64<<20), parquet.WithDictionaryDefault(false)), "", ReadOptions{MaxBytes: 1 << 20})
	if !errors.Is(err, memory.ErrLimit) {
		t.Errorf("a page larger than the memory: %v", err)
	}
}

// A column of a type that is newer than the reader is left out, as other kinds are that are not
// read, and named where it is asked for.
func TestParquetOfUnknownTypes(t *testing.T) {
	data := pqFile(t, 0, []pqColumn{pqStrings("text", "red apples", "red cars", "blue cars"), {"place", parquet.Types.ByteArray, schema.JSONLogicalType{}, []any{"1", "2", "3"}}})
	// The union of types with its field 12, an empty struct, and with 9.
	at := bytes.LastIndex(data, []byte{0xcc, 0, 0, 0})
	if at < 0 {
		t.Fatal("the type is not found")
	}
	data[at] = 0x9c
	if c, err := readBytes(data, "", ReadOptions{}); err != nil || c.Len() != 3 {
		t.Errorf("%v", err)
	}
	_, err := readBytes(data, "", ReadOptions{TextColumn: []string{"place"}})
	wantFault(t, err, "place", "of type unknown")
}

// TestParquetDamaged changes single bytes of files: a result or a clear error, nothing else. It
// changes a part of the bytes, all of them with EIGENMAP_LONG.
func TestParquetDamaged(t *testing.T) {
	columns, _ := manyRows(60)
	for i, options := range [][]parquet.WriterProperty{
		{parquet.WithCompression(compress.Codecs.Snappy)},
		{parquet.WithCompression(compress.Codecs.Zstd), parquet.WithDataPageVersion(parquet.DataPageV2), parquet.WithDictionaryDefault(false)},
		{parquet.WithDictionaryDefault(false), parquet.WithEncoding(parquet.Encodings.DeltaByteArray), parquet.WithEncodingFor("year", parquet.Encodings.Plain)},
	} {
		whole := pqFile(t, 40, columns, options...)
		step := 5
		switch {
		case os.Getenv("EIGENMAP_LONG") != "":
			step = 1
		case testing.Short():
			step = 13
		}
		for at := 4 + i; at < len(whole)-4; at += step {
			data := bytes.Clone(whole)
			for _, v := range []byte{data[at] ^ 1, data[at] ^ 0x80, 0xff} {
				data[at] = v
				fuzzRead(t, data, "parquet", ReadOptions{Text: TextOptions{MinDF: 1}})
			}
			if t.Failed() {
				t.Fatalf("file %d, byte %d", i, at)
			}
		}
	}
}

// FuzzParquet reads arbitrary bytes as a file of Parquet.
func FuzzParquet(f *testing.F) {
	columns, _ := manyRows(20)
	for _, options := range [][]parquet.WriterProperty{
		{parquet.WithCompression(compress.Codecs.Snappy)},
		{parquet.WithCompression(compress.Codecs.Zstd), parquet.WithDataPageVersion(parquet.DataPageV2)},
		{parquet.WithDictionaryDefault(false)},
		{parquet.WithDictionaryDefault(false), parquet.WithEncoding(parquet.Encodings.DeltaByteArray), parquet.WithEncodingFor("year", parquet.Encodings.Plain)},
		{parquet.WithDictionaryDefault(false), parquet.WithEncoding(parquet.Encodings.DeltaLengthByteArray), parquet.WithEncodingFor("year", parquet.Encodings.Plain)},
	} {
		f.Add(pqFile(f, 12, columns, options...))
	}
	f.Add(pqFile(f, 0, []pqColumn{pqStrings("text", "some words", nil), {"id", parquet.Types.Int64, nil, []any{int64(1), nil}}, {"label", parquet.Types.Double, nil, []any{1.5, nil}}}))
	f.Add(vectorParquet(f, false, 2, 3, 3, 3))
	f.Add(vectorParquet(f, false, 2, 3, 0, 2))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 12 {
			data = bytes.Clone(data)
			copy(data, "PAR1")
			copy(data[len(data)-4:], "PAR1")
		}
		fuzzRead(t, data, "parquet", ReadOptions{Text: TextOptions{MinDF: 1}})
	})
}

// TestParquetLong: one long value that many rows share is refused before it is copied, in every
// column, and texts below the limit do not pile up.
func TestParquetLong(t *testing.T) {
	const rows = 64
	short, long, shared := make([]any, rows), make([]any, rows), make([]any, rows)
	for i := range rows {
		short[i], long[i], shared[i] = fmt.Sprint("some words", i), strings.Repeat("words ", 4<<20), strings.Repeat("words ", 300_000)
	}
	options := []parquet.WriterProperty{parquet.WithCompression(compress.Codecs.Zstd), parquet.WithDictionaryPageSizeLimit(1 << 30), parquet.WithStats(false)}
	for name, columns := range map[string][]pqColumn{
		"":          {pqStrings("text", long...)},
		"the label": {pqStrings("text", short...), pqStrings("label", long...)},
	} {
		data := pqFile(t, 0, columns, options...)
		before := allocated()
		_, err := readBytes(data, "", ReadOptions{MaxBytes: 128 << 20})
		wantFault(t, err, "row 1", name, "is longer than")
		if used := allocated() - before; used > 120<<20 {
			t.Errorf("%q: a file of %d bytes took %d bytes", name, len(data), used)
		}
	}
	data := pqFile(t, 0, []pqColumn{pqStrings("text", append(short, shared...)...)}, parquet.WithDictionaryDefault(false), parquet.WithStats(false), parquet.WithBatchSize(1))
	if _, err := readBytes(data, "", ReadOptions{Text: TextOptions{MinDF: 1}, MaxBytes: 32 << 20}); err != nil {
		t.Error(err)
	}
}

// TestParquetRows: no document vanishes where one number of rows in the footer or in a page is
// smaller than it was.
func TestParquetRows(t *testing.T) {
	text := pqStrings("text", "some words", "some words", "some words", "some words", "some words")
	whole := pqFile(t, 0, []pqColumn{text}, parquet.WithDictionaryDefault(false), parquet.WithCompression(compress.Codecs.Uncompressed))
	refused := 0
	for at := range whole {
		if whole[at] != 10 { // 5 in zigzag
			continue
		}
		data := bytes.Clone(whole)
		data[at] = 6
		c, err := readBytes(data, "parquet", ReadOptions{})
		if err != nil {
			refused++
		} else if len(strings.Fields(classOf(c))) != 5 {
			t.Errorf("byte %d: %d of 5 documents are read", at, len(strings.Fields(classOf(c))))
		}
	}
	if refused < 3 {
		t.Errorf("%d changes were refused", refused)
	}
}

// packers are the codecs of pages that are read.
var packers = []compress.Compression{compress.Codecs.Snappy, compress.Codecs.Zstd, compress.Codecs.Gzip, compress.Codecs.Brotli, compress.Codecs.Lz4Raw}

// longer is a codec that packs a page with some bytes more, or with its last bytes left out.
type longer struct {
	compress.Codec
	more int
}

func (c longer) Encode(dst, src []byte) []byte {
	if c.more < 0 {
		src = src[:max(0, len(src)+c.more)]
	} else {
		src = append(bytes.Clone(src), make([]byte, c.more)...)
	}
	return c.Codec.Encode(make([]byte, c.Codec.CompressBound(int64(len(src)))), src)
}

func (c longer) EncodeLevel(dst, src []byte, level int) []byte { return c.Encode(dst, src) }
func (c longer) CompressBound(n int64) int64                   { return c.Codec.CompressBound(n + 1<<20) }

// TestParquetBombs: a page with more or fewer bytes than its header says is refused, whatever it is
// packed with, and no more than it says is unpacked.
func TestParquetBombs(t *testing.T) {
	columns, _ := manyRows(300)
	for _, kind := range packers {
		codec := must.Get(compress.GetCodec(kind))(t)
		for _, more := range []int{1, 64 << 20, -1, -1 << 20} {
			for _, version := range []parquet.DataPageVersion{parquet.DataPageV1, parquet.DataPageV2} {
				compress.RegisterCodec(kind, longer{codec, more})
				data := pqFile(t, 0, columns, parquet.WithCompression(kind), parquet.WithDataPageVersion(version), parquet.WithDictionaryDefault(false))
				compress.RegisterCodec(kind, codec)
				before := allocated()
				_, err := readBytes(data, "", ReadOptions{Text: TextOptions{MinDF: 1}, MaxBytes: 32 << 20})
				if err == nil {
					t.Errorf("%v, %d bytes more, pages %v: they are read", kind, more, version)
					continue
				}
				wantFault(t, err, "row 1", "its content is damaged")
				if used := allocated() - before; used > 60<<20 {
					t.Errorf("%v: %d bytes more took %d bytes", kind, more, used)
				}
			}
		}
	}
}

// TestParquetDamage: a damaged page is named by column and rows, without words of the library.
func TestParquetDamage(t *testing.T) {
	columns, _ := manyRows(3)
	for _, codec := range packers {
		data := pqFile(t, 0, columns, parquet.WithCompression(codec), parquet.WithDictionaryDefault(false))
		refused := 0
		for at := 4; at < len(data)-8; at++ {
			changed := bytes.Clone(data)
			changed[at] ^= 0xff
			_, err := readBytes(changed, "parquet", ReadOptions{Text: TextOptions{MinDF: 1}})
			if err == nil || !strings.Contains(err.Error(), "its content is damaged") {
				continue
			}
			if strings.Contains(err.Error(), "damaged (") {
				t.Fatalf("byte %d: %v", at, err)
			}
			if strings.Contains(err.Error(), ", column text: its") {
				refused++
			}
		}
		if refused == 0 {
			t.Error("no damage was named by its column")
		}
	}
}
