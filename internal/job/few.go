package job

import (
	"context"
	"math"

	"github.com/eigenmap/eigenmap/internal/indices"
	"github.com/eigenmap/eigenmap/internal/request"
	"github.com/eigenmap/eigenmap/methods/graph"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/labels"
	"github.com/eigenmap/eigenmap/methods/method"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// fewDocuments is the most documents whose clusters follow the components of their graph alone. In
// larger corpora components count less and less, since a cluster of one or two documents is no
// answer there; from mostFew on they do not count.
const fewDocuments, mostFew = 12, 60

// Few says how far clusters of n documents are those of a few, in which a document without
// neighbours is a cluster of its own: 1 for at most 12 documents, 0 from 60 on, and between them on
// a line.
func Few(n int) float64 {
	return min(1, max(0, float64(mostFew-n)/(mostFew-fewDocuments)))
}

// CountAlone returns how many of the isolated documents of a graph of n count as clusters where
// their number is chosen: all, up to half of the way from 12 documents to 60, or none. The clusters
// then follow the components, so that no counted document divides a group instead.
func (j *Job) CountAlone(n, isolated int) int {
	j.alone = Few(n) >= 0.5 && isolated > 0 && (n <= fewDocuments || j.Spec.ThenKMeans() && j.mayFollow())
	if !j.alone {
		return 0
	}
	return isolated
}

// mayFollow reports whether clusters may follow the components of a graph: no labels and no links
// say what belongs together.
func (j *Job) mayFollow() bool {
	return !j.Share.Divided() && j.Prior.Labels == nil && j.Prior.Groups == nil && j.KMeans.Init != request.InitLabels
}

// followsComponents reports whether the clusters of a fit follow the components of its graph: it is
// of a few documents in several components. Of more than 12 documents there are at least as many
// clusters as components, or the isolated documents were counted.
func (j *Job) followsComponents(f *method.Fitted) bool {
	if f.Graph == nil || f.Landmarks != nil || !j.mayFollow() {
		return false
	}
	n, parts := f.Graph.Len(), f.Graph.Components
	return n < mostFew && parts > 1 && (n <= fewDocuments || j.alone || parts <= j.Clusters)
}

// manyComponents is the least number of clusters that begin as the components of the graph where
// there are as many: a start that places so many centres in so many columns takes long.
const manyComponents = 100

// beginsByComponents reports whether k-means begins once, with the means of the components of the
// fit's graph, instead of with drawn centres: there are as many clusters as components, each of two
// documents or more, and nothing else says how k-means begins.
func (j *Job) beginsByComponents(f *method.Fitted) bool {
	return f.Graph != nil && f.Landmarks == nil && j.mayFollow() && j.KMeans.Init == "" && j.KMeans.Restarts == 0 && j.times == nil &&
		j.Clusters >= manyComponents && f.Graph.Components == j.Clusters && f.Graph.AllIsolated() == 0
}

// componentMeans are the means of the rows of x in each component of the graph.
func componentMeans(x *mat.Dense, g *graph.Graph) *mat.Dense {
	return labels.Means(x, indices.Ints(g.Component), g.Components)
}

// componentGap is the squared entry of a component's column over the sum of squares of all rows,
// for at most 12 documents. For n it is less by the factor (12/n)^componentFade, so that the size
// of a component decides: one of m documents that shares a cluster costs at most 2m times as much.
// Where isolated documents were counted it is not less.
const componentGap, componentFade = 10, 8

// clusterComponents is k-means on the rows of x with the component of each beside them, which an
// isolated document is too: a column for each component. Without fade it is so long that two
// components share a cluster only where there are fewer clusters than components. The smallest ones
// then do.
func clusterComponents(ctx context.Context, x *mat.Dense, component []int32, count int, fade float64, opt kmeans.Options) (*kmeans.Model, error) {
	n, dims := x.Dims()
	total := mat.Norm(x, 2)
	length := math.Sqrt(componentGap*math.Pow(min(1, fewDocuments/float64(n)), fade)) * max(total, 1)
	opt.Aside = nil // of a few documents one without terms that count may have words of its own
	wide := mat.NewDense(n, dims+count, nil)
	for i, c := range component {
		copy(wide.RawRowView(i), x.RawRowView(i))
		wide.Set(i, dims+int(c), length)
	}
	m, err := kmeans.Fit(ctx, wide, opt)
	if m == nil {
		return nil, err
	}
	m.Centers = mat.DenseCopyOf(m.Centers.Slice(0, opt.K, 0, dims))
	m.Objective = 0
	for i, c := range m.Labels {
		d := floats.Distance(x.RawRowView(i), m.Centers.RawRowView(c), 2)
		m.Objective += d * d
	}
	return m, err
}
