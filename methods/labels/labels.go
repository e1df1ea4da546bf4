// Package labels has labels of a part of the documents, from which methods learn.
//
// A labelling is one number per document: its class, from 0, or [Unknown]. Methods that learn from
// labels check them with [Check]; experiments draw them with [Draw].
package labels

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/internal/invalid"
)

// Unknown marks a document without a label. Known labels are 0 to classes−1.
const Unknown = -1

// drawStream is the first random stream of the draw of labels, so that it is independent of other
// uses of a seed. A class adds its number.
const drawStream = 0x6c6162656c730000

// Draw keeps the labels of a share of each class, drawn by the seed, and makes the others Unknown.
// Of a class with c documents it keeps max(1, round(share·c)). Documents without a label have none
// in the result.
//
// Each class draws from its own stream, so the draw of one class does not depend on the others, and
// a larger share of the same seed keeps all labels that a smaller one keeps. Errors: a share that
// is not above 0 and at most 1, a number below Unknown, no label at all.
func Draw(truth []int, share float64, seed uint64) ([]int, error) {
	if !(share > 0 && share <= 1) {
		return nil, invalid.Errorf("the share of labelled documents is %v; it must be above 0 and at most 1", share)
	}
	members := make(map[int][]int32)
	for i, k := range truth {
		if k < Unknown {
			return nil, invalid.Errorf("document %d has the label %d; labels are 0, 1, 2, ..., or %d if there is none", i, k, Unknown)
		}
		if k != Unknown {
			members[k] = append(members[k], int32(i))
		}
	}
	if len(members) == 0 {
		return nil, invalid.Errorf("none of the %d documents has a label that could be drawn", len(truth))
	}
	drawn := make([]int, len(truth))
	for i := range drawn {
		drawn[i] = Unknown
	}
	for k, of := range members { // each by its own stream, so the order of a map does not matter
		r := rand.New(rand.NewPCG(seed, drawStream+uint64(k)))
		for i := range max(1, int(math.Round(share*float64(len(of))))) {
			j := i + r.IntN(len(of)-i)
			of[i], of[j] = of[j], of[i]
			drawn[of[i]] = k
		}
	}
	return drawn, nil
}

// Pick returns the values of the documents of a list, in its order; nil of none.
func Pick[T any](values []T, list []int) []T {
	if values == nil {
		return nil
	}
	out := make([]T, len(list))
	for i, r := range list {
		out[i] = values[r]
	}
	return out
}

// Keep gives the documents with a label their own class, and returns the classes found.
func Keep(found, known []int) []int {
	for i, k := range known {
		if k != Unknown {
			found[i] = k
		}
	}
	return found
}

// Spread lists at most so many documents with a label, ascending. Where there are more each class
// keeps about the same share of its documents, evenly spaced, and one at least if there are no more
// classes than that. Spaced over all documents, classes that alternate could become one.
func Spread(known []int, classes, most int) []int {
	of := make([][]int, classes)
	all, some := 0, 0
	for i, k := range known {
		if k != Unknown {
			of[k] = append(of[k], i)
			all++
			some += 1 / len(of[k]) // 1 for the first of its class
		}
	}
	// Beside one of each class there are rest, of which stay are kept.
	rest, stay, seen := max(1, all-some), max(0, min(most, all)-some), 0
	var list []int
	for _, own := range of {
		if len(own) == 0 {
			continue
		}
		before := stay * seen / rest
		seen += len(own) - 1
		list = append(list, spaced(own, 1+stay*seen/rest-before)...)
	}
	list = spaced(list, most)
	slices.Sort(list)
	return list
}

// spaced returns at most so many of a list, evenly spaced.
func spaced(list []int, most int) []int {
	if len(list) <= most {
		return list
	}
	out := make([]int, most)
	for q := range out {
		out[q] = list[q*len(list)/most]
	}
	return out
}

// Known lists the documents with a label, ascending, and their classes.
func Known(labels []int) (list, class []int) {
	for i, k := range labels {
		if k != Unknown {
			list, class = append(list, i), append(class, k)
		}
	}
	return list, class
}

// shown is the most faults of one kind that a message names.
const shown = 10

// Check refuses labels that a method with one map or seed per class cannot use, all faults at once:
// a wrong length, numbers outside Unknown..classes−1, fewer than two classes, classes without any
// label (named by names, or numbered if names is nil). It returns the labelled documents of each
// class, ascending.
func Check(labels []int, n, classes int, names []string) ([][]int32, error) {
	var errs []error
	if len(labels) != n {
		errs = append(errs, invalid.Errorf("there are %d labels for %d documents; give one for each, %d if it is not known", len(labels), n, Unknown))
	}
	if classes < 2 {
		errs = append(errs, invalid.Errorf("labels of %d classes separate nothing; give labels of at least two classes", max(0, classes)))
	}
	var outside list
	// A number of classes that the documents cannot fill gets no memory.
	of := make([][]int32, max(0, min(classes, len(labels)+1)))
	for i, k := range labels {
		switch {
		case k < Unknown || k >= classes:
			outside.add(fmt.Sprintf("%d (document %d)", k, i))
		case k != Unknown && k < len(of):
			of[k] = append(of[k], int32(i))
		}
	}
	if outside.count > 0 {
		errs = append(errs, invalid.Errorf("labels outside %d to %d: %s", Unknown, classes-1, &outside))
	}
	if classes > len(labels) {
		errs = append(errs, invalid.Errorf("%d classes cannot each have a label among %d documents; give a label for each class, or name fewer classes", classes, len(labels)))
	} else {
		var empty list
		for k := range of {
			if len(of[k]) == 0 {
				name := fmt.Sprint(k)
				if k < len(names) {
					name = names[k]
				}
				empty.add(name)
			}
		}
		if empty.count > 0 {
			errs = append(errs, invalid.Errorf("classes without a labelled document: %s; label at least one document of each, or leave the class out", &empty))
		}
	}
	if err := invalid.Join(errs...); err != nil {
		return nil, err
	}
	return of, nil
}

// list is the first few of many faults.
type list struct {
	count int
	first []string
}

func (l *list) add(s string) {
	if l.count++; l.count <= shown {
		l.first = append(l.first, s)
	}
}

func (l *list) String() string {
	text := strings.Join(l.first, ", ")
	if l.count > shown {
		text += fmt.Sprintf(", ... (%d in all)", l.count)
	}
	return text
}
