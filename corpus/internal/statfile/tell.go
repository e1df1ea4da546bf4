package statfile

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
)

// day writes a day, counted from 1970.
func day(days float64) string {
	return time.Unix(int64(math.Floor(days))*86400, 0).UTC().Format("2006-01-02")
}

// second writes a time, in seconds from 1970.
func second(seconds float64) string {
	return lexical.Moment(time.Unix(int64(math.Floor(seconds+1e-6)), 0).UTC())
}

// since returns the days or seconds from 1970 of a number that counts parts of them, from so many
// days before 1970. A year beyond 9999 is none. A division keeps whole days whole.
func since(parts, before, perDay float64) func(float64) (float64, bool) {
	return func(x float64) (float64, bool) {
		at := x/parts - before*perDay
		return at, at > -719162*perDay && at < 2932897*perDay
	}
}

// most is how many variables a note names.
const most = 8

// tell notes what the file says of its variables: labels, missing values, and what they are about.
func (r *Rows) tell() {
	var labelled, counted, partly, missing, about []string
	for _, v := range r.list {
		name := message.Clip(r.decode(v.name), 40)
		if v.category {
			said := name
			if len(v.bare) > 0 {
				said += " (without a label: " + numbers(v.bare) + ")"
			}
			labelled = append(labelled, said)
		} else if v.asNumbers {
			counted = append(counted, name)
		} else if len(v.seen) > 0 {
			partly = append(partly, fmt.Sprintf("%s (%s)", name, r.examples(v)))
		}
		if v.missing > 0 {
			missing = append(missing, fmt.Sprintf("%s (%d)", name, v.missing))
		}
		if text := strings.TrimSpace(r.decode(v.about)); text != "" && text != r.decode(v.name) {
			about = append(about, fmt.Sprintf("%s (%s)", name, message.Clip(text, 60)))
		}
	}
	if about != nil {
		r.in.Notef("What the file says of its columns: %s.", message.List(about, most))
	}
	if labelled != nil {
		r.in.Notef("Columns whose values have labels hold the labels: %s.", message.List(labelled, most))
	}
	if counted != nil {
		r.in.Notef("Columns whose values have labels, of which the numbers are taken: %s.", message.List(counted, most))
	}
	if partly != nil {
		r.in.Notef("Columns with labels for some values alone are numbers, and the values with a label count as numbers too: %s.", message.List(partly, most))
	}
	if missing != nil {
		r.in.Notef("Values that the file says are missing are missing: %s.", message.List(missing, most))
	}
}

// numbers lists numbers, ascending.
func numbers(set map[float64]bool) string {
	var list []string
	for _, x := range sorted(set) {
		list = append(list, lexical.Print(x))
	}
	return message.List(list, 3)
}

// examples are the values of a variable that occur and have a label.
func (r *Rows) examples(v *variable) string {
	var list []string
	for _, x := range sorted(v.seen) {
		list = append(list, lexical.Print(x)+" "+message.Clip(r.decode(v.labels[x]), 30))
	}
	return message.List(list, 2)
}

// sorted are the members of a set, ascending.
func sorted(set map[float64]bool) []float64 {
	list := make([]float64, 0, len(set))
	for x := range set {
		list = append(list, x)
	}
	slices.Sort(list)
	return list
}
