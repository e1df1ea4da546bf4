package layout

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// leastWeight is the least weight of an edge against the largest: an edge always holds.
const leastWeight = 1e-6

// weigh sets the weights of the edges.
func (s *plane) weigh(ctx context.Context, w *sparse.CSR, rows *directions) error {
	s.weight = make([]float32, w.NNZ())
	most := 0.0
	for _, v := range w.Val {
		most = max(most, v)
	}
	var scale []float64 // σ of each document
	if rows != nil {
		scale = make([]float64, s.n)
		err := parallel.For(ctx, s.n, grain, func(_, lo, hi int) error {
			for i := lo; i < hi; i++ {
				for e := s.ptr[i]; e < s.ptr[i+1]; e++ {
					scale[i] += rows.distance2(i, int(s.col[e]))
				}
				scale[i] = math.Sqrt(scale[i] / float64(max(1, s.ptr[i+1]-s.ptr[i])))
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return parallel.For(ctx, s.n, grain, func(_, lo, hi int) error {
		for i := lo; i < hi; i++ {
			for e := s.ptr[i]; e < s.ptr[i+1]; e++ {
				v, j := w.Val[e]/most, int(s.col[e])
				if rows != nil {
					if d2 := rows.distance2(i, j); d2 > 0 {
						v *= math.Exp(-d2 / (scale[i] * scale[j]))
					}
				}
				s.weight[e] = float32(max(v, leastWeight))
			}
		}
		return nil
	})
}

// directions are the rows of coordinates, scaled to length 1.
type directions struct {
	x      *mat.Dense
	length []float64 // of each row; 1 of a row of zeros
}

func newDirections(x *mat.Dense) *directions {
	n, _ := x.Dims()
	r := &directions{x, make([]float64, n)}
	for i := range n {
		r.length[i] = mat.Norm(x.RowView(i), 2)
		if r.length[i] == 0 {
			r.length[i] = 1
		}
	}
	return r
}

// distance2 is the squared distance of two rows, 0 to 4.
func (r *directions) distance2(i, j int) float64 {
	a, b := r.x.RawRowView(i), r.x.RawRowView(j)
	sum, s, t := 0.0, 1/r.length[i], 1/r.length[j]
	for k, v := range a {
		d := v*s - b[k]*t
		sum += d * d
	}
	return sum
}

// MostColumns is the number of coordinates that decide the plane of the start: those of spectral
// methods and of decompositions come in the order of their importance.
const MostColumns = 64

// plane projects the rows on their two principal directions: x and y of each row in turn.
func (r *directions) plane(ctx context.Context) ([]float64, error) {
	n, d := r.x.Dims()
	d = min(d, MostColumns)
	mean := make([]float64, d)
	for i := range n {
		for k, v := range r.x.RawRowView(i)[:d] {
			mean[k] += v / r.length[i] / float64(n)
		}
	}
	part := max(grain, (n+15)/16)
	moments := make([][]float64, parallel.Chunks(n, part))
	err := parallel.For(ctx, n, part, func(_, lo, hi int) error {
		sum, row := make([]float64, d*d), make([]float64, d)
		for i := lo; i < hi; i++ {
			r.centred(i, mean, row)
			for k, a := range row {
				for l := k; l < d; l++ {
					sum[k*d+l] += a * row[l]
				}
			}
		}
		moments[lo/part] = sum
		return nil
	})
	if err != nil {
		return nil, err
	}
	total := mat.NewSymDense(d, nil)
	for _, sum := range moments {
		for k := range d {
			for l := k; l < d; l++ {
				total.SetSym(k, l, total.At(k, l)+sum[k*d+l])
			}
		}
	}
	var e mat.EigenSym
	y := make([]float64, 2*n)
	if !e.Factorize(total, true) {
		return y, nil // begin parts the documents
	}
	var u mat.Dense
	e.VectorsTo(&u)
	row := make([]float64, d)
	for a := range min(2, d) {
		axis := mat.Col(nil, d-1-a, &u)
		turnUp(axis)
		for i := range n {
			r.centred(i, mean, row)
			for k, v := range row {
				y[2*i+a] += v * axis[k]
			}
		}
	}
	return y, nil
}

// centred is row i less the mean.
func (r *directions) centred(i int, mean, row []float64) {
	for k, v := range r.x.RawRowView(i)[:len(row)] {
		row[k] = v/r.length[i] - mean[k]
	}
}

// turnUp turns a vector so that its largest entry is positive.
func turnUp(v []float64) {
	most := 0.0
	for _, x := range v {
		if math.Abs(x) > math.Abs(most) {
			most = x
		}
	}
	if most < 0 {
		for k := range v {
			v[k] = -v[k]
		}
	}
}

// rounds is the number of steps of diffusion of slowest, and turn after how many of them the
// vectors are made orthogonal again.
const rounds, turn = 80, 8

// slowest returns two directions of slow diffusion along the graph, x and y of each node in turn:
// power iteration with ½(I + D^-½·W·D^-½) on two vectors that are orthogonal to the constant one.
// They are smooth, and no eigenvectors to any accuracy.
func slowest(ctx context.Context, w *sparse.CSR, seed uint64) ([]float64, error) {
	n := w.NumRows
	root := w.RowSums() // √degree
	constant := make([]float64, n)
	for i, d := range root {
		root[i] = math.Sqrt(d)
		constant[i] = root[i]
	}
	scaleTo1(constant)
	y, next := [2][]float64{}, make([]float64, n)
	for a := range y {
		y[a] = make([]float64, n)
		for i := range n {
			y[a][i] = uniform(mixed(seed^uint64(2*i+a+1))) - 0.5
		}
	}
	for round := range rounds + 1 {
		if round%turn == 0 {
			for a := range y {
				project(y[a], constant)
				if a == 1 {
					project(y[1], y[0])
				}
				scaleTo1(y[a])
			}
		}
		if round == rounds {
			break
		}
		for a := range y {
			v := y[a]
			err := parallel.For(ctx, n, grain, func(_, lo, hi int) error {
				for i := lo; i < hi; i++ {
					sum := 0.0
					for e := w.RowPtr[i]; e < w.RowPtr[i+1]; e++ {
						j := w.Col[e]
						sum += w.Val[e] / root[j] * v[j]
					}
					if next[i] = v[i] / 2; root[i] > 0 {
						next[i] += sum / root[i] / 2
					}
				}
				return nil
			})
			if err != nil {
				return nil, err
			}
			y[a], next = next, v
		}
	}
	out := make([]float64, 2*n)
	for a := range y {
		for i, v := range y[a] {
			if root[i] > 0 {
				out[2*i+a] = v / root[i]
			}
		}
	}
	return out, nil
}

// project takes out of v its part along u, of length 1.
func project(v, u []float64) {
	dot := 0.0
	for i, x := range v {
		dot += x * u[i]
	}
	for i := range v {
		v[i] -= dot * u[i]
	}
}

func scaleTo1(v []float64) {
	norm := 0.0
	for _, x := range v {
		norm += x * x
	}
	if norm = math.Sqrt(norm); norm > 0 {
		for i := range v {
			v[i] /= norm
		}
	}
}
