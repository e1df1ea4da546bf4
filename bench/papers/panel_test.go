package papers

import (
	"bytes"
	"fmt"
	"image/png"
	"testing"

	"github.com/eigenmap/eigenmap/internal/must"
	"github.com/eigenmap/eigenmap/internal/report"
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg/draw"
)

// The name of the first task, which is turned, stays inside the panel.
func TestLongNamesOfTasksFit(t *testing.T) {
	p := panel{tasks: true, ticks: []plot.Tick{{Value: 0, Label: "a corpus of a long name"}, {Value: 1, Label: "b"}}}
	var out bytes.Buffer
	must.Do(t, report.Render(&out, "png", panelWidth, panelHeight, 72, func(c draw.Canvas) { p.draw(c) }))
	picture := must.Get(png.Decode(&out))(t)
	for y := picture.Bounds().Dy() * 3 / 4; y < picture.Bounds().Dy(); y++ { // below the axis
		if r, g, b, _ := picture.At(0, y).RGBA(); min(r, g, b) < 0xf000 {
			t.Fatalf("the name is cut off at the left, %d from the top", y)
		}
	}
}

// No two methods of a picture have the same mark.
func TestMarksDiffer(t *testing.T) {
	seen := map[string]int{}
	for method := range 30 {
		g := glyph(method)
		key := fmt.Sprintf("%v %T", g.Color, g.Shape)
		if other, ok := seen[key]; ok {
			t.Errorf("methods %d and %d have the mark %s", other, method, key)
		}
		seen[key] = method
	}
}
