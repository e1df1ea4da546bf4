package plsa

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/internal/indices"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/parallel"
	"github.com/eigenmap/eigenmap/internal/vecmath"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/native"
	"gonum.org/v1/gonum/mat"
)

// Model is a fitted model. With labels cluster k is class k; without, clusters are numbered by
// falling weight.
type Model struct {
	Kind      Kind
	Posterior *mat.Dense // n×K: P(z|d), rows sum to one; exactly 0 and 1 for labelled documents; the weights for empty ones without a label
	Terms     *mat.Dense // K×p: P(w|z), positive, rows sum to one
	Weights   []float64  // P(z): the mean posterior of the documents (of the words for Aspect)
	Labels    []int      // the most probable cluster of each document, the lower one on a tie

	// History is the objective, log-likelihood + log prior (up to constants), at the start and after
	// each M-step. It never falls except by rounding, about 1e-15 of the words and of itself.
	// LogLikelihoods are its first part.
	History, LogLikelihoods []float64

	Iterations int  // M-steps of the run that is kept
	Converged  bool // the last of them raised the objective by no more than Tol
	Restart    int  // which run that is, from 0
}

func newModel(ctx context.Context, pr *problem, s *state, at int, opt Options) (*Model, error) {
	ctx, _ = opt.Share.Watch(ctx)
	order := indices.UpTo(pr.k)
	if pr.labelled == 0 {
		order = indices.Falling(s.weights)
	}
	m := &Model{Kind: opt.Kind, Weights: make([]float64, pr.k), Terms: mat.NewDense(pr.k, pr.p, nil),
		History: s.history, LogLikelihoods: s.loglik, Iterations: s.iterations, Converged: s.converged, Restart: at}
	for to, c := range order {
		m.Weights[to] = s.weights[c]
	}
	err := parallel.For(ctx, pr.p, grain(pr.k), func(_, lo, hi int) error {
		for to, c := range order {
			terms := m.Terms.RawRowView(to)
			for j := lo; j < hi; j++ {
				terms[j] = s.theta.Data[j*s.theta.Stride+c]
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	row := make([]float64, pr.k)
	for i := range pr.n {
		from := s.q.Data[i*s.q.Stride:]
		for to, c := range order {
			row[to] = from[c]
		}
		if opt.Kind == Aspect && pr.length[i] == 0 && pr.class[i] < 0 {
			copy(row, m.Weights)
		}
		copy(s.q.Data[i*pr.k:], row) // rows before this one have been read
	}
	m.Posterior = mat.NewDense(pr.n, pr.k, s.q.Data[:pr.n*pr.k:pr.n*pr.k])
	m.Labels = rows.Largest(m.Posterior)
	return m, nil
}

// The iteration of P(z|d) for new documents of the aspect model.
const foldInIterations, foldInTol = 1000, 1e-10

// FoldIn returns P(z|d), rows × K, for the rows of x, with Terms (and for [Clustering] Weights) as
// they are: one E-step for [Clustering]; for [Aspect] the maximum of each document's likelihood, by
// EM from equal shares, until a step raises it by less than 1e-10 per word, 1000 steps at most.
// Rows without a word get Weights. Labels have no influence. x must have the columns that the model
// was fitted on; errors of the data are as for [Fit].
func (m *Model) FoldIn(ctx context.Context, x mat.Matrix) (*mat.Dense, error) {
	if m.Terms == nil || m.Terms.IsEmpty() || len(m.Weights) == 0 {
		return nil, invalid.Errorf("the PLSA model has no terms: fit it first")
	}
	k, p := m.Terms.Dims()
	c, err := readCounts(ctx, x)
	if err == nil {
		err = c.join(nil)
	}
	if err != nil {
		return nil, err
	}
	if c.x.NumCols != p {
		return nil, invalid.Errorf("the documents have %d terms, but the PLSA model was fitted on %d", c.x.NumCols, p)
	}
	defer native.Parallel()()
	theta, q := newBlock(p, k), newBlock(c.x.NumRows, k)
	err = parallel.For(ctx, p, grain(k), func(_, lo, hi int) error {
		for z := range k {
			terms := m.Terms.RawRowView(z)
			for j := lo; j < hi; j++ {
				theta.Data[j*theta.Stride+z] = terms[j]
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if m.Kind == Aspect {
		err = foldAspects(ctx, c, q, theta, m.Weights)
	} else if _, err = logarithms(ctx, theta, theta, k); err == nil {
		if err = newBands(c.x, k).mul(ctx, q, theta); err == nil {
			_, err = posterior(ctx, q, m.Weights, nil)
		}
	}
	if err != nil {
		return nil, err
	}
	dst := mat.NewDense(c.x.NumRows, k, nil)
	for i := range c.x.NumRows {
		copy(dst.RawRowView(i), q.Data[i*q.Stride:])
	}
	return dst, nil
}

func foldAspects(ctx context.Context, c *counts, q, theta block, weights []float64) error {
	k := len(weights)
	longest := c.longest()
	scratch := make([][3][]float64, parallel.Workers(c.x.NumRows, 1))
	for w := range scratch {
		scratch[w] = [3][]float64{make([]float64, q.Stride), make([]float64, longest), make([]float64, longest)}
	}
	return parallel.For(ctx, c.x.NumRows, 1, func(w, i, _ int) error {
		now := q.Data[i*q.Stride:][:q.Stride]
		if c.length[i] == 0 {
			copy(now, weights)
			return nil
		}
		for z := range k {
			now[z] = 1 / float64(k)
		}
		cols, vals := c.x.Row(i)
		acc, probs, ratios := scratch[w][0], scratch[w][1][:len(vals)], scratch[w][2][:len(vals)]
		last := math.Inf(-1)
		for range foldInIterations {
			if err := ctx.Err(); err != nil {
				return err
			}
			clear(acc)
			sweep(acc, now, theta, cols, vals, probs, ratios)
			loglik := 0.0
			vecmath.Log(probs)
			for e, v := range probs {
				loglik += vals[e] * v
			}
			if loglik-last <= foldInTol*c.length[i] {
				return nil
			}
			last = loglik
			mixed(now, now, acc)
		}
		return nil
	})
}
