package classes

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
	"github.com/eigenmap/eigenmap/corpus/internal/message"
)

// What means no label
//
// The empty word, the marks of a missing value (NaN, NA, N/A, null, None), unlabeled and
// unlabelled, in any case, mean that a document has no label. none is a class if it is written as
// all others are, such as NONE beside FAVOR and AGAINST, and every document has a label then;
// see [noneIsClass]. -1 means no label too, as in scikit-learn, unless it must be a class:
//
//   - -1 and 1 are the only two labels, the classes of a binary problem;
//   - another label is negative or a fraction, so that the labels are measurements.

// MeansNone reports whether a word may mean that a document has no label.
func MeansNone(word string) bool {
	switch strings.ToLower(word) {
	case "", "nan", "na", "n/a", "<na>", "#n/a", "null", "none", "unlabeled", "unlabelled":
		return true
	}
	return isMinusOne(word)
}

func isMinusOne(word string) bool {
	if !strings.HasPrefix(word, "-1") {
		return false
	}
	v, number := lexical.Number(word)
	return number && v == -1
}

// Unlabel replaces the words that mean no label by empty ones. The words are not changed; if
// nothing is to be replaced, they are returned. note says how many were replaced, "" for none.
func Unlabel(words []string) (kept []string, note string) { return unlabel(words, nil) }

// unlabel is [Unlabel] of words of which counts[i] documents have word i; nil: one each.
func unlabel(words []string, counts []int) (kept []string, note string) {
	var some, minus bool
	for _, w := range words {
		if w != "" && MeansNone(w) {
			some, minus = true, minus || isMinusOne(w)
		}
	}
	if !some {
		return words, ""
	}
	if none := noneIsClass(words, counts); none != "" {
		return words, fmt.Sprintf("The label %s counts as a class, since it is written as the others are and every document has a label; leave the label of a document empty where it is not known.", message.Clip(none, 20))
	}
	isClass := minus && minusOneIsClass(words)
	return Replace(words, func(w string) bool { return MeansNone(w) && !(isClass && isMinusOne(w)) })
}

// mostNone bounds the share of the documents whose label is none, a class: of more they are those
// of which nothing is known. None as Python writes it is no class of more than half of them.
const mostNone = 0.9

// noneIsClass returns the word none, in the spelling that it has, if it is a class: two other
// labels or more are words, all in small letters, all in capitals or all with a capital first, as
// it is; no label is missing in another way; and not nearly all documents have it. Else it returns
// "".
func noneIsClass(words []string, counts []int) string {
	none, with, all := "", 0, 0
	var style func(w string) bool
	for i, w := range words {
		n := 1
		if counts != nil {
			n = counts[i]
		}
		all += n
		switch {
		case strings.ToLower(w) == "none" && (none == "" || none == w):
			none = w
			with += n
		case MeansNone(w):
			return ""
		}
	}
	most := mostNone
	switch none {
	case "none":
		style = func(w string) bool { return w == strings.ToLower(w) && w != strings.ToUpper(w) }
	case "NONE":
		style = func(w string) bool { return w == strings.ToUpper(w) && w != strings.ToLower(w) }
	case "None":
		style = func(w string) bool { return w[:1] != strings.ToLower(w[:1]) && w != strings.ToUpper(w) }
		most = 0.5
	}
	if style == nil || float64(with) > most*float64(all) {
		return ""
	}
	first, several := "", false
	for _, w := range words {
		switch {
		case w == none:
			continue
		case !style(w):
			return ""
		case first == "":
			first = w
		case w != first:
			several = true
		}
	}
	if !several {
		return ""
	}
	return none
}

// Replace replaces the words for which none holds by empty ones, as [Unlabel] does.
func Replace(words []string, none func(string) bool) (kept []string, note string) {
	var read []string // the spellings that occurred
	count := 0
	kept = slices.Clone(words)
	for i, w := range words {
		if w == "" || !none(w) {
			continue
		}
		kept[i] = ""
		if count++; !slices.Contains(read, w) {
			read = append(read, w)
		}
	}
	if count == 0 {
		return words, ""
	}
	return kept, noneNote(read, count)
}

func noneNote(read []string, count int) string {
	slices.Sort(read)
	return fmt.Sprintf("The label %s means no label, here of %s.", message.List(read, 4), message.Plural(count, "document", "documents"))
}

// minusOneIsClass judges words, some of which are -1.
func minusOneIsClass(words []string) bool {
	var others []float64
	for _, w := range words {
		if MeansNone(w) {
			continue
		}
		v, number := lexical.Number(w)
		if !number {
			return false
		}
		others = append(others, v)
	}
	return minusOneAmong(others)
}

// minusOneAmong reports whether -1 is a class beside the other labels.
func minusOneAmong(others []float64) bool {
	pair := len(others) > 0
	for _, v := range others {
		if v < 0 || v != math.Trunc(v) {
			return true
		}
		pair = pair && v == 1
	}
	return pair
}

// unlabelNumbers is [Unlabel] of numbers, where NaN means no label.
func unlabelNumbers(values []float64) (kept []float64, minus int) {
	var others []float64
	for _, v := range values {
		switch {
		case v == -1:
			minus++
		case v == v:
			others = append(others, v)
		}
	}
	if minus == 0 || minusOneAmong(others) {
		return values, 0
	}
	kept = slices.Clone(values)
	for i, v := range kept {
		if v == -1 {
			kept[i] = math.NaN()
		}
	}
	return kept, minus
}

// NumbersNote is what [OfNumbers] read as no label besides NaN, "" for nothing.
func NumbersNote(values []float64) string {
	if _, minus := unlabelNumbers(values); minus > 0 {
		return noneNote([]string{"-1"}, minus)
	}
	return ""
}

// CaseNote is a sentence that names classes that differ only in the case of their letters, "" if
// there are none. They stay separate classes.
func CaseNote(names []string) string {
	spelled := make(map[string][]string, len(names))
	var several []string // lower-case spellings with two names or more, in the order of names
	for _, name := range names {
		low := strings.ToLower(name)
		if spelled[low] = append(spelled[low], name); len(spelled[low]) == 2 {
			several = append(several, low)
		}
	}
	if len(several) == 0 {
		return ""
	}
	if ways := spelled[several[0]]; len(several) == 1 && len(ways) == 2 {
		return fmt.Sprintf("The classes %s and %s differ only in the case of letters and count as separate: write them alike if they are one.", message.Clip(ways[0], 40), message.Clip(ways[1], 40))
	}
	const shown = 6
	var groups []string
	for _, low := range several[:min(len(several), shown)] {
		groups = append(groups, message.List(spelled[low], shown))
	}
	text := strings.Join(groups, "; ")
	if more := len(several) - shown; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return fmt.Sprintf("Some classes differ only in the case of letters (%s) and count as separate: write them alike if they are one.", text)
}
