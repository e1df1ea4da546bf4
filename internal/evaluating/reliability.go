package evaluating

import (
	"cmp"
	"context"
	"io"
	"slices"
	"strconv"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/fault"
	"github.com/eigenmap/eigenmap/internal/report"
	"github.com/eigenmap/eigenmap/methods/metrics"
)

// reliabilityGroups is how many groups of documents of neighbouring confidences are compared with
// the shares that are right.
const reliabilityGroups = 10

// reliability compares confidences, as text, "" for none, with what is right: ten groups of equal
// size, by ascending confidence. It is nil if less than ten documents have a confidence.
func reliability(confidence []string, right []bool) []ReliabilityPoint {
	type document struct {
		confidence float64
		right      bool
	}
	var all []document
	for i, text := range confidence {
		if v, err := strconv.ParseFloat(text, 64); err == nil && v >= 0 && v <= 1 {
			all = append(all, document{v, right[i]})
		}
	}
	if len(all) < reliabilityGroups {
		return nil
	}
	slices.SortStableFunc(all, func(a, b document) int { return cmp.Compare(a.confidence, b.confidence) })
	points := make([]ReliabilityPoint, reliabilityGroups)
	for g := range points {
		part := all[g*len(all)/reliabilityGroups : (g+1)*len(all)/reliabilityGroups]
		p := &points[g]
		p.Documents = len(part)
		for _, d := range part {
			p.Confidence += d.confidence / float64(len(part))
			if d.right {
				p.Right += 1 / float64(len(part))
			}
		}
	}
	return points
}

// takeReliability sets Reliability if the prediction has confidences, in the order of classes and
// clusters.
func (v *Evaluation) takeReliability(ctx context.Context, t *metrics.Table, classes, clusters []int) {
	l, err := corpus.ReadLabeling(ctx, v.Prediction, "confidence")
	if err != nil || len(l.Labels) != len(clusters) { // a file of another program
		return
	}
	right := make([]bool, len(clusters))
	for i, k := range clusters {
		if classes[i] < 0 || k < 0 {
			l.Labels[i] = ""
			continue
		}
		class := v.Assignment[slices.Index(t.Clusters, k)]
		right[i] = class >= 0 && t.Classes[class] == classes[i]
	}
	v.Reliability = reliability(l.Labels, right)
}

// WriteReliability draws the reliability of an evaluation as a PNG: the share that is right over
// the mean confidence, where a confidence that says the truth lies on the diagonal.
func (v *Evaluation) WriteReliability(w io.Writer) error {
	var x, y []float64
	for _, p := range v.Reliability {
		x, y = append(x, p.Confidence), append(y, p.Right)
	}
	return fault.Wrap(report.Diagonal(w, "mean confidence", "share that is right", x, y))
}
