package papers

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"io/fs"
	"math"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/must"
)

// made puts made-up topics in place of an experiment's corpus.
func made(t *testing.T, e *Experiment, classes int) *Experiment {
	t.Helper()
	all := topics(t, classes, 30)
	out := *e
	out.load = func(context.Context, string) (*corpus.Corpus, string, error) { return all, "sum", nil }
	return &out
}

// The short form of table 3 and its like: on TDT2 the sparse projections find the classes and
// k-means does not.
func TestSPGTablesShort(t *testing.T) {
	for _, e := range []*Experiment{spgExperiment("spg-tdt2", TDT2), spgExperiment("spg-reuters", Reuters)} {
		opt := Options{Dir: dataDir, Tests: 2, Rows: []string{"2"}}
		if e.Corpus.Name == TDT2.Name && !testing.Short() {
			opt.Rows = []string{"2", "3"}
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
				ac, nmi, zeros := run.Score(r, c, 0).Mean, run.Score(r, c, 1).Mean, run.Score(r, c, 3)
				t.Logf("%s, c = %s, %s: AC %.4f, NMI %.4f, zeros %.4f", e.Name, r.Key, c.Title(), ac, nmi, zeros.Mean)
				if ac <= 1/r.Value || c.Method == "spg" && e.Corpus.Name == TDT2.Name && (ac < 0.95 || zeros.Mean < 0.98) {
					t.Errorf("%s, c = %s, %s: AC %.4f", e.Name, r.Key, c.Title(), ac)
				}
				if sparse := c.Method == "spca" || c.Method == "spg"; sparse != (zeros.N == 2) {
					t.Errorf("%s, c = %s, %s: sparsity %+v", e.Name, r.Key, c.Title(), zeros)
				}
			}
		}
	}
}

// A row of figure 1, cut from longer paths, is the table's figure for the same classes.
func TestSPGCurveIsTheTable(t *testing.T) {
	table, curve := spgExperiment("spg-tdt2", TDT2), spgCurve()
	dir := dataDir
	if err := TDT2.In(dir); err != nil {
		table, curve, dir = made(t, table, 7), made(t, curve, 7), ""
	}
	a := must.Get(table.Run(context.Background(), Options{Dir: dir, Tests: 2, Rows: []string{"5"}, Methods: []string{"spg"}}))(t)
	withThreads(t, 3)
	b := must.Get(curve.Run(context.Background(), Options{Dir: dir, Tests: 2, Rows: []string{"10", "75"}, Methods: []string{"spg"}}))(t)
	for m := range table.Metrics {
		if x, y := a.Score(a.Rows[0], a.Columns[0], m), b.Score(b.Rows[1], b.Columns[0], m); x != y {
			t.Errorf("%s: %+v in the table, %+v in the curve", table.Metrics[m].Key, x, y)
		}
	}
}

// Sparsity is a line of two methods in every format; a row with one draw is shown beside the
// average and continues from its cells like any other.
func TestMetricOfSomeMethods(t *testing.T) {
	e := made(t, spgExperiment("spg-tdt2", TDT2), 5)
	e.Rows = []Row{{Key: "2", Value: 2}, {Key: "3", Value: 3}, {Key: "5", Value: 5, Tests: 1, Apart: true}}
	opt := Options{Tests: 3, Methods: []string{"kmeans", "lsi", "spca", "spg"}, Cells: cellsIn(t)}
	if _, err := e.Run(context.Background(), Options{Tests: 2, Methods: []string{"spg"}, Cells: opt.Cells}); err != nil {
		t.Fatal(err)
	}
	run, err := e.Run(context.Background(), opt)
	if err != nil {
		t.Fatal(err)
	}
	if run.Cells != 4*(3+3+1) || run.Computed != run.Cells-5 {
		t.Errorf("%d of %d cells were computed", run.Computed, run.Cells)
	}
	whole := opt
	whole.Cells = ""
	again := must.Get(e.Run(context.Background(), whole))(t)
	v := &View{Name: "spg/table3", Title: "made up", Kind: KindTable, Experiment: e, Digits: 1}
	table := v.Table(run)
	if csvOf(t, table) != csvOf(t, v.Table(again)) {
		t.Error("in two steps the table is another one")
	}
	records := must.Get(csv.NewReader(strings.NewReader(csvOf(t, table))).ReadAll())(t)
	if want := 1 + (3*4+2)*4; len(records) != want {
		t.Errorf("%d records, not %d", len(records), want)
	}
	checkDraws(t, table)
	var text bytes.Buffer
	must.Do(t, table.WriteText(&text))
	_, sparsity, found := strings.Cut(text.String(), "Sparsity, percent\n")
	if !found || strings.Contains(sparsity, "Baseline") || !strings.Contains(sparsity, "SPCA") || !strings.Contains(sparsity, "SPG") {
		t.Errorf("the text is\n%s", text.String())
	}
	checkPictures(t, table)
	// Without the methods that have it the metric is gone, and a row apart is shown where it is
	// alone.
	opt.Methods, opt.Rows = []string{"lsi"}, []string{"5"}
	if run, err = e.Run(context.Background(), opt); err != nil {
		t.Fatal(err)
	}
	if table = v.Table(run); len(table.Metrics) != 3 || len(table.Rows) != 1 {
		t.Errorf("metrics %+v, rows %+v", table.Metrics, table.Rows)
	}
	checkPictures(t, table)
}

// checkDraws checks the number of draws behind every figure, and that the average is over the rows
// that are not apart.
func checkDraws(t *testing.T, table *Table) {
	t.Helper()
	sums := map[string]float64{}
	for m := range table.Metrics {
		for i, r := range table.Rows {
			for j, c := range table.Run.Columns {
				f := table.Figures[m][i][j]
				key := table.Metrics[m].Key + c.Key()
				switch has := table.Metrics[m].of(c.Key()); {
				case !has && f.Ours != Estimate{}:
					t.Errorf("%s of %s is %+v", table.Metrics[m].Key, c.Key(), f.Ours)
				case has && r.Apart && f.Ours.N != 1, has && !r.Apart && f.Ours.N != 3:
					t.Errorf("%s, row %s: %d draws", key, r.Key, f.Ours.N)
				case has && r.Average && !near(f.Ours.Mean, sums[key]/2):
					t.Errorf("%s is %v on average, not %v", key, f.Ours.Mean, sums[key]/2)
				case !r.Apart:
					sums[key] += f.Ours.Mean
				}
			}
		}
	}
}

// The share of zeros agrees with the numbers of terms.
func TestSparsityCountsTerms(t *testing.T) {
	e := made(t, spgExperiment("spg-tdt2", TDT2), 4)
	all, _, err := e.load(context.Background(), "")
	if err != nil {
		t.Fatal(err)
	}
	u, _, err := drawRows(all, Row{Key: "3", Value: 3, Settings: "cardinality=7"}, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	_, terms := u.X.Dims()
	for _, c := range spgColumns()[2:4] {
		scores := must.Get(c.figures(context.Background(), u, 0))(t)
		if want := 1 - 7/float64(terms); len(scores) != 4 || math.Abs(scores[3]-want) > 1e-12 {
			t.Errorf("%s gives %v; 7 of %d terms leave %v", c.Method, scores, terms, want)
		}
	}
}
