package papers

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"image/png"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/eigenmap/eigenmap/internal/must"
)

// The paper's averages are the averages of its rows, up to the rounding of its figures: they were
// copied without a slip.
func TestPrintedAverages(t *testing.T) {
	for _, v := range Views() {
		count := 0
		for metric, rows := range v.Printed {
			for column, want := range rows[averageKey] {
				sum := 0.0
				for _, r := range averagedRows(v.Experiment.Rows) {
					x, ok := v.Printed.At(metric, r.Key, column)
					if !ok || x <= 0 || x >= 1 {
						t.Errorf("%s: %s, r = %s, %s: %v", v.Name, metric, r.Key, column, x)
					}
					sum += x
				}
				count++
				if got := sum / float64(len(averagedRows(v.Experiment.Rows))); math.Abs(got-want) > 2.2*v.rounding() {
					t.Errorf("%s: %s of %s is %.5f on average, the paper has %.4f", v.Name, metric, column, got, want)
				}
			}
		}
		if v.Printed == nil || v.Experiment.Curve {
			continue // without numbers, or without averages
		}
		want := 0
		inPaper := slices.DeleteFunc(slices.Clone(v.Experiment.Columns), func(c Column) bool { return c.Method == "lapgmm-literal" })
		for _, c := range inPaper {
			for _, m := range metricsOf(v.Experiment.Metrics, c.Key()) {
				if !m.Aside {
					want++
				}
			}
		}
		if count != want {
			t.Errorf("%s has %d averages, not %d", v.Name, count, want)
		}
		for _, c := range inPaper {
			if _, ok := v.Printed.At("accuracy", v.Experiment.Rows[0].Key, c.Key()); !ok {
				t.Errorf("%s has no printed figure for %s", v.Name, c.Key())
			}
		}
	}
}

func TestViewsAreWhole(t *testing.T) {
	seen := map[string]bool{}
	for _, v := range Views() {
		if seen[v.Name] || v.Title == "" || v.Paper == "" || v.Shows == "" || v.Source == "" || v.Experiment.Version < 1 || v.Experiment.Tests < 1 {
			t.Errorf("%s is not whole", v.Name)
		}
		seen[v.Name] = true
		if _, _, err := v.Experiment.pick(v.Rows, nil); err != nil {
			t.Error(err)
		}
	}
	names := map[string]bool{}
	for _, e := range Experiments() {
		if names[e.Name] {
			t.Errorf("two experiments are called %s", e.Name)
		}
		names[e.Name] = true
	}
}

// A method that no view shows need not be computed: table 4 has five methods, and the sixth takes
// as long as they do.
func TestShownMethods(t *testing.T) {
	for _, c := range []struct {
		views string
		want  string
	}{
		{"lapgmm/table4", "[kmeans pca nmf gmm lapgmm]"},
		{"lapgmm/schedules-coil20", "[gmm lapgmm-literal lapgmm]"},
		{"cle/table3", "[]"},
	} {
		views := must.Get(Find(c.views))(t)
		if got := fmt.Sprint(views[0].Experiment.Shown(views)); got != c.want {
			t.Errorf("%s: %s", c.views, got)
		}
	}
	all := Views()
	for _, v := range all {
		if shown := v.Experiment.Shown(all); len(shown) > 0 {
			if _, columns, err := v.Experiment.pick(nil, shown); err != nil || len(columns) != len(v.Experiment.Columns) {
				t.Errorf("all views of %s show %v (%v)", v.Experiment.Name, shown, err)
			}
		}
	}
}

func TestDifference(t *testing.T) {
	for _, c := range []struct {
		f       Figure
		d       float64
		ok, far bool
	}{
		{Figure{Estimate{0.9, 0.02, 20}, 0.93, true, 0.5e-4, 0, false}, -1.5, true, false},
		{Figure{Estimate{0.9, 0.01, 20}, 0.87, true, 0.5e-4, 0, false}, 3, true, true},
		{Figure{Estimate{0.9, 0.01, 20}, 0, false, 0.5e-4, 0, false}, 0, false, false},
		{Figure{Estimate{0.9, 0, 1}, 0.5, true, 0.5e-4, 0, false}, 0, false, false},
		{Figure{Estimate{0.9, 0, 20}, 0.5, true, 0.5e-4, 0, false}, 0, false, true},
		{Figure{Estimate{0.90004, 0, 20}, 0.9, true, 0.5e-4, 0, false}, 0, false, false},
		{Figure{Estimate{0.9, 0.03, 10}, 0.8, true, 0.5e-4, 0.04, false}, 2, true, false},
		{Figure{Estimate{0.9, 0.03, 10}, 0.799, true, 0.5e-4, 0.04, false}, 2.02, true, true},
	} {
		d, ok := c.f.Difference()
		if math.Abs(d-c.d) > 1e-9 || ok != c.ok || c.f.Differs() != c.far {
			t.Errorf("%+v: %v %v %v", c.f, d, ok, c.f.Differs())
		}
	}
}

