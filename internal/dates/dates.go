// Package dates reads dates and times as people and programs write them.
package dates

import (
	"fmt"
	"math"
	"net/mail"
	"strconv"
	"strings"
	"time"
)

// layouts are the forms that read one way, in the notation of package time. A day or a month may
// have one digit or two, and seconds may have a fraction.
var layouts = []string{
	"2006-1-2", "2006-1-2T15:04:05Z07:00", "2006-1-2T15:04:05", "2006-1-2 15:04:05", "2006-1-2 15:04:05Z07:00", "2006-1-2 15:04:05 -0700",
	"2006-1-2T15:04:05-0700", "2006-1-2 15:04:05 MST", "2006-1-2 15:04:05 -0700 MST", "2006-1-2T15:04Z07:00", "2006-1-2T15:04", "2006-1-2 15:04", "2006-1",
	"2006/1/2", "2006/1/2 15:04:05", "2006/1/2 15:04", "2006/1", "2006.1.2", "20060102T150405Z07:00", "20060102T150405", "20060102150405",
	"2.1.2006", "2.1.2006 15:04:05", "2.1.2006 15:04", "2. January 2006",
	"2 January 2006", "2 Jan 2006", "2 January 2006 15:04:05", "2 Jan 2006 15:04:05", "2 Jan 2006 15:04", "2-Jan-2006", "2-Jan-2006 15:04:05",
	"January 2, 2006", "Jan 2, 2006", "January 2 2006", "Jan 2 2006", "Jan. 2, 2006", "January 2, 2006 15:04:05", "Jan 2, 2006 3:04:05 PM", "January 2, 2006 3:04 PM",
	"January 2006", "Jan 2006", "Monday, 2 January 2006", "Monday, January 2, 2006",
	time.ANSIC, time.UnixDate, time.RubyDate,
}

// between are the forms of which two parts, a day and a month, may stand either way: day first.
var (
	dayFirst   = []string{"2/1/2006", "2/1/2006 15:04:05", "2/1/2006 15:04", "2/1/2006 3:04 PM", "2/1/2006 3:04:05 PM", "2-1-2006", "2-1-2006 15:04:05", "2-1-2006 15:04"}
	monthFirst = []string{"1/2/2006", "1/2/2006 15:04:05", "1/2/2006 15:04", "1/2/2006 3:04 PM", "1/2/2006 3:04:05 PM", "1-2-2006", "1-2-2006 15:04:05", "1-2-2006 15:04"}
)

// TwoWaysError says that a date reads two ways and nothing among the others decides.
type TwoWaysError struct {
	Word string
	// Other is a date that reads the other way alone; "" if none reads one way alone.
	Other string
}

// Error names the date.
func (e *TwoWaysError) Error() string {
	if e.Other != "" {
		return fmt.Sprintf("%q has the day first and %q the month", e.Word, e.Other)
	}
	return fmt.Sprintf("%q reads two ways, day or month first", e.Word)
}

// Read reads one date or time from each word. read[i] is false if word i is empty or none. A time
// keeps the zone that it is written with, else UTC.
//
// Forms: ISO 8601, also a year or a month alone; year, month and day with slashes or points; day,
// month and year with points; months by English names; dates of mail (RFC 5322); eight digits; a
// number of seconds, milliseconds or microseconds since 1970, from 10⁸ seconds on. 3/4/2020 and
// 3-4-2020 read two ways: a word such as 30/4/2020 or 4/30/2020 decides for all, and without one,
// or with both, the error is a *TwoWaysError.
func Read(words []string) (times []time.Time, read []bool, err error) {
	times, read = make([]time.Time, len(words)), make([]bool, len(words))
	var open []int
	day, month, either := -1, -1, -1 // words that have the day first, the month, and those that may have both
	for i, w := range words {
		w = strings.Join(strings.Fields(w), " ")
		if w == "" {
			continue
		}
		if times[i], read[i] = one(w); read[i] {
			continue
		}
		d, asDay := parse(w, dayFirst)
		m, asMonth := parse(w, monthFirst)
		switch {
		case asDay && asMonth && d.Equal(m):
			times[i], read[i] = d, true
			continue
		case asDay && asMonth:
			either = i
		case asDay:
			day = i
		case asMonth:
			month = i
		default:
			continue
		}
		open = append(open, i)
	}
	switch {
	case day >= 0 && month >= 0:
		return nil, nil, &TwoWaysError{words[day], words[month]}
	case either >= 0 && day < 0 && month < 0:
		return nil, nil, &TwoWaysError{Word: words[either]}
	}
	form := dayFirst
	if month >= 0 {
		form = monthFirst
	}
	for _, i := range open {
		times[i], read[i] = parse(strings.Join(strings.Fields(words[i]), " "), form)
	}
	return times, read, nil
}

// one reads a word that reads one way.
func one(w string) (time.Time, bool) {
	if v, err := strconv.ParseFloat(w, 64); err == nil {
		return number(w, v)
	}
	if t, ok := parse(w, layouts); ok {
		return t, true
	}
	t, err := mail.ParseDate(w)
	return t, err == nil
}

// number reads a year, eight digits, or a time since 1970.
func number(w string, v float64) (time.Time, bool) {
	switch {
	case v >= 1000 && v < 3000 && v == math.Trunc(v):
		return time.Date(int(v), 1, 1, 0, 0, 0, 0, time.UTC), true
	case len(w) == 8 && v == math.Trunc(v):
		return parse(w, []string{"20060102"})
	case len(w) == 14 && v >= 1e13 && v == math.Trunc(v):
		if t, ok := parse(w, []string{"20060102150405"}); ok {
			return t, true
		}
	}
	for _, unit := range []struct{ least, perSecond float64 }{{1e8, 1}, {1e11, 1e3}, {1e14, 1e6}} {
		if v >= unit.least && v < 1e3*unit.least {
			return time.UnixMicro(int64(v * 1e6 / unit.perSecond)).UTC(), true
		}
	}
	return time.Time{}, false
}

func parse(w string, layouts []string) (time.Time, bool) {
	for _, l := range layouts {
		if t, err := time.Parse(l, w); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}
