package report

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	imagedraw "image/draw"
	"image/png"
	"math"
	"math/rand/v2"

	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/words"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
)

// MaxPoints is the largest number of dots in a picture; more dots only cover each other.
const MaxPoints = 30000

// Panel is one picture of the documents, each a dot coloured by its group.
type Panel struct {
	Title string
	X, Y  []float64
	Group []int    // group of each dot; negative: none
	Names []string // names of the groups, for the legend
	Color []int    // colour number of each group; nil: the group's own number
}

// Size of a panel with and without its legend, and the resolution, high enough for screens of
// double density.
const (
	panelSide   = 380 * vg.Length(1)
	legendWidth = 160 * vg.Length(1)
	margin      = 12 * vg.Length(1)
	panelStep   = panelSide + legendWidth + margin // from a panel to the next
	dpi         = 144
)

// Scatter draws each panel as a PNG of its own, and all side by side; for one panel both are the
// same bytes, in 256 colours. The same input gives the same bytes. Panels are drawn and packed in
// parallel, each drawn once: about 30 ms of CPU for 10,000 dots, and 10 ms for packing a panel.
func Scatter(ctx context.Context, panels ...Panel) (each [][]byte, all []byte, err error) {
	drawn := make([]*image.RGBA, len(panels))
	err = parallel.For(ctx, len(panels), 1, func(_, i, _ int) error {
		var err error
		drawn[i], err = drawPanels(panels[i])
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	pictures := append([]*image.RGBA{beside(drawn)}, drawn...) // the largest first
	if len(panels) == 1 {
		pictures = drawn
	}
	colors := paletteOf(pictures[0])
	packed := make([][]byte, len(pictures))
	err = parallel.For(ctx, len(pictures), 1, func(_, i, _ int) error {
		var b bytes.Buffer
		// The default level takes three times as long, for a file that is about a fifth smaller.
		err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, colors.paint(pictures[i]))
		packed[i] = b.Bytes()
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	return packed[len(packed)-len(panels):], packed[0], nil
}

// drawPanels draws panels side by side on one canvas.
func drawPanels(panels ...Panel) (*image.RGBA, error) {
	width := margin + vg.Length(len(panels))*panelStep
	height := panelSide + 2*margin
	canvas := vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(dpi), vgimg.UseBackgroundColor(color.White))
	all := draw.New(canvas)
	left := margin
	for _, p := range panels {
		pl, err := p.plot()
		if err != nil {
			return nil, err
		}
		box := draw.Canvas{Canvas: all.Canvas, Rectangle: vg.Rectangle{
			Min: vg.Point{X: left, Y: margin}, Max: vg.Point{X: left + panelSide, Y: height - margin}}}
		pl.Draw(box)
		p.legend(draw.Canvas{Canvas: all.Canvas, Rectangle: vg.Rectangle{
			Min: vg.Point{X: left + panelSide + 8, Y: margin}, Max: vg.Point{X: left + panelSide + legendWidth, Y: height - margin - 22}}})
		left += panelStep
	}
	return canvas.Image().(*image.RGBA), nil
}

// beside puts panels drawn one by one side by side, as [drawPanels] draws them: neighbours share a
// margin, and the distance of two panels is a whole number of pixels.
func beside(drawn []*image.RGBA) *image.RGBA {
	step := int(panelStep.Dots(dpi))
	one := drawn[0].Bounds()
	out := image.NewRGBA(image.Rect(0, 0, one.Dx()+(len(drawn)-1)*step, one.Dy()))
	for i, d := range drawn {
		place := one.Add(image.Pt(i*step, 0))
		if i > 0 {
			// The margin on the left belongs to the panel before, whose legend may reach into it.
			place.Min.X += one.Dx() - step
		}
		imagedraw.Draw(out, place, d, image.Pt(place.Min.X-i*step, 0), imagedraw.Src)
	}
	return out
}

func (p Panel) plot() (*plot.Plot, error) {
	pl := plot.New()
	pl.Title.Text = p.Title
	if n := len(p.X); n > MaxPoints {
		pl.Title.Text += fmt.Sprintf(": a sample of %s of %s documents", words.Thousands(MaxPoints), words.Thousands(n))
	}
	pl.Title.TextStyle.Font = Sans(14)
	pl.Title.TextStyle.Color = color.NRGBA{29, 39, 51, 255}
	pl.Title.Padding = 6
	pl.BackgroundColor = color.White
	frame := draw.LineStyle{Color: color.NRGBA{205, 212, 220, 255}, Width: 0.7}
	for _, axis := range []*plot.Axis{&pl.X, &pl.Y} {
		axis.LineStyle = frame
		axis.Tick.LineStyle = frame
		axis.Tick.Label.Font = Sans(9)
		axis.Tick.Label.Color = color.NRGBA{120, 130, 140, 255}
		axis.Padding = 4
	}
	// Dots are drawn in a fixed random order. Group by group, the last group would hide the others. Of
	// more documents than dots, the first in this order are drawn: a sample that depends on their
	// number alone.
	order := rand.New(rand.NewPCG(1, 1)).Perm(len(p.X))
	order = order[:min(len(order), MaxPoints)]
	dots := make(plotter.XYs, len(order))
	for i, o := range order {
		dots[i] = plotter.XY{X: p.X[o], Y: p.Y[o]}
	}
	s, err := plotter.NewScatter(dots)
	if err != nil {
		return nil, err
	}
	radius := vg.Length(1.7)
	if len(order) > 8000 {
		radius = 1.2
	}
	s.GlyphStyleFunc = func(i int) draw.GlyphStyle {
		c := p.color(p.Group[order[i]])
		c.A = 150
		return draw.GlyphStyle{Color: c, Radius: radius, Shape: draw.CircleGlyph{}}
	}
	pl.Add(s)
	widen(&pl.X)
	widen(&pl.Y)
	return pl, nil
}

// widen makes room around values of an axis that are equal but for rounding: its marks need some.
func widen(a *plot.Axis) {
	if size := max(math.Abs(a.Min), math.Abs(a.Max)); a.Max-a.Min < 1e-9*size {
		a.Min, a.Max = a.Min-size, a.Max+size
	}
}

func (p Panel) color(group int) color.NRGBA {
	if group >= 0 && p.Color != nil {
		return Color(p.Color[group])
	}
	return Color(group)
}

// legend lists the groups from the top, as many as fit.
func (p Panel) legend(c draw.Canvas) {
	const line = 17 * vg.Length(1)
	style := draw.TextStyle{Color: color.NRGBA{29, 39, 51, 255}, Font: Sans(11), Handler: plot.DefaultTextHandler}
	room := int((c.Max.Y - c.Min.Y) / line)
	y := c.Max.Y - line
	for i, name := range p.Names {
		if i == room-1 && len(p.Names) > room {
			c.FillText(style, vg.Point{X: c.Min.X, Y: y}, fmt.Sprintf("and %d more", len(p.Names)-i))
			return
		}
		c.DrawGlyph(draw.GlyphStyle{Color: p.color(i), Radius: 3.6, Shape: draw.CircleGlyph{}}, vg.Point{X: c.Min.X + 4, Y: y + 3.6})
		c.FillText(style, vg.Point{X: c.Min.X + 12, Y: y}, words.Clip(name, 26))
		y -= line
	}
}

// Sans is the font of pictures.
func Sans(size vg.Length) font.Font {
	return font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
}
