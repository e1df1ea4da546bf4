package papers

import (
	"context"
	"errors"
	"math"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/eigen"
	"github.com/eigenmap/eigenmap/methods/ggle"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/le"
	"github.com/eigenmap/eigenmap/methods/lecas"
	"github.com/eigenmap/eigenmap/methods/metrics"
	"github.com/eigenmap/eigenmap/methods/scple"
	"github.com/eigenmap/eigenmap/methods/sle"
	"gonum.org/v1/gonum/mat"
)

// lecasStore holds what several runs, rows and experiments share. Safe for several goroutines.
type lecasStore struct {
	points     memo[*corpus.Corpus, lecasPoints]
	graphs     memo[lecasGraphKey, *graph.Graph]
	embeddings memo[lecasEmbeddingKey, lecasEmbedding]
	first      memo[lecasFirstKey, []int]
}

// lecasKept is how many graphs and embeddings are kept: those of all rows of a figure and two corpora.
const lecasKept = 64

// scpleSubspace is wide, for the class graph's largest eigenvalues lie close together: as many as there are classes, or more.
const scpleSubspace = 200

func newLECASStore() *lecasStore {
	s := &lecasStore{}
	s.points.most, s.graphs.most, s.embeddings.most = 2, lecasKept, lecasKept
	return s
}

// lecasPoints are a corpus's rows, dense: Euclidean neighbours are asked for, and those of documents without a common term are none in a
// sparse graph.
type lecasPoints struct {
	x     *mat.Dense
	sigma float64 // mean squared distance
}

type lecasGraphKey struct {
	x         *mat.Dense
	neighbors int
	sigma     float64
}

// lecasEmbeddingKey names an embedding; labels are the first clusters where a method has some.
type lecasEmbeddingKey struct {
	lecasGraphKey
	method string
	most   int
	labels string
}

type lecasEmbedding struct {
	y       *mat.Dense // nil: no edge is left
	between float64    // share of edges between first clusters
}

// lecasFirstKey names a first clustering. Corpora are told by file and mean squared distance, so that experiments share them that read the file anew.
type lecasFirstKey struct {
	file       string
	sigma      float64
	clustering lecas.Clustering
	seed       uint64
}

// lecasUnit is what the methods of a row are asked.
type lecasUnit struct {
	store     *lecasStore
	file      string
	points    lecasPoints
	truth     []int
	classes   int
	seed      uint64
	neighbors int
	sigma     float64
	most      int // eigenvectors computed
	dims      int // and used
	restarts  int // of the eigensolver at most, what it has then is taken; 0: as many as usual, and all is wanted
}

