package papers

import (
	"image/color"
	"io"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/report"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// palette has colours that colour-blind readers can tell apart too (Okabe and Ito 2008); the shapes
// differ as well.
var palette = []color.NRGBA{
	{86, 180, 233, 255}, {204, 121, 167, 255}, {150, 150, 150, 255}, {0, 0, 0, 255}, {230, 159, 0, 255}, {0, 114, 178, 255},
	{0, 158, 115, 255}, {213, 94, 0, 255},
}

var shapes = []draw.GlyphDrawer{
	draw.CrossGlyph{}, draw.PlusGlyph{}, draw.TriangleGlyph{}, draw.SquareGlyph{}, draw.PyramidGlyph{}, draw.CircleGlyph{}, draw.BoxGlyph{}, draw.RingGlyph{},
}

// Sizes in points, and the resolution of a PNG: sharp on screens of double density.
const (
	panelWidth  = 270 * vg.Length(1)
	panelHeight = 235 * vg.Length(1)
	panelGap    = 16 * vg.Length(1)
	headHeight  = 30 * vg.Length(1)
	keyHeight   = 44 * vg.Length(1)
	pageMargin  = 14 * vg.Length(1)
	plotDPI     = 144
)

var (
	ink   = color.NRGBA{29, 39, 51, 255}
	faint = color.NRGBA{226, 230, 235, 255}
	frame = color.NRGBA{150, 158, 167, 255}
)

// panel is one plot of a picture.
type panel struct {
	title, x string
	ticks    []plot.Tick
	tasks    bool // ticks are corpora, which no line joins
	series   []series
}

// series is one method in a panel: ours with error bars, the paper's without; NaN is a gap.
type series struct {
	method int // its number, for colour and shape
	at     []float64
	ours   []Estimate
	paper  []float64
}

// WritePlot draws the table as "png" or "svg". A table has a panel per metric and share of labels,
// with the rows on the axis; a figure has one per row, with the share of labels on the axis; a
// scatter picture shows points. The same table gives the same bytes.
func (t *Table) WritePlot(w io.Writer, format string) error {
	if t.View.Kind == KindScatter {
		return t.writeScatter(w, format)
	}
	panels := t.tablePanels
	switch t.View.Kind {
	case KindFigure:
		panels = t.figurePanels
	case KindCurves:
		panels = t.curvePanels
	}
	grid := panels()
	across := 0
	for _, row := range grid {
		across = max(across, len(row))
	}
	wide := panelWidth
	if across == 1 { // the head and the key are as wide as two
		wide = 2*panelWidth + panelGap
	}
	width := 2*pageMargin + vg.Length(across)*wide + vg.Length(across-1)*panelGap
	key, lines := t.key(width - 2*pageMargin)
	height := 2*pageMargin + headHeight + keyHeight + vg.Length(lines-1)*keyLine + vg.Length(len(grid))*panelHeight + vg.Length(len(grid)-1)*panelGap
	return report.Render(w, format, width, height, plotDPI, func(c draw.Canvas) {
		t.drawHead(c)
		for i, row := range grid {
			for j, p := range row {
				left := c.Min.X + pageMargin + vg.Length(j)*(wide+panelGap)
				top := c.Max.Y - pageMargin - headHeight - vg.Length(i)*(panelHeight+panelGap)
				p.draw(draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
					Min: vg.Point{X: left, Y: top - panelHeight}, Max: vg.Point{X: left + wide, Y: top}}})
			}
		}
		t.drawKey(c, key, lines)
	})
}

// tablePanels has one line of panels per metric with one panel per share of labels, or one line in
// all if there is at most one share.
func (t *Table) tablePanels() [][]panel {
	shares := t.shares()
	if len(shares) == 0 {
		shares = []float64{0}
	}
	e := t.Run.Experiment
	var grid [][]panel
	for at, m := range t.shownMetrics() {
		metric := t.Metrics[m]
		var line []panel
		for _, share := range shares {
			p := panel{title: metric.Name, x: e.Param, tasks: t.Rows[0].Corpus != ""}
			if share > 0 {
				p.title += ", " + shareText(share) + " labelled"
			}
			for _, r := range t.Rows {
				if t.plotted(r) {
					p.ticks = append(p.ticks, plot.Tick{Value: r.Value, Label: r.Key})
				}
			}
			for _, j := range t.columns(share) {
				if !metric.of(t.Run.Columns[j].Key()) {
					continue
				}
				s := series{method: t.methodNumber(j)}
				for i, r := range t.Rows {
					if t.plotted(r) {
						s.add(r.Value, t.Figures[m][i][j])
					}
				}
				p.series = append(p.series, s)
			}
			line = append(line, p)
		}
		if len(shares) == 1 && at > 0 {
			grid[0] = append(grid[0], line...)
			continue
		}
		grid = append(grid, line)
	}
	return grid
}

