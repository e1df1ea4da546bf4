package plsa

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/vecmath"
)

// problem has the data that all restarts share. Ranks may divide the documents; terms and clusters
// are on every rank.
type problem struct {
	*counts
	share    *ranks.Share // divides the documents
	n, p, k  int          // n are own documents
	class    []int32      // clamped class of each document, -1 if there is none
	seeds    []int        // labelled documents of each class, of all ranks
	labelled int          // of all classes
	pseudo   float64      // s, what the prior adds to each term of each cluster
	rows     bands        // X
	cols     bands        // Xᵀ
	norms    []float64    // of the documents; nil if nothing is drawn
	one      []float64    // the terms of a document, of direction
}

// state is one point of the iteration.
type state struct {
	q       block     // n×K: P(z|d)
	theta   block     // p×K: P(w|z)
	weights []float64 // P(z)

	history, loglik []float64
	iterations      int
	converged       bool
}

func newState(pr *problem) *state {
	return &state{q: newBlock(pr.n, pr.k), theta: newBlock(pr.p, pr.k), weights: make([]float64, pr.k)}
}

// overDocuments sets dst, terms × K, to the product of the transposed counts with b, of the
// documents of all ranks. cols are the own rows of the transpose.
func (pr *problem) overDocuments(ctx context.Context, cols bands, dst, b block) error {
	err := cols.mul(ctx, dst, b)
	pr.share.Sum(dst.Data)
	return err
}

// objective sums the log-likelihoods of the ranks' documents, and takes rank 0's value of the
// prior, which every rank computes.
func (pr *problem) objective(loglik, prior float64) (float64, float64) {
	both := [2][]float64{{loglik}, {prior}}
	pr.share.Sum(both[0])
	pr.share.Share(both[1])
	return both[0][0], both[1][0]
}

// weigh sets the weights of s to the sums of the posterior over the documents of all ranks, each
// multiplied by its entry in scale, divided by their sum.
func (pr *problem) weigh(ctx context.Context, s *state, scale []float64) error {
	err := colSums(ctx, s.weights, s.q, scale)
	pr.share.Sum(s.weights)
	normalize(s.weights)
	return err
}

// steps are the halves of an iteration of one kind of model.
type steps interface {
	// begin prepares the posterior of a state with Θ and weights.
	begin(s *state)
	// expect returns the log-likelihood and the log prior of s, and keeps the responsibilities in
	// the form that maximize needs.
	expect(ctx context.Context, s *state) (loglik, prior float64, err error)
	// maximize replaces the parameters by those that fit the responsibilities of the last expect.
	maximize(ctx context.Context, s *state) error
}

// em iterates until the objective no longer rises: from a start, or on from a state that was
// resumed after an M-step. The last step is an expect, so that posterior, Θ and objective belong
// together. step is called after every M-step.
func em(ctx context.Context, m steps, s *state, resumed bool, maxIter int, tol float64, step func(done int) error) error {
	if !resumed {
		s.history, s.loglik, s.iterations, s.converged = nil, nil, 0, false
		m.begin(s)
	}
	for {
		l, prior, err := m.expect(ctx, s)
		if err != nil {
			return err
		}
		s.loglik, s.history = append(s.loglik, l), append(s.history, l+prior)
		if t := len(s.history) - 1; t > 0 && s.history[t]-s.history[t-1] <= tol*math.Abs(s.history[t]) {
			s.converged = true
			return nil
		}
		if s.iterations == maxIter {
			return nil
		}
		if err := m.maximize(ctx, s); err != nil {
			return err
		}
		s.iterations++
		if err := step(s.iterations); err != nil {
			return err
		}
	}
}

// elements is the number of matrix elements in a chunk of a loop: enough to outweigh the cost of
// scheduling, and few enough to check the context often.
const elements = 1 << 14

func grain(width int) int { return max(1, elements/max(1, width)) }

// logarithms sets the first k columns of dst, unless it has no data, to the logarithms of the
// columns of b, and returns their sum.
func logarithms(ctx context.Context, dst, b block, k int) (float64, error) {
	return sumOf(ctx, b.Rows, grain(4*k), func(lo, hi int) float64 {
		sum := 0.0
		var to []float64
		if dst.Data == nil {
			to = make([]float64, k)
		}
		for j := lo; j < hi; j++ {
			if dst.Data != nil {
				to = dst.Data[j*dst.Stride:][:k]
			}
			copy(to, b.Data[j*b.Stride:][:k])
			vecmath.Log(to)
			for _, v := range to {
				sum += v
			}
		}
		return sum
	})
}

// sumOf adds what part returns for each chunk, in the chunks' order.
func sumOf(ctx context.Context, n, grain int, part func(lo, hi int) float64) (float64, error) {
	parts := make([]float64, parallel.Chunks(n, grain))
	err := parallel.For(ctx, n, grain, func(_, lo, hi int) error {
		parts[lo/grain] = part(lo, hi)
		return nil
	})
	sum := 0.0
	for _, v := range parts {
		sum += v
	}
	return sum, err
}

// colSums sets dst to the sums of b's first columns, row i multiplied by scale[i] unless scale is
// nil.
func colSums(ctx context.Context, dst []float64, b block, scale []float64) error {
	k := len(dst)
	g := grain(k)
	parts := make([]float64, parallel.Chunks(b.Rows, g)*k)
	err := parallel.For(ctx, b.Rows, g, func(_, lo, hi int) error {
		to := parts[lo/g*k:][:k]
		for i := lo; i < hi; i++ {
			f := 1.0
			if scale != nil {
				f = scale[i]
			}
			for c, v := range b.Data[i*b.Stride:][:k] {
				to[c] += f * v
			}
		}
		return nil
	})
	clear(dst)
	for i, v := range parts {
		dst[i%k] += v
	}
	return err
}

// distributions makes the columns of theta, words of each term in each cluster, the distributions
// with the highest posterior (equation 6 with the prior): (words + s) / (their sum).
func (pr *problem) distributions(ctx context.Context, theta block) error {
	err := parallel.For(ctx, pr.p, grain(pr.k), func(_, lo, hi int) error {
		for j := lo; j < hi; j++ {
			row := theta.Data[j*theta.Stride:][:pr.k]
			for k := range row {
				row[k] += pr.pseudo
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	words := make([]float64, pr.k)
	if err := colSums(ctx, words, theta, nil); err != nil {
		return err
	}
	return scaleColumns(ctx, theta, words)
}

// scaleColumns divides column k by by[k].
func scaleColumns(ctx context.Context, b block, by []float64) error {
	k := len(by)
	return parallel.For(ctx, b.Rows, grain(k), func(_, lo, hi int) error {
		for j := lo; j < hi; j++ {
			row := b.Data[j*b.Stride:][:k]
			for c := range row {
				row[c] /= by[c]
			}
		}
		return nil
	})
}
