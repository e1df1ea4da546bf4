package kmeans

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/eigenmap/eigenmap/internal/memory"
	"github.com/eigenmap/eigenmap/internal/panel"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas32"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
)

// Images have at most mostDirections coordinates, a multiple of imageLanes, and at most one for
// imageColumns columns. Their directions hold keptVariance of the variance of imageSample rows, or
// leastVariance if so many cannot hold more.
const (
	mostDirections = 128
	imageLanes     = 16
	imageColumns   = 4
	keptVariance   = 0.93
	leastVariance  = 0.7
	imageSample    = 1000
	imageRows      = 4096 // fewer rows have no images
	// usualMoves is how often a start compares about all rows with all centres.
	usualMoves = 15
)

// images are dense rows in few coordinates, by which most centres are seen to be farther from a row
// than another one.
//
// The image of x is y = B·(x−μ), with orthonormal rows of B and a mean μ, and rest is the length of
// x−μ outside these directions. For two points with images y, y' and rests q, q', and z = ‖x−μ‖²,
//
//	‖x−x'‖² = z + z' − 2y·y' − 2r, where |r| ≤ q·q'.
//
// A centre is the mean of many rows, so that its rest is small, and the bounds are narrow.
type images struct {
	mean  []float64
	basis blas64.General // m×d
	y     []float32      // n×m
	rest  []float64      // of each row
	norms []float64      // ‖x−μ‖² of each row
	most  float64        // the largest of norms
	// slack bounds the error of a computed z + z' − 2y·y' ± 2q·q' relative to z + z'.
	slack float64
}

// imageDirections is the largest number of coordinates of images of the rows; 0 if they would not
// pay for themselves.
func (o Options) imageDirections(p points) int {
	dense, ok := p.(*densePoints)
	if !ok || dense.x.Rows < imageRows || !dense.screened(o.K) {
		return 0
	}
	m := min(mostDirections, dense.x.Cols/imageColumns) / imageLanes * imageLanes
	if 4*m > usualMoves*o.K*o.Restarts { // they are made in double precision
		return 0
	}
	return m
}

// imageBytes is the memory of images of n rows in m of d coordinates: of the rows, of the sample,
// and of a tile for each worker.
func imageBytes(n, d, m int) int64 {
	sample := memory.Bytes(8, min(n, imageSample), d+2*m)
	return memory.Sum(memory.Bytes(4, n, m+4), sample, memory.Bytes(8, 4*m, d),
		memory.Bytes(8, native.Threads(), tileRows(m, d), m+d))
}

// makeImages gives the rows images of at most m coordinates, if a sample shows that so many are
// enough.
func (p *densePoints) makeImages(ctx context.Context, m int) error {
	if slices.Max(p.norms) > screenLongest {
		return nil
	}
	im, err := p.newImages(m)
	if im == nil || err != nil {
		return err
	}
	n, d, m := p.x.Rows, p.x.Cols, im.basis.Rows
	im.y, im.rest, im.norms = make([]float32, n*m), make([]float64, n), make([]float64, n)
	step := tileRows(m, d)
	type room struct{ z, y []float64 }
	rooms := make([]room, parallel.Workers(n, step))
	err = parallel.For(ctx, n, step, func(w, lo, hi int) error {
		r := &rooms[w]
		if r.z == nil {
			*r = room{make([]float64, step*d), make([]float64, step*m)}
		}
		for i := lo; i < hi; i++ {
			z := r.z[(i-lo)*d : (i-lo+1)*d]
			floats.SubTo(z, p.row(i, z), im.mean)
		}
		im.project(r.z[:(hi-lo)*d], r.y[:(hi-lo)*m], im.y[lo*m:hi*m], im.norms[lo:hi], im.rest[lo:hi])
		return nil
	})
	if err != nil {
		return err
	}
	if im.most = slices.Max(im.norms); im.most >= screenShortest && im.most <= screenLongest {
		p.images = im
	}
	return nil
}

// newImages finds the directions by every so many-th row, or returns nil if few do not hold enough
// of the variance.
func (p *densePoints) newImages(m int) (*images, error) {
	n, d := p.x.Rows, p.x.Cols
	sample := panel.New(min(n, imageSample), d)
	im := &images{mean: make([]float64, d)}
	for i := range sample.Rows {
		row := sample.Data[i*d : (i+1)*d]
		p.copyRow(int(int64(i)*int64(n)/int64(sample.Rows)), row)
		for t, v := range row {
			im.mean[t] += v / float64(sample.Rows)
		}
	}
	total := 0.0
	for i := range sample.Rows {
		row := sample.Data[i*d : (i+1)*d]
		for t, mean := range im.mean {
			row[t] -= mean
			total += row[t] * row[t]
		}
	}
	if !(total > screenShortest) {
		return nil, nil
	}
	values, v, err := panel.Directions(sample, m, rand.New(rand.NewPCG(36, 1)))
	if err != nil {
		return nil, err
	}
	kept, count := 0.0, 0
	for ; count < m && kept < keptVariance*total; count += imageLanes {
		for _, value := range values[count : count+imageLanes] {
			kept += value
		}
	}
	if !(kept >= leastVariance*total) {
		return nil, nil
	}
	im.basis = panel.New(count, d)
	for t := range d {
		for a := range count {
			im.basis.Data[a*d+t] = v.Data[t*v.Stride+a]
		}
	}
	im.slack = im.bound()
	return im, nil
}

