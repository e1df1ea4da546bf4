package report

import (
	"math"
	"slices"

	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// View chooses two coordinates for a picture of the documents: the plane through the cluster
// centres with the largest variance of the centres (their two leading principal directions, each
// centre weighted by its number of documents). If unit is set, rows are first scaled to unit
// length. Use it for spectral embeddings, in which the direction of a document depends on its
// cluster and its length only on how well it is connected.
//
// x is sparse.Rows or any dense matrix; labels are in [0, clusters). View returns false if the
// centres do not span a plane. O(entries·clusters) time, clusters × columns memory.
func View(x mat.Matrix, labels []int, clusters int, unit bool) (px, py []float64, ok bool) {
	x = narrow(x)
	n, d := x.Dims()
	if n == 0 || d == 0 || clusters < 2 || len(labels) != n {
		return nil, nil, false
	}
	scale := make([]float64, n)
	size := make([]float64, clusters)
	centers := mat.NewDense(clusters, d, nil)
	mean := make([]float64, d)
	moment := 0.0 // Σ‖row‖²: the scale of rounding errors
	for i := range n {
		scale[i] = 1
		norm := rowNorm(x, i)
		if unit && norm > 0 {
			scale[i] = 1 / norm
		}
		moment += norm * scale[i] * norm * scale[i]
		size[labels[i]]++
		addRow(centers.RawRowView(labels[i]), x, i, scale[i])
		addRow(mean, x, i, scale[i]/float64(n))
	}
	for c := range clusters {
		row := centers.RawRowView(c)
		if size[c] == 0 {
			continue
		}
		// √size·(centre − mean): the Gram matrix of these rows has the weighted principal
		// directions.
		root := math.Sqrt(size[c])
		for j := range row {
			row[j] = row[j]/root - root*mean[j]
		}
	}
	gram := mat.NewSymDense(clusters, nil)
	gram.SymOuterK(1, centers)
	var e mat.EigenSym
	if !e.Factorize(gram, true) {
		return nil, nil, false
	}
	values := e.Values(nil)
	if values[clusters-1] <= 1e-24*moment {
		return nil, nil, false
	}
	var u mat.Dense
	e.VectorsTo(&u)
	axes := [2][]float64{}
	for a := range axes {
		at := clusters - 1 - a
		if values[at] <= 1e-12*values[clusters-1] {
			axes[a] = secondAxis(x, scale, mean, axes[0])
			continue
		}
		axes[a] = make([]float64, d)
		for c := range clusters {
			w := u.At(c, at) / math.Sqrt(values[at])
			for j, v := range centers.RawRowView(c) {
				axes[a][j] += w * v
			}
		}
		orient(axes[a])
	}
	px, py = make([]float64, n), make([]float64, n)
	for i := range n {
		px[i] = dotRow(x, i, axes[0])*scale[i] - dot(mean, axes[0])
		py[i] = dotRow(x, i, axes[1])*scale[i] - dot(mean, axes[1])
	}
	return px, py, true
}

// narrow is the matrix in the form that rows are read from.
func narrow(x mat.Matrix) mat.Matrix {
	if s, isSparse := x.(sparse.Rows); isSparse {
		return s.Narrow()
	}
	return x
}

// secondAxis is used if the centres lie on a line (two clusters). It finds the direction of largest
// variance of the documents orthogonal to that line, by power iteration on their covariance.
func secondAxis(x mat.Matrix, scale, mean, first []float64) []float64 {
	n, d := x.Dims()
	v := make([]float64, d)
	for j := range v {
		v[j] = 1 / float64(j+1)
	}
	next := make([]float64, d)
	for range 60 {
		away(v, first)
		if !normalize(v) {
			break
		}
		clear(next)
		offset := dot(mean, v)
		total := 0.0
		for i := range n {
			p := dotRow(x, i, v)*scale[i] - offset
			addRow(next, x, i, p*scale[i])
			total += p
		}
		for j := range next {
			next[j] -= total * mean[j]
		}
		copy(v, next)
	}
	away(v, first)
	normalize(v)
	orient(v)
	return v
}

// away subtracts from v its component along the unit vector a.
func away(v, a []float64) {
	p := dot(v, a)
	for j := range v {
		v[j] -= p * a[j]
	}
}

func normalize(v []float64) bool {
	s := math.Sqrt(dot(v, v))
	if !(s > 1e-300) {
		return false
	}
	for j := range v {
		v[j] /= s
	}
	return true
}

// orient makes the entry of largest magnitude positive; of equal entries, the first.
func orient(v []float64) {
	best := 0
	for j := range v {
		if math.Abs(v[j]) > math.Abs(v[best]) {
			best = j
		}
	}
	if v[best] < 0 {
		for j := range v {
			v[j] = -v[j]
		}
	}
}

func dot(a, b []float64) float64 {
	s := 0.0
	for j := range a {
		s += a[j] * b[j]
	}
	return s
}

func rowNorm(x mat.Matrix, i int) float64 {
	s := 0.0
	eachEntry(x, i, func(_ int, v float64) { s += v * v })
	return math.Sqrt(s)
}

func dotRow(x mat.Matrix, i int, v []float64) float64 {
	s := 0.0
	eachEntry(x, i, func(j int, w float64) { s += w * v[j] })
	return s
}

func addRow(dst []float64, x mat.Matrix, i int, scale float64) {
	eachEntry(x, i, func(j int, v float64) { dst[j] += scale * v })
}

func eachEntry(x mat.Matrix, i int, f func(j int, v float64)) {
	switch x := x.(type) {
	case sparse.Rows:
		p := x.Pattern()
		cols := p.Col[p.RowPtr[i]:p.RowPtr[i+1]]
		for k, v := range x.Values(i, nil) {
			f(int(cols[k]), v)
		}
	case *mat.Dense:
		for j, v := range x.RawRowView(i) {
			f(j, v)
		}
	default:
		_, d := x.Dims()
		for j := range d {
			f(j, x.At(i, j))
		}
	}
}

// Clamp moves the few values outside the central share of a column to its edge, in place, so that
// single outliers do not compress all other points. It returns the number of moved values.
func Clamp(v []float64, share float64) int {
	if len(v) < 20 {
		return 0
	}
	s := slices.Clone(v)
	slices.Sort(s)
	cut := int(float64(len(s)) * (1 - share) / 2)
	lo, hi := s[cut], s[len(s)-1-cut]
	pad := 0.25 * (hi - lo)
	lo, hi = lo-pad, hi+pad
	moved := 0
	for i, x := range v {
		if x < lo || x > hi {
			v[i] = min(max(x, lo), hi)
			moved++
		}
	}
	return moved
}
