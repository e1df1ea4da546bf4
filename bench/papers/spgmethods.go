package papers

import (
	"context"
	"github.com/eigenmap/eigenmap/methods/method"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/methods/nmf"
	"github.com/eigenmap/eigenmap/methods/spca"
	"github.com/eigenmap/eigenmap/methods/spg"
	"gonum.org/v1/gonum/mat"
)

// spgColumns are the paper's methods, in its order.
func spgColumns() []Column {
	return []Column{
		{Method: "kmeans", Name: "Baseline", score: scoreKMeans},
		{Method: "lsi", Name: "LSI", score: scoreLSI},
		{Method: "spca", Name: "SPCA", score: scoreSPCA},
		{Method: "spg", Name: "SPG", score: scoreSPG},
		{Method: "nmf", Name: "NMF", score: scoreNMFByHALS},
	}
}

// scoreNMFByHALS is scoreNMF by the solver that is sooner at the same objective where classes are many.
func scoreNMFByHALS(ctx context.Context, u *Unit, _ uint64) ([]float64, error) {
	m, err := nmf.Fit(ctx, u.X, nmf.Options{Dims: u.K, Weighting: nmf.NCW, Solver: nmf.HALS, Restarts: cleRestarts, Seed: u.Seed})
	if err != nil {
		return nil, err
	}
	return agreement(u, m.Labels)
}

func scoreSPCA(ctx context.Context, u *Unit, _ uint64) ([]float64, error) {
	m, err := spca.Fit(ctx, u.X, spca.Options{Dims: u.K, Terms: method.Amount{Count: u.terms}, Seed: u.Seed})
	if err != nil {
		return nil, err
	}
	_, terms := u.X.Dims()
	return sparseScores(ctx, u, m.Embedding, 1-float64(m.Loadings.NNZ())/float64(terms*u.K))
}

func scoreSPG(ctx context.Context, u *Unit, _ uint64) ([]float64, error) {
	fit := u.sparse
	if fit == nil {
		fit = func(ctx context.Context) (*spg.Model, error) { return fitSPG(ctx, u, u.terms) }
	}
	m, err := fit(ctx)
	if err != nil {
		return nil, err
	}
	if m.Asked != u.terms {
		if m, err = m.WithTerms(ctx, u.terms); err != nil {
			return nil, err
		}
	}
	return sparseScores(ctx, u, m.Embedding, m.Sparsity())
}

// sparseScores clusters the rows of y and adds the share of zeros to the agreement.
func sparseScores(ctx context.Context, u *Unit, y mat.Matrix, zeros float64) ([]float64, error) {
	scores, err := cluster(ctx, u, y)
	return append(scores, zeros), err
}

// fitSPG takes paths to so many terms.
func fitSPG(ctx context.Context, u *Unit, terms int) (*spg.Model, error) {
	g, err := u.Graph(ctx)
	if err != nil {
		return nil, err
	}
	opt := spg.Options{Dims: u.K - 1, Terms: method.Amount{Count: terms}}
	opt.Eigen.Seed = u.Seed
	return spg.FitGraph(ctx, u.X, g, opt)
}

// spgFitsKept is how many draws are at work at once at most before fits are made twice.
const spgFitsKept = 8

// spgDraw is a draw, which its seed names in a corpus. The rows that share it share its fit.
type spgDraw struct {
	all  *corpus.Corpus
	seed uint64
}
