package corpus

import (
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// weather is a table of Weka's with all kinds of attributes.
const weather = `% a comment
@RELATION weather

@attribute 'the temperature' REAL
@attribute	humidity	numeric
@attribute windy {0, 1}
@attribute grade {1, 2, 3}
@attribute class {yes, 'not now'}
@data
85, 85, 0, 1, yes
% another comment
80, ?, 1, 2, 'not now'
83,86,0,3,yes,{2}
70	96	1	1	'not now'
`

// Tables of Weka are read as tables of CSV are.
func TestARFF(t *testing.T) {
	csv := "the temperature,humidity,windy,class\n85,85,0,yes\n80,,1,not now\n83,86,0,yes\n70,96,1,not now\n"
	opt := ReadOptions{Missing: MissingMean, TextColumn: []string{"none"}}
	got, want := readNamed(t, "a.arff", strings.Replace(weather, "70\t96\t1\t1\t'not now'", "70,96,1,1,'not now'", 1), opt), readNamed(t, "a.csv", csv, opt)
	if !mat.Equal(got.X, want.X) || strings.Join(got.Terms, "|") != strings.Join(want.Terms, "|") || strings.Join(got.ClassNames, "|") != "not now|yes" || got.Format != "arff" {
		t.Errorf("terms %q, classes %q, notes %q\n%v", got.Terms, got.ClassNames, got.Notes, mat.Formatted(got.X))
	}
	got = readNamed(t, "a.arff", weather, ReadOptions{Missing: MissingDropRows, Categories: true})
	if strings.Join(got.Terms, "|") != "the temperature|humidity|windy|grade=1" { // others occur once
		t.Errorf("terms %q", got.Terms)
	}
}

// Sparse rows leave out zeros and first values; the last attribute is the class if none is called
// so.
func TestSparseARFF(t *testing.T) {
	sparse := "@relation r\n@attribute a numeric\n@attribute b numeric\n@attribute kind {x, y}\n@data\n{0 1.5, 2 y}\n{}\n{1 -2}\n{0 3, 1 4, 2 \"y\"}\n"
	dense := "a,b,kind\n1.5,0,y\n0,0,x\n0,-2,x\n3,4,y\n"
	got, want := readNamed(t, "a", sparse, ReadOptions{}), readNamed(t, "a.csv", dense, ReadOptions{})
	if !mat.Equal(got.X, want.X) || strings.Join(got.ClassNames, " ") != strings.Join(want.ClassNames, " ") {
		t.Errorf("classes %q\n%v", got.ClassNames, mat.Formatted(got.X))
	}
	wantNote(t, got, "The last attribute, kind, is taken for the classes, as Weka does; ‹label-column› names another, or none.")
	if got = readNamed(t, "a", sparse, ReadOptions{LabelColumn: "none"}); got.Labels != nil {
		t.Errorf("classes %q", got.ClassNames)
	}
}

// What is wrong with a table of Weka is named with its line; texts in attributes are texts.
func TestKindARFF(t *testing.T) {
	head := "@relation r\n@attribute a numeric\n@attribute b numeric\n"
	checkKinds(t, []kind{
		{name: "a.arff", content: head + "@data\n1,2\n3,4\n", rows: 2, cols: 2},
		{name: "a.arff.gz", content: gzipped(head + "@data\n1,2\n3,4\n"), rows: 2, cols: 2},
		{name: "a", content: "\ufeff%x\r\n" + crlf(head+"@DATA\n1,2\n3,4\n"), rows: 2, cols: 2},
		{name: "a.arff", content: "@relation 'news'\n@attribute text string\n@attribute 'topic' {sport, art}\n@data\n'some words of it\\'s text',sport\n\"more words, of a text\",art\n", rows: 2, classes: 2},
		{name: "a.arff", content: head + "1,2\n", refused: "line 4: is \"1,2\", where @relation"},
		{name: "a.arff", content: head, refused: "no line @data"},
		{name: "a.arff", content: "@relation r\n@data\n1\n", refused: "no line @attribute"},
		{name: "a.arff", content: head + "@data\n1,2\n3\n", refused: "line 6: has 1 value, and there are 2 attributes"},
		{name: "a.arff", content: head + "@data\n1,2,3,4\n", refused: "line 5: has 3 values"},
		{name: "a.arff", content: head + "@data\n1,2\n{0 1, 2 3}\n", refused: "line 6: names column 2, and there are 2"},
		{name: "a.arff", content: head + "@data\n1,2\n{1 1, 0 3}\n", refused: "columns ascend"},
		{name: "a.arff", content: head + "@data\n1,2\n{0 1\n", refused: "does not end with }"},
		{name: "a.arff", content: head + "@data\n1,2\n{x 1}\n", refused: "is no list of pairs"},
		{name: "a.arff", content: head + "@data\n1,'2\n", refused: "a value in quotes does not end"},
		{name: "a.arff", content: "@relation r\n@attribute a {x,y\n@data\n", refused: "do not end with }"},
		{name: "a.arff", content: "@relation r\n@attribute a relational\n@attribute b numeric\n@end a\n@data\n", refused: "relational"},
		{name: "a.arff", content: "@relation r\n@attribute a colour\n@data\n", refused: "none of Weka's"},
		{name: "a.arff", content: head + "@data\n1,2\n3,?\n", refused: "the first, line 6, column 2 (b), is ?"},
	})
}

// FuzzReadARFF reads arbitrary bytes as a table of Weka's.
func FuzzReadARFF(f *testing.F) {
	for _, s := range []string{weather, "@relation r\n@attribute a {x}\n@data\n{0 x}\n", "@data\n", "@attribute 'a\\u00e9' string\n@data\n'\\", "@attribute a date\n@attribute b integer\n@data\n{1 2,}\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		fuzzRead(t, data, "arff", ReadOptions{Text: TextOptions{MinDF: 1}})
	})
}
