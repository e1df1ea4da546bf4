package papers

import (
	"math"
	"slices"
)

// Table is a view with our figures beside the paper's.
type Table struct {
	View    *View
	Run     *Run
	Rows    []TableRow
	Metrics []Metric
	// Figures by metric, row and column, as in Metrics, Rows and Run.Columns; zero if the column
	// does not have the metric.
	Figures [][][]Figure
}

// TableRow is a row of a table: one of the experiment's, or the average over them.
type TableRow struct {
	Key     string
	Value   float64 // of the parameter
	Average bool
	Apart   bool   // not part of the average, nor of pictures
	Corpus  string // of several, by name
	Label   string // its name among the rows of its corpus
}

// Figure is one number: ours, and the paper's if it printed one.
type Figure struct {
	Ours    Estimate
	Paper   float64
	Printed bool
	// Rounding is half a unit of the paper's last digit.
	Rounding float64
	// PaperError is the standard error of the paper's figure. If it does not follow from the paper,
	// it is computed for the paper's number of draws with the spread of ours, and Assumed is true.
	PaperError float64
	Assumed    bool
}

// differsFrom is the number of standard errors, beside the rounding of a printed figure, above
// which figures differ.
const differsFrom = 2

// Comparable reports whether the paper printed the figure and ours has a standard error, which
// takes two tests.
func (f Figure) Comparable() bool { return f.Printed && f.Ours.N > 1 }

// Difference is ours less the paper's in standard errors of that difference, to which both sides
// contribute: √2 of ours if the paper has as many draws with the same spread. False if there is
// none.
func (f Figure) Difference() (float64, bool) {
	e := math.Hypot(f.Ours.Error, f.PaperError)
	if !f.Comparable() || e == 0 {
		return 0, false
	}
	return (f.Ours.Mean - f.Paper) / e, true
}

// Differs reports whether ours and the paper's figure are more than two standard errors of their
// difference apart.
func (f Figure) Differs() bool {
	return f.Comparable() && math.Abs(f.Ours.Mean-f.Paper) > differsFrom*math.Hypot(f.Ours.Error, f.PaperError)+f.Rounding
}

// Table sets a run of the view's experiment beside the paper. It has the average over the rows if
// the run has all rows, since the paper's average is over all.
func (v *View) Table(run *Run) *Table {
	t := v.blank(run)
	averages := map[string][]Estimate{} // by metric
	for _, m := range t.Metrics {
		for _, c := range t.Run.Columns {
			var rows []Estimate
			for _, r := range averagedRows(t.Run.Rows) {
				rows = append(rows, t.Run.score(m, r.Key, c))
			}
			if len(rows) > 0 { // else there are rows apart alone, and no average is shown
				averages[m.Key] = append(averages[m.Key], average(rows))
			}
		}
	}
	t.fill(func(m Metric, row TableRow, column int) Estimate {
		if row.Average {
			return averages[m.Key][column]
		}
		return t.Run.score(m, row.Key, t.Run.Columns[column])
	})
	return t
}

// score is Score by the keys of the metric and the row.
func (r *Run) score(m Metric, row string, c Column) Estimate {
	metric := slices.IndexFunc(r.Experiment.Metrics, func(other Metric) bool { return other.Key == m.Key })
	at := slices.IndexFunc(r.Rows, func(other Row) bool { return other.Key == row })
	return r.Score(r.Rows[at], c, metric)
}

// blank is the table of a run without its figures.
func (v *View) blank(run *Run) *Table {
	run = run.only(v.Methods)
	t := &Table{View: v, Run: run}
	for _, m := range run.Experiment.Metrics {
		shown := len(v.Metrics) == 0 || slices.Contains(v.Metrics, m.Key)
		if shown && slices.ContainsFunc(run.Columns, func(c Column) bool { return m.of(c.Key()) }) {
			t.Metrics = append(t.Metrics, m)
		}
	}
	shown := slices.DeleteFunc(slices.Clone(run.Rows), func(r Row) bool { return len(v.Rows) > 0 && !slices.Contains(v.Rows, r.Key) })
	if len(shown) == 0 { // other rows were computed
		shown = run.Rows
	}
	for _, r := range shown {
		row := TableRow{Key: r.Key, Value: r.Value, Apart: r.Apart, Label: r.Label}
		if r.Corpus != nil {
			row.Corpus = r.Corpus.Name
		}
		t.Rows = append(t.Rows, row)
	}
	averaged := averagedRows(run.Rows)
	if len(averaged) == len(averagedRows(run.Experiment.Rows)) && len(averaged) > 1 && !run.Experiment.Curve {
		t.Rows = append(t.Rows, TableRow{Key: averageKey, Average: true})
	}
	return t
}

