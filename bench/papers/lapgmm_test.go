package papers

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
)

// Figure 1: the mixture mixes the moons, the graph separates them; the picture is the same each
// time.
func TestMoons(t *testing.T) {
	v := moonsView()
	run := must.Get(v.Experiment.Run(context.Background(), Options{Tests: 2, Rows: []string{"0.02", "0.05"}}))(t)
	for _, r := range run.Rows {
		for _, c := range run.Columns {
			ac := run.Score(r, c, 0).Mean
			t.Logf("noise %s, %s: AC %.4f", r.Key, c.Title(), ac)
			if c.Method == "lapgmm" && ac < 0.99 || c.Method != "lapgmm" && ac > 0.95 {
				t.Errorf("noise %s, %s: AC %.4f", r.Key, c.Title(), ac)
			}
		}
	}
	table := v.Table(run)
	for _, format := range []string{"png", "svg"} {
		var a, b bytes.Buffer
		must.Do(t, errors.Join(table.WritePlot(&a, format), table.WritePlot(&b, format)))
		if a.Len() < 5000 || !bytes.Equal(a.Bytes(), b.Bytes()) {
			t.Errorf("%s: %d bytes, then %d", format, a.Len(), b.Len())
		}
	}
}

// The short form of table 3 and of a curve, whose row at the table's option gives the table's
// figure for the same classes.
func TestLapGMMShort(t *testing.T) {
	table := lapgmmExperiment(lapgmmAll[1])
	curve := lapgmmCurve(lapgmmAll[1], "7", "lambda", "λ", []float64{500, 1000}, func(v float64) float64 { return v }, "lambda").Experiment
	opt := Options{Dir: dataDir, Tests: 2, Methods: []string{"lapgmm"}, Rows: []string{"5"}}
	a, err := table.Run(context.Background(), opt)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	opt.Rows = []string{"1000"}
	b := must.Get(curve.Run(context.Background(), opt))(t)
	for m := range table.Metrics {
		x, y := a.Score(a.Rows[0], a.Columns[0], m), b.Score(b.Rows[0], b.Columns[0], m)
		t.Logf("%s %.4f", table.Metrics[m].Key, x.Mean)
		if x != y || x.Mean < 0.5 {
			t.Errorf("%s: %+v in the table, %+v in the curve", table.Metrics[m].Key, x, y)
		}
	}
}
