package report

import (
	"image/color"
	"io"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Diagonal draws points with coordinates between 0 and 1, joined by lines, over the diagonal, as a
// square PNG. The axes have the names given.
func Diagonal(w io.Writer, horizontal, vertical string, x, y []float64) error {
	pl := plot.New()
	pl.BackgroundColor = color.White
	points := make(plotter.XYs, len(x))
	for i := range points {
		points[i] = plotter.XY{X: x[i], Y: y[i]}
	}
	for _, a := range []struct {
		axis *plot.Axis
		name string
	}{{&pl.X, horizontal}, {&pl.Y, vertical}} {
		a.axis.Label.Text, a.axis.Min, a.axis.Max = a.name, 0, 1
		a.axis.Label.TextStyle.Font, a.axis.Tick.Label.Font = Sans(12), Sans(10)
	}
	level, err := plotter.NewLine(plotter.XYs{{X: 0, Y: 0}, {X: 1, Y: 1}})
	if err != nil {
		return err
	}
	level.Color, level.Dashes = color.Gray{150}, []vg.Length{4, 3}
	line, dots, err := plotter.NewLinePoints(points)
	if err != nil {
		return err
	}
	line.Color, dots.Color, dots.Shape, dots.Radius = Color(0), Color(0), draw.CircleGlyph{}, 3
	pl.Add(plotter.NewGrid(), level, line, dots)
	const side = 4 * vg.Inch
	return Render(w, "png", side, side, 150, func(c draw.Canvas) { pl.Draw(draw.Crop(c, 8, -12, 8, -12)) })
}