// A printed figure without an error of its own is as uncertain as ours: with as many draws the
// error of the difference is √2 of ours, with a quarter of them (ours 40 of the paper's 160)
// √(5/4).
func TestPaperErrorIsCounted(t *testing.T) {
	e := synthetic(t)
	run := must.Get(e.Run(context.Background(), Options{Seed: 3}))(t)
	check := func(want float64) {
		t.Helper()
		seen := 0
		for _, row := range e.view().Table(run).Figures[0] {
			for _, f := range row {
				d, ok := f.Difference()
				if !ok {
					continue
				}
				seen++
				if got := (f.Ours.Mean - f.Paper) / d / f.Ours.Error; math.Abs(got-want) > 1e-12 {
					t.Errorf("the difference is in units of %v of our errors, not %v", got, want)
				}
			}
		}
		if seen == 0 {
			t.Error("no figure is compared")
		}
	}
	check(math.Sqrt2)
	e.Tests *= 4 // the paper has four times our draws
	check(math.Sqrt(1.25))
	f := Figure{Estimate{0.9, 0.01, 20}, 0.875, true, 0, 0.01, true}
	if f.Differs() || f.String() != "90.00±1.0 87.50" {
		t.Errorf("2.5 of our errors, 1.8 of the difference: %s", f)
	}
}

// A table says where ± is not the error of draws of classes.
func TestNoiseIsTold(t *testing.T) {
	e := synthetic(t)
	e.Rows = append(e.Rows, Row{Key: "6", Value: 6, Whole: true})
	run := must.Get(e.Run(context.Background(), Options{Methods: []string{"kmeans"}}))(t)
	text := func() string {
		var b bytes.Buffer
		must.Do(t, e.view().Table(run).WriteText(&b))
		return strings.Join(strings.Fields(b.String()), " ")
	}
	if !strings.Contains(text(), "With r = 6 every draw is of all classes, one data set: ± is the noise of the starts there.") {
		t.Error(text())
	}
	e.Runs = "the starts"
	if !strings.Contains(text(), "All runs of a row are on the same data: ± is the noise of the starts.") {
		t.Error(text())
	}
	// The rows of the tables that are of all classes of their corpus.
	for name, want := range map[string]string{"lapgmm/table2": "[10]", "lapgmm/table3": "[]", "lapgmm/table4": "[30]", "spg/table3": "[30]"} {
		views := must.Get(Find(name))(t)
		whole := []string{}
		for _, r := range views[0].Experiment.Rows {
			if r.Whole {
				whole = append(whole, r.Key)
			}
		}
		if fmt.Sprint(whole) != want {
			t.Errorf("%s: %v, want %s", name, whole, want)
		}
	}
}

