package classes

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/eigenmap/eigenmap/corpus/internal/lexical"
	"github.com/eigenmap/eigenmap/internal/property"
	"pgregory.net/rapid"
)

// TestCaseNote: a note names the classes that differ only in the case of letters, of any alphabet.
func TestCaseNote(t *testing.T) {
	for want, names := range map[string][]string{
		"": {"login", "log in", "print", "1", "2"},
		"The classes Login and login differ only in the case of letters and count as separate: write them alike if they are one.": {"Login", "bill", "login"},
		"Some classes differ only in the case of letters (Login, login; ÄRGER, Ärger, ärger) and count as separate":               {"Login", "login", "ÄRGER", "Ärger", "ärger"},
	} {
		if got := CaseNote(names); want == "" && got != "" || !strings.HasPrefix(got, want) {
			t.Errorf("%q: %q", names, got)
		}
	}
	var many []string
	for i := range 9 {
		many = append(many, fmt.Sprint("A", i), fmt.Sprint("a", i))
	}
	if got := CaseNote(many); !strings.Contains(got, "A5, a5 and 3 more") {
		t.Error(got)
	}
}

func TestClassesOfWords(t *testing.T) {
	for _, c := range []struct {
		words, names []string
		labels       []int
	}{
		{[]string{"b", "a", "", "b"}, []string{"a", "b"}, []int{1, 0, -1, 1}},
		{[]string{"10", "9", "-1", "9.0"}, []string{"9", "10"}, []int{1, 0, -1, 0}},
		{[]string{"1", "-1", "+1", "-1.0"}, []string{"-1", "1"}, []int{1, 0, 1, 0}},
		{[]string{"1", "-1", "0"}, []string{"0", "1"}, []int{1, -1, 0}},
		{[]string{"2", "-1", "-2"}, []string{"-2", "-1", "2"}, []int{2, 1, 0}},
		{[]string{"0.5", "-1", ""}, []string{"-1", "0.5"}, []int{1, 0, -1}},
		{[]string{"cat", "-1", "Unlabeled", "unlabelled", "NaN", "dog", "-10"}, []string{"-10", "cat", "dog"}, []int{1, -1, -1, -1, -1, 2, 0}},
		{[]string{"1", "-1", "nan"}, []string{"-1", "1"}, []int{1, 0, -1}},
		{[]string{"-1", "-1"}, nil, []int{-1, -1}},
		{[]string{"10", "9", "x"}, []string{"10", "9", "x"}, []int{0, 1, 2}},
		{[]string{"inf", "1"}, []string{"1", "inf"}, []int{1, 0}},
		{[]string{"-0", "0"}, []string{"0"}, []int{0, 0}},
		{[]string{"", ""}, nil, []int{-1, -1}},
	} {
		labels, names := OfWords(c.words)
		if !slices.Equal(labels, c.labels) || !slices.Equal(names, c.names) {
			t.Errorf("%q: labels %v of %q, want %v of %q", c.words, labels, names, c.labels, c.names)
		}
	}
}

// The class of a document is the class of its value, and the classes are in the order of the
// values.
func TestClassesOfNumbers(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		vals := rapid.SliceOf(rapid.OneOf(rapid.Float64Range(-3, 3), rapid.Custom(func(t *rapid.T) float64 {
			return float64(rapid.IntRange(-2, 2).Draw(t, "v"))
		}), rapid.Just(math.NaN()))).Draw(t, "values")
		labels, names, err := OfNumbers(vals)
		if err != nil {
			t.Fatal(err)
		}
		binary, measured := true, false
		for _, a := range vals {
			if a == a && a != -1 {
				binary, measured = binary && a == 1, measured || a < 0 || a != math.Floor(a)
			}
		}
		binary = binary && slices.Contains(vals, 1)
		for i, a := range vals {
			if a == -1 && !binary && !measured {
				if labels[i] != -1 {
					t.Fatalf("-1 has class %d of %q", labels[i], names)
				}
				continue
			}
			if (labels[i] < 0) != (a != a) {
				t.Fatalf("value %v has class %d", a, labels[i])
			}
			if labels[i] >= 0 {
				if v, ok := lexical.Number(names[labels[i]]); !ok || v != a {
					t.Fatalf("value %v is in class %q", a, names[labels[i]])
				}
			}
			for j, b := range vals {
				if b == -1 && labels[j] < 0 {
					continue
				}
				if a < b && labels[i] >= labels[j] || a == b && labels[i] != labels[j] {
					t.Fatalf("classes of %v and %v are %d and %d", a, b, labels[i], labels[j])
				}
			}
		}
	})
}

