package semildc

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/shares"
	"gonum.org/v1/gonum/mat"
)

// rounds is the most times that documents and centres take turns under priors.
const rounds = 20

// leastPrior is the smallest prior that an estimate sets.
const leastPrior = 1e-6

// prefer assigns the documents again, to the class of the largest posterior under normal
// distributions of one variance σ² around the centres, with the priors: the class of the smallest
// ‖y − m_c‖² − 2σ² ln prior_c. Documents and centres take turns as in k-means, until no document
// changes.
//
// All centres moved by one vector t have these classes nearest, if 2 m_c·t = −2σ² ln prior_c plus a
// constant, which K centres in K − 1 dimensions allow. So the model keeps the moved centres, and
// new documents go by the nearest one as before.
func (m *Model) prefer(ctx context.Context, known []int, priors []float64) error {
	n, dims := m.Embedding.Dims()
	constrained := m.Options.Rule != "seeded"
	c := m.Clusters
	c.Centers = labels.Means(m.Embedding, known, len(priors))
	for range rounds {
		spread := 0.0
		for i, k := range c.Labels {
			spread += sqDist(m.Embedding.RawRowView(i), c.Centers.RawRowView(k))
		}
		moved, ok := shifted(c.Centers, priors, spread/float64(n*dims))
		if !ok {
			return nil
		}
		next, err := (&kmeans.Model{Centers: moved}).Predict(ctx, m.Embedding)
		if err != nil {
			return err
		}
		same := true
		for i, k := range known {
			if k != labels.Unknown && constrained {
				next[i] = k
			}
			same = same && next[i] == c.Labels[i]
		}
		c.Labels, m.Labels = next, next
		if same {
			c.Centers = moved
			return nil
		}
		c.Iterations++
		centers := labels.Means(m.Embedding, next, len(priors))
		c.Sizes = make([]int, len(priors))
		for _, k := range next {
			c.Sizes[k]++
		}
		for k, size := range c.Sizes {
			if size == 0 { // a cluster without documents stays where it was
				centers.SetRow(k, c.Centers.RawRowView(k))
			}
		}
		c.Centers, c.Objective = centers, 0
		for i, k := range next {
			c.Objective += sqDist(m.Embedding.RawRowView(i), c.Centers.RawRowView(k))
		}
	}
	return nil
}

// balanced are soft labels scaled so that as many documents without a label have their largest one
// in a class as its prior says.
func balanced(soft *mat.Dense, known []int, priors []float64) *mat.Dense {
	out := mat.DenseCopyOf(soft)
	var open []float64
	for i, k := range known {
		if k == labels.Unknown {
			open = append(open, soft.RawRowView(i)...)
		}
	}
	factors := shares.Match(open, priors)
	for i, k := range known {
		row, sum := out.RawRowView(i), 0.0
		for c, f := range factors {
			sum += row[c] * f
		}
		if k != labels.Unknown || !(sum > 0) {
			continue
		}
		for c, f := range factors {
			row[c] *= f / sum
		}
	}
	return out
}

// shifted are the centres moved by the shortest t with 2 (m_c − m̄)·t = −2σ² (ln prior_c − mean) in
// least squares; ok is false if there is none.
func shifted(centers *mat.Dense, priors []float64, variance float64) (moved *mat.Dense, ok bool) {
	k, d := centers.Dims()
	a, b := mat.NewDense(k, d, nil), mat.NewDense(k, 1, nil)
	mean, level := make([]float64, d), 0.0
	for c, p := range priors {
		level += math.Log(p) / float64(k)
		for j, v := range centers.RawRowView(c) {
			mean[j] += v / float64(k)
		}
	}
	for c, p := range priors {
		for j, v := range centers.RawRowView(c) {
			a.Set(c, j, v-mean[j])
		}
		b.Set(c, 0, -variance*(math.Log(p)-level))
	}
	var s mat.SVD
	if !s.Factorize(a, mat.SVDThin) {
		return nil, false
	}
	rank := s.Rank(1e-8)
	if rank == 0 {
		return nil, false
	}
	var t mat.Dense
	s.SolveTo(&t, b, rank)
	moved = mat.DenseCopyOf(centers)
	for c := range k {
		for j, v := range moved.RawRowView(c) {
			moved.Set(c, j, v+t.At(j, 0))
		}
	}
	return moved, true
}

func sqDist(a, b []float64) float64 {
	s := 0.0
	for j, v := range a {
		s += (v - b[j]) * (v - b[j])
	}
	return s
}
