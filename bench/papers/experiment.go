package papers

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"gonum.org/v1/gonum/mat"
)

// Experiment is a protocol as data. The figures of a cell depend on the seed and on the fields
// below except Tests and Cases.
type Experiment struct {
	Name     string  // stable; it names the folder of its cells
	Version  int     // raised if the same seed gives other figures; refuses older cells
	Protocol string  // what is done, in sentences for the head of a table
	Corpus   Dataset // of all rows, or the Parts that rows name
	Param    string  // what rows are values of: "r"
	Rows     []Row
	Columns  []Column
	Metrics  []Metric
	Tests    int // the paper's number of draws of classes
	Cases    int // the paper's number of draws of labels for each test
	// Curve says that rows are settings of a method, or corpora, and not tasks of one kind: they
	// have no average.
	Curve bool
	// Runs says what differs between tests that are all on the same data, such as "the starts"; "":
	// tests are draws of classes.
	Runs string
	// Draws is what a test draws; "": classes.
	Draws string
	// Pairs says that tests are all pairs of classes, each once: none is drawn.
	Pairs bool

	// prepare makes the unit of a row's test from the corpus.
	prepare func(ctx context.Context, all *corpus.Corpus, row Row, test int, seed uint64) (*Unit, error)
	// load, if not nil, makes the corpus and a text in place of its checksum, and no folder is
	// read.
	load func(ctx context.Context, dir string) (*corpus.Corpus, string, error)
}

// Row is a value of the parameter.
type Row struct {
	Key   string // stable: "2"
	Value float64
	// Corpus is the one of the experiment's Parts that the row is of; nil: the experiment has one
	// corpus.
	Corpus *Dataset
	// Label names the row among the rows of its corpus; "": the corpus has one row.
	Label string
	// Settings are values that options of columns refer to, "name=value name=value".
	Settings string
	// Tests, if above 0, bounds the draws of the row: all classes can be drawn in one way only.
	Tests int
	// Apart leaves the row out of the average and of pictures: it is too far from the others.
	Apart bool
	// Whole says that every draw of the row is of all classes: only the starts of methods differ.
	Whole bool
}

// Metric is one of the numbers that a case gives, a share.
type Metric struct {
	Key  string // "nmi"
	Name string // "Normalised mutual information"
	// Of are the methods that have it; none: all.
	Of []string
	// Aside says that it is in JSON and CSV only: no block of text and no panel shows it.
	Aside bool
}

// of reports whether the column with that key has the metric.
func (m Metric) of(column string) bool {
	method, _, _ := strings.Cut(column, "@")
	return len(m.Of) == 0 || slices.Contains(m.Of, method)
}

// metricsOf returns the metrics of a column, in the order of its scores.
func metricsOf(all []Metric, column string) []Metric {
	return slices.DeleteFunc(slices.Clone(all), func(m Metric) bool { return !m.of(column) })
}

// DrawsLabels reports whether labels are drawn for some column, so that there are cases.
func (e *Experiment) DrawsLabels() bool {
	return slices.ContainsFunc(e.Columns, func(c Column) bool { return c.Share > 0 })
}

// Methods lists the experiment's methods in the order of its columns.
func (e *Experiment) Methods() []string {
	var names []string
	for _, c := range e.Columns {
		if !slices.Contains(names, c.Method) {
			names = append(names, c.Method)
		}
	}
	return names
}

// Shown lists the methods that the views of the experiment show together; none if one of them shows
// all.
func (e *Experiment) Shown(views []*View) []string {
	var names []string
	for _, v := range views {
		if v.Experiment != e {
			continue
		}
		if len(v.Methods) == 0 {
			return nil
		}
		names = append(names, v.Methods...)
	}
	return names
}

// pick returns the rows and columns with the given keys and methods, in the experiment's order. An
// empty list stands for all.
func (e *Experiment) pick(rows, methods []string) ([]Row, []Column, error) {
	rows = e.RowKeys(rows)
	var errs []error
	keys := make([]string, len(e.Rows))
	for i, r := range e.Rows {
		keys[i] = r.Key
	}
	for _, want := range rows {
		if !slices.Contains(keys, want) {
			errs = append(errs, invalid.Errorf("%s has no row %s = %q: its rows are %s", e.Name, e.Param, want, strings.Join(keys, ", ")))
		}
	}
	for _, want := range methods {
		if !slices.Contains(e.Methods(), want) {
			errs = append(errs, invalid.Errorf("%s has no method %q: its methods are %s", e.Name, want, strings.Join(e.Methods(), ", ")))
		}
	}
	if err := invalid.Join(errs...); err != nil {
		return nil, nil, err
	}
	outRows := slices.Clone(e.Rows)
	if len(rows) > 0 {
		outRows = slices.DeleteFunc(outRows, func(r Row) bool { return !slices.Contains(rows, r.Key) })
	}
	outColumns := slices.Clone(e.Columns)
	if len(methods) > 0 {
		outColumns = slices.DeleteFunc(outColumns, func(c Column) bool { return !slices.Contains(methods, c.Method) })
	}
	return outRows, outColumns, nil
}

