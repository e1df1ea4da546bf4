package corpus

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow/float16"
	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"
	"github.com/eigenmap/eigenmap/internal/must"
)

// vectorParquet has texts, if it is asked for, labels, and lists of numbers of these lengths in
// emb.
func vectorParquet(t testing.TB, withText bool, group int, lengths ...int) []byte {
	t.Helper()
	return listParquet(t, pqNode(t, "element", parquet.Types.Float, parquet.Repetitions.Optional), withText, group, lengths...)
}

// listParquet is vectorParquet with lists of an element of type float or float16.
func listParquet(t testing.TB, element schema.Node, withText bool, group int, lengths ...int) []byte {
	t.Helper()
	o := parquet.Repetitions.Optional
	list := must.Get(schema.NewGroupNode("list", parquet.Repetitions.Repeated, schema.FieldList{element}, -1))(t)
	emb := must.Get(schema.NewGroupNodeLogical("emb", o, schema.FieldList{list}, schema.NewListLogicalType(), -1))(t)
	fields := schema.FieldList{emb, pqNode(t, "label", parquet.Types.ByteArray, o)}
	if withText {
		fields = append(fields, pqNode(t, "text", parquet.Types.ByteArray, o))
	}
	root := must.Get(schema.NewGroupNode("schema", parquet.Repetitions.Required, fields, -1))(t)
	var out bytes.Buffer
	w := file.NewParquetWriter(&out, root)
	for lo := 0; lo < len(lengths); lo += group {
		g := w.AppendRowGroup()
		write := func(_ int64, err error) {
			if err != nil {
				t.Fatal(err)
			}
		}
		var values []float32
		var defs, reps, ones []int16
		var labels, texts []parquet.ByteArray
		for i := lo; i < min(lo+group, len(lengths)); i++ {
			labels, ones = append(labels, parquet.ByteArray(fmt.Sprint("c", i%2))), append(ones, 1)
			texts = append(texts, parquet.ByteArray(fmt.Sprintf("some shared words about topic%d of many", i%2)))
			if lengths[i] == 0 {
				defs, reps = append(defs, 0), append(reps, 0)
			}
			for k := range lengths[i] {
				values, defs, reps = append(values, float32(i)/2+float32(k)/4), append(defs, 3), append(reps, int16(min(k, 1)))
			}
		}
		c, _ := g.NextColumn()
		switch c := c.(type) {
		case *file.Float32ColumnChunkWriter:
			write(c.WriteBatch(values, defs, reps))
		case *file.FixedLenByteArrayColumnChunkWriter:
			halves := make([]parquet.FixedLenByteArray, len(values))
			for k, v := range values {
				halves[k] = float16.New(v).ToLEBytes()
			}
			write(c.WriteBatch(halves, defs, reps))
		}
		c.Close()
		for _, list := range [][]parquet.ByteArray{labels, texts}[:len(fields)-1] {
			c, _ = g.NextColumn()
			write(c.(*file.ByteArrayColumnChunkWriter).WriteBatch(list, ones, nil))
			c.Close()
		}
		g.Close()
	}
	must.Do(t, w.Close())
	return out.Bytes()
}

