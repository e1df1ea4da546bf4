package evaluating

import (
	"fmt"
	"strconv"

	"github.com/eigenmap/eigenmap/corpus"
	"github.com/eigenmap/eigenmap/internal/invalid"
)

// numbered says whether the documents' names are their numbers, as those without a name are.
func numbered(l *labeling) bool {
	low, _, ok := l.numbers()
	return ok && low >= 1
}

// alike makes two labelings count the documents from one number if the ids of both are numbers. A
// side without ids, and the clusters.csv of a run, count from 1. from is the option ‹ids-from› for
// the other side.
//
// Without it the reading that fits is taken and noted; if both fit, the files are refused.
func alike(truth, predicted *labeling, from string) error {
	low, high, ok := truth.numbers()
	lowP, highP, okP := predicted.numbers()
	switch {
	case !ok || !okP || truth.ids == nil && predicted.ids == nil:
		return nil
	case truth.ids == nil:
		return predicted.countFrom(from, truth, lowP >= low && highP <= high, lowP+1 >= low && highP+1 <= high)
	case predicted.ids == nil:
		return truth.countFrom(from, predicted, within(low, high, lowP, highP), within(low+1, high+1, lowP, highP))
	case (low == 0) == (lowP == 0):
		return nil // both have a document 0, or none
	case low == 0:
		return truth.countFrom(from, predicted, highP <= high, within(1, high+1, lowP, highP))
	}
	return predicted.countFrom(from, truth, within(lowP, highP, low, high), within(lowP+1, highP+1, low, high))
}

// within reports whether one of two ranges of numbers is in the other.
func within(low, high, otherLow, otherHigh int) bool {
	return low <= otherLow && high >= otherHigh || low >= otherLow && high <= otherHigh
}

// countFrom makes the ids of a side count from 1 if they count from 0. one and zero say which
// reading fits the other side.
func (l *labeling) countFrom(from string, other *labeling, one, zero bool) error {
	switch {
	case from == "" && one && !zero && !(l.ofRun && other.ids == nil):
		l.notes = append(l.notes, fmt.Sprintf("%s: the ids count the documents from 1.", l.file))
		return nil
	case l.ofRun && other.ids == nil, from == corpus.FromOne, from == "" && !zero:
		return nil
	case from == "" && one:
		low, high, _ := l.numbers()
		return invalid.Errorf("%s: its ids %d to %d fit the documents of %s counted from 0 and counted from 1: give ‹ids-from› 0 or 1, the number of the first document", l.file, low, high, other.file)
	case from == "":
		l.notes = append(l.notes, fmt.Sprintf("%s: the ids count the documents from 0.", l.file))
	}
	for i, id := range l.ids {
		n, _ := strconv.Atoi(id) // numbers checked it
		l.ids[i] = strconv.Itoa(n + 1)
	}
	return nil
}
