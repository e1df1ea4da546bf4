package corpus

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/file"
	"github.com/apache/arrow-go/v18/parquet/schema"
	"github.com/eigenmap/eigenmap/internal/must"
)

// pqNode is a column of a schema.
func pqNode(t testing.TB, name string, kind parquet.Type, repetition parquet.Repetition) schema.Node {
	t.Helper()
	var logical schema.LogicalType = schema.NoLogicalType{}
	if kind == parquet.Types.ByteArray {
		logical = schema.StringLogicalType{}
	}
	node := must.Get(schema.NewPrimitiveNodeLogical(name, repetition, logical, kind, 0, -1))(t)
	return node
}

// nestedParquet has texts in meta.body, lists of labels in tags, and true or false in good.
func nestedParquet(t *testing.T, texts []string) []byte {
	t.Helper()
	group := func(name string, repetition parquet.Repetition, fields ...schema.Node) schema.Node {
		node := must.Get(schema.NewGroupNode(name, repetition, fields, -1))(t)
		return node
	}
	o := parquet.Repetitions.Optional
	root := group("schema", parquet.Repetitions.Required,
		group("meta", o, pqNode(t, "body", parquet.Types.ByteArray, o), pqNode(t, "title", parquet.Types.ByteArray, o)),
		group("label", o, group("list", parquet.Repetitions.Repeated, pqNode(t, "element", parquet.Types.ByteArray, o))),
		pqNode(t, "good", parquet.Types.Boolean, o))
	var out bytes.Buffer
	w := file.NewParquetWriter(&out, root.(*schema.GroupNode))
	g := w.AppendRowGroup()
	next := func() file.ColumnChunkWriter {
		c := must.Get(g.NextColumn())(t)
		return c
	}
	n := len(texts)
	var bodies, titles, tags []parquet.ByteArray
	var good []bool
	var in, half, one, lists, more []int16
	for i, text := range texts {
		bodies, in = append(bodies, parquet.ByteArray(text)), append(in, 2)
		switch i % 3 { // every third title is null, and every third document has no meta.title at all
		case 0:
			titles, half = append(titles, parquet.ByteArray(fmt.Sprintf("heading%d shared", i%2))), append(half, 2)
		default:
			half = append(half, 1)
		}
		tags, lists, more = append(tags, parquet.ByteArray("a"), parquet.ByteArray("b")), append(lists, 3, 3), append(more, 0, 1)
		good, one = append(good, i%2 == 0), append(one, 1)
	}
	write := func(_ int64, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	c := next()
	write(c.(*file.ByteArrayColumnChunkWriter).WriteBatch(bodies, in, nil))
	c.Close()
	c = next()
	write(c.(*file.ByteArrayColumnChunkWriter).WriteBatch(titles, half, nil))
	c.Close()
	c = next()
	write(c.(*file.ByteArrayColumnChunkWriter).WriteBatch(tags, lists, more))
	c.Close()
	c = next()
	write(c.(*file.BooleanColumnChunkWriter).WriteBatch(good, one, nil))
	c.Close()
	g.Close()
	must.Do(t, w.Close())
	if n == 0 {
		t.Fatal("no texts")
	}
	return out.Bytes()
}

// Columns of Parquet are found as the fields of JSON are, whatever their names, and inside others.
func TestParquetRoles(t *testing.T) {
	const n = 12
	var texts []string
	for i := range n {
		texts = append(texts, fmt.Sprintf("some shared words about topic%d of many", i%2))
	}
	column := func(name string, value func(i int) any) pqColumn {
		c := pqStrings(name)
		for i := range n {
			c.values = append(c.values, value(i))
		}
		return c
	}
	number := func(name string, value func(i int) any) pqColumn {
		c := column(name, value)
		c.kind, c.logical = parquet.Types.Int64, nil
		return c
	}
	text := func(name string) pqColumn { return column(name, func(i int) any { return texts[i] }) }
	parity := func(name string) pqColumn { return number(name, func(i int) any { return int64(i % 2) }) }
	kinds := func(name string) pqColumn { return column(name, func(i int) any { return []string{"x", "y"}[i%2] }) }
	for name, c := range map[string]struct {
		data    []byte
		opt     ReadOptions
		classes []string
		ids     string // of the second document
		note    string
	}{
		"sentence":      {data: pqFile(t, 0, []pqColumn{text("sentence"), parity("label"), number("idx", func(i int) any { return int64(i) })}), classes: []string{"0", "1"}, note: "‹text-column›"},
		"body":          {data: pqFile(t, 5, []pqColumn{column("url", func(i int) any { return fmt.Sprint("u", i) }), text("body"), kinds("category")}), classes: []string{"x", "y"}, note: "category"},
		"content":       {data: pqFile(t, 0, []pqColumn{number("id", func(i int) any { return int64(i + 7) }), text("content")}), ids: "8"},
		"two columns":   {data: pqFile(t, 0, []pqColumn{text("premise"), kinds("kind")}), classes: []string{"x", "y"}, note: "kind"},
		"asked":         {data: pqFile(t, 0, []pqColumn{column("text", func(int) any { return "other words" }), text("story"), kinds("kind"), column("key", func(i int) any { return fmt.Sprint("k", i) })}), opt: ReadOptions{TextColumn: []string{"story"}, IDColumn: "key", LabelColumn: "kind"}, classes: []string{"x", "y"}, ids: "k1"},
		"no labels":     {data: pqFile(t, 0, []pqColumn{text("text"), kinds("label")}), opt: ReadOptions{LabelColumn: "none"}},
		"nested":        {data: nestedParquet(t, texts), opt: ReadOptions{TextColumn: []string{"meta.body"}}, note: "label is a list"},
		"nested, asked": {data: nestedParquet(t, texts), opt: ReadOptions{TextColumn: []string{"meta.body", "meta.title"}, LabelColumn: "good"}, classes: []string{"false", "true"}},
		"a date":        {data: pqFile(t, 0, []pqColumn{text("text"), {"label", parquet.Types.Int32, schema.DateLogicalType{}, slices.Repeat([]any{int32(1)}, n)}}), note: "of type date"},
	} {
		t.Run(name, func(t *testing.T) {
			c.opt.Text.MinDF = 1
			got := readNamed(t, "a.parquet", string(c.data), c.opt)
			if got.Len() != n || !slices.Contains(got.Terms, "topic1") || !slices.Contains(got.Terms, "shared") {
				t.Fatalf("%d documents, terms %q", got.Len(), got.Terms)
			}
			if !slices.Equal(got.ClassNames, c.classes) {
				t.Errorf("classes %q, want %q; notes %q", got.ClassNames, c.classes, got.Notes)
			}
			if c.ids == "" && got.IDs != nil || c.ids != "" && (got.IDs == nil || got.IDs[1] != c.ids) {
				t.Errorf("ids %q", got.IDs)
			}
			if c.note != "" {
				wantNote(t, got, c.note)
			}
			if j := slices.Index(got.Terms, "heading0"); (j >= 0) != (name == "nested, asked") || j >= 0 && (got.X.At(0, j) != 1 || got.X.At(1, j) != 0) {
				t.Errorf("the second text: column %d", j)
			}
		})
	}
	for _, c := range []struct {
		opt   ReadOptions
		parts []string
	}{
		{ReadOptions{TextColumn: []string{"meta"}}, []string{"‹text-column› meta", "meta.body"}},
		{ReadOptions{TextColumn: []string{"meta.body"}, LabelColumn: "label"}, []string{"column label", "a list", "‹label-column›"}},
	} {
		_, err := Read(t.Context(), writeFile(t, t.TempDir(), "a.parquet", nestedParquet(t, texts)), c.opt)
		wantFault(t, err, c.parts...)
	}
}

// JSON lines and arrays have the same roles, also for fields inside others, and labels that nobody
// asked for do not end a run.
func TestJSONRoles(t *testing.T) {
	const n = 12
	for name, c := range map[string]struct {
		line    func(i int) string
		opt     ReadOptions
		classes int
		ids     string
		note    string
	}{
		"usual": {line: func(i int) string {
			return fmt.Sprintf(`{"id": "d%d", "text": "some shared words", "label": %d}`, i, i%2)
		}, classes: 2, ids: "d1"},
		"body": {line: func(i int) string {
			return fmt.Sprintf(`{"url": "u%d", "body": "some shared words of it", "category": "c%d"}`, i, i%2)
		}, classes: 2, note: "category"},
		"inside": {line: func(i int) string {
			return fmt.Sprintf(`{"meta": {"lang": "en", "n": %d}, "data": {"abstract": "some shared words of it"}}`, i)
		}, note: "data.abstract"},
		"asked": {line: func(i int) string {
			return fmt.Sprintf(`{"a": {"b": "some shared"}, "c": "words", "k": {"x": "c%d"}}`, i%3)
		}, opt: ReadOptions{TextColumn: []string{"a.b", "c"}, LabelColumn: "k.x"}, classes: 3},
		"NaN": {line: func(i int) string {
			return fmt.Sprintf(`{"text": "some shared words", "score": NaN, "x": [-Infinity, Infinity], "label": "c%d", "said": "NaN is \" NaN"}`, i%2)
		}, classes: 2},
		"NaN label": {line: func(i int) string {
			return fmt.Sprintf(`{"text": "some shared words", "label": %s}`, []string{"NaN", `"x"`, `"y"`}[i%3])
		}, classes: 2},
		"lists":        {line: func(i int) string { return `{"text": "some shared words", "label": ["a", "b"]}` }, note: "several labels"},
		"list, asked":  {line: func(i int) string { return fmt.Sprintf(`{"text": "some shared words", "label": ["c%d", "b"]}`, i%2) }, opt: ReadOptions{LabelColumn: "label.0"}, classes: 2},
		"lists of one": {line: func(i int) string { return fmt.Sprintf(`{"text": "some shared words", "label": ["c%d"]}`, i%2) }, classes: 2},
		"true":         {line: func(i int) string { return fmt.Sprintf(`{"text": "some shared words", "label": %t}`, i%2 == 0) }, classes: 2},
		"objects":      {line: func(i int) string { return `{"text": "some shared words", "label": {"a": 1}}` }, note: "no class"},
		"one list": {line: func(i int) string {
			return fmt.Sprintf(`{"text": "some shared words", "label": %s}`, []string{`"x"`, `"y"`, `"x"`, `"y"`, `"x"`, `"y"`, `"x"`, `"y"`, `"x"`, `"y"`, `"x"`, `["x","y"]`}[i])
		}, classes: 2, note: "unlabelled"},
		"none": {line: func(i int) string { return `{"text": "some shared words", "label": {"a": 1}}` }, opt: ReadOptions{LabelColumn: "none"}},
		"two words": {line: func(i int) string {
			return fmt.Sprintf(`{"review": "some shared words of it", "sentiment": "s%d"}`, i%2)
		}, classes: 2, note: "sentiment"},
	} {
		t.Run(name, func(t *testing.T) {
			lines, array := "", "["
			for i := range n {
				if i > 0 {
					array += ",\n  "
				}
				lines += c.line(i) + "\n"
				array += c.line(i)
			}
			c.opt.Text.MinDF = 1
			var first *Corpus
			for file, content := range map[string]string{"a.jsonl": lines, "b.json": array + "]\n", "c.json": lines, "d": array + "\n]"} {
				got := readNamed(t, file, content, c.opt)
				if got.Len() != n || !slices.Contains(got.Terms, "shared") || !slices.Contains(got.Terms, "words") {
					t.Fatalf("%s: %d documents, terms %q", file, got.Len(), got.Terms)
				}
				if len(got.ClassNames) != c.classes || c.ids == "" && got.IDs != nil || c.ids != "" && (got.IDs == nil || got.IDs[1] != c.ids) {
					t.Errorf("%s: classes %q, ids %q; notes %q", file, got.ClassNames, got.IDs, got.Notes)
				}
				if c.note != "" {
					wantNote(t, got, c.note)
				}
				if first == nil {
					first = got
				}
				if !slices.Equal(first.Labels, got.Labels) || !slices.Equal(first.Terms, got.Terms) {
					t.Errorf("%s is another corpus", file)
				}
			}
		})
	}
	for _, c := range []struct {
		name, content string
		opt           ReadOptions
		parts         []string
	}{
		{"a.jsonl", `{"text": "some words", "label": ["a", "b"]}`, ReadOptions{LabelColumn: "label"}, []string{"line 1", "neither a string nor a number", "label.0"}},
		{"a.json", `[{"text": "some words"}, 3]`, ReadOptions{}, []string{"line 1", "something else than objects"}},
		{"a.json", "[{\"text\": \"some words\"},\n{\"text\": \"some", ReadOptions{}, []string{"cut off"}},
		{"a.json", "[{\"text\": \"some words\"}]\n[]", ReadOptions{}, []string{"line 2", "goes on after"}},
		{"a.json", `[]`, ReadOptions{}, []string{"no documents"}},
		{"a.jsonl", `{"a": 1, "b": 2}`, ReadOptions{}, []string{"line 1", "no string text", "a, b", "‹text-column›"}},
		{"a.jsonl", `{"a": "x", "b": 2}`, ReadOptions{TextColumn: []string{"c"}}, []string{"‹text-column› c", "a, b"}},
	} {
		_, err := Read(t.Context(), writeFile(t, t.TempDir(), c.name, []byte(c.content)), c.opt)
		wantFault(t, err, c.parts...)
	}
}
