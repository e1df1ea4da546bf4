package eigenmap

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"time"

	"github.com/eigenmap/eigenmap/internal/dates"
	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/report"
	"github.com/eigenmap/eigenmap/internal/words"
)

// Lengths of a period of time, the shortest first.
const (
	PeriodDay     = "day"
	PeriodWeek    = "week" // from Monday on, named by it
	PeriodMonth   = "month"
	PeriodQuarter = "quarter"
	PeriodYear    = "year"
)

var periods = []string{PeriodDay, PeriodWeek, PeriodMonth, PeriodQuarter, PeriodYear}

// Bounds of the number of periods: of the length that is chosen, and of any.
const (
	fewPeriods  = 60
	mostPeriods = 10_000
)

// OverTime are the clusters of the documents by their times.
type OverTime struct {
	Length  string   `json:"length"`  // of a period: PeriodDay to PeriodYear
	Undated int      `json:"undated"` // documents without a time
	Periods []Period `json:"periods"` // from the first with a document to the last, those without any among them
}

// Period is the documents of one period.
type Period struct {
	Start     string    `json:"start"`     // its first day, as 2006-01-02
	Documents int       `json:"documents"` // in a cluster
	Counts    []int     `json:"counts"`    // of each cluster
	Shares    []float64 `json:"shares"`    // of Documents, to six decimals; 0 of a period without any
}

// CountOverTime counts the documents of each cluster by periods. times are the times of the
// documents of Labels, the zero time for one without; a document belongs to the day on which it was
// written in its own zone. length is a length of a period, "" for the shortest by which there are
// at most 60. O(documents + periods · clusters).
//
// Errors (fs.ErrInvalid): as many times as documents are needed, one of which is not zero; an
// unknown length; more than 10,000 periods.
func (r *Run) CountOverTime(times []time.Time, length string) (*OverTime, error) {
	v, err := countOverTime(r.Labels, len(r.Sizes), times, length)
	return v, wrapped(err)
}

// countOverTime counts the documents of so many clusters by periods, as [Run.CountOverTime] says.
func countOverTime(labels []int, clusters int, times []time.Time, length string) (*OverTime, error) {
	if len(times) != len(labels) {
		return nil, invalid.Errorf("%d times of %d documents: give one for each", len(times), len(labels))
	}
	var first, last time.Time
	for _, t := range times {
		if t.IsZero() {
			continue
		}
		day := dayOf(t)
		if first.IsZero() || day.Before(first) {
			first = day
		}
		if last.IsZero() || day.After(last) {
			last = day
		}
	}
	if first.IsZero() {
		return nil, invalid.Errorf("no document has a time")
	}
	if length == "" || length == "auto" {
		length = shortestPeriod(first, last)
	}
	if !slices.Contains(periods, length) {
		return nil, invalid.Errorf("‹time-period› %s is unknown: give one of %s", words.Clip(length, 40), words.Few(periods, len(periods)))
	}
	if n := countPeriods(first, last, length); n > mostPeriods {
		return nil, invalid.Errorf("from %s to %s there are more than %s periods of a %s: give a longer ‹time-period›, or mend the times", first.Format(time.DateOnly), last.Format(time.DateOnly), words.Thousands(mostPeriods), length)
	}
	v := &OverTime{Length: length}
	at := map[time.Time]int{}
	end := periodOf(last, length)
	for t := periodOf(first, length); !t.After(end); t = nextPeriod(t, length) {
		at[t] = len(v.Periods)
		v.Periods = append(v.Periods, Period{Start: t.Format(time.DateOnly), Counts: make([]int, clusters), Shares: make([]float64, clusters)})
	}
	for i, t := range times {
		switch k := labels[i]; {
		case t.IsZero():
			v.Undated++
		case k >= 0:
			p := &v.Periods[at[periodOf(dayOf(t), length)]]
			p.Counts[k]++
			p.Documents++
		}
	}
	for _, p := range v.Periods {
		for k, n := range p.Counts {
			p.Shares[k] = sixDecimals(float64(n) / float64(max(1, p.Documents)))
		}
	}
	return v, nil
}

