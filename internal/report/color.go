package report

import (
	"fmt"
	"image/color"
	"math"
)

// base are colours that are easy to distinguish on white, in print and for most colour-blind
// readers.
var base = []color.NRGBA{
	{31, 95, 153, 255}, {214, 96, 16, 255}, {40, 130, 60, 255}, {190, 40, 60, 255},
	{120, 80, 170, 255}, {140, 86, 60, 255}, {220, 110, 180, 255}, {110, 110, 110, 255},
	{160, 150, 20, 255}, {20, 160, 180, 255}, {90, 60, 20, 255}, {245, 170, 60, 255},
	{110, 170, 230, 255}, {130, 200, 120, 255}, {240, 140, 130, 255}, {180, 160, 220, 255},
}

// Color is the colour of group n everywhere in the report. A negative n means no group and is grey.
// Groups beyond the palette get hues at steps of the golden angle.
func Color(n int) color.NRGBA {
	if n < 0 {
		return color.NRGBA{200, 200, 200, 255}
	}
	if n < len(base) {
		return base[n]
	}
	hue := math.Mod(float64(n)*137.50776, 360)
	light := 0.38 + 0.12*float64(n%3)
	return fromHSL(hue, 0.6, light)
}

func fromHSL(h, s, l float64) color.NRGBA {
	c := (1 - math.Abs(2*l-1)) * s
	x := c * (1 - math.Abs(math.Mod(h/60, 2)-1))
	m := l - c/2
	var r, g, b float64
	switch int(h / 60) {
	case 0:
		r, g = c, x
	case 1:
		r, g = x, c
	case 2:
		g, b = c, x
	case 3:
		g, b = x, c
	case 4:
		r, b = x, c
	default:
		r, b = c, x
	}
	to := func(v float64) uint8 { return uint8(math.Round(255 * (v + m))) }
	return color.NRGBA{to(r), to(g), to(b), 255}
}

func hex(c color.NRGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }
