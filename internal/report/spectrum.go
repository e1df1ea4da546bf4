package report

import (
	"fmt"
	"math"
)

// spectrum holds the eigenvalues as coordinates of an SVG drawing.
type spectrum struct {
	Width, Height, Left, Base, Right, Top int
	Points                                []specPoint
	Line                                  string // points of the polyline
	Ticks                                 []specTick
	Mark                                  float64 // x of the mark after the last cluster's eigenvalue; 0: none
	After                                 int     // that eigenvalue's number
}

type specPoint struct {
	X, Y  float64
	Index int
	Value string
	Named bool // its number is printed under the axis
}

type specTick struct {
	Y    float64
	Text string
}

func newSpectrum(values []float64, first, mark int) *spectrum {
	if len(values) == 0 {
		return nil
	}
	s := &spectrum{Width: 900, Height: 260, Left: 64, Right: 884, Top: 14, Base: 226}
	top := 0.0
	for _, v := range values {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			top = max(top, v)
		}
	}
	step := niceStep(top / 4)
	ceiling := step * math.Ceil(top/step-1e-9)
	if top == 0 {
		step, ceiling = 1, 1
	}
	y := func(v float64) float64 {
		return float64(s.Base) - math.Max(0, v)/ceiling*float64(s.Base-s.Top)
	}
	for i := 0; float64(i)*step <= ceiling*(1+1e-9); i++ {
		v := float64(i) * step
		s.Ticks = append(s.Ticks, specTick{y(v), fmt.Sprintf("%.4g", v)})
	}
	every := max(1, (len(values)+19)/20)
	gap := float64(s.Right-s.Left) / float64(len(values)+1)
	for i, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			continue
		}
		p := specPoint{X: float64(s.Left) + gap*float64(i+1), Y: y(v), Index: first + i, Value: fmt.Sprintf("%.8f", v), Named: i%every == 0}
		s.Points = append(s.Points, p)
		s.Line += fmt.Sprintf("%.1f,%.1f ", p.X, p.Y)
		if mark > 0 && p.Index == mark {
			s.Mark, s.After = p.X+gap/2, mark
		}
	}
	return s
}

// niceStep rounds up to 1, 2 or 5 times a power of ten.
func niceStep(x float64) float64 {
	if x <= 0 {
		return 1
	}
	p := math.Pow(10, math.Floor(math.Log10(x)))
	for _, m := range []float64{1, 2, 5} {
		if x <= m*p*(1+1e-9) {
			return m * p
		}
	}
	return 10 * p
}
