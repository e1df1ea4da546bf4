package result

import (
	"context"
	"fmt"
	"slices"

	"github.com/eigenmap/eigenmap/internal/confidence"
	"github.com/eigenmap/eigenmap/internal/copies"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/ranks"
	"github.com/eigenmap/eigenmap/internal/words"
	"github.com/eigenmap/eigenmap/methods/kmeans"
	"github.com/eigenmap/eigenmap/methods/method"
	"github.com/eigenmap/eigenmap/model"
	"gonum.org/v1/gonum/mat"
)

// Rejected is the cluster of a document whose confidence is below Options.Reject.
const Rejected = -1

// measure finds how sure the clusters of a fit are. Documents without a centre to compare with get
// the mean of their cluster.
func (r *Run) measure(ctx context.Context) error {
	defer r.J.Stage("confidence")()
	at := r.J.Coordinates(r.Embedding, r.Found)
	r.J.SetCenters(r.Found, at)
	err := r.Assess(ctx, at, r.J.X, r.Found.Sizes, r.alone(), nil)
	if err == nil {
		r.Posterior = r.J.Collected(r.Posterior)
	}
	return err
}

// alone are the documents without terms or without neighbours, ascending.
func (r *Run) alone() []int {
	list := slices.Clone(r.Fitted.Alone())
	if r.J.X != nil {
		list = append(list, r.J.WithoutEntries()...)
	}
	slices.Sort(list)
	return r.J.AllNumbers(slices.Compact(list))
}

// Assess takes distances and confidences of r.Found in the coordinates at, of the rows x. sizes are
// the sizes of the clusters that the fit found: of new documents the training documents', so that
// nothing depends on the other new ones. The confidence of an isolated document is 0.
func (r *Run) Assess(ctx context.Context, at, x mat.Matrix, sizes, isolated, known []int) error {
	here := *r.Found
	here.Labels, here.Sizes = ranks.Own(r.J.Share, here.Labels), sizes
	sure, err := kmeans.Certain(ctx, here.Certainty, &here, at, x)
	if err = ranks.Agree(r.J.Share, err); err != nil {
		return err
	}
	sure.Distance, sure.Confidence = ranks.GatherFloats(r.J.Share, sure.Distance), ranks.GatherFloats(r.J.Share, sure.Confidence)
	r.Distance, r.Confidence, r.Isolated, r.known = sure.Distance, sure.Confidence, isolated, known
	r.Second = ranks.GatherInts(r.J.Share, sure.Second)
	if r.Orders = sure.Confidence; sure.Score != nil {
		r.Orders = ranks.GatherFloats(r.J.Share, sure.Score)
	}
	if r.Confidence == nil {
		if r.J.Reject > 0 || r.J.RejectShare > 0 {
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

// calibrate replaces the scores of the documents by calibrated confidences, or makes that ready for
// [Run.Calibrate]. config are the options of the method before the fit.
func (r *Run) calibrate(ctx context.Context, config method.Options) (err error) {
	j := r.J
	if r.Orders == nil || j.Confidence == confidence.ConfidenceRaw {
		return nil
	}
	if j.LazyConfidence && !j.HeldOut.Tells() && j.Reject == 0 && j.RejectShare == 0 && !j.ByOthers() && ranks.From(ctx).Size() == 1 {
		r.Looks, err = confidence.Prepare(ctx, j, config, r.Labels, len(r.Sizes), r.Orders)
		return err
	}
	r.Calibration, err = confidence.Calibrate(ctx, j, config, r.Labels, len(r.Sizes), r.Orders)
	if err != nil || r.Calibration == nil {
		return err
	}
	r.Confidence = Calibrated(r.Calibration, r.Orders, r.Isolated)
	return nil
}

// Calibrated are the confidences of documents with scores by a curve: 0 of isolated ones.
func Calibrated(curve *model.Calibration, scores []float64, isolated []int) []float64 {
	sure := curve.Of(scores)
	for _, i := range isolated {
		sure[i] = 0
	}
	return sure
}

// Calibrate takes the second looks that the run has left by Options.LazyConfidence and sets
// Confidence; without any it does nothing. Where the looks fail, Confidence stays the method's own
// score and a note says why. Errors: the context's.
func (r *Run) Calibrate(ctx context.Context) error {
	if r.Looks == nil {
		return nil
	}
	curve, note, err := r.Looks.Take(ctx)
	if err != nil {
		return err
	}
	if r.Looks, r.Calibration = nil, curve; curve == nil {
		r.J.Note(note)
		return nil
	}
	r.Confidence = Calibrated(curve, r.AllOrders(), r.Isolated)
	return nil
}

// AllOrders are the scores by which the method orders the documents of the result, copies among
// them.
func (r *Run) AllOrders() []float64 {
	if r.HasCopies() {
		return copies.Each(r.J.Whole.Groups, r.Orders)
	}
	return r.Orders
}

// Reject takes documents with a confidence below ‹reject› out of their clusters, or the share
// ‹reject-share› of the documents that have the least; of equal ones all or none.
func (r *Run) Reject() {
	if r.LeaveUnsure() {
		r.NoteUnsure()
	}
}

// LeaveUnsure is [Run.Reject] without a note; false if no confidence leaves documents out.
func (r *Run) LeaveUnsure() bool {
	if r.Confidence == nil {
		return false
	}
	if share := r.J.RejectShare; share > 0 {
		sorted := slices.Sorted(slices.Values(r.Confidence))
		r.RejectBelow = sorted[min(int(share*float64(len(sorted))+1e-9), len(sorted)-1)]
	}
	if r.RejectBelow == 0 {
		return false
	}
	r.LeaveOut(func(i int) bool { return r.Confidence[i] < r.RejectBelow })
	return true
}

// NoteUnsure notes how many documents are in no cluster for want of confidence.
func (r *Run) NoteUnsure() {
	r.NoteRejected(fmt.Sprintf("%s below %.3g and %s left in no cluster (-1)", words.Plural(r.RejectedCount, "document has a confidence", "documents have a confidence"),
		r.RejectBelow, isAre(r.RejectedCount)))
}

// LeaveOut takes the documents for which out is true out of their clusters, and counts them.
func (r *Run) LeaveOut(out func(i int) bool) {
	kept := slices.Clone(r.Labels)
	sizes := make([]int, len(r.Sizes))
	for i, k := range kept {
		if out(i) {
			kept[i] = Rejected
			r.RejectedCount++
		} else {
			sizes[k]++
		}
	}
	r.Labels, r.Sizes = kept, sizes
}

// NoteRejected notes why documents are in no cluster, and how many of all.
func (r *Run) NoteRejected(why string) {
	all := len(r.Labels)
	if r.Labels == nil { // they were written and are not here
		all = r.Corpus.Len()
	}
	text := fmt.Sprintf("%s: %d of %s.", why, r.RejectedCount, words.Thousands(all))
	if r.Corpus.HasLabels() {
		text += " The scores cover the others."
	}
	r.J.Note(text)
}

func isAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}
