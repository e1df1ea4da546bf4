package kmeans

import (
	"context"

	"github.com/eigenmap/eigenmap/methods/method"
	"gonum.org/v1/gonum/mat"
)

// Certain completes how sure the clusters of documents are. own is what the method says itself.
// Distances are to the centre of the document's cluster, in the coordinates at. Confidences are the
// probability of the cluster if there is a posterior, else [method.Separation] of the distances.
// c.Sizes are the sizes of the fit's clusters, also for new documents; clusters of size 0 count for
// nothing. What cannot be known stays nil.
//
// Errors are as for [Margins].
func Certain(ctx context.Context, own method.Certainty, c *method.Clusters, at mat.Matrix) (method.Certainty, error) {
	if own.Confidence == nil && c.Posterior != nil {
		own.Confidence = make([]float64, len(c.Labels))
		for i, k := range c.Labels {
			own.Confidence[i] = min(1, max(0, c.Posterior.At(i, k)))
		}
	}
	if c.Centers == nil || at == nil || own.Distance != nil && own.Confidence != nil {
		return own, nil
	}
	distance, next, err := Margins(ctx, at, c.Centers, c.Sizes, c.Labels)
	if err != nil {
		return own, err
	}
	if own.Confidence == nil {
		own.Confidence = make([]float64, len(c.Labels))
		for i, d := range distance {
			own.Confidence[i] = method.Separation(d, next[i])
		}
	}
	if own.Distance == nil {
		own.Distance = distance
	}
	return own, nil
}
