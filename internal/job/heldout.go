package job

import (
	"context"
	"math"

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
	Left      []int     // labels of its class that the method knew
	Documents int       // distinct ones; a document may be held out several times
}

// leastHeldOut is the number of documents from which the share that got their class says more than
// finding the clusters again does. At an accuracy of 0.8 the standard error of 15 is 0.1, which is
// how far the latter was from the accuracy of runs with so few labels (docs/confidence.md).
const leastHeldOut = 15

const (
	// fewHeldOut is the number of documents from which they alone say what share is right. To fewer
	// n, mostMore·(fewHeldOut/n − 1) more are added, of which usualShare are right.
	fewHeldOut, mostMore, usualShare = 40, 4, 0.75
	// lackOfLabels is by how much the log-odds of a class with one label are below those of a class
	// with very many. These numbers were chosen on Debian's, Reuters and CNAE-9 (docs/confidence.md).
	lackOfLabels = 1.5
)

// Tells reports whether the documents are enough to calibrate confidences by.
func (h *HeldOut) Tells() bool { return h != nil && h.Documents >= leastHeldOut }

// Add adds documents of the classes truth that got the classes found, -1 for none, with scores, by
// a fit that knew the number left of labels of each class. A method without scores, for which
// scores is nil, has nothing to add.
func (h *HeldOut) Add(scores []float64, truth, found []int, left map[int]int) {
	for q, s := range scores {
		h.Scores, h.Right = append(h.Scores, s), append(h.Right, truth[q] == found[q])
		h.Left = append(h.Left, left[truth[q]])
	}
}

// LabelsPerClass returns how many known labels each class has.
func LabelsPerClass(known []int) map[int]int {
	list := map[int]int{}
	for _, k := range known {
		list[k]++
	}
	return list
}

// Share returns the share of the documents that are expected to get their class, between 0 and 1.
// labels says how many known labels the class of each of them has, as far as the fit can tell.
//
// The log-odds that a document gets its class are a − 1.5/√m, where m is the number of labels of
// its class that the fit knew. A fit with hidden labels knew fewer than the run, and the only label
// of a class is never hidden, so that the share of the documents held out is not the documents'. a
// is the most likely one for them. n < 40 of them say little, and 160/n − 4 documents more count,
// three in four of them right, at the documents' mean of 1/√m. A document that was held out several
// times counts once. The share is at least half a document of n away from 0 and 1. O(documents).
func (h *HeldOut) Share(labels []int) float64 {
	lack := func(m int) float64 { return lackOfLabels / math.Sqrt(float64(max(1, m))) }
	right := func(odds float64) float64 { return 1 / (1 + math.Exp(-odds)) }
	n, mean := float64(len(labels)), 0.0
	for _, m := range labels {
		mean += lack(m) / n
	}
	each := float64(h.Documents) / float64(len(h.Right))
	more := mostMore * max(0, fewHeldOut/float64(h.Documents)-1)
	lo, hi := -60.0, 60.0
	for range 60 {
		a := (lo + hi) / 2
		slope := more * (usualShare - right(a-mean)) // of the log-likelihood by a
		for q, ok := range h.Right {
			if slope -= each * right(a-lack(h.Left[q])); ok {
				slope += each
			}
		}
		if slope > 0 {
			lo = a
		} else {
			hi = a
		}
	}
	share := 0.0
	for _, m := range labels {
		share += right(lo-lack(m)) / n
	}
	least := 0.5 / float64(h.Documents)
	return min(max(share, least), 1-least)
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
	sure, err := kmeans.Certain(ctx, found.Certainty, found, at, j.X)
	if scores = sure.Confidence; sure.Score != nil {
		scores = sure.Score
	}
	return classes, scores, err
}
