package papers

import (
	"context"
	"fmt"
	"slices"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/methods/fastica"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/metrics"
	"github.com/eigenmap/eigenmap/methods/pca"
	"github.com/eigenmap/eigenmap/methods/semildc"
	"github.com/eigenmap/eigenmap/methods/softlda"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

const (
	// semildcKernel is the most bytes of a kernel matrix: 10,000 documents.
	semildcKernel = 800 << 20
	// semildcRotations is the number of steps of FastICA. Discriminants do not depend on the
	// rotation that the steps seek.
	semildcRotations = 5
)

// semildcStore holds what a corpus gives without any labels, for all its rows, runs, methods and
// experiments. It is safe for several goroutines.
type semildcStore struct {
	texts  textCorpora
	rows   memo[mat.Matrix, *sparse.CSR] // of unit length, by the counts
	graphs memo[mat.Matrix, *graph.Graph]
	pca    memo[mat.Matrix, *mat.Dense]
	ica    memo[mat.Matrix, *mat.Dense]
}

func newSemildcStore() *semildcStore {
	s := &semildcStore{}
	s.rows.most, s.graphs.most, s.pca.most, s.ica.most = 2, 2, 2, 2
	return s
}

// unit draws the labels of a run: a share of each class.
func (s *semildcStore) unit(all *corpus.Corpus, row Row, test int, seed uint64) (*Unit, error) {
	counts := all.X.(*sparse.CSR)
	x, err := s.rows.get(all.X, func() (*sparse.CSR, error) { return counts.NormalizeRows(), nil })
	if err != nil {
		return nil, err
	}
	share := row.Value / 100
	known, err := labels.Draw(all.Labels, share, LabelSeed(seed, row.Key, test, share, 0))
	if err != nil {
		return nil, err
	}
	return &Unit{X: x, Counts: counts, Truth: all.Labels, K: len(all.ClassNames), Seed: seed + uint64(test), Starts: seed + uint64(test),
		known: known, compare: unlabelledF1, semildc: s,
		graph: func(ctx context.Context) (*graph.Graph, error) {
			return s.graphs.get(x, func() (*graph.Graph, error) { return graph.Build(ctx, x, graph.Options{}) })
		},
	}, nil
}

// unlabelledF1 is macroF1 by the labels of the unit.
func unlabelledF1(u *Unit, found []int) ([]float64, error) { return macroF1(u.Truth, found, u.known) }

// macroF1 is the mean over the classes of F1 = 2·TP/(2·TP + FP + FN), and the share of right
// answers, both on the documents whose class is not known. Clusters have the classes' names:
// nothing is assigned afterwards.
func macroF1(truth, found, known []int) ([]float64, error) {
	free := make([]int, len(truth)) // -1: known, and left out by NewTable
	for i, k := range known {
		if free[i] = -1; k == labels.Unknown {
			free[i] = truth[i]
		}
	}
	table, err := metrics.NewTable(free, found)
	if err != nil {
		return nil, err
	}
	scores := table.ScoresAs(table.ByLabel())
	return []float64{scores.MacroF1, scores.Accuracy}, nil
}

// principal are the rows in the components that explain 90 % of the variance.
func principal(ctx context.Context, u *Unit) (mat.Matrix, error) {
	return u.semildc.pca.get(u.X, func() (*mat.Dense, error) {
		m, err := pca.Fit(ctx, u.X, pca.Options{Amount: method.Amount{Share: semildc.DefaultShare}, Solver: eigen.Dense})
		if err != nil {
			return nil, fmt.Errorf("principal components: %w", err)
		}
		return m.Embedding, nil
	})
}

// independent are as many independent components, made from the principal ones.
func independent(ctx context.Context, u *Unit) (mat.Matrix, error) {
	return u.semildc.ica.get(u.X, func() (*mat.Dense, error) {
		y, err := principal(ctx, u)
		if err != nil {
			return nil, err
		}
		_, k := y.Dims()
		m, err := fastica.Fit(ctx, y, fastica.Options{Dims: k, MaxIter: semildcRotations})
		if err != nil {
			return nil, fmt.Errorf("independent components: %w", err)
		}
		return m.Embedding, nil
	})
}

// propagated are the principal components in the discriminants of soft labels by label propagation.
// The graph is made of the documents, not of their principal components.
func propagated(ctx context.Context, u *Unit) (mat.Matrix, error) {
	soft, err := Column{Method: "label-propagation", Options: "form=nie"}.fit(ctx, u, 0)
	if err != nil {
		return nil, err
	}
	y, err := principal(ctx, u)
	if err != nil {
		return nil, err
	}
	a, err := softlda.Fit(ctx, y, soft.Clusters.Posterior, softlda.Options{})
	if err != nil {
		return nil, err
	}
	return a.Embedding, nil
}

// boundedCounts are the counts of documents of at most bound times the median length.
func boundedCounts(bound float64) func(context.Context, *Unit) (mat.Matrix, error) {
	return func(_ context.Context, u *Unit) (mat.Matrix, error) { return semildc.BoundLengths(u.Counts, bound) }
}

// countsOfOneWord are the counts over the length of their document.
func countsOfOneWord(_ context.Context, u *Unit) (mat.Matrix, error) {
	return ofLength(u.Counts.(*sparse.CSR), 1), nil
}

// countsOfMedianLength scales short documents up and long ones down.
func countsOfMedianLength(_ context.Context, u *Unit) (mat.Matrix, error) {
	counts := u.Counts.(*sparse.CSR)
	lengths := counts.RowSums()
	slices.Sort(lengths)
	return ofLength(counts, lengths[len(lengths)/2]), nil
}

// ofLength scales documents to a number of words. Empty ones stay empty.
func ofLength(counts *sparse.CSR, words float64) *sparse.CSR {
	factor := counts.RowSums()
	for i, length := range factor {
		factor[i] = words / max(1, length)
	}
	return counts.ScaleRows(factor)
}
