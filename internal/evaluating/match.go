package evaluating

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/eigenmap/eigenmap/internal/invalid"
	"github.com/eigenmap/eigenmap/internal/words"
)

// match brings two labelings into one order: by id, or by position if there are none. A document
// without a name has its number as id. Of two lists with names one may be of a part of the other's
// documents: the others are left out, left counts them.
func match(truth, predicted *labeling) (t, p []string, left int, err error) {
	n, m := len(truth.labels), len(predicted.labels)
	truth.skipHeader(m)
	predicted.skipHeader(n)
	oneNamed := truth.ids != nil || predicted.ids != nil
	bothNamed := truth.ids != nil && predicted.ids != nil
	if bothNamed {
		return matchIDs(truth, predicted)
	}
	if oneNamed && numbered(truth) && numbered(predicted) {
		if err := reaches(truth, predicted); err != nil {
			return nil, nil, 0, err
		}
		return matchIDs(truth, predicted)
	}
	if len(truth.labels) != len(predicted.labels) {
		return nil, nil, 0, invalid.Errorf("%s has %s and %s has %d: without ids on both sides they must be as many",
			truth.file, words.Plural(len(truth.labels), "label", "labels"), predicted.file, len(predicted.labels))
	}
	return truth.labels, predicted.labels, 0, nil
}

// reaches refuses a list without ids that ends before the last document that the other side, whose
// ids are numbers, has.
func reaches(truth, predicted *labeling) error {
	list, other := truth, predicted
	if list.ids != nil {
		list, other = other, list
	}
	if _, last, _ := other.numbers(); last > len(list.labels) {
		return invalid.Errorf("%s has %s, without ids, and %s has a document %d: a list without ids needs a line for each document, and a part of them needs lines id,label",
			list.file, words.Plural(len(list.labels), "label", "labels"), other.file, last)
	}
	return nil
}

func matchIDs(truth, predicted *labeling) (t, p []string, left int, err error) {
	at := make(map[string]int, len(truth.labels))
	for i := range truth.labels {
		id := truth.id(i)
		if j, twice := at[id]; twice && truth.labels[j] != truth.labels[i] {
			return nil, nil, 0, invalid.Errorf("%s: document %q has two labels, %q and %q%s", truth.file, id, truth.labels[j], truth.labels[i], truth.repeated())
		}
		at[id] = i
	}
	seen := make(map[string]bool, len(predicted.labels))
	strange := "" // the first document of the prediction that truth does not name
	for i, label := range predicted.labels {
		id := predicted.id(i)
		if seen[id] {
			return nil, nil, 0, invalid.Errorf("%s: document %q occurs twice%s", predicted.file, id, predicted.repeated())
		}
		seen[id] = true
		j, ok := at[id]
		if !ok {
			if left++; left == 1 {
				strange = id
			}
			continue
		}
		t, p = append(t, truth.labels[j]), append(p, label)
	}
	if left > 0 && (len(t) == 0 || len(t) < len(at)) {
		return nil, nil, 0, invalid.Errorf("%s: document %q is not in %s, which has documents that are not here: give labelings of the same documents, or one of a part of the other's", predicted.file, strange, truth.file)
	}
	return t, p, left + len(at) - len(t), nil
}

// repeated says how many lines name a document of an earlier line, if it is more than one.
func (l *labeling) repeated() string {
	seen := make(map[string]bool, len(l.labels))
	for i := range l.labels {
		seen[l.id(i)] = true
	}
	if n := len(l.labels) - len(seen); n > 1 {
		return fmt.Sprintf(" (%s name a document again)", words.Plural(n, "line", "lines"))
	}
	return ""
}

// numberLabels numbers labels in the order of their names, numbers by value; "" is -1.
func numberLabels(labels []string) (numbers []int, names []string) {
	at := make(map[string]int)
	for _, l := range labels {
		if _, seen := at[l]; !seen && l != "" {
			at[l] = 0
			names = append(names, l)
		}
	}
	slices.SortFunc(names, compareNames)
	for n, l := range names {
		at[l] = n
	}
	numbers = make([]int, len(labels))
	for i, l := range labels {
		n, ok := at[l]
		if !ok {
			n = -1
		}
		numbers[i] = n
	}
	return numbers, names
}

// compareNames puts whole numbers first, by value, and other names after them.
func compareNames(a, b string) int {
	x, errX := strconv.Atoi(a)
	y, errY := strconv.Atoi(b)
	switch {
	case errX == nil && errY == nil:
		return cmp.Or(cmp.Compare(x, y), cmp.Compare(a, b))
	case errX == nil:
		return -1
	case errY == nil:
		return 1
	}
	return cmp.Compare(a, b)
}
