package papers

import (
	"context"
	"github.com/eigenmap/eigenmap/methods/method"

	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/methods/gmm"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/lapgmm"
	"github.com/eigenmap/eigenmap/methods/pca"
	"gonum.org/v1/gonum/mat"
)

// lapgmmPrintedColumns is how many of the columns the paper has.
const lapgmmPrintedColumns = 5

// lapgmmColumns are the paper's methods, in its order, and LapGMM as table 1 of the paper has it.
func lapgmmColumns() []Column {
	return []Column{
		{Method: "kmeans", Name: "k-means", score: scoreKMeans},
		{Method: "pca", Name: "PCA + k-means", score: scorePCA},
		{Method: "nmf", Name: "NMF", score: scoreNMFByHALS},
		{Method: "gmm", Name: "GMM", score: scoreGMM},
		{Method: "lapgmm", Name: "LapGMM", score: scoreLapGMM(lapgmm.Restart)},
		{Method: "lapgmm-literal", Name: "LapGMM, table 1", score: scoreLapGMM(lapgmm.Literal)},
	}
}

// lapgmmShare is the part of the variance that the paper's principal components explain.
const lapgmmShare = 0.98

// principal returns the unit's rows in the components of 98 % of their variance: thousands of a text, which are not formed. LAPACK takes 2.8 GB for all of TDT2.
func (u *Unit) principal(ctx context.Context) (*mat.Dense, error) {
	if u.components == nil {
		y, err := pca.Coordinates(ctx, u.X, pca.Options{Amount: method.Amount{Share: lapgmmShare}, Solver: eigen.Dense})
		if err != nil {
			return nil, err
		}
		u.components = y
	}
	return u.components, nil
}

func scorePCA(ctx context.Context, u *Unit, _ uint64) ([]float64, error) {
	y, err := u.principal(ctx)
	if err != nil {
		return nil, err
	}
	return cluster(ctx, u, y)
}

func scoreGMM(ctx context.Context, u *Unit, _ uint64) ([]float64, error) {
	m, err := gmm.Fit(ctx, u.Points, gmm.Options{K: u.K, Seed: u.Seed})
	if err != nil {
		return nil, err
	}
	return agreement(u, m.Labels)
}

func scoreLapGMM(schedule lapgmm.Schedule) func(context.Context, *Unit, uint64) ([]float64, error) {
	return func(ctx context.Context, u *Unit, _ uint64) ([]float64, error) {
		g, err := graph.Build(ctx, u.Points, u.graphOptions)
		if err != nil {
			return nil, err
		}
		opt := u.lapgmm
		opt.K, opt.Seed, opt.Schedule = u.K, u.Seed, schedule
		m, err := lapgmm.FitGraph(ctx, u.Points, g, opt)
		if err != nil {
			return nil, err
		}
		return agreement(u, m.Labels)
	}
}
