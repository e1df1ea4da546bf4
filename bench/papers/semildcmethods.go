package papers

import (
	"context"
	"fmt"
	"github.com/eigenmap/eigenmap/methods/method"
	"slices"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/methods/ckmeans"
	"github.com/eigenmap/eigenmap/methods/fastica"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/graphssl"
	"github.com/eigenmap/eigenmap/methods/labelprop"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/metrics"
	"github.com/eigenmap/eigenmap/methods/pca"
	"github.com/eigenmap/eigenmap/methods/plsa"
	"github.com/eigenmap/eigenmap/methods/semildc"
	"github.com/eigenmap/eigenmap/methods/softlda"
	"github.com/eigenmap/eigenmap/methods/svm"
	"github.com/eigenmap/eigenmap/methods/tsvm"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

const (
	// semildcKernel bounds a kernel matrix: 10,000 documents.
	semildcKernel = 800 << 20
	// semildcRotations are the steps of FastICA. What follows does not see the rotation that they seek.
	semildcRotations = 5
)

// semildcStore holds what a corpus gives without any labels, for all its rows, runs, methods and experiments. Safe for several goroutines.
type semildcStore struct {
	texts  textCorpora
	data   memo[mat.Matrix, *semildcData] // by the counts
	graphs memo[mat.Matrix, *graph.Graph]
	pca    memo[mat.Matrix, *mat.Dense]
	ica    memo[mat.Matrix, *mat.Dense]
}

func newSemildcStore() *semildcStore {
	s := &semildcStore{}
	s.data.most, s.graphs.most, s.pca.most, s.ica.most = 2, 2, 2, 2
	return s
}

// semildcData are the documents of a corpus.
type semildcData struct {
	counts, x *sparse.CSR // x: rows of unit length
	truth     []int
	classes   int
}

// semildcUnit is what the methods of a run are asked.
type semildcUnit struct {
	*semildcData
	store *semildcStore
	known []int
	seed  uint64
}

// unit draws the labels of a run: a share of each class.
func (s *semildcStore) unit(all *corpus.Corpus, row Row, test int, seed uint64) (*Unit, error) {
	d, err := s.data.get(all.X, func() (*semildcData, error) {
		counts := all.X.(*sparse.CSR)
		return &semildcData{counts, counts.NormalizeRows(), all.Labels, len(all.ClassNames)}, nil
	})
	if err != nil {
		return nil, err
	}
	share := row.Value / 100
	known, err := labels.Draw(d.truth, share, LabelSeed(seed, row.Key, test, share, 0))
	if err != nil {
		return nil, err
	}
	return &Unit{X: d.x, Truth: d.truth, K: d.classes, Seed: seed + uint64(test), semildc: &semildcUnit{d, s, known, seed + uint64(test)}}, nil
}

// scoreUnlabelled is a method that gives all documents a class.
func scoreUnlabelled(classify func(*semildcUnit, context.Context) ([]int, error)) func(context.Context, *Unit, uint64) ([]float64, error) {
	return func(ctx context.Context, u *Unit, _ uint64) ([]float64, error) {
		found, err := classify(u.semildc, ctx)
		if err != nil {
			return nil, err
		}
		return macroF1(u.semildc.truth, found, u.semildc.known)
	}
}

// macroF1 is the mean over the classes of F1 = 2·TP/(2·TP + FP + FN), and the share of right answers, both on the documents whose class is not known.
// Clusters have the classes' names: nothing is assigned afterwards.
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
func (u *semildcUnit) principal(ctx context.Context) (*mat.Dense, error) {
	return u.store.pca.get(u.x, func() (*mat.Dense, error) {
		m, err := pca.Fit(ctx, u.x, pca.Options{Amount: method.Amount{Share: semildc.DefaultShare}, Solver: eigen.Dense})
		if err != nil {
			return nil, fmt.Errorf("principal components: %w", err)
		}
		return m.Embedding, nil
	})
}

// independent are as many independent components, made from the principal ones.
func (u *semildcUnit) independent(ctx context.Context) (*mat.Dense, error) {
	return u.store.ica.get(u.x, func() (*mat.Dense, error) {
		y, err := u.principal(ctx)
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

// graph is the documents' neighbour graph, cosine weights.
func (u *semildcUnit) graph(ctx context.Context) (*graph.Graph, error) {
	return u.store.graphs.get(u.x, func() (*graph.Graph, error) { return graph.Build(ctx, u.x, graph.Options{}) })
}

// semiLDC is algorithm 2 from line 4 on, with soft labels by constrained PLSA or the hard ones, in rows that are reduced already.
func semiLDC(soft semildc.SoftLabels, reduced func(*semildcUnit, context.Context) (*mat.Dense, error)) func(*semildcUnit, context.Context) ([]int, error) {
	return func(u *semildcUnit, ctx context.Context) ([]int, error) {
		y, err := reduced(u, ctx)
		if err != nil {
			return nil, err
		}
		m, err := semildc.Fit(ctx, u.counts, y, u.known, u.classes, semildc.Options{SoftLabels: soft, Reduction: semildc.Raw, Seed: u.seed})
		if err != nil {
			return nil, err
		}
		return m.Labels, nil
	}
}

// semiLDCPropagated is algorithm 2 with soft labels by label propagation over the graph of the documents, not of their principal components.
func (u *semildcUnit) semiLDCPropagated(ctx context.Context) ([]int, error) {
	p, err := u.propagate(ctx)
	if err != nil {
		return nil, err
	}
	y, err := u.principal(ctx)
	if err != nil {
		return nil, err
	}
	a, err := softlda.Fit(ctx, y, p.Posterior, softlda.Options{})
	if err != nil {
		return nil, err
	}
	return u.constrained(ctx, a.Embedding)
}

// softLabels classifies by the soft labels of constrained PLSA alone; measured gives the documents their lengths.
func softLabels(measured func(*sparse.CSR) (*sparse.CSR, error)) func(*semildcUnit, context.Context) ([]int, error) {
	return func(u *semildcUnit, ctx context.Context) ([]int, error) {
		counts, err := measured(u.counts)
		if err != nil {
			return nil, err
		}
		m, err := plsa.Fit(ctx, counts, plsa.Options{K: u.classes, Labels: u.known, Seed: u.seed})
		if err != nil {
			return nil, err
		}
		return m.Labels, nil
	}
}

// allOfOneWord divides documents by their lengths.
func allOfOneWord(counts *sparse.CSR) (*sparse.CSR, error) { return ofLength(counts, 1), nil }

// allOfMedianLength scales short documents up and long ones down.
func allOfMedianLength(counts *sparse.CSR) (*sparse.CSR, error) {
	lengths := counts.RowSums()
	slices.Sort(lengths)
	return ofLength(counts, lengths[len(lengths)/2]), nil
}

// ofLength scales documents to so many words. Empty ones stay empty.
func ofLength(counts *sparse.CSR, words float64) *sparse.CSR {
	factor := counts.RowSums()
	for i, length := range factor {
		factor[i] = words / max(1, length)
	}
	return counts.ScaleRows(factor)
}

func (u *semildcUnit) propagate(ctx context.Context) (*labelprop.Model, error) {
	g, err := u.graph(ctx)
	if err != nil {
		return nil, err
	}
	return labelprop.FitGraph(ctx, g, u.known, u.classes, labelprop.Options{Form: labelprop.Nie})
}

func (u *semildcUnit) labelPropagation(ctx context.Context) ([]int, error) {
	m, err := u.propagate(ctx)
	if err != nil {
		return nil, err
	}
	return m.Labels, nil
}

// graphBased starts from support vector machines that know the labels only.
func (u *semildcUnit) graphBased(ctx context.Context) ([]int, error) {
	start, err := svm.OneVsRest(ctx, u.x, u.known, u.classes, svm.Options{Kernel: svm.Gaussian, Seed: u.seed})
	if err != nil {
		return nil, err
	}
	m, err := graphssl.Fit(ctx, u.x, u.known, u.classes, start.Scores, graphssl.Options{})
	if err != nil {
		return nil, err
	}
	return m.Labels, nil
}

func (u *semildcUnit) transductive(ctx context.Context) ([]int, error) {
	m, err := tsvm.Fit(ctx, u.x, u.known, u.classes, tsvm.Options{SVM: svm.Options{Kernel: svm.Gaussian, CacheBytes: semildcKernel, Seed: u.seed}})
	if err != nil {
		return nil, err
	}
	return m.Labels, nil
}

func (u *semildcUnit) constrainedKMeans(ctx context.Context) ([]int, error) {
	return u.constrained(ctx, u.x)
}

func (u *semildcUnit) constrainedPCA(ctx context.Context) ([]int, error) {
	y, err := u.principal(ctx)
	if err != nil {
		return nil, err
	}
	return u.constrained(ctx, y)
}

func (u *semildcUnit) constrained(ctx context.Context, y mat.Matrix) ([]int, error) {
	m, err := ckmeans.Fit(ctx, y, u.known, u.classes, ckmeans.Options{Seed: u.seed})
	if err != nil {
		return nil, err
	}
	return m.Labels, nil
}