// bound returns slack. Let u = 2⁻⁵³, H = B·Bᵀ, and η bound the norm of H−I. Rounding y to float32
// and the product of m numbers in float32 have errors of at most (m+5)·2⁻²⁴·‖y‖·‖y'‖, and 2‖y‖·‖y'‖
// is at most z + z'. The squares of a rest and of a length in the directions have errors of at most
// e = 4(d+8)(√m+1)·u + 2η of z, so a rest has one of √(e·z), and 2q·q' one of 4√e·(z+z'). Products
// of y and y' differ from those of the projections by η·(z+z') at most.
func (im *images) bound() float64 {
	m, d := im.basis.Rows, float64(im.basis.Cols)
	h := panel.New(m, m)
	native.Default().Gemm(blas.NoTrans, blas.Trans, 1, im.basis, im.basis, 0, h)
	eta := 0.0
	for i := range m {
		sum := d * float64(m) * ulp
		for j, v := range h.Data[i*m : (i+1)*m] {
			if i == j {
				v--
			}
			sum += math.Abs(v)
		}
		eta = max(eta, sum)
	}
	e := 2*(d+8)*(math.Sqrt(float64(m))+1)*ulp + 2*eta
	return 1.25*float64(m+8)*0x1p-24 + 4.1*math.Sqrt(e) + (d+8)*4*ulp + 4*eta
}

// project sets the images y of the rows z, in both precisions, their squared lengths, and their
// lengths outside the directions.
func (im *images) project(z, y []float64, narrowed []float32, norms, rest []float64) {
	m, d := im.basis.Rows, im.basis.Cols
	rows := len(norms)
	native.Default().Gemm(blas.NoTrans, blas.Trans, 1, blas64.General{Rows: rows, Cols: d, Stride: d, Data: z}, im.basis,
		0, blas64.General{Rows: rows, Cols: m, Stride: m, Data: y})
	narrow(narrowed, y)
	for i := range norms {
		norms[i] = sqLength(z[i*d : (i+1)*d])
		rest[i] = math.Sqrt(max(0, norms[i]-sqLength(y[i*m:(i+1)*m])))
	}
}

// sqLength returns ‖a‖².
func sqLength(a []float64) float64 {
	var s0, s1, s2, s3 float64
	t := 0
	for ; t+4 <= len(a); t += 4 {
		v := a[t : t+4 : t+4]
		s0 += v[0] * v[0]
		s1 += v[1] * v[1]
		s2 += v[2] * v[2]
		s3 += v[3] * v[3]
	}
	for ; t < len(a); t++ {
		s0 += a[t] * a[t]
	}
	return (s0 + s1) + (s2 + s3)
}

// view are centres beside the images of rows.
type view struct {
	*images
	c     *denseCenters
	z     []float64 // k×d
	wide  []float64 // k×m
	y     []float32 // k×m
	norms []float64
	rest  []float64
	far   float64 // the largest of norms, or a small part of that of the rows
}

// viewBytes is the memory of a view of k centres.
func viewBytes(m, k, d int) int64 {
	if m == 0 {
		return 0
	}
	return memory.Sum(memory.Bytes(8, k, d), memory.Bytes(12, k, m), memory.Bytes(16, k))
}

// newView returns a view of the centres, nil if the rows have no images.
func newView(c centers) *view {
	dense, ok := c.(*denseCenters)
	if !ok || dense.p.images == nil {
		return nil
	}
	m, k := dense.p.images.basis.Rows, dense.k
	return &view{images: dense.p.images, c: dense, z: make([]float64, k*dense.d), wide: make([]float64, k*m), y: make([]float32, k*m),
		norms: make([]float64, k), rest: make([]float64, k)}
}

// look takes the images of the centres as they are now, and reports whether they can be compared
// with those of rows.
func (v *view) look() bool {
	for at, value := range v.c.c {
		v.z[at] = value - v.mean[at%v.c.d]
	}
	v.project(v.z, v.wide, v.y, v.norms, v.rest)
	v.far = max(slices.Max(v.norms), v.most*0x1p-20)
	return v.far <= screenLongest
}

// error returns what a value of tile, or an upper bound made from it, may differ from a bound by.
func (v *view) error(i int) float64 { return v.slack * (v.images.norms[i] + v.far) }

