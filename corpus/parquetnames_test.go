package corpus

import (
	"fmt"
	"slices"
	"testing"

	"github.com/apache/arrow-go/v18/parquet"
	"github.com/eigenmap/eigenmap/internal/must"
)

// Classes of a data set of Hugging Face have the names that the metadata of the file give them, as
// far as these are names of all classes.
func TestParquetClassNames(t *testing.T) {
	label := pqColumn{name: "label", kind: parquet.Types.Int64}
	text := pqStrings("text")
	for i := range 12 {
		text.values = append(text.values, []string{"engine wheel", "oven cake"}[i%2])
		label.values = append(label.values, int64(i%3-1))
	}
	features := func(label string) string {
		return `{"info": {"features": {"text": {"dtype": "string", "_type": "Value"}, "label": ` + label + `}}}`
	}
	numbers := []string{"0", "1"}
	for said, want := range map[string][]string{
		features(`{"names": ["food", "cars"], "_type": "ClassLabel"}`):        {"cars", "food"},
		features(`{"names": ["food"], "_type": "ClassLabel"}`):                {"1", "food"},
		features(`{"names": ["food", "cars", "sky"], "_type": "ClassLabel"}`): {"cars", "food"},
		features(`{"names": ["food", "food"], "_type": "ClassLabel"}`):        numbers,
		features(`{"names": [], "_type": "ClassLabel"}`):                      numbers,
		features(`{"names": ["", "x"], "_type": "ClassLabel"}`):               numbers,
		features(`{"dtype": "int64", "_type": "Value"}`):                      numbers,
		features(`["ClassLabel"]`):                                            numbers,
		`{"info": {"features": {"kind": {"names": ["a"]}}}}`:                  numbers,
		`{"info": null}`: numbers,
		`not json`:       numbers,
		"":               numbers,
		features(`{"names": ["é\u0000\n b", "cars"], "_type": "ClassLabel"}`):    {"cars", "é b"},
		features(`{"num_classes": 2, "names": null, "_type": "ClassLabel"}`):     numbers,
		features(`{"names": {"0": "food", "1": "cars"}, "_type": "ClassLabel"}`): numbers,
	} {
		c := readNamed(t, "train-00000-of-00001.parquet", string(pqFileSaying(t, 5, []pqColumn{text, label}, said)), ReadOptions{})
		got := slices.Sorted(slices.Values(c.ClassNames))
		if unlabeled := slices.Index(c.Labels, -1); !slices.Equal(got, want) || unlabeled != 0 {
			t.Errorf("%s: classes %q, want %q; labels %v", said, got, want, c.Labels)
		}
	}
	files := map[string]string{"train-00000-of-00001.parquet": string(pqFileSaying(t, 0, []pqColumn{text, label}, features(`{"names": ["food", "cars"], "_type": "ClassLabel"}`)))}
	c, err := Read(t.Context(), makeFolder(t, files), ReadOptions{})
	if err != nil || fmt.Sprint(c.Len(), len(c.ClassNames)) != "12 2" || !slices.Contains(c.ClassNames, "cars") {
		t.Errorf("a folder: %v, %v", err, c)
	}
}

// TestParquetIndex: the index of pandas names the documents and is no term, whatever it is called
// and wherever it stands; one that rows share is left out, and one that counts them is no column.
func TestParquetIndex(t *testing.T) {
	column := func(name string, values ...any) pqColumn {
		return pqColumn{name, parquet.Types.Double, nil, values}
	}
	x, y := column("x", 1.5, 2.5, 4.5, 7.5, 1.25), column("y", 4.0, 1.5, 2.5, 3.5, 0.5)
	for _, c := range []struct {
		index pqColumn
		said  string
		id    string // of the second document
		terms int
	}{
		{column("patient", 12.0, 7.0, 5.0, 30.0, 2.0), `{"index_columns": ["patient"]}`, "7", 2},
		{column("patient", 12.0, 7.0, 7.0, 30.0, 2.0), `{"index_columns": ["patient"]}`, "2", 2},
		{column("patient", 12.0, 7.0, 5.0, 30.0, 2.0), `{"index_columns": [{"kind": "range", "start": 0}]}`, "2", 3},
		{column("patient", 12.0, 7.0, 5.0, 30.0, 2.0), "", "2", 3},
	} {
		file := pqFileSaying(t, 0, []pqColumn{x, y, c.index}, c.said)
		read := must.Get(Read(t.Context(), writeFile(t, t.TempDir(), "a.parquet", file), ReadOptions{}))(t)
		if _, terms := read.X.Dims(); terms != c.terms || read.ID(1) != c.id {
			t.Errorf("%q: %d terms, the second document is %s, want %d and %s; notes %q", c.said, terms, read.ID(1), c.terms, c.id, read.Notes)
		}
	}
}
