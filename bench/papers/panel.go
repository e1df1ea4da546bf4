package papers

import (
	"fmt"
	"image/color"
	"math"
	"strconv"

	"github.com/eigenmap/eigenmap/internal/report"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Sizes of a series: our line, the paper's, and the caps of the error bars.
const (
	oursWidth  = 1.6 * vg.Length(1)
	paperWidth = 1 * vg.Length(1)
	capWidth   = 2.5 * vg.Length(1)
	glyphSize  = 2.8 * vg.Length(1)
	dodge      = 2.6 * vg.Length(1) // between neighbouring methods: error bars stay apart
)

var paperDashes = []vg.Length{4, 3}

// draw draws the panel with its axes.
func (p panel) draw(c draw.Canvas) {
	pl := plot.New()
	pl.Title.Text = p.title
	pl.Title.TextStyle = textStyle(11.5)
	pl.Title.TextStyle.XAlign, pl.Title.TextStyle.YAlign = draw.XCenter, draw.YTop
	pl.Title.Padding = 5
	pl.BackgroundColor = color.White
	for _, axis := range []*plot.Axis{&pl.X, &pl.Y} {
		line := draw.LineStyle{Color: frame, Width: 0.7}
		axis.LineStyle, axis.Tick.LineStyle = line, line
		axis.Tick.Label.Font, axis.Tick.Label.Color = report.Sans(9.5), ink
		axis.Label.TextStyle.Font, axis.Label.TextStyle.Color = report.Sans(10), ink
		axis.Padding = 0
	}
	pl.X.Label.Text, pl.X.Label.Padding = p.x, 3
	pl.X.Tick.Marker = plot.ConstantTicks(p.ticks)
	if p.tasks { // names, longer than numbers
		style := &pl.X.Tick.Label
		style.Rotation, style.XAlign, style.YAlign = math.Pi/6, draw.XRight, draw.YTop
		c = draw.Crop(c, p.beside(*style, c.Max.X-c.Min.X), 0, 0, 0)
	}
	low, high := p.span()
	pl.Y.Min, pl.Y.Max = low, high
	pl.Y.Tick.Marker = plot.ConstantTicks(steps(low, high))
	first, last := p.ticks[0].Value, p.ticks[len(p.ticks)-1].Value
	room := 0.08 * (last - first)
	if room == 0 {
		room = 1
	}
	pl.X.Min, pl.X.Max = first-room, last+room
	pl.Add(p)
	pl.Draw(c)
}

// beside is how far the name of the first task would reach to the left of a panel of this width.
func (p panel) beside(style text.Style, width vg.Length) vg.Length {
	const numbers, aside = 26 * vg.Length(1), 0.07 // of the y axis, and of the first task beside it
	reach := style.Width(p.ticks[0].Label) * vg.Length(math.Cos(style.Rotation))
	return max(0, (reach-numbers-aside*(width-numbers))/(1-aside))
}

// span is the range of all figures and their error bars, rounded outwards to steps.
func (p panel) span() (low, high float64) {
	low, high = math.Inf(1), math.Inf(-1)
	for _, s := range p.series {
		for i, o := range s.ours {
			low, high = min(low, o.Mean-o.Error), max(high, o.Mean+o.Error)
			if !math.IsNaN(s.paper[i]) {
				low, high = min(low, s.paper[i]), max(high, s.paper[i])
			}
		}
	}
	if math.IsInf(low, 1) {
		return 0, 1
	}
	step := stepFor(high - low)
	if low == high {
		low -= step
	}
	return step * math.Floor(low/step+1e-9), step * math.Ceil(high/step-1e-9)
}

// stepFor is a round distance of ticks that gives about five of them.
func stepFor(span float64) float64 {
	if span <= 0 {
		return 0.1
	}
	base := math.Pow(10, math.Floor(math.Log10(span/5)))
	for _, f := range []float64{1, 2, 5} {
		if f*base >= span/5 {
			return f * base
		}
	}
	return 10 * base
}

func steps(low, high float64) []plot.Tick {
	step := stepFor(high - low)
	digits := max(0, int(math.Ceil(-math.Log10(step)-1e-9)))
	var ticks []plot.Tick
	for n := 0; low+float64(n)*step <= high+step/2; n++ {
		v := low + float64(n)*step
		ticks = append(ticks, plot.Tick{Value: v, Label: strconv.FormatFloat(v, 'f', digits, 64)})
	}
	return ticks
}

// Plot implements plot.Plotter: light lines at the ticks, the paper's figures, and ours above them.
func (p panel) Plot(c draw.Canvas, pl *plot.Plot) {
	x, y := pl.Transforms(&c)
	for _, tick := range pl.Y.Tick.Marker.Ticks(pl.Y.Min, pl.Y.Max) {
		c.StrokeLine2(draw.LineStyle{Color: faint, Width: 0.6}, c.Min.X, y(tick.Value), c.Max.X, y(tick.Value))
	}
	for _, s := range p.series {
		if p.tasks {
			break
		}
		style := draw.LineStyle{Color: hue(s.method), Width: paperWidth, Dashes: paperDashes}
		var points []vg.Point
		for i, v := range s.paper {
			if !math.IsNaN(v) {
				points = append(points, vg.Point{X: x(s.at[i]), Y: y(v)})
			}
		}
		strokePath(c, style, points)
	}
	for n, s := range p.series {
		aside := (vg.Length(n) - vg.Length(len(p.series)-1)/2) * dodge
		style := draw.LineStyle{Color: hue(s.method), Width: oursWidth}
		bar := draw.LineStyle{Color: hue(s.method), Width: 0.8}
		var points []vg.Point
		for i, e := range s.ours {
			at := vg.Point{X: x(s.at[i]) + aside, Y: y(e.Mean)}
			points = append(points, at)
			if v := s.paper[i]; p.tasks && !math.IsNaN(v) {
				c.StrokeLine2(bar, at.X-capWidth, y(v), at.X+capWidth, y(v))
			}
			if e.Error > 0 {
				lo, hi := y(e.Mean-e.Error), y(e.Mean+e.Error)
				c.StrokeLine2(bar, at.X, lo, at.X, hi)
				c.StrokeLine2(bar, at.X-capWidth, lo, at.X+capWidth, lo)
				c.StrokeLine2(bar, at.X-capWidth, hi, at.X+capWidth, hi)
			}
		}
		if !p.tasks {
			strokePath(c, style, points)
		}
		for _, at := range points {
			c.DrawGlyph(glyph(s.method), at)
		}
	}
}

// strokePath joins points.
func strokePath(c draw.Canvas, style draw.LineStyle, points []vg.Point) {
	if len(points) > 1 {
		c.StrokeLines(style, points)
	}
}

func hue(method int) color.NRGBA { return palette[method%len(palette)] }

// glyph is the mark of a method. Beyond the palette colours come again with another shape, so that
// no two of the first 64 are alike.
func glyph(method int) draw.GlyphStyle {
	return draw.GlyphStyle{Color: hue(method), Radius: glyphSize, Shape: shapes[(method+method/len(palette))%len(shapes)]}
}

// drawHead writes the picture's title and the draws and seed of its run.
func (t *Table) drawHead(c draw.Canvas) {
	title := textStyle(13)
	top := c.Max.Y - pageMargin - 12
	c.FillText(title, vg.Point{X: c.Min.X + pageMargin, Y: top}, t.View.Title)
	note := textStyle(9.5)
	note.Color = color.NRGBA{96, 106, 117, 255}
	note.XAlign = draw.XRight
	c.FillText(note, vg.Point{X: c.Max.X - pageMargin, Y: top}, fmt.Sprintf("%s, seed %d", t.Run.repeated(), t.Run.Seed))
}

// Sizes of the key: a sample stroke, the gap to its name, the space to the next, and the height of
// a line.
const (
	keySample = 26 * vg.Length(1)
	keyGap    = 6 * vg.Length(1)
	keySpace  = 20 * vg.Length(1)
	keyLine   = 14 * vg.Length(1)
)

// keyEntry is a method's place in the key: its line, from the top, and its x there.
type keyEntry struct {
	title  string
	number int
	x      vg.Length
	line   int
}

// key arranges the methods' names in lines of that width.
func (t *Table) key(width vg.Length) (entries []keyEntry, lines int) {
	style := textStyle(10.5)
	x, lines := vg.Length(0), 1
	for j, name := range t.methods() {
		e := keyEntry{title: name}
		for i, col := range t.Run.Columns {
			if col.Method == name {
				e.number, e.title = t.methodNumber(i), col.Name
			}
		}
		need := keySample + keyGap + style.Width(e.title)
		if j > 0 && x+need > width {
			x, lines = 0, lines+1
		}
		e.x, e.line = x, lines-1
		entries = append(entries, e)
		x += need + keySpace
	}
	return entries, lines
}

// drawKey draws the names of the methods under the panels.
func (t *Table) drawKey(c draw.Canvas, key []keyEntry, lines int) {
	style := textStyle(10.5)
	for _, e := range key {
		x, y := c.Min.X+pageMargin+e.x, c.Min.Y+pageMargin+20+vg.Length(lines-1-e.line)*keyLine
		c.StrokeLine2(draw.LineStyle{Color: hue(e.number), Width: oursWidth}, x, y+3.5, x+keySample, y+3.5)
		c.DrawGlyph(glyph(e.number), vg.Point{X: x + keySample/2, Y: y + 3.5})
		c.FillText(style, vg.Point{X: x + keySample + keyGap, Y: y}, e.title)
	}
	// The last line explains the strokes.
	note := textStyle(9.5)
	note.Color = color.NRGBA{96, 106, 117, 255}
	x, y := c.Min.X+pageMargin, c.Min.Y+pageMargin
	stroke := draw.LineStyle{Color: note.Color, Width: oursWidth}
	c.StrokeLine2(stroke, x, y+3, x+keySample, y+3)
	ours := "ours ± standard error"
	c.FillText(note, vg.Point{X: x + keySample + keyGap, Y: y}, ours)
	if t.View.Printed == nil {
		return
	}
	x += keySample + keyGap + note.Width(ours) + keySpace
	c.StrokeLine2(draw.LineStyle{Color: note.Color, Width: paperWidth, Dashes: paperDashes}, x, y+3, x+keySample, y+3)
	c.FillText(note, vg.Point{X: x + keySample + keyGap, Y: y}, "the paper's figures ("+t.View.Source+")")
}
