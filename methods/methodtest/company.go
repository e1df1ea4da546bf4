package methodtest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/eigenmap/eigenmap/internal/option"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/mat"
)

// line is what is known of one placed row: its cluster and how sure that is.
type line struct {
	cluster              int
	distance, confidence float64
	isolated, known      bool
	coordinates          []float64
}

// equal compares bit for bit.
func (a line) equal(b line) bool {
	same := func(v, w float64) bool { return math.Float64bits(v) == math.Float64bits(w) }
	return a.cluster == b.cluster && same(a.distance, b.distance) && same(a.confidence, b.confidence) &&
		a.isolated == b.isolated && a.known == b.known && slices.EqualFunc(a.coordinates, b.coordinates, same)
}

func (a line) String() string {
	return fmt.Sprintf("cluster %d, distance %v, confidence %v, isolated %v, known %v, at %v", a.cluster, a.distance, a.confidence, a.isolated, a.known, a.coordinates)
}

// checkCompany: a row alone, in company and in any order has the same line, bit for bit.
func checkCompany(s *suite) {
	for _, sm := range append(s.samples(small), s.wide()...) {
		out := s.plain(sm)
		if out == nil || out.Placer == nil || sm.fresh == nil {
			continue
		}
		if c, _ := s.clustersOf(sm, out, sm.input()); c != nil {
			s.inCompany(sm, out.Placer, c)
		}
	}
}

// wide are samples of more columns than few, which are multiplied in blocks.
func (s *suite) wide() (list []sample) {
	given := s.spec.Needs.Labels == method.Required
	sm := sample{named("wide", given), option.DenseData, func() *method.Input {
		return s.complete(&method.Input{X: spread(blobs(small, 1))}, small, given)
	}, spread(blobs(150, 9))}
	if !s.refusesSetting(sm) {
		list = append(list, sm)
	}
	return list
}

// spread are the rows of x in 69 columns, with noise, at about the same distances.
func spread(x *mat.Dense) *mat.Dense {
	n, d := x.Dims()
	rng := rand.New(rand.NewPCG(uint64(n), 8))
	y := mat.NewDense(n, 69, nil)
	for i := range n {
		for j := range 69 {
			y.Set(i, j, (x.At(i, j%d)+.3*rng.Float64())*math.Sqrt(5./69))
		}
	}
	return y
}

// inCompany compares the lines of rows that are placed in many selections.
func (s *suite) inCompany(sm sample, p method.Placer, c *method.Clusters) {
	x := company(sm)
	n, _ := x.Dims()
	all := s.lines(sm.name+", in company", p, c, x)
	if dense, ok := x.(*mat.Dense); ok && all != nil {
		s.beside(sm, p, c, dense, all)
	}
	for _, at := range orders(n) {
		some := s.lines(fmt.Sprintf("%s, rows %.60v", sm.name, at), p, c, rows.Select(x, at))
		if all == nil || some == nil {
			return
		}
		for k, q := range at {
			if !some[k].equal(all[q]) {
				s.badf("%s: row %d of %d is\n\t%v\nin company, and among %d rows\n\t%v", sm.name, q, n, all[q], len(at), some[k])
				return
			}
		}
	}
}

// beside compares the lines of dense rows with those of the same rows in a wider matrix, which ends
// with their last number.
func (s *suite) beside(sm sample, p method.Placer, c *method.Clusters, x *mat.Dense, all []line) {
	n, d := x.Dims()
	part, size := new(mat.Dense), (n-1)*(d+3)+d
	part.SetRawMatrix(blas64.General{Rows: n, Cols: d, Stride: d + 3, Data: make([]float64, size)[:size:size]})
	part.Copy(x)
	for q, l := range s.lines(sm.name+", columns of a wider matrix", p, c, part) {
		if !l.equal(all[q]) {
			s.badf("%s: row %d of %d is\n\t%v\nand in a wider matrix\n\t%v", sm.name, q, n, all[q], l)
			return
		}
	}
}

// orders are selections of n rows: each alone, all in reverse, all at random, a part.
func orders(n int) [][]int {
	list := make([][]int, 0, n+4)
	back := make([]int, n)
	for i := range n {
		list = append(list, []int{i})
		back[i] = n - 1 - i
	}
	mixed := rand.New(rand.NewPCG(4, 4)).Perm(n)
	return append(list, back, mixed, mixed[:n/3], mixed[:2])
}

// company are new rows of a sample, with rows of the fit, one without entries and one far from all.
func company(sm sample) mat.Matrix {
	from := []mat.Matrix{sm.fresh, sm.input().X, sm.fresh}
	n := 0
	for _, m := range from {
		r, _ := m.Dims()
		n += r
	}
	_, d := sm.fresh.Dims()
	x := mat.NewDense(n+2, d, nil)
	n = 0
	for c, m := range from {
		r, _ := m.Dims()
		for i := range r {
			for j := range d {
				x.Set(n+i, j, m.At(i, (j+c/2)%d)) // the last ones are new once more
			}
		}
		n += r
	}
	x.Set(n+1, d-1, 100)
	if _, isDense := sm.fresh.(*mat.Dense); isDense {
		return x
	}
	out, err := sparse.FromMatrix(x)
	if err != nil {
		panic(err)
	}
	return out
}

// lines places rows as predict does.
func (s *suite) lines(what string, p method.Placer, c *method.Clusters, x mat.Matrix) []line {
	out := s.place(what, p, x)
	if out == nil {
		return nil
	}
	var at mat.Matrix = out.Embedding
	if out.Embedding == nil {
		at = stored(x)
	}
	placed := &method.Clusters{Labels: out.Labels, Sizes: c.Sizes, Centers: c.Centers, Terms: c.Terms, Posterior: out.Posterior}
	if placed.Labels == nil {
		var err error
		if placed.Labels, err = kmeans.Nearest(background, c, at, x); err != nil {
			s.badf("%s: %v", what, err)
			return nil
		}
	}
	sure := s.certain(what, out.Certainty, placed, at, x)
	n, _ := x.Dims()
	list := make([]line, n)
	for i := range list {
		l := line{cluster: placed.Labels[i], distance: sure.Distance[i], confidence: sure.Confidence[i]}
		_, l.isolated = slices.BinarySearch(out.Isolated, i)
		_, l.known = slices.BinarySearch(out.Known, i)
		if out.Embedding != nil {
			l.coordinates = out.Embedding.RawRowView(i)
		}
		list[i] = l
	}
	return list
}