// Columns of numbers, and lists of them, are the rows of a matrix if no column holds texts.
func TestParquetNumbers(t *testing.T) {
	const n = 700
	same := slices.Repeat([]int{3}, n)
	column := func(name string, kind parquet.Type, value func(i int) any) pqColumn {
		c := pqColumn{name: name, kind: kind}
		if kind == parquet.Types.ByteArray {
			c = pqStrings(name)
		}
		for i := range n {
			c.values = append(c.values, value(i))
		}
		return c
	}
	ids := column("id", parquet.Types.Int64, func(i int) any { return int64(i + 7) })
	x := column("x", parquet.Types.Double, func(i int) any { return float64(i+i/10) / 8 })
	y := column("count", parquet.Types.Int32, func(i int) any { return int32(i % 5) })
	label := column("label", parquet.Types.ByteArray, func(i int) any { return []string{"a", "b"}[i%2] })
	none := ReadOptions{TextColumn: []string{"none"}}
	half := must.Get(schema.NewPrimitiveNodeLogical("element", parquet.Repetitions.Optional, schema.Float16LogicalType{}, parquet.Types.FixedLenByteArray, 2, -1))(t)
	for name, c := range map[string]struct {
		data    []byte
		opt     ReadOptions
		terms   string
		classes int
		at      float64 // row 5, column 1
		ids     bool
	}{
		"columns":       {data: pqFile(t, 100, []pqColumn{ids, x, y, label}), terms: "x count", classes: 2, at: 0, ids: true},
		"numbers alone": {data: pqFile(t, 0, []pqColumn{x, y}), terms: "x count", at: 0},
		"named label":   {data: pqFile(t, 0, []pqColumn{x, x, y}), opt: ReadOptions{LabelColumn: "count"}, terms: "x x", classes: 5, at: 0.625},
		"lists":         {data: vectorParquet(t, false, 300, same...), terms: "emb.0 emb.1 emb.2", classes: 2, at: 2.75},
		"float16":       {data: listParquet(t, half, false, 300, same...), terms: "emb.0 emb.1 emb.2", classes: 2, at: 2.75},
		"one group":     {data: vectorParquet(t, false, n, same...), terms: "emb.0 emb.1 emb.2", classes: 2, at: 2.75},
		"beside texts":  {data: vectorParquet(t, true, 300, same...), opt: none, terms: "emb.0 emb.1 emb.2", classes: 2, at: 2.75},
	} {
		got := readNamed(t, "a.parquet", string(c.data), c.opt)
		checkInvariants(t, got)
		if got.Len() != n || strings.Join(got.Terms, " ") != c.terms || len(got.ClassNames) != c.classes || (got.IDs != nil) != c.ids || got.X.At(5, 1) != c.at {
			t.Errorf("%s: %d rows, terms %q, classes %q, ids %v, value %v; notes %q", name, got.Len(), got.Terms, got.ClassNames, got.IDs != nil, got.X.At(5, 1), got.Notes)
		}
		wantNote(t, got, "‹text-column› names one of texts")
		if got.Format != ParquetNumbers || slices.Contains(TextFormats(), got.Format) {
			t.Errorf("%s: format %q is one of texts", name, got.Format)
		}
	}
	got := readNamed(t, "a.parquet", string(vectorParquet(t, true, n, same...)), ReadOptions{})
	if !slices.Contains(got.Terms, "topic1") {
		t.Errorf("terms %q", got.Terms)
	}
	wantNote(t, got, "Column emb holds lists of numbers and is left out beside the texts; ‹vectors› with the name of this file compares the documents by them, and ‹text-column› none")
	for name, c := range map[string]struct {
		data  []byte
		parts []string
	}{
		"other length": {vectorParquet(t, false, 2, 3, 3, 2, 3), []string{"row 3, column emb", "has 2 values", "has 3"}},
		"a null":       {vectorParquet(t, false, 2, 3, 3, 0, 3), []string{"row 3, column emb", "has 1 value,"}},
		"null number":  {pqFile(t, 0, []pqColumn{{"x", parquet.Types.Double, nil, []any{1.5, nil, 2.5}}}), []string{"is empty"}},
		"no rows":      {pqFile(t, 0, []pqColumn{{"x", parquet.Types.Double, nil, nil}}), []string{"no rows"}},
		"words alone":  {pqFile(t, 0, []pqColumn{pqStrings("a", "x", "y"), pqStrings("b", "z", "z")}), []string{"has no column of texts"}},
	} {
		_, err := Read(t.Context(), writeFile(t, t.TempDir(), "a.parquet", c.data), ReadOptions{})
		if err == nil {
			t.Errorf("%s is read", name)
			continue
		}
		wantFault(t, err, c.parts...)
	}
}

