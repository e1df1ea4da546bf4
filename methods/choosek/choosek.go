// Package choosek chooses a number of clusters k from a range.
//
// It has five rules. Each gives a score to every k, a [Point]:
//
//   - [Modularity]: the communities of the neighbour graph by Leiden's algorithm and how much
//     modularity is lost when they are merged ([ByCommunities]).
//   - [Eigengap]: λ_{k+1} − λ_k of the Laplacian of a neighbour graph, whose eigenvalues ascend
//     from λ_1 = 0. A graph of k parts with few edges between them has k small eigenvalues and then
//     a gap (von Luxburg 2007, "A tutorial on spectral clustering", section 8.3).
//   - [BIC]: −2 log P(X) + p·ln n of a mixture with p parameters (Schwarz 1978); the smallest is
//     best.
//   - [Silhouette]: the mean silhouette of the clusters (Rousseeuw 1987), on a sample of the rows
//     if there are many.
//   - [Stability]: how well the clusters of two random parts of the documents agree on the
//     documents in both, as the adjusted Rand index (after Ben-Hur, Elisseeff and Guyon 2002).
package choosek

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/eigenmap/eigenmap/internal/indices"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/metrics"
	"github.com/eigenmap/eigenmap/progress"
	"github.com/eigenmap/eigenmap/sparse"
	"gonum.org/v1/gonum/mat"
)

// Rule is a way to score a number of clusters.
type Rule string

// The rules.
const (
	Modularity Rule = "modularity"
	Eigengap   Rule = "eigengap"
	BIC        Rule = "bic"
	Silhouette Rule = "silhouette"
	Stability  Rule = "stability"
)

// Smaller says whether smaller scores are better.
func (r Rule) Smaller() bool { return r == BIC }

// Point is the score of one k. It is NaN if k could not be judged.
type Point struct {
	K     int
	Score float64
	// Error is the standard error of the score, 0 if it has none.
	Error float64
}

// Rank returns the points from the best to the worst under a rule; those without a score are left
// out. Of equal scores the smaller k comes first.
//
// Stability is a special case, because two clusters are often as stable as the true number: the
// best is the largest k whose score is within one standard error of the highest.
func Rank(r Rule, points []Point) []Point {
	list := slices.DeleteFunc(slices.Clone(points), func(p Point) bool { return math.IsNaN(p.Score) || math.IsInf(p.Score, 0) })
	slices.SortFunc(list, func(a, b Point) int {
		better := cmp.Compare(b.Score, a.Score)
		if r.Smaller() {
			better = -better
		}
		return cmp.Or(better, a.K-b.K)
	})
	if r != Stability || len(list) == 0 {
		return list
	}
	best, within := 0, list[0].Score-list[0].Error-1e-12
	for i, p := range list {
		if p.Score >= within && p.K > list[best].K {
			best = i
		}
	}
	p := list[best]
	return slices.Insert(slices.Delete(list, best, best+1), 0, p)
}

// Eigengaps scores k from lo to hi by the gap after the kth eigenvalue. values are the eigenvalues
// in ascending order, after leftOut that are 0. A gap for which a value is missing is NaN.
func Eigengaps(values []float64, leftOut, lo, hi int) []Point {
	at := func(i int) float64 { // λ_i, counted from 1
		switch {
		case i <= leftOut:
			return 0
		case i-leftOut <= len(values):
			return values[i-leftOut-1]
		}
		return math.NaN()
	}
	points := make([]Point, 0, hi-lo+1)
	for k := lo; k <= hi; k++ {
		points = append(points, Point{K: k, Score: at(k+1) - at(k)})
	}
	return points
}

// sampleStream and pairStream keep the draws of this package apart from other uses of a seed.
const (
	sampleStream = 0x73616d706c65
	pairStream   = 0x7061697273
)

// Sample draws most of n rows, ascending; all of them if there are no more.
func Sample(n, most int, seed uint64) []int {
	return sampled(rand.New(rand.NewPCG(seed, sampleStream)), n, most)
}

func sampled(rng *rand.Rand, n, most int) []int {
	all := indices.UpTo(n)
	if n <= most {
		return all
	}
	for i := range most { // the first draws of a shuffle
		j := i + rng.IntN(n-i)
		all[i], all[j] = all[j], all[i]
	}
	rows := all[:most]
	slices.Sort(rows)
	return rows
}

// Rows are the given rows of x: *sparse.CSR of one, else *mat.Dense.
func Rows(x mat.Matrix, rows []int) mat.Matrix {
	if s, ok := x.(sparse.Rows); ok {
		return s.Select(rows)
	}
	_, cols := x.Dims()
	out := mat.NewDense(len(rows), cols, nil)
	dense, isDense := x.(*mat.Dense)
	for to, i := range rows {
		if isDense {
			copy(out.RawRowView(to), dense.RawRowView(i))
			continue
		}
		for j := range cols {
			out.Set(to, j, x.At(i, j))
		}
	}
	return out
}

// Silhouettes are the mean silhouettes of clusterings of the rows of x, measured on the given rows
// alone. A clustering of fewer than two clusters there has NaN. rows nil: all rows.
func Silhouettes(ctx context.Context, x mat.Matrix, rows []int, labelings [][]int, obs progress.Observer) ([]float64, error) {
	if n, _ := x.Dims(); rows != nil && len(rows) < n {
		x = Rows(x, rows)
		own := make([][]int, len(labelings))
		for i, one := range labelings {
			own[i] = labels.Pick(one, rows)
		}
		labelings = own
	}
	all, err := metrics.SilhouetteEach(ctx, x, labelings, obs)
	if err != nil {
		return nil, err
	}
	means := make([]float64, len(all))
	for i, s := range all {
		means[i] = s.Mean
		if distinct(labelings[i]) < 2 {
			means[i] = math.NaN()
		}
	}
	return means, nil
}

func distinct(labels []int) int {
	seen := map[int]bool{}
	for _, l := range labels {
		seen[l] = true
	}
	return len(seen)
}

// A Cluster clusters some of the documents: rows of the data, ascending. It returns the cluster of
// each of these.
type Cluster func(ctx context.Context, rows []int, seed uint64) ([]int, error)

// Agreement is the stability of a clustering of n documents: of each of pairs draws of two parts of
// the documents, both of the given share, the adjusted Rand index of the two clusterings on the
// documents in both. It returns the mean and its standard error. The parts depend on the seed
// alone, so that several numbers of clusters are compared on the same ones.
//
// It returns an error (fs.ErrInvalid) for parts of fewer than two documents, and the errors of
// cluster.
func Agreement(ctx context.Context, n, pairs int, share float64, seed uint64, cluster Cluster) (mean, stderr float64, err error) {
	size := int(share * float64(n))
	if size < 2 || pairs < 1 {
		return 0, 0, invalid.Errorf("%d documents are too few to compare clusters of parts of them", n)
	}
	rng := rand.New(rand.NewPCG(seed, pairStream))
	scores := make([]float64, 0, pairs)
	for p := range pairs {
		one, two := sampled(rng, n, size), sampled(rng, n, size)
		a, err := cluster(ctx, one, seed+2*uint64(p))
		if err != nil {
			return 0, 0, err
		}
		b, err := cluster(ctx, two, seed+2*uint64(p)+1)
		if err != nil {
			return 0, 0, err
		}
		ofA, ofB := common(one, two, a, b)
		t, err := metrics.NewTable(ofA, ofB)
		if err != nil {
			return 0, 0, err
		}
		scores = append(scores, t.Scores().ARI)
	}
	mean, stderr = MeanError(scores)
	return mean, stderr, nil
}

// common are the labels of the documents that are in both lists, which ascend.
func common(one, two, a, b []int) (ofA, ofB []int) {
	i, j := 0, 0
	for i < len(one) && j < len(two) {
		switch {
		case one[i] < two[j]:
			i++
		case one[i] > two[j]:
			j++
		default:
			ofA, ofB = append(ofA, a[i]), append(ofB, b[j])
			i, j = i+1, j+1
		}
	}
	return ofA, ofB
}

// MeanError is the mean of numbers and its standard error, s/√n with s² of n − 1; 0 for fewer than
// two. The mean of none is NaN.
func MeanError(x []float64) (mean, stderr float64) {
	n := float64(len(x))
	if n == 0 {
		return math.NaN(), 0
	}
	for _, v := range x {
		mean += v / n
	}
	if n < 2 {
		return mean, 0
	}
	for _, v := range x {
		stderr += (v - mean) * (v - mean)
	}
	return mean, math.Sqrt(stderr / (n - 1) / n)
}
