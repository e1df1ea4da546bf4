package kmeans

import (
	"bytes"
	"math"

	"github.com/eigenmap/eigenmap/internal/ranks"
	"gonum.org/v1/gonum/mat"
)

// bestOfRanks gives all ranks the best of their models, that of the earliest restart on a tie: the
// model that one process finds. own is nil on a rank without a restart; at is the number of its
// restart.
func bestOfRanks(team ranks.Team, own *Model, at, n, k, d int) *Model {
	objective := math.Inf(1)
	if own != nil {
		objective = own.Objective
	}
	all := ranks.GatherFloats(team, []float64{objective, float64(at)})
	winner := 0
	for r := range team.Size() {
		o, a := all[2*r], all[2*r+1]
		if o < all[2*winner] || o == all[2*winner] && a < all[2*winner+1] {
			winner = r
		}
	}
	var sent []byte
	if winner == team.Rank() {
		sent = ranks.Bytes(own.numbers())
	}
	return modelOf(ranks.Floats(bytes.Join(ranks.Gather(team, sent), nil)), n, k, d)
}

// numbers are the fields of the model, one after the other.
func (m *Model) numbers() []float64 {
	converged := 0.0
	if m.Converged {
		converged = 1
	}
	out := []float64{m.Objective, float64(m.Iterations), converged, float64(m.Repaired)}
	for _, s := range m.Sizes {
		out = append(out, float64(s))
	}
	for _, l := range m.Labels {
		out = append(out, float64(l))
	}
	return append(out, m.Centers.RawMatrix().Data...)
}

// modelOf is the model with the numbers, of k clusters of n rows of d columns.
func modelOf(x []float64, n, k, d int) *Model {
	m := &Model{Objective: x[0], Iterations: int(x[1]), Converged: x[2] == 1, Repaired: int(x[3])}
	x = x[4:]
	for _, s := range x[:k] {
		m.Sizes = append(m.Sizes, int(s))
	}
	for _, l := range x[k : k+n] {
		m.Labels = append(m.Labels, int(l))
	}
	m.Centers = mat.NewDense(k, d, x[k+n:])
	return m
}
