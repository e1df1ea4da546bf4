package main

import (
	"context"
	"fmt"
	"image"
	"image/color"
	imagedraw "image/draw"
	"image/png"
	"math"
	"math/rand/v2"
	"os"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"

	"github.com/eigenmap/eigenmap"
)

// shape is a set of points in the plane that has k parts.
type shape struct {
	name string
	k    int
	at   func(rng *rand.Rand, part int) (x, y float64)
}

var shapes = []shape{
	{"rings", 2, func(rng *rand.Rand, part int) (float64, float64) {
		a, r := 2*math.Pi*rng.Float64(), 1-.55*float64(part)+.05*rng.NormFloat64()
		return r * math.Cos(a), r * math.Sin(a)
	}},
	{"moons", 2, func(rng *rand.Rand, part int) (float64, float64) {
		a, s := math.Pi*rng.Float64(), float64(1-2*part)
		return s*math.Cos(a) + float64(part) + .07*rng.NormFloat64(), s*math.Sin(a) + .4*float64(part) + .07*rng.NormFloat64()
	}},
	{"spirals", 3, func(rng *rand.Rand, part int) (float64, float64) {
		t := .25 + .75*math.Sqrt(rng.Float64())
		a := 2*math.Pi*float64(part)/3 + 4*t
		return t*math.Cos(a) + .02*rng.NormFloat64(), t*math.Sin(a) + .02*rng.NormFloat64()
	}},
	{"strips", 3, func(rng *rand.Rand, part int) (float64, float64) {
		x, y := rng.NormFloat64(), .12*rng.NormFloat64()+float64(part)
		return x + .5*y, y - .5*x
	}},
}

var shapeMethods = []string{"kmeans", "gmm", "le", "spectral", "diffusion"}

const pointsOfShape = 900

// colours are Okabe's and Ito's, which all eyes tell apart.
var colours = []color.Color{color.RGBA{0, 114, 178, 255}, color.RGBA{213, 94, 0, 255}, color.RGBA{0, 158, 115, 255}, color.RGBA{204, 121, 167, 255}, color.RGBA{230, 159, 0, 255}, color.RGBA{86, 180, 233, 255}}

// drawShapes clusters each shape by each method, and draws them in a table: shapes are rows.
func drawShapes(ctx context.Context, file string) error {
	var plots [][]*plot.Plot
	for row, s := range shapes {
		x, truth := s.draw()
		var line []*plot.Plot
		for _, name := range shapeMethods {
			run, err := eigenmap.ClusterMatrix(ctx, x, eigenmap.Options{Method: name, Clusters: s.k})
			if err != nil {
				return fmt.Errorf("%s by %s: %w", s.name, name, err)
			}
			title := fmt.Sprintf("%.2f", agreement(run.Labels, truth, s.k))
			if row == 0 {
				title = name + "\n" + title
			}
			line = append(line, scatter(x, run.Labels, title))
		}
		plots = append(plots, line)
	}
	return save(plots, file, 130, 130)
}

// draw draws the points of a shape, always the same ones, and the part of each.
func (s shape) draw() (*mat.Dense, []int) {
	rng := rand.New(rand.NewPCG(0, uint64(len(s.name))))
	x, truth := mat.NewDense(pointsOfShape, 2, nil), make([]int, pointsOfShape)
	for i := range pointsOfShape {
		truth[i] = i % s.k
		a, b := s.at(rng, truth[i])
		x.Set(i, 0, a)
		x.Set(i, 1, b)
	}
	return x, truth
}

// agreement returns the accuracy of at most three clusters: the share of the points that are in the
// cluster of their part, by the best assignment.
func agreement(labels, truth []int, k int) float64 {
	best := 0
	for _, order := range [][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		right := 0
		for i, label := range labels {
			if label < k && order[label] == truth[i] {
				right++
			}
		}
		best = max(best, right)
	}
	return float64(best) / float64(len(labels))
}

// save writes a table of plots, each with a width and a height in points.
func save(plots [][]*plot.Plot, file string, width, height float64) (err error) {
	canvas := vgimg.New(vg.Points(width*float64(len(plots[0]))), vg.Points(height*float64(len(plots))))
	tiles := draw.Tiles{Rows: len(plots), Cols: len(plots[0]), PadX: vg.Points(6), PadY: vg.Points(6), PadTop: vg.Points(4), PadBottom: vg.Points(4)}
	for i, line := range plot.Align(plots, tiles, draw.New(canvas)) {
		for j, c := range line {
			plots[i][j].Draw(c)
		}
	}
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	defer func() {
		if e := out.Close(); err == nil {
			err = e
		}
	}()
	return png.Encode(out, few(canvas.Image()))
}

// few returns a picture with black, the colours of the parts, and their mixtures with white alone,
// which takes a third of the bytes.
func few(full image.Image) image.Image {
	const steps = 16
	var palette color.Palette
	for _, c := range append([]color.Color{color.Black, color.Gray{130}}, colours...) {
		r, g, b, _ := c.RGBA()
		mix := func(v uint32, i int) uint8 { return uint8((v>>8*uint32(i) + 255*uint32(steps-i)) / steps) }
		for i := range steps + 1 {
			palette = append(palette, color.RGBA{mix(r, i), mix(g, i), mix(b, i), 255})
		}
	}
	small := image.NewPaletted(full.Bounds(), palette)
	imagedraw.Draw(small, small.Bounds(), full, full.Bounds().Min, imagedraw.Src)
	return small
}
