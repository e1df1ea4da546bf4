package papers

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/must"
)

// blobs writes a CSV file of three round classes of n points in five columns.
func blobs(t *testing.T, path string, n int, seed uint64) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 1))
	var b strings.Builder
	b.WriteString("a,b,c,d,e,label\n")
	for k := range 3 {
		for range n {
			for j := range 5 {
				v := rng.NormFloat64()
				if j == k {
					v += 4
				}
				fmt.Fprintf(&b, "%.4f,", v)
			}
			fmt.Fprintf(&b, "c%d\n", k)
		}
	}
	must.Do(t, os.WriteFile(path, []byte(b.String()), 0o666))
}

// someSets are two sets that are there and, between them, one that is not.
func someSets(t *testing.T) ([]Dataset, string) {
	t.Helper()
	dir := t.TempDir()
	blobs(t, filepath.Join(dir, "one.csv"), 24, 1)
	blobs(t, filepath.Join(dir, "two.csv"), 30, 2)
	return []Dataset{{Name: "One", File: "one.csv"}, {Name: "Gone", File: "gone.csv"}, {Name: "Two", File: "two.csv"}}, dir
}

// lecasView shows an experiment without the paper's figures.
func lecasView(e *Experiment, kind Kind) *View {
	return &View{Name: "lecas/made-up", Title: "made up", Paper: "Nobody", Source: "nothing", Kind: kind, Experiment: e}
}

// The printed figures agree with the paper's text.
func TestLECASPrinted(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "shared", "papers", "lecas-zhou-2019.txt"))
	if err != nil {
		t.Skip("the paper's text is not in ../shared/papers")
	}
	names := map[string]string{"W1a": "w1a", "Medelon": "Madelon", "Musk": "Musk2", "Msplice": "Msplice", "FG-NET": "FG-NET", "CNAE-9": "CNAE-9",
		"Soccer-sub1": "", "ORL": "", "SECOM": "", "DrivFace": ""}
	line := regexp.MustCompile(`^(LE-CAS|LE|S-LE|GGLE|SCPLE)(0\.\d{4})±\d\.\d{4}(0\.\d{4})±\d\.\d{4}(0\.\d{4})±\d\.\d{4}$`)
	printed := lecasViews()[0].Printed
	set, seen := "", 0
	for row := range strings.Lines(string(text)) {
		row = strings.Join(strings.Fields(row), "")
		if name, ok := names[row]; ok {
			set = name
		}
		m := line.FindStringSubmatch(row)
		if m == nil || set == "" {
			continue
		}
		for i, metric := range lecasMetrics {
			want := must.Get(strconv.ParseFloat(m[2+i], 64))(t)
			if got, ok := printed.At(metric.Key, set, strings.ToLower(m[1])); !ok || got != want {
				t.Errorf("%s, %s, %s: %v, the paper has %v", set, m[1], metric.Key, got, want)
			}
			seen++
		}
	}
	if seen != 6*5*3 {
		t.Errorf("%d figures were compared", seen)
	}
}

// The contradictions in the printed figures that the table's page names: with pair precision P and
// recall R at most 1, F = 2PR/(P + R) is no less than 2·FMI²/(1 + FMI²), which most rows miss; and
// no clustering's purity is below the share of the largest class.
func TestLECASPrintedContradictions(t *testing.T) {
	largest := map[string]float64{"Msplice": 1648. / 3175, "w1a": 2405. / 2477, "Madelon": 0.5, "FG-NET": 47. / 1002, "Musk2": 5581. / 6598, "CNAE-9": 120. / 1080}
	printed := lecasViews()[0].Printed
	measures, purities := 0, 0
	for set, share := range largest {
		for method, fmi := range printed["fmi"][set] {
			if printed["f_measure"][set][method] < 2*fmi*fmi/(1+fmi*fmi)-1e-3 {
				measures++
			}
			if printed["purity"][set][method] < share-1e-3 {
				purities++
			}
		}
	}
	if measures != 27 || purities != 10 {
		t.Errorf("%d F-measures and %d purities of 30 cannot be", measures, purities)
	}
}

