package report

import (
	"fmt"
	"image/color"
)

// base are colours of which any two stay apart in normal sight and for each kind of colour
// blindness, in front of white and of nearly black. A test measures by how much.
var base = []color.NRGBA{
	{0x00, 0x7a, 0xb4, 255}, {0xf4, 0xa2, 0x00, 255}, {0x7a, 0x1a, 0x6b, 255}, {0x00, 0xab, 0xac, 255},
	{0xd6, 0x77, 0x64, 255}, {0x49, 0x40, 0xab, 255}, {0xa2, 0xc7, 0x96, 255}, {0x93, 0x11, 0x00, 255},
	{0x7d, 0xc0, 0xff, 255}, {0x90, 0x68, 0x04, 255}, {0xb5, 0x42, 0x78, 255}, {0x95, 0x85, 0xf6, 255},
}

// Color is the colour of group n everywhere in the report. A negative n means no group and is grey.
// Groups beyond the palette repeat it darker and lighter, and [Shape] tells them apart as well.
func Color(n int) color.NRGBA {
	if n < 0 {
		return color.NRGBA{170, 176, 184, 255}
	}
	c, round := base[n%len(base)], n/len(base)
	if round == 0 {
		return c
	}
	toward := uint8(0)
	if round%2 == 0 {
		toward = 255
	}
	part := min(0.18+0.07*float64(round/2), 0.6)
	mix := func(v uint8) uint8 { return uint8((1-part)*float64(v) + part*float64(toward) + 0.5) }
	return color.NRGBA{mix(c.R), mix(c.G), mix(c.B), 255}
}

// shapes are the outlines of the marks, as paths around the origin that fit in a circle of radius
// 10: a disc, a square, a diamond, a triangle, a ring and a cross. draw.js draws the same.
var shapes = []string{
	"M-8 0a8 8 0 1 0 16 0a8 8 0 1 0 -16 0z",
	"M-7 -7h14v14h-14z",
	"M0 -10L10 0L0 10L-10 0z",
	"M0 -9L9 8H-9z",
	"M-9 0a9 9 0 1 0 18 0a9 9 0 1 0 -18 0zM-4 0a4 4 0 1 1 8 0a4 4 0 1 1 -8 0z",
	"M-3 -9h6v6h6v6h-6v6h-6v-6h-6v-6h6z",
}

// Shape is the shape of the marks of group n, an index: the groups that share a colour but for its
// lightness have different ones.
func Shape(n int) int {
	if n < 0 {
		return 0
	}
	return n / len(base) % len(shapes)
}

func hex(c color.NRGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }
