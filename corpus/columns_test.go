package corpus

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/apache/arrow-go/v18/parquet/schema"
	"github.com/eigenmap/eigenmap/internal/must"
)

// shown are columns as text: a line each, with a value for each document.
func shownColumns(list []Column) string {
	var b strings.Builder
	for _, c := range list {
		fmt.Fprintf(&b, "%s:", c.Name)
		for _, v := range c.Values {
			fmt.Fprintf(&b, " %v", v)
		}
		for _, k := range c.Of {
			if k < 0 {
				b.WriteString(" -")
			} else {
				b.WriteString(" " + c.Words[k])
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

// TestReadColumns: the columns beside the texts of every format that has columns, and of a part of
// the documents.
func TestReadColumns(t *testing.T) {
	long := strings.Repeat("long words ", 30)
	for name, c := range map[string]struct{ text, want string }{
		"a.csv": {"id,text,year,who,label,much\nx,the apple was red,2001,Ann Lee,a," + long + "\ny,the car was fast and blue,,Bo,b," + long + "\nz,the plum was blue,2003,NA,a," + long + "\n",
			"year: 2001 - 2003\nwho: Ann Lee Bo -\n"},
		"b.jsonl": {`{"id": "x", "text": "red apple", "meta": {"year": 2001, "tags": ["one"]}, "ok": true, "vector": [1, 2]}` + "\n" +
			`{"id": "y", "text": "blue apple", "meta": {"year": NaN}, "late": "\u00e9"}` + "\n" + `{"id": "z", "text": "green apple", "ok": null}` + "\n",
			"meta.year: 2001 - -\nmeta.tags: one - -\nok: true - -\nlate: - é -\n"},
		"c.json": {`[{"text": "red apple", "n": 1}, {"text": "blue apple", "n": 2}, {"text": "green apple"}]`, "n: 1 2 -\n"},
		"e.csv": {"id;text;price;much;day\nx;the apple was red;1,5;1.234,50;01.02.2003\ny;the car was fast and blue;2,25;-;02.02.2003\nz;the plum was blue;3;12.000.000;\n",
			"price: 1.5 2.25 3\nmuch: 1234.5 - 12000000\nday: 01.02.2003 02.02.2003 -\n"},
		"f.csv": {"id;text;much\nx;the apple was red;1\u00a0234,5\ny;the car was fast and blue;12\u00a0000\nz;the plum was blue;0,0000000001\n", "much: 1234.5 12000 1e-10\n"},
		"m.mbox": {"From a@b.c Mon Jan  1 10:00:00 2024\nFrom: =?utf-8?q?J=C3=B6rg?=\nDate: Mon, 1 Jan 2024 10:00:00 +0100\n\nred apple\n\n" +
			"From a@b.c Tue Jan  2 10:00:00 2024\nMessage-ID: <x@y>\nFrom: a@x.de\nTo: list\n\nblue apple\n\n" +
			"From a@b.c Wed Jan  3 10:00:00 2024\nMessage-ID: <x@y>\nFrom: a@x.de\n\ngreen apple\n",
			"From: Jörg a@x.de a@x.de\nDate: Mon, 1 Jan 2024 10:00:00 +0100 - -\nTo: - list -\n"},
		"n.csv": {"name,x,y,z,w,town,since\nann,1,2,3,4.5,Bonn,2001-02-03\nbo,2,1,4,3,Rome,2002-03-04\ncy,3,3,3,3,Bonn,\n",
			"x: 1 2 3\ny: 2 1 3\nz: 3 4 3\nw: 4.5 3 3\ntown: Bonn Rome Bonn\nsince: 2001-02-03 2002-03-04 -\n"},
		"d.txt": {"red apple\nblue apple\ngreen apple\n", ""},
	} {
		path := filepath.Join(t.TempDir(), name)
		writeFile(t, filepath.Dir(path), name, []byte(c.text))
		opt := ReadOptions{Text: TextOptions{MinDF: 1}}
		if name == "d.txt" {
			opt.Format = "lines"
		}
		read := must.Get(Read(t.Context(), path, opt))(t)
		list, notes, err := read.ReadColumns(t.Context(), path, opt, nil, 1<<20)
		if err != nil || notes != nil || shownColumns(list) != c.want {
			t.Errorf("%s: %q, %q, %v", name, shownColumns(list), notes, err)
		}
		if c.want == "" {
			continue
		}
		// A part of the documents.
		list, _, err = read.SelectRows([]int{1, 2}).ReadColumns(t.Context(), path, opt, []string{list[0].Name}, 1<<20)
		first, _, _ := strings.Cut(c.want, "\n")
		words := strings.Fields(strings.ReplaceAll(first, "Ann Lee", "Ann_Lee"))
		if want := strings.Join(slices.Delete(words, 1, 2), " ") + "\n"; err != nil || len(list) > 0 && shownColumns(list) != want {
			t.Errorf("%s: a part has %q for %q, %v", name, shownColumns(list), want, err)
		}
		// Another file.
		writeFile(t, filepath.Dir(path), name, []byte(strings.ReplaceAll(c.text, "blue", "  ")[:len(c.text)/2]))
		if _, _, err = read.ReadColumns(t.Context(), path, opt, nil, 1<<20); err == nil {
			t.Errorf("%s: a file that was cut off has columns", name)
		}
	}
}

// TestColumnsOfLentNames: documents that take their names from a list of labels keep the columns
// beside their texts, and so does a part of them.
func TestColumnsOfLentNames(t *testing.T) {
	dir := t.TempDir()
	path := writeFile(t, dir, "a.csv", []byte("text,who\nthe apple was red,Ann\nthe car was fast and blue,Bo\nthe plum was blue,Cy\n"))
	opt := ReadOptions{Text: TextOptions{MinDF: 1}, Labels: writeFile(t, dir, "l.csv", []byte("p,u\nq,v\nr,u\n"))}
	c := must.Get(Read(t.Context(), path, opt))(t)
	wantNote(t, c, "take the names in l.csv, in the order of that file.")
	for want, c := range map[string]*Corpus{"who: Ann Bo Cy\n": c, "who: Bo Cy\n": c.SelectRows([]int{1, 2})} {
		list, _, err := c.ReadColumns(t.Context(), path, opt, nil, 1<<20)
		if err != nil || shownColumns(list) != want {
			t.Errorf("%q for %q, %v", shownColumns(list), want, err)
		}
	}
}

// TestColumnsSize: the first documents of a file say how many columns it has, and about what they
// take while they are read.
func TestColumnsSize(t *testing.T) {
	var text strings.Builder
	text.WriteString("text,few,many,long\n")
	for i := range 5000 {
		fmt.Fprintf(&text, "the apple was red and quite round and of a good taste,%d,word%d,%s\n", i%3, i, strings.Repeat("long ", 14))
	}
	path := writeFile(t, t.TempDir(), "a.csv", []byte(text.String()))
	opt := ReadOptions{TextColumn: []string{"text"}}
	read := must.Get(Read(t.Context(), path, opt))(t)
	list, _, err := read.ReadColumns(t.Context(), path, opt, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	took := int64(0)
	for _, c := range list {
		took += documentBytes * int64(len(c.Of))
		for _, w := range c.Words {
			took += int64(len(w)) + wordBytes
		}
	}
	if columns, bytes := ColumnsSize(t.Context(), path, opt, nil, read.Len()); columns != len(list) || columns != 2 || bytes < took*9/10 || bytes > took*11/10 {
		t.Errorf("%d columns of %d bytes; they are %d of %d", columns, bytes, len(list), took)
	}
	if columns, bytes := ColumnsSize(t.Context(), path, opt, []string{"few"}, 1000); columns != 1 || bytes > 10_000 {
		t.Errorf("named: %d columns of %d bytes", columns, bytes)
	}
	numbers := writeFile(t, t.TempDir(), "n.csv", []byte("x,y\n1,2\n3,4\n"))
	if columns, bytes := ColumnsSize(t.Context(), numbers, ReadOptions{}, nil, 2); columns != 0 || bytes != 0 {
		t.Errorf("numbers: %d columns of %d bytes", columns, bytes)
	}
}

// Of a table of numbers the columns of words alone are read again, and a plan knows how many there
// are.
func TestNumbersAreReadOnce(t *testing.T) {
	path := writeFile(t, t.TempDir(), "n.csv", []byte("name,x,y,z,w,town,since\nann,1,2,3,4.5,Bonn,2001-02-03\nbo,2,1,4,3,Rome,2002-03-04\ncy,3,3,3,3,Bonn,2003-04-05\n"))
	read, err := Read(t.Context(), path, ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	pass := &Contents{Name: path, like: read}
	err = pass.pass(t.Context(), path, ReadOptions{beside: true}, func(docs []Document) error {
		for _, d := range docs {
			if len(d.Beside) != 2 || d.Beside[0].Column != "town" {
				t.Errorf("%s has %v", d.ID, d.Beside)
			}
		}
		return nil
	})
	if err != nil || pass.Documents != 3 {
		t.Errorf("%d documents, %v", pass.Documents, err)
	}
	if columns, bytes := ColumnsSize(t.Context(), path, ReadOptions{}, nil, 3); columns != 2 || bytes <= 0 {
		t.Errorf("%d columns of %d bytes", columns, bytes)
	}
}

// TestReadColumnsWithin: columns beyond the memory are left out, the largest first, and so are
// names that no document has.
func TestReadColumnsWithin(t *testing.T) {
	var text strings.Builder
	text.WriteString("text,few,many\n")
	for i := range 500 {
		fmt.Fprintf(&text, "the apple was red and quite round,%d,word%d\n", i%3, i)
	}
	path := filepath.Join(t.TempDir(), "a.csv")
	writeFile(t, filepath.Dir(path), "a.csv", []byte(text.String()))
	read := must.Get(Read(t.Context(), path, ReadOptions{}))(t)
	list, notes, err := read.ReadColumns(t.Context(), path, ReadOptions{}, []string{"Few", "many", "none of these"}, 20<<10)
	if err != nil || len(list) != 1 || list[0].Name != "few" || len(list[0].Words) != 3 {
		t.Errorf("%q, %v", shownColumns(list), err)
	}
	if len(notes) != 2 || !strings.Contains(notes[0], "many") || !strings.Contains(notes[1], "none of these") {
		t.Errorf("notes %q", notes)
	}
	// Columns of numbers take memory too.
	path = writeFile(t, t.TempDir(), "n.csv", []byte("name,x,y,z,w,town\nann,1,2,3,4.5,Bonn\nbo,2,1,4,3,Rome\ncy,3,3,3,3,Bonn\n"))
	if read, err = Read(t.Context(), path, ReadOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, names := range [][]string{nil, {"x", "y", "z"}} {
		list, notes, err = read.ReadColumns(t.Context(), path, ReadOptions{}, names, 2*3*8)
		if err != nil || shownColumns(list) != "x: 1 2 3\ny: 2 1 3\n" || len(notes) != 1 || !strings.Contains(notes[0], "Memory is too short for the columns z") {
			t.Errorf("%q: %q, notes %q, %v", names, shownColumns(list), notes, err)
		}
	}
	// More columns than are read.
	text.Reset()
	for _, row := range []string{`"text": "red apple"`, `"text": "blue apple"`} {
		text.WriteString("{" + row)
		for k := range mostColumns + 1 {
			fmt.Fprintf(&text, `, "c%d": %d`, k, k)
		}
		text.WriteString("}\n")
	}
	path = filepath.Join(t.TempDir(), "a.jsonl")
	writeFile(t, filepath.Dir(path), "a.jsonl", []byte(text.String()))
	opt := ReadOptions{Text: TextOptions{MinDF: 1}}
	if read, err = Read(t.Context(), path, opt); err != nil {
		t.Fatal(err)
	}
	list, notes, err = read.ReadColumns(t.Context(), path, opt, nil, 1<<20)
	if err != nil || len(list) != mostColumns || len(notes) != 1 || !strings.Contains(notes[0], "more than 256 columns") {
		t.Errorf("%d columns, notes %q, %v", len(list), notes, err)
	}
}

// TestParquetColumns: dates and times of Parquet are columns beside the texts and times of the
// documents, in each of their units; a long column is neither.
func TestParquetColumns(t *testing.T) {
	const day = int64(18262) // 2020-01-01
	second := day*86400 + 3661
	stamp := func(perSecond int64) []any {
		return []any{second * perSecond, nil, second*perSecond + perSecond/2}
	}
	file := pqFile(t, 0, []pqColumn{
		pqStrings("text", "red apple", "blue apple", "green apple"),
		pqStrings("long", strings.Repeat("long ", 90), strings.Repeat("longer ", 90), nil),
		{"day", parquet.Types.Int32, schema.DateLogicalType{}, []any{int32(day), nil, int32(day - 40000)}},
		{"milli", parquet.Types.Int64, schema.NewTimestampLogicalType(true, schema.TimeUnitMillis), stamp(1e3)},
		{"micro", parquet.Types.Int64, schema.NewTimestampLogicalType(false, schema.TimeUnitMicros), stamp(1e6)},
		{"nano", parquet.Types.Int64, schema.NewTimestampLogicalType(true, schema.TimeUnitNanos), stamp(1e9)},
		{"stars", parquet.Types.Double, schema.NoLogicalType{}, []any{4.5, nil, 3.0}},
		{"ok", parquet.Types.Boolean, schema.NoLogicalType{}, []any{true, false, true}},
	})
	path := filepath.Join(t.TempDir(), "a.parquet")
	writeFile(t, filepath.Dir(path), "a.parquet", file)
	opt := ReadOptions{Text: TextOptions{MinDF: 1}, LabelColumn: "none"}
	read := must.Get(Read(t.Context(), path, opt))(t)
	list, _, err := read.ReadColumns(t.Context(), path, opt, nil, 1<<20)
	want := "day: 2020-01-01 - 1910-06-27\n"
	for _, name := range []string{"milli", "micro", "nano"} {
		want += name + ": 2020-01-01T01:01:01Z - 2020-01-01T01:01:01Z\n"
	}
	want += "stars: 4.5 - 3\nok: true false true\n"
	if err != nil || shownColumns(list) != want {
		t.Errorf("%s, %v", shownColumns(list), err)
	}
	opt.LabelColumn, opt.TimeColumn = "", "nano"
	times, err := read.ReadTimes(t.Context(), path, opt)
	if err != nil || !slices.Equal(times, []string{"2020-01-01T01:01:01Z", "", "2020-01-01T01:01:01Z"}) {
		t.Errorf("%q, %v", times, err)
	}
}

// A part of the documents gets their own values, also where ids occur twice or look like the names
// that the reader gives to such documents.
func TestColumnsOfRepeatedNames(t *testing.T) {
	for name, c := range map[string]struct{ ids, want string }{
		"again":       {"a a b a", "n: 1 3\n"},
		"like a name": {"a a#2 b c", "n: 1 3\n"},
		"both":        {"a a#2 a b", "n: 1 3\n"},
	} {
		var b strings.Builder
		b.WriteString("title,n,body\n") // a guess, so that names may occur again
		if name == "like a name" {
			b.Reset()
			b.WriteString("id,n,body\n")
		}
		for i, id := range strings.Fields(c.ids) {
			fmt.Fprintf(&b, "%s,%d,the apple was red and %d\n", id, i, i)
		}
		text := strings.Replace(b.String(), "title", "doc", 1)
		path := filepath.Join(t.TempDir(), "a.csv")
		writeFile(t, filepath.Dir(path), "a.csv", []byte(text))
		opt := ReadOptions{Text: TextOptions{MinDF: 1}, TextColumn: []string{"body"}}
		read := must.Get(Read(t.Context(), path, opt))(t)
		list, _, err := read.SelectRows([]int{1, 3}).ReadColumns(t.Context(), path, opt, []string{"n"}, 1<<20)
		if err != nil || shownColumns(list) != c.want {
			t.Errorf("%s, %q: %q, %v", name, read.IDs, shownColumns(list), err)
		}
	}
}

// TestParquetColumnsBesideIndex: an index of pandas, and a column of dates that would be classes as
// words, have the same roles when the columns are read as when the texts were.
func TestParquetColumnsBesideIndex(t *testing.T) {
	days := func(list ...int32) pqColumn {
		c := pqColumn{"day", parquet.Types.Int32, schema.DateLogicalType{}, nil}
		for _, d := range list {
			c.values = append(c.values, d)
		}
		return c
	}
	texts := pqStrings("text", "red apple", "blue apple", "green apple", "old apple")
	index := func(kind schema.LogicalType) pqColumn {
		return pqColumn{"__index_level_0__", parquet.Types.Int64, kind, []any{int64(0), int64(1), int64(2), int64(3)}}
	}
	for name, c := range map[string]struct {
		columns []pqColumn
		want    string
	}{
		"dates alone": {[]pqColumn{texts, days(0, 1, 0, 1)}, "day: 1970-01-01 1970-01-02 1970-01-01 1970-01-02\n"},
		"row numbers": {[]pqColumn{texts, pqStrings("label", "a", "b", "a", "b"), days(0, 1, 0, 1), index(schema.NoLogicalType{})},
			"day: 1970-01-01 1970-01-02 1970-01-01 1970-01-02\n__index_level_0__: 0 1 2 3\n"},
		"times of rows": {[]pqColumn{texts, index(schema.NewTimestampLogicalType(true, schema.TimeUnitMillis))},
			"__index_level_0__: 1970-01-01T00:00:00Z 1970-01-01T00:00:00Z 1970-01-01T00:00:00Z 1970-01-01T00:00:00Z\n"},
	} {
		path := filepath.Join(t.TempDir(), "a.parquet")
		writeFile(t, filepath.Dir(path), "a.parquet", pqFile(t, 0, c.columns))
		opt := ReadOptions{Text: TextOptions{MinDF: 1}}
		read := must.Get(Read(t.Context(), path, opt))(t)
		list, _, err := read.ReadColumns(t.Context(), path, opt, nil, 1<<20)
		if err != nil || shownColumns(list) != c.want {
			t.Errorf("%s, documents %q: %q, %v", name, read.IDs, shownColumns(list), err)
		}
	}
}