// tile sets out[r·k+j] to a lower bound, up to error, of the squared distance of row rows[r] and
// centre j. With 4·rest·rest added it is an upper bound.
func (v *view) tile(rows []int32, out []float64, room *screenRoom) {
	m, k, count := v.basis.Rows, v.c.k, len(rows)
	from := blas32.General{Rows: count, Cols: m, Stride: m}
	if at := int(rows[0]); int(rows[count-1])-at == count-1 {
		from.Data = v.images.y[at*m : (at+count)*m]
	} else {
		room.x = slices.Grow(room.x[:0], count*m)[:count*m]
		from.Data = room.x
		for r, i := range rows {
			copy(room.x[r*m:(r+1)*m], v.images.y[int(i)*m:])
		}
	}
	room.out = slices.Grow(room.out[:0], count*k)[:count*k]
	native.Default().GemmFloat32(from, blas32.General{Rows: k, Cols: m, Stride: m, Data: v.y},
		blas32.General{Rows: count, Cols: k, Stride: k, Data: room.out})
	norms, rest := v.norms[:k], v.rest[:k]
	for r, i := range rows {
		z, q := v.images.norms[i], v.images.rest[i]
		o, dots := out[r*k:(r+1)*k], room.out[r*k:(r+1)*k]
		for j := range o {
			o[j] = z + norms[j] - 2*(float64(dots[j])+q*rest[j])
		}
	}
}

// viewWorth: images are compared as long as they find the clusters of at least one in so many rows.
const viewWorth = 3

// glances chooses the clusters of s.rows by images, and leaves in s.rows those that these do not
// tell. Of rows that images seldom tell, one in screenProbe is tried.
func (r *run) glances(s *scratch) {
	for at, step := 0, tileRows(r.k, r.d); at < len(s.rows); {
		s.glanced, s.places = s.glanced[:0], s.places[:0]
		for ; at < len(s.rows) && len(s.glanced) < step; at++ {
			if i := s.rows[at]; !r.blind || i%screenProbe == 0 {
				s.glanced, s.places = append(s.glanced, i), append(s.places, at)
			}
		}
		if len(s.glanced) == 0 {
			break
		}
		r.view.tile(s.glanced, s.out, &s.room)
		s.viewed += len(s.glanced)
		for q, i := range s.glanced {
			if r.glance(int(i), s.out[q*r.k:(q+1)*r.k], s) {
				s.rows[s.places[q]] = -1
				s.told++
			}
		}
	}
	s.rows = slices.DeleteFunc(s.rows, func(i int32) bool { return i < 0 })
}

// glance chooses the nearest centre for row i, if the bounds of its tile, and distances to the few
// centres that these leave, tell it.
func (r *run) glance(i int, lower []float64, s *scratch) bool {
	v := r.view
	best, first, second := leastTwo(lower)
	// Exact distances are ordered like the true ones if these differ by more than apart says.
	err, apart := v.error(i), 1+5*r.rel
	least, most := second-err, first+4*v.images.rest[i]*v.rest[best]+err
	if least > most*apart {
		r.keep(i, best, most, least, s)
		return true
	}
	least, most = r.around(i, best)
	limit, next, others := most*apart, math.Inf(1), 0
	for j, d := range lower {
		if j == best {
			continue
		}
		if d -= err; d > limit {
			next = min(next, d)
			continue
		}
		if others++; others > mostOthers {
			return false
		}
		l, m := r.around(i, j)
		if m < most {
			best, most, least, l = j, m, l, least
		}
		next = min(next, l)
	}
	if next <= most*apart {
		return false
	}
	r.keep(i, best, most, next, s)
	return true
}

// around bounds the squared distance of row i and centre j.
func (r *run) around(i, j int) (least, most float64) {
	d := r.c.near(i, j)
	return d * (1 - r.rel), d * (1 + r.rel)
}

// mostOthers is the number of centres beside the nearest one to which a row is measured before it
// is compared with all centres.
const mostOthers = 4

// keep moves row i to cluster j and sets its bounds from its squared distance from that centre, at
// most, and from the others, at least.
func (r *run) keep(i, j int, most, least float64, s *scratch) {
	r.upper[i] = math.Sqrt(max(most, 0)*(1+2*r.rel)) * (1 + ulp)
	r.lower[i] = math.Sqrt(max(least*(1-2*r.rel), 0)) * (1 - ulp)
	if int(r.label[i]) != j {
		s.change(r, i, j)
	}
}

// farFromAll leaves in s.rows the rows to which, by their images, one of the first candidates may
// be nearer than their start. The others keep the distance from their start.
func (r *run) farFromAll(s *scratch, tries int) {
	seeding, L := r.seeding, candidates(r.k)
	v, abs := seeding.view, 2*(r.tileAbs+4*r.rel)
	for at, step := 0, tileRows(r.k, r.d); at < len(s.rows); {
		tile := s.rows[at:min(at+step, len(s.rows))]
		at += len(tile)
		v.tile(tile, s.out, &s.room)
		for q, row := range tile {
			i := int(row)
			near, far := r.upper[i], true
			for c, least := range s.out[q*L : q*L+tries] {
				// The distance that the row is given otherwise is as far from the true one as a
				// tile's.
				if least-v.error(i)-abs*(r.xx[i]+seeding.norms[c]) <= near {
					far = false
					break
				}
			}
			if !far {
				continue
			}
			for c := range tries {
				seeding.dist[i*L+c] = near
			}
			tile[q] = -1
		}
	}
	s.rows = slices.DeleteFunc(s.rows, func(i int32) bool { return i < 0 })
}
