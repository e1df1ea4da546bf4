package krylov

import (
	"math"

	"github.com/eigenmap/eigenmap/eigen/internal/space"
	"gonum.org/v1/gonum/blas/blas64"
)

// Shares of the certificate that vectors set aside may use up: of ‖v‖², and of the radius.
const (
	mostInside  = 0.02
	mostCoupled = 0.05
)

// asideOf returns the vectors to set aside at the end of a solve: Ritz vectors of r from the
// position from of its order on, at most the given number. columns is the width of the search.
func (k *krylov) asideOf(r *ritz, from, most, columns int) aside {
	var best, a aside
	floor, _ := k.missing()
	radius := gaussianRadius(columns, MissProbability)
	spread := math.Sqrt(float64(columns))
	whole := spread * math.Sqrt(float64(k.Whole()))
	for at := from; at+1 < len(r.order) && a.vectors < most; at++ {
		j, next := r.order[at], r.order[at+1]
		distance := floor - r.theta[j]
		if !(distance > 0) {
			break
		}
		a.vectors++
		residual := r.raw[j] + 16*0x1p-52*k.growth
		a.inside += residual / distance * (residual / distance)
		a.couples += residual / distance * residual
		// ‖ΩᵀV(μ − T)⁻¹‖ is about this at the end of the search, by its largest Ritz values and by
		// the others.
		weight := 2*spread/(floor-r.theta[next]) + whole/max(floor-r.theta[len(r.theta)-1], floor/2)
		if a.inside <= mostInside && a.couples*weight <= mostCoupled*radius {
			best = a
		}
	}
	return best
}

// searchAfter begins the search after a solve with the last Ritz pairs r.
func (k *krylov) searchAfter(r *ritz) {
	locked := r.lock
	width := max(k.Task.Block, min(searchBlock, k.Room()))
	room := k.basis.Capacity() - len(k.locked) - locked - searchBlocks*width
	kept := max(0, min(len(r.order)-locked, room))
	k.restart(r, kept)
	var a aside
	if k.filter == nil || k.filter.at(k.locked[k.byValue()[k.K-1]]) >= useful {
		a = k.asideOf(r, locked, kept, width)
	}
	k.basis.Size -= k.next + kept - a.vectors
	k.next = 0
	k.searchComplement(a)
}

// searchComplement restarts with a random first block. It has a component in every vector that the
// first pass missed because its block was narrower than the multiplicity of an eigenvalue. Nothing
// else is kept, because a vector that is already nearly exact would look like a result of the
// search.
//
// Each search takes new Gaussian vectors, independent of everything before, on which its
// certificate depends.
func (k *krylov) searchComplement(a aside) {
	k.basis.Size -= k.next
	k.aside = a.vectors
	k.Task.Block = max(k.Task.Block, min(searchBlock, k.Room()))
	k.widen(searchBlocks)
	least := k.locked[k.byValue()[k.K-1]]
	if k.filter != nil && k.filter.at(least) < useful {
		k.filter, k.growth = nil, k.scale // the k-th value is in its band
	}
	if k.filter != nil {
		k.growth = 0 // so far it came from the locked vectors, far above all that the search meets
	}
	omega := space.NewBlock(k.N, min(k.Task.Block, k.basis.Room()))
	for i := range omega.Data {
		omega.Data[i] = k.basis.Rng.NormFloat64()
	}
	before := k.basis.Size
	k.basis.Orthogonalise(omega, 0)
	r := k.basis.Append(omega, omega.Cols, math.Sqrt(float64(k.Whole())))
	k.active, k.next, k.chain = 0, k.basis.Size-before, 0
	k.b, k.proof = blas64.General{}, newCertificate(r, a)
	k.stats.Missed += MissProbability
}
