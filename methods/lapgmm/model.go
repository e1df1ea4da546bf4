package lapgmm

import (
	"cmp"
	"context"
	"math"

	"github.com/eigenmap/eigenmap/internal/indices"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/gmm"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/internal/rows"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/progress"
	"gonum.org/v1/gonum/mat"
)

// Model is a fitted mixture. Components are numbered as gmm.Fit numbers them.
type Model struct {
	// Model is the mixture with the results of gmm.Fit. But Posterior is F, the smoothed posterior
	// that the mixture was made from, n×K with rows summing to one, and Labels its greatest
	// component in each row (the lower on a tie): F is P(k|x_i) at the end of table 1, it enters
	// eq. (6), and the authors' program returns it. LogLikelihood and Objective belong to the mixture,
	// without the graph's penalty; the History belongs to the Steps.
	gmm.Model
	// MixturePosterior is P(k|x_i) under the mixture, eq. (8), n×K: what Evaluate returns for the same
	// points, and for new ones. The graph does not enter it: a point between the clusters of its
	// neighbours may have another greatest component there than in Labels.
	MixturePosterior *mat.Dense
	Regularized      float64 // eq. (6) less the penalty of the prior, which the Steps raised: Objective − Penalty
	Penalty          float64 // λ·Σ_k f_kᵀLf_k of the Posterior
	Lambda           float64 // from the options, or by the rule
	From             string  // where the run that is kept started: "k-means", "gmm" or "le"
	Steps            []Step  // of the run that is kept
	gamma            float64 // of the last step
}

// model makes the mixture of the state and the results.
func (f *fitter) model(ctx context.Context, s *state, from string, run int) (*Model, error) {
	if err := f.e.MStep(ctx, s.made, f.m); err != nil {
		return nil, err
	}
	m := &Model{
		Model: gmm.Model{
			Mixture: f.m, Posterior: s.made,
			LogLikelihood: s.value.logLikelihood, Objective: s.value.objective + s.value.penalty,
			Iterations: len(s.history), Converged: s.converged, Restart: run, Shrinkage: f.e.Shrinkage(),
		},
		MixturePosterior: s.posterior, Regularized: s.value.objective, Penalty: s.value.penalty, Lambda: f.opt.Lambda, From: from, Steps: s.history, gamma: s.gamma,
	}
	for _, step := range s.history {
		m.History = append(m.History, gmm.Bound{LogLikelihood: step.LogLikelihood, Objective: step.Objective + step.Penalty, Raised: step.Raised})
	}
	p := float64(m.Parameters())
	m.AIC, m.BIC = 2*p-2*m.LogLikelihood, p*math.Log(float64(f.all))-2*m.LogLikelihood
	m.label(f.opt.Share)
	if f.opt.Start == nil {
		m.bySize(f.opt.Share)
	}
	m.Notes(f.opt.Observer, f.all)
	if empty := m.Empty(); empty > 0 {
		f.opt.Observer.Warnf(stage, "%d of %d components %s no rows: the penalty with λ = %g outweighs what such components bring to the likelihood; a smaller λ keeps them.", empty, f.opt.K, words.Verb(empty, "has", "have"), m.Lambda)
	}
	if !m.Converged {
		f.opt.Observer.Advisef(progress.Convergence, stage, "em-iter=*4", "The fit stopped at iteration %d before the regularised log-likelihood had settled: raise the number of iterations or the tolerance.", m.Iterations)
	}
	return m, nil
}

// label sets Labels and Sizes from the Posterior.
func (m *Model) label(share *ranks.Share) {
	m.Labels = rows.Largest(m.Posterior)
	m.Sizes = ranks.Counts(share, method.SizesOf(m.Labels, m.Posterior.RawMatrix().Cols))
}

// bySize numbers the components by falling size, ties by falling weight, then by number.
func (m *Model) bySize(share *ranks.Share) {
	order := indices.By(len(m.Sizes), func(a, b int) int {
		return cmp.Or(cmp.Compare(m.Sizes[b], m.Sizes[a]), cmp.Compare(m.Weights[b], m.Weights[a]))
	})
	m.Reorder(order)
	room := make([]float64, len(order))
	for _, p := range []*mat.Dense{m.Posterior, m.MixturePosterior} {
		for i := range m.Labels {
			row := p.RawRowView(i)
			copy(room, row)
			for k, from := range order {
				row[k] = room[from]
			}
		}
	}
	m.label(share)
}

// Memory estimates the bytes that [FitGraph] takes besides x and the graph: gmm.Memory, twelve more
// n×K matrices (three of the walk, four of the state and the best start, up to eight of a search,
// less the two of gmm), and 8 bytes per edge of the walk.
func Memory(x mat.Matrix, g *graph.Graph, opt Options) int64 {
	n, _ := x.Dims()
	b := gmm.Memory(x, opt.mixture()) + 12*8*int64(n)*int64(opt.K)
	if g != nil {
		b += 8 * int64(len(g.W.Val))
	}
	return b
}
