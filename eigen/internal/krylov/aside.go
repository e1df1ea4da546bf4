package krylov

import "math"

// A search of the complement need not resolve the eigenvalues just below the k-th again, where the
// solve has left good approximations of their vectors. It sets these aside: it keeps its own space
// orthogonal to them, and the largest value that is left lies farther below the k-th.
//
// They are not exact, so a missing eigenvector v may have components c = Uᵀv in the vectors U set
// aside. Let AU = UΘ + R with UᵀR = 0, the values θ_j of Θ below the eigenvalue μ of v, and δ_j the
// lengths of R's columns. Then (μ − θ_j)c_j = r_jᵀv, so |c_j| ≤ δ_j/(μ − θ_j). The rest w = v − Uc
// is as long as √(1 − ‖c‖²) or longer, and the operator A' of the complement of U has A'w = μw −
// Rc. So a search with A' bounds ‖Ωᵀw‖ as in the package comment, with one more term, ‖Rc‖ times
// ‖ΩᵀV(μ − T)⁻¹‖, that is of second order in δ: ‖Rc‖ ≤ Σδ_j²/(μ − θ_j).

// aside bounds what vectors set aside can hold of a missing eigenvector.
type aside struct {
	vectors int
	// inside bounds ‖c‖², and couples ‖Rc‖, for every μ from the smallest that counts as missing.
	inside, couples float64
}

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
