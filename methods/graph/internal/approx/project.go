package approx

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/eigenmap/eigenmap/internal/panel"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/methods/graph/internal/exact"
	"gonum.org/v1/gonum/mat"
)

// projection takes dense rows to rows of few whole numbers: their coordinates less the mean, or
// coordinates in the directions of the largest variance of a sample, times a scale. Distances of
// the images, over the scale, are at most the distances of the rows, up to rounding.
type projection struct {
	mean  []float64
	basis [][]float32 // tiles of columns × exact.Lanes directions; nil: the coordinates themselves
	cols  int         // of the images
	unit  float64     // of the rows, which brings their lengths below 2
	scale float64     // of the directions; 0: not known yet
}

const (
	// mostDirections is the largest number of directions, and keptVariance the share of the
	// variance of the sample that they must have. On MNIST 128 of 784 have .94, and the 23 nearest
	// images of a row have .99 of its 15 nearest neighbours.
	mostDirections = 256
	keptVariance   = 0.93
)

// newProjection finds the directions of the sample. They are half as many as columns at most, or
// the images are the coordinates. The cost is that of [panel.Directions].
func newProjection(share *ranks.Share, drawn *mat.Dense, unit float64, rng *rand.Rand) (*projection, error) {
	m, d := drawn.Dims()
	p := &projection{mean: meanOf(drawn), cols: d, unit: unit}
	most := min(mostDirections, d/2, m/2) / exact.Lanes * exact.Lanes
	if most == 0 {
		return p, nil
	}
	centred := mat.DenseCopyOf(drawn)
	total := 0.0
	for i := range m {
		for j, mean := range p.mean {
			row := centred.RawRowView(i)
			row[j] = (row[j] - mean) * unit
			total += row[j] * row[j]
		}
	}
	if total == 0 { // rows that are all equal
		return p, nil
	}
	values, v, err := panel.Directions(centred.RawMatrix(), most, rng)
	if err != nil {
		return nil, err
	}
	share.Share(values) // processors may round differently
	kept, cols := 0.0, 0
	for ; cols < most && kept < keptVariance*total; cols += exact.Lanes {
		for _, value := range values[cols : cols+exact.Lanes] {
			kept += value
		}
	}
	if !(kept >= keptVariance*total) {
		return p, nil
	}
	flat := make([]float64, cols*d) // in tiles
	for t := range cols / exact.Lanes {
		for j := range d {
			copy(flat[(t*d+j)*exact.Lanes:][:exact.Lanes], v.Data[j*v.Stride+t*exact.Lanes:])
		}
	}
	share.Share(flat) // processors may round differently
	p.cols = cols
	for tile := range cols / exact.Lanes {
		of := make([]float32, d*exact.Lanes)
		for at := range of {
			of[at] = float32(flat[tile*d*exact.Lanes+at])
		}
		p.basis = append(p.basis, of)
	}
	return p, nil
}

// images returns the images of rows, and with the first call, which all ranks make with their own
// rows, chooses the scale from the longest. 2 flops per value and direction in float32, 8 bytes per
// coordinate.
func (p *projection) images(ctx context.Context, share *ranks.Share, x mat.Matrix) (*mat.Dense, error) {
	n, d := x.Dims()
	z := &mat.Dense{}
	if n > 0 {
		z = mat.NewDense(n, p.cols, nil)
	}
	const grain = 64
	type scratch struct {
		rows exact.LaneRows
		buf  []float64
		out  []float32
	}
	own := make([]scratch, parallel.Workers(n, grain))
	longest := make([]float64, parallel.Chunks(n, grain))
	err := parallel.For(ctx, n, grain, func(worker, lo, hi int) error {
		w := &own[worker]
		if w.buf == nil {
			*w = scratch{buf: make([]float64, d), out: make([]float32, grain*exact.Lanes)}
		}
		if p.basis != nil {
			p.load(&w.rows, x, lo, hi, w.buf)
		}
		for t, tile := range p.basis {
			exact.MulLanes(&w.rows, 0, hi-lo, tile, w.out)
			for i := lo; i < hi; i++ {
				row := z.RawRowView(i)[t*exact.Lanes:]
				for l, v := range w.out[(i-lo)*exact.Lanes:][:exact.Lanes] {
					row[l] = float64(v)
				}
			}
		}
		for i := lo; i < hi; i++ {
			row, sum := z.RawRowView(i), 0.0
			if p.basis == nil {
				for j, v := range exact.DenseRow(x, i, w.buf) {
					row[j] = (v - p.mean[j]) * p.unit
				}
			}
			for _, v := range row {
				sum += v * v
			}
			longest[lo/grain] = max(longest[lo/grain], sum)
		}
		return nil
	})
	if err = ranks.Agree(share, err); err != nil {
		return nil, err
	}
	if p.scale == 0 {
		largest := []float64{slices.Max(append(longest, 0))}
		ranks.Largest(share, largest)
		// Rounding adds half a unit to each coordinate.
		p.scale = 1
		if largest[0] > 0 {
			p.scale = (shortLength - math.Sqrt(float64(p.cols))) / math.Sqrt(largest[0])
		}
	}
	for i := range n {
		row := z.RawRowView(i)
		for j, v := range row {
			row[j] = math.Round(v * p.scale)
		}
	}
	return z, nil
}

// load copies rows less the mean.
func (p *projection) load(a *exact.LaneRows, x mat.Matrix, lo, hi int, buf []float64) {
	a.Ptr, a.Index, a.Val = append(a.Ptr[:0], 0), a.Index[:0], a.Val[:0]
	for i := lo; i < hi; i++ {
		for j, v := range exact.DenseRow(x, i, buf) {
			a.Index, a.Val = append(a.Index, int32(j)), append(a.Val, float32((v-p.mean[j])*p.unit))
		}
		a.Ptr = append(a.Ptr, len(a.Index))
	}
}

// farthest is the largest distance² of images of two rows at a distance² of dist2 or less. It
// allows for rounding to whole numbers, for four times the usual error of a sum in float32, and for
// a basis that is orthonormal up to rounding.
func (p *projection) farthest(dist2 float64) float64 {
	d := float64(len(p.mean))
	rounding := math.Sqrt(float64(p.cols)) * (1 + 8*math.Sqrt(d)*0x1p-24*shortLength)
	far := p.scale*p.unit*math.Sqrt(dist2)*(1+1e-4) + rounding
	return far * far
}

// leastImage is the smallest distance of the images of a row and its neighbour at which rounding to
// whole numbers does not matter, and mostClose the share of the sample's rows that may be closer.
// leastRanked is the least share of the k nearest rows of the sample's that must be among the 2k+1
// nearest images: directions may leave out what tells the rows of a group apart.
const leastImage, mostClose, leastRanked = 48, 0.05, 0.93

// suits reports whether whole numbers tell neighbours of the rows apart, whose k-th have these
// squared distances. Rows with k copies need no telling.
func (p *projection) suits(worst []float64) bool {
	close := 0
	for _, dist2 := range worst {
		if dist2 > 0 && math.Sqrt(dist2)*p.unit*p.scale < leastImage {
			close++
		}
	}
	return float64(close) <= mostClose*float64(len(worst))
}
