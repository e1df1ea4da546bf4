package scaling

import (
	"fmt"
	"image/color"
	"io"
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/internal/report"
	"github.com/eigenmap/eigenmap/internal/words"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Sizes in points, and the resolution of a PNG: sharp on screens of double density.
const (
	panelWidth  = 330 * vg.Length(1)
	panelHeight = 270 * vg.Length(1)
	gap         = 14 * vg.Length(1)
	margin      = 14 * vg.Length(1)
	headHeight  = 34 * vg.Length(1)
	dpi         = 144
)

var (
	ink   = color.NRGBA{29, 39, 51, 255}
	dim   = color.NRGBA{96, 106, 117, 255}
	faint = color.NRGBA{226, 230, 235, 255}
	frame = color.NRGBA{150, 158, 167, 255}
)

// look is a curve's colour (Okabe and Ito 2008, which colour-blind readers can tell apart), mark
// and dashes.
type look struct {
	color  color.NRGBA
	shape  draw.GlyphDrawer
	dashes []vg.Length
}

func lookOf(l line) look {
	switch {
	case l.stage == stageApprox:
		return look{color.NRGBA{0, 158, 115, 255}, draw.PyramidGlyph{}, nil}
	case l.stage == stageComplete:
		return look{color.NRGBA{204, 121, 167, 255}, draw.BoxGlyph{}, nil}
	case l.by == byGo:
		return look{color.NRGBA{230, 159, 0, 255}, draw.RingGlyph{}, []vg.Length{5, 3}}
	case l.by == byPeer:
		return look{color.NRGBA{110, 110, 110, 255}, draw.TriangleGlyph{}, []vg.Length{1.5, 2.5}}
	}
	return look{color.NRGBA{0, 114, 178, 255}, draw.CircleGlyph{}, nil}
}

// panels are the plots of the picture with their stages.
var panels = []struct {
	title  string
	stages []string
}{
	{"read and weigh", []string{stageRead}},
	{"15 nearest neighbours", []string{stageExact, stageApprox}},
	{"30 eigenpairs", []string{stageEigen, stageComplete}},
	{"k-means, 40 clusters, 10 starts", []string{stageKMeans}},
}

// WritePlot draws processor time against documents in log-log, a panel per stage, as "png" or
// "svg". The same report gives the same bytes.
func (r *Report) WritePlot(w io.Writer, format string) error {
	width, height := 2*margin+2*panelWidth+gap, 2*margin+headHeight+2*panelHeight+gap
	title := "Processor time by number of documents (exponents: from 10,000 on)"
	page := func(c draw.Canvas) {
		top := c.Max.Y - margin - 13
		c.FillText(style(13, ink), vg.Point{X: c.Min.X + margin, Y: top}, title)
		note := style(9.5, dim)
		note.XAlign = draw.XRight
		c.FillText(note, vg.Point{X: c.Max.X - margin, Y: top}, fmt.Sprintf("%s, %s, %s", r.Machine.CPU, words.Counted(r.Threads, "thread"), r.Machine.Date.Format("2 January 2006")))
		for i, p := range panels {
			left := c.Min.X + margin + vg.Length(i%2)*(panelWidth+gap)
			top := c.Max.Y - margin - headHeight - vg.Length(i/2)*(panelHeight+gap)
			r.panel(p.title, p.stages, draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
				Min: vg.Point{X: left, Y: top - panelHeight}, Max: vg.Point{X: left + panelWidth, Y: top}}})
		}
	}
	return report.Render(w, format, width, height, dpi, page)
}

func style(size vg.Length, c color.Color) draw.TextStyle {
	return draw.TextStyle{Color: c, Font: font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}, Handler: plot.DefaultTextHandler}
}

// curves is the content of a panel.
type curves []line

