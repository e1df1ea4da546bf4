package eigenmap

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/eigenmap/eigenmap/internal/fault"
	"github.com/eigenmap/eigenmap/internal/job"
	"github.com/eigenmap/eigenmap/internal/overtime"
	"github.com/eigenmap/eigenmap/internal/report"
	"github.com/eigenmap/eigenmap/internal/request"
	"github.com/eigenmap/eigenmap/internal/words"
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

// findOverTime counts the clusters over time, if the documents have times.
func (r *Run) findOverTime() (err error) {
	times := r.j.Dates
	if times == nil || r.command != "cluster" {
		return nil
	}
	if w := r.j.Whole; w != nil && r.j.Duplicates == request.DuplicatesDrop {
		times = job.Pick(times, w.Groups.First)
	}
	r.OverTime, err = r.CountOverTime(times, r.j.TimePeriod)
	return err
}

// writeOverTime writes period,cluster,name,terms,documents,share: a line for each period and
// cluster. period is the first day, and share the part of the period's documents
// that the cluster has.
func (r *Run) writeOverTime(w io.Writer) error {
	t := csv.NewWriter(w)
	if err := t.Write([]string{"period", "cluster", "name", "terms", "documents", "share"}); err != nil {
		return err
	}
	for _, p := range r.OverTime.Periods {
		for k, n := range p.Counts {
			name := ""
			if r.Classes != nil {
				name = r.cell(r.className(k))
			}
			if err := t.Write([]string{p.Start, strconv.Itoa(k), name, r.cell(r.clusterTerms(k)), strconv.Itoa(n), strconv.FormatFloat(p.Shares[k], 'g', -1, 64)}); err != nil {
				return err
			}
		}
	}
	t.Flush()
	return t.Error()
}

// overTimePart is the chart of the clusters over time.
func (r *Run) overTimePart(p *report.Page) {
	v := r.OverTime
	if v == nil {
		return
	}
	p.OverTime = &report.OverTime{Length: v.Length}
	for _, period := range v.Periods {
		p.OverTime.Starts, p.OverTime.Shares = append(p.OverTime.Starts, period.Start), append(p.OverTime.Shares, period.Shares)
	}
	if v.Undated > 0 {
		p.OverTime.Note = fmt.Sprintf("%s no time.", words.Plural(v.Undated, "document has", "documents have"))
	}
}