func TestFigureText(t *testing.T) {
	for want, f := range map[string]Figure{
		"97.85±.60 97.64":     {Estimate{0.97851, 0.00596, 20}, 0.9764, true, 0.5e-4, 0, false},
		"66.30±4.1 72.03":     {Estimate{0.663, 0.0414, 20}, 0.7203, true, 0.5e-4, 0, false},
		"100.0±.00 99.87*":    {Estimate{1, 0, 20}, 0.9987, true, 0.5e-4, 0, false},
		"8.00±10.0 50.00*":    {Estimate{0.08, 0.1, 20}, 0.5, true, 0.5e-4, 0, false},
		"90.00 95.00":         {Estimate{0.9, 0, 1}, 0.95, true, 0.5e-4, 0, false},
		"64.00±1.0 62.00±1.7": {Estimate{0.64, 0.01, 10}, 0.62, true, 0.5e-4, 0.0172, false},
		"90.00±.10":           {Estimate{0.9, 0.001, 20}, 0, false, 0.5e-4, 0, false},
	} {
		if got := f.String(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// synthetic's table in every format.
func TestTableFormats(t *testing.T) {
	e := synthetic(t)
	run := must.Get(e.Run(context.Background(), Options{Seed: 3}))(t)
	table := e.view().Table(run)

	var text bytes.Buffer
	must.Do(t, table.WriteText(&text))
	for _, want := range []string{"synthetic/table1", "Nobody", "Accuracy", "r = 2", "average", "Labels 10 %", "seed 3", "3 draws of classes, 2 draws of labels each"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%q is not in the text", want)
		}
	}
	differing, compared := table.Compared()
	if compared != 2 || strings.Count(text.String(), "*") != differing+1 {
		t.Errorf("%d of %d differ in\n%s", differing, compared, text.String())
	}

	records, err := csv.NewReader(strings.NewReader(csvOf(t, table))).ReadAll()
	if err != nil || len(records) != 1+3*3*4 {
		t.Fatalf("%d records, %v", len(records), err)
	}
	for _, r := range records[1:] {
		ours, err := strconv.ParseFloat(r[6], 64)
		if err != nil || !(ours > 0 && ours <= 1) {
			t.Errorf("record %v", r)
		}
	}

	raw := must.Get(json.Marshal(table))(t)
	var back tableJSON
	if err := json.Unmarshal(raw, &back); err != nil || len(back.Figures) != 36 || back.Seed != 3 || back.Seconds <= 0 || back.CorpusSHA256 != "sum" {
		t.Errorf("%v: %s", err, raw)
	}
	for i, f := range back.Figures {
		if shortest(f.Ours) != records[1+i][6] {
			t.Errorf("figure %d is %v in JSON and %s in CSV", i, f.Ours, records[1+i][6])
		}
	}
}

// A part of the rows has no average: the paper's is over all.
func TestAverageNeedsAllRows(t *testing.T) {
	e := synthetic(t)
	run := must.Get(e.Run(context.Background(), Options{Rows: []string{"2"}, Tests: 1, Cases: 1, Methods: []string{"kmeans"}}))(t)
	table := e.view().Table(run)
	if len(table.Rows) != 1 || table.Rows[0].Average {
		t.Errorf("rows %+v", table.Rows)
	}
	var b bytes.Buffer
	if err := table.WriteText(&b); err != nil || !strings.Contains(b.String(), "Nothing to compare") {
		t.Errorf("%v\n%s", err, b.String())
	}
	checkPictures(t, table)
}

func TestPictures(t *testing.T) {
	e := synthetic(t)
	run := must.Get(e.Run(context.Background(), Options{}))(t)
	checkPictures(t, e.view().Table(run))
	figure := e.view()
	figure.Kind, figure.Metrics, figure.Rows = KindFigure, []string{"accuracy"}, []string{"3"}
	table := figure.Table(run)
	if len(table.Rows) != 2 || len(table.Metrics) != 1 {
		t.Errorf("rows %+v, metrics %+v", table.Rows, table.Metrics)
	}
	checkPictures(t, table)
	run.Rows = run.Rows[:1] // not the row that the figure shows
	if table := figure.Table(run); len(table.Rows) != 1 || table.Rows[0].Key != "2" {
		t.Errorf("rows %+v", table.Rows)
	} else {
		checkPictures(t, table)
	}
	if err := table.WritePlot(io.Discard, "gif"); err == nil {
		t.Error("a GIF was written")
	}
}

// checkPictures checks that both formats are well formed, and the same every time.
func checkPictures(t *testing.T, table *Table) {
	t.Helper()
	for _, format := range []string{"png", "svg"} {
		var a, b bytes.Buffer
		must.Do(t, errors.Join(table.WritePlot(&a, format), table.WritePlot(&b, format)))
		if !bytes.Equal(a.Bytes(), b.Bytes()) {
			t.Errorf("the %s is another one the second time", format)
		}
		var err error
		if format == "png" {
			_, err = png.Decode(&a)
		} else {
			for d := xml.NewDecoder(&a); err == nil; _, err = d.Token() {
			}
			if err == io.EOF {
				err = nil
			}
		}
		if err != nil {
			t.Errorf("%s: %v", format, err)
		}
	}
}

// A whole table of the paper fits a console of 120 columns, whatever the figures are.
func TestTextIsNotTooWide(t *testing.T) {
	for _, v := range Views() {
		run := &Run{Experiment: v.Experiment, Tests: 20, Cases: 10, Rows: v.Experiment.Rows}
		for _, name := range []string{"kmeans", "lsi", "nmf", "le"} {
			run.Columns = append(run.Columns, Column{Method: name, Name: "NMF-NCW"})
		}
		for _, share := range cleShares {
			run.Columns = append(run.Columns, Column{Method: "semi-le", Name: "Semi-LE", Share: share}, Column{Method: "cle", Name: "CLE", Share: share})
		}
		run.cells = &cells{known: map[cellKey]cell{}}
		for _, r := range run.Rows {
			for _, c := range run.Columns {
				for test := range run.Tests {
					x := 0.6 + 0.3*float64(test%2) + 0.001*float64(test)
					var scores [][]float64
					for range c.cases(run.Cases) {
						of := make([]float64, len(metricsOf(v.Experiment.Metrics, c.Key())))
						for k := range of {
							of[k] = x / float64(k+1)
						}
						scores = append(scores, of)
					}
					run.cells.add(cellKey{unitKey{r.Key, test}, c.Key()}, scores, 0)
				}
			}
		}
		var b bytes.Buffer
		must.Do(t, v.Table(run).WriteText(&b))
		for text := range strings.SplitSeq(b.String(), "\n") {
			if n := utf8.RuneCountInString(text); n > 120 {
				t.Errorf("%s: %d columns: %s", v.Name, n, text)
			}
		}
	}
}
