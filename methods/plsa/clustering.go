package plsa

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/internal/vecmath"
)

// mixture is the clustering model.
type mixture struct {
	pr       *problem
	logTheta block // p×K
}

func newMixture(pr *problem) *mixture { return &mixture{pr: pr, logTheta: newBlock(pr.p, pr.k)} }

func (m *mixture) begin(*state) {}

// expect is equation 4, normalised, and lines 6 to 9 of algorithm 1.
func (m *mixture) expect(ctx context.Context, s *state) (loglik, prior float64, err error) {
	logs, err := logarithms(ctx, m.logTheta, s.theta, m.pr.k)
	if err != nil {
		return 0, 0, err
	}
	if err := m.pr.rows.mul(ctx, s.q, m.logTheta); err != nil {
		return 0, 0, err
	}
	loglik, err = posterior(ctx, s.q, s.weights, m.pr.class)
	loglik, prior = m.pr.objective(loglik, m.pr.pseudo*logs)
	return loglik, prior, err
}

// posterior turns rows of log P(d|z) into P(z|d), clamped if class is not nil and not negative, and
// returns the log-likelihood.
func posterior(ctx context.Context, q block, weights []float64, class []int32) (float64, error) {
	k := len(weights)
	logWeights := make([]float64, k)
	for c, w := range weights {
		logWeights[c] = math.Log(w) // -Inf for a cluster that lost all documents: it gets none back
	}
	return sumOf(ctx, q.Rows, grain(4*k), func(lo, hi int) float64 {
		sum := 0.0
		for i := lo; i < hi; i++ {
			row := q.Data[i*q.Stride:][:k]
			if class != nil && class[i] >= 0 {
				y := class[i]
				sum += row[y] + logWeights[y]
				clear(row)
				row[y] = 1
				continue
			}
			sum += softMax(row, logWeights)
		}
		return sum
	})
}

// softMax replaces row by exp(row + shift) divided by their sum and returns the sum's logarithm. At
// least one shift is finite.
func softMax(row, shift []float64) float64 {
	top := math.Inf(-1)
	for c := range row {
		row[c] += shift[c]
		top = max(top, row[c])
	}
	for c := range row {
		row[c] -= top
	}
	vecmath.Exp(row)
	sum := 0.0
	for _, e := range row {
		sum += e
	}
	for c := range row {
		row[c] /= sum
	}
	return top + math.Log(sum)
}

// maximize is equations 5 and 6.
func (m *mixture) maximize(ctx context.Context, s *state) error {
	pr := m.pr
	if err := pr.overDocuments(ctx, pr.cols, s.theta, s.q); err != nil {
		return err
	}
	if err := pr.distributions(ctx, s.theta); err != nil {
		return err
	}
	return pr.weigh(ctx, s, nil)
}

// normalize divides v by its sum.
func normalize(v []float64) {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	for i := range v {
		v[i] /= sum
	}
}
