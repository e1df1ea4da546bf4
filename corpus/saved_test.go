package corpus

import (
	"encoding/binary"
	"fmt"
	"math"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// Objects of R as its format has them, in xdr: a type with flags, a length, values and attributes.

func rInt(list ...int) string {
	var out []byte
	for _, v := range list {
		out = binary.BigEndian.AppendUint32(out, uint32(int32(v)))
	}
	return string(out)
}

// rMissing is the number that stands for a missing one.
const rMissing = math.MinInt32

// rAttributes are the attributes behind a vector, names and values in turn; none is none.
func rAttributes(list []string) string {
	out := ""
	for i := 0; i+1 < len(list); i += 2 {
		out += rInt(2|0x400, 1) + rChars(list[i]) + list[i+1]
	}
	if out != "" {
		out += rInt(254)
	}
	return out
}

func rHead(kind, n int, attributes []string) string {
	if len(attributes) > 0 {
		kind |= 0x200
	}
	return rInt(kind, n)
}

func rChars(s string) string {
	if s == "NA" {
		return rInt(9, -1)
	}
	return rInt(9|1<<(12+3), len(s)) + s
}

func rInts(list []int, attributes ...string) string {
	return rHead(13, len(list), attributes) + rInt(list...) + rAttributes(attributes)
}

func rReals(list []float64, attributes ...string) string {
	out := rHead(14, len(list), attributes)
	for _, v := range list {
		out += string(binary.BigEndian.AppendUint64(nil, math.Float64bits(v)))
	}
	return out + rAttributes(attributes)
}

func rTexts(list []string, attributes ...string) string {
	out := rHead(16, len(list), attributes)
	for _, s := range list {
		out += rChars(s)
	}
	return out + rAttributes(attributes)
}

func rList(list []string, attributes ...string) string {
	return rHead(19, len(list), attributes) + strings.Join(list, "") + rAttributes(attributes)
}

// rFile is a file of saveRDS with an object.
func rFile(object string) string { return "X\n" + rInt(2, 0x40200, 0x20300) + object }

// rSave is a file of save with objects, names and values in turn.
func rSave(list ...string) string { return "RDX2\n" + rFile(rAttributes(list)) }

// rFrame is a data.frame of columns, names and values in turn.
func rFrame(rows string, list ...string) string {
	var names, values []string
	for i := 0; i+1 < len(list); i += 2 {
		names, values = append(names, list[i]), append(values, list[i+1])
	}
	return rList(values, "names", rTexts(names), "class", rTexts([]string{"data.frame"}), "row.names", rows)
}

// rSparse is a dgCMatrix of 3×4 with the names of its rows.
func rSparse(rows, starts []int, values ...float64) string {
	attributes := []string{"i", rInts(rows), "p", rInts(starts), "Dim", rInts([]int{3, 4}), "x", rReals(values),
		"Dimnames", rList([]string{rTexts([]string{"a", "b", "c"}), rInt(254)}), "class", rTexts([]string{"dgCMatrix"})}
	return rInt(25|0x200) + rAttributes(attributes)
}

// rMatrixOf is an object of the package Matrix of 3×3, of a class and slots.
func rMatrixOf(class string, slots ...string) string {
	return rInt(25|0x200) + rAttributes(append(slots, "Dim", rInts([]int{3, 3}), "class", rTexts([]string{class})))
}

var (
	rDiagonal = rMatrixOf("ddiMatrix", "diag", rTexts([]string{"U"}), "x", rReals(nil))
	rTwice    = rMatrixOf("dgTMatrix", "i", rInts([]int{0, 0, 2}), "j", rInts([]int{0, 0, 1}), "x", rReals([]float64{1, 2, 3}))

	rowNumbers = rInts([]int{rMissing, -3})
	rNumbers   = rFrame(rowNumbers, "a", rInts([]int{1, 3, 2}), "b", rReals([]float64{2.5, 4, 3}), "kind", rInts([]int{1, 2, 1}, "levels", rTexts([]string{"p", "q"}), "class", rTexts([]string{"factor"})))
	rDocuments = rFrame(rowNumbers, "id", rTexts([]string{"x", "y", "z"}), "text", rTexts([]string{"green house", "NA", "old caf\u00e9"}))
	rMatrix    = rReals([]float64{1, 2, 3, 4, 5, 6}, "dim", rInts([]int{3, 2}), "dimnames", rList([]string{rTexts([]string{"a", "b", "c"}), rTexts([]string{"u", "v"})}))
)

// Tables, matrices and texts that R saved are read; other objects, and damage, are named.
func TestKindSaved(t *testing.T) {
	table := rFile(rNumbers)
	levels := rInts([]int{1, 2, 1}, "levels", rTexts([]string{"10", "20"}), "class", rTexts([]string{"factor"}))
	checkKinds(t, []kind{
		{name: "a.rds", content: table, rows: 3, cols: 2, classes: 2, terms: "a b"},
		{name: "a", content: table, rows: 3, cols: 2, classes: 2, terms: "a b"},
		{name: "a.rds", content: packedGzip(table), rows: 3, cols: 2, classes: 2, terms: "a b"},
		{name: "a.rds", content: table, opt: ReadOptions{Format: "rds"}, rows: 3, cols: 2, classes: 2},
		{name: "a.rds", content: rFile(rFrame(rTexts([]string{"x", "y", "z"}), "a", rInts([]int{1, 3, 2}), "b", rReals([]float64{2.5, 4, 3}))), rows: 3, cols: 2, ids: true, terms: "a b"},
		{name: "a.rds", content: rFile(rFrame(rInts([]int{7, 2, 9}), "a", rReals([]float64{1, .3, 2}), "b", rReals([]float64{2.5, 4, 3}))), rows: 3, cols: 2, ids: true, terms: "a b"},
		{name: "a.rds", content: rFile(rFrame(rowNumbers, "size", levels, "a", rReals([]float64{1, .3, 2}), "b", rReals([]float64{2.5, 4, 3}))), opt: ReadOptions{LabelColumn: "size"}, rows: 3, cols: 2, classes: 2},
		{name: "a.rds", content: rFile(rFrame(rowNumbers, "a", rReals([]float64{1, .3, 2}), "b", rList([]string{rInt(254), rInt(254), rInt(254)}))), rows: 3, cols: 1, note: "left out: b"},
		{name: "a.rds", content: rFile(rDocuments), rows: 3, ids: true, terms: "café green house old", note: "1 document has no terms"},
		{name: "a.rds", content: rFile(rTexts([]string{"green house", "old stone"})), rows: 2, terms: "green house old stone"},
		{name: "a.rds", content: rFile(rTexts([]string{"green house", "old stone"}, "names", rTexts([]string{"x", "y"}))), rows: 2, ids: true, terms: "green house"},
		{name: "a.rds", content: rFile(rMatrix), rows: 3, cols: 2, ids: true, terms: "u v"},
		{name: "a.rds", content: rFile(rMatrix), opt: ReadOptions{Transpose: true}, rows: 2, cols: 3, ids: true, terms: "a b c"},
		{name: "a.rds", content: rFile(rSparse([]int{0, 2, 1, 2}, []int{0, 2, 3, 3, 4}, 1, 2, 3, .5)), rows: 3, cols: 4, ids: true},
		{name: "a.rds", content: rFile(rSparse([]int{0, 3, 1, 2}, []int{0, 2, 3, 3, 4}, 1, 2, 3, .5)), refused: "do not fit, the file is damaged"},
		{name: "a.rds", content: rFile(rSparse([]int{0, 2, 1, 2}, []int{0, 3, 2, 3, 4}, 1, 2, 3, .5)), refused: "do not fit, the file is damaged"},
		{name: "a.rds", content: rFile(rSparse([]int{0, 2, 1, 2}, []int{0, 2, 3, 3, 4}, 1, 2, 3)), refused: "do not fit, the file is damaged"},
		{name: "a.RData", content: rSave("d", rNumbers), rows: 3, cols: 2, classes: 2, note: "The object d is read"},
		{name: "a.rda", content: rSave("d", rNumbers, "m", rMatrix), refused: "holds several objects; ‹var› names one: d (data.frame, 3×3), m (a matrix, 3×2)"},
		{name: "a.rda", content: rSave("d", rNumbers, "m", rMatrix), opt: ReadOptions{Var: "m"}, rows: 3, cols: 2, ids: true},
		{name: "a.rda", content: rSave("d", rNumbers, "m", rMatrix), opt: ReadOptions{Var: "x"}, refused: "there is no such object; the file holds d (data.frame"},
		{name: "a.rds", content: rFile(rDiagonal), refused: "where a general sparse matrix is needed"},
		{name: "a.rds", content: rFile(rTwice), refused: "row 1, column 1 has two values (entries 1 and 2 of the file); write as(x, 'CsparseMatrix')"},
		{name: "a.rds", content: rFile(rTexts([]string{"a", "b"}, "dim", rInts([]int{1, 2}))), refused: "holds a matrix, where a data.frame, a matrix of numbers"},
		{name: "a.rds", content: rFile(rInts([]int{1, 2})), refused: "holds a vector of numbers, where a data.frame"},
		{name: "a.rds", content: rFile(rList([]string{rInts([]int{1})})), refused: "holds a list, where a data.frame"},
		{name: "a.rds", content: rFile(rInt(21, 1)), refused: "holds compiled code"},
		{name: "a.rds", content: rFile(rFrame(rowNumbers, "a", rInts([]int{1}))), refused: "column a: has 1 values, where the table has 3 rows"},
		{name: "a.rds", content: table[:len(table)/2], refused: "ends too early, it was cut off"},
		{name: "a.rds", content: rFile(rInt(13, math.MaxInt32)), refused: "ends too early, it was cut off"},
		{name: "a.rds", content: rFile(rInt(16, 1, 9, math.MaxInt32)), refused: "a.rds"},
		{name: "a.rds", content: rFile(rInt(255 | 7<<8)), refused: "is not as R writes it"},
		{name: "a.rds", content: rFile(strings.Repeat(rInt(19, 1), 5000)), refused: "is not as R writes it"},
		{name: "a.rds", content: "X\n" + rInt(9, 1, 1), refused: "of version 9"},
		{name: "a.rds", content: "id,text\n", refused: "a form that is not read"},
	})
}

// Days, times, truth and what is missing are as a table has them, also in ASCII.
func TestSavedValues(t *testing.T) {
	when := rFrame(rowNumbers, "text", rTexts([]string{"green house", "old stone", "red fish"}), "day", rReals([]float64{19753, math.NaN(), -1}, "class", rTexts([]string{"Date"})),
		"at", rReals([]float64{1706702400.5, 0, -1}, "class", rTexts([]string{"POSIXct", "POSIXt"})), "ok", strings.Replace(rInts([]int{1, 0, rMissing}), "\x00\x00\x00\x0d", "\x00\x00\x00\x0a", 1))
	path := writeFile(t, t.TempDir(), "a.rds", []byte(rFile(when)))
	c := must.Get(Read(t.Context(), path, ReadOptions{Text: TextOptions{MinDF: 1}}))(t)
	list, _, err := c.ReadColumns(t.Context(), path, ReadOptions{}, []string{"day", "at", "ok"}, 1<<20)
	must.Do(t, err)
	got := ""
	for _, l := range list {
		for _, k := range l.Of {
			if got += "|"; k >= 0 {
				got += l.Words[k]
			}
		}
	}
	if want := "|2024-01-31||1969-12-31|2024-01-31 12:00:00|1970-01-01 00:00:00|1969-12-31 23:59:59|true|false|"; got != want {
		t.Errorf("%s, not %s; %q", got, want, c.Notes)
	}
	const ascii = "A\n2\n262656\n131840\n526\n6\n1\nNA\n-2.5\nInf\n4\n1e-3\n1026\n1\n262153\n3\ndim\n13\n2\n3\n2\n254\n"
	if _, err := Read(t.Context(), writeFile(t, t.TempDir(), "a.rds", []byte(ascii)), ReadOptions{Missing: MissingMean}); err == nil || !strings.Contains(err.Error(), "Inf") {
		t.Errorf("%v", err)
	}
	x := readNamed(t, "a.rds", strings.Replace(ascii, "Inf", "7", 1), ReadOptions{Missing: MissingMean}).X
	checkMatrix(t, x, [][]float64{{1, 7}, {-.75, 4}, {-2.5, .001}})
	texts := readNamed(t, "a.rds", "A\n2\n262656\n131840\n16\n2\n262153\n8\nred\\nsky\\042\n262153\n4\nfi\\163h\n", ReadOptions{Text: TextOptions{MinDF: 1}})
	if got := strings.Join(texts.Terms, " "); got != "fish red sky" {
		t.Error(got)
	}
}

// What R itself writes is read, in each of its forms.
func TestSavedByR(t *testing.T) {
	program, err := exec.LookPath("Rscript")
	if err != nil {
		t.Skip("R is not installed")
	}
	dir := t.TempDir()
	script := `d <- data.frame(id=c("x","y","z"), text=c("green house","old stone",NA), n=1:3, stringsAsFactors=FALSE)
for (way in c("gzip","bzip2","xz")) saveRDS(d, paste0(way,".rds"), compress=way)
saveRDS(d, "none.rds", compress=FALSE); saveRDS(d, "two.rds", version=2); saveRDS(d, "ascii.rds", ascii=TRUE); save(d, file="d.RData"); save(d, file="a.RData", ascii=TRUE)
saveRDS(data.frame(a=1:40, b=as.character(1:40), v=seq(0, 1, length.out=40)), "forms.rds")`
	run := exec.Command(program, "-e", script)
	run.Dir = dir
	if out, err := run.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, name := range []string{"gzip.rds", "bzip2.rds", "xz.rds", "none.rds", "two.rds", "ascii.rds", "d.RData", "a.RData"} {
		c := must.Get(Read(t.Context(), filepath.Join(dir, name), ReadOptions{Text: TextOptions{MinDF: 1}}))(t)
		if got := fmt.Sprint(c.IDs, c.Terms); got != "[x y z] [green house old stone]" {
			t.Errorf("%s: %s", name, got)
		}
	}
	c := must.Get(Read(t.Context(), filepath.Join(dir, "forms.rds"), ReadOptions{IDColumn: "a", LabelColumn: "none"}))(t)
	if rows, _ := c.X.Dims(); rows != 40 || c.IDs[39] != "40" || c.X.At(39, len(c.Terms)-1) != 1 {
		t.Errorf("%d rows, ids %q, terms %q", rows, c.IDs, c.Terms)
	}
}

// FuzzSaved reads arbitrary bytes as an object that R saved.
func FuzzSaved(f *testing.F) {
	for _, seed := range []string{rFile(rNumbers), rFile(rDocuments), rFile(rMatrix), rFile(rSparse([]int{0, 2, 1, 2}, []int{0, 2, 3, 3, 4}, 1, 2, 3, .5)), rSave("d", rNumbers),
		"A\n2\n262656\n131840\n16\n1\n262153\n4\nfi\\163h\n", rFile(rInt(238, 2, 1) + rChars("compact_intseq") + rInt(254) + rReals([]float64{3, 1, 1}) + rInt(254))} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		fuzzRead(t, data, "rds", ReadOptions{Text: TextOptions{MinDF: 1}})
	})
}
