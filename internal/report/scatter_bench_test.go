package report

import (
	"image/png"
	"testing"
	"time"

	"github.com/eigenmap/eigenmap/internal/must"
	"gonum.org/v1/gonum/mat"
)

// BenchmarkPictures draws what a run of TDT2's size draws: 9,394 documents, 30 clusters, the panels
// by cluster and by class and both side by side. ratio is the time of drawing the three one after
// the other at the default level of compression over ours; larger is the size of our files over
// those.
func BenchmarkPictures(b *testing.B) {
	x, labels := blobs(9394, 2, 30, 4)
	p := Panel{Title: "by cluster", X: mat.Col(nil, 0, x), Y: mat.Col(nil, 1, x), Group: labels, Names: make([]string, 30)}
	for i := range p.Names {
		p.Names[i] = "bosnia serb croat"
	}
	bytes := 0
	for b.Loop() {
		each, all, err := Scatter(b.Context(), p, p)
		if err != nil {
			b.Fatal(err)
		}
		bytes = len(each[0]) + len(each[1]) + len(all)
	}
	ours := b.Elapsed().Seconds() / float64(b.N)
	start := time.Now()
	var count counter
	for _, panels := range [][]Panel{{p}, {p}, {p, p}} {
		drawn := must.Get(drawPanels(panels...))(b)
		must.Do(b, png.Encode(&count, drawn))
	}
	b.ReportMetric(time.Since(start).Seconds()/ours, "ratio")
	b.ReportMetric(float64(bytes)/float64(count), "larger")
}

// counter counts the bytes written to it.
type counter int

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}
