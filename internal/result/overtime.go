package result

import (
	"time"

	"github.com/eigenmap/eigenmap/internal/fault"
	"github.com/eigenmap/eigenmap/internal/overtime"
	"github.com/eigenmap/eigenmap/internal/request"
	"github.com/eigenmap/eigenmap/methods/labels"
)

// CountOverTime counts the documents of each cluster by periods. times are the times of the
// documents of Labels, the zero time for one without; a document belongs to the day on which it was
// written in its own zone. length is a length of a period, "" for the shortest by which there are
// at most 60. O(documents + periods · clusters).
//
// Errors (fs.ErrInvalid): as many times as documents are needed, one of which is not zero; an
// unknown length; more than 10,000 periods.
func (r *Run) CountOverTime(times []time.Time, length string) (*overtime.OverTime, error) {
	v, err := overtime.Count(r.Labels, len(r.Sizes), times, length)
	return v, fault.Wrap(err)
}

// Dates are the times of the documents of Labels, the zero time for one without; nil if they have
// none.
func (r *Run) Dates() []time.Time {
	times := r.J.Dates
	if w := r.J.Whole; times != nil && w != nil && r.J.Duplicates == request.DuplicatesDrop {
		return labels.Pick(times, w.Groups.First)
	}
	return times
}

// findOverTime counts the clusters over time, if the documents have times.
func (r *Run) findOverTime() (err error) {
	times := r.Dates()
	if times == nil || r.Command != "cluster" {
		return nil
	}
	r.OverTime, err = r.CountOverTime(times, r.J.TimePeriod)
	return err
}
