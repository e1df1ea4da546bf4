package papers

import (
	"context"
	"maps"
	"slices"
	"strconv"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/lecas"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/methods/metrics"
	"gonum.org/v1/gonum/mat"
)

// lecasStore holds what several runs, rows and experiments share. It is safe for several
// goroutines.
type lecasStore struct {
	points memo[*corpus.Corpus, lecasPoints]
	graphs memo[lecasGraphKey, *graph.Graph]
	fits   memo[fitKey, *method.Fitted]
	first  memo[lecasFirstKey, []int]
}

// lecasKept is the number of graphs and of fits that are kept: enough for all rows of a figure and
// two corpora.
const lecasKept = 64

func newLECASStore() *lecasStore {
	s := &lecasStore{}
	s.points.most, s.graphs.most, s.fits.most = 2, lecasKept, lecasKept
	return s
}

// lecasPoints are the rows of a corpus, dense: the neighbours are those in Euclidean distance, and
// in a sparse graph documents without a common term are no neighbours.
type lecasPoints struct {
	x     *mat.Dense
	sigma float64 // mean squared distance
}

// lecasGraphKey names a graph.
type lecasGraphKey struct {
	x                *mat.Dense
	neighbors, sigma string
}

// lecasFirstKey names a first clustering. A corpus is named by its file and mean squared distance,
// so that experiments that each read the file share the clustering.
type lecasFirstKey struct {
	file       string
	sigma      float64
	clustering lecas.Clustering
	seed       uint64
}

// lecasUnit is what first clusterings need beside the unit.
type lecasUnit struct {
	store  *lecasStore
	file   string
	points lecasPoints
}

// unit is a run on a corpus with the settings of the paper and of a row. seed is the seed of the
// first clustering and of k-means; the methods have the seed 0, so that all runs share their fits.
func (s *lecasStore) unit(ctx context.Context, all *corpus.Corpus, row Row, seed uint64) (*Unit, error) {
	points, err := s.points.get(all, func() (lecasPoints, error) {
		x := mat.DenseCopyOf(all.X)
		return lecasPoints{x, graph.MeanSquaredDistance(x)}, ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	settings := map[string]string{"neighbors": strconv.Itoa(lecas.DefaultNeighbors), "sigma": shortest(points.sigma), "dims": strconv.Itoa(lecasDims)}
	maps.Copy(settings, settingsOf(row.Settings))
	u := &Unit{X: points.x, Truth: all.Labels, K: len(all.ClassNames), Starts: seed, settings: settings, compare: pairsAndPurity,
		lecas: &lecasUnit{s, all.Name, points}, fits: &s.fits}
	var neighbors int
	var sigma float64
	if neighbors, err = strconv.Atoi(settings["neighbors"]); err != nil {
		return nil, err
	}
	if sigma, err = strconv.ParseFloat(settings["sigma"], 64); err != nil {
		return nil, err
	}
	if u.most, err = strconv.Atoi(settings["dims"]); err != nil {
		return nil, err
	}
	if text, ok := settings["used"]; ok {
		if u.used, err = strconv.Atoi(text); err != nil {
			return nil, err
		}
	}
	_, u.partial = settings["max-iter"]
	settings["candidates"] = strconv.Itoa(neighbors * 3 / 2) // of S-LE
	key := lecasGraphKey{points.x, settings["neighbors"], settings["sigma"]}
	u.of = key
	u.graph = func(ctx context.Context) (*graph.Graph, error) {
		return s.graphs.get(key, func() (*graph.Graph, error) {
			return graph.Build(ctx, points.x, graph.Options{Neighbors: neighbors, Weight: graph.Heat, HeatWidth: sigma})
		})
	}
	return u, nil
}

// pairsAndPurity are the paper's metrics.
func pairsAndPurity(u *Unit, found []int) ([]float64, error) {
	s, err := metrics.Score(u.Truth, found)
	if err != nil {
		return nil, err
	}
	return []float64{s.FMI, s.FMeasure, s.Purity}, nil
}

// allClasses gives the classes of all documents.
func allClasses(_ context.Context, u *Unit) (*method.Given, error) { return given(u.Truth, u.K), nil }

// firstClusters gives LE-CAS its first clustering. Runs with the same first clusters share the
// embedding.
func firstClusters(by lecas.Clustering) func(context.Context, *Unit) (*method.Given, error) {
	return func(ctx context.Context, u *Unit) (*method.Given, error) {
		l := u.lecas
		found, err := l.store.first.get(lecasFirstKey{l.file, l.points.sigma, by, u.Starts}, func() ([]int, error) {
			choice, err := lecas.ChooseClusters(ctx, u.X, lecas.Search{Clustering: by, Seed: u.Starts})
			if err != nil {
				return nil, err
			}
			return choice.Labels, nil
		})
		if err != nil {
			return nil, err
		}
		return given(found, slices.Max(found)+1), nil
	}
}

// adjustedShare is the share of edges between first clusters.
func adjustedShare(_ *Unit, f *method.Fitted) float64 {
	for _, fact := range f.Facts {
		if share, ok := fact.Value.(float64); ok && fact.ID == "adjusted_edges" {
			return share
		}
	}
	return 0 // no edge is left
}
