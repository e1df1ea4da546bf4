package job

import (
	"context"

	"github.com/eigenmap/eigenmap/methods/crossval"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/method"
	"gonum.org/v1/gonum/mat"
)

// meanEntries is the largest number of entries of the means that distances are measured to if a
// method keeps no centres: 512 MiB.
const meanEntries = 1 << 26

// HeldOut is what a method did with documents whose known labels were hidden from it.
type HeldOut struct {
	Scores    []float64 // by which the method orders the documents, larger where it is surer
	Right     []bool    // whether each got its class
	Documents int       // distinct ones; a document may be held out several times
}

// leastHeldOut is the number of documents from which the share that got their class says more than
// finding the clusters again does. At an accuracy of 0.8 the standard error of 15 is 0.1, which is
// how far the latter was from the accuracy of runs with so few labels (docs/confidence.md).
const leastHeldOut = 15

// Tells reports whether the documents are enough to calibrate confidences by.
func (h *HeldOut) Tells() bool { return h != nil && h.Documents >= leastHeldOut }

// Add adds documents of the classes truth that got the classes found, -1 for none, with scores. A
// method without scores, for which scores is nil, has nothing to add.
func (h *HeldOut) Add(scores []float64, truth, found []int) {
	for q, s := range scores {
		h.Scores, h.Right = append(h.Scores, s), append(h.Right, truth[q] == found[q])
	}
}

// Share returns the share that got their class, half a document away from 0 and 1, where no
// confidence is.
func (h *HeldOut) Share() float64 {
	n, right := float64(len(h.Right)), 0.0
	for _, ok := range h.Right {
		if ok {
			right++
		}
	}
	return min(max(right, 0.5), n-0.5) / n
}

// Coordinates returns the coordinates in which the clusters of a fit are; nil if the affinity alone
// was given. embedding is what the fit made; nil for none.
func (j *Job) Coordinates(embedding *mat.Dense, found *method.Clusters) mat.Matrix {
	switch {
	case embedding != nil:
		return embedding
	case j.Spec.Yields.Coordinates && found.Posterior != nil: // shares of topics
		return found.Posterior
	case j.X == nil:
		return nil
	}
	return j.X
}

// SetCenters gives clusters without centres the means of their documents in the coordinates at, if
// these are at most 512 MiB.
func (j *Job) SetCenters(found *method.Clusters, at mat.Matrix) {
	if found.Centers != nil || at == nil {
		return
	}
	if _, d := at.Dims(); len(found.Sizes) <= meanEntries/max(1, d) {
		found.Centers = j.SharedMeans(at, found.Labels, len(found.Sizes))
	}
}

// Placed returns the class that a fit gives to each document if these labels are known, -1 for
// none, and the scores by which the method orders the documents; nil if it has none. A cluster
// without a name has the class of most of its known labels.
func (j *Job) Placed(ctx context.Context, fitted *method.Fitted, found *method.Clusters, known []int) (classes []int, scores []float64, err error) {
	classes = crossval.Classes(found.Labels, known, found.Classes, j.Prior.Names)
	at := j.Coordinates(fitted.Embedding, found)
	if found.Posterior == nil && found.Certainty.Confidence == nil {
		j.SetCenters(found, at)
	}
	sure, err := kmeans.Certain(ctx, found.Certainty, found, at)
	if scores = sure.Confidence; sure.Score != nil {
		scores = sure.Score
	}
	return classes, scores, err
}