// besideListParquet has n documents, of each of which it has a list of so many numbers, and one
// number in each of the columns named.
func besideListParquet(t *testing.T, n, width int, names ...string) []byte {
	t.Helper()
	o := parquet.Repetitions.Optional
	list := must.Get(schema.NewGroupNode("list", parquet.Repetitions.Repeated, schema.FieldList{pqNode(t, "element", parquet.Types.Float, o)}, -1))(t)
	emb := must.Get(schema.NewGroupNodeLogical("emb", o, schema.FieldList{list}, schema.NewListLogicalType(), -1))(t)
	fields := schema.FieldList{emb}
	for _, name := range names {
		fields = append(fields, pqNode(t, name, parquet.Types.Int64, parquet.Repetitions.Required))
	}
	root := must.Get(schema.NewGroupNode("schema", parquet.Repetitions.Required, fields, -1))(t)
	var out bytes.Buffer
	w := file.NewParquetWriter(&out, root)
	g := w.AppendRowGroup()
	var values []float32
	var defs, reps []int16
	for i := range n {
		for k := range width {
			values, defs, reps = append(values, float32(i%7)+float32(k)/4), append(defs, 3), append(reps, int16(min(k, 1)))
		}
	}
	c, _ := g.NextColumn()
	if _, err := c.(*file.Float32ColumnChunkWriter).WriteBatch(values, defs, reps); err != nil {
		t.Fatal(err)
	}
	c.Close()
	for j, name := range names {
		numbers := make([]int64, n)
		for i := range numbers {
			switch name {
			case "id":
				numbers[i] = int64(100 + i)
			case "label":
				numbers[i] = int64(i % 3)
			default:
				numbers[i] = int64((37*i+j)%890 + 10)
			}
		}
		c, _ = g.NextColumn()
		if _, err := c.(*file.Int64ColumnChunkWriter).WriteBatch(numbers, nil, nil); err != nil {
			t.Fatal(err)
		}
		c.Close()
	}
	g.Close()
	must.Do(t, w.Close())
	return out.Bytes()
}

// A list of numbers is the vector of a document: single numbers beside it are no terms, and are
// columns beside the texts. Beside a short list they are terms, as the numbers of the list are.
func TestParquetNumbersBesideAList(t *testing.T) {
	const n = 50
	for name, c := range map[string]struct {
		width   int
		columns []string
		opt     ReadOptions
		terms   int
		note    string
		beside  string
		ids     bool
		classes int
	}{
		"one":        {width: 8, columns: []string{"len"}, terms: 8, beside: "len", note: "Column 9 (len) holds single numbers beside the list of numbers, which alone is compared; to compare by it too, write it into the list"},
		"two":        {width: 9, columns: []string{"len", "year"}, terms: 9, beside: "len year", note: "Columns 10 (len), 11 (year) hold single numbers beside the list"},
		"with roles": {width: 8, columns: []string{"len", "label", "id", "year"}, terms: 8, beside: "len year", ids: true, classes: 3},
		"asked for":  {width: 8, columns: []string{"len", "year"}, opt: ReadOptions{LabelColumn: "year", IDColumn: "len"}, terms: 8, ids: true, classes: 50},
		"short list": {width: 7, columns: []string{"len"}, terms: 8},
	} {
		path := writeFile(t, t.TempDir(), "a.parquet", besideListParquet(t, n, c.width, c.columns...))
		got, err := Read(t.Context(), path, c.opt)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		checkInvariants(t, got)
		if got.Len() != n || len(got.Terms) != c.terms || got.X.At(9, 1) != 2.25 || (got.IDs != nil) != c.ids || len(got.ClassNames) != c.classes {
			t.Errorf("%s: %d rows, terms %q, ids %v, classes %q", name, got.Len(), got.Terms, got.IDs != nil, got.ClassNames)
		}
		if noted := strings.Contains(strings.Join(got.Notes, "\n"), "single numbers"); noted != (c.beside != "") || !strings.Contains(strings.Join(got.Notes, "\n"), c.note) {
			t.Errorf("%s: notes %q", name, got.Notes)
		}
		list, _, err := got.ReadColumns(t.Context(), path, c.opt, strings.Fields(c.beside), 0)
		var names []string
		for _, column := range list {
			if names = append(names, column.Name); len(column.Of) != n || column.Words[column.Of[3]] == "" {
				t.Errorf("%s: column %s has %d values", name, column.Name, len(column.Of))
			}
		}
		if c.beside != "" && (err != nil || strings.Join(names, " ") != c.beside) {
			t.Errorf("%s: columns %q, %v", name, names, err)
		}
	}
}
