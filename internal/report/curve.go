package report

import (
	"fmt"
	"math"
	"strings"
)

// Curve shows the scores of the numbers of clusters that were tried.
type Curve struct {
	Score   string // what the score is: "gap after eigenvalue k"
	Note    string // one or two sentences under the drawing
	Points  []CurvePoint
	Chosen  int
	Smaller bool // smaller scores are better
}

// CurvePoint is the score of one number; one that is not finite is left out.
type CurvePoint struct {
	K            int
	Score, Error float64
}

// curve holds the scores as coordinates of an SVG drawing.
type curve struct {
	*Curve
	Width, Height, Left, Base, Right, Top int
	Dots                                  []curveDot
	Line                                  string
	Ticks                                 []specTick
}

type curveDot struct {
	X, Y, Low, High float64 // Low and High end the bar of the error
	K               int
	Value           string
	Named, Chosen   bool
}

func newCurve(c *Curve) *curve {
	if c == nil {
		return nil
	}
	d := &curve{Curve: c, Width: 900, Height: 260, Left: 84, Right: 884, Top: 14, Base: 226}
	var points []CurvePoint
	low, high := math.Inf(1), math.Inf(-1)
	for _, p := range c.Points {
		if math.IsNaN(p.Score) || math.IsInf(p.Score, 0) {
			continue
		}
		points = append(points, p)
		low, high = min(low, p.Score-p.Error), max(high, p.Score+p.Error)
	}
	if points == nil {
		return nil
	}
	if high == low {
		low, high = low-1, high+1
	}
	step := niceStep((high - low) / 4)
	floor, ceiling := step*math.Floor(low/step+1e-9), step*math.Ceil(high/step-1e-9)
	y := func(v float64) float64 {
		return float64(d.Base) - (v-floor)/(ceiling-floor)*float64(d.Base-d.Top)
	}
	for i := 0; floor+float64(i)*step <= ceiling+step*1e-9; i++ {
		v := floor + float64(i)*step
		if math.Abs(v) < step*1e-9 {
			v = 0
		}
		d.Ticks = append(d.Ticks, specTick{y(v), fmt.Sprintf("%.6g", v)})
	}
	first, last := points[0].K, points[len(points)-1].K
	wide := float64(d.Right-d.Left) / float64(last-first+2)
	every := max(1, (last-first+20)/20)
	var line strings.Builder
	for _, p := range points {
		dot := curveDot{X: float64(d.Left) + wide*float64(p.K-first+1), Y: y(p.Score), Low: y(p.Score - p.Error), High: y(p.Score + p.Error),
			K: p.K, Value: fmt.Sprintf("%.6g", p.Score), Chosen: p.K == c.Chosen}
		dot.Named = dot.Chosen || (p.K-first)%every == 0 && (p.K-c.Chosen >= every || c.Chosen-p.K >= every)
		if p.Error > 0 {
			dot.Value += fmt.Sprintf(" ± %.2g", p.Error)
		}
		d.Dots = append(d.Dots, dot)
		fmt.Fprintf(&line, "%.1f,%.1f ", dot.X, dot.Y)
	}
	d.Line = line.String()
	return d
}