// figurePanels has one panel per row of the table and metric, two in a line.
func (t *Table) figurePanels() [][]panel {
	shares := t.shares()
	if len(shares) == 0 {
		shares = []float64{0}
	}
	var panels []panel
	for _, m := range t.shownMetrics() {
		metric := t.Metrics[m]
		for i, row := range t.Rows {
			p := panel{title: t.rowTitle(row), x: "labelled documents"}
			if row.Average {
				p.title = "average over " + t.Run.Experiment.Param + " = " + t.Run.Rows[0].Key + " to " + t.Run.Rows[len(t.Run.Rows)-1].Key
			}
			if len(t.shownMetrics()) > 1 {
				p.title = metric.Name + ", " + p.title
			}
			for _, share := range shares {
				p.ticks = append(p.ticks, plot.Tick{Value: share, Label: shareText(share)})
			}
			for _, method := range t.methods() {
				if s := t.methodSeries(m, i, method, shares); len(s.at) > 0 {
					p.series = append(p.series, s)
				}
			}
			panels = append(panels, p)
		}
	}
	var grid [][]panel
	for len(panels) > 0 {
		n := min(2, len(panels))
		grid = append(grid, panels[:n])
		panels = panels[n:]
	}
	return grid
}

// curvePanels has one panel per corpus and metric, four in a line.
func (t *Table) curvePanels() [][]panel {
	var grid [][]panel
	for _, m := range t.shownMetrics() {
		metric := t.Metrics[m]
		for n, part := range t.byCorpus() {
			p := panel{title: metric.Name, x: t.Run.Experiment.Param}
			if part.corpus != "" {
				p.title = part.corpus
			}
			if part.corpus != "" && len(t.shownMetrics()) > 1 {
				p.title += ", " + metric.Name
			}
			rows := t.Rows[part.from:part.to]
			for _, r := range rows {
				p.ticks = append(p.ticks, plot.Tick{Value: r.Value, Label: r.label()})
			}
			for j, c := range t.Run.Columns {
				if !metric.of(c.Key()) {
					continue
				}
				s := series{method: t.methodNumber(j)}
				for i, r := range rows {
					s.add(r.Value, t.Figures[m][part.from+i][j])
				}
				p.series = append(p.series, s)
			}
			if n%4 == 0 {
				grid = append(grid, nil)
			}
			grid[len(grid)-1] = append(grid[len(grid)-1], p)
		}
	}
	return grid
}

// plotted reports whether a row has a place on the axis: rows apart have one only if there are no
// others.
func (t *Table) plotted(r TableRow) bool {
	return !r.Average && (!r.Apart || !slices.ContainsFunc(t.Rows, func(r TableRow) bool { return !r.Average && !r.Apart }))
}

func (s *series) add(at float64, f Figure) {
	s.at = append(s.at, at)
	s.ours = append(s.ours, f.Ours)
	paper := math.NaN()
	if f.Printed {
		paper = f.Paper
	}
	s.paper = append(s.paper, paper)
}

// methods are the methods of the run, in the order of its columns.
func (t *Table) methods() []string { return (&Experiment{Columns: t.Run.Columns}).Methods() }

// methodSeries has the figures of a method for metric m in row i of the table, by shares of labels.
func (t *Table) methodSeries(m, i int, method string, shares []float64) (s series) {
	for _, share := range shares {
		for _, j := range t.columns(share) {
			if t.Run.Columns[j].Method == method && t.Metrics[m].of(t.Run.Columns[j].Key()) {
				s.method = t.methodNumber(j)
				s.add(share, t.Figures[m][i][j])
			}
		}
	}
	return s
}

// methodNumber is the number of a column's method in the experiment, so that a method keeps its
// colour in every picture.
func (t *Table) methodNumber(column int) int {
	for i, name := range t.Run.Experiment.Methods() {
		if name == t.Run.Columns[column].Method {
			return i
		}
	}
	return 0
}

func textStyle(size vg.Length) draw.TextStyle {
	return draw.TextStyle{Color: ink, Font: report.Sans(size), Handler: plot.DefaultTextHandler}
}
