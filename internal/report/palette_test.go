package report

import (
	"image"
	"image/color"
	"math/rand/v2"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"gonum.org/v1/gonum/mat"
)

// A picture of few colours, each in a bin of its own, keeps them.
func TestPaletteKeepsFewColors(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	few := []color.RGBA{{255, 255, 255, 255}, {0, 0, 0, 255}}
	for range maxColors - 2 {
		few = append(few, color.RGBA{uint8(rnd.IntN(32) << 3), uint8(rnd.IntN(32) << 3), uint8(rnd.IntN(32) << 3), 255})
	}
	img := image.NewRGBA(image.Rect(0, 0, 40, 30))
	for i := range 40 * 30 {
		img.SetRGBA(i%40, i/40, few[i%len(few)])
	}
	p := paletteOf(img)
	if len(p.colors) > maxColors {
		t.Fatalf("%d colours", len(p.colors))
	}
	got := p.paint(img)
	for i := range 40 * 30 {
		if c := got.At(i%40, i/40); c != color.Color(few[i%len(few)]) {
			t.Fatalf("dot %d is %v, want %v", i, c, few[i%len(few)])
		}
	}
}

// The picture of many groups differs little from the one of all colours, and white stays white.
func TestPaletteOfManyGroups(t *testing.T) {
	x, labels := blobs(3000, 2, 40, 4)
	p := Panel{Title: "by cluster", X: mat.Col(nil, 0, x), Y: mat.Col(nil, 1, x), Group: labels, Names: make([]string, 40)}
	img := must.Get(drawPanels(p))(t)
	got := paletteOf(img).paint(img)
	total, colored := 0.0, 0
	for i := range got.Pix {
		want := img.Pix[4*i : 4*i+4]
		c := got.Palette[got.Pix[i]].(color.RGBA)
		if isWhite(want) {
			if c != (color.RGBA{255, 255, 255, 255}) {
				t.Fatalf("a white dot becomes %v", c)
			}
			continue
		}
		colored++
		for k, v := range []uint8{c.R, c.G, c.B} {
			d := float64(v) - float64(want[k])
			total += d * d
		}
	}
	if mean := total / float64(3*colored); mean > 40 {
		t.Errorf("the mean square error is %.1f of 255²", mean)
	}
}
