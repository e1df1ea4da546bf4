package corpus

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/input"
	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
	"github.com/eigenmap/eigenmap/corpus/matrix"
)

// takeLabels gives the corpus the classes of a file's labels, which fit its length.
func (c *Corpus) takeLabels(in *input.File, l *matrix.Labels, classNames []string) error {
	var err error
	lexical.TidyAll(classNames)
	switch {
	case l.Words != nil:
		lexical.TidyAll(l.Words)
		c.Labels, c.ClassNames = classesOfWords(l.Words)
	case l.IsVector():
		c.Labels, c.ClassNames, err = classesOfNumbers(l.Nums)
		if err == nil {
			c.ClassNames = nameClasses(c.ClassNames, classNames)
		}
	default:
		c.Labels, c.ClassNames, err = classesOfOneHot(l, c.Len())
		if err == nil {
			in.Notef("%s is one-hot; classes that occur: %d of %d.", strings.ToUpper(l.What[:1])+l.What[1:], len(c.ClassNames), len(l.Nums)/c.Len())
			c.ClassNames = nameClasses(c.ClassNames, classNames)
		}
	}
	if err != nil {
		return input.Failf(l.File, l.What, "%s", err.Error())
	}
	if len(c.ClassNames) == 0 {
		c.Labels, c.ClassNames = nil, nil
		in.Notef("No document has a label in %s, so the corpus has none.", l.What)
		return nil
	}
	if _, none := c.ClassSizes(); none > 0 {
		in.Notef("%s no label.", message.Plural(none, "document has", "documents have"))
	}
	return nil
}

// classesOfNumbers numbers the distinct values in ascending order; NaN gives -1.
func classesOfNumbers(values []float64) (labels []int, names []string, err error) {
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

// classesOfWords numbers the distinct words: by value if all are numbers (so 10 follows 9, and 1
// and 1.0 are one class), else alphabetically. The empty word gives -1.
func classesOfWords(words []string) (labels []int, names []string) {
	nums := make([]float64, len(words))
	numeric := true
	for i, w := range words {
		var ok bool
		if nums[i], ok = lexical.Number(w); w == "" {
			nums[i] = math.NaN()
		} else if !ok {
			numeric = false
			break
		}
	}
	if numeric {
		labels, names, _ = classesOfNumbers(nums) // finite by lexical.Number
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

// classesOfOneHot reads a matrix with one positive entry per document. Classes are numbered by
// their position in it, and only those that occur are kept.
func classesOfOneHot(l *matrix.Labels, n int) (labels []int, names []string, err error) {
	classes, doc, class := l.Cols, 1, l.Rows
	if l.Rows != n {
		classes, doc, class = l.Rows, l.Rows, 1
	}
	hot := math.NaN()
	labels = make([]int, n)
	used := make([]bool, classes)
	for i := range n {
		labels[i] = -1
		for k := range classes {
			v := l.Nums[i*doc+k*class]
			if v == 0 || v == -1 {
				continue
			}
			if hot != hot {
				hot = v
			}
			switch {
			case v != hot || v < 0 || v != v || math.IsInf(v, 0):
				return nil, nil, fmt.Errorf("document %d, class %d holds %v, but a matrix of labels needs one 1 per document and 0 (or -1) elsewhere; choose another variable with --label-var", i+1, k+1, v)
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

// nameClasses replaces class numbers by names from a separate list, if every number is one of
// 1..len(list), or of 0..len(list)-1 if 0 occurs.
func nameClasses(numbers, list []string) []string {
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
