package layout

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/internal/parallel"
)

const (
	// curve is UMAP's a for the smallest distance of 0.1 that UMAP has by default, and b = 1: the
	// closeness of two documents at distance d is 1/(1 + a·d²).
	curve = 1.577
	// soft keeps the push of two documents at one place finite; UMAP has 0.001 and cuts each push off.
	soft = 0.05
	// pushes is the number of others that a document is pushed away from in a pass, and pushWeight
	// how much they weigh together for an edge of weight 1: UMAP draws five for each end of an edge
	// and pulls each end twice.
	pushes     = 8
	pushWeight = 2.5
	// extent is the largest coordinate of the start, and stride how far a document moves in the first
	// pass, about; it falls to 0.
	extent = 10
	stride = 0.3
	// Decay of the running means of the gradient and its square.
	inertia, memoryOf = 0.5, 0.9
	// grain is the number of documents that a thread moves at a time.
	grain = 1024
)

// plane is a layout at work. Each document moves by its own energy
//
//	Σ_j w_ij·log(1 + a·d²) + c·Σ_o push(d²),  c = pushWeight·Σ_j w_ij/pushes,
//
// over its edges j and the others o that are drawn in the pass. With all others in place of some,
// this is UMAP's cross entropy as its sampling weighs it (Damrich and Hamprecht 2021, "On UMAP's
// true loss function", eq. 9). The steps are Adam's (Kingma and Ba 2015) with one scale for both
// coordinates of a document, so that turning the start turns the result.
type plane struct {
	n      int
	ptr    []int
	col    []int32
	weight []float32
	filled []int32 // the documents that push; nil: all
	seed   uint64

	at, next []float32 // places, x and y of each document in turn
	mean     []float32 // running mean of the gradient, x and y
	square   []float32 // running mean of its square, both coordinates
}

// begin sets the places to the start, scaled to the extent, with a small offset of each document:
// several at one place would have no direction to part in.
func (s *plane) begin(start []float64) {
	s.at, s.next = make([]float32, 2*s.n), make([]float32, 2*s.n)
	s.mean, s.square = make([]float32, 2*s.n), make([]float32, s.n)
	most := 0.0
	for _, v := range start {
		most = max(most, math.Abs(v))
	}
	scale := 0.0
	if most > 0 {
		scale = extent / most
	}
	for k, v := range start {
		s.at[k] = float32(scale*v + extent*1e-3*(uniform(mixed(s.seed^uint64(k)))-0.5))
	}
}

// gradient is the gradient of the energy of document i in a pass.
func (s *plane) gradient(i, pass int) (gx, gy float32) {
	at := s.at
	x, y := at[2*i], at[2*i+1]
	var sum float32
	for e := s.ptr[i]; e < s.ptr[i+1]; e++ {
		j := 2 * int(s.col[e])
		dx, dy := x-at[j], y-at[j+1]
		f := s.weight[e] / (1 + curve*(dx*dx+dy*dy))
		sum += s.weight[e]
		gx += f * dx
		gy += f * dy
	}
	gx, gy = 2*curve*gx, 2*curve*gy
	var px, py float32
	for o := range s.others(i, pass) {
		dx, dy := x-at[2*o], y-at[2*o+1]
		d2 := dx*dx + dy*dy
		f := 1 / ((soft + d2) * (1 + curve*d2))
		px += f * dx
		py += f * dy
	}
	c := 2 * pushWeight * sum / pushes
	return gx - c*px, gy - c*py
}

// others are the documents that push document i in a pass. They depend on the seed, the pass and
// the document alone.
func (s *plane) others(i, pass int) func(func(int) bool) {
	return func(yield func(int) bool) {
		state := mixed(s.seed ^ mixed(uint64(pass)<<32|uint64(i)))
		of := uint64(s.n)
		if s.filled != nil {
			of = uint64(len(s.filled))
		}
		for range pushes {
			state = state*6364136223846793005 + 1442695040888963407
			o := int((state >> 32) * of >> 32)
			if s.filled != nil {
				o = int(s.filled[o])
			}
			if !yield(o) {
				return
			}
		}
	}
}

// move makes one pass of some: every document takes a step against its gradient.
func (s *plane) move(ctx context.Context, pass, of int) error {
	step := stride * (1 - float64(pass)/float64(of))
	rate := float32(step / (1 - math.Pow(inertia, float64(pass+1))))
	correct := float32(1 / (1 - math.Pow(memoryOf, float64(pass+1))))
	err := parallel.For(ctx, s.n, grain, func(_, lo, hi int) error {
		for i := lo; i < hi; i++ {
			if s.ptr[i] == s.ptr[i+1] {
				s.next[2*i], s.next[2*i+1] = s.at[2*i], s.at[2*i+1]
				continue
			}
			gx, gy := s.gradient(i, pass)
			mx := inertia*s.mean[2*i] + (1-inertia)*gx
			my := inertia*s.mean[2*i+1] + (1-inertia)*gy
			v := memoryOf*s.square[i] + (1-memoryOf)*(gx*gx+gy*gy)/2
			s.mean[2*i], s.mean[2*i+1], s.square[i] = mx, my, v
			r := rate / (float32(math.Sqrt(float64(v*correct))) + 1e-12)
			s.next[2*i], s.next[2*i+1] = s.at[2*i]-r*mx, s.at[2*i+1]-r*my
		}
		return nil
	})
	s.at, s.next = s.next, s.at
	return err
}

// mixed is a hash of a number (the finaliser of SplitMix64).
func mixed(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// uniform is a number in [0, 1) of a hash.
func uniform(hash uint64) float64 { return float64(hash>>11) / (1 << 53) }