func dayOf(t time.Time) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC)
}

// periodOf is the first day of the period of a day.
func periodOf(day time.Time, length string) time.Time {
	y, m, d := day.Date()
	switch length {
	case PeriodWeek:
		d -= (int(day.Weekday()) + 6) % 7
	case PeriodMonth:
		d = 1
	case PeriodQuarter:
		m, d = (m-1)/3*3+1, 1
	case PeriodYear:
		m, d = 1, 1
	}
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}

// nextPeriod is the first day of the period after the one that begins at a day.
func nextPeriod(day time.Time, length string) time.Time {
	switch length {
	case PeriodDay:
		return day.AddDate(0, 0, 1)
	case PeriodWeek:
		return day.AddDate(0, 0, 7)
	case PeriodMonth:
		return day.AddDate(0, 1, 0)
	case PeriodQuarter:
		return day.AddDate(0, 3, 0)
	}
	return day.AddDate(1, 0, 0)
}

// countPeriods is the number of periods between two days, at most one more than mostPeriods.
func countPeriods(first, last time.Time, length string) (n int) {
	end := periodOf(last, length)
	for t := periodOf(first, length); !t.After(end) && n <= mostPeriods; t = nextPeriod(t, length) {
		n++
	}
	return n
}

// shortestPeriod is the shortest length by which there are few periods.
func shortestPeriod(first, last time.Time) string {
	for _, length := range periods {
		if countPeriods(first, last, length) <= fewPeriods {
			return length
		}
	}
	return PeriodYear
}

// readTimes reads the times of the documents, if a column of them is named.
func (j *job) readTimes(ctx context.Context) error {
	if j.TimeColumn == "" {
		return nil
	}
	if j.inMemory || j.texts != nil || !j.isText() {
		return invalid.Errorf("‹time-column› names the times of texts in a table, JSON, Parquet or a mailbox, and these documents are others: leave it out (Go programs count documents in memory by Run.CountOverTime)")
	}
	defer j.stage("read")()
	list, err := j.corpus.ReadTimes(ctx, j.file, j.readOptions())
	if err != nil {
		return err
	}
	times, read, err := dates.Read(list)
	var two *dates.TwoWaysError
	if errors.As(err, &two) {
		return invalid.Errorf("%s: ‹time-column› %s: %w; write the dates as 2006-01-31", j.file, j.TimeColumn, two)
	}
	undated, odd, example := 0, 0, 0
	for i, ok := range read {
		switch {
		case ok:
		case list[i] == "":
			undated++
		default:
			if odd == 0 {
				example = i
			}
			odd++
		}
	}
	shown := func() string {
		return strconv.Quote(words.Clip(list[example], 40)) + " of " + clip(j.corpus.ID(example))
	}
	if odd+undated == len(list) {
		return invalid.Errorf("%s: ‹time-column› %s holds no date, but words such as %s; write them as 2006-01-31", j.file, j.TimeColumn, shown())
	}
	if odd > 0 {
		j.warn(fmt.Sprintf("In ‹time-column› %s %s no date, the first %s: these documents count as undated", j.TimeColumn, words.Plural(odd, "word is", "words are"), shown()))
	}
	if undated > 0 {
		j.note(fmt.Sprintf("Without a time in ‹time-column› %s: %s", j.TimeColumn, words.Counted(undated, "document")))
	}
	j.dates = times
	return nil
}

// findOverTime counts the clusters over time, if the documents have times.
func (r *Run) findOverTime() (err error) {
	times := r.j.dates
	if times == nil || r.command != "cluster" {
		return nil
	}
	if w := r.j.whole; w != nil && r.j.Duplicates == duplicatesDrop {
		times = pick(times, w.groups.First)
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
