package corpus

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus/internal/corpustest"
)

// Of each kind of file in shared/cases, others of the same kind: each is read as it was meant, or
// refused for what it is. The kind of mailboxes is in TestMboxSeparators, the old formats of the
// field are in kindcounts_test.go.

// kind is an input of a kind and what it is.
type kind struct {
	name, content       string
	beside              map[string]string // other files of its folder
	opt                 ReadOptions
	rows, cols, classes int
	ids                 bool
	terms               string // the first terms, with blanks between
	note                string // a part of the notes
	refused             string // a part of the error
}

func checkKinds(t *testing.T, list []kind) {
	t.Helper()
	if len(list) < 10 {
		t.Errorf("only %d inputs of the kind", len(list))
	}
	for i, k := range list {
		k.opt.Text.MinDF = 1
		c, err := Read(t.Context(), writeFile(t, makeFolder(t, k.beside), k.name, []byte(k.content)), k.opt)
		at := fmt.Sprintf("input %d, %s (%.60q)", i, k.name, k.content)
		if k.refused != "" {
			if err == nil || !strings.Contains(err.Error(), k.refused) {
				t.Errorf("%s: the error %v lacks %q", at, err, k.refused)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", at, err)
			continue
		}
		checkInvariants(t, c)
		rows, cols := c.X.Dims()
		if rows != k.rows || k.cols > 0 && cols != k.cols || len(c.ClassNames) != k.classes || (c.IDs != nil) != k.ids {
			t.Errorf("%s: %d×%d, classes %q, ids %v; notes %q", at, rows, cols, c.ClassNames, c.IDs != nil, c.Notes)
		}
		if !strings.HasPrefix(strings.Join(c.Terms, " "), k.terms) || !strings.Contains(strings.Join(c.Notes, "\n")+c.LabelNote, k.note) {
			t.Errorf("%s: terms %q, notes %q", at, c.Terms, c.Notes)
		}
	}
}

// measured are n lines, each begun by first, of three numbers that are no index, and the ends.
func measured(n int, sep string, first, last func(i int) string) string {
	var b strings.Builder
	for i := range n {
		if f := first(i); f != "" {
			b.WriteString(f + sep)
		}
		fmt.Fprintf(&b, "%.3f%s%.2f%s%.1f", 0.37*float64(i%7)+0.1, sep, 5.25-float64(i*i%11), sep, float64(i%5)+0.5)
		if l := last(i); l != "" {
			b.WriteString(sep + l)
		}
		b.WriteString("\n")
	}
	return b.String()
}

func none(int) string         { return "" }
func fromZero(i int) string   { return fmt.Sprint(i) }
func fromOne(i int) string    { return fmt.Sprint(i + 1) }
func twoNames(i int) string   { return []string{"p", "q"}[i%2] }
func quotedOne(i int) string  { return fmt.Sprintf("\"%d\"", i+1) }
func cellName(i int) string   { return fmt.Sprintf("ACGT%02d-1", i) }
func personName(i int) string { return fmt.Sprintf("%c. Person%d", 'A'+i%26, i) }

func TestKindRowIndex(t *testing.T) {
	checkKinds(t, []kind{
		{name: "a.csv", content: ",x,y,z,label\n" + measured(30, ",", fromZero, twoNames), rows: 30, cols: 3, classes: 2, ids: true},
		{name: "a.csv", content: "\"\",\"x\",\"y\",\"z\",\"label\"\n" + measured(30, ",", quotedOne, twoNames), rows: 30, cols: 3, classes: 2, ids: true},
		{name: "a.csv", content: "Unnamed: 0,x,y,z\n" + measured(30, ",", fromZero, none), rows: 30, cols: 3, ids: true},
		{name: "a.csv", content: "index,x,y,z,class\n" + measured(30, ",", fromZero, twoNames), rows: 30, cols: 3, classes: 2, ids: true},
		{name: "a.tsv", content: "\tx\ty\tz\tlabel\n" + measured(30, "\t", fromOne, twoNames), rows: 30, cols: 3, classes: 2, ids: true},
		{name: "a.csv", content: ";x;y;z\n" + measured(30, ";", fromZero, none), rows: 30, cols: 3, ids: true},
		{name: "a.csv", content: "\ufeff,x,y,z,label\r\n" + strings.ReplaceAll(measured(30, ",", fromZero, twoNames), "\n", "\r\n"), rows: 30, cols: 3, classes: 2, ids: true},
		{name: "a.csv.gz", content: gzipped(",x,y,z,label\n" + measured(30, ",", fromZero, twoNames)), rows: 30, cols: 3, classes: 2, ids: true},
		// Rows that a filter or a shuffle left.
		{name: "a.csv", content: ",x,y,z,label\n" + measured(30, ",", func(i int) string { return fmt.Sprint(i * 17 % 101) }, twoNames), rows: 30, cols: 3, classes: 2, ids: true},
		{name: "a.csv", content: "Unnamed: 0,x,y,z,target\n" + measured(30, ",", func(i int) string { return fmt.Sprint(3 * i) }, twoNames), rows: 30, cols: 3, classes: 2, ids: true},
		{name: "a.csv", content: "n,x,y,z\n" + measured(30, ",", fromOne, none), rows: 30, cols: 3, ids: true},
		{name: "a.csv", content: measured(30, ",", fromZero, twoNames), rows: 30, cols: 3, classes: 2, ids: true},
		{name: "a.csv", content: ",x,y,z\n" + measured(2, ",", fromZero, none), rows: 2, cols: 3, ids: true},
		// No index: numbers that repeat, and a measurement.
		{name: "a.csv", content: "w,x,y,z\n" + measured(30, ",", func(i int) string { return fmt.Sprint(i % 4) }, none), rows: 30, cols: 4},
	})
}

func TestKindFirstColumnOfNames(t *testing.T) {
	checkKinds(t, []kind{
		{name: "a.csv", content: ",g1,g2,g3\n" + measured(40, ",", cellName, none), rows: 40, cols: 3, ids: true},
		{name: "a.csv", content: "name,g1,g2,g3\n" + measured(40, ",", personName, none), rows: 40, cols: 3, ids: true},
		{name: "a.csv", content: "gene,s1,s2,s3\n" + measured(40, ",", func(i int) string { return fmt.Sprintf("BRCA%d", i) }, none), rows: 40, cols: 3, ids: true},
		{name: "a.tsv", content: "sample\tg1\tg2\tg3\n" + measured(40, "\t", cellName, none), rows: 40, cols: 3, ids: true},
		{name: "a.csv", content: measured(40, ",", cellName, none), rows: 40, cols: 3, ids: true},
		{name: "a.csv", content: "cell,g1,g2,g3,type\n" + measured(40, ",", cellName, twoNames), rows: 40, cols: 3, classes: 2, ids: true},
		{name: "a.csv", content: "cell;g1;g2;g3\n" + measured(40, ";", cellName, none), rows: 40, cols: 3, ids: true},
		{name: "a.txt", content: "cell g1 g2 g3\n" + measured(40, " ", cellName, none), opt: ReadOptions{Format: "csv"}, rows: 40, cols: 3, ids: true},
		{name: "a.csv", content: "\"who\",\"a\",\"b\",\"c\"\n" + measured(12, ",", func(i int) string { return "\"" + personName(i) + ", Jr\"" }, none), rows: 12, cols: 3, ids: true},
		{name: "a.csv.gz", content: gzipped(",g1,g2,g3\n" + measured(40, ",", cellName, none)), rows: 40, cols: 3, ids: true},
		{name: "a.csv", content: "url,a,b,c\n" + measured(25, ",", func(i int) string { return fmt.Sprintf("https://x.org/%d", i) }, none), rows: 25, cols: 3, ids: true},
		{name: "a.csv", content: "city,a,b,c\n" + measured(5, ",", personName, none), rows: 5, cols: 3, ids: true},
		// Classes, not names.
		{name: "a.csv", content: "kind,a,b,c\n" + measured(40, ",", twoNames, none), rows: 40, cols: 3, classes: 2},
	})
}

func TestKindTableOfTexts(t *testing.T) {
	texts := func(sep string, cells ...func(i int) string) string {
		var b strings.Builder
		for i := range 12 {
			for j, c := range cells {
				if j > 0 {
					b.WriteString(sep)
				}
				b.WriteString(c(i))
			}
			b.WriteString("\n")
		}
		return b.String()
	}
	text := func(i int) string {
		return fmt.Sprintf("\"the %s of my %s, number%d\"", []string{"engine", "cake"}[i%2], []string{"car", "oven"}[i%2], i)
	}
	lines := func(i int) string { return "\"first line\nof " + []string{"engines", "cakes"}[i%2] + "\"" }
	quoted := func(i int) string { return "\"he said \"\"" + []string{"drive", "bake"}[i%2] + "\"\" loudly to them\"" }
	checkKinds(t, []kind{
		{name: "a.csv", content: "id,text,label\n" + texts(",", fromOne, text, twoNames), rows: 12, classes: 2, ids: true},
		{name: "a.csv", content: "label,text\n" + texts(",", twoNames, text), rows: 12, classes: 2},
		{name: "a.csv", content: "text,label\n" + texts(",", lines, twoNames), rows: 12, classes: 2},
		{name: "a.csv", content: "id;body;category\n" + texts(";", fromZero, quoted, twoNames), rows: 12, classes: 2, ids: true},
		{name: "a.tsv", content: "id\tcontent\tclass\n" + texts("\t", fromOne, text, twoNames), rows: 12, classes: 2, ids: true},
		{name: "a.csv", content: "text\n" + texts(",", text), rows: 12},
		{name: "a.csv", content: ",review,sentiment\n" + texts(",", fromZero, text, twoNames), rows: 12, classes: 2, ids: true, opt: ReadOptions{LabelColumn: "sentiment"}},
		{name: "a.csv", content: "\ufeffid,text,label\r\n" + strings.ReplaceAll(texts(",", fromOne, text, twoNames), "\n", "\r\n"), rows: 12, classes: 2, ids: true},
		{name: "a.csv.gz", content: gzipped("id,text,label\n" + texts(",", fromOne, text, twoNames)), rows: 12, classes: 2, ids: true},
		{name: "a.csv", content: "id,text,label\n" + texts(",", fromOne, text, func(i int) string { return []string{"p", "q", ""}[i%3] }), rows: 12, classes: 2, ids: true},
		{name: "a.csv", content: "a,b,c\n" + texts(",", fromOne, text, twoNames), opt: ReadOptions{LabelColumn: "none"}, rows: 12, ids: true},
		{name: "a.csv", content: "id,text,label\n1,\"an open quote,a\n2,another,b\n", refused: "correct the quotes"},
	})
}

func TestKindDecimalComma(t *testing.T) {
	comma := func(s string) string { return strings.ReplaceAll(s, ".", ",") }
	plain, named := measured(20, ";", none, none), measured(20, ";", cellName, twoNames)
	checkKinds(t, []kind{
		{name: "a.csv", content: "x;y;z\n" + comma(plain), rows: 20, cols: 3},
		{name: "a.csv", content: comma(plain), rows: 20, cols: 3},
		{name: "a.csv", content: "id;x;y;z;label\n" + comma(named), rows: 20, cols: 3, classes: 2, ids: true},
		{name: "a.csv", content: "\ufeffid;x;y;z;label\r\n" + strings.ReplaceAll(comma(named), "\n", "\r\n"), rows: 20, cols: 3, classes: 2, ids: true},
		{name: "a.csv", content: "sep=;\nx;y;z\n" + comma(plain), rows: 20, cols: 3},
		{name: "a.tsv", content: "x\ty\tz\n" + strings.ReplaceAll(comma(plain), ";", "\t"), rows: 20, cols: 3},
		{name: "a.csv.gz", content: gzipped("x;y;z\n" + comma(plain)), rows: 20, cols: 3},
		{name: "a.csv", content: "x;y\n1.234,5;2,5\n12.345,25;3,5\n1,5;1.000,0\n", rows: 3, cols: 2},
		{name: "a.csv", content: "x;y\n-1,5;2,5e3\n+3,25;4,5E-1\n0,5;1,0\n", rows: 3, cols: 2},
		{name: "a.csv", content: "\"x\",\"y\"\n\"1,5\",\"2,5\"\n\"3,5\",\"4,25\"\n\"0,5\",\"1,75\"\n", rows: 3, cols: 2},
		{name: "a.csv", content: "x;y;z\n1,5;;2,5\n3,5;4,5;1,5\n", rows: 2, cols: 3, refused: "empty"},
		{name: "a.csv", content: "x;y;z\n" + plain, rows: 20, cols: 3},
		{name: "a.csv", content: "x,y\n1.5,2.5\n3.5,4.25\n0.5,1.75\n", rows: 3, cols: 2},
	})
}

func TestKindDenseMatrixMarket(t *testing.T) {
	const head = "%%MatrixMarket matrix array real general\n"
	checkKinds(t, []kind{
		{name: "a.mtx", content: head + "2 3\n1\n4\n2\n5\n3\n6\n", rows: 2, cols: 3},
		{name: "a.mtx", content: head + "3 2\n1 2\n3 4\n5 6\n", refused: "one per line"},
		{name: "a.mtx", content: head + "2 3\n1\t2\t3\n4\t5\t6\n", refused: "one per line"},
		{name: "a.mtx", content: head + "% a comment\n2 2\n1.5 2\n3 4\n", refused: "one per line"},
		{name: "a.mtx", content: strings.Replace(head, "real", "integer", 1) + "2 2\n1 2\n3 4\n", refused: "one per line"},
		{name: "a.mtx", content: strings.Replace(head, "real", "integer", 1) + "2 2\n1\n2\n3\n4\n", rows: 2, cols: 2},
		{name: "a.mtx", content: head + "2 2\n1 2 3 4\n", refused: "one per line"},
		{name: "a.mtx.gz", content: gzipped(head + "2 3\n1 2 3\n4 5 6\n"), refused: "one per line"},
		{name: "a.mtx", content: strings.ReplaceAll(head+"2 3\n1 2 3\n4 5 6\n", "\n", "\r\n"), refused: "one per line"},
		{name: "a.mtx", content: strings.ReplaceAll(head+"2 2\n1\n2\n3\n4\n", "\n", "\r\n"), rows: 2, cols: 2},
		{name: "a.mtx", content: head + "2 2\n\n1\n2\n\n3\n4\n", rows: 2, cols: 2},
		{name: "a.mtx", content: head + "2 2\n1\n2\n3\n", refused: "4"},
	})
}

func TestKindSeveralLabels(t *testing.T) {
	lines := func(label func(i int) string) string {
		var b strings.Builder
		for i := range 20 {
			fmt.Fprintf(&b, "%s %d:1 %d:2\n", label(i), i%2+1, i%3+3)
		}
		return b.String()
	}
	several := func(i int) string { return []string{"3,7", "7,1", "1,3,7"}[i%3] }
	one := func(i int) string { return fmt.Sprint(i % 3) }
	rare := func(i int) string {
		if i == 4 {
			return "0,1"
		}
		return one(i)
	}
	asJSON := func(label func(i int) string) string {
		var b strings.Builder
		for i := range 20 {
			fmt.Fprintf(&b, "{\"text\": \"words of %s\", \"label\": %s}\n", []string{"cars", "cakes"}[i%2], label(i))
		}
		return b.String()
	}
	lists := func(i int) string { return []string{`["a", "b"]`, `["b"]`, `["a", "c", "b"]`}[i%3] }
	checkKinds(t, []kind{
		{name: "a.svm", content: lines(several), rows: 20, cols: 5},
		{name: "a.svm", content: lines(several), opt: ReadOptions{LabelColumn: "1"}, rows: 20, cols: 5, classes: 3},
		{name: "a.svm", content: lines(several), opt: ReadOptions{LabelColumn: "2"}, rows: 20, cols: 5, classes: 3},
		{name: "a.svm", content: lines(several), opt: ReadOptions{LabelColumn: "none"}, rows: 20, cols: 5},
		{name: "a.svm", content: lines(rare), rows: 20, cols: 5, classes: 3},
		{name: "a.svm.gz", content: gzipped(lines(several)), rows: 20, cols: 5},
		{name: "a.libsvm", content: lines(several), rows: 20, cols: 5},
		{name: "a.svm", content: lines(several), opt: ReadOptions{LabelColumn: "x"}, refused: "label-column"},
		{name: "a.jsonl", content: asJSON(lists), rows: 20},
		{name: "a.jsonl", content: asJSON(lists), opt: ReadOptions{LabelColumn: "label.0"}, rows: 20, classes: 2},
		{name: "a.jsonl", content: asJSON(lists), opt: ReadOptions{LabelColumn: "none"}, rows: 20},
		{name: "a.jsonl", content: asJSON(func(i int) string { return []string{`[1, 2]`, `[2]`}[i%2] }), opt: ReadOptions{LabelColumn: "label.0"}, rows: 20, classes: 2},
		{name: "a.json", content: "[" + strings.TrimSuffix(strings.ReplaceAll(asJSON(lists), "\n", ",\n"), ",\n") + "]", rows: 20},
	})
}

func TestKindNotANumberInJSON(t *testing.T) {
	lines := func(field func(i int) string) string {
		var b strings.Builder
		for i := range 12 {
			fmt.Fprintf(&b, "{\"id\": \"d%d\", \"text\": \"words of %s\", %s}\n", i, []string{"cars", "cakes"}[i%2], field(i))
		}
		return b.String()
	}
	labels := func(values ...string) func(i int) string {
		return func(i int) string { return `"label": ` + values[i%len(values)] }
	}
	checkKinds(t, []kind{
		{name: "a.jsonl", content: lines(labels("NaN", `"a"`, `"b"`)), rows: 12, classes: 2, ids: true},
		{name: "a.jsonl", content: lines(labels(`"a"`, `"b"`, "NaN")), rows: 12, classes: 2, ids: true},
		{name: "a.jsonl", content: lines(func(int) string { return `"score": NaN` }), rows: 12, ids: true},
		{name: "a.jsonl", content: lines(func(int) string { return `"score": Infinity` }), rows: 12, ids: true},
		{name: "a.jsonl", content: lines(func(int) string { return `"score": -Infinity` }), rows: 12, ids: true},
		{name: "a.jsonl", content: lines(func(int) string { return `"meta": {"score": NaN}` }), rows: 12, ids: true},
		{name: "a.jsonl", content: lines(func(int) string { return `"list": [1, NaN, 2]` }), rows: 12, ids: true},
		{name: "a.jsonl.gz", content: gzipped(lines(labels("NaN", `"a"`, `"b"`))), rows: 12, classes: 2, ids: true},
		{name: "a.jsonl", content: lines(labels("null", "1", "2")), rows: 12, classes: 2, ids: true},
		{name: "a.jsonl", content: lines(labels("NaN", "1", "2")), rows: 12, classes: 2, ids: true},
		{name: "a.json", content: "[" + strings.TrimSuffix(strings.ReplaceAll(lines(labels("NaN", `"a"`, `"b"`)), "\n", ",\n"), ",\n") + "]", rows: 12, classes: 2, ids: true},
		{name: "a.jsonl", content: lines(labels("nothing", "1")), refused: "line 1"},
	})
}

func TestKindNPZByHand(t *testing.T) {
	vector := func(kind string, vals ...int) []byte {
		var data []byte
		for _, v := range vals {
			switch kind {
			case "<i4":
				data = binary.LittleEndian.AppendUint32(data, uint32(v))
			case "<i8":
				data = binary.LittleEndian.AppendUint64(data, uint64(v))
			case "<f4":
				data = binary.LittleEndian.AppendUint32(data, math.Float32bits(float32(v)))
			case "<f8":
				data = binary.LittleEndian.AppendUint64(data, math.Float64bits(float64(v)))
			}
		}
		return corpustest.NPY("'"+kind+"'", "False", fmt.Sprintf("(%d,)", len(vals)), data)
	}
	shape, data := vector("<i8", 3, 4), vector("<f8", 1, 2, 3, 4, 5)
	ptr, ind := vector("<i4", 0, 2, 3, 5), vector("<i4", 0, 3, 1, 0, 2)
	columnPtr, rowsOf := vector("<i4", 0, 2, 3, 4, 5), vector("<i4", 0, 2, 1, 2, 0)
	r, c := vector("<i4", 0, 0, 1, 2, 2), vector("<i4", 0, 3, 1, 0, 2)
	npz := func(members ...any) string { return string(corpustest.NPZ(t, members...)) }
	checkKinds(t, []kind{
		{name: "a.npz", content: npz("data", data, "indices", ind, "indptr", ptr, "shape", shape), rows: 3, cols: 4},
		{name: "a.npz", content: npz("shape", shape, "indptr", ptr, "indices", ind, "data", data), rows: 3, cols: 4},
		{name: "a.npz", content: npz("data", vector("<f4", 1, 2, 3, 4, 5), "indices", ind, "indptr", ptr, "shape", shape), rows: 3, cols: 4},
		{name: "a.npz", content: npz("data", vector("<i8", 1, 2, 3, 4, 5), "indices", vector("<i8", 0, 3, 1, 0, 2), "indptr", vector("<i8", 0, 2, 3, 5), "shape", shape), rows: 3, cols: 4},
		{name: "a.npz", content: npz("X_data", data, "X_indices", ind, "X_indptr", ptr, "X_shape", shape), rows: 3, cols: 4},
		{name: "a.npz", content: npz("train_data", data, "train_indices", ind, "train_indptr", ptr, "train_shape", shape), rows: 3, cols: 4},
		{name: "a.npz", content: npz("data", data, "indices", rowsOf, "indptr", columnPtr, "shape", shape), rows: 3, cols: 4},
		{name: "a.npz", content: npz("data", data, "row", r, "col", c, "shape", shape), rows: 3, cols: 4},
		{name: "a.npz", content: npz("adj_data", data, "adj_indices", ind, "adj_indptr", ptr, "adj_shape", shape, "labels", vector("<i8", 0, 1, 0)), rows: 3, cols: 4, classes: 2},
		{name: "a.npz", content: npz("data", data, "indices", ind, "indptr", ptr), rows: 3, cols: 4},
		{name: "a.npz", content: npz("data", data, "indices", ind, "indptr", vector("<i4", 0, 2, 3, 6), "shape", shape), refused: "out of order or beyond"},
		{name: "a.npz", content: npz("data", data, "indices", vector("<i4", 0, 9, 1, 0, 2), "indptr", ptr, "shape", shape), refused: "outside its size 3×4"},
		{name: "a.npz", content: npz("data", data), refused: "data"},
	})
}

func TestKindLogicalMatrix(t *testing.T) {
	const logical = 0x0200
	var list []kind
	for _, n := range []int{5, 17, 40} {
		for _, big := range []bool{false, true} {
			for _, packed := range []bool{false, true} {
				w := corpustest.NewMatWriter(big, packed)
				var ir, jc []float64
				ones := []byte{}
				for j := range 4 {
					jc = append(jc, float64(len(ir)))
					for i := range n {
						if (i+2*j)%3 == 0 {
							ir, ones = append(ir, float64(i)), append(ones, 1)
						}
					}
				}
				jc = append(jc, float64(len(ir)))
				array := w.Array(5, logical, []int32{int32(n), 4}, "X", len(ir), w.Numbers(5, ir...), w.Numbers(5, jc...), w.Element(9, ones))
				list = append(list, kind{name: "a.mat", content: string(w.Add(array).Out), rows: n, cols: 4})
			}
		}
	}
	checkKinds(t, list)
}
