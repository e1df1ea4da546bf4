// Package classes numbers the classes of documents from labels that are words, numbers or a one-hot
// matrix.
package classes

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
)

// exactIntegers is the number from which neighbouring integers may be one number in double
// precision.
const exactIntegers = 1 << 53

// OfNumbers numbers the distinct values in ascending order; NaN gives -1, and so does the value -1
// if it means no label ([Unlabel]). It refuses infinite values, and values of 2^53 and more: they
// may have been different integers.
func OfNumbers(values []float64) (labels []int, names []string, err error) {
	for i, v := range values {
		if math.Abs(v) >= exactIntegers && !math.IsInf(v, 0) {
			return nil, nil, fmt.Errorf("label %d is %s, and numbers of 2^53 and more cannot be told apart; save the labels as texts, or give smaller numbers", i+1, lexical.Print(v))
		}
	}
	values, _ = unlabelNumbers(values)
	return ofNumbers(values)
}

// ofNumbers is [OfNumbers] of values of which only NaN means no label.
func ofNumbers(values []float64) (labels []int, names []string, err error) {
	var distinct []float64
	seen := make(map[float64]int)
	for i, v := range values {
		if math.IsInf(v, 0) {
			return nil, nil, fmt.Errorf("label %d is %v; give every document a finite class number", i+1, v)
		}
		if v != v {
			continue
		}
		if _, ok := seen[v]; !ok {
			seen[v] = 0
			distinct = append(distinct, v)
		}
	}
	slices.Sort(distinct)
	names = make([]string, len(distinct))
	for k, v := range distinct {
		seen[v], names[k] = k, lexical.Print(v)
	}
	labels = make([]int, len(values))
	for i, v := range values {
		labels[i] = -1
		if v == v {
			labels[i] = seen[v]
		}
	}
	return labels, names, nil
}

// OfWords numbers the distinct words: by value if all are numbers below 2^53 (so 10 follows 9, and
// 1 and 1.0 are one class), else alphabetically, since larger integers, such as ids, may be one
// number in double precision. A word that means no label gives -1 ([Unlabel]).
func OfWords(words []string) (labels []int, names []string) { return ofWords(words, nil) }

// ofWords is [OfWords] of words of which counts[i] documents have word i; nil: one each.
func ofWords(words []string, counts []int) (labels []int, names []string) {
	words, _ = unlabel(words, counts)
	nums := make([]float64, len(words))
	numeric := true
	for i, w := range words {
		var ok bool
		if nums[i], ok = lexical.Number(w); w == "" {
			nums[i] = math.NaN()
		} else if !ok || math.Abs(nums[i]) >= exactIntegers {
			numeric = false
			break
		}
	}
	if numeric {
		labels, names, _ = ofNumbers(nums) // finite by lexical.Number
		return labels, names
	}
	seen := make(map[string]int)
	for _, w := range words {
		if _, ok := seen[w]; !ok && w != "" {
			seen[w] = 0
			names = append(names, w)
		}
	}
	slices.Sort(names)
	for k, n := range names {
		seen[n] = k
	}
	labels = make([]int, len(words))
	for i, w := range words {
		labels[i] = -1
		if w != "" {
			labels[i] = seen[w]
		}
	}
	return labels, names
}

// OfCounted is [OfWords] of distinct words, each of which counts[i] documents have, with the note
// of [Unlabel].
func OfCounted(words []string, counts []int) (labels []int, names []string, note string) {
	kept, note := unlabel(words, counts)
	var read []string
	n := 0
	for i, w := range words {
		if w != "" && kept[i] == "" {
			read = append(read, w)
			n += counts[i]
		}
	}
	if n > 0 {
		note = noneNote(read, n)
	}
	labels, names = ofWords(words, counts)
	return labels, names, note
}

// OfOneHot reads a matrix with one positive entry per document. Classes are numbered by
// their position in it, and only those that occur are kept.
func OfOneHot(values []float64, rows, cols, n int) (labels []int, names []string, err error) {
	classes, doc, class := cols, 1, rows
	if rows != n {
		classes, doc, class = rows, rows, 1
	}
	hot := math.NaN()
	labels = make([]int, n)
	used := make([]bool, classes)
	for i := range n {
		labels[i] = -1
		for k := range classes {
			v := values[i*doc+k*class]
			if v == 0 || v == -1 {
				continue
			}
			if hot != hot {
				hot = v
			}
			switch {
			case v != hot || v < 0 || v != v || math.IsInf(v, 0):
				return nil, nil, fmt.Errorf("document %d, class %d holds %v, but a matrix of labels needs one 1 per document and 0 (or -1) elsewhere; choose another variable with ‹label-var›", i+1, k+1, v)
			case labels[i] >= 0:
				return nil, nil, fmt.Errorf("document %d belongs to classes %d and %d, but a document may have only one class; keep one of them", i+1, labels[i]+1, k+1)
			}
			labels[i], used[k] = k, true
		}
	}
	renumber := make([]int, classes)
	for k, u := range used {
		if u {
			renumber[k] = len(names)
			names = append(names, strconv.Itoa(k+1))
		}
	}
	for i, k := range labels {
		if k >= 0 {
			labels[i] = renumber[k]
		}
	}
	return labels, names, nil
}

// Rename replaces class numbers by names from a separate list, if every number is one of
// 1..len(list), or of 0..len(list)-1 if 0 occurs.
func Rename(numbers, list []string) []string {
	if len(list) == 0 {
		return numbers
	}
	base := 1
	if slices.Contains(numbers, "0") {
		base = 0
	}
	named := make([]string, len(numbers))
	for i, s := range numbers {
		k, err := strconv.Atoi(s)
		if err != nil || k < base || k-base >= len(list) || list[k-base] == "" || slices.Contains(named[:i], list[k-base]) {
			return numbers
		}
		named[i] = list[k-base]
	}
	return named
}

// Unlabelled counts the documents without class.
func Unlabelled(labels []int) (n int) {
	for _, l := range labels {
		if l < 0 {
			n++
		}
	}
	return n
}
