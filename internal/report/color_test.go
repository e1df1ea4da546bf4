package report

import (
	"image/color"
	"math"
	"strings"
	"testing"
)

// sights are how people see colours: the matrices of Machado, Oliveira and Fernandes, "A
// physiologically-based model for simulation of color vision deficiency" (2009), at full severity,
// on linear red, green and blue.
var sights = map[string][9]float64{
	"normal":       {1, 0, 0, 0, 1, 0, 0, 0, 1},
	"protanopia":   {0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998},
	"deuteranopia": {0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.011820, 0.042940, 0.968881},
	"tritanopia":   {1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.303900},
}

// oklab is a colour as someone sees it, in Ottosson's OKLab, in which distances are perceived ones.
func oklab(c color.NRGBA, sight [9]float64) [3]float64 {
	var rgb [3]float64
	for i, v := range []uint8{c.R, c.G, c.B} {
		if f := float64(v) / 255; f <= 0.04045 {
			rgb[i] = f / 12.92
		} else {
			rgb[i] = math.Pow((f+0.055)/1.055, 2.4)
		}
	}
	seen := func(i int) float64 {
		return min(1, max(0, sight[i]*rgb[0]+sight[i+1]*rgb[1]+sight[i+2]*rgb[2]))
	}
	r, g, b := seen(0), seen(3), seen(6)
	l := math.Cbrt(0.4122214708*r + 0.5363325363*g + 0.0514459929*b)
	m := math.Cbrt(0.2119034982*r + 0.6806995451*g + 0.1073969566*b)
	s := math.Cbrt(0.0883024619*r + 0.2817188376*g + 0.6299787005*b)
	return [3]float64{0.2104542553*l + 0.7936177850*m - 0.0040720468*s, 1.9779984951*l - 2.4285922050*m + 0.4505937099*s, 0.0259040371*l + 0.7827717662*m - 0.8086757660*s}
}

// TestPaletteForAllEyes: any two of the first twelve colours are far apart for everyone: a just
// noticeable difference is about 0.02.
func TestPaletteForAllEyes(t *testing.T) {
	for name, sight := range sights {
		least := math.Inf(1)
		for i, a := range base {
			for _, b := range base[:i] {
				p, q := oklab(a, sight), oklab(b, sight)
				least = min(least, math.Sqrt((p[0]-q[0])*(p[0]-q[0])+(p[1]-q[1])*(p[1]-q[1])+(p[2]-q[2])*(p[2]-q[2])))
			}
		}
		t.Logf("%s: the nearest two are %.3f apart", name, least)
		if least < 0.08 {
			t.Errorf("%s: two colours are only %.3f apart", name, least)
		}
	}
}

// TestShapes: groups that share a colour but for its lightness have different shapes, and the
// script draws the same shapes.
func TestShapes(t *testing.T) {
	for n := range 12 {
		for round := 1; round < len(shapes); round++ {
			if Shape(n) == Shape(n+round*len(base)) {
				t.Errorf("groups %d and %d have one shape", n, n+round*len(base))
			}
		}
	}
	for _, path := range shapes {
		if !strings.Contains(scriptText(), `"`+path+`"`) {
			t.Errorf("the script lacks the shape %s", path)
		}
	}
	if !strings.Contains(scriptText(), "const PALETTE = 12;") || len(base) != 12 || !strings.Contains(scriptText(), `"`+hex(Color(-1))+`"`) {
		t.Error("the script has another palette")
	}
}
