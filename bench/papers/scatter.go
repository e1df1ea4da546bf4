package papers

import (
	"context"
	"fmt"
	"image/color"
	"io"
	"math"

	"github.com/eigenmap/eigenmap/internal/report"
	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// clustering is one panel of a scatter picture.
type clustering struct {
	title  string
	labels []int
}

// writeScatter draws points in the plane, one panel per clustering, with one scale on both axes.
func (t *Table) writeScatter(w io.Writer, format string) error {
	x, all, err := t.View.scatter(context.Background(), t.Run.Seed)
	if err != nil {
		return err
	}
	n, _ := x.Dims()
	low, high := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
	for i := range n {
		for j := range 2 {
			low[j], high[j] = min(low[j], x.At(i, j)), max(high[j], x.At(i, j))
		}
	}
	const titleHeight, edge = 20 * vg.Length(1), 8 * vg.Length(1)
	scale := (panelWidth - 2*edge) / vg.Length(max(high[0]-low[0], 1e-9))
	tall := scale*vg.Length(high[1]-low[1]) + 2*edge
	width := 2*pageMargin + vg.Length(len(all))*panelWidth + vg.Length(len(all)-1)*panelGap
	height := 2*pageMargin + headHeight + titleHeight + tall
	return report.Render(w, format, width, height, plotDPI, func(c draw.Canvas) {
		top := c.Max.Y - pageMargin - 12
		c.FillText(textStyle(13), vg.Point{X: c.Min.X + pageMargin, Y: top}, t.View.Title)
		note := textStyle(9.5)
		note.Color = color.NRGBA{96, 106, 117, 255}
		note.XAlign = draw.XRight
		c.FillText(note, vg.Point{X: c.Max.X - pageMargin, Y: top}, fmt.Sprintf("%d points, seed %d", n, t.Run.Seed))
		for j, panel := range all {
			left, bottom := c.Min.X+pageMargin+vg.Length(j)*(panelWidth+panelGap), c.Min.Y+pageMargin
			title := textStyle(11.5)
			title.XAlign = draw.XCenter
			c.FillText(title, vg.Point{X: left + panelWidth/2, Y: bottom + tall + 6}, panel.title)
			c.StrokeLines(draw.LineStyle{Color: frame, Width: 0.7}, []vg.Point{{X: left, Y: bottom}, {X: left + panelWidth, Y: bottom},
				{X: left + panelWidth, Y: bottom + tall}, {X: left, Y: bottom + tall}, {X: left, Y: bottom}})
			scatterPoints(c, x, panel.labels, vg.Point{X: left + edge, Y: bottom + edge}, low, scale)
		}
	})
}

// scatterPoints draws the rows of x in the colours and shapes of their labels; origin is the place
// of low.
func scatterPoints(c draw.Canvas, x *mat.Dense, labels []int, origin vg.Point, low [2]float64, scale vg.Length) {
	looks := []draw.GlyphStyle{
		{Color: palette[5], Radius: 1.9, Shape: draw.CircleGlyph{}},
		{Color: palette[7], Radius: 2.2, Shape: draw.CrossGlyph{}},
	}
	for i, label := range labels {
		at := vg.Point{X: origin.X + scale*vg.Length(x.At(i, 0)-low[0]), Y: origin.Y + scale*vg.Length(x.At(i, 1)-low[1])}
		c.DrawGlyph(looks[label%len(looks)], at)
	}
}