// unit is a run on a corpus with the paper's settings.
func (s *lecasStore) unit(ctx context.Context, all *corpus.Corpus, seed uint64) (*Unit, error) {
	points, err := s.points.get(all, func() (lecasPoints, error) {
		x := mat.DenseCopyOf(all.X)
		return lecasPoints{x, graph.MeanSquaredDistance(x)}, ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	l := &lecasUnit{store: s, file: all.Name, points: points, truth: all.Labels, classes: len(all.ClassNames), seed: seed,
		neighbors: lecas.DefaultNeighbors, sigma: points.sigma, most: lecasDims, dims: lecasDims}
	return &Unit{X: points.x, Truth: all.Labels, K: len(all.ClassNames), Seed: seed, lecas: l}, nil
}

// scoreShared is a method whose embedding is the same in all runs.
func scoreShared(embed func(*lecasUnit, context.Context) (lecasEmbedding, error)) func(context.Context, *Unit, uint64) ([]float64, error) {
	return func(ctx context.Context, u *Unit, _ uint64) ([]float64, error) {
		e, err := embed(u.lecas, ctx)
		if err != nil {
			return nil, err
		}
		return u.lecas.score(ctx, e.y)
	}
}

// scoreLECAS is LE-CAS with a first clustering; the share of edges between its clusters comes last where it is asked.
func scoreLECAS(c lecas.Clustering, share bool) func(context.Context, *Unit, uint64) ([]float64, error) {
	return func(ctx context.Context, u *Unit, _ uint64) ([]float64, error) {
		e, err := u.lecas.cas(ctx, c)
		if err != nil {
			return nil, err
		}
		scores, err := u.lecas.score(ctx, e.y)
		if share {
			scores = append(scores, e.between)
		}
		return scores, err
	}
}

// score clusters the rows of y in the first coordinates; without coordinates all points are one cluster.
func (l *lecasUnit) score(ctx context.Context, y *mat.Dense) ([]float64, error) {
	labels := make([]int, len(l.truth))
	if y != nil {
		n, c := y.Dims()
		first := mat.DenseCopyOf(y.Slice(0, n, 0, min(c, l.dims)))
		// A point whose weights all but vanish has coordinates beyond what can be squared. Clusters do not depend on the scale.
		if most := mat.Norm(first, math.Inf(1)); most > 1e100 {
			first.Scale(1/most, first)
		}
		m, err := kmeans.Fit(ctx, first, kmeans.Options{K: l.classes, Restarts: cleRestarts, Seed: l.seed})
		if err != nil {
			return nil, err
		}
		labels = m.Labels
	}
	s, err := metrics.Score(l.truth, labels)
	if err != nil {
		return nil, err
	}
	return []float64{s.FMI, s.FMeasure, s.Purity}, nil
}

func (l *lecasUnit) graphKey() lecasGraphKey {
	return lecasGraphKey{l.points.x, l.neighbors, l.sigma}
}

func (l *lecasUnit) graph(ctx context.Context) (*graph.Graph, error) {
	return l.store.graphs.get(l.graphKey(), func() (*graph.Graph, error) {
		return graph.Build(ctx, l.points.x, graph.Options{Neighbors: l.neighbors, Weight: graph.Heat, HeatWidth: l.sigma})
	})
}

func (l *lecasUnit) embedded(method, labels string, embed func() (lecasEmbedding, error)) (lecasEmbedding, error) {
	return l.store.embeddings.get(lecasEmbeddingKey{l.graphKey(), method, l.most, labels}, embed)
}

func (l *lecasUnit) le(ctx context.Context) (lecasEmbedding, error) {
	return l.embedded("le", "", func() (lecasEmbedding, error) {
		g, err := l.graph(ctx)
		return l.ofGraph(ctx, g, err)
	})
}

func (l *lecasUnit) sle(ctx context.Context) (lecasEmbedding, error) {
	return l.embedded("s-le", "", func() (lecasEmbedding, error) {
		g, _, err := sle.Graph(ctx, l.points.x, sle.Options{LE: le.Options{Graph: graph.Options{Neighbors: l.neighbors * 3 / 2, Weight: graph.Heat, HeatWidth: l.sigma}}})
		return l.ofGraph(ctx, g, err)
	})
}

func (l *lecasUnit) ggle(ctx context.Context) (lecasEmbedding, error) {
	return l.embedded("ggle", "", func() (lecasEmbedding, error) {
		g, err := ggle.Graph(ctx, l.points.x, ggle.Options{Width: l.sigma, LE: le.Options{Graph: graph.Options{Neighbors: l.neighbors}}})
		return l.ofGraph(ctx, g, err)
	})
}

func (l *lecasUnit) scple(ctx context.Context) (lecasEmbedding, error) {
	return l.embedded("scple", "", func() (lecasEmbedding, error) {
		m, err := scple.Fit(ctx, l.points.x, l.truth, l.classes, scple.Options{LE: le.Options{Dims: l.most, Graph: graph.Options{Neighbors: l.neighbors},
			Eigen: eigen.Options{Subspace: scpleSubspace}}})
		if err != nil {
			return lecasEmbedding{}, err
		}
		return lecasEmbedding{y: m.Embedding}, nil
	})
}

// ofGraph is Laplacian Eigenmaps on a graph that may have come with an error.
func (l *lecasUnit) ofGraph(ctx context.Context, g *graph.Graph, err error) (lecasEmbedding, error) {
	if err != nil {
		return lecasEmbedding{}, err
	}
	dims := min(l.most, g.W.NumRows-g.Components)
	if dims == 0 {
		return lecasEmbedding{}, nil
	}
	m, err := le.FitGraph(ctx, g, le.Options{Dims: dims, Skip: le.SkipZeros, Eigen: eigen.Options{MaxIter: l.restarts}})
	var stopped *eigen.NotConvergedError
	if l.restarts > 0 && errors.As(err, &stopped) && m != nil {
		err = nil
	}
	if err != nil {
		return lecasEmbedding{}, err
	}
	return lecasEmbedding{y: m.Embedding}, nil
}

// cas is LE-CAS. Runs with the same first clusters share the embedding.
func (l *lecasUnit) cas(ctx context.Context, c lecas.Clustering) (lecasEmbedding, error) {
	labels, err := l.store.first.get(lecasFirstKey{l.file, l.points.sigma, c, l.seed}, func() ([]int, error) {
		choice, err := lecas.ChooseClusters(ctx, l.points.x, lecas.Search{Clustering: c, Seed: l.seed})
		if err != nil {
			return nil, err
		}
		return choice.Labels, nil
	})
	if err != nil {
		return lecasEmbedding{}, err
	}
	text := make([]byte, len(labels)) // clusters are ten at most
	for i, k := range labels {
		text[i] = byte(k)
	}
	return l.embedded("le-cas", string(text), func() (lecasEmbedding, error) {
		g, err := l.graph(ctx)
		if err != nil {
			return lecasEmbedding{}, err
		}
		centroids, err := lecas.NewCentroids(ctx, l.points.x, labels, l.sigma)
		if err != nil {
			return lecasEmbedding{}, err
		}
		adjusted, err := centroids.Adjust(g)
		e, err := l.ofGraph(ctx, adjusted, err)
		e.between = shareBetween(g, labels)
		return e, err
	})
}

// shareBetween is the share of edges whose ends have different labels.
func shareBetween(g *graph.Graph, labels []int) float64 {
	across := 0
	for i := range g.W.NumRows {
		js, _ := g.W.Row(i)
		for _, j := range js {
			if labels[i] != labels[j] {
				across++
			}
		}
	}
	return float64(across) / float64(max(1, g.W.NNZ()))
}
