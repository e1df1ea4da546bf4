package kmeans

import (
	"context"

	"github.com/eigenmap/eigenmap/methods/method"
	"gonum.org/v1/gonum/mat"
)

// Certain completes how sure the clusters of documents are. own is what the method says itself.
// Distances are to the centre of the document's cluster, in the coordinates at, and with c.Terms in
// those and the terms of the documents' rows x, as [ByTerms] says. Confidences are the
// probability of the cluster if there is a posterior, else [method.Separation] of the distances.
// c.Sizes are the sizes of the fit's clusters, also for new documents; clusters of size 0 count for
// nothing. The second cluster is the most probable other one, or the cluster of the nearest other
// centre. What cannot be known stays nil.
//
// Errors are as for [Margins].
func Certain(ctx context.Context, own method.Certainty, c *method.Clusters, at, x mat.Matrix) (method.Certainty, error) {
	if own.Confidence == nil && c.Posterior != nil {
		own.Confidence = make([]float64, len(c.Labels))
		for i, k := range c.Labels {
			own.Confidence[i] = min(1, max(0, c.Posterior.At(i, k)))
		}
		own.Second = seconds(c)
	}
	if c.Centers == nil || at == nil || own.Distance != nil && own.Confidence != nil {
		return own, nil
	}
	distance, next, other, err := distances(ctx, at, x, c)
	if err != nil {
		return own, err
	}
	if own.Confidence == nil {
		own.Confidence, own.Second = separations(distance, next), other
	}
	if own.Distance == nil {
		own.Distance = distance
	}
	return own, nil
}

// separations are the [method.Separation] of rows.
func separations(own, next []float64) []float64 {
	list := make([]float64, len(own))
	for i, d := range own {
		list[i] = method.Separation(d, next[i])
	}
	return list
}

// seconds are the most probable other clusters, of equally probable ones the lowest; -1 if all
// others have the probability 0.
func seconds(c *method.Clusters) []int {
	list := make([]int, len(c.Labels))
	for i, own := range c.Labels {
		list[i] = -1
		most := 0.0
		for k, p := range c.Posterior.RawRowView(i) {
			if k != own && p > most {
				most, list[i] = p, k
			}
		}
	}
	return list
}