// A missing set is left out, and the table says so; cells stay in a folder, at any number of
// threads and however often the run is cut.
func TestSeveralCorpora(t *testing.T) {
	sets, dir := someSets(t)
	make := func() *Experiment {
		e := lecasExperiment(newLECASStore(), "made-up", sets, "set", nil)
		e.Columns = lecasColumns(false)
		return e
	}
	opt := Options{Dir: dir, Tests: 3}
	run := must.Get(make().Run(context.Background(), opt))(t)
	if len(run.Rows) != 2 || run.Cells != 2*3*6 || len(run.Corpora) != 3 || run.Corpora[1].SHA256 != "" || run.Corpora[2].SHA256 == "" {
		t.Fatalf("rows %+v, cells %d, corpora %+v", run.Rows, run.Cells, run.Corpora)
	}
	table := lecasView(run.Experiment, KindTable).Table(run)
	want := csvOf(t, table)
	var text bytes.Buffer
	must.Do(t, table.WriteText(&text))
	for _, s := range []string{"Left out", "gone.csv", "One", "Two", "3 runs"} {
		if !strings.Contains(text.String(), s) {
			t.Errorf("%q is not in\n%s", s, text.String())
		}
	}
	raw, err := json.Marshal(table)
	if err != nil || !strings.Contains(string(raw), `{"name":"Gone","file":"gone.csv"}`) {
		t.Errorf("%v: %s", err, raw)
	}
	checkPictures(t, table)
	checkBetterThanChance(t, run)

	opt.Cells = cellsIn(t)
	for _, threads := range []int{1, 3} {
		withThreads(t, threads)
		short := opt
		short.Tests = threads
		run, err = make().Run(context.Background(), short)
		if err != nil {
			t.Fatal(err)
		}
	}
	if got := csvOf(t, lecasView(run.Experiment, KindTable).Table(run)); got != want || run.Computed != 2*2*6 {
		t.Errorf("in two steps, with %d cells in the second:\n%s\nnot\n%s", run.Computed, got, want)
	}
	checkOtherCorpora(t, make, opt)
}

// checkBetterThanChance checks the FMI of every cell. Chance gives a third.
func checkBetterThanChance(t *testing.T, run *Run) {
	t.Helper()
	for i, r := range run.Rows {
		for _, c := range run.Columns {
			if fmi := run.Score(r, c, 0).Mean; fmi < 0.45 || fmi > 1 {
				t.Errorf("row %d, %s: FMI %.3f", i, c.Title(), fmi)
			}
		}
	}
}

// checkOtherCorpora checks that a run with other files refuses the cells, and one without any
// names what is missing.
func checkOtherCorpora(t *testing.T, make func() *Experiment, opt Options) {
	t.Helper()
	dir := opt.Dir
	// Another file, or one more, is another run.
	blobs(t, filepath.Join(dir, "gone.csv"), 12, 3)
	_, err := make().Run(context.Background(), opt)
	if !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), "without gone.csv") {
		t.Errorf("error %v", err)
	}
	os.Remove(filepath.Join(dir, "gone.csv"))
	blobs(t, filepath.Join(dir, "two.csv"), 30, 4)
	_, err = make().Run(context.Background(), opt)
	if !errors.Is(err, fs.ErrInvalid) || !strings.Contains(err.Error(), "another two.csv") {
		t.Errorf("error %v", err)
	}
	// What was asked for must be there.
	var missing *DataError
	if _, err = make().Run(context.Background(), Options{Dir: dir, Rows: []string{"Gone"}}); !errors.As(err, &missing) || missing.File != "gone.csv" {
		t.Errorf("error %v", err)
	}
	for _, dir := range []string{"", t.TempDir()} {
		if _, err = make().Run(context.Background(), Options{Dir: dir}); !errors.As(err, &missing) || !strings.Contains(err.Error(), "one.csv or gone.csv or two.csv") {
			t.Errorf("error %v", err)
		}
	}
}

// Corpora are read once and dropped after their last unit.
func TestCorporaAreLetGo(t *testing.T) {
	sets, dir := someSets(t)
	e := lecasExperiment(newLECASStore(), "made-up", sets, "set", nil)
	d := must.Get(e.corpora(context.Background(), dir))(t)
	row := e.Rows[0]
	d.expect([]task{{row: row}, {row: row}})
	a := must.Get(d.of(context.Background(), row))(t)
	d.done(row)
	if b, _ := d.of(context.Background(), row); a != b {
		t.Error("read twice")
	}
	if d.done(row); d.entry(row).all != nil {
		t.Error("still held")
	}
}