// What is read as no label is counted and named.
func TestUnlabel(t *testing.T) {
	words := []string{"3", "-1", "", "NaN", "-1", "unlabeled"}
	kept, note := Unlabel(words)
	if !slices.Equal(kept, []string{"3", "", "", "", "", ""}) || words[1] != "-1" {
		t.Errorf("%q of %q", kept, words)
	}
	if want := "The label -1, NaN, unlabeled means no label, here of 4 documents."; note != want {
		t.Errorf("%q, want %q", note, want)
	}
	if kept, note = Unlabel([]string{"1", "-1", "1"}); note != "" || kept[1] != "-1" {
		t.Errorf("%q: %s", kept, note)
	}
	if note = NumbersNote([]float64{2, -1, math.NaN()}); note != "The label -1 means no label, here of 1 document." {
		t.Error(note)
	}
	if note = NumbersNote([]float64{1, -1}); note != "" {
		t.Error(note)
	}
}

// Integers of 2^53 and more, such as ids, stay apart as words. As numbers in double precision they
// may have been different integers, and are refused.
func TestLargeIntegersStayApart(t *testing.T) {
	words := []string{"9007199254740993", "9007199254740992", "9007199254740993", "7"}
	labels, names := OfWords(words)
	if want := []string{"7", "9007199254740992", "9007199254740993"}; !slices.Equal(names, want) || !slices.Equal(labels, []int{2, 1, 2, 0}) {
		t.Errorf("labels %v, classes %q", labels, names)
	}
	if _, names, err := OfNumbers([]float64{1<<53 - 1, 1, math.NaN()}); err != nil || !slices.Equal(names, []string{"1", "9.007199254740991e+15"}) {
		t.Errorf("%q, %v", names, err)
	}
	for _, large := range []float64{1 << 53, -1 << 53, 1e300} {
		if _, _, err := OfNumbers([]float64{1, large}); err == nil || !strings.Contains(err.Error(), "label 2 is") || !strings.Contains(err.Error(), "texts") {
			t.Errorf("%v: %v", large, err)
		}
	}
}

// none is a class where it is written as the others are and every document has a label.
func TestNoneIsClass(t *testing.T) {
	many := func(word string, n int, others ...string) []string {
		for range n {
			others = append(others, word)
		}
		return others
	}
	for _, c := range []struct {
		words []string
		want  bool
	}{
		{[]string{"FAVOR", "NONE", "AGAINST", "FAVOR"}, true},
		{[]string{"hate", "offensive", "none", "none"}, true},
		{[]string{"Racism", "Sexism", "None", "Sexism"}, true},
		{many("none", 17, "hate", "offensive", "hate"), true},
		{[]string{"sports", "politics", "None"}, false},           // as Python writes it
		{many("None", 5, "Racism", "Sexism"), false},              // of most
		{many("none", 40, "hate", "offensive"), false},            // of nearly all
		{[]string{"hate", "offensive", "none", ""}, false},        // one is missing in another way
		{[]string{"hate", "none", "hate", "none"}, false},         // one class alone
		{[]string{"1", "2", "none", "3"}, false},                  // beside numbers
		{[]string{"hate", "Offensive", "none", "hate"}, false},    // written in several ways
		{[]string{"hate", "offensive", "none", "NONE"}, false},    // itself too
		{[]string{"cat", "dog", "unlabeled", "unlabeled"}, false}, // another word
	} {
		kept, note := Unlabel(c.words)
		is := slices.Equal(kept, c.words)
		if is != c.want || note == "" || strings.Contains(note, "counts as a class") != c.want {
			t.Errorf("%q: %q, %q", c.words, kept, note)
		}
		if _, names := OfWords(c.words); slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, "none") }) != c.want {
			t.Errorf("%q: classes %q", c.words, names)
		}
	}
	if _, names, note := OfCounted([]string{"hate", "none", "offensive"}, []int{1, 50, 1}); len(names) != 2 || !strings.Contains(note, "50 documents") {
		t.Errorf("%q %q", names, note)
	}
}