// RowKeys puts keys of rows together that were cut at a comma: Reuters and 30 become the row
// "Reuters, 30". Others stay as they are.
func (e *Experiment) RowKeys(list []string) []string {
	var keys []string
	for i := 0; i < len(list); {
		n := 1
		for k := len(list); k > i+1; k-- {
			whole := strings.Join(list[i:k], ", ")
			if slices.ContainsFunc(e.Rows, func(r Row) bool { return r.Key == whole }) {
				n = k - i
				break
			}
		}
		keys = append(keys, strings.Join(list[i:i+n], ", "))
		i += n
	}
	return keys
}

// Kind says how a view is drawn.
type Kind string

// The kinds of views.
const (
	KindTable   Kind = "table"   // metrics by rows and columns; rows on the axis of its picture
	KindScatter Kind = "scatter" // a table; its picture shows clustered points of the first draw
	KindFigure  Kind = "figure"  // a panel per row and the average; shares of labels on the axis
	KindCurves  Kind = "curves"  // a block and a panel per corpus, with its rows on the axis
)

// View is a table or figure of a paper.
type View struct {
	Name       string // "cle/table3"
	Title      string // "table 3: TDT2"
	Paper      string // who, what, when
	Shows      string // what it shows, in a few words
	Kind       Kind
	Experiment *Experiment
	Metrics    []string // keys of the metrics it shows; none: all
	Rows       []string // keys of the rows it shows besides the average; none: all
	Methods    []string // methods it shows; none: all
	Printed    Printed
	// PrintedErrors are the standard errors of the printed figures if they follow from the paper;
	// none: a printed figure is taken to have the spread of ours over the experiment's draws, which
	// are the paper's.
	PrintedErrors Printed
	Source        string // place of the printed figures in the paper
	Digits        int    // that the paper prints after the decimal point of a percentage
	Spread        string // words about the errors of the paper's figures; "": it gives none

	// scatter gives the points and clusterings of a scatter picture.
	scatter func(ctx context.Context, seed uint64) (*mat.Dense, []clustering, error)
}

// averageKey is the key of the mean over all rows.
const averageKey = "average"

// Printed holds a paper's figures by metric, row (averageKey for the average) and column.
type Printed map[string]map[string]map[string]float64

// set adds a figure as a paper prints it, divided by the scale. It panics if text is no number.
func (p Printed) set(metric, row, column, text string, scale float64) {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		panic(err)
	}
	if p[metric] == nil {
		p[metric] = map[string]map[string]float64{}
	}
	if p[metric][row] == nil {
		p[metric][row] = map[string]float64{}
	}
	p[metric][row][column] = v / scale
}

// At returns a printed figure, or that there is none.
func (p Printed) At(metric, row, column string) (float64, bool) {
	v, ok := p[metric][row][column]
	return v, ok
}

// views are all tables and figures by paper, made when they are first asked for: a program that
// repeats none starts without them.
var views = sync.OnceValue(func() []*View {
	return slices.Concat(cleViews(), lapgmmViews(), spgViews(), lecasViews(), semildcViews(), defaultsViews(), kautoViews(), mixturesViews(), confidenceViews(), byLabelsViews())
})

// Views lists the tables and figures that can be repeated.
func Views() []*View { return views() }

// Find returns the views of a name: one view, all of a paper ("cle") or of the study of defaults
// ("defaults"), or "all".
func Find(name string) ([]*View, error) {
	var found []*View
	for _, v := range views() {
		paper, _, _ := strings.Cut(v.Name, "/")
		if name == v.Name || name == paper || name == "all" {
			found = append(found, v)
		}
	}
	if found == nil {
		names := make([]string, len(views()))
		for i, v := range views() {
			names[i] = v.Name
		}
		return nil, invalid.Errorf("there is no table %q: choose %s or all", name, strings.Join(names, ", "))
	}
	return found, nil
}

// FileName is the view's name in files: "cle-table3".
func (v *View) FileName() string { return strings.ReplaceAll(v.Name, "/", "-") }

// Experiments lists the experiments of all views, each once, in their order.
func Experiments() []*Experiment {
	var list []*Experiment
	for _, v := range views() {
		if !slices.Contains(list, v.Experiment) {
			list = append(list, v.Experiment)
		}
	}
	return list
}
