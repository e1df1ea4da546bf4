package eigenmap

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/eigenmap/eigenmap/internal/confidence"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/method"
	"gonum.org/v1/gonum/mat"
)

// Rejected is the cluster of a document whose confidence is below Options.Reject.
const Rejected = -1

// meanEntries is the largest number of entries of the means that distances are measured to if a
// method keeps no centres: 512 MiB.
const meanEntries = 1 << 26

// measure finds how sure the clusters of a fit are. Documents without a centre to compare with get
// the mean of their cluster.
func (r *Run) measure(ctx context.Context) error {
	defer r.j.Stage("confidence")()
	at := r.coordinates()
	if c := r.Found; c.Centers == nil && at != nil {
		if _, d := at.Dims(); len(c.Sizes) <= meanEntries/max(1, d) {
			c.Centers = r.j.SharedMeans(at, c.Labels, len(c.Sizes))
		}
	}
	err := r.assess(ctx, at, r.Found.Sizes, r.alone(), nil)
	if err == nil {
		r.Posterior = r.j.Collected(r.Posterior)
	}
	return err
}

// coordinates are those in which a fit has its clusters; nil if the affinity alone was given.
func (r *Run) coordinates() mat.Matrix {
	switch {
	case r.Embedding != nil:
		return r.Embedding
	case r.j.Spec.Yields.Coordinates && r.Posterior != nil: // shares of topics
		return r.Found.Posterior
	case r.j.X == nil:
		return nil
	}
	return r.j.X
}

// alone are the documents without terms or without neighbours, ascending.
func (r *Run) alone() []int {
	list := slices.Clone(r.Fitted.Alone())
	if r.j.X != nil {
		list = append(list, method.WithoutEntries(r.j.X)...)
	}
	slices.Sort(list)
	return r.j.AllNumbers(slices.Compact(list))
}

// assess takes distances and confidences of r.clusters in the coordinates at. sizes are the
// sizes of the clusters that the fit found: of new documents the training documents', so that
// nothing depends on the other new ones. The confidence of an isolated document is 0.
func (r *Run) assess(ctx context.Context, at mat.Matrix, sizes, isolated, known []int) error {
	here := *r.Found
	here.Labels, here.Sizes = ranks.Own(r.j.Share, here.Labels), sizes
	sure, err := kmeans.Certain(ctx, here.Certainty, &here, at)
	if err = ranks.Agree(r.j.Share, err); err != nil {
		return err
	}
	sure.Distance, sure.Confidence = ranks.GatherFloats(r.j.Share, sure.Distance), ranks.GatherFloats(r.j.Share, sure.Confidence)
	r.Distance, r.Confidence, r.isolated, r.known = sure.Distance, sure.Confidence, isolated, known
	r.Second = ranks.GatherInts(r.j.Share, sure.Second)
	if r.orders = sure.Confidence; sure.Score != nil {
		r.orders = ranks.GatherFloats(r.j.Share, sure.Score)
	}
	if r.Confidence == nil {
		if r.j.Reject > 0 || r.j.RejectShare > 0 {
			return invalid.Errorf("‹reject› has no effect here: the method %s knows no confidence of these documents: leave it out", r.Found.By)
		}
		return nil
	}
	if len(isolated) > 0 {
		r.Confidence = slices.Clone(r.Confidence)
		r.Second = slices.Clone(r.Second)
		for _, i := range isolated {
			if r.Confidence[i] = 0; r.Second != nil {
				r.Second[i] = Rejected
			}
		}
	}
	return nil
}

// calibrate replaces the scores of the documents by calibrated confidences. config are the options
// of the method before the fit.
func (r *Run) calibrate(ctx context.Context, config method.Options) (err error) {
	if r.orders == nil || r.j.Confidence == confidence.ConfidenceRaw {
		return nil
	}
	if r.calibration, err = confidence.Calibrate(ctx, r.j, config, r.Labels, len(r.Sizes), r.orders); err != nil || r.calibration == nil {
		return err
	}
	r.Confidence = r.calibration.Of(r.orders)
	for _, i := range r.isolated {
		r.Confidence[i] = 0
	}
	return nil
}

// reject takes documents with a confidence below ‹reject› out of their clusters, or the share
// ‹reject-share› of the documents that have the least; of equal ones all or none.
func (r *Run) reject() {
	if r.Confidence == nil {
		return
	}
	if share := r.j.RejectShare; share > 0 {
		sorted := slices.Sorted(slices.Values(r.Confidence))
		r.RejectBelow = sorted[min(int(share*float64(len(sorted))+1e-9), len(sorted)-1)]
	}
	limit := r.RejectBelow
	if limit == 0 {
		return
	}
	kept := slices.Clone(r.Labels)
	sizes := make([]int, len(r.Sizes))
	for i, k := range kept {
		if r.Confidence[i] < limit {
			kept[i] = Rejected
			r.RejectedCount++
		} else {
			sizes[k]++
		}
	}
	r.Labels, r.Sizes = kept, sizes
	text := fmt.Sprintf("%s below %.3g and %s left in no cluster (-1): %d of %s.", words.Plural(r.RejectedCount, "document has a confidence", "documents have a confidence"),
		limit, isAre(r.RejectedCount), r.RejectedCount, words.Thousands(len(kept)))
	if r.Corpus.Labels != nil {
		text += " The scores cover the others."
	}
	r.j.Note(text)
}

func isAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

// certaintyCells are the last columns of a document in clusters.csv. What is not known is empty.
func (r *Run) certaintyCells(i int) []string {
	cell := func(values []float64) string {
		if values == nil {
			return ""
		}
		return strconv.FormatFloat(values[i], 'g', 6, 64)
	}
	cells := []string{cell(r.Distance), cell(r.Confidence), r.Placed(i)}
	if r.Second != nil {
		second := ""
		if k := r.Second[i]; k >= 0 {
			second = strconv.Itoa(k)
		}
		cells = append(cells, second)
	}
	if r.Novelty != nil {
		cells = append(cells, cell(r.Novelty))
	}
	return cells
}

// certaintyHead are the names of the columns of certaintyCells.
func (r *Run) certaintyHead() []string {
	head := []string{"distance", "confidence", "placed"}
	if r.Second != nil {
		head = append(head, "second")
	}
	if r.Novelty != nil {
		head = append(head, "novelty")
	}
	return head
}