// fill sets our figures, which ours gives by metric, row and number of column, beside the paper's.
func (t *Table) fill(ours func(m Metric, row TableRow, column int) Estimate) {
	v := t.View
	for _, m := range t.Metrics {
		block := make([][]Figure, len(t.Rows))
		for i, r := range t.Rows {
			for j, c := range t.Run.Columns {
				f := Figure{Ours: ours(m, r, j), Rounding: v.rounding()}
				f.Paper, f.Printed = v.Printed.At(m.Key, r.Key, c.Key())
				if v.PrintedErrors != nil {
					f.PaperError, _ = v.PrintedErrors.At(m.Key, r.Key, c.Key())
				} else if f.Printed && f.Ours.N > 1 {
					f.PaperError, f.Assumed = f.Ours.Error*math.Sqrt(float64(f.Ours.N)/float64(t.printedDraws(r))), true
				}
				block[i] = append(block[i], f)
			}
		}
		t.Figures = append(t.Figures, block)
	}
}

// printedDraws is the number of draws of the paper's figures of a row: the experiment's, which are
// the paper's.
func (t *Table) printedDraws(row TableRow) int {
	e := t.Run.Experiment
	for _, r := range e.Rows {
		if r.Key == row.Key && r.Tests > 0 {
			return min(r.Tests, e.Tests)
		}
	}
	return e.Tests
}

// only is the run with the columns of some methods, or the run itself if it has none of them.
func (r *Run) only(methods []string) *Run {
	columns := slices.DeleteFunc(slices.Clone(r.Columns), func(c Column) bool { return !slices.Contains(methods, c.Method) })
	if len(columns) == 0 {
		return r
	}
	out := *r
	out.Columns = columns
	return &out
}

// averagedRows leaves out the rows apart.
func averagedRows(rows []Row) []Row {
	return slices.DeleteFunc(slices.Clone(rows), func(r Row) bool { return r.Apart })
}

// rounding is half a unit of the paper's last digit.
func (v *View) rounding() float64 { return 0.5e-2 * math.Pow10(-v.Digits) }

// shownMetrics are the numbers of the metrics that text and pictures show.
func (t *Table) shownMetrics() []int {
	var out []int
	for i, m := range t.Metrics {
		if !m.Aside {
			out = append(out, i)
		}
	}
	return out
}

// Compared counts the figures that can be compared with the paper's, and those that differ.
func (t *Table) Compared() (differing, compared int) {
	for _, block := range t.Figures {
		for _, row := range block {
			for _, f := range row {
				if f.Comparable() {
					compared++
				}
				if f.Differs() {
					differing++
				}
			}
		}
	}
	return differing, compared
}

// span is some rows of a table, from one up to before another, that are of one corpus.
type span struct {
	corpus   string
	from, to int
}

// byCorpus cuts the rows where the corpus changes.
func (t *Table) byCorpus() []span {
	var out []span
	for i, r := range t.Rows {
		if i == 0 || r.Corpus != t.Rows[i-1].Corpus {
			out = append(out, span{r.Corpus, i, i})
		}
		out[len(out)-1].to = i + 1
	}
	return out
}

// columns returns the columns of a share of labels, by their numbers: those without labels and
// those with this share.
func (t *Table) columns(share float64) []int {
	var out []int
	for i, c := range t.Run.Columns {
		if c.Share == 0 || c.Share == share {
			out = append(out, i)
		}
	}
	return out
}

// shares lists the shares of labels among the columns, ascending.
func (t *Table) shares() []float64 {
	var out []float64
	for _, c := range t.Run.Columns {
		if c.Share > 0 && !slices.Contains(out, c.Share) {
			out = append(out, c.Share)
		}
	}
	slices.Sort(out)
	return out
}