// The rows of a curve at the table's settings are the table's figures, and every row is of its
// corpus.
func TestLECASCurvesAreTheTable(t *testing.T) {
	sets, dir := someSets(t)
	store := newLECASStore()
	opt := Options{Dir: dir, Tests: 2}
	table := must.Get(lecasExperiment(store, "table", sets, "set", nil).Run(context.Background(), opt))(t)
	for name, settings := range map[string][]lecasSetting{"c": lecasByDims([]int{10, 20}), "k2": lecasByNeighbours(9, 10)} {
		withThreads(t, 3)
		e := lecasExperiment(store, "curve", sets, name, settings)
		curve := must.Get(e.Run(context.Background(), opt))(t)
		for _, r := range table.Rows {
			for _, c := range table.Columns {
				for m := range lecasMetrics {
					x, y := table.Score(r, c, m), curve.Score(Row{Key: r.Key + "/10"}, c, m)
					if x != y {
						t.Errorf("%s, %s, %s, %s: %+v in the table, %+v in the curve", name, r.Key, c.Title(), lecasMetrics[m].Key, x, y)
					}
				}
			}
		}
		shown := lecasView(e, KindCurves).Table(curve)
		var text bytes.Buffer
		if err := shown.WriteText(&text); err != nil || !strings.Contains(text.String(), "Two: FMI, percent") || !strings.Contains(text.String(), name+" = 10") {
			t.Errorf("%v\n%s", err, text.String())
		}
		if csv := csvOf(t, shown); !strings.HasPrefix(csv, "metric,corpus,"+name+",method,") || !strings.Contains(csv, "fmi,Two,10,le,") {
			t.Errorf("the CSV is\n%s", csv)
		}
		checkPictures(t, shown)
	}
}

// Under a wide kernel all weights are 1, so LE-CAS is LE; under a narrow one no edge is left, and
// all points are one cluster.
func TestLECASAtTheEndsOfSigma(t *testing.T) {
	sets, dir := someSets(t)
	e := lecasExperiment(newLECASStore(), "made-up", sets[:1], "σ", lecasBySigma(-6, 9))
	run := must.Get(e.Run(context.Background(), Options{Dir: dir, Tests: 1, Rows: []string{"One/1e-6", "One/1e-2", "One/1e9"}, Methods: []string{"le", "ggle", "le-cas"}}))(t)
	for _, c := range run.Columns {
		if p := run.Score(run.Rows[0], c, 2).Mean; math.Abs(p-1./3) > 1e-12 {
			t.Errorf("%s: purity %v without an edge", c.Title(), p)
		}
	}
	for m := range lecasMetrics {
		if a, b := run.Score(run.Rows[2], run.Columns[0], m), run.Score(run.Rows[2], run.Columns[2], m); a != b || run.Columns[2].Method != "le-cas" {
			t.Errorf("LE has %+v, LE-CAS %+v", a, b)
		}
	}
}

// Letters become indicators: one 1 per position.
func TestReadLetters(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "letters.csv")
	os.WriteFile(path, []byte("a,b,label\n1,4,x\n3,2,y\n"), 0o666)
	c := must.Get(readLetters(context.Background(), path))(t)
	if n, d := c.X.Dims(); n != 2 || d != 8 {
		t.Fatalf("%d×%d", n, d)
	}
	for i, ones := range [][]int{{0, 7}, {2, 5}} {
		for j := range 8 {
			if want := j == ones[0] || j == ones[1]; (c.X.At(i, j) == 1) != want || !want && c.X.At(i, j) != 0 {
				t.Errorf("row %d, column %d is %v", i, j, c.X.At(i, j))
			}
		}
	}
	for _, bad := range []string{"0", "1.5", "1000"} {
		os.WriteFile(path, []byte("a,b,label\n1,4,x\n"+bad+",2,y\n"), 0o666)
		var format *corpus.FormatError
		if _, err := readLetters(context.Background(), path); !errors.As(err, &format) || !strings.Contains(err.Error(), "row 2, column 1") {
			t.Errorf("%s: error %v", bad, err)
		}
	}
}

// The short form of table 2 on sets of the paper.
func TestLECASShort(t *testing.T) {
	e := lecasViews()[0].Experiment
	opt := Options{Dir: dataDir, Tests: 2, Rows: []string{"CNAE-9", "FG-NET"}}
	if testing.Short() {
		opt.Tests, opt.Rows = 1, opt.Rows[:1]
	}
	run, err := e.Run(context.Background(), opt)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range run.Rows {
		for _, c := range run.Columns {
			fmi, f, purity := run.Score(r, c, 0).Mean, run.Score(r, c, 1).Mean, run.Score(r, c, 2).Mean
			t.Logf("%s, %s: FMI %.4f, F %.4f, purity %.4f", r.Key, c.Title(), fmi, f, purity)
			// The geometric mean of two shares is no less than the harmonic one, and that no less
			// than 2·FMI²/(1 + FMI²).
			if f > fmi+1e-12 || run.Tests == 1 && f < 2*fmi*fmi/(1+fmi*fmi)-1e-12 {
				t.Errorf("%s, %s: FMI %.4f, F %.4f", r.Key, c.Title(), fmi, f)
			}
			if r.Key == "CNAE-9" && purity < 0.4 || r.Key == "FG-NET" && purity < 47./1002 {
				t.Errorf("%s, %s: purity %.4f", r.Key, c.Title(), purity)
			}
		}
	}
}
