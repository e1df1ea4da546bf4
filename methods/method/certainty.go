package method

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// Certainty says how sure the cluster of each document is. A method that finds clusters by
// something else than probabilities or centres fills it in; otherwise the pipeline derives it, as
// [Spec.Confidence] says.
type Certainty struct {
	// Distance is how far each document is from the centre of its cluster; nil: from the rows.
	Distance []float64
	// Confidence is between 0 and 1; nil: derived.
	Confidence []float64
	// Second is the cluster that comes next after the document's, -1 for none; nil: derived where the
	// confidence is.
	Second []int
	// Score is finite and orders the documents as the confidence does, where that is 1 for many up to
	// rounding; nil: the confidence.
	Score []float64
}

// The definitions of confidence, in words.
const (
	byProbability = "the probability of the document's cluster"
	bySeparation  = "1 - d1/d2: d1 is the distance to the centre of the document's cluster, d2 to the nearest other centre " +
		"(the simplified silhouette), at least 0"
)

// Confidence is the definition of a clustering's confidence in words, without a full stop.
func (s Spec) Confidence() string {
	switch {
	case s.Yields.Confidence != "":
		return s.Yields.Confidence
	case s.Yields.Probabilities:
		return byProbability
	}
	return bySeparation
}

// ByShare is the definition of [WinningShare].
const ByShare = "the largest coefficient's share of the sum of the document's coefficients"

// ByMargin is the definition of [HalfMargin].
const ByMargin = "half of the gap between the score of the document's class and the largest other score, between 0 and 1; " +
	"machines learn the scores 1 and -1"

// Separation is 1 − own/next for the distances to the own and to the nearest other centre: 1 on
// the own centre or without another, 0 where the two are equally near, or the other is nearer.
func Separation(own, next float64) float64 {
	switch {
	case math.IsInf(next, 1):
		return 1
	case !(own < next):
		return 0
	}
	return 1 - own/next
}

// WinningShare is the share that coefficients, at least 0, have of the sum of their row; 0 of a row
// of zeros.
func WinningShare(y *mat.Dense, labels []int) []float64 {
	share := make([]float64, len(labels))
	for i, k := range labels {
		sum := 0.0
		for _, v := range y.RawRowView(i) {
			sum += v
		}
		if sum > 0 {
			share[i] = min(1, y.At(i, k)/sum)
		}
	}
	return share
}

// HalfMargin is half of the gap between the score of a document's class and the largest other
// score, cut to [0, 1]; 1 of a single class.
func HalfMargin(scores *mat.Dense, labels []int) []float64 {
	margin := make([]float64, len(labels))
	for i, k := range labels {
		other := math.Inf(-1)
		for c, v := range scores.RawRowView(i) {
			if c != k {
				other = max(other, v)
			}
		}
		margin[i] = min(1, max(0, (scores.At(i, k)-other)/2))
	}
	return margin
}
