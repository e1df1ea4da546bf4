// Package overtime counts the clusters of documents by periods of time.
package overtime

import (
	"math"
	"slices"
	"time"

	"github.com/eigenmap/eigenmap/internal/invalid"
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

// Count counts the documents of each of so many clusters by periods. labels are the clusters of the
// documents, below 0 for none, and times their times, the zero time for one without. length is a
// length of a period, "" or "auto" for the shortest by which there are at most 60.
//
// Errors (fs.ErrInvalid): as many times as documents are needed, one of which is not zero; an
// unknown length; more than 10,000 periods.
func Count(labels []int, clusters int, times []time.Time, length string) (*OverTime, error) {
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
			p.Shares[k] = SixDecimals(float64(n) / float64(max(1, p.Documents)))
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

// SixDecimals rounds a number to six decimals.
func SixDecimals(v float64) float64 { return math.Round(1e6*v) / 1e6 }