// panel draws the stages with axes that all panels share.
func (r *Report) panel(title string, stages []string, c draw.Canvas) {
	var shown curves
	for _, l := range r.lines() {
		if slices.Contains(stages, l.stage) && l.measured() > 1 {
			shown = append(shown, l)
		}
	}
	sizes := r.sizes()
	if len(sizes) == 0 {
		return
	}
	pl := plot.New()
	pl.Title.Text, pl.Title.TextStyle, pl.Title.Padding = title, style(11.5, ink), 5
	pl.Title.TextStyle.XAlign, pl.Title.TextStyle.YAlign = draw.XCenter, draw.YTop
	pl.BackgroundColor = color.White
	for _, axis := range []*plot.Axis{&pl.X, &pl.Y} {
		stroke := draw.LineStyle{Color: frame, Width: 0.7}
		axis.LineStyle, axis.Tick.LineStyle = stroke, stroke
		axis.Tick.Label.Font, axis.Tick.Label.Color = style(9.5, ink).Font, ink
		axis.Label.TextStyle.Font, axis.Label.TextStyle.Color = style(10, ink).Font, ink
		axis.Padding = 0
		axis.Scale = plot.LogScale{}
	}
	pl.X.Label.Text, pl.X.Label.Padding = "documents", 3
	pl.Y.Label.Text, pl.Y.Label.Padding = "CPU seconds", 3
	pl.X.Min, pl.X.Max = float64(sizes[0])/1.3, float64(sizes[len(sizes)-1])*1.3
	low, high := r.span()
	pl.Y.Min, pl.Y.Max = low, high
	var across, up []plot.Tick
	for _, n := range sizes {
		across = append(across, plot.Tick{Value: float64(n), Label: thousands(n)})
	}
	for v := low; v <= high*1.01; v *= 10 {
		label := fmt.Sprintf("%g", math.Round(v*1e6)/1e6)
		if v > 999 {
			label = thousands(int(math.Round(v)))
		}
		up = append(up, plot.Tick{Value: v, Label: label})
	}
	pl.X.Tick.Marker, pl.Y.Tick.Marker = plot.ConstantTicks(across), plot.ConstantTicks(up)
	pl.Add(shown)
	pl.Draw(c)
}

// span is the range of all processor times, rounded outwards to powers of ten.
func (r *Report) span() (low, high float64) {
	low, high = 0.1, 1
	for _, p := range r.Points {
		if p.CPU > 0 {
			low, high = min(low, p.CPU), max(high, p.CPU)
		}
	}
	return math.Pow(10, math.Floor(math.Log10(low))), math.Pow(10, math.Ceil(math.Log10(high)))
}

// Plot implements plot.Plotter: light lines at the ticks, the curves, and the key with exponents.
func (cs curves) Plot(c draw.Canvas, pl *plot.Plot) {
	x, y := pl.Transforms(&c)
	light := draw.LineStyle{Color: faint, Width: 0.6}
	for _, tick := range pl.Y.Tick.Marker.Ticks(pl.Y.Min, pl.Y.Max) {
		c.StrokeLine2(light, c.Min.X, y(tick.Value), c.Max.X, y(tick.Value))
	}
	for _, tick := range pl.X.Tick.Marker.Ticks(pl.X.Min, pl.X.Max) {
		c.StrokeLine2(light, x(tick.Value), c.Min.Y, x(tick.Value), c.Max.Y)
	}
	const row, sample = 13 * vg.Length(1), 24 * vg.Length(1)
	text := style(9.5, ink)
	for i, l := range cs {
		k := lookOf(l)
		stroke := draw.LineStyle{Color: k.color, Width: 1.6, Dashes: k.dashes}
		mark := draw.GlyphStyle{Color: k.color, Radius: 2.8, Shape: k.shape}
		var points []vg.Point
		for _, p := range l.points {
			if p.LeftOut == "" && p.CPU > 0 {
				points = append(points, vg.Point{X: x(float64(p.Docs)), Y: y(p.CPU)})
			}
		}
		if len(points) > 1 {
			c.StrokeLines(stroke, points)
		}
		for _, at := range points {
			c.DrawGlyph(mark, at)
		}
		left, at := c.Min.X+8, c.Max.Y-14-vg.Length(i)*row
		c.StrokeLine2(stroke, left, at+3, left+sample, at+3)
		c.DrawGlyph(mark, vg.Point{X: left + sample/2, Y: at + 3})
		c.FillText(text, vg.Point{X: left + sample + 6, Y: at}, l.name())
	}
}

// name is the curve's line in the key.
func (l line) name() string {
	name := l.by
	switch l.stage {
	case stageExact:
		name += ", exact"
	case stageApprox:
		name += ", approximate"
	case stageComplete:
		name += ", complete graph"
	}
	if !math.IsNaN(l.late) {
		name += fmt.Sprintf(": n^%.2f", l.late)
	}
	return name
}
